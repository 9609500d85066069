//! The radix binning engine against plain Rust: in the emulator always, and on a GPU where there is one.

#[path = "../generators/mod.rs"]
mod generators;
#[path = "../support/mod.rs"]
mod support;

mod engine;
mod kernels;
mod model;
mod options;
mod table_one;

use tribin::device::cuda::Gpu;

/// The GPU, or `None` with a line on standard output where there is none.
fn gpu() -> Option<Gpu> {
    match Gpu::open(0) {
        Ok(gpu) => Some(gpu),
        Err(reason) => {
            println!("skipped on the GPU: {reason}");
            None
        }
    }
}
