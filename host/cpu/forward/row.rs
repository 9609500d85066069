//! The pairs of one row, each by its cheapest method.

use std::ops::Range;

use super::Thresholds;
use super::hub_bits::{HubBitmap, HubBits, WORDS};
use super::intersect::{gallop, join, merge, test};
use super::marks::Marks;
use super::passed::Passed;
use super::prefetch;
use crate::graph::RowRange;

/// The memory that a task works in. Nothing of one row is left in it for the next.
pub(super) struct RowScratch<'g> {
    marks: Marks,
    /// Each out-neighbour that has a bitmap.
    hubs: Vec<HubBitmap>,
    /// The row of each other out-neighbour that can be marked.
    others: Vec<&'g [u32]>,
    /// The row and the place of each out-neighbour that cannot be marked.
    unmarked: Vec<(&'g [u32], usize)>,
    passed: Passed,
}

impl RowScratch<'_> {
    /// Scratch for a graph of this many ranks.
    pub fn new(ranks: usize, thresholds: &Thresholds) -> Self {
        RowScratch {
            marks: Marks::new(ranks.min(thresholds.marked_ranks)),
            hubs: Vec::new(),
            others: Vec::new(),
            unmarked: Vec::new(),
            passed: Passed::default(),
        }
    }
}

/// A row whose pairs are counted.
#[derive(Clone, Copy)]
pub(super) struct MarkedRow<'a> {
    /// The row without its last rank.
    pub row: &'a [u32],
    /// The row's ranks that can be marked, as marks. Clear where nobody needs them.
    pub marks: &'a [u64],
}

/// The loops that have forms of their own for some instruction sets.
pub(super) trait Ways {
    /// The type that counts are added up in.
    type Sums: Copy + Default;

    /// Whether hubs are joined with the marks.
    const HUBS_NEED_MARKS: bool;

    /// Adds what a row shares with each of some hubs, of each hub no more than what stands before it.
    fn join(
        &self,
        row: MarkedRow,
        hubs: &[HubBitmap],
        bits: &HubBits,
        thresholds: &Thresholds,
        sums: &mut Self::Sums,
    );

    /// All that was added.
    fn total(sums: Self::Sums) -> u64;

    /// How many ranks of all `others` are in a row.
    fn test_all(&self, row: MarkedRow, others: &[&[u32]], passed: &mut Passed) -> u64;
}

/// The ways to intersect rows that any processor can go.
pub(super) struct Plain;

impl Ways for Plain {
    type Sums = u64;

    const HUBS_NEED_MARKS: bool = true;

    /// Intersects the two bitmaps, or the row and a bitmap, by the one that takes fewer steps. The hub's own row is never
    /// worth a look: where it is shorter, so is the bitmap.
    #[inline(always)]
    fn join(
        &self,
        MarkedRow { row, marks }: MarkedRow,
        hubs: &[HubBitmap],
        bits: &HubBits,
        thresholds: &Thresholds,
        sums: &mut u64,
    ) {
        let bitmaps = bits.lines();
        for (i, hub) in hubs.iter().enumerate() {
            if let Some(later) = hubs.get(i + prefetch::AHEAD) {
                prefetch::bitmap(&bitmaps[later.bitmap..]);
            }
            let bitmap = bitmaps[hub.bitmap..][..hub.lines as usize].as_flattened();
            let prefix = &row[..hub.place as usize];
            *sums += match bitmap.len() <= thresholds.words_per_test * prefix.len() {
                true => join(bitmap, marks),
                false => test(prefix, bitmap),
            };
        }
    }

    #[inline(always)]
    fn total(sums: u64) -> u64 {
        sums
    }

    #[inline(always)]
    fn test_all(&self, row: MarkedRow, others: &[&[u32]], _: &mut Passed) -> u64 {
        test_each(others, row.marks)
    }
}

/// Counts the triangles whose largest rank is in `rows`, whose rows `tails` holds, and whose middle rank is one of
/// those whose rows `heads` holds. Inlined, so that each caller compiles it for its own instruction set.
///
/// The pairs of a row are sorted by their method first: then the processor foresees which code comes next, and
/// each loop has in flight what the next pairs need.
#[inline(always)]
pub(super) fn count_rows<'g, W: Ways>(
    (tails, heads): (&RowRange, &'g RowRange),
    bits: &HubBits,
    thresholds: &Thresholds,
    scratch: &mut RowScratch<'g>,
    rows: Range<u32>,
    ways: W,
) -> u64 {
    let RowScratch { marks, hubs, others, unmarked, passed } = scratch;
    let mut triangles = 0;
    let mut sums = W::Sums::default();
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
                hubs.push(HubBitmap {
                    bitmap: words.start / WORDS,
                    lines: (words.len() / WORDS) as u32,
                    place: p as u32,
                });
            } else if (a as usize) <= thresholds.marked_ranks {
                others.push(heads.row(a));
            } else {
                unmarked.push((heads.row(a), p));
            }
        }
        let with_marks = !others.is_empty() || W::HUBS_NEED_MARKS && !hubs.is_empty();
        if with_marks {
            marks.set(marked);
        }
        let row_marked = MarkedRow { row: marked, marks: marks.words() };
        ways.join(row_marked, hubs, bits, thresholds, &mut sums);
        triangles += ways.test_all(row_marked, others, passed);
        if with_marks {
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
    triangles + W::total(sums)
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
