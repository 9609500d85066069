//! The list of results: every worked example, and what is new beside sets of neighbours.

use std::collections::BTreeSet;

use proptest::prelude::*;
use testkit::places;
use tribin::analytics::ZeroSign;
use tribin::results::{
    self, Definition, EDGE_RESULTS, EdgeResult, GraphKind, OnEdges, VERTEX_RESULTS, VertexResult,
};
use tribin::{Graph, Input, PreparedGraph};

use super::examples::{AT_VERTICES, EDGES, ON_EDGES, WEIGHTS};
use super::on_cpu;

fn prepared(entries: &[[u32; 2]], weights: &[f64], needs: GraphKind) -> PreparedGraph {
    let mut graph = Graph::from_edges(entries);
    if !weights.is_empty() {
        graph = graph.with_weights(weights.to_vec()).unwrap();
    }
    let input = Input::from(&graph);
    let is_directed = matches!(needs, GraphKind::Directed | GraphKind::DirectedWeighted);
    on_cpu(None).prepare(if is_directed { input.directed() } else { input }).unwrap()
}

/// The numbers of a result at all vertices.
fn at_vertices(graph: &PreparedGraph, name: &str) -> Vec<f64> {
    let found = graph.at_vertices();
    let column = (results::at_vertices(graph.kind(), name).unwrap().formula)(&found).unwrap();
    (0..graph.vertex_bound() as u32).map(|vertex| column.double(vertex)).collect()
}

/// The edges, and the numbers of a result on them.
fn on_edges(graph: &PreparedGraph, name: &str) -> Vec<([u32; 2], f64)> {
    let result = results::on_edges(graph.kind(), name).unwrap();
    let (facts, mut found) =
        (OnEdges::find(graph, &[result], ZeroSign::Error).unwrap(), Vec::new());
    graph
        .each_edge(|blocks| {
            for edge in blocks.into_iter().flatten() {
                found.push(([edge[0], edge[1]], result.formula.value(facts.facts(edge))));
            }
            Ok(true)
        })
        .unwrap();
    found
}

/// The same numbers, of which any may be NaN.
fn assert_same(found: &[f64], expected: &[f64], name: &str) {
    let is_same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(is_same),
        "{name}: {found:?} for {expected:?}"
    );
}

#[test]
fn every_result_has_an_example_that_comes_out() {
    let of = |&Definition { needs, name, .. }: &Definition| (needs, name);
    let named = |result: &VertexResult| of(&result.definition);
    let examples = AT_VERTICES.iter().map(|&(needs, name, ..)| (needs, name));
    assert!(VERTEX_RESULTS.iter().map(named).eq(examples));
    for &(needs, name, entries, weights, expected) in AT_VERTICES {
        assert_same(&at_vertices(&prepared(entries, weights, needs), name), expected, name);
    }
    let named = |result: &EdgeResult| of(&result.definition);
    let examples = ON_EDGES.iter().map(|&(needs, name, _)| (needs, name));
    assert!(EDGE_RESULTS.iter().map(named).eq(examples));
    for (needs, name, expected) in ON_EDGES {
        let weights = if *needs == GraphKind::Plain { &[] } else { WEIGHTS };
        let graph = prepared(EDGES, weights, *needs);
        let (edges, values): (Vec<_>, Vec<_>) = on_edges(&graph, name).into_iter().unzip();
        assert_eq!(edges, EDGES);
        assert_same(&values, expected, name);
    }
}

/// The figures of the karate club that the literature and other programs have.
#[test]
fn the_karate_club_has_known_figures() {
    let karate = on_cpu(None).prepare(&places::root().join("tests/data/karate.mtx")).unwrap();
    let centrality = at_vertices(&karate, "triangle_centrality");
    for (member, expected) in [(14, 34.0), (1, 91.0 / 3.0), (32, 88.0 / 3.0), (3, 29.0)] {
        let found = centrality[member - 1];
        assert!((found - expected / 45.0).abs() < 1e-15, "{member}: {found}");
    }
    let forman = on_edges(&karate, "forman");
    let least = forman.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let most = forman.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_eq!((*least, *most), (([0, 31], -18.0), ([32, 33], 5.0)));
    let jaccard = on_edges(&karate, "jaccard");
    let of = |edge| jaccard.iter().find(|(own, _)| *own == edge).unwrap().1;
    assert_eq!((of([0, 1]), of([32, 33])), (7.0 / 18.0, 10.0 / 19.0));
}

/// The neighbours of each of `vertices` vertices, in either direction.
fn neighbours(arcs: &BTreeSet<[u32; 2]>, vertices: u32) -> Vec<BTreeSet<u32>> {
    let of = |v: u32| {
        let others = (0..vertices).filter(|&w| arcs.contains(&[v, w]) || arcs.contains(&[w, v]));
        others.collect()
    };
    (0..vertices).map(of).collect()
}

