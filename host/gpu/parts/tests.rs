//! All that is found in parts, in the emulator, against every three vertices.

use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use proptest::prelude::*;
use testkit::parts::OnEmulator;
use tribin_base::control::Context;
use tribin_base::{Cancel, Error, Result};
use tribin_cpu::prepare::oriented;
use tribin_graph::{Graph, OrientedGraph};
use tribin_parts::{EdgeSums, HostRows, PartsOnDevice, RowSource};
use tribin_plan::Task;
use tribin_plan::row_parts::RowCounts;

/// What is found in a graph.
#[derive(Debug, PartialEq)]
struct All {
    triangles: u64,
    at_ranks: Vec<u64>,
    on_edges: Vec<u32>,
}

/// By every three ranks.
fn brute_force(graph: &OrientedGraph) -> All {
    let n = graph.vertices() as u32;
    let edges: HashSet<(u32, u32)> =
        (0..n).flat_map(|u| graph.row(u).iter().map(move |&v| (u, v))).collect();
    let mut all = All {
        triangles: 0,
        at_ranks: vec![0; n as usize],
        on_edges: vec![0; graph.edges() as usize],
    };
    let place = |u: u32, v: u32| {
        let before: usize = (0..u).map(|rank| graph.row(rank).len()).sum();
        before + graph.row(u).iter().position(|&head| head == v).unwrap()
    };
    for &(u, a) in &edges {
        for w in (0..a).filter(|&w| edges.contains(&(u, w)) && edges.contains(&(a, w))) {
            all.triangles += 1;
            [u, a, w].into_iter().for_each(|rank| all.at_ranks[rank as usize] += 1);
            for (u, v) in [(u, a), (u, w), (a, w)] {
                all.on_edges[place(u, v)] += 1;
            }
        }
    }
    all
}

/// All results in parts of at most some bytes, and the number of parts of each.
fn in_parts(device: &OnEmulator, graph: &OrientedGraph) -> (All, [u64; 3]) {
    let (host, context) = (u64::MAX, Context::silent());
    let count = device.find_in_parts(graph, Task::Count, &mut (), host, &context).unwrap();
    let at_ranks = device.find_in_parts(graph, Task::AtVertices, &mut (), host, &context).unwrap();
    let mut edges = EdgeSums::new(graph).unwrap();
    let on_edges = device.find_in_parts(graph, Task::OnEdges, &mut edges, host, &context).unwrap();
    let parts = [count.parts, at_ranks.parts, on_edges.parts];
    let (triangles, at_ranks) = (count.triangles, at_ranks.at_ranks);
    (All { triangles, at_ranks, on_edges: edges.sums }, parts)
}

#[test]
fn without_edges() {
    for (edges, ranks) in [(vec![], 0), (vec![[3, 3]], 4)] {
        let (graph, _) = oriented(&Graph::from_edges(edges));
        let (found, parts) = in_parts(&OnEmulator::new(1, 0, 0), &graph);
        assert_eq!(found.at_ranks, vec![0; ranks]);
        assert_eq!((found.triangles, found.on_edges, parts), (0, vec![], [0; 3]));
    }
}

/// Every row a part of its own, and every row alone past it: 12 parts.
#[test]
fn a_clique_row_by_row() {
    let edges: Vec<_> = (0..13u32).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let (graph, _) = oriented(&Graph::from_edges(edges));
    let (found, parts) = in_parts(&OnEmulator::new(1, 0, 0), &graph);
    assert_eq!((found.triangles, parts), (13 * 12 * 11 / 6, [12; 3]));
    assert_eq!((found.at_ranks, found.on_edges), (vec![12 * 11 / 2; 13], vec![11; 13 * 12 / 2]));
    let (found, parts) = in_parts(&OnEmulator::new(1, u64::MAX, u64::MAX), &graph);
    assert_eq!((found, parts), (brute_force(&graph), [1; 3]));
}

#[test]
fn what_is_stopped_says_nothing() {
    let (graph, _) = oriented(&Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]));
    let cancel = Cancel::new();
    cancel.cancel();
    let context = Context::new(&|_| (), cancel);
    let found =
        OnEmulator::new(1, 0, 0).find_in_parts(&graph, Task::Count, &mut (), u64::MAX, &context);
    assert!(matches!(found, Err(Error::Cancelled)), "{found:?}");
}

/// Rows that cannot be read are an error of whoever reads, and the thread that reads ends.
#[test]
fn a_source_that_fails_ends_the_work() {
    struct Failing(OrientedGraph, usize);
    impl RowSource for Failing {
        fn units(&self) -> usize {
            self.0.units()
        }
        fn before(&self, unit: usize) -> RowCounts {
            self.0.before(unit)
        }
        fn largest_unit(&self) -> RowCounts {
            self.0.largest_unit()
        }
        fn wedges(&self) -> u64 {
            RowSource::wedges(&self.0)
        }
        fn rows(&self, units: Range<usize>, base: u64) -> Result<HostRows<'_>> {
            match units.contains(&self.1) {
                true => Err(Error::Usage("unreadable".into())),
                false => self.0.rows(units, base),
            }
        }
    }
    let edges: Vec<_> = (0..9u32).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let (graph, _) = oriented(&Graph::from_edges(edges));
    for unit in 1..9 {
        let source = Failing(graph.clone(), unit);
        let found = OnEmulator::new(1, 60, 60).find_in_parts(
            &source,
            Task::AtVertices,
            &mut (),
            u64::MAX,
            &Context::silent(),
        );
        assert_eq!(found.unwrap_err().to_string(), "unreadable");
    }
}

/// The counts of `reference.tsv`, in one part to five, with the counts at ranks and on edges of the CPU.
#[test]
fn real_graphs_in_one_to_five_parts() {
    let references = testkit::reference::beside_others();
    for reference in references.iter().filter(|reference| reference.edges <= 10_000) {
        let (graph, _) = oriented(
            &tribin_read::open(reference.path.as_path(), &tribin_read::Options::default()).unwrap(),
        );
        let context = Context::silent();
        let at_ranks = tribin_analytics::cpu::support::triangles(&graph, &context).unwrap();
        let on_edges = tribin_analytics::cpu::support::support(&graph, &context).unwrap();
        let known = All { triangles: reference.triangles, at_ranks, on_edges };
        let RowCounts { rows: ranks, edges } = graph.before(graph.units());
        let all = Task::Count.part_bytes(ranks, edges);
        for parts in 1..=5 {
            // A row more than a share, so that no part is left over.
            let room = all / parts + Task::Count.part_bytes(1, graph.longest_row());
            let (found, took) = in_parts(&OnEmulator::new(parts, room, all / 3), &graph);
            assert!(found == known, "{} in {parts}", reference.file);
            assert!(took[0] <= parts && took[2] >= took[0], "{took:?} {parts}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_cut_finds_the_same(
        edges in prop::collection::vec(prop::array::uniform2(0u32..24), 0..160),
        seed in any::<u64>(),
        part in 0u64..700,
        piece in 0u64..900,
    ) {
        let hub: Vec<[u32; 2]> = iter::repeat(30).zip(0..24).map(|(u, v)| [u, v]).collect();
        for edges in [edges.clone(), [edges, hub].concat()] {
            let (graph, _) = oriented(&Graph::from_edges(edges));
            let (found, _) = in_parts(&OnEmulator::new(seed, part, piece), &graph);
            prop_assert_eq!(found, brute_force(&graph));
        }
    }
}
