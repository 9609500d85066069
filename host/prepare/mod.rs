//! Prepare: from edges as they were read to an oriented simple graph.
//!
//! Directions, self-loops and duplicates are dropped, and every edge is pointed from the higher rank to
//! the lower. Any order of the vertices gives the exact count; a good one keeps rows short.

pub mod cpu;
#[cfg(feature = "gpu")]
pub mod directions;
#[cfg(feature = "gpu")]
pub mod gpu;
