//! The figures of a graph, from its degrees.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use crate::primitives::block_add_to;

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// Where [`graph_figures`] puts the number of vertices of degree > 0.
pub const VERTICES: u64 = 0;
/// Where it puts the sum of the low 32 bits of each vertex's wedges.
pub const WEDGES_LOW: u64 = 1;
/// Where it puts the sum of their high bits.
pub const WEDGES_HIGH: u64 = 2;
/// Where it puts the largest degree.
pub const MAX_DEGREE: u64 = 3;
/// How many figures there are.
pub const FIGURES: u64 = 4;
/// In how many parts each is: warps that add to one word do so one after the other.
pub const PARTS: u64 = 16;

kernel!(
    /// Adds the figures of `n` degrees to `figures`, zero before: [`PARTS`] parts of [`FIGURES`] words each, of which
    /// sums are to be added, and the largest degree is the largest.
    ///
    /// A vertex of degree d < 2³² has d(d-1)/2 < 2⁶³ wedges; their low and high halves are summed
    /// apart, each sum of n < 2³² terms below 2³² stays below 2⁶⁴, and the host joins them in 128 bits.
    #[requires(degrees.len() >= n, n <= 1 << 32, figures.len() >= PARTS * FIGURES)]
    pub unsafe fn graph_figures(degrees: In<u32>, figures: InOut<u64>, n: u64) {
        let stride = thread::grid_size();
        let (mut vertices, mut low, mut high, mut largest) = (0, 0, 0, 0);
        let mut add = |degree: u32| {
            vertices += u64::from(degree > 0);
            let wedges = u64::from(degree) * u64::from(degree.saturating_sub(1)) / 2;
            low += wedges & 0xffff_ffff;
            high += wedges >> 32;
            largest = largest.max(degree);
        };
        for v in thread::strided(thread::index_1d()..n, 4 * stride) {
            let degree = |v| if v < n { degrees.get(v) } else { 0 };
            // Four wait for memory together.
            let (first, second) = (degree(v), degree(v + stride));
            let (third, fourth) = (degree(v + 2 * stride), degree(v + 3 * stride));
            add(first);
            add(second);
            add(third);
            add(fourth);
        }
        let part = thread::index_1d() / u64::from(warp::SIZE) % PARTS * FIGURES;
        block_add_to(figures, part + VERTICES, vertices);
        block_add_to(figures, part + WEDGES_LOW, low);
        block_add_to(figures, part + WEDGES_HIGH, high);
        let largest = warp::warp_reduce_max_32(warp::ALL, largest);
        if warp::lane_id() == 0 && largest > 0 {
            figures.atomic_max(part + MAX_DEGREE, u64::from(largest));
        }
    }
);
