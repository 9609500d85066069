use warpwise_device::memory::In;
use warpwise_device::shared::Shared;

use super::BLOCK;
use crate::primitives::{Lists, Oriented, lower_bound, partition_point};

/// The two lists of an edge, by their places among the heads.
#[derive(Clone, Copy)]
pub struct EdgePath {
    first: u32,
    second: u32,
    /// Entries of the first list.
    pub first_len: u32,
    /// Entries of the second list.
    pub second_len: u32,
}

impl EdgePath {
    /// Words that [`keep`](Self::keep) takes for each edge.
    pub const WORDS: u32 = 4;

    /// What stands before place `i` in its row, and the row of its head.
    #[inline(always)]
    pub fn of(graph: Oriented, i: u32) -> EdgePath {
        let Lists { prefix, row } = Lists::at_once(graph, i);
        EdgePath {
            first: prefix.start,
            second: row.start,
            first_len: prefix.end - prefix.start,
            second_len: row.end - row.start,
        }
    }

    /// Steps of the whole path.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.first_len + self.second_len
    }

    /// Writes the lists of the block's edge number `edge`; field by field, so that the threads of a
    /// warp write to different banks.
    #[inline(always)]
    pub fn keep(self, lists: Shared<u32>, edge: u32) {
        lists.set(edge, self.first);
        lists.set(BLOCK + edge, self.second);
        lists.set(2 * BLOCK + edge, self.first_len);
        lists.set(3 * BLOCK + edge, self.second_len);
    }

    /// What [`keep`](Self::keep) wrote.
    #[inline(always)]
    pub fn kept(lists: Shared<u32>, edge: u32) -> EdgePath {
        EdgePath {
            first: lists.get(edge),
            second: lists.get(BLOCK + edge),
            first_len: lists.get(2 * BLOCK + edge),
            second_len: lists.get(3 * BLOCK + edge),
        }
    }

    /// How many entries of the first list are before the path's crossing of a diagonal.
    #[inline(always)]
    fn crossing(self, heads: In<u32>, diagonal: u32) -> u32 {
        let (least, most) =
            (diagonal.saturating_sub(self.second_len), diagonal.min(self.first_len));
        partition_point(least, most, |at| {
            let first = heads.get(u64::from(self.first + at));
            first <= heads.get(u64::from(self.second + diagonal - 1 - at))
        })
    }

    /// The equal entries on `steps` steps, at least one, of the path from its crossing of a diagonal on.
    /// The walk ends early at the end of a list: no entry is equal to none.
    #[inline(always)]
    pub fn walk(self, heads: In<u32>, diagonal: u32, steps: u32) -> u32 {
        let crossing = self.crossing(heads, diagonal);
        let (mut i, mut j) = (self.first + crossing, self.second + diagonal - crossing);
        let (i_end, j_end) = (self.first + self.first_len, self.second + self.second_len);
        let mut count = 0;
        if i < i_end && j < j_end {
            let mut a = heads.get(u64::from(i));
            let mut b = heads.get(u64::from(j));
            let mut left = steps;
            loop {
                let along_first = a <= b;
                count += u32::from(a == b);
                i += u32::from(along_first);
                j += u32::from(!along_first);
                left -= 1;
                if left == 0 || i == i_end || j == j_end {
                    break;
                }
                let next = heads.get(u64::from(if along_first { i } else { j }));
                a = if along_first { next } else { a };
                b = if along_first { b } else { next };
            }
        }
        count
    }

    /// Both lists without what is past the other's last entry; neither is empty before.
    #[inline(always)]
    pub fn trimmed(self, heads: In<u32>) -> EdgePath {
        let (first_end, second_end) = (self.first + self.first_len, self.second + self.second_len);
        let first_last = heads.get(u64::from(first_end - 1));
        let second_last = heads.get(u64::from(second_end - 1));
        if first_last < second_last {
            let end = lower_bound(heads, self.second, second_end, first_last + 1);
            EdgePath { second_len: end - self.second, ..self }
        } else {
            let end = lower_bound(heads, self.first, first_end, second_last + 1);
            EdgePath { first_len: end - self.first, ..self }
        }
    }
}
