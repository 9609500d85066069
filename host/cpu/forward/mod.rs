//! Degree-ordered forward on all CPU cores.
//!
//! For every oriented edge u → a the common out-neighbours of u and a are counted. They lie below
//! a, so of row u only the prefix before a matters. The row of u is marked once in a bitmap that
//! serves all its pairs; rows that are dense among the ranks below them (those of the hubs) keep
//! their bits for the whole count. Each pair takes the cheapest method:
//!
//! | row of a | method | steps |
//! | --- | --- | --- |
//! | has bits, with AVX-512 | and those lines of 512 bits that have a rank of the prefix, count the bits | a / 512 or prefix, at most |
//! | has bits, and its bitmap is short | and the two bitmaps, count the bits | a / 64 |
//! | has bits, and the prefix is shorter | look the prefix up in the bits of a | prefix |
//! | any other | look the row of a up in the marks of u | row of a |
//! | any other, a past the marked ranks | merge, or gallop where one side is much longer | both |
//!
//! Sources: the forward algorithm, Schank and Wagner, "Finding, counting and listing all triangles
//! in large graphs", WEA 2005; bits for hubs, Koohi Esfahani et al., "LOTUS", PPoPP 2022.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod features;
mod hub_bits;
mod intersect;
#[cfg(target_arch = "x86_64")]
mod lines;
mod marks;
mod passed;
mod placed_bits;
mod places;
#[cfg(target_arch = "x86_64")]
mod places512;
mod prefetch;
mod row;
mod tasks;
mod visit;
mod visitor;

pub use features::{Features, Multiversioned};
pub use placed_bits::{PlacedBits, PlacedMarks};
pub use places::{ByRow, PlaceCounter, RowSink, Thirds};
pub use visit::{Piece, Sink, gallop, join, test};
pub use visitor::{Visitor, pieces_of};

use std::ops::Range;

use crate::Result;
use crate::control::Context;
use crate::graph::{OrientedGraph, RowRange};
use crate::plan::MARKED_RANKS;
use hub_bits::HubBits;
use row::RowScratch;
pub(crate) use tasks::by_wedges;
use tribin_base::par::Spare;

/// The thresholds by which a pair of rows takes a method. No choice changes the count.
#[derive(Debug, Clone, Copy)]
struct Thresholds {
    /// A row keeps its bits if it has at least one vertex for this many ranks below it.
    hub_ranks_per_entry: usize,
    /// Ranks below this one are marked; its bitmap should stay in a core's second-level cache.
    marked_ranks: usize,
    /// Words of two bitmaps that are joined in the time of looking one vertex up, but for AVX-512.
    words_per_test: usize,
    /// A merge gallops if one side is this many times longer.
    gallop_ratio: usize,
}

impl Default for Thresholds {
    /// Measured on a 2-core machine. On a Graph500 graph of scale 20, half the first value makes
    /// counting 13% slower and twice the value 6%; on a uniform graph of 2²² vertices, marking
    /// only 2²⁰ of them takes 1.3 times as long.
    fn default() -> Self {
        Thresholds {
            hub_ranks_per_entry: 128,
            marked_ranks: MARKED_RANKS,
            words_per_test: 3,
            gallop_ratio: 16,
        }
    }
}

/// Counts the triangles of an oriented graph on the current rayon pool.
///
/// Exact, and the same for every number of threads. O(m^1.5) work at worst. Memory beside the
/// graph: a bitmap of at most 1 MB for each thread, and the hubs' bits, at most 16 bytes for each
/// edge (on Graph500 graphs about 2).
///
/// A graph with m edges has at most (√2 / 3) m^1.5 triangles (a clique is the worst case), so
/// below 2⁴² edges, which are 16 TiB of rows, the count stays below 2⁶³ and cannot overflow.
pub fn count(graph: &OrientedGraph) -> u64 {
    count_until(graph, &Context::silent()).expect("nobody cancels")
}

/// [`count`], unless it is told to stop, with a gauge: tasks have about equal work.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn count_until(graph: &OrientedGraph, context: &Context) -> Result<u64> {
    count_with(graph, Thresholds::default(), Features::widest(), context)
}

fn count_with(
    graph: &OrientedGraph,
    thresholds: Thresholds,
    features: Features,
    context: &Context,
) -> Result<u64> {
    let counter = Counter::with(graph, graph.vertices(), u64::MAX, thresholds, features);
    let sums = tasks::each(graph, context, || 0, |sum, rows| *sum += counter.count(graph, rows))?;
    Ok(sums.into_iter().sum())
}

/// Counts the triangles whose middle rank is one of some ranks: those of a graph, or of a part that is in memory
/// while the others are not.
pub struct Counter<'g> {
    heads: &'g RowRange,
    /// Ranks of the whole graph.
    ranks: usize,
    hubs: HubBits,
    thresholds: Thresholds,
    features: Features,
    spare: Spare<RowScratch<'g>>,
}

