//! Which edges of a graph one of several devices counts.

use std::ops::Range;

/// Ranges begin at multiples of this: whole blocks of every kernel that takes a range.
const UNIT: u64 = 128;

/// Edges of a range, about, in a graph that has enough of them.
const RANGE: u64 = 1 << 20;

/// Most ranges of a device.
const MOST_RANGES: u64 = 16;

/// Most ranges of a device where there is about as much to do at every edge. Each range is a kernel of its own, and while its
/// last blocks end, multiprocessors are idle. (On four H200, clustered:3072,1 is counted in 5.1 ms with 16 ranges, and in 4.6
/// with 4; rmat:24,16,1 in 12.4 and 12.8.)
const MOST_RANGES_EVEN: u64 = 4;

/// A share, of several, of the edges of a graph. Each triangle is counted at one edge, so that the counts of all
/// shares add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeShare {
    /// Which one, from 0.
    pub number: u32,
    /// How many shares there are; at least 1.
    pub of: u32,
}

impl EdgeShare {
    /// All edges.
    pub const WHOLE: EdgeShare = EdgeShare { number: 0, of: 1 };

    /// The share's edges from place `first` to before `m`, as ranges of places.
    ///
    /// The edges are cut into ranges of one length, of which each share has some from all over the graph: how
    /// much there is to do at an edge changes slowly from one end to the other. Shares take turns, there and
    /// back, so that none is always the last.
    pub fn ranges(self, first: u64, m: u64) -> Vec<Range<u64>> {
        self.at_most(MOST_RANGES, first, m)
    }

    /// The share's edges from place `first` to before `m` in fewer ranges, for methods that graphs
    /// with long rows are not counted by.
    pub fn even_ranges(self, first: u64, m: u64) -> Vec<Range<u64>> {
        self.at_most(MOST_RANGES_EVEN, first, m)
    }

    /// How many edges of `m` are the share's.
    pub fn edges(self, m: u64) -> u64 {
        self.ranges(0, m).iter().map(|range| range.end - range.start).sum()
    }

    fn at_most(self, most: u64, first: u64, m: u64) -> Vec<Range<u64>> {
        let of = u64::from(self.of);
        let rounds = if of == 1 { 1 } else { (m / (of * RANGE)).clamp(2, most) & !1 };
        let units = m.div_ceil(UNIT);
        let cut = |k: u64| {
            let unit = u128::from(units) * u128::from(k) / u128::from(rounds * of);
            (unit as u64 * UNIT).min(m)
        };
        let range = |round: u64| {
            let turn = u64::from(self.number);
            let k = round * of + if round.is_multiple_of(2) { turn } else { of - 1 - turn };
            cut(k).max(first)..cut(k + 1)
        };
        (0..rounds).map(range).filter(|range| !range.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{EdgeShare, UNIT};

    #[test]
    fn every_edge_is_in_one_share_and_shares_are_of_one_size() {
        for of in 1..=8 {
            for m in [0, 1, 127, 128, 129, 1_000, 100_000, 123_456_789, (1 << 32) - 1, 1 << 33] {
                for (most, cut) in
                    [(16, EdgeShare::ranges as fn(_, _, _) -> Vec<_>), (4, EdgeShare::even_ranges)]
                {
                    for first in [0, 1, 500, m / 2, m] {
                        let first = first.min(m);
                        let share = |number| cut(EdgeShare { number, of }, first, m);
                        let mut all: Vec<_> = (0..of).flat_map(share).collect();
                        all.sort_unstable_by_key(|range| range.start);
                        let mut end = first;
                        for range in all {
                            assert_eq!(range.start, end, "{of} shares of {m}");
                            assert!(range.start % UNIT == 0 || range.start == first);
                            end = range.end;
                        }
                        assert_eq!(end, m);
                    }
                    let size = |number| {
                        let ranges = cut(EdgeShare { number, of }, 0, m);
                        assert!(ranges.len() <= most);
                        ranges.iter().map(|range| range.end - range.start).sum::<u64>()
                    };
                    let sizes: Vec<u64> = (0..of).map(size).collect();
                    let (least, most) = (sizes.iter().min(), sizes.iter().max());
                    assert!(most.unwrap() - least.unwrap() <= 17 * UNIT, "{m}: {sizes:?}");
                }
            }
        }
    }
}
