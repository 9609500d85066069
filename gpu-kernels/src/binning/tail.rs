use core::ops::Range;
use warpwise_device::memory::{In, InOut, U64x2};

use warpwise_device::{kernel, thread, warp};

use super::TOTALS;
use super::queue::{Entry, Queue};
use super::table::Table;
use super::team::{BLOCK_TEAM_BYTES, BlockTeam, Team, WarpTeam, parts_of};
use crate::primitives::block_add_to;

/// Threads in a block of [`bin_tail`].
pub const TAIL_BLOCK: u32 = BlockTeam::THREADS;

/// Keys of the larger side that a thread reads at once.
const ITEMS: usize = 4;

/// Warps of a block of [`bin_tail_warps`].
pub const TAIL_WARPS: u32 = 8;

/// Bytes of shared memory of a block of [`bin_tail`].
pub const TAIL_SHARED_BYTES: u32 = BLOCK_TEAM_BYTES;

/// Bytes of shared memory of a block of [`bin_tail_warps`].
pub const TAIL_WARPS_SHARED_BYTES: u32 = WarpTeam::TABLE_BYTES * TAIL_WARPS;

kernel!(
    /// Counts the matches of the tasks in the queue of `counters[counter]`, each by a block, and adds
    /// them to `totals`.
    ///
    /// A task is a range of edges and one of candidates. The smaller goes to a hash table in shared
    /// memory, as much at a time as the table holds; the larger streams past it in chunks, each of
    /// which may be another team's. Candidates may repeat, and each repetition counts.
    #[requires(
        |shape| counters.len() > u64::from(counter), totals.len() >= TOTALS, shape.block.x == TAIL_BLOCK,
        shape.shared_bytes >= TAIL_SHARED_BYTES,
    )]
    #[launch_bounds(TAIL_BLOCK, 2)]
    pub unsafe fn bin_tail(
        keys: In<u64>,
        parts_before: In<u32>,
        segments: In<U64x2>,
        counters: In<u64>,
        totals: InOut<u64>,
        counter: u32,
    ) {
        let queue = Queue::new(parts_before, segments, counters.get(u64::from(counter)));
        let matches = count_parts::<BlockTeam>(keys, queue, queue.share(), 0);
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, matches);
    }
);

kernel!(
    /// As [`bin_tail`], each task by a warp.
    #[requires(
        |shape| counters.len() > u64::from(counter), totals.len() >= TOTALS, shape.block.x == TAIL_WARPS * warp::SIZE,
        shape.shared_bytes >= TAIL_WARPS_SHARED_BYTES,
    )]
    #[launch_bounds(TAIL_WARPS * warp::SIZE, 5)]
    pub unsafe fn bin_tail_warps(
        keys: In<u64>,
        parts_before: In<u32>,
        segments: In<U64x2>,
        counters: In<u64>,
        totals: InOut<u64>,
        counter: u32,
    ) {
        let queue = Queue::new(parts_before, segments, counters.get(u64::from(counter)));
        let warp_in_block = thread::thread_idx_x() / warp::SIZE;
        let warps = thread::grid_dim_x() * TAIL_WARPS;
        let share = queue.share_of(thread::block_idx_x() * TAIL_WARPS + warp_in_block, warps);
        let table_at = warp_in_block * WarpTeam::TABLE_BYTES;
        let matches = count_parts::<WarpTeam>(keys, queue, share, table_at);
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, matches);
    }
);

/// This thread's share of the matches in some parts, which the team has.
#[inline(always)]
fn count_parts<T: Team>(
    keys: In<u64>,
    queue: Queue,
    Range { start: mut part, end }: Range<u32>,
    table_at: u32,
) -> u64 {
    let mut matches = 0u64;
    if part < end {
        let table = Table::<T>::at(table_at);
        let mut entry = queue.entry_of(part);
        // The first part that the table in shared memory is not for.
        let mut table_end = part;
        while part < end {
            entry = queue.advance(entry, part);
            let chunk = Chunk::of::<T>(entry, part);
            if part >= table_end {
                table.build(keys, chunk.table_start, chunk.table_live);
                table_end = chunk.table_end;
            }
            let mut first = 0;
            while first < chunk.live {
                let live = chunk.live - first;
                let start = chunk.start + u64::from(first);
                // Most rounds of long lists are full: their code asks for no key whether it is there.
                matches += u64::from(if live >= ITEMS as u32 * T::THREADS {
                    count_round::<true, T>(&table, keys, start, live)
                } else {
                    count_round::<false, T>(&table, keys, start, live)
                });
                first += ITEMS as u32 * T::THREADS;
            }
            part += 1;
        }
    }
    matches
}

/// How often this thread's share of the `live` keys from `start` on is in the table; of more than
/// [`ITEMS`] a thread, which there are with `FULL`, the first ones.
#[inline(always)]
fn count_round<const FULL: bool, T: Team>(
    table: &Table<T>,
    keys: In<u64>,
    start: u64,
    live: u32,
) -> u32 {
    let first_key = start + u64::from(T::index());
    let mut key = [0u64; ITEMS];
    for i in 0..ITEMS {
        if FULL || i as u32 * T::THREADS + T::index() < live {
            key[i] = keys.get(first_key + i as u64 * u64::from(T::THREADS));
        }
    }
    let mut count = 0;
    for i in 0..ITEMS {
        if FULL || i as u32 * T::THREADS + T::index() < live {
            count += table.count(key[i]);
        }
    }
    count
}

/// A part of a task: which keys fill the table, and which stream past it.
#[derive(Clone, Copy)]
struct Chunk {
    table_start: u64,
    table_live: u32,
    start: u64,
    live: u32,
    /// One past the last part that has the same table.
    table_end: u32,
}

impl Chunk {
    #[inline(always)]
    fn of<T: Team>(entry: Entry, part: u32) -> Chunk {
        let task = entry.segment;
        let (small_at, small, large_at, large) = if task.edges < task.candidates {
            (task.edges_at, task.edges, task.candidates_at, task.candidates)
        } else {
            (task.candidates_at, task.candidates, task.edges_at, task.edges)
        };
        // A task has keys on both sides; `max` says so to the compiler.
        let chunks = parts_of::<T>(task).chunks.max(1);
        let local = part - entry.first_part;
        let (table, chunk) = (local / chunks, local % chunks);
        Chunk {
            table_start: u64::from(small_at) + u64::from(table * T::TABLE_KEYS),
            table_live: (small - table * T::TABLE_KEYS).min(T::TABLE_KEYS),
            start: u64::from(large_at) + u64::from(chunk * T::CHUNK),
            live: (large - chunk * T::CHUNK).min(T::CHUNK),
            table_end: entry.first_part + (table + 1) * chunks,
        }
    }
}
