//! Sorted edges of one direction as they are: no ranking, no sort, nothing to drop.
//!
//! Any order of the vertices gives the exact count. Where degrees differ little, the order of the ids
//! gives rows as short as the order of the degrees does, and edges that come sorted by id need no pass
//! but this one.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// Threads in a block.
pub const BLOCK: u32 = 256;

kernel!(
    /// Writes the `m` edges to `tails` and `heads`, the bounds of the rows to `rows`, as `unique_edges`
    /// does, and the degree of each rank to `degree_of_rank`.
    ///
    /// The edges are strictly ascending by first vertex, then second, the first in a word's low half. If
    /// `upward` is 0, the first vertex of each is the larger: ranks are ids. Otherwise it is the smaller:
    /// ranks are ids from the last, and the edges are written from the last, so that rows ascend.
    #[requires(
        m < 1 << 32, edges.len() >= m, tails.len() >= m, heads.len() >= m, vertices <= 1 << 32,
        degrees.len() >= vertices, rows.len() >= 2 * vertices, degree_of_rank.len() >= vertices,
    )]
    pub unsafe fn adopt_edges(
        edges: In<u64>,
        degrees: In<u32>,
        tails: InOut<u32>,
        heads: InOut<u32>,
        rows: InOut<u32>,
        degree_of_rank: InOut<u32>,
        m: u64,
        vertices: u64,
        upward: u32,
    ) {
        // Turned around, a place or an id is as far from the end as it was from the start.
        let turn = |at: u64, len: u64| if upward == 0 { at } else { len - 1 - at };
        for place in thread::of_grid(m) {
            let at = turn(place, m);
            let edge = edges.get(at);
            let (first, second) = (edge & 0xffff_ffff, edge >> 32);
            let rank = turn(first, vertices);
            tails.set(place, rank as u32);
            heads.set(place, turn(second, vertices) as u32);
            let starts = at == 0 || edges.get(at - 1) & 0xffff_ffff != first;
            let ends = at == m - 1 || edges.get(at + 1) & 0xffff_ffff != first;
            let (begins_row, ends_row) = if upward == 0 { (starts, ends) } else { (ends, starts) };
            if begins_row {
                rows.set(2 * rank, place as u32);
            }
            if ends_row {
                rows.set(2 * rank + 1, place as u32 + 1);
            }
        }
        for vertex in thread::of_grid(vertices) {
            degree_of_rank.set(turn(vertex, vertices), degrees.get(vertex));
        }
    }
);
