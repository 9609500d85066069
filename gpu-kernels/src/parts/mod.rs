//! A graph in several parts: part q of p has the rows of the ranks q, q + p, q + 2p, …
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`part_sizes`] | keys | how many go to each part |
//! | [`part_keys`] | keys | every key to its part |
//! | [`part_lengths`] | a part's rows | their lengths, by rank |
//! | [`row_starts`] | ranks of a part, or all | where each row begins |
//! | [`lay_out_rows`] | a part's rows | the rows of one part to their places in the whole graph |
//! | [`pack_rows`] | ranks | where each row stands, in the form that counting kernels read |
//! | [`add_words`], [`raise_words`] | words | the sum, or the larger, of two arrays |
//!
//! In the order of degrees, neighbouring ranks have rows of about one length, so that parts are as large as one
//! another to within a thousandth or so.

mod keys;
mod reduce;
mod rows;

pub use keys::{TILE, part_keys, part_sizes};
pub use reduce::{add_words, raise_words};
pub use rows::{
    LAY_OUT_TILE, SCAN_SHARED_BYTES, SCAN_TILE, lay_out_rows, pack_rows, part_lengths, row_starts,
};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;

/// Most parts: a lane of a warp keeps the count of one.
pub const MOST_PARTS: u32 = 32;
