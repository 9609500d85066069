//! Forward counting: for every oriented edge, the common entries of its two rows.

pub mod gpu;
