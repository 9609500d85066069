//! From edges in memory to a [`Graph`].

use super::ids::{self, MOST_VERTICES};
use crate::Edge;
use crate::control::memory;
use crate::{Error, Graph, Message, Result, VertexIds};
use tribin_base::par;

/// The name of a graph that was not read from a file.
pub const NAME: &str = "(memory)";

impl Graph {
    /// A graph from edges in memory, each taken as undirected: a vector, an array, a slice, or any other
    /// iterator of pairs. The memory of a vector of `[u32; 2]` or `(u32, u32)` becomes the graph's.
    ///
    /// A vertex keeps its id as its index where per-vertex arrays would be of reasonable length. Where the
    /// number of indexes exceeds 8 × edges + 2²⁰, or an id is 2³²-2 or more, the ids that occur are sorted and
    /// numbered from 0, as for a file (`read`): [`Graph::ids`] leads from one to the other. To keep
    /// all ids, and for vertices without edges, say [`with_vertices`](Self::with_vertices).
    ///
    /// O(m) for m edges; O(m log m) where ids are numbered anew.
    ///
    /// ```
    /// use tribin::Graph;
    ///
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// assert_eq!((graph.edges().len(), graph.vertex_bound()), (3, 3));
    ///
    /// // Slices, tuples and iterators.
    /// let pairs = vec![(0, 1), (1, 2)];
    /// assert_eq!(Graph::from_edges(&pairs[1..]).edges(), [[1, 2]]);
    /// assert_eq!(Graph::from_edges(pairs).edges(), [[0, 1], [1, 2]]);
    /// assert_eq!(Graph::from_edges((1..4).map(|leaf| (0, leaf))).edges(), [[0, 1], [0, 2], [0, 3]]);
    ///
    /// // Every id is allowed.
    /// let far = Graph::from_edges([[7, u32::MAX]]);
    /// assert_eq!(far.edges(), [[0, 1]]);
    /// assert_eq!(far.ids().number(1), u64::from(u32::MAX));
    /// assert_eq!(far.ids().index(7), Some(0));
    /// ```
    ///
    /// # Panics
    /// If ids have to be numbered anew, and there is no memory for it or there are more than 2³²-2 of them
    /// (which takes 2³¹ edges).
    pub fn from_edges(edges: impl IntoIterator<Item: Edge<u32>>) -> Graph {
        // A vector is collected in place.
        let edges: Vec<[u32; 2]> = edges.into_iter().map(Edge::ends).collect();
        let max = largest(&edges).unwrap_or(0);
        ids::graph(NAME, edges, u64::from(max), None).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A graph from edges whose ids have 64 bits. As [`from_edges`](Self::from_edges), except that they are
    /// copied.
    ///
    /// ```
    /// use tribin::Graph;
    ///
    /// let graph = Graph::from_u64_edges([(1 << 40, 7), (7, u64::MAX)])?;
    /// assert_eq!(graph.edges(), [[1, 0], [0, 2]]);
    /// assert_eq!(graph.ids().number(2), u64::MAX);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where there is no memory, and for more than 2³²-2 vertices.
    pub fn from_u64_edges(edges: impl IntoIterator<Item: Edge<u64>>) -> Result<Graph> {
        let edges: Vec<[u64; 2]> = edges.into_iter().map(Edge::ends).collect();
        let max = largest(&edges).unwrap_or(0);
        if max > u64::from(u32::MAX) {
            return ids::wide(NAME, vec![edges], None);
        }
        let mut narrow = memory::with_capacity(edges.len())
            .map_err(|refused| memory::none_for(NAME, refused))?;
        narrow.extend(edges.into_iter().map(|ends| ends.map(|id| id as u32)));
        ids::graph(NAME, narrow, max, None)
    }

    /// The graph with a given number of vertices, of which some may have no edge. Every vertex has its id as
    /// its index, whatever gaps there are. O(n + m).
    ///
    /// ```
    /// use tribin::Graph;
    ///
    /// let graph = Graph::from_edges([[0, 1]]).with_vertices(5)?;
    /// assert_eq!(graph.vertex_bound(), 5);
    ///
    /// let error = Graph::from_edges([[0, 1], [5, 1]]).with_vertices(5).unwrap_err();
    /// assert_eq!(error.to_string(), "(memory): edge 1 has vertex 5: vertices are below 5");
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] for an id that is not below `vertices`, for more than 2³²-2 vertices, and for vertices
    /// with names if there would be more or fewer of them.
    pub fn with_vertices(mut self, vertices: usize) -> Result<Graph> {
        let arcs = self.take_arcs();
        let (mut edges, ids, name) = self.into_parts();
        check_vertices(vertices)?;
        let bound = vertices as u32;
        if let VertexIds::Names(names) = &ids
            && names.len() != vertices
        {
            let message =
                format!("vertices have names, and {} of {vertices} have one", names.len());
            return Err(Error::of_input(&name, message));
        }
        let id = |v: u32| match &ids {
            VertexIds::Table(table) => table[v as usize],
            VertexIds::Identity { .. } | VertexIds::OneBased { .. } | VertexIds::Names(_) => {
                u64::from(v)
            }
        };
        let beyond = |&v: &u32| id(v) >= u64::from(bound);
        let wrong = par::find_map_first(par::blocks(edges.len(), par::BLOCK), |mut block| {
            block.find(|&edge| edges[edge].iter().any(beyond))
        });
        if let Some(edge) = wrong {
            let id = edges[edge].iter().copied().find(beyond).map(id).unwrap_or_default();
            let message = format!("edge {edge} has vertex {id}: vertices are below {vertices}");
            return Err(Error::of_input(&name, message));
        }
        let ids = match ids {
            VertexIds::OneBased { .. } => VertexIds::OneBased { bound },
            VertexIds::Identity { .. } => VertexIds::Identity { bound },
            VertexIds::Names(names) => VertexIds::Names(names),
            VertexIds::Table(table) => {
                // Every id of an edge is below `bound`.
                let original = |v: u32| table[v as usize] as u32;
                par::for_each(edges.chunks_mut(par::BLOCK), |edges| {
                    edges.iter_mut().for_each(|ends| *ends = ends.map(original));
                });
                VertexIds::Identity { bound }
            }
        };
        let graph = Graph::from_parts(edges, ids, name).with_arcs_of(arcs);
        Ok(graph.declaring(vertices as u64))
    }
}

