//! Every triangle once, at a place of its own, so that any range of places can be written alone.
//!
//! Edges stand in tiles of [`TILE`]. [`count_tiles`] says how many triangles the edges of a tile close, the sum over the tiles before is the tile's first place, and [`write_triangles`] writes the triangles at some
//! places. The order is that of the edges, and ascending by the third vertex on each: it depends on the oriented graph
//! alone.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use crate::forward::merge_edge;
use crate::primitives::{Lists, Oriented, lower_bound};

/// Threads in a block.
pub const BLOCK: u32 = 128;

/// Edges of a tile, which a warp writes. With 32 edges a chunk of 2²³ triangles waited for the few warps that had the
/// longest rows: on an H200 the chunks of rmat20 took 26 ms, three times the count.
pub const TILE: u32 = 8;

/// Tiles that a warp counts.
const TILES_OF_WARP: usize = (warp::SIZE / TILE) as usize;

/// Words of a triangle.
pub const CORNERS: u64 = 3;

kernel!(
    /// `counts[t]` = how many triangles the edges of tile `t` close.
    ///
    /// A row has fewer than 2¹⁸ entries, so that a warp has fewer than 2²³ triangles and wedges.
    ///
    /// A warp takes an edge a lane. Each lane merges its edge's lists, or all look wedges up together, which takes about
    /// as long as half of them would take to be merged one after another: the longest lists decide which is sooner done.
    /// Launch with whole warps.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, counts.len() >= m.div_ceil(u64::from(TILE)),
    )]
    pub unsafe fn count_tiles(graph: Oriented, counts: InOut<u32>, m: u64) {
        let lane = warp::lane_id();
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - u64::from(lane) < m {
            let edges = Edges::of(graph, i, i < m);
            let mut found = [0; TILES_OF_WARP];
            if edges.are_merged() {
                let merged = if edges.len > 0 { merge_edge(graph, i as u32) } else { 0 };
                for tile in 0..TILES_OF_WARP {
                    found[tile] = if lane / TILE == tile as u32 { merged } else { 0 };
                }
            } else {
                for first in thread::strided(0..edges.wedges, warp::SIZE) {
                    let wedge = edges.wedge::<{ warp::SIZE }>(graph.heads, first + lane);
                    for tile in 0..TILES_OF_WARP {
                        found[tile] += u32::from(wedge.closes && wedge.edge / TILE == tile as u32);
                    }
                }
            }
            for tile in 0..TILES_OF_WARP {
                let found = warp::warp_reduce_add_32(warp::ALL, found[tile]);
                if lane == tile as u32 * TILE && i < m {
                    counts.set(i / u64::from(TILE), found);
                }
            }
            i += stride;
        }
    }
);

kernel!(
    /// Writes the triangles at the places from `from` to before `to`: the one at place p to the [`CORNERS`] words of
    /// `triangles` from [`CORNERS`] · (p - `from`) on, as its vertices in ascending order.
    ///
    /// `places[t]` is the number of triangles in the
    /// tiles before `t`, and the last of them the number of all. Launch with whole warps.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, vertex_of_rank.len() >= graph.rows.len(),
        places.len() > m.div_ceil(u64::from(TILE)), from <= to, triangles.len() / CORNERS >= to - from,
    )]
    pub unsafe fn write_triangles(
        graph: Oriented,
        vertex_of_rank: In<u32>,
        places: In<u64>,
        triangles: InOut<u32>,
        m: u64,
        from: u64,
        to: u64,
    ) {
        let lane = warp::lane_id();
        let tiles = m.div_ceil(u64::from(TILE));
        let stride = thread::grid_size() / u64::from(warp::SIZE);
        let begin = tile_of(places, tiles, from) + thread::index_1d() / u64::from(warp::SIZE);
        for tile in thread::strided(begin..tiles, stride) {
            let mut place = places.get(tile);
            if place >= to {
                break;
            }
            // After the last of the tile's triangles no wedge closes.
            let end = places.get(tile + 1).min(to);
            if end > place && end > from {
                let i = tile * u64::from(TILE) + u64::from(lane);
                let is_edge = lane < TILE && i < m;
                let edges = Edges::of(graph, i, is_edge);
                let (mut u, mut a) = (0, 0);
                if is_edge {
                    u = vertex_of_rank.get(u64::from(graph.tails.get(i)));
                    a = vertex_of_rank.get(u64::from(graph.heads.get(i)));
                }
                let mut first = 0;
                // The warp goes round together: its lanes speak to one another.
                while place < end && first < edges.wedges {
                    let wedge = edges.wedge::<TILE>(graph.heads, first + lane);
                    let closing = warp::warp_vote_ballot(warp::ALL, wedge.closes);
                    let at = place + u64::from((closing & warp::lane_mask_lt()).count_ones());
                    let u = warp::warp_shuffle_idx(warp::ALL, u, wedge.edge);
                    let a = warp::warp_shuffle_idx(warp::ALL, a, wedge.edge);
                    if wedge.closes && at >= from && at < to {
                        let w = vertex_of_rank.get(u64::from(wedge.rank));
                        let (low, high) = (u.min(a), u.max(a));
                        let word = CORNERS * (at - from);
                        triangles.set(word, low.min(w));
                        triangles.set(word + 1, low.max(high.min(w)));
                        triangles.set(word + 2, high.max(w));
                    }
                    place += u64::from(closing.count_ones());
                    first += warp::SIZE;
                }
            }
        }
    }
);

