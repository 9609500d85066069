//! The intrinsics of `ptx.rs`, name by name, on the emulator.
//!
//! A new one is a line here: an [`Operation`] for the lanes of a warp, [`SharedBase::load`],
//! [`store`](SharedBase::store) or [`update`](SharedBase::update) with its width for shared memory.

use std::panic::Location;

use super::engine::current;
pub use super::global::{AtomicWord, Global};
pub(crate) use super::shared::{SharedBase, shared_base};
use super::warp_ops::{Operation, Reduction, Shuffle, collective};

pub(crate) fn thread_idx_x() -> u32 {
    current().thread.get()
}

pub(crate) fn block_idx_x() -> u32 {
    current().block().index
}

pub(crate) fn block_dim_x() -> u32 {
    current().run.shape.block
}

pub(crate) fn grid_dim_x() -> u32 {
    current().run.shape.grid
}

pub(crate) fn lane_id() -> u32 {
    current().thread.get() % 32
}

pub(crate) fn lane_mask_lt() -> u32 {
    (1 << lane_id()) - 1
}

#[track_caller]
pub(crate) unsafe fn sync_threads() {
    current().sync_threads(Location::caller());
}

pub(crate) fn device_fence() {
    current().fence();
}

pub(crate) fn pin_32(value: u32) -> u32 {
    value
}

#[track_caller]
pub(crate) fn nanosleep(_nanoseconds: u32) {
    current().sleep(Location::caller());
}

#[track_caller]
pub(crate) unsafe fn sync_warp(mask: u32) {
    collective(Operation::Sync, mask, 0, 0);
}

#[track_caller]
pub(crate) unsafe fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    collective(Operation::Ballot, mask, u32::from(predicate), 0)
}

#[track_caller]
pub(crate) unsafe fn match_any_32(mask: u32, value: u32) -> u32 {
    collective(Operation::MatchAny, mask, value, 0)
}

#[track_caller]
pub(crate) unsafe fn warp_shuffle_idx(mask: u32, value: u32, source: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Index), mask, value, source)
}

#[track_caller]
pub(crate) unsafe fn warp_shuffle_up(mask: u32, value: u32, delta: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Up), mask, value, delta)
}

#[track_caller]
pub(crate) unsafe fn warp_shuffle_down(mask: u32, value: u32, delta: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Down), mask, value, delta)
}

#[track_caller]
pub(crate) unsafe fn warp_shuffle_xor(mask: u32, value: u32, lane_mask: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Xor), mask, value, lane_mask)
}

#[track_caller]
pub(crate) unsafe fn warp_reduce_add_32(mask: u32, value: u32) -> u32 {
    collective(Operation::Reduce(Reduction::Add), mask, value, 0)
}

#[track_caller]
pub(crate) unsafe fn warp_reduce_max_32(mask: u32, value: u32) -> u32 {
    collective(Operation::Reduce(Reduction::Max), mask, value, 0)
}

impl SharedBase {
    #[track_caller]
    pub(crate) unsafe fn load_32(self, index: u32) -> u32 {
        self.load::<4>(index) as u32
    }

    #[track_caller]
    pub(crate) unsafe fn store_32(self, index: u32, value: u32) {
        self.store::<4>(index, u64::from(value));
    }

    #[track_caller]
    pub(crate) unsafe fn load_64(self, index: u32) -> u64 {
        self.load::<8>(index)
    }

    #[track_caller]
    pub(crate) unsafe fn store_64(self, index: u32, value: u64) {
        self.store::<8>(index, value);
    }

    #[track_caller]
    pub(crate) unsafe fn atomic_add_32(self, index: u32, value: u32) -> u32 {
        self.update::<4>(index, |word| u64::from((word as u32).wrapping_add(value))) as u32
    }

    #[track_caller]
    pub(crate) unsafe fn atomic_or_32(self, index: u32, value: u32) -> u32 {
        self.update::<4>(index, |word| word | u64::from(value)) as u32
    }

    #[track_caller]
    pub(crate) unsafe fn atomic_and_32(self, index: u32, value: u32) -> u32 {
        self.update::<4>(index, |word| word & u64::from(value)) as u32
    }
}
