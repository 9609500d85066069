//! Plan: what is known of a graph and of the machine, and what to do about it: pure functions.

pub mod memory;
pub mod radix_memory;
pub mod tuning;

pub use tuning::{Policy, order_of_ids_serves};
