//! Seeded graphs for tests, as lists of edges: the models of `tribin_generate` with the parameters that
//! tests have, and cliques with self-loops.

use tribin_generate::{
    self, BarabasiAlbert, ErdosRenyi, GRAPH500, Mycielskian, Probability, Rmat, Star,
    WattsStrogatz, Wheel,
};
use tribin_graph::EdgeBlocks;
use tribin_graph::Result;

fn edges(model: Result<impl EdgeBlocks>) -> Vec<[u32; 2]> {
    tribin_generate::graph(&model.expect("parameters that can be"), "model").edges().to_vec()
}

/// Graph500's Kronecker graph: 2^`scale` vertices, `edge_factor` times as many entries, ids permuted.
/// Self-loops and duplicates occur.
pub fn rmat(scale: u32, edge_factor: u64, seed: u64) -> Vec<[u32; 2]> {
    edges(Rmat::new(scale, edge_factor, GRAPH500, seed))
}

/// Erdős-Rényi: `entries` entries, both ends uniform below `vertices`.
pub fn uniform(vertices: u64, entries: u64, seed: u64) -> Vec<[u32; 2]> {
    edges(ErdosRenyi::new(vertices, entries, seed))
}

/// Barabási-Albert: every vertex past the first `links` joins `links` earlier ones. Duplicates occur.
pub fn barabasi_albert(vertices: u64, links: u64, seed: u64) -> Vec<[u32; 2]> {
    edges(BarabasiAlbert::new(vertices, links, seed))
}

/// Watts-Strogatz: a ring in which every vertex joins its next `half_degree` vertices; the far end
/// of each edge is redrawn uniformly with probability `rewired_per_mille` / 1000.
pub fn watts_strogatz(
    vertices: u64,
    half_degree: u64,
    rewired_per_mille: u64,
    seed: u64,
) -> Vec<[u32; 2]> {
    edges(WattsStrogatz::new(
        vertices,
        half_degree,
        Probability::per_mille(rewired_per_mille),
        seed,
    ))
}

/// The Mycielski graph of chromatic number `order` ≥ 2, without a triangle.
pub fn mycielskian(order: u32) -> Vec<[u32; 2]> {
    edges(Mycielskian::new(order))
}

/// Vertex `n` joined to every vertex below it.
pub fn star(n: u32) -> Vec<[u32; 2]> {
    edges(Star::new(n.into()))
}

/// A hub, vertex `n`, joined to every vertex of a ring of `n`: n triangles for n > 3.
/// Rings of one and two vertices, which no model makes, are drawn all the same.
pub fn wheel(n: u32) -> Vec<[u32; 2]> {
    if n < 3 {
        return (0..n).flat_map(|v| [[n, v], [v, (v + 1) % n]]).collect();
    }
    edges(Wheel::new(n.into()))
}

/// All pairs of `n` vertices, self-loops included.
pub fn clique(n: u32) -> Vec<[u32; 2]> {
    (0..n).flat_map(|u| (u..n).map(move |v| [v, u])).collect()
}

/// Small graphs of many shapes by name, among them cliques and wheels of the sizes.
pub fn of_many_shapes(sizes: &[u32]) -> Vec<(String, Vec<[u32; 2]>)> {
    let mut graphs = vec![
        ("nothing".into(), vec![]),
        ("a self-loop".into(), vec![[0, 0]]),
        ("an edge".into(), vec![[0, 1]]),
        ("an edge four times".into(), vec![[5, 1], [1, 5], [5, 1], [1, 5]]),
        ("a triangle with a gap".into(), vec![[9, 2], [4, 9], [2, 4], [4, 4]]),
        ("the largest id is a loop".into(), vec![[0, 1], [7, 7], [1, 2], [2, 0]]),
        ("bipartite".into(), (0..40).flat_map(|u| (40..75).map(move |v| [u, v])).collect()),
        ("star".into(), (0..2049).map(|leaf| [2049, leaf]).collect()),
    ];
    for &n in sizes {
        graphs.push((format!("clique {n}"), clique(n)));
        graphs.push((format!("wheel {n}"), wheel(n)));
    }
    for (scale, factor) in [(5, 16), (8, 16), (10, 8)] {
        graphs.push((format!("rmat {scale}"), rmat(scale, factor, 7)));
    }
    graphs.push(("watts-strogatz".into(), watts_strogatz(500, 6, 100, 3)));
    graphs.push(("barabasi-albert".into(), barabasi_albert(300, 7, 3)));
    graphs.push(("uniform".into(), uniform(900, 5000, 3)));
    graphs
}
