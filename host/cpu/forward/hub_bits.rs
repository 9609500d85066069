//! Rows that are dense among the ranks below them, as bitmaps.
//!
//! A bitmap consists of whole [`Line`]s, each in one cache line.

use std::ops::Range;

use super::Thresholds;
use crate::control::memory;
use crate::graph::RowRange;
use tribin_base::par;

/// Words of a line.
pub(super) const WORDS: usize = 8;

/// 512 ranks of a bitmap: a cache line, and the widest vector that a processor joins.
pub(super) type Line = [u64; WORDS];

/// Bits of a rank that say where in its line it is.
pub(super) const LINE_BITS: u32 = 9;

/// Ranks of a line.
const LINE: u64 = 1 << LINE_BITS;

/// Bitmaps that a task makes.
pub(super) const TASK: usize = 1 << 7;

/// An out-neighbour of a row that has a bitmap.
#[derive(Debug, Clone, Copy)]
pub(super) struct HubBitmap {
    /// The place of its bitmap's first line among those of all bitmaps.
    pub bitmap: usize,
    /// The number of lines of the hub's bitmap.
    pub lines: u32,
    /// The hub's place in the row.
    pub place: u32,
}

/// The bitmaps of the dense rows.
pub(super) struct HubBits {
    /// The first rank whose row could have one.
    first: u32,
    memory: Vec<u64>,
    /// Words of `memory` before the first that begins a cache line.
    unaligned: usize,
    /// Where the bitmap of each rank starts in `words`; equal to the next start if it has none.
    /// Ranks past the end have none.
    starts: Vec<u64>,
}

impl HubBits {
    /// Makes a bitmap of every row u up to the last marked rank with at least u / `hub_ranks_per_entry` vertices, where u is
    /// rounded up to whole lines. It has as many bits: all bitmaps together take at most `hub_ranks_per_entry` bits for each
    /// edge. Where that is more than `bytes` bytes, only denser rows have one, and none where there is no memory for them.
    pub fn new(graph: &RowRange, thresholds: &Thresholds, bytes: u64) -> HubBits {
        let ranks = graph.ranks();
        let mut per_entry = thresholds.hub_ranks_per_entry;
        let starts = loop {
            let starts = starts(graph, per_entry, thresholds.marked_ranks);
            let words = starts.last().copied().unwrap_or(0);
            if per_entry == 0 || 8 * (words + starts.len() as u64) <= bytes {
                break starts;
            }
            per_entry /= 2;
        };
        let total = starts.last().map_or(0, |&end| end as usize);
        let none =
            HubBits { first: ranks.start, memory: Vec::new(), unaligned: 0, starts: vec![0] };
        if total == 0 {
            return none;
        }
        let Ok(mut memory) = memory::zeroed::<u64>(total + WORDS - 1) else { return none };
        let unaligned = memory.as_ptr().align_offset(size_of::<Line>()).min(WORDS - 1);
        let lengths = starts.windows(2).map(|s| (s[1] - s[0]) as usize);
        let mut bitmaps = par::cut(&mut memory[unaligned..], lengths);
        par::for_each(bitmaps.chunks_mut(TASK).enumerate(), |(task, bitmaps)| {
            let rows = ranks.start + (task * TASK) as u32..;
            for (u, bits) in rows.zip(bitmaps).filter(|(_, bits)| !bits.is_empty()) {
                for &head in graph.row(u) {
                    bits[(head >> 6) as usize] |= 1 << (head & 63);
                }
            }
        });
        HubBits { first: ranks.start, memory, unaligned, starts }
    }

    /// The bitmap of row `u`, empty if it has none.
    #[inline(always)]
    pub fn row(&self, u: u32) -> &[u64] {
        &self.words()[self.range(u)]
    }

    /// The lines of all bitmaps. A bitmap that lies in some words lies in an eighth of as many lines.
    #[inline(always)]
    pub fn lines(&self) -> &[Line] {
        self.words().as_chunks().0
    }

    /// The place of the bitmap of row `u` in [`words`](Self::words).
    #[inline(always)]
    pub fn range(&self, u: u32) -> Range<usize> {
        let at = (u - self.first) as usize;
        match self.starts.get(at..at + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// All bitmaps, one after another in the order of their ranks.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.memory[self.unaligned..]
    }

    /// Every rank that has a bitmap is one of these.
    pub fn ranks(&self) -> Range<u32> {
        self.first..self.first + self.starts.len().saturating_sub(1) as u32
    }
}

/// Where the bitmap of each rank starts, and where the last ends.
fn starts(graph: &RowRange, ranks_per_entry: usize, limit: usize) -> Vec<u64> {
    let Range { start, end } = graph.ranks();
    let end = (end as usize).min(limit + 1).max(start as usize) as u32;
    let bits = |u: u32| u64::from(u).next_multiple_of(LINE).max(LINE);
    let dense = |u: u32| (graph.row(u).len() * ranks_per_entry) as u64 >= bits(u);
    let blocks = par::blocks((end - start) as usize, par::BLOCK).rev();
    let last_of_block =
        |block: Range<usize>| block.map(|u| start + u as u32).rev().find(|&u| dense(u));
    let Some(last) = par::find_map_first(blocks, last_of_block) else { return vec![0] };
    let mut starts = Vec::with_capacity((last - start) as usize + 2);
    let mut total = 0;
    starts.push(0);
    for u in start..=last {
        total += if dense(u) { bits(u) / 64 } else { 0 };
        starts.push(total);
    }
    starts
}
