use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use super::ends::wedges_of;
use super::pair::Pair;
use crate::binning::KeyOrder;

/// Threads in a block of [`candidate_keys`].
pub const GENERATE_BLOCK: u32 = 256;

/// Wedges of a thread.
const ITEMS: u32 = 16;

/// Wedges of a warp: neighbours, its lanes side by side.
const STRETCH: u32 = warp::SIZE * ITEMS;

/// Wedges of a block.
pub const GENERATE_TILE: u32 = GENERATE_BLOCK * ITEMS;

kernel!(
    /// Writes E and a batch of E' as keys: `keys[e]` for edge `e` of `edges`, from `tails[e]` to
    /// `heads[e]`, and `keys[edges + c]` for the pair that closes wedge `first + c`, `count` in all.
    ///
    /// Rows and `ends` are as for `wedge_ends`, `n` of them; the rows' entries are `heads`, ascending.
    /// The pair points from the larger to the smaller vertex, as one of E's edges does whatever the
    /// orientation. `order` is a [`KeyOrder`]'s number, and vertices are below 2^`vertex_bits`.
    #[requires(
        n > 0, rows.len() >= n, ends.len() >= n, tails.len() >= edges, heads.len() >= edges,
        keys.len() >= edges + count, edges + count < 1 << 32, order <= 1, vertex_bits <= 32,
    )]
    pub unsafe fn candidate_keys(
        rows: In<u64>,
        tails: In<u32>,
        heads: In<u32>,
        ends: In<u64>,
        keys: InOut<u64>,
        n: u64,
        edges: u64,
        first: u64,
        count: u64,
        order: u32,
        vertex_bits: u32,
    ) {
        let order = KeyOrder::of_number(order);
        let stride = thread::grid_size();
        for e in thread::of_grid(edges) {
            keys.set(e, order.key(tails.get(e), heads.get(e), vertex_bits));
        }

        let lane = warp::lane_id();
        let warps = stride / u64::from(warp::SIZE);
        let mut stretch = thread::index_1d() / u64::from(warp::SIZE);
        while stretch * u64::from(STRETCH) < count {
            let start = stretch * u64::from(STRETCH);
            let past = count.min(start + u64::from(STRETCH));
            let lowest = vertex_of_wedge(ends, 0, n, first + start);
            // Nobody looks further than the vertex of the stretch's last wedge.
            let highest = if ends.get(lowest) >= first + past {
                lowest
            } else {
                vertex_of_wedge(ends, lowest + 1, n, first + past - 1)
            };
            let mut vertex = lowest;
            // Wedges up to and with the vertex; before the first search, none.
            let mut end = 0;
            let mut row = 0;
            let mut pair = Pair { i: 0, j: 1 };
            let mut slot = start + u64::from(lane);
            while slot < past {
                let wedge = first + slot;
                if wedge >= end {
                    vertex = first_end_above(ends, vertex, highest, wedge);
                    let bounds = rows.get(vertex);
                    row = bounds & 0xffff_ffff;
                    end = ends.get(vertex);
                    let number = wedge - (end - wedges_of(bounds));
                    pair = if number < u64::from(warp::SIZE) {
                        Pair::of_small(number as u32)
                    } else {
                        Pair::of(number)
                    };
                }
                let larger = heads.get(row + u64::from(pair.j));
                let smaller = heads.get(row + u64::from(pair.i));
                keys.set(edges + slot, order.key(larger, smaller, vertex_bits));
                slot += u64::from(warp::SIZE);
                pair = pair.after(warp::SIZE);
            }
            stretch += warps;
        }
    }
);

/// The first vertex in `low..high` whose wedges end above `wedge`; there is one. All lanes of a warp
/// call it with the same arguments: each round leaves a 32nd.
#[inline(always)]
fn vertex_of_wedge(ends: In<u64>, mut low: u64, mut high: u64, wedge: u64) -> u64 {
    while high - low > 1 {
        let step = (high - low).div_ceil(u64::from(warp::SIZE));
        // The last vertex of this lane's part, or of all.
        let probe = (low + (u64::from(warp::lane_id()) + 1) * step).min(high) - 1;
        let above = warp::warp_vote_ballot(warp::ALL, ends.get(probe) > wedge);
        low += u64::from(above.trailing_zeros()) * step;
        high = high.min(low + step);
    }
    low
}

/// The first vertex in `low..=high` whose wedges end above `wedge`, which those of `high` do.
#[inline(always)]
fn first_end_above(ends: In<u64>, mut low: u64, mut high: u64, wedge: u64) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if ends.get(middle) > wedge {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
