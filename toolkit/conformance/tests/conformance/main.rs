//! Every part of the device library, in the emulator and on a GPU, against plain Rust.

mod atomics;
mod blocks;
mod copies;
mod graphs;
mod halves;
mod maths;
mod numbers;
mod ordered;
mod shared_memory;
mod structures;
mod warps;

use tribin_harness::Harness;

/// The kernels.
static KERNELS: Harness = Harness::new(tribin_conformance::PTX);

/// `len` numbers that look random.
fn noise(len: usize) -> impl Iterator<Item = u64> {
    let mut rng = fastrand::Rng::with_seed(len as u64);
    (0..len).map(move |_| rng.u64(..))
}
