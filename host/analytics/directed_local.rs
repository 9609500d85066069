//! Degrees and triangles of every vertex by direction.

use super::cpu::directed::{KINDS, Neighbours};
use tribin_base::par;

/// The kind of a directed triangle, as one of its corners sees it, after Fagiolo, "Clustering in complex directed networks",
/// Physical Review E 76, 2007.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TriangleKind {
    /// The arcs lead round: i → j → k → i.
    Cycle,
    /// The corner stands between the others: j → i → k, and j → k.
    Middleman,
    /// The corner is the end of two arcs: both others have an arc to this one.
    In,
    /// The corner is the start of two arcs: it has an arc to both others.
    Out,
    /// All kinds together.
    All,
}

impl TriangleKind {
    /// All kinds, in the order of the columns of tables.
    pub const ALL: [TriangleKind; 5] = [
        TriangleKind::Cycle,
        TriangleKind::Middleman,
        TriangleKind::In,
        TriangleKind::Out,
        TriangleKind::All,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            TriangleKind::Cycle => "cycle",
            TriangleKind::Middleman => "middleman",
            TriangleKind::In => "in",
            TriangleKind::Out => "out",
            TriangleKind::All => "all",
        }
    }
}

/// Degrees, directed triangles and clustering coefficients of every vertex, by vertex index.
///
/// Where two vertices have an arc each way, a triangle of theirs is several directed ones: one for each choice of
/// an arc on each of its sides, so that there are up to eight.
///
/// ```
/// use tribin::analytics::TriangleKind;
/// use tribin::{Graph, Input, Options, Session};
///
/// let cycle = Graph::from_edges([[0, 1], [1, 2], [2, 0], [0, 2]]);
/// let local = Session::open(Options::default())?.prepare(Input::from(&cycle).directed())?.directed_local()?;
/// assert_eq!((local.out_degree(0), local.in_degree(0), local.mutual_degree(0)), (2, 1, 1));
/// assert_eq!(local.triangles(TriangleKind::Cycle, 0), 1);
/// assert_eq!(local.triangles(TriangleKind::Out, 0), 1);
/// // As NetworkX's `clustering` has it.
/// assert_eq!(local.clustering(TriangleKind::All, 0), 0.5);
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectedLocal {
    neighbours: Vec<Neighbours>,
    kinds: Vec<[u64; KINDS]>,
}

impl DirectedLocal {
    /// The results at all vertices, from their neighbours and triangles.
    pub fn of_vertices(neighbours: Vec<Neighbours>, kinds: Vec<[u64; KINDS]>) -> DirectedLocal {
        assert_eq!(neighbours.len(), kinds.len(), "both for each vertex");
        DirectedLocal { neighbours, kinds }
    }

    /// Number of vertex indexes, vertices without an arc included.
    pub fn vertex_bound(&self) -> usize {
        self.neighbours.len()
    }

    /// The arcs that end at the vertex. Self-loops are none.
    ///
    /// # Panics
    /// If `vertex` is not below [`vertex_bound`](Self::vertex_bound); so do the methods that follow.
    pub fn in_degree(&self, vertex: u32) -> u32 {
        let Neighbours { into, mutual, .. } = self.neighbours[vertex as usize];
        into + mutual
    }

    /// The arcs that begin at the vertex. Self-loops are none.
    pub fn out_degree(&self, vertex: u32) -> u32 {
        let Neighbours { out, mutual, .. } = self.neighbours[vertex as usize];
        out + mutual
    }

    /// The neighbours with an arc each way.
    pub fn mutual_degree(&self, vertex: u32) -> u32 {
        self.neighbours[vertex as usize].mutual
    }

    /// The directed triangles of a kind that the vertex is a corner of.
    pub fn triangles(&self, kind: TriangleKind, vertex: u32) -> u64 {
        let kinds = &self.kinds[vertex as usize];
        match kind {
            TriangleKind::Cycle => kinds[0],
            TriangleKind::Middleman => kinds[1],
            TriangleKind::In => kinds[2],
            TriangleKind::Out => kinds[3],
            TriangleKind::All => kinds.iter().sum(),
        }
    }

    /// The most directed triangles of a kind that a vertex of these degrees could be a corner of. With degrees
    /// below 2³² it is below 2⁶⁶.
    pub fn possible(&self, kind: TriangleKind, vertex: u32) -> u128 {
        let Neighbours { out, into, mutual } = self.neighbours[vertex as usize];
        let mutual = u128::from(mutual);
        let (out, into) = (u128::from(out) + mutual, u128::from(into) + mutual);
        let pairs = |degree: u128| degree * degree.saturating_sub(1);
        match kind {
            TriangleKind::Cycle | TriangleKind::Middleman => out * into - mutual,
            TriangleKind::In => pairs(into),
            TriangleKind::Out => pairs(out),
            TriangleKind::All => pairs(out + into) - 2 * mutual,
        }
    }

    /// The clustering coefficient of a kind: [`triangles`](Self::triangles) / [`possible`](Self::possible), from 0
    /// to 1; 0 where none is possible. For [`TriangleKind::All`] it is NetworkX's `clustering` of a `DiGraph`.
    ///
    /// Correctly rounded while both numbers are below 2⁵³, and off by at most 4 · 10⁻¹⁶ of the value above.
    pub fn clustering(&self, kind: TriangleKind, vertex: u32) -> f64 {
        match self.triangles(kind, vertex) {
            0 => 0.0,
            found => found as f64 / self.possible(kind, vertex) as f64,
        }
    }

    /// The mean of the coefficients of all vertices that have an arc; 0 where there is none.
    pub fn average_clustering(&self, kind: TriangleKind) -> f64 {
        let vertices = || 0..self.vertex_bound() as u32;
        let joined = vertices().filter(|&v| self.in_degree(v) + self.out_degree(v) > 0);
        match joined.count() {
            0 => 0.0,
            joined => {
                vertices().map(|vertex| self.clustering(kind, vertex)).sum::<f64>() / joined as f64
            }
        }
    }

    /// NetworkX's `transitivity` of a `DiGraph`: of all pairs of arcs v → w and v → x, the share that is closed by
    /// an arc between w and x. 0 where there is no pair.
    pub fn transitivity(&self) -> f64 {
        let sum = |of: &(dyn Fn(u32) -> u128 + Sync)| {
            let blocks = par::blocks(self.vertex_bound(), par::BLOCK);
            let sums = par::map(blocks, |block| block.map(|v| of(v as u32)).sum::<u128>());
            sums.into_iter().sum::<u128>()
        };
        let closed = sum(&|vertex| self.triangles(TriangleKind::Out, vertex).into());
        match sum(&|vertex| self.possible(TriangleKind::Out, vertex)) {
            0 => 0.0,
            pairs => closed as f64 / pairs as f64,
        }
    }
}
