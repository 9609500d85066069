//! Who works on a task of the tail together, and how large its tasks are.

use warpwise_device::{shared, thread, warp};

use super::segment::Segment;
use crate::primitives::block_scan_exclusive;

/// Threads that share a hash table.
///
/// All threads of the team call the functions together.
pub trait Team {
    /// Threads.
    const THREADS: u32;
    /// Most keys of the smaller side that its table holds.
    const TABLE_KEYS: u32;
    /// Keys of the larger side that it takes at a time.
    const CHUNK: u32;

    /// Slots of the table, one a key where it is full: a key meets one other on the average.
    const SLOTS: u32 = Self::TABLE_KEYS;
    /// Bytes of shared memory of the table, a multiple of 8.
    const TABLE_BYTES: u32 = Self::TABLE_KEYS * 8 + (Self::SLOTS + 2) * 4;

    /// This thread's index in the team.
    fn index() -> u32;

    /// Waits for the team.
    fn sync();

    /// For each thread, the sum of `value` over the threads before it.
    fn scan_exclusive(value: u32) -> u32;
}

/// A whole block, for the tasks of which both sides are large. Its table begins at byte 0.
pub struct BlockTeam;

/// Bytes of shared memory of a [`BlockTeam`]: its table, and a word a warp for its scans.
pub const BLOCK_TEAM_BYTES: u32 = BlockTeam::TABLE_BYTES + BlockTeam::THREADS / warp::SIZE * 4;

impl Team for BlockTeam {
    const THREADS: u32 = 512;
    const TABLE_KEYS: u32 = 4096;
    const CHUNK: u32 = 8192;

    #[inline(always)]
    fn index() -> u32 {
        thread::thread_idx_x()
    }

    #[inline(always)]
    fn sync() {
        thread::sync_threads();
    }

    #[inline(always)]
    fn scan_exclusive(value: u32) -> u32 {
        let warps = Self::THREADS / warp::SIZE;
        block_scan_exclusive(shared::array::<u32>(Self::TABLE_BYTES, warps), value).before
    }
}

/// A warp, for the others: a million tiny tasks must not take a million blocks.
pub struct WarpTeam;

impl Team for WarpTeam {
    const THREADS: u32 = warp::SIZE;
    const TABLE_KEYS: u32 = 256;
    const CHUNK: u32 = 1024;

    #[inline(always)]
    fn index() -> u32 {
        warp::lane_id()
    }

    #[inline(always)]
    fn sync() {
        warp::sync_warp(warp::ALL);
    }

    #[inline(always)]
    fn scan_exclusive(value: u32) -> u32 {
        warp::warp_scan_add_32(value) - value
    }
}

/// Whether a warp does the task.
#[inline(always)]
pub const fn is_for_a_warp(task: Segment) -> bool {
    task.edges <= WarpTeam::TABLE_KEYS || task.candidates <= WarpTeam::TABLE_KEYS
}

/// What a task is cut into: each table of the smaller side meets each chunk of the larger one.
pub struct TaskParts {
    /// Tables that the smaller side fills.
    pub tables: u32,
    /// Chunks of the larger side.
    pub chunks: u32,
}

/// The parts of a task for teams `T`.
#[inline(always)]
pub const fn parts_of<T: Team>(task: Segment) -> TaskParts {
    let (small, large) = if task.edges < task.candidates {
        (task.edges, task.candidates)
    } else {
        (task.candidates, task.edges)
    };
    TaskParts { tables: small.div_ceil(T::TABLE_KEYS), chunks: large.div_ceil(T::CHUNK) }
}
