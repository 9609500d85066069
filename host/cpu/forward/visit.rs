//! Every triangle, not their number alone: the pairs of rows as in counting, with the place of each
//! common vertex in both rows.

use std::ops::Range;

use super::Thresholds;
use super::placed_bits::{PlacedBits, PlacedHubs, PlacedMarks};
use super::prefetch;
use crate::graph::RowRange;

/// A consumer of the triangles of some rows.
///
/// The triangle of ranks `b < a < u` comes with `a` and `b` as places in the row of u, which ascends:
/// `a` is `row[p]`, `b` is `row[q]` with q < p, and b stands at place r of the row of a. `tails` has the rows of u, and
/// `heads` those of a: both are the graph where all of it is in memory.
pub trait Sink {
    /// The triangles of row `u` come next.
    fn begin_row(&mut self, tails: &RowRange, u: u32);

    /// The triangles of the edge u → a come next, `a` at place `p`.
    fn begin_edge(&mut self, heads: &RowRange, p: usize, a: u32);

    /// A triangle of that edge.
    fn triangle(&mut self, q: usize, r: usize);

    /// The row that was begun ends.
    fn end_row(&mut self, tails: &RowRange, u: u32);
}

/// Rows, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The rows.
    pub rows: Range<u32>,
    /// The places `p` of the edges to visit; of several rows, every place.
    pub places: Range<usize>,
}

impl Piece {
    /// All edges of some rows.
    pub fn rows(rows: Range<u32>) -> Piece {
        Piece { rows, places: 0..usize::MAX }
    }
}

/// The graph and its hubs, which all pieces share.
pub(super) struct PieceContext<'g> {
    pub heads: &'g RowRange,
    /// Ranks of the whole graph.
    pub ranks: usize,
    pub hubs: PlacedHubs,
    pub thresholds: Thresholds,
}

/// The memory that a piece works in. Nothing of one row is left in it for the next.
pub(super) struct VisitScratch<'g> {
    marks: PlacedMarks,
    others: Vec<&'g [u32]>,
}

impl VisitScratch<'_> {
    /// Scratch for a graph.
    pub fn new(around: &PieceContext) -> Self {
        let ranks = around.ranks.min(around.thresholds.marked_ranks);
        VisitScratch { marks: PlacedMarks::new(ranks), others: Vec::new() }
    }
}

/// Hands the triangles of a piece of `tails` to the sink. Inlined, so that each caller compiles it for its own
/// instruction set.
#[inline(always)]
pub(super) fn visit_piece<'g, S: Sink>(
    around: &PieceContext<'g>,
    tails: &RowRange,
    scratch: &mut VisitScratch<'g>,
    sink: &mut S,
    piece: Piece,
) {
    let heads = around.heads;
    for u in piece.rows {
        let row = tails.row(u);
        let within = heads.places_in(row);
        let places = piece.places.start.max(within.start)..piece.places.end.min(within.end);
        if places.is_empty() {
            continue;
        }
        let marked = &row[..places.end - 1];
        scratch.marks.set(marked);
        sink.begin_row(tails, u);
        scratch.others.clear();
        scratch.others.extend(row[places.clone()].iter().map(|&a| heads.row(a)));
        let others = &scratch.others;
        for (i, (p, &other)) in places.zip(others).enumerate() {
            if let Some(&later) = others.get(i + prefetch::AHEAD) {
                let PlacedBits { words, firsts } = around.hubs.row(row[p + prefetch::AHEAD]);
                match words {
                    [] => prefetch::row(later),
                    words => {
                        prefetch::bitmap(words);
                        prefetch::row(firsts);
                    }
                }
            }
            let a = row[p];
            sink.begin_edge(heads, p, a);
            visit_edge(around, scratch.marks.bits(), sink, (a, &row[..p]), other);
        }
        sink.end_row(tails, u);
        scratch.marks.clear(marked);
    }
}

