//! The pairs of one row, each by its cheapest method.

use std::ops::Range;

use super::Thresholds;
use super::hub_bits::{HubBits, Line, WORDS};
use super::intersect::{gallop, merge, test};
use super::lines::{self, Hub};
use super::marks::Marks;
use super::passed::Passed;
use super::prefetch;
use crate::graph::Rows;

/// What a task works in. Nothing of one row is left in it for the next.
pub(super) struct Scratch<'g> {
    marks: Marks,
    /// Each out-neighbour that has a bitmap.
    hubs: Vec<Hub>,
    /// The row of each other out-neighbour that can be marked.
    others: Vec<&'g [u32]>,
    /// The row of each that cannot, and its place.
    unmarked: Vec<(&'g [u32], usize)>,
    passed: Passed,
}

impl Scratch<'_> {
    /// Scratch for a graph of this many ranks.
    pub fn new(ranks: usize, thresholds: &Thresholds) -> Self {
        Scratch {
            marks: Marks::new(ranks.min(thresholds.marked_ranks)),
            hubs: Vec::new(),
            others: Vec::new(),
            unmarked: Vec::new(),
            passed: Passed::default(),
        }
    }
}

/// The loops that have forms of their own for some instruction sets.
pub(super) trait Ways {
    /// Adds to `sums`, word by word, what a line of a row shares with that line of each of some hubs, whose bitmaps are
    /// among `bitmaps`.
    #[inline(always)]
    fn join(&self, line: &Line, index: usize, hubs: &[Hub], bitmaps: &[Line], sums: &mut Line) {
        lines::join(line, index, hubs, bitmaps, sums);
    }

    /// How many ranks of all `others` are in `row`, which is marked.
    #[inline(always)]
    fn test_all(&self, others: &[&[u32]], row: &[u32], marks: &[u64], passed: &mut Passed) -> u64 {
        let _ = (row, passed);
        test_each(others, marks)
    }
}

/// Those that any processor can go.
pub(super) struct Plain;

impl Ways for Plain {}

/// Counts the triangles whose largest rank is in `rows`, whose rows `tails` holds, and whose middle rank is one of
/// those whose rows `heads` holds. Inlined, so that each caller compiles it for its own instruction set.
///
/// The pairs of a row are sorted by their method first: then the processor foresees which code comes next, and
/// each loop has in flight what the next pairs need.
#[inline(always)]
pub(super) fn count_rows<'g>(
    (tails, heads): (&impl Rows, &'g impl Rows),
    bits: &HubBits,
    thresholds: &Thresholds,
    scratch: &mut Scratch<'g>,
    rows: Range<u32>,
    ways: impl Ways,
) -> u64 {
    let Scratch { marks, hubs, others, unmarked, passed } = scratch;
    let mut triangles = 0;
    let mut sums: Line = [0; WORDS];
    for u in rows {
        let row = tails.row(u);
        let places = heads.places_in(row);
        if places.is_empty() {
            continue;
        }
        let marked = &row[..places.end - 1];
        hubs.clear();
        others.clear();
        unmarked.clear();
        for p in places {
            let a = row[p];
            let words = bits.range(a);
            if !words.is_empty() {
                hubs.push(Hub { place: p, bitmap: words.start / WORDS });
            } else if (a as usize) <= thresholds.marked_ranks {
                others.push(heads.row(a));
            } else {
                unmarked.push((heads.row(a), p));
            }
        }
        if let Some(last) = hubs.last() {
            lines::for_each_line(&row[..last.place], hubs, |line, index, hubs| {
                ways.join(line, index, hubs, bits.lines(), &mut sums);
            });
        }
        if !others.is_empty() {
            marks.set(marked);
            triangles += ways.test_all(others, marked, marks.words(), passed);
            marks.clear(marked);
        }
        for (i, &(other, p)) in unmarked.iter().enumerate() {
            if let Some(&(later, _)) = unmarked.get(i + prefetch::AHEAD) {
                prefetch::row(later);
            }
            let prefix = &row[..p];
            triangles += if prefix.len() * thresholds.gallop_ratio < other.len() {
                gallop(prefix, other)
            } else if other.len() * thresholds.gallop_ratio < prefix.len() {
                gallop(other, prefix)
            } else {
                merge(prefix, other)
            };
        }
    }
    triangles + sums.iter().sum::<u64>()
}

/// How many ranks of all `others` are marked.
#[inline(always)]
pub(super) fn test_each(others: &[&[u32]], marks: &[u64]) -> u64 {
    let mut found = 0;
    for (i, other) in others.iter().enumerate() {
        if let Some(&later) = others.get(i + prefetch::AHEAD) {
            prefetch::row(later);
        }
        found += test(other, marks);
    }
    found
}
