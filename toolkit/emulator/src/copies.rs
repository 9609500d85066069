//! Asynchronous copies from global to shared memory.
//!
//! A copy reads its source when it is asked for. Its target is written when the thread waits for it; until
//! then every access to the target is a finding.

use std::panic::Location;

use warpwise_launch::{Element, bytemuck};

use crate::engine::{CarrierThread, FindingPlace, current};
use crate::global::Global;
use crate::report::{Access, Array};
use crate::shared::SharedBase;

/// Bytes of the largest copy.
const MOST_BYTES: usize = 16;

/// The copies of one thread that it has not waited for.
#[derive(Default)]
pub(crate) struct Copies {
    pending: Vec<PendingCopy>,
    /// Number of the group that the next commit closes.
    group: u32,
}

struct PendingCopy {
    at: usize,
    bytes: usize,
    value: [u8; MOST_BYTES],
    group: u32,
    location: &'static Location<'static>,
}

/// Starts to copy element `from_index` of `from` to element `to_index` of `to`.
#[track_caller]
pub fn copy_async<T: Element>(to: SharedBase, to_index: u32, from: Global<T>, from_index: u64) {
    let bytes = size_of::<T>();
    assert!(matches!(bytes, 4 | 8 | 16), "an asynchronous copy moves 4, 8 or 16 bytes");
    let source = from.load(from_index);
    let (engine, at) = to.access::<T>(to_index, Access::Write);
    engine.block().shared.mark_copying(at, bytes);
    let mut value = [0; MOST_BYTES];
    value[..bytes].copy_from_slice(bytemuck::bytes_of(&source));
    let mut copies = engine.running().copies.borrow_mut();
    let group = copies.group;
    copies.pending.push(PendingCopy { at, bytes, value, group, location: Location::caller() });
}

/// Closes the group of the copies since the last one.
pub fn copy_async_commit() {
    current().running().copies.borrow_mut().group += 1;
}

/// Waits for all groups but the latest `groups`.
pub fn copy_async_wait(groups: u32) {
    let engine = current();
    let mut copies = engine.running().copies.borrow_mut();
    let first_pending = copies.group.saturating_sub(groups);
    let done = copies.pending.extract_if(.., |copy| copy.group < first_pending).collect::<Vec<_>>();
    drop(copies);
    done.iter().for_each(|copy| copy.complete(engine));
}

impl PendingCopy {
    fn complete(&self, engine: &CarrierThread<'_>) {
        let shared = &engine.block().shared;
        let site = engine.sites.number(self.location);
        if let Err(conflict) = shared.touch(engine, self.at, self.bytes, Access::Write, site) {
            let array = Some(Array::Shared { byte_offset: self.at as u32 });
            let place = FindingPlace { array, index: None, location: self.location };
            engine.fail_race(Access::Write, place, conflict);
        }
        let changed = match self.bytes {
            4 => shared.set::<[u8; 4]>(self.at, std::array::from_fn(|i| self.value[i])),
            8 => shared.set::<[u8; 8]>(self.at, std::array::from_fn(|i| self.value[i])),
            _ => shared.set(self.at, self.value),
        };
        engine.note_change(changed);
    }
}
