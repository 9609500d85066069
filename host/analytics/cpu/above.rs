//! The other direction of the rows: from each rank, the ranks whose rows have it.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::OrientedGraph;

/// Rows that one task looks through.
const ROWS: usize = 1 << 12;

/// The neighbours of every rank that are larger than itself, in any order.
pub(super) struct RanksAbove {
    /// Where each rank's end; those of the next begin there.
    ends: Vec<usize>,
    ranks: Vec<u32>,
}

impl RanksAbove {
    /// O(n + m) work on the current rayon pool, 4 bytes an edge and 8 a rank.
    pub fn new(graph: &OrientedGraph) -> RanksAbove {
        // The number of each rank's, then where they begin, then where the next is put: in the end, where they end.
        let ends: Vec<AtomicUsize> = zeros(graph.vertices());
        let each = |found: &(dyn Fn(u32, &AtomicUsize) + Sync)| {
            (0..graph.vertices() as u32).into_par_iter().with_min_len(ROWS).for_each(|u| {
                graph.row(u).iter().for_each(|&a| found(u, &ends[a as usize]));
            });
        };
        each(&|_, number| _ = number.fetch_add(1, Relaxed));
        let mut before = 0;
        for end in &ends {
            before += end.swap(before, Relaxed);
        }
        let ranks: Vec<AtomicU32> = zeros(before);
        each(&|u, end| ranks[end.fetch_add(1, Relaxed)].store(u, Relaxed));
        RanksAbove {
            ends: ends.into_iter().map(AtomicUsize::into_inner).collect(),
            ranks: ranks.into_iter().map(AtomicU32::into_inner).collect(),
        }
    }

    /// Those of one rank. O(1).
    pub fn of(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.ranks[start..self.ends[rank]]
    }
}

fn zeros<T: Default + Send>(length: usize) -> Vec<T> {
    (0..length).into_par_iter().map(|_| T::default()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prepare::cpu::prepare;

    proptest! {
        #[test]
        fn they_are_those_whose_rows_have_the_rank(
            edges in prop::collection::vec(prop::array::uniform2(0u32..30), 0..200),
        ) {
            let graph = prepare(&edges, 32).oriented;
            let above = RanksAbove::new(&graph);
            for rank in 0..32 {
                let mut found = above.of(rank).to_vec();
                found.sort_unstable();
                let expected: Vec<u32> = (0..32).filter(|&u| graph.row(u).contains(&rank)).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
