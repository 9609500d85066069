//! Rows cut into tasks of about equal work.

use std::ops::Range;

use rayon::prelude::*;

use crate::orient::Oriented;

/// Wedges of one task: a fraction of a millisecond, so that the last tasks end together.
const WEDGES: u64 = 1 << 18;

/// Rows that are cut at a time.
const BLOCK: usize = 1 << 15;

/// Ranges of rows that hold about [`WEDGES`] oriented wedges each. A row is never split: its
/// wedges are below its edges times √(2m).
pub(super) fn by_wedges(graph: &Oriented) -> Vec<Range<u32>> {
    let ranks = graph.vertices();
    (0..ranks.div_ceil(BLOCK))
        .into_par_iter()
        .flat_map_iter(|block| {
            let end = ((block + 1) * BLOCK).min(ranks) as u32;
            let mut next = (block * BLOCK) as u32;
            std::iter::from_fn(move || {
                let start = next;
                let mut wedges = 0;
                while next < end && wedges < WEDGES {
                    let length = graph.row(next).len() as u64;
                    wedges += length * length / 2 + 1;
                    next += 1;
                }
                (start < next).then_some(start..next)
            })
        })
        .collect()
}
