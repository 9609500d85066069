//! What is left of a graph that loses edges: its edges side by side again, and their rows in both
//! directions.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`keep_edges`] | edges | those with enough triangles, in their order, and where each was in the whole graph |
//! | [`row_keys`] | edges | every edge twice, once for the row of either end |
//! | [`lay_out_rows_of_both`] | keys in order | the rows of both directions: neighbours, and the edges that lead there |
//! | [`row_parts`] | edges | in how many parts the shorter of an edge's two rows is searched |
//! | [`put_values`], [`fill_words`] | words | values to the places of the whole graph, and one value everywhere |

mod keep;
mod rows;
mod words;

pub use keep::{KEEP_SHARED_BYTES, KEEP_TILE, keep_edges};
pub use rows::{lay_out_rows_of_both, row_keys, row_parts};
pub use words::{fill_words, put_values};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;
