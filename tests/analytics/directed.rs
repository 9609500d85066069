//! Directed and weighted results against definitions that try all triples of vertices.

use proptest::prelude::*;
use tribin::analytics::{Triad, TriangleKind, Weighting};
use tribin::{Duplicates, Graph, Input};

use super::on_cpu;

/// Who has an arc to whom, self-loops left out.
fn matrix(entries: &[[u32; 2]], vertices: usize) -> Vec<Vec<bool>> {
    let mut arcs = vec![vec![false; vertices]; vertices];
    for &[u, v] in entries.iter().filter(|[u, v]| u != v) {
        arcs[u as usize][v as usize] = true;
    }
    arcs
}

/// Fagiolo's triangles of a kind at `i`, by his matrix products.
fn triangles(arcs: &[Vec<bool>], kind: TriangleKind, i: usize) -> u64 {
    let a = |x: usize, y: usize| u64::from(arcs[x][y]);
    let both = |x, y| a(x, y) + a(y, x);
    let vertices = 0..arcs.len();
    let mut sum = 0;
    for j in vertices.clone() {
        for k in vertices.clone() {
            sum += match kind {
                TriangleKind::Cycle => a(i, j) * a(j, k) * a(k, i),
                TriangleKind::Middleman => a(i, j) * a(k, j) * a(k, i),
                TriangleKind::In => a(j, i) * a(j, k) * a(k, i),
                TriangleKind::Out => a(i, j) * a(j, k) * a(i, k),
                _ => both(i, j) * both(j, k) * both(k, i),
            };
        }
    }
    // The sum over ordered pairs has each of these twice.
    if kind == TriangleKind::All { sum / 2 } else { sum }
}

/// The class of a triple, by trying all orders against one drawing of each class.
fn class(arcs: &[Vec<bool>], triple: [usize; 3]) -> &'static str {
    const DRAWINGS: [(&str, &[(usize, usize)]); 16] = [
        ("003", &[]),
        ("012", &[(0, 1)]),
        ("102", &[(0, 1), (1, 0)]),
        ("021D", &[(1, 0), (1, 2)]),
        ("021U", &[(0, 1), (2, 1)]),
        ("021C", &[(0, 1), (1, 2)]),
        ("111D", &[(0, 1), (1, 0), (2, 1)]),
        ("111U", &[(0, 1), (1, 0), (1, 2)]),
        ("030T", &[(0, 1), (2, 1), (0, 2)]),
        ("030C", &[(1, 0), (2, 1), (0, 2)]),
        ("201", &[(0, 1), (1, 0), (1, 2), (2, 1)]),
        ("120D", &[(1, 0), (1, 2), (0, 2), (2, 0)]),
        ("120U", &[(0, 1), (2, 1), (0, 2), (2, 0)]),
        ("120C", &[(0, 1), (1, 2), (0, 2), (2, 0)]),
        ("210", &[(0, 1), (1, 2), (2, 1), (0, 2), (2, 0)]),
        ("300", &[(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)]),
    ];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let same = |drawing: &[(usize, usize)], order: [usize; 3]| {
        (0..3).all(|x| {
            let others = (0..3).filter(move |&y| y != x);
            others
                .into_iter()
                .all(|y| arcs[triple[order[x]]][triple[order[y]]] == drawing.contains(&(x, y)))
        })
    };
    let found = DRAWINGS.iter().find(|(_, drawing)| orders.iter().any(|&o| same(drawing, o)));
    found.unwrap().0
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-13 * expected.abs().max(1e-300)
}

/// Onnela's coefficient, and with directions NetworkX's.
fn onnela(weights: &[Vec<Option<f64>>], largest: f64, directed: bool, i: usize) -> f64 {
    let root = |x: usize, y: usize| weights[x][y].map_or(0.0, |weight| (weight / largest).cbrt());
    let both = |x, y| root(x, y) + root(y, x);
    let vertices = weights.len();
    let mut sum = 0.0;
    for j in (0..vertices).filter(|&j| j != i) {
        for k in (0..vertices).filter(|&k| k != i && k != j) {
            sum += match directed {
                true => both(i, j) * both(j, k) * both(k, i),
                false => root(i, j) * root(j, k) * root(k, i),
            };
        }
    }
    let others = || (0..vertices).filter(|&j| j != i);
    let out = others().filter(|&j| weights[i][j].is_some()).count() as f64;
    let into = others().filter(|&j| weights[j][i].is_some()).count() as f64;
    let mutual =
        others().filter(|&j| weights[i][j].is_some() && weights[j][i].is_some()).count() as f64;
    let degree = out + into;
    let possible = match directed {
        true => 2.0 * (degree * (degree - 1.0) - 2.0 * mutual),
        false => out * (out - 1.0),
    };
    if sum == 0.0 { 0.0 } else { sum / possible }
}

