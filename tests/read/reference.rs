//! Real graphs: entries, self-loops and bounds as the reference table says.

use testkit::{reference, theory};

#[test]
fn every_reference_file() {
    for row in reference::all() {
        let graph = tribin::open(&row.path).unwrap();
        let loops = graph.edges().iter().filter(|[u, v]| u == v).count() as u64;
        assert_eq!(graph.edges().len() as u64, row.pairs(), "entries of {}", row.file);
        assert_eq!(loops, row.self_loop_entries, "self-loops of {}", row.file);
        assert_eq!(graph.vertex_bound() as u64, row.max_id_plus_1, "bound of {}", row.file);
        let mut simple: Vec<[u32; 2]> = graph
            .edges()
            .iter()
            .filter(|[u, v]| u != v)
            .map(|&[u, v]| [u.min(v), u.max(v)])
            .collect();
        simple.sort_unstable();
        simple.dedup();
        assert_eq!(simple.len() as u64, row.edges, "edges of {}", row.file);
    }
}

#[test]
fn theory_graphs_have_the_edges_and_degrees_of_the_table() {
    for row in theory::direct() {
        let edges = row.edges();
        assert_eq!(2 * edges.len() as u64, row.nnz, "{}", row.name);
        let mut degrees = vec![0u64; row.vertices as usize];
        for &v in edges.iter().flatten() {
            degrees[v as usize] += 1;
        }
        assert_eq!(degrees.iter().max(), Some(&row.max_degree), "{}", row.name);
        assert!(!degrees.contains(&0), "{}", row.name);
        let wedges: u128 = degrees.iter().map(|&d| u128::from(d) * u128::from(d - 1) / 2).sum();
        assert_eq!(wedges, row.wedges, "{}", row.name);
    }
}
