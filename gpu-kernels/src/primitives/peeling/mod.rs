//! Peeling, level after level, on a grid that stays.
//!
//! Items are what is peeled: edges, which have triangles left, or vertices, which have neighbours left. At level t every live item
//! has more than t left, or goes. Items go in *rounds*: those of a round go together, and what falls to t by it goes in the next.
//! When a round leaves nothing to go, the next level begins with a scan of all items.
//!
//! Rounds are short and many, and most take no longer than what waits for memory in them. So the grid
//! runs them itself, with one barrier a round. Every block works out for itself what comes next, from
//! the words that the step wrote. They are there three times: blocks still read one set when others
//! write the next.

mod state;

pub(crate) use state::State;
pub use state::{
    CONTROL_WORDS, DONE, LAST_LEVEL, LEVEL, LIVE_AT_STOP, ROUNDS, SCANS, STEP, STOPPED,
};

use warpwise_device::memory::InOut;
use warpwise_device::{grid, shared, thread, warp};

use self::state::{LEAST, LIVE_ITEMS, PUSHED, SCAN, SEEN_WORDS, Seen};
use super::{block_add_to, warp_append};

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = SEEN_WORDS as u32 * 8;

/// No item: items are below 2³² - 1.
pub(crate) const NO_ITEM: u32 = u32::MAX;

/// What is peeled.
pub(crate) trait Peeling: Copy {
    /// Whether a scan counts what is live: the grid may stop early.
    const COUNTS: bool;

    /// Whether the very first scan takes items with less than the level, too.
    const TAKES_LESS: bool;

    /// What each item has left. What went has no more than an earlier level had.
    fn left(self) -> InOut<u32>;

    /// The words that the grid goes by.
    fn control(self) -> InOut<u64>;

    /// Takes the items of the round away.
    fn go(self, state: State);

    /// Queues the items among `pushed` for the next round. The whole warp calls it.
    fn push<const N: usize>(self, state: State, pushed: [u32; N]);
}

/// Peels `n` items for `most_steps` steps, to the scan of a level that finds fewer than `stop_live`, or to the end.
#[inline(always)]
pub(crate) fn peel<P: Peeling>(peeling: P, n: u64, most_steps: u32, stop_live: u64) {
    let control = peeling.control();
    let known = shared::array::<u64>(0, SEEN_WORDS as u32);
    let thread = thread::thread_idx_x();
    let mut state = State::read(control);
    let mut seen = Seen { pushed: 0, least: 0, live: 0 };
    let mut steps = 0;
    while state.goes_on() && steps < most_steps {
        if thread::index_1d() == 0 {
            state.clear_next(control);
        }
        if state.step == SCAN {
            scan(peeling, state, n);
        } else {
            peeling.go(state);
        }
        steps += 1;
        grid::sync_first_warp(control, state.barriers);
        if thread < SEEN_WORDS as u32 {
            known.set(thread, control.atomic_load(state.seen_at() + u64::from(thread)));
        }
        thread::sync_threads();
        seen.pushed = known.get(PUSHED as u32);
        seen.least = known.get(LEAST as u32) as u32;
        if P::COUNTS {
            seen.live = known.get(LIVE_ITEMS as u32);
        }
        state = state.after(seen, stop_live);
    }
    if steps > 0 && thread::index_1d() == 0 {
        state.write(control, seen);
    }
}

/// Queues the items with as much left as the level has: what is left tells who is live.
#[inline(always)]
fn scan<P: Peeling>(peeling: P, state: State, n: u64) {
    let control = peeling.control();
    let lane = u64::from(warp::lane_id());
    let stride = thread::grid_size();
    let mut least = 0;
    let mut live = 0;
    let takes_less = P::TAKES_LESS && state.barriers == 0;
    let mut i = thread::index_1d();
    // The warp goes round together: its lanes speak to one another.
    while i - lane < n {
        let left = if i < n { peeling.left().get(i) } else { u32::MAX };
        if i < n && left > state.level {
            least = least.max(!left);
        }
        if P::COUNTS && i < n && left >= state.level {
            live += 1;
        }
        let goes = left == state.level || takes_less && left < state.level;
        peeling.push(state, [if goes { i as u32 } else { NO_ITEM }]);
        i += stride;
    }
    let least = u64::from(warp::warp_reduce_max_32(warp::ALL, least));
    let least_at = state.seen_at() + LEAST;
    if lane == 0 && least > control.atomic_load(least_at) {
        control.atomic_max(least_at, least);
    }
    if P::COUNTS {
        block_add_to(control, state.seen_at() + LIVE_ITEMS, live);
    }
}

/// Queues `parts` places for each lane's `item`, each with the item in the low half and the number of its part in the high half. The
/// whole warp calls it.
#[inline(always)]
pub(crate) fn push_parts(
    queue: InOut<u64>,
    control: InOut<u64>,
    state: State,
    item: u32,
    parts: u32,
) {
    let at = state.end + warp_append(control, state.seen_at() + PUSHED, u64::from(parts));
    for part in 0..parts {
        queue.set(at + u64::from(part), u64::from(part) << 32 | u64::from(item));
    }
}

/// Whether any lane has an item to push.
#[inline(always)]
pub(crate) fn any_pushes<const N: usize>(pushed: [u32; N]) -> bool {
    let mut pushes = false;
    for k in 0..N {
        pushes |= pushed[k] != NO_ITEM;
    }
    warp::warp_vote_any(warp::ALL, pushes)
}
