//! The square clustering of a vertex.

use super::{AtVertices, SQUARE_AND_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The square clustering of a vertex.
pub(super) static SQUARE_CLUSTERING: VertexResult = VertexResult {
    definition: Definition {
        name: "square_clustering",
        needs: GraphKind::Plain,
        formula: "C / ((d - 1) W - 2T - C) for C cycles of four edges, W wedges that end at it and T triangles; 0 where there is none",
        meaning: "The cycles of four edges through the vertex as a share of those that its pairs of neighbours could have.",
        source: "Pedro Lind and others, Cycles and clustering in bipartite networks, 2005; NetworkX: square_clustering",
    },
    find,
    example: VertexExample::of(SQUARE_AND_TRIANGLE, &[0.2, 0.5, 0.5, 0.2, 0.0]),
};

/// A pair of neighbours of degrees d and e with q cycles has d + e - 2 - q places for a cycle, and two fewer if an edge joins the
/// pair. Each neighbour is in d - 1 pairs, so that the sum over all pairs has 95 bits at most before the cycles are subtracted.
fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let (local, cycles, ends) = (found.local()?, found.four_cycles()?, found.wedge_ends()?);
    VertexColumn::of_doubles(|vertex| {
        let (cycles, ends) =
            (u128::from(cycles[vertex as usize]), u128::from(ends[vertex as usize]));
        let taken = 2 * u128::from(local.triangles(vertex)) + cycles;
        match u128::from(local.degree(vertex).saturating_sub(1)) * ends {
            places if places > taken => cycles as f64 / (places - taken) as f64,
            _ => 0.0,
        }
    })
}
