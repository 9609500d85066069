//! |E ∩ E'| by stable radix binning, iterative (paper 003, algorithm 2).
//!
//! The recursion's calls of one depth go through together: a [`Segment`] is a call, a pair of ranges
//! of the keys, and the segments of a level stand in a queue in device memory. A level is
//! six launches, however many segments it has:
//!
//! | launch | lines of algorithm 2 |
//! | --- | --- |
//! | `bin_count` | 12, 13: counts of each tile and bucket, E and E' in one matrix, column-major |
//! | `bin_scan` | 14, 15: one inclusive scan of the whole matrix |
//! | `bin_emit` | 4 to 10 for every bucket: empty on a side, at full depth, small, or the next level's |
//! | `bin_scatter` | 16 to 19: the stable move into the other half of the double buffer |
//! | `bin_tail`, `bin_tail_warps` | 10: the small ones, by a parallel intersection: a block's or a warp's |
//!
//! Line 4 prints ∧ where the text asks to stop as soon as *either* side is empty, which is done here.
//! What is pruned is not moved. Equation 2's shift is by `bits · (levels - level - 1)`: the digits of
//! a key from the most significant on.
//!
//! A tile is part of one side of one segment, at most [`TILE`] keys; segments own as many tiles as
//! they need, so a level of one giant segment and one of many small ones load the grid alike. Every
//! kernel runs in a fixed grid and reads from device memory how much there is to do. Scan, ranking and
//! look-back are those of the radix sort ([`primitives`](crate::primitives)).

mod count;
mod counter;
mod digit;
mod emit;
mod key_order;
mod queue;
mod scan;
mod scatter;
mod segment;
mod table;
mod tail;
mod team;

pub use count::{COUNT_BLOCK, COUNT_SHARED_BYTES, bin_count};
pub use counter::Counter;
pub use emit::{EMIT_BLOCK, EMIT_SHARED_BYTES, Figure, bin_emit};
pub use key_order::KeyOrder;
pub use queue::counter;
pub use scan::{SCAN_BLOCK, SCAN_SHARED_BYTES, SCAN_TILE, bin_scan};
pub use scatter::{SCATTER_BLOCK, SCATTER_SHARED_BYTES, bin_scatter};
pub use segment::{Segment, TILE};
pub use tail::{
    TAIL_BLOCK, TAIL_SHARED_BYTES, TAIL_WARPS, TAIL_WARPS_SHARED_BYTES, bin_tail, bin_tail_warps,
};
pub use team::{BlockTeam, TaskParts, Team, WarpTeam, is_for_a_warp, parts_of};

/// Most bits of a digit: a thread of a block speaks for each bucket.
pub const MOST_DIGIT_BITS: u32 = 8;

/// Most buckets of a segment.
pub const MOST_BUCKETS: u32 = 1 << MOST_DIGIT_BITS;

/// Words that the counts of matches are spread over, so that additions do not queue at one.
pub const TOTALS: u64 = 256;

/// The largest threshold: the smaller side of a tail task fills at most 16 tables.
pub const MOST_THRESHOLD: u32 = 16 * BlockTeam::TABLE_KEYS;
