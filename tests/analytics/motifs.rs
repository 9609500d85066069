//! Connected motifs of three and four vertices, against brute force and known numbers.

use proptest::prelude::*;
use testkit::places;
use tribin::Graph;
use tribin::analytics::{MotifCount, Motifs};

use super::on_cpu;

fn motifs(graph: &Graph) -> Motifs {
    on_cpu(None).prepare(graph).unwrap().motifs().unwrap()
}

/// The place of a connected graph of three or four vertices in the list of motifs, by the degrees of its vertices.
fn motif(degrees: &[usize]) -> Option<usize> {
    let mut degrees = degrees.to_vec();
    degrees.sort_unstable();
    let all: [&[usize]; 8] = [
        &[1, 1, 2],
        &[2, 2, 2],
        &[1, 1, 1, 3],
        &[1, 1, 2, 2],
        &[1, 2, 2, 3],
        &[2, 2, 2, 2],
        &[2, 2, 3, 3],
        &[3, 3, 3, 3],
    ];
    all.iter().position(|motif| *motif == degrees)
}

/// Goes through all sets of three and four vertices, and of each through all sets of the edges among them.
fn brute_force(edges: &[[u32; 2]], vertices: usize) -> [MotifCount; 8] {
    let mut joined = vec![vec![false; vertices]; vertices];
    for &[u, v] in edges.iter().filter(|[u, v]| u != v) {
        joined[u as usize][v as usize] = true;
        joined[v as usize][u as usize] = true;
    }
    let mut found = [MotifCount::default(); 8];
    for set in 0u32..1 << vertices {
        if !(3..=4).contains(&set.count_ones()) {
            continue;
        }
        let members: Vec<usize> = (0..vertices).filter(|v| set >> v & 1 == 1).collect();
        let pairs = (0..members.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
        let among: Vec<_> = pairs.filter(|[i, j]| joined[members[*i]][members[*j]]).collect();
        for chosen in 0u32..1 << among.len() {
            let mut degrees = vec![0; members.len()];
            for (_, ends) in among.iter().enumerate().filter(|(e, _)| chosen >> e & 1 == 1) {
                ends.iter().for_each(|&end| degrees[end] += 1);
            }
            let Some(motif) = motif(&degrees) else { continue };
            found[motif].subgraphs += 1;
            found[motif].induced += u128::from(chosen + 1 == 1 << among.len());
        }
    }
    found
}

#[test]
fn the_karate_club_has_known_motifs() {
    let karate = tribin::open(places::root().join("tests/data/karate.mtx")).unwrap();
    let found = motifs(&karate);
    let induced: Vec<u128> = found.iter().map(|(_, _, count)| count.induced).collect();
    assert_eq!(induced, [393, 45, 1098, 681, 452, 36, 85, 11]);
    assert_eq!((found.wedge.subgraphs, found.cycle.subgraphs), (528, 154));
    assert_eq!((found.vertices, found.edges, &*found.head.device), (34, 78, "cpu"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_multigraph_as_by_brute_force(
        edges in prop::collection::vec(prop::array::uniform2(0u32..10), 0..60),
    ) {
        let found = motifs(&Graph::from_edges(edges.clone()));
        let counts: Vec<MotifCount> = found.iter().map(|(_, _, count)| count).collect();
        prop_assert_eq!(counts, brute_force(&edges, 10));
    }
}
