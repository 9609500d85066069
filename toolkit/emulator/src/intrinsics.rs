//! The instructions of a GPU, as the emulator runs them: what the device library calls on a host.
//!
//! The names and the contracts are those of the device library, which has the PTX of each. A call
//! outside a kernel panics.
//!
//! A new one is a line here: an `Operation` for the lanes of a warp; for memory an `update` of [`Global`] or
//! [`SharedBase`].

use std::convert::identity;
use std::fmt;
use std::panic::Location;
use std::time::SystemTime;

use warpwise_launch::{BFLOAT16, BINARY16, Dim3, HalfFormat, Shuffle, WarpReduction};

pub use crate::atomic::AtomicWord;
pub use crate::bulk::{bulk_copy, mbarrier_arrive, mbarrier_init, mbarrier_wait};
pub use crate::cluster::{ClusterBase, cluster_rank, cluster_size, cluster_sync, of_block};
pub use crate::copies::{copy_async, copy_async_commit, copy_async_wait};
use crate::engine::current;
pub use crate::global::Global;
pub use crate::shared::{SharedAccess, SharedBase};
use crate::warp_ops::{Operation, collective};
pub use crate::warpgroup::{wgmma_bf16, wgmma_f16};

/// The mask of a whole warp.
pub(crate) const ALL_LANES: u32 = u32::MAX;

/// Where number `i` of a grid or block of this size stands along its three axes.
#[inline]
fn place(i: u32, of: Dim3) -> [u32; 3] {
    [i % of.x, i / of.x % of.y, i / of.x / of.y]
}

macro_rules! axes {
    ($($name:ident = $engine:ident => $value:expr;)*) => {
        $(
            #[inline]
            pub fn $name() -> u32 {
                let $engine = current();
                $value
            }
        )*
    };
}

axes! {
    thread_idx_x = engine => place(engine.thread.get(), engine.run.shape.block)[0];
    thread_idx_y = engine => place(engine.thread.get(), engine.run.shape.block)[1];
    thread_idx_z = engine => place(engine.thread.get(), engine.run.shape.block)[2];
    block_idx_x = engine => place(engine.block().index, engine.run.shape.grid)[0];
    block_idx_y = engine => place(engine.block().index, engine.run.shape.grid)[1];
    block_idx_z = engine => place(engine.block().index, engine.run.shape.grid)[2];
    block_dim_x = engine => engine.run.shape.block.x;
    block_dim_y = engine => engine.run.shape.block.y;
    block_dim_z = engine => engine.run.shape.block.z;
    grid_dim_x = engine => engine.run.shape.grid.x;
    grid_dim_y = engine => engine.run.shape.grid.y;
    grid_dim_z = engine => engine.run.shape.grid.z;
    lane_id = engine => engine.thread.get() % 32;
}

pub fn lane_mask_lt() -> u32 {
    (1 << lane_id()) - 1
}

/// The calling lane alone: a GPU may run each lane of a warp by itself.
pub fn active_mask() -> u32 {
    1 << lane_id()
}

#[track_caller]
pub fn sync_threads() {
    current().sync_threads(false, Location::caller());
}

#[track_caller]
pub fn sync_threads_count(predicate: bool) -> u32 {
    current().sync_threads(predicate, Location::caller())
}

pub fn device_fence() {
    current().fence();
}

/// There is one device: what the whole system sees is what it sees.
pub fn system_fence() {
    current().fence();
}

pub fn pin_32(value: u32) -> u32 {
    value
}

/// The steps of the block, of which this is one.
#[track_caller]
pub fn clock64() -> u64 {
    let engine = current();
    engine.step(Location::caller());
    engine.steps()
}

/// Nanoseconds of the host's clock.
#[track_caller]
pub fn globaltimer() -> u64 {
    current().step(Location::caller());
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_nanos() as u64
}

#[track_caller]
pub fn nanosleep(_nanoseconds: u32) {
    current().sleep(Location::caller());
}

/// Keeps a line of text that the running thread writes: see
/// [`Emulator::take_trace`](crate::Emulator::take_trace).
pub fn trace(text: fmt::Arguments<'_>) {
    let engine = current();
    engine.run.trace(engine.block().index, engine.thread.get(), text);
}

#[track_caller]
pub fn sync_warp(mask: u32) {
    collective(Operation::Sync, mask, 0, 0);
}

#[track_caller]
pub fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    collective(Operation::Ballot, mask, predicate.into(), 0) as u32
}

#[track_caller]
pub fn match_any_32(mask: u32, value: u32) -> u32 {
    collective(Operation::MatchAny, mask, value.into(), 0) as u32
}

#[track_caller]
pub fn match_any_64(mask: u32, value: u64) -> u32 {
    collective(Operation::MatchAny, mask, value, 0) as u32
}

