//! Trussness by peeling (`primitives/peeling` has the grid's steps).
//!
//! At level t every live edge has more than t triangles left, or goes. An edge that goes at level t has
//! trussness t + 2 (J. Cohen, "Trusses: cohesive subgraphs for social network analysis", 2008; the
//! rounds are those of PKT, Kabir and Madduri, HPEC 2017). Its triangles are found again, by looking the
//! shorter of its ends' rows up in the longer.
//!
//! | a triangle of a going edge e, whose other edges are f and g | what happens |
//! | --- | --- |
//! | f or g went in an earlier round | nothing: it was destroyed then |
//! | neither goes in this round | f and g lose it |
//! | one goes in this round | the third edge loses it, once: the going edge of the lower place takes it off |
//! | both go in this round | nothing |

use warpwise_device::memory::{In, InOut};
use warpwise_device::registers::pin_32;
use warpwise_device::{kernel, thread, warp};

use crate::primitives::lower_bound;
pub use crate::primitives::peeling::{
    CONTROL_WORDS, DONE, LAST_LEVEL, LEVEL, LIVE_AT_STOP, ROUNDS, SCANS, SHARED_BYTES, STEP,
    STOPPED,
};
use crate::primitives::peeling::{NO_ITEM, Peeling, State, any_pushes, peel, push_parts};

/// The round of an edge that has not gone: later than all.
pub const LIVE: u32 = u32::MAX;

kernel!(
    /// Peels for `most_steps` steps (scans and rounds), to the end, or to the scan of a level that finds
    /// fewer than `stop_live` edges: `control[STEP]` says which. Launch it again with the same memory and
    /// grid to go on. After a stop, the edges whose support is the level or more are left, and their
    /// support is exact.
    ///
    /// `tails` and `heads` are the edges' ends. `rows`, `neighbours` and `edge_at` are the rows of both
    /// directions, from `lay_out_rows_of_both`. `parts`, from `row_parts`, says how many parts of `chunk` entries each edge's
    /// shorter row has, the last of which may be shorter. `support` is that of the edges before. `round_of`
    /// holds [`LIVE`] before. The trussness of the edge at place i goes to
    /// `trussness[places[i]]`. `queue` has room for as many items as all `parts` together.
    ///
    /// Work: for each edge that goes, a search in one end's row for each entry of the other's, as long as
    /// triangles are left to be found. Launch with whole warps, at most 256 threads a block, and as many
    /// blocks as run together: five a multiprocessor do.
    #[requires(
        |shape| shape.together, m < 1 << 31, tails.len() >= m, heads.len() >= m,
        neighbours.len() >= 2 * m, edge_at.len() >= 2 * m, parts.len() >= m, places.len() >= m,
        support.len() >= m, round_of.len() >= m, queue.len() >= m, control.len() >= CONTROL_WORDS,
        chunk > 0
    )]
    #[launch_bounds(256, 5)]
    pub unsafe fn peel_truss(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        neighbours: In<u32>,
        edge_at: In<u32>,
        parts: In<u32>,
        places: In<u32>,
        support: InOut<u32>,
        round_of: InOut<u32>,
        trussness: InOut<u32>,
        queue: InOut<u64>,
        control: InOut<u64>,
        m: u64,
        chunk: u32,
        most_steps: u32,
        stop_live: u64,
    ) {
        let edges = Edges {
            support,
            round_of,
            control,
            tails,
            heads,
            rows,
            neighbours,
            edge_at,
            parts,
            places,
            trussness,
            queue,
            chunk,
        };
        peel(edges, m, most_steps, stop_live);
    }
);

/// What the whole grid knows of the edges, and every vertex's neighbours with the edge that leads to each.
#[derive(Clone, Copy)]
struct Edges {
    support: InOut<u32>,
    round_of: InOut<u32>,
    control: InOut<u64>,
    tails: In<u32>,
    heads: In<u32>,
    rows: In<u64>,
    neighbours: In<u32>,
    edge_at: In<u32>,
    parts: In<u32>,
    places: In<u32>,
    trussness: InOut<u32>,
    queue: InOut<u64>,
    chunk: u32,
}

