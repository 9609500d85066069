//! A graph as it was read: edges in any order, nothing dropped yet.

use std::path::Path;

use super::VertexIds;
use crate::Result;

/// A graph as it stands in its file: pairs of vertices in any order and direction, with
/// self-loops and duplicates still in it. Cleaning is the next step's job, on whichever device counts.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    edges: Vec<[u32; 2]>,
    ids: VertexIds,
    name: String,
}

impl Graph {
    /// Reads a file, its format told by its extension and first bytes (see [`crate::read`]).
    ///
    /// # Errors
    /// One message with file and line for whatever is wrong with it.
    pub fn open(path: impl AsRef<Path>) -> Result<Graph> {
        crate::read::open(path.as_ref(), &crate::read::Options::default())
    }

    /// A graph from edges in memory, each pair taken as undirected.
    ///
    /// # Panics
    /// If a vertex is `u32::MAX`: ids go up to `u32::MAX - 1`, so that their number fits a `u32`.
    pub fn from_edges(edges: Vec<[u32; 2]>) -> Graph {
        use rayon::prelude::*;
        let bound = edges
            .par_iter()
            .map(|&[u, v]| u.max(v))
            .max()
            .map_or(0, |max| max.checked_add(1).expect("vertex ids must be below u32::MAX"));
        Graph { edges, ids: VertexIds::Identity { bound }, name: "(memory)".into() }
    }

    /// A graph whose edges are known to lie below `ids.bound()`.
    pub(crate) fn from_parts(edges: Vec<[u32; 2]>, ids: VertexIds, name: String) -> Graph {
        debug_assert!(edges.iter().flatten().all(|&v| (v as usize) < ids.bound()));
        Graph { edges, ids, name }
    }

    /// The pairs as read: any order, both directions, loops and duplicates included.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// What the vertices are called in the file.
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
