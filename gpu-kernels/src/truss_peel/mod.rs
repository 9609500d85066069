//! Trussness by peeling, level after level, on a grid that stays.
//!
//! At level t every live edge has more than t triangles left, or goes. Edges go in *rounds*: those of
//! a round go together, and what falls to t triangles by it goes in the next. When a round leaves
//! nothing to go, the next level begins with a scan of all edges. An edge that goes at level t has
//! trussness t + 2 (J. Cohen, "Trusses: cohesive subgraphs for social network analysis", 2008; the
//! rounds are those of PKT, Kabir and Madduri, HPEC 2017).
//!
//! | kernel | finds the triangles of an edge that goes | memory |
//! | --- | --- | --- |
//! | [`peel_truss`] | in its list, from [`triangle_lists`](crate::triangle_lists) | 24 bytes a triangle |
//! | [`peel_rows`] | again, by looking one end's row up in the other's | 16 bytes an edge for the rows of both directions |
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
//! the words that the step wrote. They are there three times: blocks still read one set when others
//! write the next.

mod lists;
mod rows;
mod state;

pub use lists::peel_truss;
pub use rows::peel_rows;
pub use state::{
    CONTROL_WORDS, DONE, ENTRIES_AT_STOP, LAST_LEVEL, LEVEL, LIVE_AT_STOP, ROUNDS, SCANS, STEP,
    STOPPED,
};

use tribin_device::memory::InOut;
use tribin_device::{shared, thread, warp};

use self::state::{LEAST, LIVE_EDGES, LIVE_ENTRIES, PUSHED, SCAN, SEEN_WORDS, Seen, State, Stops};
use crate::primitives::{block_add_to, grid_arrive_and_wait};

/// The round of an edge that has not gone: later than all.
pub const LIVE: u32 = u32::MAX;

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = SEEN_WORDS as u32 * 8;

/// No edge: places are below m < 2³².
const NO_EDGE: u32 = u32::MAX;

/// What the whole grid knows of the edges.
#[derive(Clone, Copy)]
struct Edges {
    support: InOut<u32>,
    round_of: InOut<u32>,
    control: InOut<u64>,
}

/// How the triangles of an edge are found when it goes.
trait Peeling: Copy {
    /// Whether a scan counts what is live: the grid may stop early.
    const COUNTS: bool;

    /// Takes the edges of the round away.
    fn go(self, edges: Edges, state: State);

    /// Queues the edges among `pushed` for the next round. The whole warp calls it.
    fn push<const N: usize>(self, edges: Edges, state: State, pushed: [u32; N]);
}

/// Peels for `most_steps` steps, to one of the stops or to the end.
#[inline(always)]
fn peel<P: Peeling>(peeling: P, edges: Edges, m: u64, most_steps: u32, stops: Stops) {
    let control = edges.control;
    let known = shared::array::<u64>(0, SEEN_WORDS as u32);
    let thread = thread::thread_idx_x();
    let mut state = State::read(control);
    let mut seen = Seen { pushed: 0, least: 0, live: 0, entries: 0 };
    let mut steps = 0;
    while state.goes_on() && steps < most_steps {
        if thread::index_1d() == 0 {
            state.clear_next(control);
        }
        if state.step == SCAN {
            scan(peeling, edges, state, m);
        } else {
            peeling.go(edges, state);
        }
        steps += 1;
        grid_arrive_and_wait(control, state.barriers);
        // The first warp alone has waited for the others.
        if thread < SEEN_WORDS as u32 {
            known.set(thread, control.atomic_load(state.seen_at() + u64::from(thread)));
        }
        thread::sync_threads();
        seen.pushed = known.get(PUSHED as u32);
        seen.least = known.get(LEAST as u32) as u32;
        if P::COUNTS {
            seen.live = known.get(LIVE_EDGES as u32);
            seen.entries = known.get(LIVE_ENTRIES as u32);
        }
        state = state.after(seen, stops);
    }
    if steps > 0 && thread::index_1d() == 0 {
        state.write(control, seen);
    }
}

/// Queues the edges with as many triangles left as the level has. What went has no more than an
/// earlier level had, so the support tells who is live.
#[inline(always)]
fn scan<P: Peeling>(peeling: P, edges: Edges, state: State, m: u64) {
    let lane = u64::from(warp::lane_id());
    let stride = thread::grid_size();
    let mut least = 0;
    let (mut live, mut entries) = (0, 0);
    let mut i = thread::index_1d();
    // The warp goes round together: its lanes speak to one another.
    while i - lane < m {
        let left = if i < m { edges.support.get(i) } else { LIVE };
        if i < m && left > state.level {
            least = least.max(!left);
        }
        if P::COUNTS && i < m && left >= state.level {
            live += 1;
            entries += u64::from(left);
        }
        peeling.push(edges, state, [if left == state.level { i as u32 } else { NO_EDGE }]);
        i += stride;
    }
    let least = u64::from(warp::warp_reduce_max_32(warp::ALL, least));
    let least_at = state.seen_at() + LEAST;
    if lane == 0 && least > edges.control.atomic_load(least_at) {
        edges.control.atomic_max(least_at, least);
    }
    if P::COUNTS {
        block_add_to(edges.control, state.seen_at() + LIVE_EDGES, live);
        block_add_to(edges.control, state.seen_at() + LIVE_ENTRIES, entries);
    }
}

/// A triangle of an edge that goes, and the places of its two others, the first of which is of round
/// `of_f` and has not gone before: whether the triangle was still there, and which of the two fell to the
/// level by its loss.
#[inline(always)]
fn destroy(edges: Edges, state: State, edge: u32, [f, g]: [u32; 2], of_f: u32) -> (bool, [u32; 2]) {
    let of_g = edges.round_of.atomic_load(u64::from(g));
    if of_g < state.round {
        return (false, [NO_EDGE; 2]);
    }
    // Who goes in the same round and has the lower place takes the triangle off.
    let f_loses = of_f > state.round && (of_g > state.round || edge < g);
    let g_loses = of_g > state.round && (of_f > state.round || edge < f);
    let (mut f_had, mut g_had) = (0, 0);
    if f_loses {
        f_had = edges.support.atomic_add(u64::from(f), u32::MAX);
    }
    if g_loses {
        g_had = edges.support.atomic_add(u64::from(g), u32::MAX);
    }
    // An edge comes by each number once, and one that goes already has passed this one.
    let one_too_many = state.level + 1;
    let f = if f_had == one_too_many { f } else { NO_EDGE };
    let g = if g_had == one_too_many { g } else { NO_EDGE };
    (true, [f, g])
}

/// Whether any lane has an edge to push.
#[inline(always)]
fn any_pushes<const N: usize>(pushed: [u32; N]) -> bool {
    let mut pushes = false;
    let mut k = 0;
    while k < N {
        pushes |= pushed[k] != NO_EDGE;
        k += 1;
    }
    warp::warp_vote_any(warp::ALL, pushes)
}
