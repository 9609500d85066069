//! Looks at a sample of the edges of an oriented graph on a device.

use tribin_kernels::wedge_sample::{
    self, FIRST_RANKS, LANES, OF_EDGES, PARTS, SUMS, sample_wedges,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use crate::device_graph::DeviceGraph;
use crate::plan::counting::SampleSettings;
use crate::plan::preparation::NEAR_PART;
use crate::plan::{OfFirstRanks, WedgeSample};

/// Fewest rows that are looked at, of those that are not the first ones: all of fewer, and at most three times as many of more.
const LEAST_ROWS: u64 = 1 << 22;

/// Blocks a multiprocessor that look at the rows, at least.
const BLOCKS: u32 = 8;

/// Most edges that are looked at, about: a share of them is then off by less than 1% three times in 1,000.
const MOST_SAMPLED: u64 = 1 << 15;

/// Counts the wedges, and looks at every [`step`](SampleSettings::step)-th edge, or at fewer of a large graph. Of a graph with many ranks the wedges
/// of a share of the rows are counted, which stand for all.
///
/// O(ranks / row step) and O(edges / step); one copy from the device.
///
/// # Errors
/// What the device reports.
pub fn measure<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    settings: &SampleSettings,
) -> Result<WedgeSample, D::Error> {
    let edges = graph.edges;
    // Odd, so that rows of equal lengths do not meet it at the same place each time.
    let step = u64::from(settings.step).max((edges / MOST_SAMPLED) | 1);
    let sampled = edges.div_ceil(step);
    let ranks = graph.rows.len() / 2;
    let mut sums = Buffer::zeroed(device, PARTS * SUMS)?;
    let of_edges = Shape::cover(sampled * u64::from(LANES), wedge_sample::BLOCK, u32::MAX);
    let of_rows = Shape::cover(ranks, wedge_sample::BLOCK, device.multiprocessors() * BLOCKS);
    sample_wedges(
        device,
        if of_edges.grid.x > of_rows.grid.x { of_edges } else { of_rows },
        graph.oriented(),
        sums.view_mut(),
        edges,
        ranks,
        step,
        settings.exact,
        (ranks / NEAR_PART) as u32,
        u64::from(settings.hubs),
        row_step(ranks),
    )?;
    let mut totals = [0; SUMS as usize];
    for part in sums.to_vec(device)?.chunks_exact(SUMS as usize) {
        // Each below 2⁶³ (`sample_wedges` says why).
        totals.iter_mut().zip(part).for_each(|(total, sum)| *total += sum);
    }
    let (looked_at, of_rows) = totals.split_at(OF_EDGES as usize);
    let [
        triangles,
        high_triangles,
        sampled_wedges,
        near,
        joined,
        joined_wedges,
        matrix_reads,
        head_entries,
    ] = std::array::from_fn(|k| looked_at[k] / u64::from(LANES));
    let (first_wedges, first_triangles) = looked_at[8..].split_at(FIRST_RANKS.len());
    Ok(WedgeSample {
        edges,
        wedges: of_rows[0],
        hub_edges: of_rows[1],
        rows: of_rows[2],
        sampled,
        sampled_wedges,
        triangles,
        high_triangles,
        near,
        joined,
        joined_wedges,
        matrix_reads,
        head_entries,
        of_first: std::array::from_fn(|k| OfFirstRanks {
            wedges: first_wedges[k] / u64::from(LANES),
            triangles: first_triangles[k] / u64::from(LANES),
        }),
    })
}

/// Which share of the rows is looked at, as its reciprocal. It is odd: rows of a grid's lines, say, are then met at all places.
fn row_step(rows: u64) -> u64 {
    // Fewer than 2³² rows.
    (rows / LEAST_ROWS) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_of_small_graphs_are_looked_at() {
        for (rows, step) in
            [(0, 1), (1 << 22, 1), ((1 << 23) - 1, 1), (1 << 23, 3), (60_000_000, 15)]
        {
            assert_eq!(row_step(rows), step, "{rows}");
        }
        assert!((1..1 << 11).contains(&row_step(u64::from(u32::MAX))));
    }
}
