//! The CPU's way from an edge array to a count, against oracles that share no code with it.

use testkit::generators;

use std::collections::BTreeSet;

use proptest::prelude::*;
use testkit::oracle::Simple;
use tribin_cpu::forward as forward_cpu;
use tribin_cpu::prepare::{Prepared, prepare};
use tribin_graph::Summary;

/// What the CPU finds: the prepared graph and its count, on `threads` threads.
fn run(edges: &[[u32; 2]], vertex_bound: usize, threads: usize) -> (Prepared, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let prepared = prepare(edges, vertex_bound);
        let triangles = forward_cpu::count(&prepared.oriented);
        (prepared, triangles)
    })
}

/// Every invariant of the oriented form, the documented order of ranks included.
fn assert_oriented(edges: &[[u32; 2]], simple: &Simple, vertex_bound: usize, prepared: &Prepared) {
    let oriented = &prepared.oriented;
    assert_eq!(oriented.vertices(), vertex_bound);
    assert_eq!(oriented.offsets().len(), vertex_bound + 1);
    assert_eq!(oriented.offsets()[0], 0);
    assert_eq!(*oriented.offsets().last().unwrap(), oriented.edges());
    assert!(oriented.offsets().is_sorted());

    let mut entries = vec![0u64; vertex_bound];
    for &[u, v] in edges.iter().filter(|[u, v]| u != v) {
        entries[u as usize] += 1;
        entries[v as usize] += 1;
    }
    let mut order: Vec<u32> = (0..vertex_bound as u32).collect();
    order.sort_by_key(|&v| std::cmp::Reverse(entries[v as usize]));
    assert_eq!(oriented.vertex_of_rank(), order);

    let mut found = BTreeSet::new();
    for u in 0..vertex_bound as u32 {
        let row = oriented.row(u);
        assert!(row.is_sorted_by(|a, b| a < b));
        assert!(row.iter().all(|&a| a < u));
        let vertex = |rank: u32| oriented.vertex_of_rank()[rank as usize];
        for &a in row {
            assert!(found.insert([vertex(u).min(vertex(a)), vertex(u).max(vertex(a))]));
        }
    }
    assert_eq!(found, *simple.edges());
}

fn check(edges: &[[u32; 2]], vertex_bound: usize) {
    let simple = Simple::with_vertices(edges, vertex_bound);
    let expected = simple.triangles();
    let mut first: Option<Prepared> = None;
    for threads in [1, 2, 3, 8] {
        let (prepared, triangles) = run(edges, vertex_bound, threads);
        assert_eq!(triangles, expected, "with {threads} threads");
        match &first {
            None => {
                assert_oriented(edges, &simple, vertex_bound, &prepared);
                assert_eq!(prepared.figures, simple.summary());
                first = Some(prepared);
            }
            Some(first) => {
                assert_eq!(first.oriented, prepared.oriented);
                assert_eq!(first.figures, prepared.figures);
            }
        }
    }
}

/// One structure among the vertices `first..first + size`.
fn structure() -> impl Strategy<Value = Vec<[u32; 2]>> {
    let part = |limit: u32| (0u32..60, 1u32..limit);
    prop_oneof![
        // Uniform pairs: loops, duplicates, both directions.
        prop::collection::vec(prop::array::uniform2(0u32..70), 0..200),
        // A star.
        part(60).prop_map(|(c, n)| (0..n).map(|i| [c, c + 1 + i]).collect()),
        // A clique.
        part(24).prop_map(|(a, n)| {
            (0..n).flat_map(|i| (0..i).map(move |j| [a + i, a + j])).collect()
        }),
        // A complete bipartite graph.
        (part(16), 1u32..16).prop_map(|((a, n), m)| {
            (0..n).flat_map(|i| (0..m).map(move |j| [a + i, a + n + j])).collect()
        }),
        // A path, and one vertex that joins all of it.
        part(60)
            .prop_map(|(a, n)| (0..n).flat_map(|i| [[a + i, a + i + 1], [a + i, 130]]).collect()),
        // One edge, over and over, in both directions.
        (0u32..70, 0u32..70, 1usize..40).prop_map(|(u, v, n)| (0..n)
            .map(|i| if i % 2 == 0 { [u, v] } else { [v, u] })
            .collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::effort::cases(400)))]

    #[test]
    fn random_multigraphs(
        parts in prop::collection::vec(structure(), 0..5),
        stride in 1u32..6,
        beyond in 0usize..20,
    ) {
        // A stride over 1 leaves gaps between the ids.
        let edges: Vec<[u32; 2]> =
            parts.concat().into_iter().map(|edge| edge.map(|v| v * stride)).collect();
        let bound = edges.iter().flatten().max().map_or(0, |&max| max as usize + 1);
        check(&edges, bound + beyond);
    }

    #[test]
    fn shuffling_and_turning_edges_changes_nothing(
        edges in prop::collection::vec(prop::array::uniform2(0u32..50), 0..300),
        turned in any::<u64>(),
    ) {
        let (prepared, triangles) = run(&edges, 50, 2);
        let mut other = edges.clone();
        for (i, edge) in other.iter_mut().enumerate() {
            if turned >> (i % 64) & 1 == 1 {
                edge.reverse();
            }
        }
        other.reverse();
        let (other, other_triangles) = run(&other, 50, 2);
        prop_assert_eq!(triangles, other_triangles);
        prop_assert_eq!(prepared.oriented, other.oriented);
        let other = Summary {
            reciprocal_dropped: prepared.figures.reciprocal_dropped,
            ..other.figures
        };
        prop_assert_eq!(prepared.figures, other);
    }
}

#[test]
fn nothing_at_all() {
    check(&[], 0);
    check(&[], 1);
    check(&[], 1000);
}

#[test]
fn only_self_loops() {
    check(&[[3, 3], [0, 0], [3, 3]], 5);
}

#[test]
fn a_hub_joined_to_every_vertex_of_a_ring() {
    // Large enough for several buckets and for a degree beyond the counting sort's classes.
    let n = 100_000u32;
    let edges: Vec<[u32; 2]> =
        (0..n).flat_map(|i| [[i, (i + 1) % n], [n, i], [(i + 1) % n, i]]).collect();
    let (prepared, triangles) = run(&edges, n as usize + 1, 3);
    assert_eq!(triangles, u64::from(n));
    assert_eq!(prepared.figures.duplicates_dropped, u64::from(n));
    assert_eq!(prepared.figures.max_degree, u64::from(n));
}

#[test]
fn random_models_agree_with_brute_force() {
    check(&generators::rmat(10, 16, 1), 1 << 10);
    check(&generators::rmat(13, 8, 2), 1 << 13);
    check(&generators::uniform(3000, 40_000, 3), 3000);
    check(&generators::barabasi_albert(2000, 20, 4), 2000);
    check(&generators::watts_strogatz(3000, 10, 100, 5), 3000);
}
