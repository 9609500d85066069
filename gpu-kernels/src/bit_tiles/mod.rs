//! Rows as bits: nnz(U ∩ U²) by AND and popcount (002, equations 3 and 4).
//!
//! A row's columns are cut into segments of 16, 32 or 64; only those with an entry are kept, as a
//! number of the segment and a word of bits (002, section III-B4). An edge u → a closes as many
//! triangles as the words of equal number in both rows have bits in common.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | `bit_segments_W` | edges | every row as segments |
//! | [`list_wide_rows`] | ranks | the rows that get a tile of their own |
//! | `count_wide_rows_W` | wide rows | a tile is one row and a span of columns, in a table of words by number |
//! | `count_packed_rows_W` | edges | a tile is all the other rows of [`TILE_EDGES`] edges, their segments packed |
//!
//! 002 streams A and buffers tiles of B and C; here the tile is C, and the rows of B come from the L2
//! cache. In both kinds of tile only segments with an entry take work, and the budgets are fixed.
//!
//! 002 renumbers the vertices in ascending order of degree and takes the upper triangle; the ranks here
//! descend, and the rows are those of the lower triangle. It is the same matrix, seen from its opposite
//! corner: hubs have the lowest columns, and most entries gather in few segments.

mod packed_rows;
mod segments;
mod wide_rows;
mod word;

pub use packed_rows::{
    count_packed_rows_16, count_packed_rows_32, count_packed_rows_64, packed_shared_bytes,
};
pub use segments::{
    SEGMENTS_SHARED_BYTES, TILE, bit_segments_16, bit_segments_32, bit_segments_64, list_wide_rows,
};
pub use wide_rows::{
    WIDE_SHARED_BYTES, count_wide_rows_16, count_wide_rows_32, count_wide_rows_64,
};
pub use word::Word;

/// Threads in a block of `bit_segments_W` and [`list_wide_rows`].
pub const BLOCK: u32 = 256;

/// Edges of a tile of packed rows.
pub const TILE_EDGES: u32 = 256;

/// Most segments of a row that shares a tile.
pub const MOST_WIDE_FROM: u32 = 512;