impl<'g> Counter<'g> {
    /// A counter for the middle ranks whose rows `heads` holds, in a graph of `ranks` ranks. Beside them it takes
    /// `hub_bytes` bytes at most, and [`bytes_of_a_thread`](crate::plan::bytes_of_a_thread) for each thread.
    pub fn new(heads: &'g RowRange, ranks: usize, hub_bytes: u64) -> Counter<'g> {
        Counter::with(heads, ranks, hub_bytes, Thresholds::default(), Features::widest())
    }

    fn with(
        heads: &'g RowRange,
        ranks: usize,
        hub_bytes: u64,
        thresholds: Thresholds,
        features: Features,
    ) -> Counter<'g> {
        let hubs = HubBits::new(heads, &thresholds, hub_bytes);
        Counter { heads, ranks, hubs, thresholds, features, spare: Spare::new() }
    }

    /// Counts the triangles whose largest rank is one of `rows`, which are among those of `tails`.
    pub fn count(&self, tails: &RowRange, rows: Range<u32>) -> u64 {
        let Counter { heads, ranks, hubs, thresholds, features, spare } = self;
        spare.with(
            || RowScratch::new(*ranks, thresholds),
            |scratch| features.count_rows(tails, heads, hubs, thresholds, scratch, rows),
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::effort;
    use testkit::oracle::brute_force;

    use super::*;
    use crate::prepare::prepare;

    /// Edges among up to 70 vertices: of any two, of hubs, and of few vertices.
    pub(super) fn edges() -> impl Strategy<Value = Vec<[u32; 2]>> {
        prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..70), 0..900),
            prop::collection::vec([0u32..8, 0u32..70], 0..400),
            prop::collection::vec(prop::array::uniform2(0u32..20), 0..300),
        ]
    }

    pub(super) fn thresholds() -> impl Strategy<Value = Thresholds> {
        let marked = prop_oneof![Just(0), Just(1), Just(63), Just(64), Just(65), Just(1000)];
        let density = prop_oneof![Just(0), Just(1), Just(32), Just(128), Just(1000)];
        (density, marked, 0usize..4, 0usize..5).prop_map(
            |(hub_ranks_per_entry, marked_ranks, words_per_test, gallop_ratio)| Thresholds {
                hub_ranks_per_entry,
                marked_ranks,
                words_per_test,
                gallop_ratio,
            },
        )
    }

    #[test]
    fn no_bits_are_used_past_the_marked_ranks() {
        // Every row of a clique is dense; only rank 0 and 1 may take part in bitmaps here.
        let clique: Vec<[u32; 2]> = (0..70).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        let oriented = prepare(&clique, 70).oriented;
        for words_per_test in [0, 3] {
            let thresholds =
                Thresholds { marked_ranks: 1, words_per_test, ..Thresholds::default() };
            for features in Features::available() {
                let found = count_with(&oriented, thresholds, features, &Context::silent());
                assert_eq!(found.unwrap(), 70 * 69 * 68 / 6);
            }
        }
    }

    /// A dense core of `core` vertices, of which one pair in `one_of` is joined, and around it vertices with rows of each length
    /// into it; and how many vertices there are.
    pub(super) fn rows_of_every_length(core: u32, one_of: u32, seed: u64) -> (Vec<[u32; 2]>, u32) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut edges: Vec<[u32; 2]> =
            (0..core).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        edges.retain(|_| random.u32(..one_of) == 0);
        let lengths =
            [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 258, 511, 513];
        let mut vertices = core;
        for length in lengths {
            for span in [600, core] {
                edges.extend((0..length).map(|_| [vertices, random.u32(..span)]));
                // Rows that begin past the hubs.
                edges.extend((core..vertices).rev().take(20).map(|v| [vertices, v]));
                vertices += 1;
            }
        }
        (edges, vertices)
    }

    #[test]
    fn rows_at_every_border_of_a_method_are_counted() {
        // More than two lines of bits.
        let (edges, vertices) = rows_of_every_length(1300, 5, 11);
        let expected = brute_force(&edges);
        let oriented = prepare(&edges, vertices as usize).oriented;
        let mut number = 0;
        for hub_ranks_per_entry in [0, 2, 4, 128] {
            for marked_ranks in [0, 511, 512, 700, 1 << 23] {
                let thresholds =
                    Thresholds { hub_ranks_per_entry, marked_ranks, ..Thresholds::default() };
                number += 1;
                // Seven in a quick run take each value of both.
                if !effort::takes(number - 1, 3) {
                    continue;
                }
                for features in Features::available() {
                    let found = count_with(&oriented, thresholds, features, &Context::silent());
                    assert_eq!(found.unwrap(), expected, "{thresholds:?} {features:?}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn every_choice_of_methods_counts_the_same(
            edges in edges(),
            thresholds in thresholds(),
        ) {
            let oriented = prepare(&edges, 70).oriented;
            let expected = brute_force(&edges);
            for features in Features::available() {
                let found = count_with(&oriented, thresholds, features, &Context::silent());
                prop_assert_eq!(found.unwrap(), expected);
            }
        }
    }
}