fn entries() -> impl Strategy<Value = Vec<[u32; 2]>> {
    prop_oneof![
        prop::collection::vec(prop::array::uniform2(0u32..12), 0..140),
        prop::collection::vec(prop::array::uniform2(0u32..30), 0..300),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testkit::effort::cases(300)))]

    #[test]
    fn directions_as_by_trying_all_triples(entries in entries(), declared in any::<bool>()) {
        let mut graph = Graph::from_edges(&entries);
        if declared {
            graph = graph.with_vertices(33).unwrap();
        }
        let bound = graph.vertex_bound();
        let arcs = matrix(&entries, bound);
        let directed = on_cpu(Some(2)).prepare(Input::from(&graph).directed()).unwrap();
        let local = directed.directed_local().unwrap();
        for v in 0..bound as u32 {
            let i = v as usize;
            let out = arcs[i].iter().filter(|&&arc| arc).count() as u32;
            let into = arcs.iter().filter(|row| row[i]).count() as u32;
            let mutual = (0..bound).filter(|&j| arcs[i][j] && arcs[j][i]).count() as u32;
            let degrees = (local.out_degree(v), local.in_degree(v), local.mutual_degree(v));
            prop_assert_eq!(degrees, (out, into, mutual));
            let [out, into, mutual] = [out, into, mutual].map(i64::from);
            for kind in TriangleKind::ALL {
                let found = triangles(&arcs, kind, i);
                prop_assert_eq!(local.triangles(kind, v), found, "{:?} at {}", kind, v);
                let possible = match kind {
                    TriangleKind::Cycle | TriangleKind::Middleman => into * out - mutual,
                    TriangleKind::In => into * (into - 1),
                    TriangleKind::Out => out * (out - 1),
                    _ => (into + out) * (into + out - 1) - 2 * mutual,
                };
                let expected = if found == 0 { 0.0 } else { found as f64 / possible as f64 };
                prop_assert_eq!(local.clustering(kind, v), expected);
            }
        }

        // Without a declaration the vertices are those that entries name.
        let named = |v: usize| entries.iter().flatten().any(|&end| end as usize == v);
        let vertices: Vec<usize> = (0..bound).filter(|&v| declared || named(v)).collect();
        let census = directed.census().unwrap();
        let mut expected = vec![0u128; Triad::COUNT];
        for (x, &i) in vertices.iter().enumerate() {
            for (y, &j) in vertices.iter().enumerate().skip(x + 1) {
                for &k in &vertices[y + 1..] {
                    let name = class(&arcs, [i, j, k]);
                    expected[Triad::all().position(|triad| triad.name() == name).unwrap()] += 1;
                }
            }
        }
        prop_assert_eq!(census.iter().map(|(_, count)| count).collect::<Vec<_>>(), expected);

        let reciprocity = directed.reciprocity().unwrap();
        let loops: Vec<bool> =
            (0..bound as u32).map(|v| entries.contains(&[v, v])).collect();
        let looped = loops.iter().filter(|&&looped| looped).count();
        let all = arcs.concat().iter().filter(|&&arc| arc).count();
        let mutual =
            (0..bound * bound).filter(|&p| arcs[p / bound][p % bound] && arcs[p % bound][p / bound]).count();
        prop_assert_eq!((reciprocity.arcs(), reciprocity.mutual_arcs()), (all as u64, mutual as u64));
        let share = (all + looped > 0).then(|| mutual as f64 / (all + looped) as f64);
        prop_assert_eq!(reciprocity.of_graph(), share);
        for v in 0..bound as u32 {
            let twice = 2 * (local.mutual_degree(v) + u32::from(loops[v as usize]));
            let all = local.in_degree(v) + local.out_degree(v) + 2 * u32::from(loops[v as usize]);
            let share = (all > 0).then(|| f64::from(twice) / f64::from(all));
            prop_assert_eq!(reciprocity.of_vertex(v), share);
        }
    }

    #[test]
    #[expect(clippy::needless_range_loop, reason = "three vertices of a matrix")]
    fn weights_as_by_trying_all_triples(
        entries in entries(),
        seed in any::<u64>(),
        rule in prop_oneof![Just(Duplicates::Sum), Just(Duplicates::Last)],
    ) {
        // Weights of different sizes, zeros among them.
        let weight = |i: usize| {
            let mixed = (i as u64 + 1).wrapping_mul(seed | 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            if mixed.is_multiple_of(13) { 0.0 } else { (mixed >> 40) as f64 / 1e5 }
        };
        let given: Vec<f64> = (0..entries.len()).map(weight).collect();
        let graph = Graph::from_edges(&entries).with_weights(given.clone()).unwrap().with_duplicates(rule);
        let bound = graph.vertex_bound();
        let mut arcs = vec![vec![None; bound]; bound];
        let mut edges = arcs.clone();
        let join = |old: &mut Option<f64>, weight| {
            *old = Some(match rule {
                Duplicates::Sum => old.unwrap_or(0.0) + weight,
                _ => weight,
            });
        };
        for (&[u, v], &weight) in entries.iter().zip(&given) {
            let [u, v] = [u as usize, v as usize];
            join(&mut arcs[u][v], weight);
            join(&mut edges[u.max(v)][u.min(v)], weight);
        }
        let flat: Vec<f64> = arcs.iter().flatten().flatten().copied().collect();
        let of_arcs = flat.iter().copied().fold(0.0, f64::max);
        let of_edges = edges.iter().flatten().flatten().copied().fold(0.0, f64::max);
        for u in 0..bound {
            for v in 0..u {
                edges[v][u] = edges[u][v];
            }
        }
        prop_assume!(of_arcs > 0.0 && of_edges > 0.0);

        let mut kept = Vec::new();
        for threads in [1, 2] {
            let session = on_cpu(Some(threads));
            let directed = session.prepare(Input::from(&graph).directed()).unwrap().weighted_clustering(Weighting::Onnela).unwrap();
            let weighted = session.prepare(&graph).unwrap();
            let by_onnela = weighted.weighted_clustering(Weighting::Onnela).unwrap();
            let by_barrat = weighted.weighted_clustering(Weighting::Barrat).unwrap();
            let strengths = weighted.strengths().unwrap();
            for i in 0..bound {
                let expected = onnela(&arcs, of_arcs, true, i);
                prop_assert!(close(directed[i], expected), "{} {expected}", directed[i]);
                let expected = onnela(&edges, of_edges, false, i);
                prop_assert!(close(by_onnela[i], expected), "{} {expected}", by_onnela[i]);
                let others: Vec<usize> = (0..bound).filter(|&j| j != i && edges[i][j].is_some()).collect();
                let strength: f64 = others.iter().map(|&j| edges[i][j].unwrap()).sum();
                prop_assert!(close(strengths[i], strength));
                let mut sum = 0.0;
                for &j in &others {
                    let closed = others.iter().filter(|&&k| k != j && edges[j][k].is_some()).count();
                    sum += edges[i][j].unwrap() * closed as f64;
                }
                let expected = match sum {
                    0.0 => 0.0,
                    sum => sum / (strength * (others.len() as f64 - 1.0)),
                };
                prop_assert!(close(by_barrat[i], expected), "{} {expected}", by_barrat[i]);
            }
            kept.push((directed, by_onnela, by_barrat));
        }
        // To the last bit.
        prop_assert_eq!(&kept[0], &kept[1]);
    }
}

