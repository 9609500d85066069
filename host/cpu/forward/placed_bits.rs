//! Bitmaps of rows that also tell where in its row each vertex stands.

use super::hub_bits::{HubBits, TASK};
use tribin_base::par;

/// A bitmap, and for each word the place in the row of its first set bit. A place is then that and
/// the bits set below: one count of bits, where a table of places would take 4 bytes a rank.
#[derive(Debug, Clone, Copy)]
pub struct PlacedBits<'a> {
    /// The bitmap.
    pub words: &'a [u64],
    /// The place in the row of the first bit of each word.
    pub firsts: &'a [u32],
}

impl PlacedBits<'_> {
    /// The place of `rank` in the row, if the row has it. Ranks past the end it has not.
    #[inline(always)]
    pub fn place(self, rank: u32) -> Option<usize> {
        let (index, mask) = ((rank >> 6) as usize, 1u64 << (rank & 63));
        let (Some(&word), Some(&first)) = (self.words.get(index), self.firsts.get(index)) else {
            return None;
        };
        (word & mask != 0).then(|| first as usize + (word & (mask - 1)).count_ones() as usize)
    }
}

/// The bitmap in which one row is marked while its edges are visited.
#[derive(Debug)]
pub struct PlacedMarks {
    words: Vec<u64>,
    /// The place of the first mark of each word; of a clear word, whatever an earlier row left.
    firsts: Vec<u32>,
}

impl PlacedMarks {
    /// A clear bitmap for ranks below `ranks`, rounded up to a whole word.
    pub fn new(ranks: usize) -> PlacedMarks {
        let words = ranks.div_ceil(64);
        PlacedMarks { words: vec![0; words], firsts: vec![0; words] }
    }

    /// Marks the row's ranks up to the bitmap's limit. The row is ascending.
    #[inline(always)]
    pub fn set(&mut self, row: &[u32]) {
        for (place, &rank) in row.iter().enumerate() {
            let index = (rank >> 6) as usize;
            let Some(word) = self.words.get_mut(index) else { break };
            if *word == 0 {
                self.firsts[index] = place as u32;
            }
            *word |= 1 << (rank & 63);
        }
    }

    /// Clears the words that `set` with the same row has touched.
    #[inline(always)]
    pub fn clear(&mut self, row: &[u32]) {
        for &rank in row {
            let Some(word) = self.words.get_mut((rank >> 6) as usize) else { break };
            *word = 0;
        }
    }

    /// The marks.
    #[inline(always)]
    pub fn bits(&self) -> PlacedBits<'_> {
        PlacedBits { words: &self.words, firsts: &self.firsts }
    }
}

/// The bitmaps of the dense rows, with places: half as many bytes again.
pub(super) struct PlacedHubs {
    bits: HubBits,
    /// The bits before each word of its bitmap, laid out as the words of `bits`.
    firsts: Vec<u32>,
}

impl PlacedHubs {
    /// Counts, for every word of every bitmap, the bits before it.
    pub fn new(bits: HubBits) -> PlacedHubs {
        let mut firsts = vec![0u32; bits.words().len()];
        let words = || bits.ranks().map(|u| bits.row(u));
        let rooms = par::cut(&mut firsts, words().map(<[u64]>::len));
        let mut rows: Vec<(&mut [u32], &[u64])> = rooms.into_iter().zip(words()).collect();
        par::for_each(rows.chunks_mut(TASK), |rows| {
            for (firsts, words) in rows {
                let mut before = 0;
                for (first, word) in firsts.iter_mut().zip(*words) {
                    *first = before;
                    before += word.count_ones();
                }
            }
        });
        PlacedHubs { bits, firsts }
    }

    /// The bitmap of row `u`, empty if it has none.
    #[inline(always)]
    pub fn row(&self, u: u32) -> PlacedBits<'_> {
        let range = self.bits.range(u);
        PlacedBits { words: &self.bits.words()[range.clone()], firsts: &self.firsts[range] }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::prepare::prepare;

    proptest! {
        #[test]
        fn marks_know_every_place_up_to_their_limit(
            first in prop::collection::btree_set(0u32..320, 0..100),
            second in prop::collection::btree_set(0u32..320, 0..100),
        ) {
            let mut marks = PlacedMarks::new(250);
            for set in [first, second] {
                let row = Vec::from_iter(set);
                marks.set(&row);
                for rank in 0..400 {
                    let place = row.binary_search(&rank).ok().filter(|_| rank < 256);
                    prop_assert_eq!(marks.bits().place(rank), place);
                }
                marks.clear(&row);
            }
        }

        #[test]
        fn hubs_know_every_place(
            edges in prop::collection::vec(prop::array::uniform2(0u32..150), 0..3000),
        ) {
            let graph = prepare(&edges, 150).oriented;
            let thresholds = super::super::Thresholds {
                hub_ranks_per_entry: 1000,
                marked_ranks: 120,
                ..Default::default()
            };
            let hubs = PlacedHubs::new(HubBits::new(&graph, &thresholds, u64::MAX));
            for u in 0..150 {
                let row = graph.row(u);
                let expected: BTreeSet<u32> =
                    if u <= 120 { row.iter().copied().collect() } else { BTreeSet::new() };
                for rank in 0..u {
                    let place = hubs.row(u).place(rank);
                    prop_assert_eq!(place.map(|place| row[place]), expected.get(&rank).copied());
                }
            }
        }
    }
}
