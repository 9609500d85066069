//! Core numbers by peeling (`primitives/peeling` has the grid's steps).
//!
//! At level t every live vertex has more than t neighbours left, or goes. A vertex that goes at level t has core number t (Seidman, "Network
//! structure and minimum degree", 1983). The rounds are those of ParK (Dasari, Desh and Zubair, IEEE Big Data 2014).
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`head_keys`] | edges | every edge as a key, its head above its tail |
//! | [`lay_out_tails`] | keys in order | the tails of the edges to each head: the neighbours above it |
//! | [`all_degrees`] | vertices | how many neighbours each has |
//! | [`peel_cores`] | vertices | core numbers |
//!
//! The neighbours of a vertex are the heads of its row, which are below it, and the tails of the edges to it.

mod layout;
mod peel;

pub use layout::{all_degrees, head_keys, lay_out_tails};
pub use peel::{CHUNK, peel_cores};

pub use crate::primitives::peeling::{
    CONTROL_WORDS, DONE, LAST_LEVEL, LEVEL, ROUNDS, SCANS, SHARED_BYTES, STEP,
};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;
