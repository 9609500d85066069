//! Sums over triangles of the product of three numbers, one of each edge.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`weigh_rows`] | rows | a few lanes a row, up to a warp |
//! | [`weigh_long_rows`] | rows | a block a row |
//!
//! Ranks of a triangle are b < a < u. It is found in the row of u, at the edges u → a and u → b, and its product is
//! added to both of them.
//!
//! What an edge gets is a sum of doubles, which depends on its order. So the graph alone decides the order. A row's edges
//! u → a are gone through one after the other. At each, the lanes look the entries before it up in a's row. A lane has
//! the same entries each time, so that no two threads add to one edge.
//!
//! The sums of the vertices are taken from those of the edges. A triangle is at two edges of the row of u, at one edge
//! that leads to a, and at one that leads to b.

use core::ops::Range;

use warpwise_device::memory::{In, InOut};
use warpwise_device::{block, kernel, shared, thread, warp};

use crate::primitives::lower_bound;

/// Threads in a block of [`weigh_rows`].
pub const BLOCK: u32 = 128;

/// Threads in a block of [`weigh_long_rows`].
pub const LONG_BLOCK: u32 = 512;

/// Bytes of shared memory of a block of [`weigh_long_rows`].
pub const LONG_SHARED_BYTES: u32 = 8 * warp::SIZE;

kernel!(
    /// Adds to `by_edge[i]` the products of the triangles of edge `i` with edges of the same row, for all rows from
    /// `shortest` to `longest` entries: 2^`lanes_log2` lanes take a row.
    ///
    /// `heads` and `rows` are those of an [`Oriented`](crate::primitives::Oriented) graph, of `n` ranks and `m` edges; `numbers` has a number for each
    /// edge. O(k² log l) work for a row of k entries, where l is the length of the rows that its entries have. Launch
    /// with whole warps.
    #[requires(
        rows.len() >= n, m < 1 << 32, heads.len() >= m, numbers.len() >= m, by_edge.len() >= m, lanes_log2 <= 5,
    )]
    pub unsafe fn weigh_rows(
        heads: In<u32>,
        rows: In<u64>,
        numbers: In<f64>,
        by_edge: InOut<f64>,
        shortest: u32,
        longest: u32,
        lanes_log2: u32,
        n: u64,
        m: u64,
    ) {
        let graph = Graph { heads, rows, numbers, by_edge, m };
        let lanes = 1 << lanes_log2;
        let lane = warp::lane_id() & (lanes - 1);
        let stride = thread::grid_size() >> lanes_log2;
        let mut rank = thread::index_1d() >> lanes_log2;
        // The warp goes round together: its lanes speak to one another.
        while rank - u64::from(warp::lane_id() >> lanes_log2) < n {
            let Range { start, end } = graph.row(rank, n, shortest, longest);
            let mut place = start + 1;
            while warp::warp_vote_any(warp::ALL, place < end) {
                let mut sum = 0.0;
                if place < end {
                    sum = graph.weigh(start, place, lane, lanes);
                }
                if warp::warp_vote_any(warp::ALL, sum != 0.0) {
                    let mut distance = 1;
                    while distance < lanes {
                        sum += warp::warp_shuffle_xor(warp::ALL, sum, distance);
                        distance *= 2;
                    }
                    // The lane that adds to this edge at later ones.
                    if place < end && (place - start) & (lanes - 1) == lane {
                        graph.add(place, sum);
                    }
                }
                place += 1;
            }
            rank += stride;
        }
    }
);

kernel!(
    /// As [`weigh_rows`], for all rows from `shortest` entries on: a block takes a row. Launch with whole warps and
    /// [`LONG_SHARED_BYTES`].
    #[requires(
        |shape| shape.shared_bytes >= LONG_SHARED_BYTES, rows.len() >= n, m < 1 << 32,
        heads.len() >= m, numbers.len() >= m, by_edge.len() >= m
    )]
    pub unsafe fn weigh_long_rows(
        heads: In<u32>,
        rows: In<u64>,
        numbers: In<f64>,
        by_edge: InOut<f64>,
        shortest: u32,
        n: u64,
        m: u64,
    ) {
        let graph = Graph { heads, rows, numbers, by_edge, m };
        let scratch = shared::array::<f64>(0, warp::SIZE);
        let (lane, lanes) = (thread::thread_idx_x(), thread::block_dim_x());
        let begin = u64::from(thread::block_idx_x());
        let step = u64::from(thread::grid_dim_x());
        for rank in thread::strided(begin..n, step) {
            let Range { start, end } = graph.row(rank, n, shortest, u32::MAX);
            let mut place = start + 1;
            while place < end {
                let sum = graph.weigh(start, place, lane, lanes);
                let sum = block::reduce(scratch, sum, |a, b| a + b);
                if (place - start) % lanes == lane {
                    graph.add(place, sum);
                }
                place += 1;
            }
        }
    }
);

/// What all rows share.
#[derive(Clone, Copy)]
struct Graph {
    heads: In<u32>,
    rows: In<u64>,
    numbers: In<f64>,
    by_edge: InOut<f64>,
    m: u64,
}

impl Graph {
    /// The first place of a row and the one behind its last; the same twice if there is no such row, or its length is not
    /// asked for.
    #[inline(always)]
    fn row(self, rank: u64, n: u64, shortest: u32, longest: u32) -> Range<u32> {
        if rank >= n {
            return 0..0;
        }
        let row = self.rows.get(rank);
        // No row ends behind the last edge.
        let (start, end) = (row as u32, ((row >> 32) as u32).min(self.m as u32));
        let len = end - start;
        if len >= shortest && len <= longest { start..end } else { start..start }
    }

    /// Adds the products of the triangles of the edge at `place` to the row's other edges, those of the entries before it
    /// that this lane has, and returns the sum of these products. The row begins at `start`.
    #[inline(always)]
    fn weigh(self, start: u32, place: u32, lane: u32, lanes: u32) -> f64 {
        let row = self.rows.get(u64::from(self.heads.get(u64::from(place))));
        let (mut from, end) = (row as u32, (row >> 32) as u32);
        let own = self.numbers.get(u64::from(place));
        let mut sum = 0.0;
        let mut at = start + lane;
        while at < place && from < end {
            let rank = self.heads.get(u64::from(at));
            from = lower_bound(self.heads, from, end, rank);
            if from < end && self.heads.get(u64::from(from)) == rank {
                let of_row = own * self.numbers.get(u64::from(at));
                let product = of_row * self.numbers.get(u64::from(from));
                self.add(at, product);
                sum += product;
            }
            at += lanes;
        }
        sum
    }

    /// Adds to an edge that no other thread adds to.
    #[inline(always)]
    fn add(self, place: u32, product: f64) {
        let at = u64::from(place);
        self.by_edge.set(at, self.by_edge.get(at) + product);
    }
}
