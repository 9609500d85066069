//! What compute capability 9.0 brought.

pub mod bulk;
pub mod clusters;
