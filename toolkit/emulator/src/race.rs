//! The shadow of one element: who touched it last, and whether that was in order.

use std::alloc::{Layout, alloc_zeroed};
use std::ptr::{NonNull, slice_from_raw_parts_mut};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::clock::{Stamp, thread_of};
use crate::engine::CarrierThread;
use crate::report::Access;

const WRITE: usize = 0;
const READS: usize = 1;
const UPDATES: usize = 3;
const ATOMIC_READ: usize = 5;
const SLOTS: usize = 6;

/// The remembered accesses to one element: the latest write, two reads, two atomic updates and one
/// atomic read that nothing after them is ordered behind. All zero is a valid, empty cell.
#[repr(C, align(64))]
pub(crate) struct ShadowCell {
    stamps: [AtomicU64; SLOTS],
    sites: [AtomicU16; SLOTS],
    /// To which launch or block the rest belongs.
    epoch: AtomicU32,
}

/// The remembered access that another one races with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conflict {
    pub(crate) stamp: Stamp,
    pub(crate) site: u16,
    pub(crate) access: Access,
}

/// `count` empty cells. Pages that are never touched cost nothing.
pub(crate) fn cells(count: usize) -> Box<[ShadowCell]> {
    // SAFETY: a cell holds integers only, for which zero is a value.
    unsafe { Box::new_zeroed_slice(count).assume_init() }
}

/// `count` empty cells; none where the host has not enough memory.
pub(crate) fn try_cells(count: usize) -> Option<Box<[ShadowCell]>> {
    let layout = Layout::array::<ShadowCell>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout is not empty.
    let cells = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast::<ShadowCell>();
    // SAFETY: it was allocated for `count` cells, and a cell holds integers only, for which zero is a
    // value.
    Some(unsafe { Box::from_raw(slice_from_raw_parts_mut(cells.as_ptr(), count)) })
}

impl ShadowCell {
    /// Checks an access of the running thread against the remembered ones, and remembers it.
    #[inline]
    pub(crate) fn touch(
        &self,
        engine: &CarrierThread<'_>,
        epoch: u32,
        access: Access,
        site: u16,
    ) -> Result<(), Conflict> {
        self.enter(epoch);
        self.check(engine, access)?;
        self.record(engine, access, site);
        Ok(())
    }

    /// Checks without remembering.
    pub(crate) fn probe(
        &self,
        engine: &CarrierThread<'_>,
        epoch: u32,
        access: Access,
    ) -> Result<(), Conflict> {
        self.enter(epoch);
        self.check(engine, access)
    }

    /// Forgets what belongs to another launch or block.
    #[inline]
    fn enter(&self, epoch: u32) {
        if self.epoch.load(Relaxed) != epoch {
            self.stamps.iter().for_each(|stamp| stamp.store(0, Relaxed));
            self.epoch.store(epoch, Relaxed);
        }
    }

    #[inline]
    fn check(&self, engine: &CarrierThread<'_>, access: Access) -> Result<(), Conflict> {
        self.clash(engine, WRITE, Access::Write)?;
        if matches!(access, Access::Write | Access::AtomicUpdate) {
            self.clash(engine, READS, Access::Read)?;
            self.clash(engine, READS + 1, Access::Read)?;
        }
        if matches!(access, Access::Write | Access::Read) {
            self.clash(engine, UPDATES, Access::AtomicUpdate)?;
            self.clash(engine, UPDATES + 1, Access::AtomicUpdate)?;
        }
        if access == Access::Write {
            self.clash(engine, ATOMIC_READ, Access::AtomicRead)?;
        }
        Ok(())
    }

    #[inline]
    fn clash(
        &self,
        engine: &CarrierThread<'_>,
        slot: usize,
        access: Access,
    ) -> Result<(), Conflict> {
        let stamp = self.stamps[slot].load(Relaxed);
        if stamp == 0 || engine.is_ordered(stamp) {
            return Ok(());
        }
        Err(Conflict { stamp, site: self.sites[slot].load(Relaxed), access })
    }

    #[inline]
    fn record(&self, engine: &CarrierThread<'_>, access: Access, site: u16) {
        let slot = match access {
            Access::Write => {
                // Whatever races with an older access races with this one too.
                self.stamps[1..].iter().for_each(|stamp| stamp.store(0, Relaxed));
                WRITE
            }
            Access::Read => self.free_of_two(engine, READS),
            Access::AtomicUpdate => self.free_of_two(engine, UPDATES),
            Access::AtomicRead => ATOMIC_READ,
        };
        self.stamps[slot].store(engine.now.get(), Relaxed);
        self.sites[slot].store(site, Relaxed);
    }

    /// The first slot where its access is ordered before this one, else the second: of concurrent
    /// threads the first and the latest are remembered.
    #[inline]
    fn free_of_two(&self, engine: &CarrierThread<'_>, first: usize) -> usize {
        let stamp = self.stamps[first].load(Relaxed);
        let free = stamp == 0
            || thread_of(stamp) == thread_of(engine.now.get())
            || engine.is_ordered(stamp);
        if free { first } else { first + 1 }
    }
}