#[track_caller]
pub fn shuffle_32(mask: u32, value: u32, from: Shuffle, operand: u32) -> u32 {
    shuffle_64(mask, value.into(), from, operand) as u32
}

#[track_caller]
pub fn shuffle_64(mask: u32, value: u64, from: Shuffle, operand: u32) -> u64 {
    collective(Operation::Shuffle(from), mask, value, operand)
}

#[track_caller]
pub fn reduce(mask: u32, value: u32, by: WarpReduction) -> u32 {
    let value = match by {
        WarpReduction::MinSigned | WarpReduction::MaxSigned => {
            i64::from(value as i32).cast_unsigned()
        }
        _ => value.into(),
    };
    collective(Operation::Reduce(by), mask, value, 0) as u32
}

macro_rules! products {
    ($($name:ident: $type:ty, $from:expr, $to:expr, |$row:ident, $column:ident, $sum:ident| $added:expr;)*) => {
        $(
            #[track_caller]
            pub fn $name(rows: [u32; 4], columns: [u32; 2], sums: [$type; 4]) -> [$type; 4] {
                mma(rows, columns, sums.map($to), |$row, $column, sum| {
                    let $sum: $type = $from(sum);
                    $to($added)
                })
                .map($from)
            }
        )*
    };
}

products! {
    mma_common_bits: u32, identity, identity, |row, column, sum| {
        let common = row.iter().zip(column).map(|(a, b)| (a & b).count_ones());
        sum.wrapping_add(common.sum())
    };
    mma_bytes: u32, identity, identity, |row, column, sum| {
        let bytes = row.map(u32::to_le_bytes).concat().into_iter().zip(column.map(u32::to_le_bytes).concat());
        bytes.fold(sum, |sum, (a, b)| sum.wrapping_add(u32::from(a) * u32::from(b)))
    };
    mma_signed_bytes: i32, u32::cast_signed, i32::cast_unsigned, |row, column, sum| {
        let bytes = row.map(u32::to_le_bytes).concat().into_iter().zip(column.map(u32::to_le_bytes).concat());
        let signed = bytes.map(|(a, b)| [a.cast_signed(), b.cast_signed()].map(i32::from));
        signed.fold(sum, |sum, [a, b]| sum.wrapping_add(a * b))
    };
    mma_f16: f32, f32::from_bits, f32::to_bits, |row, column, sum| of_halves(BINARY16, row, column, sum);
    mma_bf16: f32, f32::from_bits, f32::to_bits, |row, column, sum| of_halves(BFLOAT16, row, column, sum);
    mma_tf32: f32, f32::from_bits, f32::to_bits, |row, column, sum| {
        // The lower bits of the fraction are not looked at.
        let wide = |word: u32| f64::from(f32::from_bits(word & !((1 << 13) - 1)));
        let products = row.iter().zip(column).map(|(&a, &b)| wide(a) * wide(b));
        (f64::from(sum) + products.sum::<f64>()) as f32
    };
}

/// A sum with the products of two rows of halves. Products are exact in 64 bits.
pub(crate) fn of_halves(format: HalfFormat, row: &[u32; 8], column: &[u32; 8], sum: f32) -> f32 {
    let halves = |word: u32| [word as u16, (word >> 16) as u16].map(|bits| format.widen(bits));
    let products = row.iter().zip(column).map(|(&a, &b)| {
        let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
        a0 * b0 + a1 * b1
    });
    (f64::from(sum) + products.sum::<f64>()) as f32
}

/// A product of the whole warp, from the lanes that hold this lane's two rows and two columns. `add` adds to a sum what a row and a
/// column come to.
#[track_caller]
fn mma(
    rows: [u32; 4],
    columns: [u32; 2],
    mut sums: [u32; 4],
    add: impl Fn(&[u32; 8], &[u32; 8], u32) -> u32,
) -> [u32; 4] {
    let of = |value, lane| shuffle_32(ALL_LANES, value, Shuffle::Index, lane);
    // The eight words of rows g and g + 8, and of columns 2t and 2t + 1, as lanes t = 0 to 3 hold them.
    let row_lane = lane_id() / 4 * 4;
    let column_lane = lane_id() % 4 * 8;
    let (mut row_words, mut column_words) = ([[0; 8]; 2], [[0; 8]; 2]);
    for t in 0..4u32 {
        let held = rows.map(|word| of(word, row_lane + t));
        for half in 0..2 {
            let place = t as usize + 4 * half;
            for (row, words) in row_words.iter_mut().enumerate() {
                words[place] = held[row + 2 * half];
            }
            for (column, words) in (0..).zip(&mut column_words) {
                words[place] = of(columns[half], column_lane + 4 * column + t);
            }
        }
    }
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum = add(&row_words[i / 2], &column_words[i % 2], *sum);
    }
    sums
}
