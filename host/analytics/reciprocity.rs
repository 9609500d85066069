//! How many arcs have one back.

use super::cpu::directed::Neighbours;

/// The number of arcs of a graph, and of each of its vertices, that have one back. A self-loop is an arc, as in NetworkX.
///
/// ```
/// # use tribin::{Graph, Input, Options, Session};
/// let graph = Graph::from_edges([[0, 1], [1, 0], [1, 2]]);
/// let reciprocity = Session::open(Options::default())?.prepare(Input::from(&graph).directed())?.reciprocity()?;
/// assert_eq!((reciprocity.arcs(), reciprocity.mutual_arcs()), (3, 2));
/// assert_eq!(reciprocity.of_graph(), Some(2.0 / 3.0));
/// assert_eq!(reciprocity.of_vertex(2), Some(0.0));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reciprocity {
    neighbours: Vec<Neighbours>,
    /// Ascending.
    loops: Vec<u32>,
    arcs: u64,
    mutual: u64,
}

impl Reciprocity {
    /// The reciprocity of a graph, from the neighbours of its vertices and from those with a self-loop, ascending.
    pub fn of_vertices(neighbours: Vec<Neighbours>, loops: Vec<u32>) -> Reciprocity {
        let mut found = Reciprocity { neighbours, loops, arcs: 0, mutual: 0 };
        for neighbours in &found.neighbours {
            found.mutual += u64::from(neighbours.mutual);
            found.arcs += u64::from(neighbours.out) + u64::from(neighbours.mutual);
        }
        found
    }

    /// Number of vertex indexes.
    pub fn vertex_bound(&self) -> usize {
        self.neighbours.len()
    }

    /// Arcs, each once, without self-loops.
    pub fn arcs(&self) -> u64 {
        self.arcs
    }

    /// Arcs that have one back, each counted once.
    pub fn mutual_arcs(&self) -> u64 {
        self.mutual
    }

    /// Vertices with a self-loop.
    pub fn self_loops(&self) -> u64 {
        self.loops.len() as u64
    }

    /// The share of the arcs that have one back, as NetworkX's `overall_reciprocity`: self-loops are arcs without
    /// one. `None` where there is no arc.
    pub fn of_graph(&self) -> Option<f64> {
        let all = self.arcs + self.self_loops();
        (all > 0).then(|| self.mutual as f64 / all as f64)
    }

    /// The share of a vertex's arcs, in and out, that have one back, as NetworkX's `reciprocity`: a self-loop is
    /// two such arcs. `None` where the vertex has no arc.
    ///
    /// # Panics
    /// If `vertex` is not below [`vertex_bound`](Self::vertex_bound).
    pub fn of_vertex(&self, vertex: u32) -> Option<f64> {
        let Neighbours { out, into, mutual } = self.neighbours[vertex as usize];
        let looped = u64::from(self.loops.binary_search(&vertex).is_ok());
        let twice = 2 * (u64::from(mutual) + looped);
        let all = u64::from(out) + u64::from(into) + twice;
        (all > 0).then(|| twice as f64 / all as f64)
    }
}
