//! Similar pairs of vertices: those that share neighbours.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`similar_in_shared`] | ranks of a list | finds the most similar vertices of each, with its sums in a table in shared memory |
//! | [`similar_in_slices`] | ranks of a list | the same for those with many paths, with sums for a slice of the ranks at a time |
//!
//! A block takes a rank, goes through all paths of two steps from it, and adds up what each path adds for the rank at its end (the rows of
//! a sparse matrix product, after Gustavson 1978). Then the warps score the ranks that were reached. A warp keeps the best 32 that it saw,
//! one in each lane, in order: a better one is put in its place, and those behind it move on by a lane.
//!
//! Doubles that are no whole numbers are added in the order of the middle ranks, the last first, so that their sums are those of the CPU to
//! the last bit. The block goes through the row of one middle rank at a time then. No rank is twice in a row, so that no two threads
//! add to one sum. Where each common neighbour adds 1, sums are integers, which are added in any order.

use core::ops::Range;

use warpwise_device::memory::{Atomic, In, InOut};
use warpwise_device::shared::{self, Shared};
use warpwise_device::{element, kernel, math, thread, warp};

use crate::primitives::{block_fill, lower_bound, position, row_of};

/// The most vertices that are kept of each.
pub const MOST: u32 = 32;

/// How the similarity of two vertices follows from a sum and from their degrees.
pub mod measures {
    /// The sum.
    pub const SUM: u32 = 0;
    /// s / (u + v - s).
    pub const JACCARD: u32 = 1;
    /// s / min(u, v).
    pub const OVERLAP: u32 = 2;
    /// s / √(u v).
    pub const COSINE: u32 = 3;
    /// 2 s / (u + v).
    pub const SORENSEN: u32 = 4;
}

element! {
    /// What is wanted.
    #[derive(Debug, PartialEq)]
    pub struct Wanted {
        /// The least similarity.
        pub least: f64,
        /// One of the [`measures`].
        pub measure: u32,
        /// How many vertices are kept of each, up to [`MOST`].
        pub top: u32,
        /// 1 where sums depend on their order.
        pub is_ordered: u32,
        /// 1 where vertices with an edge are left out.
        pub without_edges: u32,
    }
}

/// Bytes of shared memory that a block of some warps has beside its sums: the place in the list that it has, and the best of its warps.
pub const fn control_bytes(warps: u32) -> u32 {
    8 + 12 * warp::SIZE * warps
}

/// Bytes of shared memory of a block of [`similar_in_shared`] whose table has 2^`bits` places.
pub const fn table_bytes(bits: u32, warps: u32) -> u32 {
    control_bytes(warps) + (12 << bits)
}

/// Bytes of shared memory of a block of [`similar_in_slices`] with room for so many doubles, or twice as many integers.
pub const fn slice_bytes(doubles: u32, warps: u32) -> u32 {
    control_bytes(warps) + 8 * doubles
}

/// A place of the table that has no rank.
const NONE: u32 = u32::MAX;

