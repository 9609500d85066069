//! Candidate edges E': the pairs that would close the wedges (paper 003, algorithm 1).
//!
//! | launch | lines of algorithm 1 |
//! | --- | --- |
//! | `wedge_ends` | 6 to 9: degrees and wedges of every vertex, and their inclusive scan |
//! | `candidate_keys` | 10: generation, from any wedge to any other |
//!
//! The paper gives every thread whole vertices, so a hub takes one thread forever. Here every output
//! slot is a wedge, and finds its vertex by search and its pair of neighbours by arithmetic: all
//! threads have the same number of wedges, a hub's are spread over the grid, and a batch may begin
//! and end inside a vertex.

mod candidates;
mod ends;
mod pair;

pub use candidates::{GENERATE_BLOCK, GENERATE_TILE, candidate_keys};
pub use ends::{ENDS_BLOCK, ENDS_SHARED_BYTES, ENDS_TILE, wedge_ends};
pub use pair::Pair;
