//! Cliques through the library: known numbers, formulas, and what the numbers add up to.

use std::collections::BTreeSet;

use proptest::prelude::*;
use testkit::{devices, places, reference, skip};
use tribin::{DeviceChoice, Error, Graph, Options, PreparedGraph, Session};

use super::on_cpu;

fn prepared(edges: Vec<[u32; 2]>) -> PreparedGraph {
    on_cpu(None).prepare(&Graph::from_edges(edges)).unwrap()
}

fn list(graph: &PreparedGraph, k: u32) -> Vec<Vec<u32>> {
    let mut cliques = Vec::new();
    let add = |blocks: Vec<Vec<u32>>| {
        cliques.extend(blocks.concat().chunks(k as usize).map(<[u32]>::to_vec));
        Ok(true)
    };
    graph.each_clique(k, add).unwrap();
    cliques
}

/// Every clique is at k vertices and on k(k - 1)/2 edges. Gives the number of cliques.
fn check_sums(graph: &PreparedGraph, k: u32) -> u128 {
    let cliques = graph.cliques(k).unwrap().cliques;
    let sum = |numbers: &[u64]| numbers.iter().map(|&n| u128::from(n)).sum::<u128>();
    let (at, on) = (graph.cliques_at_vertices(k).unwrap(), graph.cliques_on_edges(k).unwrap());
    assert_eq!(sum(&at), cliques * u128::from(k), "{}, k = {k}", graph.name());
    assert_eq!(
        sum(on.values()),
        cliques * u128::from(k * (k - 1) / 2),
        "{}, k = {k}",
        graph.name()
    );
    cliques
}

#[test]
fn the_karate_club_has_known_cliques() {
    let karate = on_cpu(None).prepare(&places::root().join("tests/data/karate.mtx")).unwrap();
    let found: Vec<u128> = (3..=6).map(|k| check_sums(&karate, k)).collect();
    assert_eq!(found, [45, 11, 2, 0]);
    // Members are numbered from 1 in the file.
    let mut cliques = list(&karate, 5);
    cliques.sort_unstable();
    assert_eq!(cliques, [[0, 1, 2, 3, 7], [0, 1, 2, 3, 13]]);
    assert_eq!(karate.cliques_at_vertices(5).unwrap()[..4], [2, 2, 2, 2]);
    assert_eq!(karate.cliques_on_edges(5).unwrap().get(0, 7), Some(1));
}

#[test]
fn other_numbers_of_vertices_are_refused() {
    let graph = prepared(vec![[0, 1]]);
    for k in [0, 2, 13, u32::MAX] {
        let expected = format!("cliques of {k} vertices: cliques have from 3 to 12 vertices");
        let refused = |error: Error| {
            assert!(matches!(error, Error::Usage(_)));
            assert_eq!(error.to_string(), expected);
        };
        refused(graph.cliques(k).unwrap_err());
        refused(graph.cliques_at_vertices(k).unwrap_err());
        refused(graph.cliques_on_edges(k).unwrap_err());
        refused(graph.each_clique(k, |_| Ok(true)).unwrap_err());
    }
    assert_eq!(check_sums(&graph, 12), 0);
    assert_eq!(check_sums(&prepared(vec![]), 4), 0);
}

#[test]
fn a_limit_stops_the_list() {
    let edges = (0..40u32).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let graph = prepared(edges);
    let mut calls = 0;
    let take = |_| {
        calls += 1;
        Ok(false)
    };
    graph.each_clique(5, take).unwrap();
    assert_eq!(calls, 1);
    let cliques = list(&graph, 4);
    assert_eq!((cliques.len(), BTreeSet::from_iter(&cliques).len()), (91_390, 91_390));
}

/// Triangles are cliques of three on graphs of every kind, and the numbers add up.
#[test]
fn reference_graphs_add_up() {
    for known in reference::all().iter().filter(|known| known.edges < 60_000) {
        let graph = on_cpu(None).prepare(&known.path).unwrap();
        assert_eq!(check_sums(&graph, 3), u128::from(known.triangles), "{}", known.file);
        let four = check_sums(&graph, 4);
        if four < 1 << 22 {
            assert_eq!(list(&graph, 4).len() as u128, four, "{}", known.file);
        }
    }
}

/// A GPU counts what the CPU counts, of every reference graph.
#[test]
fn a_gpu_counts_as_the_cpu_does() {
    if devices::gpu().is_none() {
        skip::whole("this machine has no GPU");
        return;
    }
    let mut options = Options::default();
    options.device = DeviceChoice::Gpu(None);
    let on_gpu = Session::open(options).unwrap();
    for known in reference::beside_others() {
        for k in [3, 4, 5] {
            let [found, expected] = [&on_gpu, &on_cpu(None)]
                .map(|session| session.prepare(&known.path).unwrap().cliques(k).unwrap());
            assert_eq!(found.cliques, expected.cliques, "{}, k = {k}", known.file);
            assert!(found.head.device.starts_with("gpu:"), "{}", found.head.device);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_graph_adds_up_and_lists_what_it_counts(
        edges in prop::collection::vec(prop::array::uniform2(0u32..30), 0..300),
        k in 3u32..7,
    ) {
        let graph = prepared(edges);
        let cliques = list(&graph, k);
        prop_assert_eq!(check_sums(&graph, k), cliques.len() as u128);
        let triangles = graph.count().unwrap().triangles;
        prop_assert_eq!(graph.cliques(3).unwrap().cliques, u128::from(triangles));
        for clique in &cliques {
            prop_assert!(clique.is_sorted_by(|a, b| a < b));
        }
    }
}
