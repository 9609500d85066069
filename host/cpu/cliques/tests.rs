//! Cliques against brute force and against formulas.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::prepare::prepare;

/// Every clique of `k` vertices, each ascending: those of k - 1 with each later vertex that is joined to all.
fn brute_force(edges: &[[u32; 2]], vertices: u32, k: u32) -> BTreeSet<Vec<u32>> {
    let mut joined = BTreeSet::new();
    for &[u, v] in edges.iter().filter(|[u, v]| u != v) {
        joined.extend([[u, v], [v, u]]);
    }
    let mut cliques: BTreeSet<Vec<u32>> = (0..vertices).map(|v| vec![v]).collect();
    for _ in 1..k {
        let longer = cliques.iter().flat_map(|clique| {
            let later = clique.last().unwrap() + 1..vertices;
            let fits = |v: &u32| clique.iter().all(|&u| joined.contains(&[u, *v]));
            later.filter(fits).map(|v| [clique.as_slice(), &[v]].concat()).collect::<Vec<_>>()
        });
        cliques = longer.collect();
    }
    cliques
}

/// Everything that is found of cliques of `k` vertices, against those that there are.
fn check(edges: &[[u32; 2]], vertices: u32, k: u32, sizes: TaskSizes) {
    let graph = prepare(edges, vertices as usize).oriented;
    let context = Context::silent();
    let cliques = brute_force(edges, vertices, k);
    let total = cliques.len() as u128;
    assert_eq!(find_in_graph(&graph, k, &CliqueCount, sizes, &context).unwrap(), total);

    let mut expected_at = vec![0; vertices as usize];
    let mut expected_on: BTreeMap<[u32; 2], u64> = BTreeMap::new();
    for clique in &cliques {
        for (i, &u) in clique.iter().enumerate() {
            expected_at[u as usize] += 1;
            clique[..i].iter().for_each(|&v| *expected_on.entry([v, u]).or_default() += 1);
        }
    }
    let (at, all) = at_vertices_in_tasks(&graph, k, sizes, &context).unwrap();
    assert_eq!(all, total);
    for (rank, &vertex) in graph.vertex_of_rank().iter().enumerate() {
        assert_eq!(at[rank], expected_at[vertex as usize], "vertex {vertex}");
    }
    if k > SMALLEST {
        let (on, all) = on_edges_in_tasks(&graph, k, sizes, &context).unwrap();
        assert_eq!(all, total);
        for u in 0..graph.vertices() as u32 {
            let first = graph.offsets[u as usize] as usize;
            for (i, &head) in graph.row(u).iter().enumerate() {
                let mut edge = [u, head].map(|rank| graph.vertex_of_rank()[rank as usize]);
                edge.sort_unstable();
                let expected = expected_on.get(&edge).copied().unwrap_or(0);
                assert_eq!(on[first + i], expected, "edge {edge:?}");
            }
        }
    }
    let mut orders = Vec::new();
    for threads in [1, 3] {
        let pool = par::Pool::start(threads, "test").unwrap();
        let mut listed: Vec<Vec<u32>> = Vec::new();
        let mut take = |blocks: Vec<Vec<u32>>| {
            for block in blocks {
                assert!(block.len() <= (3 + vertices as usize) * k as usize);
                listed.extend(block.chunks(k as usize).map(<[u32]>::to_vec));
            }
            Ok(true)
        };
        let listing = CliqueListing::in_blocks(&graph, k, 2, 3);
        pool.install(|| listing.each(&context, &mut take)).unwrap();
        assert_eq!(listed.len() as u128, total, "each clique once");
        assert_eq!(BTreeSet::from_iter(listed.iter().cloned()), cliques);
        orders.push(listed);
    }
    assert_eq!(orders[0], orders[1], "the order does not depend on the threads");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::effort::cases(200)))]

    #[test]
    fn any_multigraph_as_by_brute_force(
        edges in prop::collection::vec(prop::array::uniform2(0u32..14), 0..140),
        k in SMALLEST..8,
        tasks in (1usize..9, 1usize..4),
    ) {
        let (long_row, first_choices) = tasks;
        check(&edges, 16, k, TaskSizes { long_row, first_choices });
    }
}

/// Rows of more than one word of bits.
#[test]
fn neighbourhoods_of_several_words() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut edges: Vec<[u32; 2]> = (0..150).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    edges.retain(|[u, v]| random.u32(..100) < if *u > 145 && *v < 140 { 97 } else { 20 });
    for k in 3..8 {
        check(&edges, 150, k, TaskSizes { long_row: 40, first_choices: 7 });
        check(&edges, 150, k, TaskSizes::MEASURED);
    }
}

