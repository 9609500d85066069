use tribin_device::memory::{In, InOut};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread, warp};

use super::{BITS_LOG2, bits, filter_of, most_exact, words};
use crate::forward::TOTALS;
use crate::primitives::{block_add_to, lower_bound};

/// Threads in a block of [`filter_count`].
pub const COUNT_BLOCK: u32 = 64;

/// Wedges of a lane between two looks at whether there are more.
const ROUND: u32 = 2;

/// Wedges that a warp holds until each of its lanes has one to search for: up to 31, and 32 more.
const HELD: u32 = 2 * warp::SIZE;

/// Bytes of shared memory of a block of [`filter_count`] that has `threads`.
pub const fn count_shared_bytes(threads: u32) -> u32 {
    threads.div_ceil(warp::SIZE) * HELD * 8
}

kernel! {
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Edges and rows as in `forward_merge`; `filters` are those of `narrow_bloom_filters`, and `pairs` are the same, two words
    /// to an element.
    ///
    /// A lane takes an edge u → a with a's filter, and the bits of the vertices of its prefix go by: those of its own
    /// warp's edges from lane to lane, the others from memory, one for all lanes at a time. Few wedges are left, and to search
    /// a row is a chain of reads. So a warp holds these wedges until each lane has one.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    pub fn filter_count(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, filters: In<u32>, pairs: In<u64>, totals: InOut<u64>,
        first: u64, m: u64, bits_log2: u32, exact: u32
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS,
        (BITS_LOG2.0..=BITS_LOG2.1).contains(&bits_log2), exact <= most_exact(bits_log2),
        filters.len() >= words(rows.len(), bits_log2), pairs.len() == filters.len() / 2,
    }
    launch_bounds(COUNT_BLOCK, 32)
    {
        let lane = warp::lane_id();
        let warp_in_block = thread::thread_idx_x() / warp::SIZE;
        let held = shared::array::<u64>(warp_in_block * (HELD * 8), HELD);
        let first_ranks = (1 << exact) - 1;
        let mut search = Search { heads, rows, held, held_len: 0, count: 0 };
        let warp_first = first + thread::index_1d() - u64::from(lane);
        // Edges from the warp's first on: at most m, and so below 2³².
        let mut left = m.saturating_sub(warp_first) as u32;
        let stride = thread::grid_size();
        while left > 0 {
            let warp_start = m as u32 - left;
            let place = warp_start.wrapping_add(lane);
            let (mut tail, mut head, mut start) = (0, 0, place);
            if lane < left {
                tail = tails.get(u64::from(place));
                head = heads.get(u64::from(place));
                start = rows.get(u64::from(tail)) as u32;
            }
            let mut filter = [0; 2];
            if start < place {
                filter = filter_of(filters, pairs, head, bits_log2);
                if exact > 0 {
                    // Entries of the head's row are before the head, and so are those that both rows have.
                    let both = filter[0] & filter_of(filters, pairs, tail, bits_log2)[0];
                    search.count += u64::from((both & first_ranks).count_ones());
                }
            }
            // The first ranks are counted.
            filter[0] &= !first_ranks;
            // The part of the prefix that this warp's lanes have, and the part before.
            let own = if lane < left { place - start.max(warp_start) } else { 0 };
            let own_bits = join(bits(head, bits_log2, exact));
            let most = warp::warp_reduce_max_32(warp::ALL, own);
            let mut found = 0u32;
            // The farthest first: every test shifts those before it up. A distance past the lanes gets some
            // lane's bits, and is not searched for.
            let mut distance = most.next_multiple_of(ROUND);
            while distance > 0 {
                let mut k = 0;
                while k < ROUND {
                    let other = warp::warp_shuffle_up(warp::ALL, own_bits, distance - k);
                    found = found << 1 | passes(filter, other);
                    k += 1;
                }
                distance -= ROUND;
            }
            // Bit d - 1, for d from 1 to `own`: the lane at distance d has an edge of the same tail.
            found &= (1 << own) - 1;
            search.hold_all(found, head, |bit| place - 1 - bit);
            // Only the row that goes on from the warp before has such a part: lane 0's.
            let mut from = warp::warp_shuffle_idx(warp::ALL, start, 0);
            while from < warp_start {
                let batch = (warp_start - from).min(warp::SIZE);
                let vertex = if lane < batch { heads.get(u64::from(from + lane)) } else { 0 };
                let vertex_bits = join(bits(vertex, bits_log2, exact));
                let mut found = 0u32;
                let mut end = batch.next_multiple_of(ROUND);
                while end > 0 {
                    let mut k = 1;
                    while k <= ROUND {
                        let other = warp::warp_shuffle_idx(warp::ALL, vertex_bits, end - k);
                        found = found << 1 | passes(filter, other);
                        k += 1;
                    }
                    end -= ROUND;
                }
                found &= u32::MAX >> (warp::SIZE - batch);
                if start >= warp_start {
                    found = 0;
                }
                search.hold_all(found, head, |bit| from + bit);
                from += batch;
            }
            left = u64::from(left).saturating_sub(stride) as u32;
        }
        let count = search.finish();
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}

/// The bits of a vertex in one word, for one exchange: the number of each is below 32.
#[inline(always)]
fn join([one, other]: [u32; 2]) -> u32 {
    one | other << 16
}

/// 1 if both of a vertex' bits are set in a filter, and 0 if not.
#[inline(always)]
fn passes([low, high]: [u32; 2], bits: u32) -> u32 {
    low.rotate_right(bits) & high.rotate_right(bits >> 16) & 1
}

/// The wedges that a warp holds, and what its lanes have counted.
struct Search {
    heads: In<u32>,
    rows: In<u64>,
    /// The place of a wedge's third vertex in the low half, and the head of its edge in the high half.
    held: Shared<u64>,
    held_len: u32,
    count: u64,
}

impl Search {
    /// Holds a wedge for each bit of every lane's `found`, with the third vertex at the place that is `place_of` the
    /// bit, and searches for those of a whole warp. All lanes call it.
    #[inline(always)]
    fn hold_all(&mut self, mut found: u32, head: u32, place_of: impl Fn(u32) -> u32) {
        loop {
            let having = warp::warp_vote_ballot(warp::ALL, found != 0);
            if having == 0 {
                return;
            }
            if found != 0 {
                let before = (having & warp::lane_mask_lt()).count_ones();
                let place = place_of(found.trailing_zeros());
                self.held.set(self.held_len + before, u64::from(head) << 32 | u64::from(place));
                found &= found - 1;
            }
            self.held_len += having.count_ones();
            if self.held_len >= warp::SIZE {
                self.held_len -= warp::SIZE;
                warp::sync_warp(warp::ALL);
                self.count += u64::from(self.closes(self.held_len + warp::lane_id()));
                warp::sync_warp(warp::ALL);
            }
        }
    }

    /// Searches for the rest. What the lane has counted.
    #[inline(always)]
    fn finish(self) -> u64 {
        warp::sync_warp(warp::ALL);
        let lane = warp::lane_id();
        self.count + u64::from(lane < self.held_len && self.closes(lane))
    }

    /// Whether the third vertex of a wedge is in the head's row.
    #[inline(always)]
    fn closes(&self, at: u32) -> bool {
        let wedge = self.held.get(at);
        let vertex = self.heads.get(wedge & 0xffff_ffff);
        let row = self.rows.get(wedge >> 32);
        let (start, end) = (row as u32, (row >> 32) as u32);
        let at = lower_bound(self.heads, start, end, vertex);
        at < end && self.heads.get(u64::from(at)) == vertex
    }
}
