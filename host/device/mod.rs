//! What the engines run on.

pub mod cuda;
pub mod radix_sort;
