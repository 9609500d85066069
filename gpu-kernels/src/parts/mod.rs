//! A graph in several parts, each with the rows of a range of ranks: part q has those from `first_rank[q]` on.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`part_keys`] | keys | every key to its part |
//! | [`part_lengths`] | a part's rows | their lengths |
//! | [`prefix_sums_64`](warpwise_primitives::prefix_sums::prefix_sums_64) | ranks | where each row begins |
//! | [`tails_of_rows`] | edges | the rank that has each of them in its row |
//! | [`pack_rows`] | ranks | where each row stands, in the form that counting kernels read |
//! | [`add_words`], [`raise_words`] | words | the sum, or the larger, of two arrays |
//!
//! The ranges are cut where groups of ranks begin, so that parts have about as many keys as each other. The rows of all
//! parts, one part after another, are the rows of the whole graph.

mod keys;
mod reduce;
mod rows;

pub use keys::{TILE, part_keys};
pub use reduce::{add_words, raise_words};
pub use rows::{TAILS_TILE, pack_rows, part_lengths, tails_of_rows};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;

/// Most parts: a lane of a warp keeps the count of one.
pub const MOST_PARTS: u32 = 32;
