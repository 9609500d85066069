//! What is done with whole arrays, in the emulator and on a GPU, against plain Rust.

mod histogram;
mod prefix_sums;
mod radix_sort;
mod reduce;
mod select;

use warpwise_harness::{Case, Harness};
use warpwise_primitives::PTX;

static KERNELS: Harness = Harness::new(PTX);

/// What a GPU gets beside the small arrays.
const MANY: usize = 3_000_001;

/// How arrays look.
#[derive(Debug, Clone, Copy)]
enum Pattern {
    Noise,
    /// One of three values.
    Few,
    Same,
    Descending,
}

const PATTERNS: [Pattern; 4] = [Pattern::Noise, Pattern::Few, Pattern::Same, Pattern::Descending];

impl Pattern {
    fn numbers(self, n: usize) -> Vec<u64> {
        let mut random = fastrand::Rng::with_seed(n as u64);
        let number = |i: usize| match self {
            Pattern::Noise => random.u64(..),
            Pattern::Few => [0, u64::MAX, 1 << 40 | 7][random.usize(..3)],
            Pattern::Same => u64::MAX,
            Pattern::Descending => (n - i) as u64,
        };
        (0..n).map(number).collect()
    }

    fn words(self, n: usize) -> Vec<u32> {
        self.numbers(n).into_iter().map(|number| number as u32).collect()
    }
}

/// The sizes around multiples of what a block takes at a time, and others.
fn sizes(tile: u32) -> Vec<usize> {
    let tile = tile as usize;
    vec![0, 1, 31, 32, 33, 1000, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5]
}

/// Runs an operation on arrays of all looks.
fn on_arrays<C: Case>(operation: &str, tile: u32, case: fn(usize, Pattern) -> C) {
    let kernel = KERNELS.kernel(operation);
    let cases = |n| PATTERNS.map(|pattern| case(n, pattern));
    kernel.everywhere(sizes(tile).into_iter().flat_map(cases));
    kernel.on_gpu(|| cases(MANY).into());
}
