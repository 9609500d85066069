//! Rows cut into tasks of about equal work.

use std::ops::Range;

use crate::Result;
use crate::control::Context;
use crate::graph::RowRange;
use tribin_base::par::{self, Spare};

/// Wedges of one task of counting: a fraction of a millisecond, so that the last tasks end together.
const WEDGES: u64 = 1 << 18;

/// Rows that are cut at a time.
const BLOCK: usize = 1 << 15;

/// Hands all rows to `work`, in tasks of about equal work, with states that `state` makes, about as many as there are
/// threads, and returns the states. The gauge counts tasks.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub(super) fn each<S: Send>(
    rows: &RowRange,
    context: &Context,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<u32>) + Sync,
) -> Result<Vec<S>> {
    let states = Spare::new();
    let tasks = by_wedges(rows, WEDGES);
    context.work().begin(tasks.len() as u64);
    par::try_for_each(tasks, |task| {
        context.cancel().check()?;
        states.with(&state, |state| work(state, task));
        context.work().add(1);
        Ok::<(), crate::Error>(())
    })?;
    Ok(states.into_values())
}

/// Ranges of rows that hold about `target` oriented wedges each. A row is never split: its
/// wedges are below its edges times √(2m).
pub(crate) fn by_wedges(rows: &RowRange, target: u64) -> Vec<Range<u32>> {
    let all = rows.ranks();
    par::map(par::blocks(all.len(), BLOCK), |block| {
        let mut tasks = Vec::new();
        let block = all.start + block.start as u32..all.start + block.end as u32;
        let (mut start, mut wedges) = (block.start, 0);
        for rank in block.clone() {
            let length = rows.row(rank).len() as u64;
            wedges += length * length / 2 + 1;
            if wedges >= target || rank == block.end - 1 {
                tasks.push(start..rank + 1);
                (start, wedges) = (rank + 1, 0);
            }
        }
        tasks
    })
    .concat()
}

/// The places of a row of `length` edges in ranges of about `target` wedges each: the edge at place p
/// closes p of them.
pub(super) fn places_by_wedges(length: usize, target: u64) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut next = 0;
    while next < length {
        let start = next;
        let mut wedges = 0;
        while next < length && wedges < target {
            wedges += next as u64;
            next += 1;
        }
        ranges.push(start..next);
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::prepare;

    #[test]
    fn tasks_cover_every_row_once_and_stop_at_the_target() {
        let clique: Vec<[u32; 2]> = (0..400).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        let graph = prepare(&clique, BLOCK + 100).oriented;
        let tasks = by_wedges(&graph, WEDGES);
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

    #[test]
    fn a_row_s_places_are_covered_once_and_stop_at_the_target() {
        for length in [0, 1, 2, 100, 1000] {
            let ranges = places_by_wedges(length, 1 << 10);
            assert_eq!(Vec::from_iter(ranges.iter().cloned().flatten()), Vec::from_iter(0..length));
            for places in ranges {
                let before_last: usize = (places.start..places.end - 1).sum();
                assert!(before_last < 1 << 10, "{places:?} goes on past the target");
            }
        }
    }
}
