//! Table I of paper 003: what the paper prints, but for one count of triangles.

use std::path::Path;

use tribin_graph::Graph;

/// A row.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    /// |E|, both directions of every edge.
    pub edges: u64,
    /// |E'|, the wedges of the undirected graph.
    pub candidates: u64,
    /// The true count. For Theory-3-4-B1k the paper prints 36, three times the true 12.
    pub triangles: u64,
    /// The paper's total on a Tesla P100.
    pub paper_seconds: f64,
    /// miniTri's, sequential.
    pub minitri_seconds: f64,
}

/// All rows, in the paper's order.
pub const ROWS: &[Row] = &[
    row("Theory-3-4-Bk", 48, 96, 0, 0.041449, 0.001309),
    row("Theory-3-4-B1k", 62, 225, 12, 0.03633, 0.002192),
    row("Theory-3-4-B2k", 62, 138, 1, 0.035343, 0.001144),
    row("Theory-3-4-5-Bk", 480, 3360, 0, 0.075923, 0.007645),
    row("Theory-3-4-5-B1k", 692, 10830, 287, 0.083499, 0.013159),
    row("Theory-3-4-5-B2k", 692, 5339, 7, 0.088972, 0.006041),
    row("Theory-16-25-Bk", 1600, 87600, 0, 0.134538, 0.087803),
    row("Theory-16-25-B1k", 1682, 105620, 400, 0.207292, 0.07311),
    row("Theory-16-25-B2k", 1682, 88943, 1, 0.144455, 0.093247),
    row("Theory-3-4-5-9-Bk", 8640, 319680, 0, 0.400149, 0.193648),
    row("Theory-3-4-5-9-B1k", 13166, 1223427, 9107, 12.46164, 0.76838),
    row("Theory-3-4-5-9-B2k", 13166, 522804, 35, 0.822485, 0.32836),
    row("Theory-25-81-Bk", 8100, 2154600, 0, 58.942633, 1.309457),
    row("Theory-25-81-B1k", 8312, 2378865, 2025, 65.547598, 1.432732),
    row("Theory-25-81-B2k", 8312, 2165433, 1, 59.294148, 1.30335),
    row("p2p-Gnutella04", 79988, 518694, 934, 2.118799, 0.436732),
    row("p2p-Gnutella05", 63678, 439066, 1112, 1.974574, 0.363753),
    row("p2p-Gnutella06", 63050, 422567, 1142, 1.640056, 0.339405),
    row("p2p-Gnutella08", 41554, 346033, 2383, 1.899082, 0.273986),
    row("p2p-Gnutella09", 52026, 411347, 2354, 1.789637, 0.313568),
    row("p2p-Gnutella25", 109410, 533121, 806, 2.004991, 0.486104),
    row("p2p-Gnutella30", 176656, 923756, 1590, 3.534967, 0.80267),
    row("p2p-Gnutella31", 295784, 1568174, 2024, 5.754008, 1.521094),
];

const fn row(
    name: &'static str,
    edges: u64,
    candidates: u64,
    triangles: u64,
    paper_seconds: f64,
    minitri_seconds: f64,
) -> Row {
    Row { name, edges, candidates, triangles, paper_seconds, minitri_seconds }
}

impl Row {
    /// The graph; `None` where its data are not there, neither in `folder` nor beside the repository.
    pub fn graph(&self, folder: Option<&Path>) -> Option<Graph> {
        if self.name.starts_with("p2p-") {
            return [".txt.gz", ".txt"].iter().find_map(|end| {
                let file = format!("{}{end}", self.name);
                let path = match folder {
                    Some(folder) => Some(folder.join(file)).filter(|path| path.exists()),
                    None => crate::places::data_file(&file),
                };
                path.map(|path| tribin_read::open(path, &tribin_read::Options::default()).unwrap())
            });
        }
        let (factors, variant) = self.name.strip_prefix("Theory-")?.rsplit_once('-')?;
        Some(Graph::from_edges(crate::theory::product(factors, variant)))
    }
}
