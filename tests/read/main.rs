//! Every reader, on good files, bad files and arbitrary bytes.

mod as_found;
mod as_found_binary;
mod attacks;
mod bad_adjacency;
mod bad_binary;
mod bad_files;
mod bad_text;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod columnar;
mod containers;
mod fuzz;
mod good;
mod inspection;
mod named_edges;
mod reference;
mod samples;
mod small_files;
mod tables;

use std::alloc::System;

/// No test here needs more. A reader that believed a lying header would ask for more, and the
/// process would end.
#[global_allocator]
static ALLOCATOR: cap::Cap<System> = cap::Cap::new(System, 512 << 20);
