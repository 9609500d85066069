//! The instructions of a GPU, as the emulator runs them: what the device library calls on a host.
//!
//! The names and the contracts are those of the device library, which has the PTX of each. A call
//! outside a kernel panics.
//!
//! A new one is a line here: an `Operation` for the lanes of a warp; for shared memory `load`, `store`
//! or `update` of [`SharedBase`] with its width.

use std::panic::Location;

use crate::engine::current;
pub use crate::global::{AtomicWord, Global};
pub use crate::shared::{SharedBase, shared_base};
use crate::warp_ops::{Operation, Reduction, Shuffle, collective};

/// The mask of a whole warp.
const ALL_LANES: u32 = u32::MAX;

pub fn thread_idx_x() -> u32 {
    current().thread.get()
}

pub fn block_idx_x() -> u32 {
    current().block().index
}

pub fn block_dim_x() -> u32 {
    current().run.shape.block
}

pub fn grid_dim_x() -> u32 {
    current().run.shape.grid
}

pub fn lane_id() -> u32 {
    current().thread.get() % 32
}

pub fn lane_mask_lt() -> u32 {
    (1 << lane_id()) - 1
}

#[track_caller]
pub unsafe fn sync_threads() {
    current().sync_threads(Location::caller());
}

pub fn device_fence() {
    current().fence();
}

pub fn pin_32(value: u32) -> u32 {
    value
}

#[track_caller]
pub fn nanosleep(_nanoseconds: u32) {
    current().sleep(Location::caller());
}

#[track_caller]
pub unsafe fn sync_warp(mask: u32) {
    collective(Operation::Sync, mask, 0, 0);
}

#[track_caller]
pub unsafe fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    collective(Operation::Ballot, mask, u32::from(predicate), 0)
}

#[track_caller]
pub unsafe fn match_any_32(mask: u32, value: u32) -> u32 {
    collective(Operation::MatchAny, mask, value, 0)
}

#[track_caller]
pub unsafe fn warp_shuffle_idx(mask: u32, value: u32, source: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Index), mask, value, source)
}

#[track_caller]
pub unsafe fn warp_shuffle_up(mask: u32, value: u32, delta: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Up), mask, value, delta)
}

#[track_caller]
pub unsafe fn warp_shuffle_down(mask: u32, value: u32, delta: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Down), mask, value, delta)
}

#[track_caller]
pub unsafe fn warp_shuffle_xor(mask: u32, value: u32, lane_mask: u32) -> u32 {
    collective(Operation::Shuffle(Shuffle::Xor), mask, value, lane_mask)
}

#[track_caller]
pub unsafe fn warp_reduce_add_32(mask: u32, value: u32) -> u32 {
    collective(Operation::Reduce(Reduction::Add), mask, value, 0)
}

#[track_caller]
pub unsafe fn warp_reduce_max_32(mask: u32, value: u32) -> u32 {
    collective(Operation::Reduce(Reduction::Max), mask, value, 0)
}

#[track_caller]
pub unsafe fn mma_common_bits(rows: [u32; 4], columns: [u32; 2], sums: [u32; 4]) -> [u32; 4] {
    mma(rows, columns, sums, |row, column| (row & column).count_ones())
}

#[track_caller]
pub unsafe fn mma_bytes(rows: [u32; 4], columns: [u32; 2], sums: [u32; 4]) -> [u32; 4] {
    mma(rows, columns, sums, |row, column| {
        let bytes = row.to_le_bytes().into_iter().zip(column.to_le_bytes());
        bytes.map(|(a, b)| u32::from(a) * u32::from(b)).sum()
    })
}

/// A product of the whole warp, from the lanes that hold this lane's two rows and two columns.
#[track_caller]
fn mma(
    rows: [u32; 4],
    columns: [u32; 2],
    sums: [u32; 4],
    product: impl Fn(u32, u32) -> u32,
) -> [u32; 4] {
    let of = |value, lane| collective(Operation::Shuffle(Shuffle::Index), ALL_LANES, value, lane);
    // The eight words of rows g and g + 8, and of columns 2t and 2t + 1, as lanes t = 0 to 3 hold them.
    let row_lane = lane_id() / 4 * 4;
    let column_lane = lane_id() % 4 * 8;
    let mut sums = sums;
    for t in 0..4 {
        let row_words = rows.map(|word| of(word, row_lane + t));
        for n in 0..2 {
            let column_words = columns.map(|word| of(word, column_lane + 4 * n + t));
            for m in 0..2 {
                let sum = &mut sums[(2 * m + n) as usize];
                for half in 0..2 {
                    let row = row_words[(m + 2 * half) as usize];
                    *sum = sum.wrapping_add(product(row, column_words[half as usize]));
                }
            }
        }
    }
    sums
}

impl SharedBase {
    #[track_caller]
    pub unsafe fn load_32(self, index: u32) -> u32 {
        self.load::<4>(index) as u32
    }

    #[track_caller]
    pub unsafe fn store_32(self, index: u32, value: u32) {
        self.store::<4>(index, u64::from(value));
    }

    #[track_caller]
    pub unsafe fn load_64(self, index: u32) -> u64 {
        self.load::<8>(index)
    }

    #[track_caller]
    pub unsafe fn store_64(self, index: u32, value: u64) {
        self.store::<8>(index, value);
    }

    #[track_caller]
    pub unsafe fn atomic_add_32(self, index: u32, value: u32) -> u32 {
        self.update::<4>(index, |word| u64::from((word as u32).wrapping_add(value))) as u32
    }

    #[track_caller]
    pub unsafe fn atomic_or_32(self, index: u32, value: u32) -> u32 {
        self.update::<4>(index, |word| word | u64::from(value)) as u32
    }

    #[track_caller]
    pub unsafe fn atomic_and_32(self, index: u32, value: u32) -> u32 {
        self.update::<4>(index, |word| word & u64::from(value)) as u32
    }
}
