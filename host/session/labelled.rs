//! Triangles by the labels of their vertices.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::PreparedGraph;
use crate::{Error, Result};
use tribin_base::par;

/// Three labels, ascending, and the triangles whose vertices have them.
pub type LabelledTriangles = ([u32; 3], u64);

type LabelCounts = HashMap<[u32; 3], u64, RandomState>;

impl PreparedGraph {
    /// How many triangles have vertices of which three labels, in whatever order: of each three that any triangle has, ascending.
    /// Labels are numbers, by vertex index. The counts add up to the number of triangles.
    ///
    /// Triangles are listed where the graph is, also out of core, and told apart on the CPU. O(m^1.5) work. Memory: that of
    /// [`each_triangle`](Self::each_triangle), and about 24 bytes for each three labels, once for each block of triangles at a time: it
    /// does not depend on how many labels there are.
    ///
    /// ```
    /// use tribin::{Graph, Options, Session};
    ///
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3], [3, 0]]);
    /// let prepared = Session::open(Options::default())?.prepare(&graph)?;
    /// let found = prepared.count_by_labels(&[5, 7, 5, 9].map(Some))?;
    /// assert_eq!(found, [([5, 5, 7], 1), ([5, 5, 9], 1)]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`each_triangle`](Self::each_triangle), and [`Error::Input`] where a vertex of a triangle has no label.
    ///
    /// # Panics
    /// If there are fewer labels than vertices.
    pub fn count_by_labels(&self, labels: &[Option<u32>]) -> Result<Vec<LabelledTriangles>> {
        assert!(labels.len() >= self.vertex_bound(), "a label for each vertex, or none");
        let mut all = LabelCounts::default();
        self.each_triangle(|blocks| {
            let of_blocks = par::try_map(blocks, |block| self.by_labels(&block, labels))?;
            for (three, triangles) in of_blocks.into_iter().flatten() {
                *all.entry(three).or_default() += triangles;
            }
            Ok(true)
        })?;
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_unstable();
        Ok(all)
    }

    fn by_labels(&self, triangles: &[[u32; 3]], labels: &[Option<u32>]) -> Result<LabelCounts> {
        let mut found = LabelCounts::default();
        for triangle in triangles {
            let mut three = [0; 3];
            for (label, &vertex) in three.iter_mut().zip(triangle) {
                *label = labels[vertex as usize].ok_or_else(|| Error::Input {
                    file: self.name().to_owned(),
                    message: format!(
                        "the vertex `{}` is in a triangle, and has no label: `--unlabelled LABEL` gives one to all such vertices",
                        self.ids().id(vertex)
                    )
                    .into(),
                })?;
            }
            three.sort_unstable();
            *found.entry(three).or_default() += 1;
        }
        Ok(found)
    }
}
