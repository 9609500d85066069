//! Triangles by the labels of their vertices, against brute force.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tribin::Graph;

use super::on_cpu;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_multigraph_as_by_brute_force(
        edges in prop::collection::vec(prop::array::uniform2(0u32..20), 0..150),
        labels in prop::collection::vec(prop_oneof![0u32..4, Just(u32::MAX)], 20),
    ) {
        let mut joined = [[false; 20]; 20];
        for &[u, v] in edges.iter().filter(|[u, v]| u != v) {
            joined[u as usize][v as usize] = true;
            joined[v as usize][u as usize] = true;
        }
        let mut expected = BTreeMap::new();
        for u in 0..20 {
            for v in 0..u {
                for w in (0..v).filter(|&w| joined[u][v] && joined[u][w] && joined[v][w]) {
                    let mut three = [u, v, w].map(|vertex| labels[vertex]);
                    three.sort_unstable();
                    *expected.entry(three).or_insert(0u64) += 1;
                }
            }
        }
        let graph = on_cpu(None).prepare(&Graph::from_edges(edges)).unwrap();
        let labels: Vec<_> = labels.into_iter().map(Some).collect();
        let found = graph.count_by_labels(&labels).unwrap();
        prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    }
}
