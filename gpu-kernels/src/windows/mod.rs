//! Graphs whose edges 32 bits do not number, a window at a time.
//!
//! A window has the rows of neighbouring ranks, fewer than 2³² edges, which have their places in it. The methods of smaller
//! graphs work on it as it is, but for one thing: the row of an edge's head may lie outside.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`window_rows`] | ranks | where each row stands, counted from the window's beginning |
//! | [`head_counts`] | edges | how many edges of the window each of the first heads has |
//! | [`merge_wide`] | edges | all edges, by merging |
//! | [`merge_listed_wide`], [`search_listed_wide`] | edges of a list | those without a group, by merging or by binary search |
//!
//! The groups of heads ([`edge_groups`](crate::edge_groups)) and the bits of their rows ([`row_bits`](crate::row_bits)) come between.

mod count;
mod rows;

pub use count::{merge_listed_wide, merge_wide, search_listed_wide};
pub use rows::{COUNT_BLOCK, count_shared_bytes, head_counts, window_rows};
