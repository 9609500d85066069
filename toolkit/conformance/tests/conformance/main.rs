//! Every part of the device library, in the emulator and on a GPU, against plain Rust.

mod atomics;
mod blocks;
mod bulk;
mod clusters;
mod copies;
mod graphs;
mod halves;
mod maths;
mod numbers;
mod ordered;
mod shared_memory;
mod structures;
mod traces;
mod warpgroups;
mod warps;

use warpwise_harness::Harness;

/// The kernels.
static KERNELS: Harness = Harness::new(warpwise_conformance::PTX);

/// The kernels for compute capability 9.0 and later. On an older GPU their tests say that they are skipped in part.
static HOPPER: Harness = Harness::new(warpwise_conformance::HOPPER_PTX);

/// The kernels for compute capability 9.0 alone, as above.
static WARPGROUPS: Harness = Harness::new(warpwise_conformance::WARPGROUPS_PTX);

/// `len` numbers that look random.
fn noise(len: usize) -> impl Iterator<Item = u64> {
    let mut rng = fastrand::Rng::with_seed(len as u64);
    (0..len).map(move |_| rng.u64(..))
}
