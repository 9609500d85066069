//! Results at vertices: the list of them, and what they are made of.

mod ldbc_clustering;
mod list;
mod square_clustering;
mod triangle_centrality;

use std::sync::OnceLock;

use tribin_analytics::{ByNegatives, DirectedLocal, Local, ZeroSign};
use tribin_base::Result;

pub use list::VERTEX_RESULTS;

use super::ListedResult;
use crate::PreparedGraph;

/// A number at every vertex. Its formula finds the numbers of them all.
pub type VertexResult = ListedResult<FindColumn>;

/// A function that finds the numbers of a result.
type FindColumn = for<'a> fn(&'a AtVertices<'_>) -> Result<VertexColumn<'a>>;

/// Numbers by vertex index, reckoned when they are asked for.
pub enum VertexColumn<'a> {
    /// Whole numbers.
    Whole(Box<dyn Fn(u32) -> u64 + Sync + 'a>),
    /// Doubles.
    Double(Box<dyn Fn(u32) -> f64 + Sync + 'a>),
}

impl std::fmt::Debug for VertexColumn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            VertexColumn::Whole(_) => "Whole",
            VertexColumn::Double(_) => "Double",
        })
    }
}

impl<'a> VertexColumn<'a> {
    fn whole(value: impl Fn(u32) -> u64 + Sync + 'a) -> Result<VertexColumn<'a>> {
        Ok(VertexColumn::Whole(Box::new(value)))
    }

    fn of_doubles(value: impl Fn(u32) -> f64 + Sync + 'a) -> Result<VertexColumn<'a>> {
        Ok(VertexColumn::Double(Box::new(value)))
    }

    /// The number at a vertex, as a double.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn double(&self, vertex: u32) -> f64 {
        match self {
            VertexColumn::Whole(value) => value(vertex) as f64,
            VertexColumn::Double(value) => value(vertex),
        }
    }
}

/// The parts that results at vertices are made of, each found once, when a result first needs it.
pub struct AtVertices<'g> {
    graph: &'g PreparedGraph,
    zero: ZeroSign,
    local: OnceLock<Local>,
    degrees: OnceLock<Vec<u32>>,
    directed: OnceLock<DirectedLocal>,
    four_cycles: OnceLock<Vec<u64>>,
    wedge_ends: OnceLock<Vec<u64>>,
    signed: OnceLock<Vec<ByNegatives<u64>>>,
}

impl<'g> AtVertices<'g> {
    /// The parts of a graph's results, of which none is found yet.
    pub(crate) fn new(graph: &'g PreparedGraph) -> AtVertices<'g> {
        AtVertices {
            graph,
            zero: ZeroSign::default(),
            local: OnceLock::new(),
            degrees: OnceLock::new(),
            directed: OnceLock::new(),
            four_cycles: OnceLock::new(),
            wedge_ends: OnceLock::new(),
            signed: OnceLock::new(),
        }
    }

    /// Where a result asks for the signs of weights, `zero` says what the sign of 0 is.
    pub fn with_zero(self, zero: ZeroSign) -> AtVertices<'g> {
        AtVertices { zero, ..self }
    }

    /// Degrees and triangles.
    ///
    /// # Errors
    /// As [`PreparedGraph::local`].
    pub fn local(&self) -> Result<&Local> {
        once(&self.local, || self.graph.local())
    }

    /// The neighbours of every vertex.
    ///
    /// # Errors
    /// As [`PreparedGraph::degrees`].
    pub fn degrees(&self) -> Result<&[u32]> {
        match self.local.get() {
            Some(local) => Ok(local.degrees()),
            None => once(&self.degrees, || self.graph.degrees()).map(Vec::as_slice),
        }
    }

    /// The cycles of four edges that every vertex is in.
    ///
    /// # Errors
    /// As [`PreparedGraph::four_cycles_at_vertices`].
    pub fn four_cycles(&self) -> Result<&[u64]> {
        once(&self.four_cycles, || self.graph.four_cycles_at_vertices()).map(Vec::as_slice)
    }

    /// The paths of two edges that end at every vertex: the neighbours of its neighbours, itself left out, each as often as there is
    /// a way to it.
    ///
    /// # Errors
    /// As [`PreparedGraph::each_edge`].
    pub fn wedge_ends(&self) -> Result<&[u64]> {
        let find = || {
            let local = self.local()?;
            let mut ends = vec![0; local.vertex_bound()];
            // The degrees and triangles, and the sums.
            self.graph.each_edge_beside(4 + 8 + 8, &mut |blocks| {
                for [u, v, _] in blocks.into_iter().flatten() {
                    ends[u as usize] += u64::from(local.degree(v) - 1);
                    ends[v as usize] += u64::from(local.degree(u) - 1);
                }
                Ok(true)
            })?;
            Ok(ends)
        };
        once(&self.wedge_ends, find).map(Vec::as_slice)
    }

    /// Degrees and triangles, if a result needed them.
    pub fn found_local(&self) -> Option<&Local> {
        self.local.get()
    }

    /// Triangles by the number of their negative edges.
    ///
    /// # Errors
    /// As [`PreparedGraph::signed_at_vertices`].
    pub fn signed(&self) -> Result<&[ByNegatives<u64>]> {
        once(&self.signed, || self.graph.signed_at_vertices(self.zero)).map(Vec::as_slice)
    }

    /// Degrees and triangles by direction.
    ///
    /// # Errors
    /// As [`PreparedGraph::directed_local`].
    pub fn directed(&self) -> Result<&DirectedLocal> {
        once(&self.directed, || self.graph.directed_local())
    }
}

/// The content of a cell, which is found when it is first asked for.
fn once<T>(cell: &OnceLock<T>, find: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(found) = cell.get() {
        return Ok(found);
    }
    let found = find()?;
    Ok(cell.get_or_init(|| found))
}
