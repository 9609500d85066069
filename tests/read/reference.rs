//! Real graphs: entries, self-loops and bounds as the reference table says.

use testkit::reference;

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
