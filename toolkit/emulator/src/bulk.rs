//! Bulk copies from global to shared memory, and the barriers at which they arrive.
//!
//! A copy reads its source when it is asked for. Its target is written when the first thread waits for the end of the phase; until
//! then every access to the target is a finding.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::Arc;

use warpwise_launch::{Element, bytemuck};

use crate::block::SourceLine;
use crate::clock::{self, Clock};
use crate::engine::{self, CarrierThread, FindingPlace};
use crate::global::Global;
use crate::report::{Access, Array, Kind};
use crate::shared::SharedBase;

/// What the addresses and the bytes of a bulk copy are multiples of.
const UNIT: usize = 16;

/// The barriers of a block, by where in its shared memory they are.
pub(crate) type Mbarriers = HashMap<usize, Mbarrier>;

pub(crate) struct Mbarrier {
    /// The number of threads that arrive in a phase.
    arrivals: u32,
    /// The number of threads that have yet to arrive. Where it is 0, copies are under way.
    missing: u32,
    /// Phases that have ended.
    ended: u32,
    copies: Vec<BulkCopy>,
    /// What those that have arrived knew.
    arrived: Option<Arc<Clock>>,
    /// What is known at the end of the latest phase.
    known: Option<Arc<Clock>>,
}

struct BulkCopy {
    at: usize,
    bytes: Vec<u8>,
    location: SourceLine,
}

impl Mbarrier {
    fn end_phase(&mut self, known: Option<Arc<Clock>>) {
        self.known = known;
        self.ended += 1;
        self.missing = self.arrivals;
    }
}

/// Makes a word a barrier.
#[track_caller]
pub fn mbarrier_init(words: SharedBase, index: u32, arrivals: u32) {
    let (engine, at) = words.access::<u64>(index, Access::Write);
    let (block, missing) = (engine.block(), arrivals);
    block.shared.set(at, 0u64);
    let barrier =
        Mbarrier { arrivals, missing, ended: 0, copies: Vec::new(), arrived: None, known: None };
    block.mbarriers.borrow_mut().insert(at, barrier);
    engine.note_change(true);
}

/// Calls `with` with a barrier that threads have yet to arrive at.
#[track_caller]
fn in_phase<R>(
    (words, index): (SharedBase, u32),
    with: impl FnOnce(&CarrierThread<'_>, &mut Mbarrier) -> R,
) -> R {
    let (engine, at) = words.access::<u64>(index, Access::AtomicUpdate);
    let mut barriers = engine.block().mbarriers.borrow_mut();
    let kind = match barriers.get_mut(&at) {
        Some(barrier) if barrier.missing > 0 => return with(engine, barrier),
        Some(_) => Kind::CopyNotAwaited { access: Access::AtomicUpdate },
        None => Kind::Uninitialized,
    };
    drop(barriers);
    engine.fail(kind, place(words, index, Location::caller()), None)
}

fn place(array: SharedBase, index: u32, location: SourceLine) -> FindingPlace {
    let array = Some(Array::Shared { byte_offset: array.byte_offset() });
    FindingPlace { array, index: Some(index.into()), location }
}

/// The running thread arrives.
#[track_caller]
pub fn mbarrier_arrive(words: SharedBase, index: u32) {
    in_phase((words, index), |engine, barrier| {
        clock::join(&mut barrier.arrived, &engine.release());
        barrier.missing -= 1;
        if barrier.missing == 0 && barrier.copies.is_empty() {
            let arrived = barrier.arrived.take();
            barrier.end_phase(arrived);
        }
        engine.note_change(true);
    });
}

/// Starts to copy `len` elements.
#[track_caller]
pub fn bulk_copy<T: Element>(
    (to, to_index): (SharedBase, u32),
    (from, from_index): (Global<T>, u64),
    len: u32,
    barrier: (SharedBase, u32),
) {
    let location = Location::caller();
    in_phase(barrier, |_, _| ());
    let mut copy = BulkCopy { at: 0, bytes: Vec::new(), location };
    for i in 0..len {
        copy.bytes.extend_from_slice(bytemuck::bytes_of(&from.load(from_index + u64::from(i))));
        let (engine, at) = to.access::<T>(to_index + i, Access::Write);
        engine.block().shared.mark_copying(at, size_of::<T>());
        copy.at = if i == 0 { at } else { copy.at };
    }
    let engine = engine::current();
    let is_whole = |bytes: usize| bytes.is_multiple_of(UNIT);
    let source = from.byte_at(engine, from_index) as usize;
    if len == 0 || ![copy.at, copy.bytes.len(), source].into_iter().all(is_whole) {
        engine.fail(Kind::Misaligned, place(to, to_index, location), None);
    }
    in_phase(barrier, |_, barrier| barrier.copies.push(copy));
}

/// Waits until a phase of this parity has ended.
#[track_caller]
pub fn mbarrier_wait(words: SharedBase, index: u32, parity: u32) {
    let location = Location::caller();
    loop {
        let (engine, at) = words.access::<u64>(index, Access::AtomicRead);
        let mut barriers = engine.block().mbarriers.borrow_mut();
        let Some(barrier) = barriers.get_mut(&at) else {
            drop(barriers);
            engine.fail(Kind::Uninitialized, place(words, index, location), None)
        };
        if barrier.ended % 2 != parity % 2 {
            let known = barrier.known.clone();
            drop(barriers);
            return engine.learn(known);
        }
        if barrier.missing > 0 {
            drop(barriers);
            engine.sleep(location);
            continue;
        }
        let (copies, arrived) = (std::mem::take(&mut barrier.copies), barrier.arrived.take());
        drop(barriers);
        engine.learn(arrived);
        copies.iter().for_each(|copy| copy.complete(engine));
        let known = Some(engine.release());
        let mut barriers = engine.block().mbarriers.borrow_mut();
        barriers.get_mut(&at).expect("it was there").end_phase(known);
        return;
    }
}

impl CarrierThread<'_> {
    /// The running thread knows what others did.
    fn learn(&self, known: Option<Arc<Clock>>) {
        if let Some(known) = known {
            self.block().fenced.set(true);
            clock::join(&mut self.running().fences.borrow_mut().known, &known);
        }
    }
}

impl BulkCopy {
    fn complete(&self, engine: &CarrierThread<'_>) {
        let shared = &engine.block().shared;
        let site = engine.sites.number(self.location);
        let touched = shared.touch(engine, self.at, self.bytes.len(), Access::Write, site);
        if let Err(conflict) = touched {
            let array = Some(Array::Shared { byte_offset: self.at as u32 });
            let place = FindingPlace { array, index: None, location: self.location };
            engine.fail_race(Access::Write, place, conflict);
        }
        for (i, unit) in self.bytes.as_chunks::<UNIT>().0.iter().enumerate() {
            shared.set(self.at + UNIT * i, *unit);
        }
        engine.note_change(true);
    }
}
