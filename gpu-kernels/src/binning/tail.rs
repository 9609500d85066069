use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::shared::{self, Shared};
use tribin_device::{kernel, thread, warp};

use super::TOTALS;
use super::queue::{Entry, Queue, chunks_of};
use crate::primitives::{block_add_to, block_scan_exclusive};

/// Threads in a block of [`bin_tail`].
pub const TAIL_BLOCK: u32 = 256;

/// Keys of the larger side that a block takes at a time.
pub const TAIL_CHUNK: u32 = 4096;

/// Most keys of the smaller side that a block has in shared memory.
pub const TABLE_KEYS: u32 = 1024;

/// Slots of the hash table: a key's slot has one other key in two.
const SLOTS: u32 = 2048;

/// Slots of a thread.
const OWN_SLOTS: u32 = SLOTS / TAIL_BLOCK;

const KEYS_AT: u32 = 0;
const ENDS_AT: u32 = KEYS_AT + TABLE_KEYS * 8;
const TOTALS_AT: u32 = ENDS_AT + (SLOTS + 1) * 4;

/// Bytes of shared memory of a block.
pub const TAIL_SHARED_BYTES: u32 = TOTALS_AT + TAIL_BLOCK / warp::SIZE * 4;

kernel! {
    /// Counts the matches of the tail tasks of level `level`, and adds them to `totals`.
    ///
    /// A task is a range of edges and one of candidates. The smaller goes to a hash table in shared
    /// memory, [`TABLE_KEYS`] keys at a time; the larger streams past it in chunks of [`TAIL_CHUNK`],
    /// each of which may be another block's. Candidates may repeat, and each repetition counts. The
    /// queue's counter is `counters[counter]`.
    ///
    /// The table is built by counting: the keys of a slot stand side by side, and `ends` says where
    /// each slot's end.
    pub fn bin_tail(
        keys: In<u64>, parts_before: In<u32>, segments: In<U64x2>, counters: In<u64>,
        totals: InOut<u64>, counter: u32
    )
    requires { counters.len() > u64::from(counter), totals.len() >= TOTALS }
    launch_bounds(TAIL_BLOCK, 8)
    {
        let queue = Queue::new(parts_before, segments, counters.get(u64::from(counter)));
        let (mut part, end) = queue.share();
        let mut matches = 0u64;
        if part < end {
            let table = shared::array::<u64>(KEYS_AT, TABLE_KEYS);
            let ends = shared::array::<u32>(ENDS_AT, SLOTS + 1);
            let mut entry = queue.entry_of(part);
            // The first chunk that the table in shared memory is not for.
            let mut table_end = part;
            while part < end {
                entry = queue.advance(entry, part);
                let chunk = Chunk::of(entry, part);
                if part >= table_end {
                    build(keys, table, ends, chunk);
                    table_end = chunk.table_end;
                }
                let mut i = thread::thread_idx_x();
                while i < chunk.live {
                    let key = keys.get(chunk.start + u64::from(i));
                    let slot = slot_of(key);
                    let (mut at, slot_end) = (ends.get(slot), ends.get(slot + 1));
                    while at < slot_end {
                        matches += u64::from(table.get(at) == key);
                        at += 1;
                    }
                    i += TAIL_BLOCK;
                }
                part += 1;
            }
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, matches);
    }
}

/// A chunk of a task: which keys fill the table, and which stream past it.
#[derive(Clone, Copy)]
struct Chunk {
    table_start: u64,
    table_live: u32,
    start: u64,
    live: u32,
    /// One past the last chunk that has the same table.
    table_end: u32,
}

impl Chunk {
    #[inline(always)]
    fn of(entry: Entry, part: u32) -> Chunk {
        let task = entry.segment;
        let (small_at, small, large_at, large) = if task.edges < task.candidates {
            (task.edges_at, task.edges, task.candidates_at, task.candidates)
        } else {
            (task.candidates_at, task.candidates, task.edges_at, task.edges)
        };
        // A task has keys on both sides; `max` says so to the compiler.
        let chunks = chunks_of(task).1.max(1);
        let local = part - entry.first_part;
        let (table, chunk) = (local / chunks, local % chunks);
        Chunk {
            table_start: u64::from(small_at) + u64::from(table * TABLE_KEYS),
            table_live: (small - table * TABLE_KEYS).min(TABLE_KEYS),
            start: u64::from(large_at) + u64::from(chunk * TAIL_CHUNK),
            live: (large - chunk * TAIL_CHUNK).min(TAIL_CHUNK),
            table_end: entry.first_part + (table + 1) * chunks,
        }
    }
}

/// Fills the table: `ends[slot]..ends[slot + 1]` are the places of a slot's keys.
#[inline(always)]
unsafe fn build(keys: In<u64>, table: Shared<u64>, ends: Shared<u32>, chunk: Chunk) {
    let thread = thread::thread_idx_x();
    // The chunk before is done with the table.
    thread::sync_threads();
    let mut slot = thread;
    while slot <= SLOTS {
        ends.set(slot, 0);
        slot += TAIL_BLOCK;
    }
    thread::sync_threads();
    let mut i = thread;
    while i < chunk.table_live {
        ends.atomic_add(slot_of(keys.get(chunk.table_start + u64::from(i))), 1);
        i += TAIL_BLOCK;
    }
    thread::sync_threads();
    let first = thread * OWN_SLOTS;
    let mut own = 0;
    let mut slot = 0;
    while slot < OWN_SLOTS {
        own += ends.get(first + slot);
        slot += 1;
    }
    let totals = shared::array::<u32>(TOTALS_AT, TAIL_BLOCK / warp::SIZE);
    let (mut start, all) = block_scan_exclusive(totals, own);
    // Where a slot ends: placing its keys from the end on leaves there where it starts.
    let mut slot = 0;
    while slot < OWN_SLOTS {
        start += ends.get(first + slot);
        ends.set(first + slot, start);
        slot += 1;
    }
    if thread == 0 {
        ends.set(SLOTS, all);
    }
    thread::sync_threads();
    let mut i = thread;
    while i < chunk.table_live {
        let key = keys.get(chunk.table_start + u64::from(i));
        let after = ends.atomic_add(slot_of(key), u32::MAX);
        table.set(after - 1, key);
        i += TAIL_BLOCK;
    }
    thread::sync_threads();
}

/// A key's slot: the top bits of its product with 2⁶⁴ divided by the golden ratio, which tells keys
/// apart whose low or high bits are alike (Knuth, volume 3, section 6.4).
#[inline(always)]
fn slot_of(key: u64) -> u32 {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.trailing_zeros())) as u32
}
