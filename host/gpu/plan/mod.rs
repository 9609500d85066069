//! Plan of work on GPUs: what is known of a graph, of the device and of the kernels, and what to do about it.
//!
//! Everything here is a pure function, as in `tribin-plan`, whose names are here too: facts go in, and a choice with its reasons
//! comes out.
//!
//! | module | what it decides |
//! | --- | --- |
//! | `preparer` | who prepares a graph that a GPU counts |
//! | `team` | one GPU or several, and in how many parts |
//! | `upload` | with how many bits an id the entries go to a GPU |
//! | `preparation` | the order of the vertices, and how the edges are sorted |
//! | `counting` | the counting method |
//! | `support` | how the support of edges is counted |
//! | `listing` | how many triangles are listed at a time |
//! | `peeling` | whether a GPU peels cores and trusses, or the CPU |
//! | `memory` | bytes of device memory |
//! | `method_time` | predicted seconds of counting methods |
//! | `facts` | what the rules look at |

pub mod counting;
mod facts;
pub mod listing;
pub mod memory;
pub mod method_time;
pub mod peeling;
pub mod preparation;
mod preparer;
pub mod support;
pub mod team;
pub mod upload;

pub use tribin_plan::*;

pub use facts::{
    CountingFacts, EdgeOrder, EntryFacts, LandmarkClass, Landmarks, OfFirstRanks, Share,
    WedgeSample,
};
pub use preparer::{BesideGraph, Preparer, WHO_PREPARES, preparer};