kernel!(
    /// Finds the most similar vertices of each of the `n` ranks of a list. Rank i of the list has `numbers[i]` of them, from `ends[i · top]`
    /// and `scores[i · top]` on, the most similar first, and of equal ones the smaller vertex.
    ///
    /// `rows` has the first place of each rank's neighbours and one past the last in a word, as those of [`Oriented`](crate::primitives::Oriented); neighbours of both
    /// directions ascend. `vertices` has the vertex of each rank. `weights` has what each rank adds for two neighbours of it, above 0. The
    /// paths of two steps from a rank of the list reach at most 2^(`bits` - 1) others. `queue[0]` is 0, and counts the ranks that were taken.
    ///
    /// Launch with whole warps and [`table_bytes`].
    #[requires(
        |shape| list.len() >= n, !queue.is_empty(), vertices.len() >= rows.len(), weights.len() >= rows.len(), bits <= 16,
        numbers.len() >= n, ends.len() >= n * u64::from(wanted.top), scores.len() >= n * u64::from(wanted.top), n < 1 << 31,
        1 <= wanted.top, wanted.top <= MOST, shape.shared_bytes >= table_bytes(bits, shape.block.x.div_ceil(32)),
    )]
    pub unsafe fn similar_in_shared(
        neighbours: In<u32>,
        rows: In<u64>,
        vertices: In<u32>,
        weights: In<f64>,
        list: In<u32>,
        queue: InOut<u32>,
        numbers: InOut<u32>,
        ends: InOut<u32>,
        scores: InOut<f64>,
        wanted: Wanted,
        bits: u32,
        n: u64,
    ) {
        let from = control_bytes(thread::block_dim_x() / warp::SIZE);
        let ranks = shared::array::<u32>(from + (8 << bits), 1 << bits);
        block_fill(ranks, 1 << bits, NONE);
        let block = Block { neighbours, rows, vertices, weights, wanted };
        if wanted.is_ordered == 1 {
            let sums = cleared::<f64>(from, 1 << bits);
            block.run(Table { sums, ranks, bits }, 1, (list, queue), (numbers, ends, scores), n);
        } else {
            let sums = cleared::<u32>(from, 1 << bits);
            block.run(Table { sums, ranks, bits }, 1, (list, queue), (numbers, ends, scores), n);
        }
    }
);

kernel!(
    /// Does what [`similar_in_shared`] does for ranks that may reach all of the `ranks` others. The block goes through the paths once for
    /// each slice of the ranks: as many ranks as there is room for `doubles`, or for twice as many integers where sums do not
    /// depend on their order. Ranks ascend in each row, so that a slice has a part of it.
    ///
    /// Launch with whole warps and [`slice_bytes`].
    #[requires(
        |shape| list.len() >= n, !queue.is_empty(), vertices.len() >= rows.len(), weights.len() >= rows.len(), rows.len() >= u64::from(ranks),
        numbers.len() >= n, ends.len() >= n * u64::from(wanted.top), scores.len() >= n * u64::from(wanted.top), n < 1 << 31,
        1 <= doubles, doubles < 1 << 20, ranks < 1 << 31,
        1 <= wanted.top, wanted.top <= MOST, shape.shared_bytes >= slice_bytes(doubles, shape.block.x.div_ceil(32)),
    )]
    pub unsafe fn similar_in_slices(
        neighbours: In<u32>,
        rows: In<u64>,
        vertices: In<u32>,
        weights: In<f64>,
        list: In<u32>,
        queue: InOut<u32>,
        numbers: InOut<u32>,
        ends: InOut<u32>,
        scores: InOut<f64>,
        wanted: Wanted,
        ranks: u32,
        doubles: u32,
        n: u64,
    ) {
        let from = control_bytes(thread::block_dim_x() / warp::SIZE);
        let block = Block { neighbours, rows, vertices, weights, wanted };
        if wanted.is_ordered == 1 {
            let sums = Slice { sums: cleared::<f64>(from, doubles), first: 0, len: doubles };
            block.run(sums, ranks, (list, queue), (numbers, ends, scores), n);
        } else {
            let len = 2 * doubles;
            let sums = Slice { sums: cleared::<u32>(from, len), first: 0, len };
            block.run(sums, ranks, (list, queue), (numbers, ends, scores), n);
        }
    }
);

/// A sum: a double, or an integer where each common neighbour adds 1.
trait Sum: Atomic {
    /// Nothing.
    const ZERO: Self;

    /// What a common neighbour of this weight adds.
    fn of(weight: f64) -> Self;

    /// Both together.
    fn plus(self, other: Self) -> Self;

    /// The sum as a double.
    fn double(self) -> f64;
}

impl Sum for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn of(weight: f64) -> f64 {
        weight
    }

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline(always)]
    fn double(self) -> f64 {
        self
    }
}

impl Sum for u32 {
    const ZERO: u32 = 0;

