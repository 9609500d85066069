//! A graph as it was read: edges in any order, nothing dropped yet.

use super::{Duplicates, EdgeBlocks, Reading, VertexIds};
use crate::{Error, Result};
use tribin_base::par;

/// A graph as it stands in its file: pairs of vertices in any order and direction, with
/// self-loops and duplicates still in it. Cleaning is the next step's job, on whichever device counts.
///
/// An entry has a direction, from its first vertex to its second, and may have a weight. Whoever asks for
/// undirected triangles need not care for either.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    edges: Vec<[u32; 2]>,
    ids: VertexIds,
    name: String,
    reading: Option<Box<Reading>>,
    declared: Option<u64>,
    weights: Option<Vec<f64>>,
    both_directions: bool,
    duplicates: Duplicates,
}

impl Graph {
    /// A graph whose edges are known to lie below `ids.bound()`.
    pub fn from_parts(edges: Vec<[u32; 2]>, ids: VertexIds, name: String) -> Graph {
        debug_assert!(edges.iter().flatten().all(|&v| (v as usize) < ids.bound()));
        Graph { edges, ids, name, ..Graph::default() }
    }

    /// The entries of all blocks in memory, with indexes for ids: 8 bytes an entry, 16 while they are put together.
    ///
    /// # Panics
    /// If there are 2³² vertices or more.
    pub fn from_blocks(blocks: &dyn EdgeBlocks, name: &str) -> Graph {
        let made = par::map(0..blocks.blocks(), |block| {
            let mut edges = Vec::new();
            blocks.block(block, &mut edges);
            edges
        });
        let bound = u32::try_from(blocks.vertices()).expect("indexes are 32-bit numbers");
        Graph::from_parts(made.concat(), VertexIds::Identity { bound }, name.to_owned())
    }

    /// The entries, the ids and the name.
    pub fn into_parts(self) -> (Vec<[u32; 2]>, VertexIds, String) {
        (self.edges, self.ids, self.name)
    }

    /// The directions and weights of another graph, whose entries are those of this one in the same order.
    pub fn with_arcs_of(self, mut other: Graph) -> Graph {
        let weights = other.weights.take();
        debug_assert!(weights.as_ref().is_none_or(|weights| weights.len() == self.edges.len()));
        let Graph { both_directions, duplicates, .. } = other;
        Graph { weights, both_directions, duplicates, ..self }
    }

    /// The directions and weights of the graph, without its entries, which the graph keeps.
    pub fn take_arcs(&mut self) -> Graph {
        let (both_directions, duplicates) = (self.both_directions, self.duplicates);
        Graph { weights: self.weights.take(), both_directions, duplicates, ..Graph::default() }
    }

    /// The graph with a record of how it was read.
    pub fn with_reading(self, reading: Option<Reading>) -> Graph {
        Graph { reading: reading.map(Box::new), ..self }
    }

    /// Marks the graph as that of a file that declares how many vertices it has.
    pub fn declaring(self, vertices: u64) -> Graph {
        Graph { declared: Some(vertices), ..self }
    }

    /// Marks the graph as that of a file that says that its edges have no direction.
    pub fn with_both_directions(self) -> Graph {
        Graph { both_directions: true, ..self }
    }

    /// The graph with a weight for each entry, in the order of [`edges`](Self::edges). O(entries).
    ///
    /// ```
    /// use tribin::Graph;
    ///
    /// let graph = Graph::from_edges([[0, 1], [1, 2]]).with_weights(vec![0.5, 2.0])?;
    /// assert_eq!(graph.weights(), Some(&[0.5, 2.0][..]));
    /// let error = Graph::from_edges([[0, 1]]).with_weights(vec![f64::NAN]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "(memory): the weight of entry 0 (from 0) is NaN: weights are finite numbers"
    /// );
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where there are more or fewer weights than entries, and for a weight that is no finite
    /// number.
    pub fn with_weights(self, weights: Vec<f64>) -> Result<Graph> {
        let fault = |message: String| {
            let file = if self.name.is_empty() { "(memory)" } else { &self.name };
            Err(Error::Input { file: file.into(), message: message.into() })
        };
        if weights.len() != self.edges.len() {
            let (weights, entries) = (weights.len(), self.edges.len());
            return fault(format!("there are {weights} weights for {entries} entries"));
        }
        if let Some(entry) = weights.iter().position(|weight| !weight.is_finite()) {
            return fault(format!(
                "the weight of entry {entry} (from 0) is {}: weights are finite numbers",
                weights[entry]
            ));
        }
        Ok(Graph { weights: Some(weights), ..self })
    }

    /// The weight of each entry; `None` where none were read.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The graph with a rule for what becomes of the weights of entries that are one edge.
    pub fn with_duplicates(self, duplicates: Duplicates) -> Graph {
        Graph { duplicates, ..self }
    }

    /// The rule for the weights of entries that are one edge.
    pub fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    /// Whether an entry stands for both directions, because the file says that its edges have none: a symmetric
    /// Matrix Market file, METIS, and the like. Otherwise an entry leads from its first vertex to its second.
    pub fn has_both_directions(&self) -> bool {
        self.both_directions
    }

    /// The number of vertices that the file declares, or [`with_vertices`](Self::with_vertices) says, isolated ones
    /// included. `None` where the vertices are those that its entries name, as in an edge list.
    pub fn declared_vertices(&self) -> Option<u64> {
        self.declared
    }

    /// The graph under another name.
    pub fn with_name(self, name: String) -> Graph {
        Graph { name, ..self }
    }

    /// The way in which the file was read: which columns, and what their ids are. `None` for a plain list of integers, for
    /// formats that leave nothing to decide, and for edges in memory.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_deref()
    }

    /// The pairs as read: any order, both directions, loops and duplicates included.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The ids or names of the vertices in the file.
    pub fn ids(&self) -> &VertexIds {
        &self.ids
    }

    /// One more than the largest vertex index.
    pub fn vertex_bound(&self) -> usize {
        self.ids.bound()
    }

    /// The file's name as the user gave it, `-` for standard input.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// An edge in memory: a pair of vertex ids, or whatever else can give one.
///
/// Arrays and tuples of two, and references to them, are edges. Implement it for an edge type of your own:
///
/// ```
/// use tribin::Graph;
/// use tribin::graph::Edge;
///
/// #[derive(Clone, Copy)]
/// struct Friendship {
///     from: u32,
///     to: u32,
///     since: u16,
/// }
///
/// impl Edge<u32> for Friendship {
///     fn ends(self) -> [u32; 2] {
///         [self.from, self.to]
///     }
/// }
///
/// let friends = [Friendship { from: 0, to: 1, since: 1999 }];
/// assert_eq!(Graph::from_edges(friends).edges(), [[0, 1]]);
/// # assert_eq!(friends[0].since, 1999);
/// ```
pub trait Edge<Id> {
    /// The ids of the two vertices.
    fn ends(self) -> [Id; 2];
}

impl<Id> Edge<Id> for [Id; 2] {
    fn ends(self) -> [Id; 2] {
        self
    }
}

impl<Id> Edge<Id> for (Id, Id) {
    fn ends(self) -> [Id; 2] {
        self.into()
    }
}

impl<Id, E: Edge<Id> + Copy> Edge<Id> for &E {
    fn ends(self) -> [Id; 2] {
        (*self).ends()
    }
}
