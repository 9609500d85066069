//! A simple graph whose every edge has one direction, in host memory.

/// A simple graph whose every edge points from the higher rank (lower degree) to the lower rank
/// (higher degree): the form every forward engine counts on (paper 004, section II-B).
///
/// Vertices are called by rank. Row `u` is `heads[offsets[u]..offsets[u + 1]]`, strictly ascending,
/// every entry below `u`. No row is longer than √(2m), where m counts the entries that the ranks
/// were made from: the edges, and their duplicates where ranks come before cleaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrientedGraph {
    /// Where each row starts; one more entry than there are ranks.
    pub offsets: Vec<u64>,
    /// The rows, one after another.
    pub heads: Vec<u32>,
    /// The vertex that has each rank.
    pub vertex_of_rank: Vec<u32>,
}

/// Bits that hold every rank of `vertices` vertices.
pub fn rank_bits(vertices: u64) -> u32 {
    (u64::BITS - vertices.saturating_sub(1).leading_zeros()).max(1)
}

impl OrientedGraph {
    /// Number of ranks, isolated vertices included.
    pub fn vertices(&self) -> usize {
        self.vertex_of_rank.len()
    }

    /// Number of undirected edges.
    pub fn edges(&self) -> u64 {
        self.heads.len() as u64
    }

    /// The out-neighbours of rank `u`, ascending, all below `u`.
    #[inline]
    pub fn row(&self, u: u32) -> &[u32] {
        let u = u as usize;
        &self.heads[self.offsets[u] as usize..self.offsets[u + 1] as usize]
    }
}
