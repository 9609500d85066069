//! Triangles by the signs of their edges, against brute force.

use proptest::prelude::*;
use tribin::analytics::{SignedTriangles, ZeroSign};
use tribin::{Duplicates, Error, Graph, Input};

use super::on_cpu;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_multigraph_as_by_brute_force(
        edges in prop::collection::vec((0usize..14, 0usize..14, -2i32..3), 0..120),
        zero in prop::sample::select(ZeroSign::ALL.to_vec()),
    ) {
        let mut weights = [[None; 14]; 14];
        for &(u, v, weight) in edges.iter().filter(|(u, v, _)| u != v) {
            weights[u][v] = Some(weight);
            weights[v][u] = Some(weight);
        }
        let graph = Graph::from_edges(
            edges.iter().map(|&(u, v, _)| [u as u32, v as u32]).collect::<Vec<_>>(),
        );
        let graph = graph.with_duplicates(Duplicates::Last);
        let graph = graph.with_weights(edges.iter().map(|edge| edge.2.into()).collect()).unwrap();
        let prepared = on_cpu(None).prepare(&graph).unwrap();
        let found = prepared.signed_triangles(zero);
        let has_zero = weights.iter().flatten().any(|&weight| weight == Some(0));
        if zero == ZeroSign::Error && has_zero {
            prop_assert!(matches!(found, Err(Error::Input { .. })), "{:?}", found);
            return Ok(());
        }
        let mut counts = [0; 4];
        let (mut at_vertices, mut on_edges) = ([[0; 4]; 14], [[[0; 4]; 14]; 14]);
        for u in 0..14 {
            for v in 0..u {
                for w in 0..v {
                    let three = [weights[u][v], weights[u][w], weights[v][w]];
                    let [Some(a), Some(b), Some(c)] = three else { continue };
                    if zero == ZeroSign::Skip && [a, b, c].contains(&0) {
                        continue;
                    }
                    let is_negative = |weight: i32| {
                        weight < 0 || weight == 0 && zero == ZeroSign::Negative
                    };
                    let negative =
                        [a, b, c].into_iter().filter(|&weight| is_negative(weight)).count();
                    counts[negative] += 1;
                    [u, v, w].into_iter().for_each(|vertex| at_vertices[vertex][negative] += 1);
                    for [a, b] in [[v, u], [w, u], [w, v]] {
                        on_edges[a][b][negative] += 1;
                    }
                }
            }
        }
        let all: u64 = counts.iter().sum();
        let [all_positive, one_negative, two_negative, all_negative] = counts;
        let balanced = (all > 0).then(|| (all_positive + two_negative) as f64 / all as f64);
        prop_assert_eq!(
            found.unwrap(),
            SignedTriangles { all_positive, one_negative, two_negative, all_negative, balanced }
        );
        let found = prepared.signed_at_vertices(zero).unwrap();
        prop_assert_eq!(&found[..], &at_vertices[..found.len()]);
        let found = prepared.signed_on_edges(zero).unwrap();
        prop_assert_eq!(found.len() as u64, prepared.summary().edges);
        for (&[u, v], &numbers) in found.edges().iter().zip(found.values()) {
            prop_assert_eq!(numbers, on_edges[u as usize][v as usize], "{} – {}", u, v);
        }
    }
}

#[test]
fn graphs_without_weights_or_with_directions_are_refused() {
    let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0]]);
    let refused = |found| assert!(matches!(found, Err(Error::Usage(_))), "{found:?}");
    refused(on_cpu(None).prepare(&graph).unwrap().signed_triangles(ZeroSign::Error));
    let graph = graph.with_weights(vec![1.0; 3]).unwrap();
    let directed = on_cpu(None).prepare(Input::from(&graph).directed()).unwrap();
    refused(directed.signed_triangles(ZeroSign::Error));
    assert!(matches!(directed.signed_at_vertices(ZeroSign::Error), Err(Error::Usage(_))));
    assert!(matches!(directed.signed_on_edges(ZeroSign::Error), Err(Error::Usage(_))));
}