#[test]
fn sums_do_not_depend_on_threads() {
    // Many tasks: 4.5 million triangles, whose products have all sizes.
    let edges: Vec<[u32; 2]> = (0..300).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let weights: Vec<f64> =
        (1..=edges.len()).map(|i| (i as f64).sin().abs() * 10f64.powi(i as i32 % 7)).collect();
    let graph = Graph::from_edges(edges).with_weights(weights).unwrap();
    let found = |threads| {
        let session = on_cpu(Some(threads));
        let weighted =
            session.prepare(&graph).unwrap().weighted_clustering(Weighting::Onnela).unwrap();
        (
            weighted,
            session
                .prepare(Input::from(&graph).directed())
                .unwrap()
                .weighted_clustering(Weighting::Onnela)
                .unwrap(),
        )
    };
    let one = found(1);
    assert!(one.0.iter().all(|&coefficient| coefficient > 0.0));
    for threads in [2, 5] {
        assert_eq!(found(threads), one);
    }
}

#[test]
fn weights_that_make_no_coefficient_are_refused() {
    let triangle = || Graph::from_edges([[0, 1], [1, 2], [2, 0]]);
    let clustering = |weights: [f64; 3]| {
        let graph = triangle().with_weights(weights.to_vec()).unwrap();
        on_cpu(Some(1)).prepare(&graph).unwrap().weighted_clustering(Weighting::Onnela)
    };
    let message = |weights| clustering(weights).unwrap_err().to_string();
    assert_eq!(
        message([0.0, 0.0, -1.0]),
        "(memory): the largest weight is 0, and coefficients are relative to it"
    );
    assert!(message([-1e300, 1e-300, 1e-300]).starts_with("(memory): the weight -1"));
    // As NetworkX: roots keep the sign, and so does a largest weight below 0.
    assert_eq!(clustering([-1.0, 8.0, 8.0]).unwrap(), [-0.5; 3]);
    assert_eq!(clustering([-1.0, -1.0, -8.0]).unwrap(), [2.0; 3]);
    let error = triangle().with_weights(vec![1.0]).unwrap_err();
    assert_eq!(error.to_string(), "(memory): there are 1 weights for 3 entries");
    let directed = on_cpu(Some(1)).prepare(Input::from(&triangle()).directed()).unwrap();
    let error = directed.weighted_clustering(Weighting::Onnela).unwrap_err();
    assert_eq!(error.to_string(), "the graph was prepared without weights");
}
