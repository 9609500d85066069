//! Triangles by the directions of their edges.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`directed_kinds`] | edges | directed triangles at both ends of the edge that closes them; those at the third corner by edge |
//! | [`directed_thirds`] | edges | adds what was kept by edge to the third corners |
//! | [`directed_codes`] | edges | triangles by the directions of their three edges |
//!
//! Ranks of a triangle are b < a < u. It is come upon at its edge u → a of the oriented graph, at the places of the edges
//! u → b and a → b. Each edge has two bits: [`DOWN`] where the input has an arc from the larger rank to the smaller, and
//! [`UP`] for the other way; at least one is set.
//!
//! A choice of an arc on each edge is a directed triangle. What it is to a corner depends on the three directions, so
//! that it is enough to count, for an edge whose own bits are known, four numbers: how often the other two edges have
//! arcs of either direction each.
//!
//! | of a triangle | four numbers by | where |
//! | --- | --- | --- |
//! | what it is to u and a | the arcs of u – b and a – b | registers of the lane that has the edge u → a |
//! | what it is to b | the arcs of u – a and a – b | a word of the edge u → b in global memory, an addition a triangle |
//!
//! b is the corner of the most edges: triangles that were added to it one by one would wait for one another, and words
//! of edges do not.

use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread, warp};

use crate::primitives::{Lists, Oriented, block_add_to};
use crate::triangle_chunks::Edges;

/// Threads in a block.
pub const BLOCK: u32 = 128;

/// The bit of an arc from the larger rank of an edge to the smaller.
pub const DOWN: u8 = 0b01;

/// The bit of an arc from the smaller rank of an edge to the larger.
pub const UP: u8 = 0b10;

/// Numbers of a rank: cycles, middleman's, in- and out-triangles.
pub const KINDS: u64 = 4;

/// Numbers that [`directed_codes`] finds: each edge has an arc down, up, or both.
pub const CODES: u32 = 27;

/// Most triangles that [`directed_codes`] may count in 32 bits before it adds them up: a warp counts less than 2²³ more
/// before it looks again.
pub const MOST_AT_ONCE: u32 = 1 << 31;

/// Bytes of shared memory of a block of [`directed_codes`].
pub const fn shared_bytes(threads: u32) -> u32 {
    4 * CODES * threads
}

/// Words of `thirds` for each edge: one where 16 bits hold a number, and two where 32 bits are needed.
pub const fn words_of_edge(wide: bool) -> u64 {
    if wide { 2 } else { 1 }
}

kernel!(
    /// Adds to `kinds[KINDS * rank + kind]` the directed triangles at the ranks u and a of every triangle, and to
    /// `thirds` what [`directed_thirds`] adds at b.
    ///
    /// `thirds` has a word an edge, of four numbers of 16
    /// bits, unless `wide` is not 0: then there are two, of two numbers of 32 bits each. A number of the edge u → b is
    /// at most the number of edges of u's row behind it: 16 bits hold it if no row is longer than 2¹⁶. A lane has at
    /// most 2¹⁸ triangles on its edge and twice as many directed ones of a kind, and a warp below 2²⁴.
    ///
    /// As in `count_tiles`, lanes merge or all look wedges up together. Launch with whole warps.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, bits.len() >= m, m < 1 << 32, kinds.len() >= KINDS * graph.rows.len(),
        thirds.len() >= m * words_of_edge(wide != 0),
    )]
    pub unsafe fn directed_kinds(
        graph: Oriented,
        bits: In<u8>,
        kinds: InOut<u64>,
        thirds: InOut<u64>,
        wide: u32,
        m: u64,
    ) {
        let lane = warp::lane_id();
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - u64::from(lane) < m {
            let is_edge = i < m;
            let edges = Edges::of(graph, i, is_edge);
            let (mut tail, mut head, mut own) = (0, 0, 0);
            if is_edge {
                tail = graph.tails.get(i);
                head = graph.heads.get(i);
                own = u32::from(bits.get(i));
            }
            let mut found = [0u32; 4];
            if edges.are_merged() {
                let mut lists =
                    if edges.len > 0 { Lists::of(graph, i as u32) } else { Lists::NONE };
                while let Some(places) = lists.next_shared(graph.heads, graph.heads) {
                    let [ub, ab] = bits_of(bits, places);
                    add_third(thirds, wide, places[0], own, ab);
                    for number in 0..4 {
                        found[number] += has(ub, ab, number as u32);
                    }
                }
            } else {
                for first in thread::strided(0..edges.wedges, warp::SIZE) {
                    let wedge = edges.wedge::<{ warp::SIZE }>(graph.heads, first + lane);
                    let ua = warp::warp_shuffle_idx(warp::ALL, own, wedge.edge);
                    let (mut ub, mut ab) = (0, 0);
                    if wedge.closes {
                        let places = in_order(wedge.places);
                        [ub, ab] = bits_of(bits, places);
                        add_third(thirds, wide, places[0], ua, ab);
                    }
                    let mine = lanes_between(
                        edges.start.saturating_sub(first),
                        (edges.start + edges.len).saturating_sub(first),
                    );
                    for number in 0..4 {
                        let there = has(ub, ab, number as u32) != 0;
                        let those = warp::warp_vote_ballot(warp::ALL, there);
                        found[number] += (those & mine).count_ones();
                    }
                }
            }

            // By the arcs of u – b and then of a – b.
            let [down_down, down_up, up_down, up_up] = found;
            let (down, up) = (own & 1, own >> 1 & 1);
            let cycles = down * up_down + up * down_up;
            let of_tail = [
                cycles,
                down * up_up + up * down_down,
                up * (up_down + up_up),
                down * (down_down + down_up),
            ];
            let of_head = [
                cycles,
                down * down_down + up * up_up,
                down * (down_up + up_up),
                up * (down_down + up_down),
            ];
            // The edges of a long row have one tail: its numbers are added up first.
            let first_tail = warp::warp_shuffle_idx(warp::ALL, tail, 0);
            let one_tail = warp::warp_vote_all(warp::ALL, !is_edge | (tail == first_tail));
            for kind in 0..KINDS as usize {
                let mut at_tail = of_tail[kind];
                if one_tail {
                    let all = warp::warp_reduce_add_32(warp::ALL, at_tail);
                    at_tail = if lane == 0 { all } else { 0 };
                }
                if at_tail > 0 {
                    kinds.atomic_add(KINDS * u64::from(tail) + kind as u64, u64::from(at_tail));
                }
                if of_head[kind] > 0 {
                    kinds.atomic_add(
                        KINDS * u64::from(head) + kind as u64,
                        u64::from(of_head[kind]),
                    );
                }
            }
            i += stride;
        }
    }
);

