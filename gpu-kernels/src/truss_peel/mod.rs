//! Trussness by peeling, level after level, on a grid that stays.
//!
//! At level t every live edge has more than t triangles left, or goes. Edges go in *rounds*: those of
//! a round go together, and what falls to t triangles by it goes in the next. When a round leaves
//! nothing to go, the next level begins with a scan of all edges. An edge that goes at level t has
//! trussness t + 2 (J. Cohen, "Trusses: cohesive subgraphs for social network analysis", 2008; the
//! rounds are those of PKT, Kabir and Madduri, HPEC 2017).
//!
//! | a triangle of a going edge e, whose other edges are f and g | what happens |
//! | --- | --- |
//! | f or g went in an earlier round | nothing: it was destroyed then |
//! | neither goes in this round | f and g lose it |
//! | one goes in this round | the third edge loses it, once: the going edge of the lower place takes it off |
//! | both go in this round | nothing |
//!
//! Rounds are short and many, and most take no longer than what waits for memory in them. So the grid
//! runs them itself, with one barrier a round. Every block works out for itself what comes next, from
//! two words that the step wrote. They are there three times: blocks still read one pair when others
//! write the next.

mod state;

pub use state::{CONTROL_WORDS, DONE, LAST_LEVEL, ROUNDS, SCANS, STEP};

use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::{kernel, shared, thread, warp};

use self::state::{SCAN, State};
use crate::primitives::{grid_arrive_and_wait, warp_append};
use crate::triangle_lists::CHUNK;

/// The round of an edge that has not gone: later than all.
pub const LIVE: u32 = u32::MAX;

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = 16;

/// No edge: places are below m < 2³².
const NO_EDGE: u32 = u32::MAX;

kernel! {
    /// Peels for `most_steps` steps (scans and rounds), or to the end: `control[STEP]` says whether it
    /// came. Launch it again with the same memory and grid to go on.
    ///
    /// `entries` are from `list_triangles`, `ends` and `lens` say where each edge's list ends, and how
    /// long it is. `support` is that of the edges before, and afterwards means nothing. `round_of` holds
    /// [`LIVE`] before; `trussness` is written. `queue` has room for an item for each [`CHUNK`] entries
    /// or part of them of each list.
    ///
    /// Launch with whole warps, at most 256 threads a block, and as many blocks as run together: five a
    /// multiprocessor do.
    pub fn peel_truss(
        entries: In<u64>, ends: In<u64>, lens: In<u32>, support: InOut<u32>, round_of: InOut<u32>,
        trussness: InOut<u32>, queue: InOut<U64x2>, control: InOut<u64>, m: u64, most_steps: u32
    )
    requires {
        ends.len() >= m, lens.len() >= m, support.len() >= m, round_of.len() >= m,
        trussness.len() >= m, m < 1 << 32, control.len() >= CONTROL_WORDS,
    }
    launch_bounds(256, 5)
    {
        let known = shared::array::<u64>(0, 2);
        let edges = Edges { entries, ends, lens, support, round_of, trussness, queue, control };
        let thread = thread::thread_idx_x();
        let mut state = State::read(control);
        let mut steps = 0;
        while state.step != DONE && steps < most_steps {
            if thread::index_1d() == 0 {
                state.clear_next(control);
            }
            if state.step == SCAN {
                scan(edges, state, m);
            } else {
                go(edges, state);
            }
            steps += 1;
            grid_arrive_and_wait(control, state.barriers);
            // The first warp alone has waited for the others.
            if thread < 2 {
                known.set(thread, control.atomic_load(state.pushed_at() + u64::from(thread)));
            }
            thread::sync_threads();
            state = state.after(known.get(0), known.get(1) as u32);
        }
        if steps > 0 && thread::index_1d() == 0 {
            state.write(control);
        }
    }
}

/// What the whole grid works on.
#[derive(Clone, Copy)]
struct Edges {
    entries: In<u64>,
    ends: In<u64>,
    lens: In<u32>,
    support: InOut<u32>,
    round_of: InOut<u32>,
    trussness: InOut<u32>,
    queue: InOut<U64x2>,
    control: InOut<u64>,
}

