//! Edges of a window whose rows are merged, or searched.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::edge_groups::{MERGED, SEARCHED, SIZES};
use crate::forward::{TOTALS, merge_paired};
use crate::primitives::block_add_to;

/// Two lists by the places of their first entries and one past their last: what stands before an edge in its row, and the row
/// of its head.
struct Lists {
    prefix: [u64; 2],
    row: [u64; 2],
}

impl Lists {
    /// Those of the edge at place `i`, whose tail is given.
    #[inline(always)]
    fn of(heads: In<u32>, starts: In<u64>, tail: u32, i: u64) -> Lists {
        let head = u64::from(heads.get(i));
        Lists {
            prefix: [starts.get(u64::from(tail)), i],
            row: [starts.get(head), starts.get(head + 1)],
        }
    }

    /// How many entries they share, of arrays of `m` entries. A row has fewer than 2³² entries.
    #[inline(always)]
    fn merge(&self, heads: In<u32>, pairs: In<u64>, m: u64) -> u32 {
        let [prefix, i] = self.prefix;
        let [row, row_end] = self.row;
        merge_paired(
            i + 2 < m,
            (pairs, heads, prefix, (i - prefix) as u32),
            (pairs, heads, row, (row_end - row) as u32),
        )
    }

    /// This lane's share of what they share: every 2^`lanes_log2`-th entry of the shorter, looked up in the longer.
    #[inline(always)]
    fn search(&self, heads: In<u32>, lane: u32, lanes_log2: u32) -> u32 {
        let prefix_shorter = self.prefix[1] - self.prefix[0] <= self.row[1] - self.row[0];
        let ([short, short_end], [long, long_end]) =
            if prefix_shorter { (self.prefix, self.row) } else { (self.row, self.prefix) };
        let mut at = short + u64::from(lane);
        let mut from = long;
        let mut shared = 0;
        while at < short_end {
            let vertex = heads.get(at);
            let mut len = long_end - from;
            while len > 0 {
                let half = len / 2;
                let below = heads.get(from + half) < vertex;
                from = if below { from + half + 1 } else { from };
                len = if below { len - half - 1 } else { half };
            }
            // What is past the end of the longer list is nothing for later entries either.
            if from == long_end {
                break;
            }
            shared += u32::from(heads.get(from) == vertex);
            at += 1 << lanes_log2;
        }
        shared
    }
}

kernel!(
    /// Adds the number of triangles that the edges from place `first` to before `end` of a window close to `totals`.
    ///
    /// `tails` are those of the window, which begins at place `base` of the graph's `heads`; `pairs` are the heads, two to an
    /// element, and there are `m` of them. `starts[r]` is the first place of row r, and `starts[r + 1]` one past its last.
    ///
    /// A row has fewer than 2³² entries. The total over all windows is below 2⁶²: with m < 2⁴⁰ edges there are at most
    /// (√2/3)·m^1.5 < 2⁵⁹ triangles.
    #[requires(
        tails.len() >= end, m >= base + end, heads.len() >= m, pairs.len() >= m / 2, m < 1 << 40,
        totals.len() >= TOTALS,
    )]
    pub unsafe fn merge_wide(
        tails: In<u32>,
        heads: In<u32>,
        pairs: In<u64>,
        starts: In<u64>,
        totals: InOut<u64>,
        base: u64,
        first: u64,
        end: u64,
        m: u64,
    ) {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = first + thread::index_1d();
        while i < end {
            let tail = tails.get(i);
            // The first edge of a row has no prefix, and the other row is not asked for.
            if i > 0 && tails.get(i - 1) == tail {
                let lists = Lists::of(heads, starts, tail, base + i);
                count += u64::from(lists.merge(heads, pairs, m));
            }
            i += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

kernel!(
    /// The same for the edges at the front of `listed`, by their places in the window.
    #[requires(
        m >= base + tails.len(), heads.len() >= m, pairs.len() >= m / 2, sizes.len() >= SIZES, totals.len() >= TOTALS,
    )]
    pub unsafe fn merge_listed_wide(
        tails: In<u32>,
        heads: In<u32>,
        pairs: In<u64>,
        starts: In<u64>,
        listed: In<u32>,
        sizes: In<u32>,
        totals: InOut<u64>,
        base: u64,
        m: u64,
    ) {
        let stride = thread::grid_size();
        let edges = u64::from(sizes.get(MERGED));
        let mut count = 0;
        let mut edge = thread::index_1d();
        while edge < edges {
            let place = u64::from(listed.get(edge));
            let lists = Lists::of(heads, starts, tails.get(place), base + place);
            count += u64::from(lists.merge(heads, pairs, m));
            edge += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

kernel!(
    /// The same for those at the back of `listed`, which has `listed_len` places: 2^`lanes_log2` lanes look up the entries of the
    /// shorter list in the longer.
    #[requires(
        heads.len() >= base + tails.len(), sizes.len() >= SIZES, listed.len() >= listed_len, lanes_log2 <= 5,
        totals.len() >= TOTALS,
    )]
    pub unsafe fn search_listed_wide(
        tails: In<u32>,
        heads: In<u32>,
        starts: In<u64>,
        listed: In<u32>,
        sizes: In<u32>,
        totals: InOut<u64>,
        base: u64,
        listed_len: u64,
        lanes_log2: u32,
    ) {
        let edges = u64::from(sizes.get(SEARCHED));
        let lane = thread::thread_idx_x() & ((1 << lanes_log2) - 1);
        let stride = thread::grid_size() >> lanes_log2;
        let mut count = 0;
        let mut edge = thread::index_1d() >> lanes_log2;
        while edge < edges {
            let place = u64::from(listed.get(listed_len - 1 - edge));
            let lists = Lists::of(heads, starts, tails.get(place), base + place);
            count += u64::from(lists.search(heads, lane, lanes_log2));
            edge += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);
