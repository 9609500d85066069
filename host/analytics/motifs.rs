//! How often each connected graph of three and four vertices is in a graph.

use super::ReportHead;

/// The number of times that a graph has a motif.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MotifCount {
    /// Sets of vertices whose edges are those of the motif and no others.
    pub induced: u128,
    /// Sets of edges that make the motif, whether its vertices have other edges among them or not.
    pub subgraphs: u128,
}

/// The connected motifs of three and four vertices of a graph, exactly. Serialised, this is the object that `tribin motifs --json`
/// prints (docs/json.md); fields are added to it, never renamed or removed.
///
/// All figures are of the simple graph: directions dropped, duplicates merged, self-loops removed. They are whole numbers of up to 128
/// bits, written in JSON with all their digits.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Motifs {
    /// The file, the device and the time.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub head: ReportHead,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// Undirected edges.
    pub edges: u64,
    /// Two edges that share a vertex.
    pub wedge: MotifCount,
    /// Three vertices of which any two are joined.
    pub triangle: MotifCount,
    /// Three edges that share a vertex.
    pub star: MotifCount,
    /// Three edges one after the other.
    pub path: MotifCount,
    /// A triangle, and an edge from one of its vertices to a fourth.
    pub tailed_triangle: MotifCount,
    /// Four edges one after the other, back to where they begin.
    pub cycle: MotifCount,
    /// Two triangles that share an edge.
    pub diamond: MotifCount,
    /// Four vertices of which any two are joined.
    pub clique: MotifCount,
}

/// The sums that the numbers of all motifs follow from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MotifSums {
    /// Σ d(d - 1)/2 over the degrees of all vertices.
    pub wedges: u128,
    /// Triangles.
    pub triangles: u128,
    /// Σ d(d - 1)(d - 2)/6 over all vertices.
    pub stars: u128,
    /// Σ (d - 1)(e - 1) over the degrees of the ends of all edges.
    pub walks: u128,
    /// Σ t(d - 2) over the triangles and degrees of all vertices.
    pub tailed_triangles: u128,
    /// Cycles of four edges.
    pub cycles: u128,
    /// Σ s(s - 1)/2 over the triangles on all edges.
    pub diamonds: u128,
    /// Cliques of four vertices.
    pub cliques: u128,
}

impl MotifSums {
    /// The number of times that each motif is in the graph, in the order of [`Motifs`].
    ///
    /// A walk of three edges that comes back to where it began is a triangle, which has three of them. What is induced is what is there
    /// less what larger motifs have of it: a clique of four vertices has 4 stars, 12 paths, 12 tailed triangles, 3 cycles and 6
    /// diamonds; a diamond has 2 stars, 6 paths, 4 tailed triangles and 1 cycle; a cycle has 4 paths; a tailed triangle has 1 star
    /// and 2 paths.
    pub fn counts(&self) -> [MotifCount; 8] {
        let MotifSums { wedges, triangles, stars, cycles, diamonds, cliques, .. } = *self;
        let (tailed, paths) = (self.tailed_triangles, self.walks - 3 * triangles);
        let diamond = diamonds - 6 * cliques;
        let cycle = cycles - diamond - 3 * cliques;
        let tail = tailed - 4 * diamond - 12 * cliques;
        let path = paths - 2 * tail - 4 * cycle - 6 * diamond - 12 * cliques;
        let star = stars - tail - 2 * diamond - 4 * cliques;
        [
            (wedges - 3 * triangles, wedges),
            (triangles, triangles),
            (star, stars),
            (path, paths),
            (tail, tailed),
            (cycle, cycles),
            (diamond, diamonds),
            (cliques, cliques),
        ]
        .map(|(induced, subgraphs)| MotifCount { induced, subgraphs })
    }
}

impl Motifs {
    /// Every motif: its name, its number of vertices, and how often the graph has it.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64, MotifCount)> {
        [
            ("wedge", 3, self.wedge),
            ("triangle", 3, self.triangle),
            ("star", 4, self.star),
            ("path", 4, self.path),
            ("tailed_triangle", 4, self.tailed_triangle),
            ("cycle", 4, self.cycle),
            ("diamond", 4, self.diamond),
            ("clique", 4, self.clique),
        ]
        .into_iter()
    }
}