impl Edges {
    /// Takes away a triangle of an edge that goes. The places of its two other edges are `f` and `g`. The round of `f` is
    /// `of_f`, and not an earlier one. Says whether the triangle was still there, and which of `f` and `g` fell to the level
    /// by its loss.
    #[inline(always)]
    fn destroy(self, state: State, edge: u32, [f, g]: [u32; 2], of_f: u32) -> (bool, [u32; 2]) {
        let of_g = self.round_of.atomic_load(u64::from(g));
        if of_g < state.round {
            return (false, [NO_ITEM; 2]);
        }
        // Who goes in the same round and has the lower place takes the triangle off.
        let f_loses = of_f > state.round && (of_g > state.round || edge < g);
        let g_loses = of_g > state.round && (of_f > state.round || edge < f);
        let (mut f_had, mut g_had) = (0, 0);
        if f_loses {
            f_had = self.support.atomic_add(u64::from(f), u32::MAX);
        }
        if g_loses {
            g_had = self.support.atomic_add(u64::from(g), u32::MAX);
        }
        // An edge comes by each number once, and one that goes already has passed this one.
        let one_too_many = state.level + 1;
        let f = if f_had == one_too_many { f } else { NO_ITEM };
        let g = if g_had == one_too_many { g } else { NO_ITEM };
        (true, [f, g])
    }
}

impl Peeling for Edges {
    const COUNTS: bool = true;
    const TAKES_LESS: bool = false;

    #[inline(always)]
    fn left(self) -> InOut<u32> {
        self.support
    }

    #[inline(always)]
    fn control(self) -> InOut<u64> {
        self.control
    }

    /// A warp an item, which is a part of the shorter row, and a lane an entry of it. Where a round has fewer items than the grid has
    /// warps, two, four and more warps share each: most rounds are short, and last as long as their longest part.
    #[inline(always)]
    fn go(self, state: State) {
        let lane = warp::lane_id();
        let warps = thread::grid_size() / u64::from(warp::SIZE);
        let items = (state.end - state.first) as u32;
        let sharers_log2 = (warps as u32 / items.max(1)).max(1).ilog2();
        let mut at = thread::index_1d() / u64::from(warp::SIZE);
        while at >> sharers_log2 < u64::from(items) {
            let item = self.queue.get(state.first + (at >> sharers_log2));
            let (edge, part) = (item as u32, (item >> 32) as u32);
            let of_tail = self.rows.get(u64::from(self.tails.get(u64::from(edge))));
            let of_head = self.rows.get(u64::from(self.heads.get(u64::from(edge))));
            let len = |row: u64| (row >> 32) as u32 - row as u32;
            let tail_shorter = len(of_tail) <= len(of_head);
            let (short, long) = if tail_shorter { (of_tail, of_head) } else { (of_head, of_tail) };
            let (short_end, long_end) = ((short >> 32) as u32, (long >> 32) as u32);
            // A part begins within the row, so that this is below 2m.
            let begin = short as u32 + part * self.chunk;
            let end = short_end.min(begin.saturating_add(self.chunk));
            let sharer = at as u32 & ((1 << sharers_log2) - 1);
            let mut first = begin.saturating_add(sharer * warp::SIZE);
            let mut other = long as u32;
            // Exact: no edge that goes loses any. Past the last triangle there is nothing to find.
            let mut left = self.support.get(u64::from(edge));
            // The warp goes round together: its lanes speak to one another.
            while first < end && left > 0 {
                let place = first.saturating_add(lane);
                let mut there = false;
                let mut fallen = [NO_ITEM; 2];
                if place < end {
                    // One look at the entry's edge costs less than a search for what went before.
                    let near = self.edge_at.get(u64::from(place));
                    let of_near = self.round_of.atomic_load(u64::from(near));
                    if of_near >= state.round {
                        let vertex = self.neighbours.get(u64::from(place));
                        other = lower_bound(self.neighbours, other, long_end, vertex);
                        if other < long_end && self.neighbours.get(u64::from(other)) == vertex {
                            let far = self.edge_at.get(u64::from(other));
                            (there, fallen) = self.destroy(state, edge, [near, far], of_near);
                        }
                    }
                }
                left -= warp::warp_vote_ballot(warp::ALL, there).count_ones();
                self.push(state, fallen);
                first = first.saturating_add(warp::SIZE << sharers_log2);
            }
            at += warps;
        }
    }

    #[inline(always)]
    fn push<const N: usize>(self, state: State, pushed: [u32; N]) {
        if !any_pushes(pushed) {
            return;
        }
        // One after the other: few are pushed, and it takes fewer registers. So does each sum that is made where it is used.
        for k in 0..N {
            let mut parts = 0;
            if pushed[k] != NO_ITEM {
                let edge = u64::from(pushed[k]);
                parts = self.parts.get(edge);
                self.round_of.atomic_store(edge, pin_32(state.round) + 1);
                self.trussness.set(u64::from(self.places.get(edge)), pin_32(state.level) + 2);
            }
            push_parts(self.queue, self.control, state, pushed[k], parts);
        }
    }
}