proptest! {
    #[test]
    fn results_are_those_of_sets_of_neighbours(
        entries in prop::collection::vec(prop::array::uniform2(0u32..14), 1..90),
    ) {
        let vertices = 14;
        let arcs: BTreeSet<[u32; 2]> =
            entries.iter().copied().filter(|[u, v]| u != v).collect();
        let around = neighbours(&arcs, vertices);
        let graph = Graph::from_edges(&entries).with_vertices(vertices as usize).unwrap();
        let plain = on_cpu(None).prepare(&graph).unwrap();
        let directed = on_cpu(None).prepare(Input::from(&graph).directed()).unwrap();
        let of = |v: u32| &around[v as usize];
        let common = |u: u32, v: u32| of(u).intersection(of(v)).count() as f64;
        let size = |set: &BTreeSet<u32>| set.len() as f64;

        let all: Vec<[u32; 2]> = (0..vertices)
            .flat_map(|u| of(u).iter().filter(move |&&v| u < v).map(move |&v| [u, v]))
            .collect();
        let expect = |name, value: &dyn Fn(u32, u32) -> f64| {
            let known: Vec<_> = all.iter().map(|&[u, v]| ([u, v], value(u, v))).collect();
            prop_assert_eq!(on_edges(&plain, name), known, "{}", name);
            Ok(())
        };
        expect("support", &common)?;
        expect("jaccard", &|u, v| common(u, v) / size(&of(u).union(of(v)).copied().collect()))?;
        expect("overlap", &|u, v| common(u, v) / size(of(u)).min(size(of(v))))?;
        expect("cosine", &|u, v| common(u, v) / (size(of(u)) * size(of(v))).sqrt())?;
        expect("sorensen", &|u, v| 2.0 * common(u, v) / (size(of(u)) + size(of(v))))?;
        expect("edge_clustering", &|u, v| {
            let most = size(of(u)).min(size(of(v))) - 1.0;
            if most == 0.0 { 0.0 } else { common(u, v) / most }
        })?;
        expect("forman", &|u, v| 4.0 - size(of(u)) - size(of(v)) + 3.0 * common(u, v))?;

        let triangles = |v: u32| of(v).iter().map(|&w| common(v, w)).sum::<f64>() / 2.0;
        let total = (0..vertices).map(triangles).sum::<f64>() / 3.0;
        let centrality = |v: u32| {
            let share = |&w: &u32| if common(v, w) > 0.0 { 1.0 } else { 3.0 };
            let sum: f64 = of(v).iter().map(|w| share(w) * triangles(*w)).sum();
            if total == 0.0 { 0.0 } else { (triangles(v) + sum) / (3.0 * total) }
        };
        let known: Vec<f64> = (0..vertices).map(centrality).collect();
        prop_assert_eq!(at_vertices(&plain, "triangle_centrality"), known);

        // NetworkX's own way: each pair of neighbours, with the cycles over their other common neighbours.
        let squares = |v: u32| {
            let (mut cycles, mut places) = (0.0, 0.0);
            for (i, &u) in of(v).iter().enumerate() {
                for &w in of(v).iter().skip(i + 1) {
                    let common = common(u, w) - 1.0;
                    let taken = common + 1.0 + f64::from(u8::from(of(u).contains(&w)));
                    cycles += common;
                    places += size(of(u)) + size(of(w)) - 2.0 * taken + common;
                }
            }
            (cycles, if places > 0.0 { cycles / places } else { 0.0 })
        };
        let (cycles, shares): (Vec<_>, Vec<_>) = (0..vertices).map(squares).unzip();
        prop_assert_eq!(at_vertices(&plain, "four_cycles"), cycles);
        prop_assert_eq!(at_vertices(&plain, "square_clustering"), shares);
        let ends = (0..vertices).map(|v| of(v).iter().map(|&w| size(of(w)) - 1.0).sum::<f64>());
        prop_assert_eq!(at_vertices(&plain, "wedge_ends"), ends.collect::<Vec<_>>());

        let ldbc = |v: u32| {
            let inside = |[u, w]: &&[u32; 2]| of(v).contains(u) && of(v).contains(w);
            let arcs = arcs.iter().filter(inside).count() as f64;
            if arcs == 0.0 { 0.0 } else { arcs / (size(of(v)) * (size(of(v)) - 1.0)) }
        };
        let known: Vec<f64> = (0..vertices).map(ldbc).collect();
        prop_assert_eq!(at_vertices(&directed, "ldbc_clustering"), known);
    }
}
