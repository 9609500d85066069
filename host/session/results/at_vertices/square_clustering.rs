//! The square clustering of a vertex.

use tribin_base::Result;

use super::{AtVertices, VertexColumn};

/// A pair of neighbours of degrees d and e with q cycles has d + e - 2 - q places for a cycle. An edge between the two takes two of
/// them. Each neighbour is in d - 1 pairs, so that the sum over all pairs has 95 bits at most before the cycles are subtracted.
pub(super) fn square_clustering<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
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
