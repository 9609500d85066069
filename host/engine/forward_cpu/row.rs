//! The pairs of one row, each by its cheapest method.

use std::ops::Range;

use super::Thresholds;
use super::hub_bits::HubBits;
use super::intersect::{gallop, join, merge, test};
use super::marks::Marks;
use crate::orient::Oriented;

/// Counts the triangles whose largest rank is in `rows`. `marks` is clear before and after.
pub(super) fn count_rows(
    graph: &Oriented,
    hubs: &HubBits,
    thresholds: &Thresholds,
    marks: &mut Marks,
    rows: Range<u32>,
) -> u64 {
    let mut triangles = 0;
    for u in rows {
        let row = graph.row(u);
        let [marked @ .., _] = row else { continue };
        if marked.is_empty() {
            continue;
        }
        marks.set(marked);
        for (p, &a) in row.iter().enumerate().skip(1) {
            let prefix = &row[..p];
            let other = graph.row(a);
            let bits = hubs.row(a);
            triangles += if !bits.is_empty() {
                if bits.len() <= thresholds.words_per_test * prefix.len().min(other.len()) {
                    join(bits, marks.words())
                } else if prefix.len() <= other.len() {
                    test(prefix, bits)
                } else {
                    test(other, marks.words())
                }
            } else if (a as usize) <= thresholds.marked_ranks {
                test(other, marks.words())
            } else if prefix.len() * thresholds.gallop_ratio < other.len() {
                gallop(prefix, other)
            } else if other.len() * thresholds.gallop_ratio < prefix.len() {
                gallop(other, prefix)
            } else {
                merge(prefix, other)
            };
        }
        marks.clear(marked);
    }
    triangles
}
