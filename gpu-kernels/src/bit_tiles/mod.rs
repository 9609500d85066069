//! Rows as bits: nnz(U ∩ U²) by AND and popcount (002, equations 3 and 4).
//!
//! A row's columns are cut into segments of 64; only those with an entry are kept, as a
//! number of the segment and a word of bits (002, section III-B4). An edge u → a closes as many
//! triangles as the words of equal number in both rows have bits in common.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`bit_segments`] | edges | every row as segments |
//! | [`list_wide_rows`] | ranks | the rows that get a tile of their own |
//! | [`count_wide_rows`] | wide rows | a tile is one row and a span of columns, in a table of words by number |
//! | [`count_packed_rows`] | edges | a tile is all the other rows of [`TILE_EDGES`] edges, their segments packed |
//!
//! 002 streams A and buffers tiles of B and C; here the tile is C, and the rows of B come from the L2
//! cache. In both kinds of tile only segments with an entry take work, and the budgets are fixed.
//!
//! 002 renumbers the vertices in ascending order of degree and takes the upper triangle; the ranks here
//! descend, and the rows are those of the lower triangle. It is the same matrix, seen from its opposite
//! corner: hubs have the lowest columns, and most entries gather in few segments.

use warpwise_device::memory::In;

mod packed_rows;
mod segments;
mod wide_rows;

pub use packed_rows::{PACKED_SHARED_BYTES, count_packed_rows};
pub use segments::{SEGMENTS_SHARED_BYTES, TILE, bit_segments, list_wide_rows};
pub use wide_rows::{WIDE_SHARED_BYTES, count_wide_rows};

/// Columns of a segment, which are the bits of a word.
pub const COLUMNS: u32 = u64::BITS;

/// Threads in a block of [`bit_segments`] and [`list_wide_rows`].
pub const BLOCK: u32 = 256;

/// Edges of a tile of packed rows.
pub const TILE_EDGES: u32 = 256;

/// Rows of so many segments share no tile.
pub const MOST_PACKED: u32 = 128;

/// Segments that the table of a wide row's tile spans: 65,536 columns.
pub const TABLE_SLOTS: u32 = 1_024;

/// Whether the row of segments `start` to `end` gets tiles of its own: if it has `wide_from` segments for
/// every tile that its columns may take. Rows without segments get none.
#[inline(always)]
fn is_wide(ids: In<u32>, start: u32, end: u32, wide_from: u32, slots: u32) -> bool {
    let segments = end - start;
    segments >= MOST_PACKED
        || (segments >= wide_from
            // `max` tells the compiler that it divides by no zero.
            && segments / wide_from.max(1) > ids.get(u64::from(end - 1)) / slots.max(1))
}

/// How many bits two words have in common.
#[inline(always)]
fn common(word: u64, other: u64) -> u32 {
    (word & other).count_ones()
}
