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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orient::cpu::prepare;

    #[test]
    fn tasks_cover_every_row_once_and_stop_at_the_target() {
        let clique: Vec<[u32; 2]> = (0..400).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        let graph = prepare(&clique, BLOCK + 100).oriented;
        let tasks = by_wedges(&graph);
        assert_eq!(
            tasks.iter().cloned().flatten().collect::<Vec<_>>(),
            Vec::from_iter(0..BLOCK as u32 + 100)
        );
        let work = |row: u32| (graph.row(row).len() as u64).pow(2) / 2 + 1;
        for task in &tasks {
            let before_last: u64 = (task.start..task.end - 1).map(work).sum();
            assert!(before_last < WEDGES, "{task:?} goes on past the target");
        }
        // 400 rows hold about 400³ / 6 wedges: 40 targets, each overshot by less than 0.4.
        assert!((30..=42).contains(&tasks.len()), "{} tasks", tasks.len());
    }
}