/// The largest id of any edge.
fn largest<T: Copy + Ord + Send + Sync>(edges: &[[T; 2]]) -> Option<T> {
    let of_block = |edges: &[[T; 2]]| edges.as_flattened().iter().copied().max();
    par::map(edges.chunks(par::BLOCK), of_block).into_iter().flatten().max()
}

fn fault(message: impl Into<Message>) -> Error {
    Error::of_input(NAME, message)
}

fn check_vertices(vertices: usize) -> Result<()> {
    if vertices as u64 <= MOST_VERTICES {
        return Ok(());
    }
    Err(fault(format!("{vertices} vertices: at most {MOST_VERTICES} (2^32-2) can be counted")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_vector_becomes_the_graph_s() {
        let arrays = vec![[0u32, 1], [2, 1]];
        let place = arrays.as_ptr();
        assert_eq!(Graph::from_edges(arrays).edges().as_ptr(), place);
        let pairs = vec![(0u32, 1u32), (2, 1)];
        let place = pairs.as_ptr().cast();
        let graph = Graph::from_edges(pairs);
        assert_eq!((graph.edges().as_ptr(), graph.edges()), (place, &[[0, 1], [2, 1]][..]));
    }

    #[test]
    fn every_source_gives_the_same_edges() {
        let arrays = [[3u32, 1], [1, 1], [0, 2]];
        let pairs = arrays.map(<(u32, u32)>::from);
        let wide = arrays.map(|ends| ends.map(u64::from));
        let graphs = [
            Graph::from_edges(arrays),
            Graph::from_edges(&arrays[..]),
            Graph::from_edges(arrays.to_vec()),
            Graph::from_edges(pairs),
            Graph::from_edges(&pairs[..]),
            Graph::from_edges(pairs.iter().filter(|_| true)),
            Graph::from_u64_edges(wide).unwrap(),
            Graph::from_u64_edges(wide.iter()).unwrap(),
            Graph::from_u64_edges(wide.map(<(u64, u64)>::from)).unwrap(),
        ];
        for graph in graphs {
            assert_eq!(graph.edges(), arrays);
            assert_eq!(graph.ids(), &VertexIds::Identity { bound: 4 });
            assert_eq!(graph.name(), "(memory)");
        }
    }

    #[test]
    fn no_edges() {
        for graph in [Graph::from_edges([[0; 2]; 0]), Graph::from_u64_edges([[0; 2]; 0]).unwrap()] {
            assert_eq!((graph.edges().len(), graph.vertex_bound()), (0, 0));
            assert_eq!(graph.with_vertices(3).unwrap().vertex_bound(), 3);
        }
    }

    /// [`Graph::from_edges`] panicked here.
    #[test]
    fn the_largest_id_is_one_like_any_other() {
        let graph = Graph::from_edges([[u32::MAX, u32::MAX - 1], [0, u32::MAX]]);
        assert_eq!(graph.edges(), [[2, 1], [0, 2]]);
        let ids = [0, u32::MAX - 1, u32::MAX].map(u64::from);
        assert_eq!(graph.ids(), &VertexIds::Table(ids.to_vec()));
    }

    #[test]
    fn a_number_of_vertices_keeps_every_id() {
        // Too far apart for arrays of three edges, unless they are asked for.
        let edges = [[0, 1 << 21], [1 << 21, 5], [5, 0]];
        let graph = Graph::from_edges(edges);
        assert_eq!(graph.edges(), [[0, 2], [2, 1], [1, 0]]);
        let vertices = (1 << 21) + 1;
        let error = graph.clone().with_vertices(vertices - 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "(memory): edge 0 has vertex 2097152: vertices are below 2097152"
        );
        let graph = graph.with_vertices(vertices).unwrap();
        assert_eq!(graph.edges(), edges);
        assert_eq!(graph.ids(), &VertexIds::Identity { bound: vertices as u32 });
        // Again, with fewer.
        let few = Graph::from_edges([[0, 1]]).with_vertices(9).unwrap().with_vertices(2).unwrap();
        assert_eq!(few.vertex_bound(), 2);
        let most = MOST_VERTICES as usize;
        assert_eq!(Graph::from_edges([[0, 1]]).with_vertices(most).unwrap().vertex_bound(), most);
        let error = Graph::from_edges([[0, 1]]).with_vertices(most + 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "(memory): 4294967295 vertices: at most 4294967294 (2^32-2) can be counted"
        );
    }
}