    #[inline(always)]
    fn of(_: f64) -> u32 {
        1
    }

    #[inline(always)]
    fn plus(self, other: u32) -> u32 {
        self + other
    }

    #[inline(always)]
    fn double(self) -> f64 {
        f64::from(self)
    }
}

/// Sums in shared memory, from a byte on, all zero. The block calls it together, and waits before it adds to them.
#[inline(always)]
fn cleared<T: Sum>(from: u32, len: u32) -> Shared<T> {
    let sums = shared::array::<T>(from, len);
    block_fill(sums, len, T::ZERO);
    sums
}

/// Adds to a sum. `is_alone` where no other thread does meanwhile.
#[inline(always)]
fn add_to<T: Sum>(sums: Shared<T>, place: u32, weight: f64, is_alone: bool) {
    if is_alone {
        sums.set(place, sums.get(place).plus(T::of(weight)));
    } else {
        sums.atomic_add(place, T::of(weight));
    }
}

/// A rank, and the sum of what its paths add.
struct RankSum {
    rank: u32,
    sum: f64,
}

/// The sums of a block, all 0 at first.
trait Sums: Copy {
    /// Those of a slice of the ranks, from one on.
    fn from(self, first: u32) -> Self;

    /// The part of a row that has ranks of the slice.
    fn part(self, neighbours: In<u32>, row: Range<u32>) -> Range<u32>;

    /// Adds to the sum of a rank. `is_alone` where no other thread does meanwhile.
    fn add(self, rank: u32, weight: f64, is_alone: bool);

    /// One past the last place that may have a rank.
    fn places(self) -> u32;

    /// Takes the rank at a place and its sum, which is 0 then. There is no rank where the sum is 0.
    fn take(self, place: u32) -> RankSum;
}

/// Sums in a table with open addressing, of any rank.
#[derive(Clone, Copy)]
struct Table<T: Sum> {
    sums: Shared<T>,
    ranks: Shared<u32>,
    bits: u32,
}

impl<T: Sum> Sums for Table<T> {
    #[inline(always)]
    fn from(self, _: u32) -> Self {
        self
    }

    #[inline(always)]
    fn part(self, _: In<u32>, row: Range<u32>) -> Range<u32> {
        row
    }

    #[inline(always)]
    fn add(self, rank: u32, weight: f64, is_alone: bool) {
        // Fibonacci hashing: the upper bits of a product with 2³² by the golden ratio.
        let mut place = rank.wrapping_mul(0x9e37_79b9) >> (32 - self.bits);
        // Half of the places stay free.
        loop {
            let there = self.ranks.atomic_compare_exchange(place, NONE, rank);
            if there == NONE || there == rank {
                break;
            }
            place = (place + 1) & ((1 << self.bits) - 1);
        }
        add_to(self.sums, place, weight, is_alone);
    }

    #[inline(always)]
    fn places(self) -> u32 {
        1 << self.bits
    }

    #[inline(always)]
    fn take(self, place: u32) -> RankSum {
        let (rank, sum) = (self.ranks.get(place), self.sums.get(place).double());
        if rank != NONE {
            self.ranks.set(place, NONE);
            self.sums.set(place, T::ZERO);
        }
        RankSum { rank, sum }
    }
}

/// A sum for each of `len` ranks from `first` on.
#[derive(Clone, Copy)]
struct Slice<T: Sum> {
    sums: Shared<T>,
    first: u32,
    len: u32,
}

impl<T: Sum> Sums for Slice<T> {
    #[inline(always)]
    fn from(self, first: u32) -> Self {
        Slice { first, ..self }
    }

    #[inline(always)]
    fn part(self, neighbours: In<u32>, Range { start, end }: Range<u32>) -> Range<u32> {
        let from =
            if self.first == 0 { start } else { lower_bound(neighbours, start, end, self.first) };
        from..lower_bound(neighbours, from, end, self.first + self.len)
    }

