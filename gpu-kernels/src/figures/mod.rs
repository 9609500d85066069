//! The figures of the simple graph, from its degrees.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

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

kernel! {
    /// Adds the figures of `n` degrees to `figures`, zero before.
    ///
    /// A vertex of degree d < 2³² has d(d-1)/2 < 2⁶³ wedges; their low and high halves are summed
    /// apart, each sum of n < 2³² terms below 2³² stays below 2⁶⁴, and the host joins them in 128 bits.
    pub fn graph_figures(degrees: In<u32>, figures: InOut<u64>, n: u64)
    requires { degrees.len() >= n, n <= 1 << 32, figures.len() >= FIGURES }
    {
        let stride = thread::grid_size();
        let (mut vertices, mut low, mut high, mut largest) = (0, 0, 0, 0);
        let mut v = thread::index_1d();
        while v < n {
            let degree = u64::from(degrees.get(v));
            if degree > 0 {
                vertices += 1;
                let wedges = degree * (degree - 1) / 2;
                low += wedges & 0xffff_ffff;
                high += wedges >> 32;
                largest = largest.max(degree as u32);
            }
            v += stride;
        }
        block_add_to(figures, VERTICES, vertices);
        block_add_to(figures, WEDGES_LOW, low);
        block_add_to(figures, WEDGES_HIGH, high);
        let largest = warp::warp_reduce_max_32(warp::ALL, largest);
        if warp::lane_id() == 0 && largest > 0 {
            figures.atomic_max(MAX_DEGREE, u64::from(largest));
        }
    }
}

kernel! {
    /// Adds to `sums[0]` the pairs of entries of each of the first `n` rows, bounds as in
    /// `forward_merge`: the wedges that are left after orientation. Adds to `sums[1]` the entries of the
    /// first `first` of these rows, and to `sums[2]` how many rows have any.
    ///
    /// A row is shorter than 2³² and all together have fewer than 2³² entries: the sums are below 2⁶³.
    pub fn oriented_wedges(rows: In<u64>, sums: InOut<u64>, n: u64, first: u64)
    requires { rows.len() >= n, sums.len() >= 3 }
    {
        let stride = thread::grid_size();
        let (mut wedges, mut first_entries, mut filled) = (0, 0, 0);
        let mut r = thread::index_1d();
        while r < n {
            let row = rows.get(r);
            let len = (row >> 32) - (row & 0xffff_ffff);
            wedges += len * len.saturating_sub(1) / 2;
            if r < first {
                first_entries += len;
            }
            if len > 0 {
                filled += 1;
            }
            r += stride;
        }
        block_add_to(sums, 0, wedges);
        block_add_to(sums, 1, first_entries);
        block_add_to(sums, 2, filled);
    }
}
