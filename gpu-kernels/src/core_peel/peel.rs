use warpwise_device::kernel;
use warpwise_device::memory::{In, InOut};
use warpwise_device::{thread, warp};

use super::CONTROL_WORDS;
use crate::primitives::peeling::{NO_ITEM, Peeling, State, any_pushes, peel, push_parts};

/// Neighbours of a vertex that go with one place of the queue.
pub const CHUNK: u32 = 64;

/// Lanes that take a place of the queue.
const LANES: u32 = 8;

kernel!(
    /// Peels for `most_steps` steps (scans and rounds), or to the end: `control[STEP]` says whether it
    /// came. Launch it again with the same memory and grid to go on.
    ///
    /// `heads` and `rows` are those of the graph, rows as in [`Oriented`](crate::primitives::Oriented); `tails` and `ends` are from
    /// [`lay_out_tails`](super::lay_out_tails), and `degrees` from [`all_degrees`](super::all_degrees), which afterwards mean
    /// nothing. `cores` gets the core number of each vertex. `queue` has room for a place for each [`CHUNK`] neighbours or part of
    /// them of each vertex.
    ///
    /// The host may set the first level, which is 0 otherwise. Vertices of a lower core number then go at that level, and get its
    /// number. At the end, `control[LAST_LEVEL]` is the largest core number if that is the first level or more.
    ///
    /// Work: each edge is looked at twice, and each vertex once a level. Launch with whole warps, at most 256 threads a block, and as many
    /// blocks as run together: four a multiprocessor do.
    #[requires(
        |shape| shape.together, rows.len() >= n, ends.len() >= n, degrees.len() >= n, cores.len() >= n,
        n < 1 << 32, control.len() >= CONTROL_WORDS
    )]
    #[launch_bounds(256, 4)]
    pub unsafe fn peel_cores(
        heads: In<u32>,
        rows: In<u64>,
        tails: In<u32>,
        ends: In<u64>,
        degrees: InOut<u32>,
        cores: InOut<u32>,
        queue: InOut<u64>,
        control: InOut<u64>,
        n: u64,
        most_steps: u32,
    ) {
        let vertices = Vertices { heads, rows, tails, ends, degrees, cores, queue, control };
        // No scan finds fewer vertices than none.
        peel(vertices, n, most_steps, 0);
    }
);

#[derive(Clone, Copy)]
struct Vertices {
    heads: In<u32>,
    rows: In<u64>,
    tails: In<u32>,
    ends: In<u64>,
    degrees: InOut<u32>,
    cores: InOut<u32>,
    queue: InOut<u64>,
    control: InOut<u64>,
}

/// The neighbours of a vertex: heads below it, and then tails above it.
struct Neighbours {
    head: u32,
    heads: u32,
    tail: u32,
    all: u32,
}

impl Vertices {
    #[inline(always)]
    fn neighbours(self, vertex: u32) -> Neighbours {
        let (row, ends) = (self.rows.get(u64::from(vertex)), self.ends.get(u64::from(vertex)));
        let len = |row: u64| (row >> 32) as u32 - row as u32;
        Neighbours {
            head: row as u32,
            heads: len(row),
            tail: ends as u32,
            all: len(row) + len(ends),
        }
    }
}

impl Peeling for Vertices {
    const COUNTS: bool = false;
    const TAKES_LESS: bool = true;

    #[inline(always)]
    fn left(self) -> InOut<u32> {
        self.degrees
    }

    #[inline(always)]
    fn control(self) -> InOut<u64> {
        self.control
    }

    /// [`LANES`] lanes a place of the queue, and a lane a neighbour.
    ///
    /// A neighbour that goes or went loses nothing more, or what it loses is of no use: it has no more than the level. Each neighbour
    /// of a vertex comes once, so that none loses more than it had.
    #[inline(always)]
    fn go(self, state: State) {
        let lane = warp::lane_id();
        let warps = thread::grid_size() / u64::from(warp::SIZE);
        let number = thread::index_1d() / u64::from(warp::SIZE);
        let at_once = u64::from(warp::SIZE / LANES);
        // The warp goes round together: its lanes speak to one another.
        for first in thread::strided(state.first + number * at_once..state.end, warps * at_once) {
            let at = first + u64::from(lane / LANES);
            let mut of = Neighbours { head: 0, heads: 0, tail: 0, all: 0 };
            let (mut from, mut to) = (0, 0);
            if at < state.end {
                let place = self.queue.get(at);
                let (vertex, part) = (place as u32, (place >> 32) as u32);
                of = self.neighbours(vertex);
                // A part begins before the last neighbour.
                let begin = part * CHUNK;
                to = CHUNK.min(of.all - begin) + begin;
                from = begin + lane % LANES;
            }
            while warp::warp_vote_any(warp::ALL, from < to) {
                let mut fallen = NO_ITEM;
                if from < to {
                    let neighbour = if from < of.heads {
                        self.heads.get(u64::from(of.head + from))
                    } else {
                        self.tails.get(u64::from(of.tail + (from - of.heads)))
                    };
                    let index = u64::from(neighbour);
                    if self.degrees.atomic_load(index) > state.level
                        // It comes by each number once.
                        && self.degrees.atomic_add(index, u32::MAX) == state.level + 1
                    {
                        fallen = neighbour;
                    }
                    from += LANES.min(to - from);
                }
                self.push(state, [fallen]);
            }
        }
    }

    #[inline(always)]
    fn push<const N: usize>(self, state: State, pushed: [u32; N]) {
        if !any_pushes(pushed) {
            return;
        }
        for k in 0..N {
            let mut parts = 0;
            if pushed[k] != NO_ITEM {
                parts = self.neighbours(pushed[k]).all.div_ceil(CHUNK);
                self.cores.set(u64::from(pushed[k]), state.level);
            }
            push_parts(self.queue, self.control, state, pushed[k], parts);
        }
    }
}