    #[inline(always)]
    fn add(self, rank: u32, weight: f64, is_alone: bool) {
        add_to(self.sums, rank - self.first, weight, is_alone);
    }

    #[inline(always)]
    fn places(self) -> u32 {
        self.len
    }

    #[inline(always)]
    fn take(self, place: u32) -> RankSum {
        let sum = self.sums.get(place).double();
        if sum > 0.0 {
            self.sums.set(place, T::ZERO);
        }
        RankSum { rank: self.first + place, sum }
    }
}

/// The best vertices that a warp saw, one in each lane, the best first.
#[derive(Clone, Copy)]
struct Best {
    score: f64,
    vertex: u32,
}

impl Best {
    /// Nothing yet.
    const NOTHING: Best = Best { score: 0.0, vertex: NONE };

    #[inline(always)]
    fn is_before(self, other: Best) -> bool {
        self.score > other.score || (self.score == other.score && self.vertex < other.vertex)
    }

    #[inline(always)]
    fn of_lane(self, lane: u32) -> Best {
        let score = warp::warp_shuffle_idx(warp::ALL, self.score, lane);
        Best { score, vertex: warp::warp_shuffle_idx(warp::ALL, self.vertex, lane) }
    }

    /// Takes a vertex of each lane, where that is among the first `top`. The warp calls it together.
    #[inline(always)]
    fn take(&mut self, of_lane: Best, top: u32) {
        let last = self.of_lane(top - 1);
        let mut better = warp::warp_vote_ballot(warp::ALL, of_lane.is_before(last));
        while better != 0 {
            let new = of_lane.of_lane(better.trailing_zeros());
            let before = warp::warp_vote_ballot(warp::ALL, self.is_before(new)).count_ones();
            let score = warp::warp_shuffle_up(warp::ALL, self.score, 1);
            let vertex = warp::warp_shuffle_up(warp::ALL, self.vertex, 1);
            let lane = warp::lane_id();
            if lane == before {
                *self = new;
            } else if lane > before {
                *self = Best { score, vertex };
            }
            better &= better - 1;
        }
    }
}

/// What a block works with.
#[derive(Clone, Copy)]
struct Block {
    neighbours: In<u32>,
    rows: In<u64>,
    vertices: In<u32>,
    weights: In<f64>,
    wanted: Wanted,
}

impl Block {
    /// The first place of a rank's neighbours, and one past the last.
    #[inline(always)]
    fn row(self, rank: u32) -> Range<u32> {
        row_of(self.rows, rank)
    }

    /// Takes ranks from the list until there are none. The sums are those of slices of so many ranks, or of 1 where one has all.
    #[inline(always)]
    fn run<S: Sums>(
        self,
        sums: S,
        ranks: u32,
        (list, queue): (In<u32>, InOut<u32>),
        to: (InOut<u32>, InOut<u32>, InOut<f64>),
        n: u64,
    ) {
        let control = shared::array::<u32>(0, 1);
        loop {
            if thread::thread_idx_x() == 0 {
                control.set(0, queue.atomic_add(0, 1));
            }
            thread::sync_threads();
            let at = u64::from(control.get(0));
            if at >= n {
                break;
            }
            let (rank, mut best) = (list.get(at), Best::NOTHING);
            let mut first = 0;
            while first < ranks {
                let sums = sums.from(first);
                self.add_paths(sums, rank);
                thread::sync_threads();
                self.take_best(&mut best, sums, rank);
                thread::sync_threads();
                first += sums.places();
            }
            self.write(best, at, to);
        }
    }

    /// Adds what each path of two steps from a rank adds to the sum of its end. The block calls it together.
    #[inline(always)]
    fn add_paths<S: Sums>(self, sums: S, rank: u32) {
        let Range { start, end } = self.row(rank);
        let warps = thread::block_dim_x() / warp::SIZE;
        let is_alone = self.wanted.is_ordered == 1 || warps == 1;
        if is_alone {
            let mut at = end;
            while at > start {
                at -= 1;
                self.add_row(sums, at, thread::thread_idx_x(), thread::block_dim_x(), true);
                thread::sync_threads();
            }
        } else {
            for at in thread::strided(start + thread::thread_idx_x() / warp::SIZE..end, warps) {
                self.add_row(sums, at, warp::lane_id(), warp::SIZE, false);
            }
        }
    }