/// The last tile whose first place is at most `place`; the whole warp calls it, with the same place.
#[inline(always)]
fn tile_of(places: In<u64>, tiles: u64, place: u64) -> u64 {
    let lane = u64::from(warp::lane_id());
    let mut first = 0;
    let mut len = tiles;
    // Each lane looks at one of 32 parts: a few reads one after another, and not one a bit.
    while len > 1 {
        let step = len.div_ceil(u64::from(warp::SIZE));
        let at = first + lane * step;
        let before = lane * step < len && places.get(at) <= place;
        // Lane 0 always is: the first tile that is looked at begins at the place or before.
        let passed = u64::from(warp::warp_vote_ballot(warp::ALL, before).count_ones()).max(1) - 1;
        first += passed * step;
        len = step.min(len - passed * step);
    }
    first
}

/// The edges of a warp, one a lane, and their wedges: the entries of the shorter of an edge's two lists, which are
/// looked up in the longer. The wedges of a warp have numbers, edge by edge.
#[derive(Clone, Copy)]
pub(crate) struct Edges {
    /// The number of this lane's first wedge.
    pub start: u32,
    /// Where its list would begin if it had wedge 0: a wedge's entry is at this place and its number, modulo 2³².
    short: u32,
    /// The list that is looked into.
    long: u32,
    long_end: u32,
    /// Wedges of this lane.
    pub len: u32,
    /// Wedges of all lanes.
    pub wedges: u32,
}

/// What became of a wedge.
#[derive(Clone, Copy)]
pub(crate) struct Wedge {
    pub closes: bool,
    /// The lane that has its edge.
    pub edge: u32,
    /// The smallest rank of its triangle, if it closes.
    rank: u32,
    /// The places of the other two edges of its triangle, if it closes, in no order.
    pub places: [u32; 2],
}

impl Edges {
    /// With the edge at place `i` for this lane, or none.
    #[inline(always)]
    pub fn of(graph: Oriented, i: u64, is_edge: bool) -> Edges {
        let lists = if is_edge { Lists::of(graph, i as u32) } else { Lists::NONE };
        let [short, long] = lists.shorter_first();
        let len = short.end - short.start;
        let end = warp::warp_scan_add_32(len);
        let start = end - len;
        let wedges = warp::warp_shuffle_idx(warp::ALL, end, warp::SIZE - 1);
        let short = short.start.wrapping_sub(start);
        Edges { start, short, long: long.start, long_end: long.end, len, wedges }
    }

    /// Looks a wedge up. The whole warp calls it; a number past the last is no wedge. The first `LANES` lanes, a power
    /// of two, have all edges.
    #[inline(always)]
    pub fn wedge<const LANES: u32>(self, heads: In<u32>, number: u32) -> Wedge {
        // The last lane that starts at the number or before: of lanes that start at one number only the last has wedges.
        let mut edge = 0;
        let mut step = LANES / 2;
        while step > 0 {
            let start = warp::warp_shuffle_idx(warp::ALL, self.start, edge + step);
            edge += if start <= number { step } else { 0 };
            step /= 2;
        }
        let short = warp::warp_shuffle_idx(warp::ALL, self.short, edge);
        let long = warp::warp_shuffle_idx(warp::ALL, self.long, edge);
        let long_end = warp::warp_shuffle_idx(warp::ALL, self.long_end, edge);
        let place = short.wrapping_add(number);
        let (mut closes, mut rank, mut at) = (false, 0, 0);
        if number < self.wedges {
            rank = heads.get(u64::from(place));
            at = lower_bound(heads, long, long_end, rank);
            closes = at < long_end && heads.get(u64::from(at)) == rank;
        }
        Wedge { closes, edge, rank, places: [place, at] }
    }

    /// Whether the warp is sooner done if each lane merges its edge's lists than if all look wedges up together, which
    /// takes about as long as half of them would take to be merged one after another. The whole warp calls it.
    #[inline(always)]
    pub fn are_merged(self) -> bool {
        let steps = self.len + self.long_end - self.long;
        warp::warp_reduce_max_32(warp::ALL, steps) <= self.wedges / 2
    }
}