kernel!(
    /// Adds to `kinds[KINDS * rank + kind]` the directed triangles at the smallest rank b of every triangle, from what
    /// [`directed_kinds`] kept in `thirds` for the edges u → b.
    ///
    /// A rank has fewer than 2⁴⁵ triangles with 2³² edges, and eight directed ones of each: no sum overflows.
    #[requires(heads.len() >= m, bits.len() >= m, thirds.len() >= m * words_of_edge(wide != 0))]
    pub unsafe fn directed_thirds(
        heads: In<u32>,
        bits: In<u8>,
        thirds: In<u64>,
        kinds: InOut<u64>,
        wide: u32,
        m: u64,
    ) {
        for i in thread::of_grid(m) {
            // By the arcs of u – a and then of a – b.
            let [down_down, down_up, up_down, up_up] = if wide != 0 {
                let (low, high) = (thirds.get(2 * i), thirds.get(2 * i + 1));
                [low & 0xffff_ffff, low >> 32, high & 0xffff_ffff, high >> 32]
            } else {
                let word = thirds.get(i);
                [word & 0xffff, word >> 16 & 0xffff, word >> 32 & 0xffff, word >> 48]
            };
            if down_down | down_up | up_down | up_up != 0 {
                let own = u64::from(bits.get(i));
                let (down, up) = (own & 1, own >> 1 & 1);
                let of_third = [
                    down * up_up + up * down_down,
                    down * down_up + up * up_down,
                    down * (down_down + up_down),
                    up * (down_up + up_up),
                ];
                let first = KINDS * u64::from(heads.get(i));
                for kind in 0..KINDS as usize {
                    if of_third[kind] > 0 {
                        kinds.atomic_add(first + kind as u64, of_third[kind]);
                    }
                }
            }
        }
    }
);