/// Queues the edges with as many triangles left as the level has. What went has no more than an
/// earlier level had, so the support tells who is live.
#[inline(always)]
fn scan(edges: Edges, state: State, m: u64) {
    let lane = u64::from(warp::lane_id());
    let stride = thread::grid_size();
    let mut least = 0;
    let mut i = thread::index_1d();
    // The warp goes round together: its lanes speak to one another.
    while i - lane < m {
        let left = if i < m { edges.support.get(i) } else { LIVE };
        if i < m && left > state.level {
            least = least.max(!left);
        }
        push(edges, state, [if left == state.level { i as u32 } else { NO_EDGE }]);
        i += stride;
    }
    let least = u64::from(warp::warp_reduce_max_32(warp::ALL, least));
    let least_at = state.pushed_at() + 1;
    if lane == 0 && least > edges.control.atomic_load(least_at) {
        edges.control.atomic_max(least_at, least);
    }
}

/// Takes the round's edges away, a warp an item and a lane an entry.
#[inline(always)]
fn go(edges: Edges, state: State) {
    let lane = warp::lane_id();
    let mut at = state.first + thread::index_1d() / u64::from(warp::SIZE);
    while at < state.end {
        let [list, edge_and_len] = edges.queue.get(at).0;
        let edge = edge_and_len as u32;
        let len = (edge_and_len >> 32) as u32;
        let (mut low, mut high, mut low_loses, mut high_loses) = (0, 0, false, false);
        if lane < len {
            let entry = edges.entries.get(list + u64::from(lane));
            (low, high) = (entry as u32, (entry >> 32) as u32);
            let of_low = edges.round_of.atomic_load(u64::from(low));
            // Two of three times the triangle is destroyed already, and one look often says so.
            if of_low >= state.round {
                let of_high = edges.round_of.atomic_load(u64::from(high));
                let there = of_high >= state.round;
                // Who goes in the same round and has the lower place takes the triangle off.
                low_loses = there && of_low > state.round && (of_high > state.round || edge < high);
                high_loses = there && of_high > state.round && (of_low > state.round || edge < low);
            }
        }
        let (mut low_had, mut high_had) = (0, 0);
        if low_loses {
            low_had = edges.support.atomic_add(u64::from(low), u32::MAX);
        }
        if high_loses {
            high_had = edges.support.atomic_add(u64::from(high), u32::MAX);
        }
        // An edge comes by each number once, and one that goes already has passed this one.
        let one_too_many = state.level + 1;
        let low = if low_had == one_too_many { low } else { NO_EDGE };
        let high = if high_had == one_too_many { high } else { NO_EDGE };
        push(edges, state, [low, high]);
        at += thread::grid_size() / u64::from(warp::SIZE);
    }
}

/// Queues the edges among `pushed` for the next round. The whole warp calls it.
#[inline(always)]
fn push<const N: usize>(edges: Edges, state: State, pushed: [u32; N]) {
    let mut pushes = false;
    let mut k = 0;
    while k < N {
        pushes |= pushed[k] != NO_EDGE;
        k += 1;
    }
    if !warp::warp_vote_any(warp::ALL, pushes) {
        return;
    }
    let mut lens = [0; N];
    let mut lists = [0; N];
    let mut items = 0;
    let mut k = 0;
    while k < N {
        if pushed[k] != NO_EDGE {
            let edge = u64::from(pushed[k]);
            lens[k] = edges.lens.get(edge);
            lists[k] = edges.ends.get(edge) - u64::from(lens[k]);
            edges.round_of.atomic_store(edge, state.round + 1);
            edges.trussness.set(edge, state.level + 2);
            items += u64::from(lens[k].div_ceil(CHUNK));
        }
        k += 1;
    }
    let mut at = state.end + warp_append(edges.control, state.pushed_at(), items);
    let mut k = 0;
    while k < N {
        while lens[k] > 0 {
            let len = lens[k].min(CHUNK);
            let item = [lists[k], u64::from(len) << 32 | u64::from(pushed[k])];
            edges.queue.set(at, U64x2(item));
            lens[k] -= len;
            lists[k] += u64::from(len);
            at += 1;
        }
        k += 1;
    }
}