fn choose(n: u128, k: u128) -> u128 {
    if n < k { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

/// Cliques of a graph of all edges, which nobody could count one by one; and more than there are numbers.
#[test]
fn numbers_of_more_than_64_bits() {
    let edges: Vec<[u32; 2]> = (0..260).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let graph = prepare(&edges, 260).oriented;
    let context = Context::silent();
    let expected = choose(260, 12);
    assert!(expected > 1 << 66);
    assert_eq!(count(&graph, 12, &context).unwrap(), expected);
    for error in [at_vertices(&graph, 12, &context), on_edges(&graph, 12, &context)] {
        let text = error.unwrap_err().to_string();
        assert!(text.contains(&format!("{expected} cliques of 12 vertices")), "{text}");
    }
    let (at, all) = at_vertices(&graph, 8, &context).unwrap();
    assert_eq!((u128::from(at[7]), all), (choose(259, 7), choose(260, 8)));
    let (on, _) = on_edges(&graph, 8, &context).unwrap();
    assert_eq!(u128::from(on[30_000]), choose(258, 6));
    for (n, k) in [(0, 0), (3, 5), (9, 4), (400, 12)] {
        assert_eq!(binomial(n, k), Some(choose(n.into(), k.into())));
    }
    assert_eq!(binomial(90_000, 11), None);
}

#[test]
fn complete_graphs_by_the_binomial() {
    for (n, ks) in [(2, 3..=12), (12, 3..=12), (13, 3..=12), (66, 3..=6), (230, 3..=4)] {
        let edges: Vec<[u32; 2]> = (0..n).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let graph = prepare(&edges, n as usize).oriented;
        for k in ks {
            let (n, of) = (u128::from(n), u128::from(k));
            let context = Context::silent();
            assert_eq!(count(&graph, k, &context).unwrap(), choose(n, of), "{k} of {n}");
            let (at, _) = at_vertices(&graph, k, &context).unwrap();
            let here = choose(n - 1, of - 1) as u64;
            assert!(at.iter().all(|&at| at == here), "{k} of {n}");
            if k > SMALLEST {
                let (on, _) = on_edges(&graph, k, &context).unwrap();
                let here = choose(n - 2, of - 2) as u64;
                assert!(on.iter().all(|&on| on == here), "{k} of {n}");
            }
        }
    }
}

/// A graph of all edges but three that share no vertex, whose cliques nobody could count one by one: inclusion and exclusion says how
/// many there are.
#[test]
fn nearly_complete_graphs_by_inclusion_and_exclusion() {
    let n = 110;
    let edges = (0..n).flat_map(|u| (0..u).map(move |v| [u, v]));
    let edges: Vec<[u32; 2]> =
        edges.filter(|edge| ![[1, 0], [60, 9], [109, 70]].contains(edge)).collect();
    let graph = prepare(&edges, n as usize).oriented;
    let context = Context::silent();
    // Sets of `k` of `n` vertices without any of these pairs of them.
    let without = |n: u128, k: u128, pairs: u128| -> u128 {
        let having =
            |j: u128| if k < 2 * j { 0 } else { choose(pairs, j) * choose(n - 2 * j, k - 2 * j) };
        (0..=pairs).step_by(2).map(having).sum::<u128>()
            - (1..=pairs).step_by(2).map(having).sum::<u128>()
    };
    for k in [6, 7, 12] {
        assert_eq!(count(&graph, k, &context).unwrap(), without(110, k.into(), 3), "k = {k}");
    }
    let (at, _) = at_vertices(&graph, 8, &context).unwrap();
    for (rank, &vertex) in graph.vertex_of_rank().iter().enumerate() {
        let expected = match vertex {
            // The other end of its pair is not in it.
            0 | 1 | 9 | 60 | 70 | 109 => without(108, 7, 2),
            _ => without(109, 7, 3),
        };
        assert_eq!(u128::from(at[rank]), expected, "vertex {vertex}");
    }
    let (on, _) = on_edges(&graph, 8, &context).unwrap();
    for u in 0..n {
        let first = graph.offsets[u as usize] as usize;
        for (i, &head) in graph.row(u).iter().enumerate() {
            let ends = [u, head].map(|rank| graph.vertex_of_rank()[rank as usize]);
            let in_pairs =
                ends.iter().filter(|end| [0, 1, 9, 60, 70, 109].contains(end)).count() as u128;
            let expected = without(108 - in_pairs, 6, 3 - in_pairs);
            assert_eq!(u128::from(on[first + i]), expected, "edge {ends:?}");
        }
    }
}

/// Cliques of a complete graph of parts that are not joined within have one vertex of each of k parts.
#[test]
fn turan_graphs_by_the_binomial() {
    let (parts, size) = (9u32, 5u32);
    let n = parts * size;
    let edges: Vec<[u32; 2]> = (0..n).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let edges: Vec<[u32; 2]> = edges.into_iter().filter(|[u, v]| u % parts != v % parts).collect();
    let graph = prepare(&edges, n as usize).oriented;
    for k in [3, 4, 5, 6] {
        let expected = choose(parts.into(), k.into()) * u128::from(size).pow(k);
        assert_eq!(count(&graph, k, &Context::silent()).unwrap(), expected);
    }
    assert_eq!(count(&graph, 10, &Context::silent()).unwrap(), 0);
}

#[test]
fn a_cancelled_token_stops_it() {
    let graph = prepare(&[[0, 1], [1, 2], [2, 0]], 3).oriented;
    let context = Context::silent();
    context.cancel().cancel();
    assert!(matches!(count(&graph, 3, &context), Err(Error::Cancelled)));
    let listing = CliqueListing::new(&graph, 3);
    assert!(matches!(listing.each(&context, &mut |_| Ok(true)), Err(Error::Cancelled)));
    // On its way, between two stops.
    let mut edges: Vec<[u32; 2]> = (0..60).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    edges.retain(|[u, v]| u % 12 != v % 12);
    let graph = prepare(&edges, 60).oriented;
    let context = Context::new(&|_| (), crate::control::Cancel::after(20));
    assert!(matches!(count(&graph, 9, &context), Err(Error::Cancelled)));
}

#[test]
fn numbers_that_may_not_fit_are_refused() {
    assert!(check_fits(i64::MAX as u128));
    assert!(!check_fits(1 << 63));
}

fn check_fits(cliques: u128) -> bool {
    super::check(cliques, 5).is_ok()
}