/// The triangles of one edge, by the method that counting takes.
#[inline(always)]
fn visit_edge<S: Sink>(
    around: &PieceContext,
    marks: PlacedBits,
    sink: &mut S,
    (a, prefix): (u32, &[u32]),
    other: &[u32],
) {
    let PieceContext { hubs, thresholds, .. } = around;
    let bits = hubs.row(a);
    let mut common = |q: usize, r: usize| {
        sink.triangle(q, r);
        true
    };
    if !bits.words.is_empty() {
        if bits.words.len() <= thresholds.words_per_test * prefix.len().min(other.len()) {
            join(marks, bits, common);
        } else if prefix.len() <= other.len() {
            test(prefix, bits, common);
        } else {
            test(other, marks, |r, q| common(q, r));
        }
    } else if (a as usize) <= thresholds.marked_ranks {
        test(other, marks, |r, q| common(q, r));
    } else if prefix.len() * thresholds.gallop_ratio < other.len() {
        gallop(prefix, other, common);
    } else if other.len() * thresholds.gallop_ratio < prefix.len() {
        gallop(other, prefix, |r, q| common(q, r));
    } else {
        merge(prefix, other, common);
    }
}

/// The places of every rank of `list` that is set in `bits`, in the list and in the other row, as long as `common` is true.
#[inline(always)]
pub fn test(list: &[u32], bits: PlacedBits, mut common: impl FnMut(usize, usize) -> bool) {
    for (i, &rank) in list.iter().enumerate() {
        if bits.place(rank).is_some_and(|place| !common(i, place)) {
            return;
        }
    }
}

/// The places in two rows of every rank that is set in both bitmaps, as long as `common` is true.
#[inline(always)]
pub fn join(a: PlacedBits, b: PlacedBits, mut common: impl FnMut(usize, usize) -> bool) {
    for ((&x, &y), (&i, &j)) in a.words.iter().zip(b.words).zip(a.firsts.iter().zip(b.firsts)) {
        let mut both = x & y;
        while both != 0 {
            let below = (both & both.wrapping_neg()) - 1;
            let place =
                |first: u32, word: u64| first as usize + (word & below).count_ones() as usize;
            if !common(place(i, x), place(j, y)) {
                return;
            }
            both &= both - 1;
        }
    }
}

/// Every rank of two ascending lists, by one walk along both.
#[inline(always)]
pub(super) fn merge(a: &[u32], b: &[u32], mut common: impl FnMut(usize, usize) -> bool) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        if x == y && !common(i, j) {
            return;
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
}

/// The places of every rank of the ascending list `short` that is in the ascending list `long`, as long
/// as `common` is true: by searches that double their step from where the last one ended.
#[inline(always)]
pub fn gallop(short: &[u32], long: &[u32], mut common: impl FnMut(usize, usize) -> bool) {
    let mut start = 0;
    for (i, &rank) in short.iter().enumerate() {
        let rest = &long[start..];
        let mut step = 1;
        while step < rest.len() && rest[step] < rank {
            step *= 2;
        }
        let (from, to) = (step / 2, rest.len().min(step + 1));
        start += from + rest[from..to].partition_point(|&other| other < rank);
        match long.get(start) {
            Some(&other) if other == rank => {
                if !common(i, start) {
                    return;
                }
            }
            Some(_) => {}
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a method calls with two places.
    type Common<'a> = &'a mut dyn FnMut(usize, usize) -> bool;

    proptest! {
        #[test]
        fn every_method_finds_what_two_sets_share(
            a in prop::collection::btree_set(0u32..320, 0..100),
            b in prop::collection::btree_set(0u32..320, 0..100),
        ) {
            let expected: Vec<u32> = a.intersection(&b).copied().collect();
            let (list_a, list_b) = (Vec::from_iter(a), Vec::from_iter(b));
            let (mut marks_a, mut marks_b) = (PlacedMarks::new(320), PlacedMarks::new(320));
            marks_a.set(&list_a);
            marks_b.set(&list_b);
            let check = |method: &dyn Fn(Common)| {
                let mut found = Vec::new();
                method(&mut |i, j| {
                    assert_eq!(list_a[i], list_b[j]);
                    found.push(list_a[i]);
                    true
                });
                found == expected
            };
            prop_assert!(check(&|on| merge(&list_a, &list_b, on)));
            prop_assert!(check(&|on| gallop(&list_a, &list_b, on)));
            prop_assert!(check(&|on| gallop(&list_b, &list_a, |j, i| on(i, j))));
            prop_assert!(check(&|on| test(&list_a, marks_b.bits(), on)));
            prop_assert!(check(&|on| test(&list_b, marks_a.bits(), |j, i| on(i, j))));
            prop_assert!(check(&|on| join(marks_a.bits(), marks_b.bits(), on)));
        }
    }
}
