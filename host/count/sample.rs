//! Looks at a sample of the edges of an oriented graph on a device.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::figures::{self, oriented_wedges};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::wedge_sample::{self, LANES, SUMS, sample_wedges};

use crate::graph::DeviceGraph;
use crate::plan::preparation::NEAR_PART;
use crate::plan::{Sample, Tuning};

/// Blocks a multiprocessor of the kernel that strides over the rows: every warp adds to the same few words, one after
/// the other.
const BLOCKS: u32 = 4;

/// Most edges that are looked at, about: a share of them is then off by less than 1% three times in 1,000.
const MOST_SAMPLED: u64 = 1 << 15;

/// Counts the wedges, and looks at every [`Tuning::sample_step`]-th edge, or at fewer of a large graph.
///
/// O(ranks) and O(edges / step); one copy from the device.
///
/// # Errors
/// What the device reports.
pub fn measure<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    tuning: &Tuning,
) -> Result<Sample, D::Error> {
    let edges = graph.edges;
    // Odd, so that rows of equal lengths do not meet it at the same place each time.
    let step = u64::from(tuning.sample_step).max((edges / MOST_SAMPLED) | 1);
    let sampled = edges.div_ceil(step);
    let rows = graph.rows.view().cast();
    let mut sums = Buffer::zeroed(device, SUMS * TOTALS + 3)?;
    oriented_wedges(
        device,
        Shape::cover(rows.len(), figures::BLOCK, device.multiprocessors() * BLOCKS),
        rows,
        sums.view_mut().slice(SUMS * TOTALS, 3),
        rows.len(),
        u64::from(tuning.hub_product.hubs),
    )?;
    sample_wedges(
        device,
        Shape::cover(sampled * u64::from(LANES), wedge_sample::BLOCK, u32::MAX),
        graph.tails.view(),
        graph.heads.view(),
        rows,
        sums.view_mut().slice(0, SUMS * TOTALS),
        edges,
        step,
        tuning.row_bits.exact,
        (rows.len() / NEAR_PART) as u32,
    )?;
    let sums = sums.to_vec(device)?;
    let (looked_at, of_rows) = sums.split_at((SUMS * TOTALS) as usize);
    let [
        triangles,
        high_triangles,
        sampled_wedges,
        near,
        joined,
        joined_wedges,
        matrix_reads,
        head_entries,
    ] = [0, 1, 2, 3, 4, 5, 6, 7].map(|k| {
        // Each below 2⁶⁰ (`sample_wedges` says why).
        let sum: u64 = looked_at[k * TOTALS as usize..][..TOTALS as usize].iter().sum();
        sum / u64::from(LANES)
    });
    Ok(Sample {
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
    })
}
