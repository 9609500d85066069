//! One module for each part of the device library.

pub mod atomics;
pub mod blocks;
pub mod copies;
pub mod halves;
pub mod maths;
pub mod numbers;
pub mod ordered;
pub mod shared_memory;
pub mod structures;
pub mod traces;
pub mod warps;
