use warpwise_device::memory::In;
use warpwise_device::shared::{self, Shared};
use warpwise_device::{thread, warp};

use crate::primitives::{Oriented, position, row_of};

/// Wedges that a warp holds: up to 31, and 32 more.
const HELD: u32 = 2 * warp::SIZE;

/// Wedges that a warp holds until each of its lanes has one to search for: to search a row is a chain of reads, and few lanes
/// find a wedge at a time.
pub struct HeldWedges {
    /// A wedge's third vertex in the low half, and the head of its edge in the high half.
    wedges: Shared<u64>,
    len: u32,
    /// What this lane has found.
    pub count: u64,
}

impl HeldWedges {
    /// Bytes of shared memory of a block that has `threads`.
    pub const fn shared_bytes(threads: u32) -> u32 {
        threads.div_ceil(warp::SIZE) * HELD * 8
    }

    /// None yet. The block's are at the start of shared memory.
    #[inline(always)]
    pub fn none() -> HeldWedges {
        let warp_in_block = thread::thread_idx_x() / warp::SIZE;
        HeldWedges { wedges: shared::array(warp_in_block * (HELD * 8), HELD), len: 0, count: 0 }
    }

    /// Holds a wedge for each bit of every lane's `found`, with the third vertex at the place of `heads` that is `place_of` the
    /// bit, and searches for those of a whole warp. All lanes call it.
    #[inline(always)]
    pub fn hold_all(
        &mut self,
        mut found: u32,
        (heads, head): (In<u32>, u32),
        place_of: impl Fn(u32) -> u32,
        closes: impl Fn(u32, u32) -> bool,
    ) {
        loop {
            let having = warp::warp_vote_ballot(warp::ALL, found != 0);
            if having == 0 {
                return;
            }
            if found != 0 {
                let before = (having & warp::lane_mask_lt()).count_ones();
                let vertex = heads.get(u64::from(place_of(found.trailing_zeros())));
                self.wedges.set(self.len + before, u64::from(head) << 32 | u64::from(vertex));
                found &= found - 1;
            }
            self.len += having.count_ones();
            if self.len >= warp::SIZE {
                self.len -= warp::SIZE;
                warp::sync_warp(warp::ALL);
                self.count += u64::from(self.search(self.len + warp::lane_id(), &closes));
                warp::sync_warp(warp::ALL);
            }
        }
    }

    /// Searches for the rest. What this lane has found. All lanes call it.
    #[inline(always)]
    pub fn finish(self, closes: impl Fn(u32, u32) -> bool) -> u64 {
        warp::sync_warp(warp::ALL);
        let lane = warp::lane_id();
        self.count + u64::from(lane < self.len && self.search(lane, &closes))
    }

    #[inline(always)]
    fn search(&self, at: u32, closes: &impl Fn(u32, u32) -> bool) -> bool {
        let wedge = self.wedges.get(at);
        closes(wedge as u32, (wedge >> 32) as u32)
    }
}

/// Whether `vertex` is in the row of `head`.
#[inline(always)]
pub fn is_in_row(graph: Oriented, vertex: u32, head: u32) -> bool {
    let row = row_of(graph.rows, head);
    position(graph.heads, row.start, row.end, vertex).is_some()
}
