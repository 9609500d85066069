use warpwise_device::kernel;
use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{thread, warp};

use super::{CONTROL_WORDS, Edges, destroy};
use crate::primitives::peeling::{NO_ITEM, PUSHED, Peeling, State, Stops, any_pushes, peel};
use crate::primitives::warp_append;
use crate::triangle_lists::CHUNK;

kernel!(
    /// Peels for `most_steps` steps (scans and rounds), or to the end: `control[STEP]` says whether it
    /// came. Launch it again with the same memory and grid to go on.
    ///
    /// `entries` are from `list_triangles`, `ends` and `lens` say where each edge's list ends, and how
    /// long it is. `support` is that of the edges before, and afterwards means nothing. `round_of` holds
    /// [`LIVE`](super::LIVE) before; `trussness` is written. `queue` has room for an item for each
    /// [`CHUNK`] entries or part of them of each list.
    ///
    /// Launch with whole warps, at most 256 threads a block, and as many blocks as run together: five a
    /// multiprocessor do.
    #[requires(
        |shape| shape.together, ends.len() >= m, lens.len() >= m, support.len() >= m,
        round_of.len() >= m, trussness.len() >= m, m < 1 << 32, control.len() >= CONTROL_WORDS
    )]
    #[launch_bounds(256, 5)]
    pub unsafe fn peel_truss(
        entries: In<u64>,
        ends: In<u64>,
        lens: In<u32>,
        support: InOut<u32>,
        round_of: InOut<u32>,
        trussness: InOut<u32>,
        queue: InOut<U64x2>,
        control: InOut<u64>,
        m: u64,
        most_steps: u32,
    ) {
        let edges = Edges { support, round_of, control };
        let lists = Lists { edges, entries, ends, lens, trussness, queue };
        peel(lists, m, most_steps, Stops::NEVER);
    }
);

/// Every edge's triangles, listed.
#[derive(Clone, Copy)]
struct Lists {
    edges: Edges,
    entries: In<u64>,
    ends: In<u64>,
    lens: In<u32>,
    trussness: InOut<u32>,
    queue: InOut<U64x2>,
}

impl Peeling for Lists {
    const COUNTS: bool = false;
    const TAKES_LESS: bool = false;

    #[inline(always)]
    fn left(self) -> InOut<u32> {
        self.edges.support
    }

    #[inline(always)]
    fn control(self) -> InOut<u64> {
        self.edges.control
    }

    /// A warp an item and a lane an entry.
    #[inline(always)]
    fn go(self, state: State) {
        let edges = self.edges;
        let lane = warp::lane_id();
        let begin = state.first + thread::index_1d() / u64::from(warp::SIZE);
        let step = thread::grid_size() / u64::from(warp::SIZE);
        for at in thread::strided(begin..state.end, step) {
            let [list, edge_and_len] = self.queue.get(at).0;
            let edge = edge_and_len as u32;
            let len = (edge_and_len >> 32) as u32;
            let mut fallen = [NO_ITEM; 2];
            if lane < len {
                let entry = self.entries.get(list + u64::from(lane));
                let (low, high) = (entry as u32, (entry >> 32) as u32);
                let of_low = edges.round_of.atomic_load(u64::from(low));
                // Two of three times the triangle is destroyed already, and one look often says so.
                if of_low >= state.round {
                    (_, fallen) = destroy(edges, state, edge, [low, high], of_low);
                }
            }
            self.push(state, fallen);
        }
    }

    #[inline(always)]
    fn push<const N: usize>(self, state: State, pushed: [u32; N]) {
        let edges = self.edges;
        if !any_pushes(pushed) {
            return;
        }
        let mut lens = [0; N];
        let mut lists = [0; N];
        let mut items = 0;
        for k in 0..N {
            if pushed[k] != NO_ITEM {
                let edge = u64::from(pushed[k]);
                lens[k] = self.lens.get(edge);
                lists[k] = self.ends.get(edge) - u64::from(lens[k]);
                edges.round_of.atomic_store(edge, state.round + 1);
                self.trussness.set(edge, state.level + 2);
                items += u64::from(lens[k].div_ceil(CHUNK));
            }
        }
        let mut at = state.end + warp_append(edges.control, state.seen_at() + PUSHED, items);
        for k in 0..N {
            while lens[k] > 0 {
                let len = lens[k].min(CHUNK);
                let item = [lists[k], u64::from(len) << 32 | u64::from(pushed[k])];
                self.queue.set(at, U64x2(item));
                lens[k] -= len;
                lists[k] += u64::from(len);
                at += 1;
            }
        }
    }
}
