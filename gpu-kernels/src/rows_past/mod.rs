//! Rows of an oriented graph that come past a part of it: for graphs that device memory does not hold.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`rows_of_places`] | rows that come past | writes the row of each of their edges |
//! | [`forward_merge_past`] | their edges | counts triangles, as `forward_merge` does |
//! | [`vertices_past`] | the same | counts them at each of their three vertices |
//! | [`support_past`] | the same | counts them on each of their three edges |
//!
//! The **part** is the rows of some consecutive ranks, from `first_rank` on: row `first_rank + r` has the places from
//! `part_starts[r]` to before `part_starts[r + 1]` in `part`, behind which two more words stand. Row `r` of those that
//! come past has the places from `starts[r] - base` on in `heads`, and `tails` has the row of each place: so the rows of
//! the part itself can come past it where they are. All heads are ranks of the whole graph.
//!
//! An edge u → a is taken if the part has a's row, and no other. Its triangles u, a, w are found where u's row before a
//! and a's row have w both. Of the three edges u → a and u → w come past, and a → w is of the part.

mod count;
mod lists;
mod places;
mod support;
mod vertices;

pub use count::forward_merge_past;
pub use places::{LANES, rows_of_places};
pub use support::support_past;
pub use vertices::vertices_past;

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 64;
