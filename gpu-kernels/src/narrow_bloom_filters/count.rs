use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, thread, warp};

use super::held_wedges::{HeldWedges, is_in_row};
use super::passing::{passing_before, passing_of_batch};
use super::{BITS_LOG2, bits, most_exact, words};
use crate::forward::TOTALS;
use crate::primitives::{Oriented, block_add_to, row_of};

/// Threads in a block of [`filter_count`].
pub const COUNT_BLOCK: u32 = 64;

/// Blocks a multiprocessor of [`filter_count`]. Warps that go round more often hold more wedges before they search for what
/// is left at the end, and fewer blocks have more unequal work.
pub const BLOCKS_PER_MULTIPROCESSOR: u32 = 256;

/// Bytes of shared memory of a block of [`filter_count`] that has `threads`.
pub const fn count_shared_bytes(threads: u32) -> u32 {
    HeldWedges::shared_bytes(threads)
}

kernel!(
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// `filters` are those of `narrow_bloom_filters` for at most 64 bits a row, and
    /// `pairs` are the same, two words to an element.
    ///
    /// A lane takes an edge u → a with a's filter, and the bits of the vertices of its prefix go by. Those of its own warp's
    /// edges go from lane to lane. The others come from memory, one for all lanes at a time. Few wedges are left, and to search
    /// a row is a chain of reads. So a warp holds these wedges until each lane has one.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS, (BITS_LOG2.0..7).contains(&bits_log2),
        exact <= most_exact(bits_log2), filters.len() >= words(graph.rows.len(), bits_log2), pairs.len() == filters.len() / 2,
    )]
    #[launch_bounds(COUNT_BLOCK, 32)]
    pub unsafe fn filter_count(
        graph: Oriented,
        filters: In<u32>,
        pairs: In<u64>,
        totals: InOut<u64>,
        first: u64,
        m: u64,
        bits_log2: u32,
        exact: u32,
    ) {
        let filter_of = |row: u32| {
            if bits_log2 > 5 {
                let both = pairs.get(u64::from(row));
                return [both as u32, (both >> 32) as u32];
            }
            let rows_log2 = 5 - bits_log2;
            let in_word = row & ((1 << rows_log2) - 1);
            [filters.get(u64::from(row >> rows_log2)) >> (in_word << bits_log2); 2]
        };
        let count = count_by(graph, filter_of, first, m, bits_log2, exact);
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

kernel!(
    /// The same as [`filter_count`] by 128 bits a row: `quads` are the filters, four words to an element.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS, exact <= most_exact(7),
        quads.len() >= graph.rows.len(),
    )]
    #[launch_bounds(COUNT_BLOCK, 24)]
    pub unsafe fn filter_count_128(
        graph: Oriented,
        quads: In<U64x2>,
        totals: InOut<u64>,
        first: u64,
        m: u64,
        exact: u32,
    ) {
        let filter_of = |row: u32| quads.get(u64::from(row)).0;
        let count = count_by(graph, filter_of, first, m, 7, exact);
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// What a thread of [`filter_count`] counts. `filter_of` is the filter of a row.
#[inline(always)]
fn count_by<F: Filter>(
    graph: Oriented,
    filter_of: impl Fn(u32) -> F,
    first: u64,
    m: u64,
    bits_log2: u32,
    exact: u32,
) -> u64 {
    let lane = warp::lane_id();
    let first_ranks = (1 << exact) - 1;
    let closes = |vertex, head| is_in_row(graph, vertex, head);
    let mut held = HeldWedges::none();
    let warp_first = first + thread::index_1d() - u64::from(lane);
    // Edges from the warp's first on: at most m, and so below 2³².
    let mut left = m.saturating_sub(warp_first) as u32;
    let stride = thread::grid_size().min(u64::from(u32::MAX)) as u32;
    while left > 0 {
        let warp_start = m as u32 - left;
        let place = warp_start.wrapping_add(lane);
        let (mut tail, mut head, mut start) = (0, 0, place);
        if lane < left {
            tail = graph.tails.get(u64::from(place));
            head = graph.heads.get(u64::from(place));
            start = row_of(graph.rows, tail).start;
        }
        let mut filter = F::default();
        if start < place {
            filter = filter_of(head);
            if exact > 0 {
                // Entries of the head's row are before the head, and so are those that both rows have.
                let both = filter.first_bits() & filter_of(tail).first_bits();
                held.count += u64::from((both & first_ranks).count_ones());
            }
        }
        // The first ranks are counted.
        filter = filter.without(first_ranks);
        // The part of the prefix that this warp's lanes have, and the part before.
        let own = if lane < left { place - start.max(warp_start) } else { 0 };
        let own_bits = join(bits(head, bits_log2, exact));
        let passes = |bits| filter.passes(bits);
        let found = passing_before(own, own_bits, passes);
        let place_of = |bit| place - 1 - bit;
        held.hold_all(found, (graph.heads, head), place_of, closes);
        // Only the row that goes on from the warp before has such a part: lane 0's.
        let mut from = warp::warp_shuffle_idx(warp::ALL, start, 0);
        while from < warp_start {
            let batch = (warp_start - from).min(warp::SIZE);
            let vertex = if lane < batch { graph.heads.get(u64::from(from + lane)) } else { 0 };
            let vertex_bits = join(bits(vertex, bits_log2, exact));
            let mut found = passing_of_batch(batch, vertex_bits, passes);
            if start >= warp_start {
                found = 0;
            }
            held.hold_all(found, (graph.heads, head), |bit| from + bit, closes);
            from += batch;
        }
        left = left.saturating_sub(stride);
    }
    held.finish(closes)
}

/// The bits of a row that each of the two hash functions chooses from. Bits behind these are another row's.
trait Filter: Copy + Default {
    /// 1 if both of a vertex' bits are set, and 0 if not.
    fn passes(self, bits: u32) -> u32;

    /// The first 32 bits that the first function chooses from.
    fn first_bits(self) -> u32;

    /// Without these of them.
    fn without(self, first: u32) -> Self;
}

impl Filter for [u32; 2] {
    #[inline(always)]
    fn passes(self, bits: u32) -> u32 {
        self[0].rotate_right(bits) & self[1].rotate_right(bits >> 16) & 1
    }

    #[inline(always)]
    fn first_bits(self) -> u32 {
        self[0]
    }

    #[inline(always)]
    fn without(self, first: u32) -> [u32; 2] {
        [self[0] & !first, self[1]]
    }
}

impl Filter for [u64; 2] {
    #[inline(always)]
    fn passes(self, bits: u32) -> u32 {
        (self[0] >> (bits & 63)) as u32 & (self[1] >> (bits >> 16)) as u32 & 1
    }

    #[inline(always)]
    fn first_bits(self) -> u32 {
        self[0] as u32
    }

    #[inline(always)]
    fn without(self, first: u32) -> [u64; 2] {
        [self[0] & !u64::from(first), self[1]]
    }
}

/// The bits of a vertex in one word, for one exchange: the number of each is below 64.
#[inline(always)]
fn join([one, other]: [u32; 2]) -> u32 {
    one | other << 16
}