kernel!(
    /// Adds to `codes` the number of triangles of each code: nine times what the edge u – a has, three times what u – b
    /// has, and what a – b has, where an arc down counts 0, up 1, and both 2.
    ///
    /// The other arguments are as [`directed_kinds`] takes them. Each thread counts in its own column of shared memory,
    /// in 32 bits; before a warp has seen `most` wedges and those of 32 edges more, less than 2²³, its columns are added
    /// up in 64 bits. There are fewer than 2⁴⁸ triangles.
    ///
    /// Launch with whole warps and [`shared_bytes`].
    #[requires(
        |shape| graph.tails.len() >= m, graph.heads.len() >= m, bits.len() >= m, m < 1 << 32, codes.len() >= u64::from(CODES),
        most <= MOST_AT_ONCE, shape.shared_bytes >= shared_bytes(shape.block.x),
    )]
    pub unsafe fn directed_codes(
        graph: Oriented,
        bits: In<u8>,
        codes: InOut<u64>,
        most: u32,
        m: u64,
    ) {
        let lane = warp::lane_id();
        let threads = thread::block_dim_x();
        let column = Column {
            counts: shared::array::<u32>(0, CODES * threads),
            threads,
            thread: thread::thread_idx_x(),
        };
        column.clear();
        let stride = thread::grid_size();
        let mut seen = 0;
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - u64::from(lane) < m {
            let is_edge = i < m;
            let edges = Edges::of(graph, i, is_edge);
            let own = if is_edge { u32::from(bits.get(i)) } else { 0 };
            if edges.are_merged() {
                let mut lists =
                    if edges.len > 0 { Lists::of(graph, i as u32) } else { Lists::NONE };
                while let Some(places) = lists.next_shared(graph.heads, graph.heads) {
                    let [ub, ab] = bits_of(bits, places);
                    column.count(own, ub, ab);
                }
            } else {
                for first in thread::strided(0..edges.wedges, warp::SIZE) {
                    let wedge = edges.wedge::<{ warp::SIZE }>(graph.heads, first + lane);
                    let ua = warp::warp_shuffle_idx(warp::ALL, own, wedge.edge);
                    if wedge.closes {
                        let [ub, ab] = bits_of(bits, in_order(wedge.places));
                        column.count(ua, ub, ab);
                    }
                }
            }
            seen += edges.wedges;
            if seen >= most {
                column.add_to(codes);
                column.clear();
                seen = 0;
            }
            i += stride;
        }
        column.add_to(codes);
    }
);

/// A thread's numbers in shared memory, a column: threads of a warp write to different banks.
#[derive(Clone, Copy)]
struct Column {
    counts: Shared<u32>,
    threads: u32,
    thread: u32,
}

impl Column {
    #[inline(always)]
    fn at(self, code: u32) -> u32 {
        code * self.threads + self.thread
    }

    #[inline(always)]
    fn clear(self) {
        for code in 0..CODES {
            self.counts.set(self.at(code), 0);
        }
    }

    #[inline(always)]
    fn count(self, ua: u32, ub: u32, ab: u32) {
        let at = self.at(9 * direction(ua) + 3 * direction(ub) + direction(ab));
        self.counts.set(at, self.counts.get(at) + 1);
    }

    /// The whole warp calls it.
    #[inline(always)]
    fn add_to(self, codes: InOut<u64>) {
        for code in 0..CODES {
            block_add_to(codes, u64::from(code), u64::from(self.counts.get(self.at(code))));
        }
    }
}

/// 0 for an arc down, 1 for one up, 2 for both.
#[inline(always)]
fn direction(bits: u32) -> u32 {
    (bits & 3).saturating_sub(1)
}

/// Whether an edge has an arc of the first direction of a number, and another one of the second.
#[inline(always)]
fn has(one: u32, other: u32, number: u32) -> u32 {
    one >> (number >> 1) & other >> (number & 1) & 1
}

/// Adds a triangle to the numbers of the edge u → b.
#[inline(always)]
fn add_third(thirds: InOut<u64>, wide: u32, place: u32, ua: u32, ab: u32) {
    let (down, up) = (u64::from(ab & 1), u64::from(ab >> 1 & 1));
    if wide != 0 {
        let two = up << 32 | down;
        if ua & 1 != 0 {
            thirds.atomic_add(2 * u64::from(place), two);
        }
        if ua & 2 != 0 {
            thirds.atomic_add(2 * u64::from(place) + 1, two);
        }
    } else {
        let two = up << 16 | down;
        let low = if ua & 1 != 0 { two } else { 0 };
        let high = if ua & 2 != 0 { two << 32 } else { 0 };
        thirds.atomic_add(u64::from(place), low | high);
    }
}

/// The place in the row of u, and the one in the row of a: rows stand in the order of their tails, and a < u.
#[inline(always)]
fn in_order([one, other]: [u32; 2]) -> [u32; 2] {
    [one.max(other), one.min(other)]
}

/// What the edges at two places have.
#[inline(always)]
fn bits_of(bits: In<u8>, places: [u32; 2]) -> [u32; 2] {
    places.map(|place| u32::from(bits.get(u64::from(place))))
}

/// The lanes from `first` to before `end`, either of which may be past the last.
#[inline(always)]
fn lanes_between(first: u32, end: u32) -> u32 {
    lanes_before(end) & !lanes_before(first)
}

#[inline(always)]
fn lanes_before(end: u32) -> u32 {
    if end < warp::SIZE { (1 << end) - 1 } else { warp::ALL }
}
