//! Degree-ordered forward on all CPU cores.
//!
//! For every oriented edge u → a the common out-neighbours of u and a are counted. They lie below
//! a, so of row u only the prefix before a matters. Each pair takes the cheapest of the methods of
//! `intersect`; the row of u is marked once in a bitmap that serves all its pairs, and rows that
//! are dense among the low ranks (those of the hubs) keep their bits for the whole count.
//!
//! Sources: the forward algorithm, Schank and Wagner 2005; hubs as a bit array of their own,
//! Koohi Esfahani et al., "LOTUS", PPoPP 2022.

mod hub_bits;
mod intersect;
mod marks;
mod row;
mod tasks;

use std::sync::Mutex;

use rayon::prelude::*;

use crate::orient::Oriented;
use hub_bits::HubBits;
use marks::Marks;

/// When a pair of rows takes which method. A method's cost is compared in the same unit: the time
/// to test one vertex in a bitmap.
#[derive(Debug, Clone, Copy)]
struct Thresholds {
    /// A row keeps its bits if it has at least one vertex for so many ranks below it.
    hub_ranks_per_entry: usize,
    /// Ranks below this one are marked in a bitmap; pairs whose head is larger are merged.
    marked_ranks: usize,
    /// Words of two bitmaps that are joined in the time of one test.
    words_per_test: usize,
    /// A merge gallops if one side is this many times longer.
    gallop_ratio: usize,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            hub_ranks_per_entry: 32,
            marked_ranks: 1 << 23,
            words_per_test: 1,
            gallop_ratio: 16,
        }
    }
}

/// Counts the triangles of an oriented graph on the current rayon pool.
///
/// Exact, and the same for every number of threads. O(m^1.5) work at worst; memory beside the
/// graph is one bitmap of at most 1 MB for each thread and at most 4 bytes for each edge.
///
/// A graph with m edges has at most (√2 / 3) m^1.5 triangles (a clique is the densest case), so
/// below 2⁴² edges, which are 16 TiB of rows, the count stays below 2⁶³ and cannot overflow.
pub fn count(graph: &Oriented) -> u64 {
    count_with(graph, Thresholds::default())
}

fn count_with(graph: &Oriented, thresholds: Thresholds) -> u64 {
    let hubs = HubBits::new(graph, thresholds.hub_ranks_per_entry, thresholds.marked_ranks);
    let idle: Mutex<Vec<Marks>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    tasks::by_wedges(graph)
        .into_par_iter()
        .with_max_len(1)
        .map(|rows| {
            let waiting = lock().pop();
            let mut marks = waiting
                .unwrap_or_else(|| Marks::new(graph.vertices().min(thresholds.marked_ranks)));
            let triangles = row::count_rows(graph, &hubs, &thresholds, &mut marks, rows);
            lock().push(marks);
            triangles
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::orient::cpu::prepare;

    /// Every triple of vertices.
    fn brute_force(edges: &[[u32; 2]], vertices: usize) -> u64 {
        let mut joined = vec![vec![false; vertices]; vertices];
        for &[u, v] in edges {
            joined[u as usize][v as usize] = true;
            joined[v as usize][u as usize] = true;
        }
        let mut triangles = 0;
        for u in 0..vertices {
            for v in 0..u {
                for w in 0..v {
                    triangles += u64::from(joined[u][v] && joined[v][w] && joined[u][w]);
                }
            }
        }
        triangles
    }

    fn thresholds() -> impl Strategy<Value = Thresholds> {
        let marked = prop_oneof![Just(0), Just(1), Just(63), Just(64), Just(65), Just(1000)];
        let density = prop_oneof![Just(0), Just(1), Just(2), Just(32), Just(1000)];
        (density, marked, 0usize..4, 0usize..5).prop_map(
            |(hub_ranks_per_entry, marked_ranks, words_per_test, gallop_ratio)| Thresholds {
                hub_ranks_per_entry,
                marked_ranks,
                words_per_test,
                gallop_ratio,
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn every_choice_of_methods_counts_the_same(
            edges in prop_oneof![
                prop::collection::vec(prop::array::uniform2(0u32..70), 0..900),
                prop::collection::vec([0u32..8, 0u32..70], 0..400),
                prop::collection::vec(prop::array::uniform2(0u32..20), 0..300),
            ],
            thresholds in thresholds(),
        ) {
            let oriented = prepare(&edges, 70).oriented;
            prop_assert_eq!(count_with(&oriented, thresholds), brute_force(&edges, 70));
        }
    }
}
