//! Support: the number of triangles on each edge.
//!
//! | kernel | over | how |
//! | --- | --- | --- |
//! | [`support_merge`] | all edges | a thread merges the rows of an edge, as `forward_merge` does |
//! | [`support_listed`] | edges of a list | lanes look the shorter row up in the longer |
//! | [`support_bits`] | grouped edges | the row of their head as bits, as in `row_bits` |
//! | [`longest_row`] | rows | says whether 16 bits hold what `support_bits` would count in them |
//! | [`add_thirds`] | all edges | adds what `support_bits` counted in 16 bits |
//!
//! Of a triangle w < a < u (ranks) each kernel comes upon edge u → a at its place i, and finds
//! w at a place of u's row and at a place of a's row: the places of the two other edges. Support is
//! aligned with the edges, and below 2³²: an edge has a triangle at most with each vertex.

mod bits;
mod listed;
mod longest;
mod merge;

pub use bits::{add_thirds, shared_bytes, support_bits};
pub use listed::support_listed;
pub use longest::longest_row;
pub use merge::support_merge;

/// Threads in a block of [`support_merge`] and [`support_listed`], as `forward_merge` wants them.
pub const BLOCK: u32 = 64;
