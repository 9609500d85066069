//! What the vertices of a graph are called in its file.

/// How the vertices `0..bound` of a [`Graph`](crate::Graph) are called in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VertexIds {
    /// Vertex `v` is called `v`; every vertex is below `bound`.
    Identity {
        /// One more than the largest vertex (0 in an empty graph).
        bound: u32,
    },
    /// Vertex `v` is called `v + 1`, as in formats that number from 1 and declare how many there are.
    OneBased {
        /// The number of vertices that the file declares.
        bound: u32,
    },
    /// Vertex `v` is called `table[v]`; the table is strictly ascending.
    Table(Vec<u64>),
}

impl Default for VertexIds {
    fn default() -> Self {
        VertexIds::Identity { bound: 0 }
    }
}

impl VertexIds {
    /// One more than the largest vertex index: the length that a per-vertex array needs.
    pub fn bound(&self) -> usize {
        match self {
            VertexIds::Identity { bound } | VertexIds::OneBased { bound } => *bound as usize,
            VertexIds::Table(table) => table.len(),
        }
    }

    /// The file's own id of vertex `v`.
    ///
    /// # Panics
    /// If `v` is not below [`bound`](Self::bound).
    pub fn original(&self, v: u32) -> u64 {
        match self {
            VertexIds::Identity { bound } => {
                assert!(v < *bound, "vertex {v} of {bound}");
                u64::from(v)
            }
            VertexIds::OneBased { bound } => {
                assert!(v < *bound, "vertex {v} of {bound}");
                u64::from(v) + 1
            }
            VertexIds::Table(table) => table[v as usize],
        }
    }

    /// The vertex that the file calls `original`; `None` where it is no vertex. Constant time, or O(log n)
    /// where ids were numbered anew.
    ///
    /// ```
    /// use tribin::VertexIds;
    ///
    /// assert_eq!(VertexIds::Identity { bound: 3 }.index(3), None);
    /// assert_eq!(VertexIds::OneBased { bound: 3 }.index(3), Some(2));
    /// assert_eq!(VertexIds::Table(vec![7, 1 << 40]).index(1 << 40), Some(1));
    /// ```
    pub fn index(&self, original: u64) -> Option<u32> {
        let below = |v: u64, bound: u32| u32::try_from(v).ok().filter(|&v| v < bound);
        match self {
            VertexIds::Identity { bound } => below(original, *bound),
            VertexIds::OneBased { bound } => below(original.checked_sub(1)?, *bound),
            VertexIds::Table(table) => table.binary_search(&original).ok().map(|v| v as u32),
        }
    }
}
