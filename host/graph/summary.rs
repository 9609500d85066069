//! What a simple graph looks like, and what was dropped on the way to it.

/// The figures of a simple graph, and of what was dropped on the way to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Vertices of degree > 0 in the simple graph.
    pub vertices: u64,
    /// Undirected edges of the simple graph.
    pub edges: u64,
    /// Entries that joined a vertex to itself.
    pub self_loops_dropped: u64,
    /// Entries that repeated an edge, in either direction.
    pub duplicates_dropped: u64,
    /// The duplicates that are the first entry of each edge that named it in the other direction than the entry
    /// that was kept: the edges that were entered in both. The rest repeated an entry as it stood. `None` where
    /// nobody told them apart.
    pub reciprocal_dropped: Option<u64>,
    /// Σ d(d-1)/2 over the vertices of the simple graph. With n, d < 2³² this is below 2⁹⁵.
    pub wedges: u128,
    /// The largest degree of the simple graph.
    pub max_degree: u64,
}

impl Summary {
    /// Entries that the graph was made of.
    pub fn entries(&self) -> u64 {
        self.edges + self.duplicates_dropped + self.self_loops_dropped
    }
}
