//! The other direction of the rows: from each rank, the ranks whose rows have it.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use crate::Result;
use crate::control::{Context, memory, prefetch};
use crate::graph::{OrientedGraph, by_edges};
use tribin_base::par;

/// Elements between the request for a cache line and its use.
pub(super) const AHEAD: usize = 16;

/// Most edges of a task, but for those whose first row has more.
const MOST: u64 = 1 << 22;

/// Fewest edges that are worth a task.
const LEAST: u64 = 1 << 14;

/// The neighbours of every rank that are larger than itself, in any order.
pub(super) struct RanksAbove {
    /// Where the larger neighbours of each rank end in `ranks`; those of the next begin there.
    ends: Vec<usize>,
    ranks: Vec<u32>,
}

impl RanksAbove {
    /// Ranks below `hubs` are counted by each task for itself.
    ///
    /// O(n + m) work on the current rayon pool; 4 bytes an edge and 8 a rank, and while it is made 8 for each task and hub.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) where there is no memory.
    pub fn new(graph: &OrientedGraph, hubs: usize, context: &Context) -> Result<RanksAbove> {
        let share = graph.edges() / (4 * par::threads() as u64);
        let tasks = by_edges(&graph.offsets, share.clamp(LEAST, MOST));
        let ends: Vec<AtomicUsize> = memory::zeroed(graph.vertices())?;
        let count = |rows: &Range<u32>| -> Result<Vec<usize>> {
            context.cancel().check()?;
            let mut at_hubs = vec![0; hubs.min(ends.len())];
            let heads = heads(graph, rows);
            for (i, &head) in heads.iter().enumerate() {
                prefetch::indexed(&ends, heads, i + AHEAD);
                match at_hubs.get_mut(head as usize) {
                    Some(number) => *number += 1,
                    None => _ = ends[head as usize].fetch_add(1, Relaxed),
                }
            }
            Ok(at_hubs)
        };
        let mut at_hubs = par::try_map(&tasks, count)?;
        for (hub, number) in ends.iter().take(hubs).enumerate() {
            number.store(at_hubs.iter().map(|numbers| numbers[hub]).sum(), Relaxed);
        }
        // From here on where the next of a rank is put: in the end, where they end.
        let mut before = 0;
        for end in &ends {
            before += end.swap(before, Relaxed);
        }
        // Each task has places of its own at a hub.
        for (hub, end) in ends.iter().take(hubs).enumerate() {
            let mut next = end.load(Relaxed);
            for numbers in &mut at_hubs {
                next += std::mem::replace(&mut numbers[hub], next);
            }
            end.store(next, Relaxed);
        }

        let ranks: Vec<AtomicU32> = memory::zeroed(graph.heads.len())?;
        let put = |(rows, at_hubs): (&Range<u32>, &mut Vec<usize>)| -> Result<()> {
            context.cancel().check()?;
            let heads = heads(graph, rows);
            let mut i = 0;
            for rank in rows.clone() {
                for &head in graph.row(rank) {
                    i += 1;
                    prefetch::indexed(&ends, heads, i + AHEAD);
                    let place = match at_hubs.get_mut(head as usize) {
                        Some(next) => std::mem::replace(next, *next + 1),
                        None => ends[head as usize].fetch_add(1, Relaxed),
                    };
                    ranks[place].store(rank, Relaxed);
                }
            }
            Ok(())
        };
        par::try_for_each(tasks.iter().zip(&mut at_hubs), put)?;
        // In the same memory.
        Ok(RanksAbove {
            ends: ends.into_iter().map(AtomicUsize::into_inner).collect(),
            ranks: ranks.into_iter().map(AtomicU32::into_inner).collect(),
        })
    }

    /// The neighbours of one rank with larger ranks. O(1).
    pub fn of(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.ranks[start..self.ends[rank]]
    }
}

/// The heads of some rows.
fn heads<'g>(graph: &'g OrientedGraph, rows: &Range<u32>) -> &'g [u32] {
    let [start, end] = [rows.start, rows.end].map(|row| graph.offsets[row as usize] as usize);
    &graph.heads[start..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    proptest! {
        #[test]
        fn they_are_those_whose_rows_have_the_rank(
            edges in prop::collection::vec(prop::array::uniform2(0u32..30), 0..200),
            hubs in 0usize..40,
        ) {
            let graph = prepare(&edges, 32).oriented;
            let above = RanksAbove::new(&graph, hubs, &Context::silent()).unwrap();
            for rank in 0..32 {
                let mut found = above.of(rank).to_vec();
                found.sort_unstable();
                let expected: Vec<u32> = (0..32).filter(|&u| graph.row(u).contains(&rank)).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
