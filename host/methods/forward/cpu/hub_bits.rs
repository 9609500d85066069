//! Rows that are dense among the ranks below them, as bitmaps.

use std::ops::Range;

use rayon::prelude::*;

use crate::graph::OrientedGraph;

/// The bitmaps of the dense rows.
pub(super) struct HubBits {
    words: Vec<u64>,
    /// Where the bitmap of each rank starts in `words`; equal to the next start if it has none.
    /// Ranks past the end have none.
    starts: Vec<u64>,
}

impl HubBits {
    /// Makes a bitmap of every row u <= `limit` with at least u / `ranks_per_entry` vertices. It has
    /// u bits: all bitmaps together take at most `ranks_per_entry` bits for each edge.
    pub fn new(graph: &OrientedGraph, ranks_per_entry: usize, limit: usize) -> HubBits {
        let dense = |u: usize| graph.row(u as u32).len() * ranks_per_entry >= u.max(1);
        let last =
            (0..graph.vertices().min(limit + 1)).into_par_iter().rev().find_first(|&u| dense(u));
        let mut starts = Vec::with_capacity(last.map_or(0, |last| last + 2));
        let mut total = 0;
        if let Some(last) = last {
            starts.push(0);
            for u in 0..=last {
                total += if dense(u) { u.div_ceil(64) } else { 0 };
                starts.push(total as u64);
            }
        }
        let mut words = vec![0u64; total];
        let mut rest = words.as_mut_slice();
        let bitmaps: Vec<&mut [u64]> = starts
            .windows(2)
            .map(|s| rest.split_off_mut(..(s[1] - s[0]) as usize).expect("within the sum"))
            .collect();
        bitmaps.into_par_iter().enumerate().filter(|(_, bits)| !bits.is_empty()).for_each(
            |(u, bits)| {
                for &head in graph.row(u as u32) {
                    bits[(head >> 6) as usize] |= 1 << (head & 63);
                }
            },
        );
        HubBits { words, starts }
    }

    /// The bitmap of row `u`, empty if it has none.
    #[inline(always)]
    pub fn row(&self, u: u32) -> &[u64] {
        &self.words[self.range(u)]
    }

    /// Where the bitmap of row `u` lies in [`words`](Self::words).
    #[inline(always)]
    pub fn range(&self, u: u32) -> Range<usize> {
        match self.starts.get(u as usize..u as usize + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// All bitmaps, one after another in the order of their ranks.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Every rank that has a bitmap is below.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}
