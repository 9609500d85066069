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
//! Rounds are short and many. So the grid runs them itself, with one barrier a round, and what the
//! rounds share is in words of global memory that the last block to arrive brings up to date.

use tribin_device::memory::{In, InOut};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread, warp};

use crate::primitives::{GRID_BARRIER_WORDS, grid_barrier, warp_append};
use crate::triangle_lists::CHUNK;

/// Entries of a work item that each lane takes.
const ENTRIES: usize = (CHUNK / warp::SIZE) as usize;

/// Where the queue ends: one past the last item that was pushed. Away from the barrier's words.
const TAIL: u64 = GRID_BARRIER_WORDS;
/// The complement of the least support above the level that a scan met; 0 where there is none.
const LEAST: u64 = GRID_BARRIER_WORDS + 16;
/// The first of the words that say what comes next.
const NEXT: u64 = GRID_BARRIER_WORDS + 32;

/// What comes next: [`SCAN`], [`ROUND`] or [`DONE`].
pub const STEP: u64 = NEXT;
/// The level.
pub const LEVEL: u64 = NEXT + 1;
/// Rounds so far: the number of the round that goes, or went last.
pub const ROUNDS: u64 = NEXT + 2;
/// The first item of the round.
pub const FIRST: u64 = NEXT + 3;
/// One past its last.
pub const END: u64 = NEXT + 4;
/// Scans so far.
pub const SCANS: u64 = NEXT + 5;
/// The last level at which edges with triangles went.
pub const LAST_LEVEL: u64 = NEXT + 6;
/// Words of control; all zero before the first launch.
pub const CONTROL_WORDS: u64 = NEXT + 7;

/// The edges of the level are looked for.
pub const SCAN: u64 = 0;
/// The items of a round are taken from the queue.
pub const ROUND: u64 = 1;
/// No edge is left.
pub const DONE: u64 = 2;

/// The round of an edge that has not gone: later than all.
pub const LIVE: u32 = u32::MAX;

/// What the threads of a block know of the step.
const KNOWN: u32 = 5;

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = KNOWN * 8;

/// No entry: past the end of a list.
const NOTHING: u64 = u64::MAX;

