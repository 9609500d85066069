use warpwise_device::memory::{In, InOut};
use warpwise_device::warp;

use crate::min_hash::hash;
use crate::primitives::block_add_to;

/// Set in the order of the edges: some edge is not above the one before, by first vertex, then second.
/// Then nothing else is looked at.
pub const UNSORTED: u32 = 1;
/// Set in the order of the edges: some first vertex is not below the second.
pub const NOT_UPWARD: u32 = 2;
/// Set in the order of the edges: some first vertex is not above the second.
pub const NOT_DOWNWARD: u32 = 4;

/// What a thread has seen of edges that it passed.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    loops: u64,
    order: u32,
}

impl Seen {
    /// Nothing yet, of a thread that `looks` at the edges' order or does not.
    #[inline(always)]
    pub fn nothing(looks: bool) -> Seen {
        // What is unsorted already is not looked at.
        Seen { loops: 0, order: if looks { 0 } else { UNSORTED } }
    }

    /// Looks at the edge at place `i`, and at the one before it.
    #[inline(always)]
    pub fn look(&mut self, edges: In<u64>, i: u64, edge: u64) {
        let (u, v) = (edge as u32, (edge >> 32) as u32);
        if u == v {
            self.loops += 1;
        }
        if self.order & UNSORTED == 0 {
            // The first vertex in the high half.
            if i > 0 && edges.get(i - 1).rotate_left(32) >= edge.rotate_left(32) {
                self.order |= UNSORTED;
            }
            self.order |= if u >= v { NOT_UPWARD } else { 0 };
            self.order |= if u <= v { NOT_DOWNWARD } else { 0 };
        }
    }

    /// Adds the self-loops to `loops[0]`, and sets what holds of the order in `order[0]`. The whole block calls it. Contains
    /// barriers.
    #[inline(always)]
    pub fn add_to(self, loops: InOut<u64>, order: InOut<u32>) {
        block_add_to(loops, 0, self.loops);
        let mut in_warp = 0;
        let mut flag = UNSORTED;
        while flag <= NOT_DOWNWARD {
            let is_set = warp::warp_vote_any(warp::ALL, self.order & flag != 0);
            in_warp |= if is_set { flag } else { 0 };
            flag *= 2;
        }
        if warp::lane_id() == 0 && in_warp != 0 {
            order.atomic_or(0, in_warp);
        }
    }
}

/// Raises the label of `vertex` to the hash of its `neighbour`, if that is a landmark.
#[inline(always)]
pub(super) fn raise_label(labels: InOut<u32>, vertex: u32, neighbour: u32, floor: u32) {
    if hash(neighbour) > floor {
        labels.atomic_max(u64::from(vertex), hash(neighbour));
    }
}
