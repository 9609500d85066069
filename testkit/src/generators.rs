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
