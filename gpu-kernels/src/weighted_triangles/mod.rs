//! Sums over triangles of the product of three numbers, one of each edge.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`weigh_rows`] | rows | a few lanes a row, up to a warp |
//! | [`weigh_long_rows`] | rows | a block a row |
//!
//! Ranks of a triangle are b < a < u. It is found in the row of u, at the edges u → a and u → b, and its product is
//! added to both of them. What an edge gets is a sum of doubles, which depends on its order. So no two threads add to one
//! edge, and each adds in an order that the graph alone decides: a row's edges u → a are gone through one after the other,
//! and at each the lanes look the entries before it up in a's row, always the same lanes the same entries.
//!
//! The sums of the vertices are taken from those of the edges: u has each of its triangles at two edges of its row, and a
//! and b have it at one edge each that leads to them.

use tribin_device::memory::{In, InOut};
use tribin_device::{block, kernel, shared, thread, warp};

use crate::primitives::lower_bound;

/// Threads in a block of [`weigh_rows`].
pub const BLOCK: u32 = 128;

/// Threads in a block of [`weigh_long_rows`].
pub const LONG_BLOCK: u32 = 512;

/// Bytes of shared memory of a block of [`weigh_long_rows`].
pub const LONG_SHARED_BYTES: u32 = 8 * warp::SIZE;

kernel! {
    /// Adds to `by_edge[i]` the products of the triangles of edge `i` with edges of the same row, for all rows from
    /// `shortest` to `longest` entries: 2^`lanes_log2` lanes take a row.
    ///
    /// `heads` and `rows` are as `forward_merge` takes them, of `n` ranks and `m` edges; `numbers` has a number for each edge. O(k² log l) work for
    /// a row of k entries, where l is the length of the rows that its entries have. Launch with whole warps.
    pub fn weigh_rows(
        heads: In<u32>, rows: In<u64>, numbers: In<f64>, by_edge: InOut<f64>, shortest: u32,
        longest: u32, lanes_log2: u32, n: u64, m: u64
    )
    requires {
        rows.len() >= n, m < 1 << 32, heads.len() >= m, numbers.len() >= m, by_edge.len() >= m,
        lanes_log2 <= 5,
    }
    {
        let lanes = 1 << lanes_log2;
        let lane = warp::lane_id() & (lanes - 1);
        let stride = thread::grid_size() >> lanes_log2;
        let mut rank = thread::index_1d() >> lanes_log2;
        // The warp goes round together: its lanes speak to one another.
        while rank - u64::from(warp::lane_id() >> lanes_log2) < n {
            let (start, end) = row_of(rows, rank, n, m, shortest, longest);
            let mut place = start + 1;
            while warp::warp_vote_any(warp::ALL, place < end) {
                let mut sum = 0.0;
                if place < end {
                    sum = weigh(heads, rows, numbers, by_edge, start, place, lane, lanes);
                }
                if warp::warp_vote_any(warp::ALL, sum != 0.0) {
                    let mut distance = 1;
                    while distance < lanes {
                        sum += warp::warp_shuffle_xor(warp::ALL, sum, distance);
                        distance *= 2;
                    }
                    // The lane that adds to this edge at later ones.
                    if place < end && (place - start) & (lanes - 1) == lane {
                        let at = u64::from(place);
                        by_edge.set(at, by_edge.get(at) + sum);
                    }
                }
                place += 1;
            }
            rank += stride;
        }
    }
}

kernel!(
    /// As [`weigh_rows`], for all rows from `shortest` entries on: a block takes a row. Launch with whole warps and
    /// [`LONG_SHARED_BYTES`].
    #[requires(
        |shape| shape.shared_bytes >= LONG_SHARED_BYTES, rows.len() >= n, m < 1 << 32,
        heads.len() >= m, numbers.len() >= m, by_edge.len() >= m
    )]
    pub fn weigh_long_rows(
        heads: In<u32>,
        rows: In<u64>,
        numbers: In<f64>,
        by_edge: InOut<f64>,
        shortest: u32,
        n: u64,
        m: u64,
    ) {
        let scratch = shared::array::<f64>(0, warp::SIZE);
        let (lane, lanes) = (thread::thread_idx_x(), thread::block_dim_x());
        let mut rank = u64::from(thread::block_idx_x());
        while rank < n {
            let (start, end) = row_of(rows, rank, n, m, shortest, u32::MAX);
            let mut place = start + 1;
            while place < end {
                let sum = weigh(heads, rows, numbers, by_edge, start, place, lane, lanes);
                let sum = block::reduce(scratch, sum, |a, b| a + b);
                if (place - start) % lanes == lane {
                    let at = u64::from(place);
                    by_edge.set(at, by_edge.get(at) + sum);
                }
                place += 1;
            }
            rank += u64::from(thread::grid_dim_x());
        }
    }
);

/// The first place of a row and the one behind its last; the same twice if its length is not asked for.
#[inline(always)]
fn row_of(rows: In<u64>, rank: u64, n: u64, m: u64, shortest: u32, longest: u32) -> (u32, u32) {
    if rank >= n {
        return (0, 0);
    }
    let row = rows.get(rank);
    // No row ends behind the last edge.
    let (start, end) = (row as u32, ((row >> 32) as u32).min(m as u32));
    let len = end - start;
    if len >= shortest && len <= longest { (start, end) } else { (start, start) }
}

/// Adds the products of the triangles of the edge at `place` to its row's entries before it, those that this lane has,
/// and returns their sum.
#[inline(always)]
fn weigh(
    heads: In<u32>,
    rows: In<u64>,
    numbers: In<f64>,
    by_edge: InOut<f64>,
    start: u32,
    place: u32,
    lane: u32,
    lanes: u32,
) -> f64 {
    let row = rows.get(u64::from(heads.get(u64::from(place))));
    let (mut from, end) = (row as u32, (row >> 32) as u32);
    let own = numbers.get(u64::from(place));
    let mut sum = 0.0;
    let mut at = start + lane;
    while at < place && from < end {
        let rank = heads.get(u64::from(at));
        from = lower_bound(heads, from, end, rank);
        if from < end && heads.get(u64::from(from)) == rank {
            let of_row = own * numbers.get(u64::from(at));
            let product = of_row * numbers.get(u64::from(from));
            by_edge.set(u64::from(at), by_edge.get(u64::from(at)) + product);
            sum += product;
        }
        at += lanes;
    }
    sum
}