    /// Adds what the paths over one neighbour add, which is at a place.
    #[inline(always)]
    fn add_row<S: Sums>(self, sums: S, at: u32, thread: u32, threads: u32, is_alone: bool) {
        let middle = self.neighbours.get(u64::from(at));
        let row = self.row(middle);
        // A path back over a neighbour that has no other leads to the rank itself.
        if row.end - row.start > 1 {
            let Range { start, end } = sums.part(self.neighbours, row);
            let weight = self.weights.get(u64::from(middle));
            for at in thread::strided(start + thread..end, threads) {
                sums.add(self.neighbours.get(u64::from(at)), weight, is_alone);
            }
        }
    }

    /// Takes the best of those that were reached, as far as this warp sees them. The warp calls it together.
    #[inline(always)]
    fn take_best<S: Sums>(self, best: &mut Best, sums: S, rank: u32) {
        let Range { start, end } = self.row(rank);
        let places = sums.places();
        let begin = thread::thread_idx_x() - warp::lane_id();
        for first in thread::strided(begin..places, thread::block_dim_x()) {
            let place = first + warp::lane_id();
            let mut found = Best::NOTHING;
            if place < places {
                let RankSum { rank: other, sum } = sums.take(place);
                if sum > 0.0 && other != rank {
                    let Range { start: from, end: to } = self.row(other);
                    let score = self.score(sum, end - start, to - from);
                    let is_wanted = score >= self.wanted.least
                        && (self.wanted.without_edges == 0
                            || position(self.neighbours, start, end, other).is_none());
                    if is_wanted {
                        found = Best { score, vertex: self.vertices.get(u64::from(other)) };
                    }
                }
            }
            best.take(found, self.wanted.top);
        }
    }

    /// How alike two ranks of these degrees are.
    #[inline(always)]
    fn score(self, sum: f64, u: u32, v: u32) -> f64 {
        let (u, v) = (f64::from(u), f64::from(v));
        match self.wanted.measure {
            measures::JACCARD => sum / (u + v - sum),
            measures::OVERLAP => sum / if u < v { u } else { v },
            measures::COSINE => sum / math::sqrt(u * v),
            measures::SORENSEN => 2.0 * sum / (u + v),
            _ => sum,
        }
    }

    /// Writes the best of all warps. The block calls it together.
    #[inline(always)]
    fn write(self, mut best: Best, at: u64, to: (InOut<u32>, InOut<u32>, InOut<f64>)) {
        let (numbers, ends, scores) = to;
        let (lane, me) = (warp::lane_id(), thread::thread_idx_x());
        let warps = thread::block_dim_x() / warp::SIZE;
        let of_warps = shared::array::<f64>(8, warps * warp::SIZE);
        let vertices = shared::array::<u32>(8 + 8 * warps * warp::SIZE, warps * warp::SIZE);
        of_warps.set(me, best.score);
        vertices.set(me, best.vertex);
        thread::sync_threads();
        if me < warp::SIZE {
            for other in 1..warps {
                let from = other * warp::SIZE + lane;
                let of_warp = Best { score: of_warps.get(from), vertex: vertices.get(from) };
                best.take(of_warp, self.wanted.top);
            }
            let top = self.wanted.top;
            let is_found = lane < top && best.vertex != NONE;
            let number = warp::warp_vote_ballot(warp::ALL, is_found).count_ones();
            let to = at * u64::from(top) + u64::from(lane);
            if is_found {
                ends.set(to, best.vertex);
                scores.set(to, best.score);
            }
            if lane == 0 {
                numbers.set(at, number);
            }
        }
    }
}