kernel! {
    /// Peels for `most_steps` steps (scans and rounds), or to the end: `control[STEP]` says whether it
    /// came. Launch it again with the same memory and grid to go on.
    ///
    /// `entries` are from `list_triangles`, `ends` are its `cursors` afterwards, `lens` the lengths of
    /// the lists. `support` is that of the edges before, and afterwards means nothing. `round_of` holds
    /// [`LIVE`] before; `trussness` is written. `queue` has room for an item for each [`CHUNK`] entries
    /// or part of them of each list.
    ///
    /// Launch with whole warps, at most 384 threads a block, and as many blocks as run together: two a
    /// multiprocessor do.
    pub fn peel_truss(
        entries: In<u64>, ends: In<u64>, lens: In<u32>, support: InOut<u32>, round_of: InOut<u32>,
        trussness: InOut<u32>, queue: InOut<u64>, control: InOut<u64>, m: u64, most_steps: u32
    )
    requires {
        ends.len() >= m, lens.len() >= m, support.len() >= m, round_of.len() >= m,
        trussness.len() >= m, m < 1 << 32, control.len() >= CONTROL_WORDS,
    }
    launch_bounds(384, 2)
    {
        let known = shared::array::<u64>(0, KNOWN);
        let edges = Edges { entries, ends, lens, support, round_of, trussness, queue, control };
        let mut steps = 0;
        loop {
            let step = Step::read(known, control);
            if step.step == DONE || steps == most_steps {
                break;
            }
            if step.step == SCAN {
                scan(edges, step, m);
            } else {
                go(edges, step);
            }
            steps += 1;
            grid_barrier(control, || plan(control));
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
    queue: InOut<u64>,
    control: InOut<u64>,
}

/// What a step is.
#[derive(Clone, Copy)]
struct Step {
    step: u64,
    level: u32,
    round: u32,
    first: u64,
    end: u64,
}

impl Step {
    /// The same on every thread of the block; has a barrier.
    #[inline(always)]
    unsafe fn read(known: Shared<u64>, control: InOut<u64>) -> Step {
        if thread::thread_idx_x() < KNOWN {
            let word = thread::thread_idx_x();
            known.set(word, control.atomic_load(NEXT + u64::from(word)));
        }
        thread::sync_threads();
        Step {
            step: known.get(0),
            level: known.get(1) as u32,
            round: known.get(2) as u32,
            first: known.get(3),
            end: known.get(4),
        }
    }
}

/// What comes after a step: every lane of one warp of the grid runs it, and writes the same.
#[inline(always)]
unsafe fn plan(control: InOut<u64>) {
    let tail = control.atomic_load(TAIL);
    let first = control.atomic_load(FIRST);
    let end = control.atomic_load(END);
    let step = control.atomic_load(STEP);
    let level = control.atomic_load(LEVEL);
    let last_level = control.atomic_load(LAST_LEVEL);
    let rounds = control.atomic_load(ROUNDS);
    let scans = control.atomic_load(SCANS);
    let least = control.atomic_load(LEAST);
    warp::sync_warp(warp::ALL);
    let goes = tail > end;
    let done = !goes && step == SCAN && least == 0;
    // After the last round of a level the next is likely to have edges of its own. If a scan finds
    // that it has none, the least support left is the level.
    let next_level = if step == ROUND { level + 1 } else { u64::from(!(least as u32)) };
    let scans_now = !goes && !done;
    control.atomic_store(FIRST, if goes { end } else { first });
    control.atomic_store(END, tail);
    control.atomic_store(
        STEP,
        if goes {
            ROUND
        } else if done {
            DONE
        } else {
            SCAN
        },
    );
    control.atomic_store(LEVEL, if scans_now { next_level } else { level });
    control.atomic_store(LAST_LEVEL, if goes { level } else { last_level });
    control.atomic_store(ROUNDS, rounds + u64::from(goes));
    control.atomic_store(SCANS, scans + u64::from(scans_now));
    control.atomic_store(LEAST, if scans_now { 0 } else { least });
}

/// Queues the edges with as many triangles left as the level has. What went has no more than an
/// earlier level had, so the support tells who is live.
#[inline(always)]
unsafe fn scan(edges: Edges, step: Step, m: u64) {
    let lane = u64::from(warp::lane_id());
    let stride = thread::grid_size();
    let mut least = 0;
    let mut i = thread::index_1d();
    // The warp goes round together: its lanes speak to one another.
    while i - lane < m {
        let left = if i < m { edges.support.get(i) } else { 0 };
        if left > step.level {
            least = least.max(!left);
        }
        push(edges, step, i < m && left == step.level, i as u32);
        i += stride;
    }
    let least = u64::from(warp::warp_reduce_max_32(warp::ALL, least));
    if lane == 0 && least > edges.control.atomic_load(LEAST) {
        edges.control.atomic_max(LEAST, least);
    }
}

/// Takes the round's edges away, a warp an item.
#[inline(always)]
unsafe fn go(edges: Edges, step: Step) {
    let lane = warp::lane_id();
    let warps = thread::grid_size() / u64::from(warp::SIZE);
    let mut at = step.first + thread::index_1d() / u64::from(warp::SIZE);
    while at < step.end {
        let item = edges.queue.get(at);
        let edge = item as u32;
        let len = edges.lens.get(u64::from(edge));
        let skipped = (item >> 32) as u32 * CHUNK;
        let list = edges.ends.get(u64::from(edge)) - u64::from(len - skipped);
        let mut entry = [NOTHING; ENTRIES];
        let mut round_of_low = [0; ENTRIES];
        let mut round_of_high = [0; ENTRIES];
        // Everything that can be read is on its way before the first is waited for.
        let mut k = 0;
        while k < ENTRIES {
            let place = k as u32 * warp::SIZE + lane;
            if place < len - skipped {
                entry[k] = edges.entries.get(list + u64::from(place));
            }
            k += 1;
        }
        let mut k = 0;
        while k < ENTRIES {
            if entry[k] != NOTHING {
                round_of_low[k] = edges.round_of.atomic_load(u64::from(entry[k] as u32));
                round_of_high[k] = edges.round_of.atomic_load(entry[k] >> 32);
            }
            k += 1;
        }
        let mut k = 0;
        while k < ENTRIES {
            let (low, high) = (entry[k] as u32, (entry[k] >> 32) as u32);
            let (of_low, of_high) = (round_of_low[k], round_of_high[k]);
            let there = entry[k] != NOTHING && of_low >= step.round && of_high >= step.round;
            // Who goes in the same round and has the lower place takes the triangle off.
            let low_loses = there && of_low > step.round && (of_high > step.round || edge < high);
            let high_loses = there && of_high > step.round && (of_low > step.round || edge < low);
            lose(edges, step, low_loses, low);
            lose(edges, step, high_loses, high);
            k += 1;
        }
        at += warps;
    }
}

/// Takes a triangle off `edge` where this lane `loses` one, and queues the edge if it was the one too
/// many. The whole warp calls it.
#[inline(always)]
unsafe fn lose(edges: Edges, step: Step, loses: bool, edge: u32) {
    let mut left = LIVE;
    if loses {
        left = edges.support.atomic_add(u64::from(edge), u32::MAX) - 1;
    }
    // An edge comes by each number once, and one that goes already has passed this one.
    push(edges, step, loses && left == step.level, edge);
}

/// Queues the edges of the lanes that `push` for the next round. The whole warp calls it.
#[inline(always)]
unsafe fn push(edges: Edges, step: Step, pushes: bool, edge: u32) {
    if warp::warp_vote_ballot(warp::ALL, pushes) == 0 {
        return;
    }
    let mut items = 0;
    if pushes {
        edges.round_of.atomic_store(u64::from(edge), step.round + 1);
        edges.trussness.set(u64::from(edge), step.level + 2);
        items = edges.lens.get(u64::from(edge)).div_ceil(CHUNK);
    }
    let first = warp_append(edges.control, TAIL, u64::from(items));
    let mut item = 0;
    while item < items {
        edges.queue.set(first + u64::from(item), u64::from(item) << 32 | u64::from(edge));
        item += 1;
    }
}
