//! Entries that come block by block go to the devices as they are made: the host holds a few blocks at a time. Or each device
//! makes its share itself, by their formula.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use tribin_device::launch::Buffer;

use super::super::degrees::DeviceDegrees;
use super::{Loaded, Member, PartsStopped};
use crate::control::Cancel;
use crate::device::team::Team;
use crate::graph::EdgeBlocks;
use tribin_base::par;

/// Blocks that the threads of a device make at a time: 64 of 2^16 entries are 32 MiB.
const AT_ONCE: u64 = 64;

/// The blocks that nobody has taken yet.
struct Rest<'b> {
    blocks: &'b dyn EdgeBlocks,
    next: AtomicU64,
    /// What a device took and had no room for.
    left_over: Mutex<Vec<[u32; 2]>>,
}

impl Rest<'_> {
    /// Some entries; none if there are no more for now.
    fn take(&self) -> Vec<[u32; 2]> {
        let left_over = std::mem::take(&mut *self.left_over());
        if !left_over.is_empty() {
            return left_over;
        }
        let all = self.blocks.blocks();
        let first = self.next.fetch_add(AT_ONCE, Relaxed).min(all);
        par::map(first..(first + AT_ONCE).min(all), |block| {
            let mut entries = Vec::new();
            self.blocks.block(block, &mut entries);
            entries
        })
        .concat()
    }

    fn left_over(&self) -> std::sync::MutexGuard<'_, Vec<[u32; 2]>> {
        self.left_over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A device that takes entries.
struct Loading<D: Member> {
    loaded: Loaded<D>,
    /// The number of entries that the device has so far.
    filled: u64,
}

/// Brings an equal number of the entries to each device. A device that is done with a block takes the next one, so that
/// each run may divide the entries in another way.
pub(super) fn load_blocks<D: Member>(
    team: &Team<D>,
    blocks: &dyn EdgeBlocks,
    cancel: &Cancel,
) -> Result<Vec<Loaded<D>>, PartsStopped<D::Error>> {
    let entries = blocks.entries();
    let room = entries.div_ceil(team.len() as u64);
    let rest = Rest { blocks, next: AtomicU64::new(0), left_over: Mutex::default() };
    let mut loading = team.each(|_, device| {
        let degrees = DeviceDegrees::with_landmarks(device, blocks.vertices(), entries)?;
        let loaded = Loaded { entries: Buffer::uninitialized(device, room)?, degrees };
        Ok(Loading { loaded, filled: 0 })
    })?;
    loop {
        loading = team.step_with_threads(loading, |_, device, pool, mut loading| {
            let Loading { loaded: Loaded { entries, degrees }, filled } = &mut loading;
            while *filled < room && !cancel.is_cancelled() {
                let mut taken = pool.install(|| rest.take());
                if taken.is_empty() {
                    break;
                }
                let fitting = taken.len().min((room - *filled) as usize);
                rest.left_over().extend(taken.drain(fitting..));
                entries.upload_bytes(device, *filled, bytemuck::cast_slice(&taken))?;
                let end = *filled + fitting as u64;
                degrees.add(device, entries, *filled..end)?;
                *filled = end;
            }
            Ok(loading)
        })?;
        cancel.check().map_err(|_| PartsStopped::Cancelled)?;
        let is_full = loading.iter().all(|loading| loading.filled == room);
        if is_full || rest.next.load(Relaxed) >= blocks.blocks() && rest.left_over().is_empty() {
            break;
        }
    }
    let found = loading.iter().map(|loading| loading.filled).sum::<u64>();
    assert!(found == entries && rest.left_over().is_empty(), "blocks of {entries} entries");
    // Fewer words than there are devices are left. A self-loop is dropped, and this one nobody counts.
    let loaded = team.step(loading, |_, device, mut loading| {
        let missing = room - loading.filled;
        let pad = vec![0u8; 8 * missing as usize];
        loading.loaded.entries.upload_bytes(device, loading.filled, &pad)?;
        Ok(loading.loaded)
    })?;
    Ok(loaded)
}
