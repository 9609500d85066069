//! The summary of a graph, from the degrees that are on the device.

use tribin_kernels::figures;
use warpwise_device::launch::{Buffer, Device, Shape, ViewMut};

use crate::device_graph::DeviceGraph;
use crate::graph::Summary;

/// Blocks a multiprocessor: as many as it holds at a time.
const BLOCKS: u32 = 8;

/// Words that the figures are found in.
pub(super) const WORDS: u64 = figures::PARTS * figures::FIGURES;

/// The figures of the graph; its degrees are looked at unless `before`, the figures with duplicates, are those
/// without any, too.
///
/// # Errors
/// What the device reports.
pub fn summary<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    before: Option<Summary>,
) -> Result<Summary, D::Error> {
    let figures = match before {
        Some(figures) if graph.duplicates == 0 => figures,
        _ => summary_of_degrees(device, &graph.degree_of_rank)?,
    };
    Ok(with_edges(figures, graph.edges, graph.self_loops, graph.duplicates))
}

/// The figures of degrees, with those of the keys that the edges come from.
pub(super) fn with_edges(
    figures: Summary,
    edges: u64,
    self_loops: u64,
    duplicates: u64,
) -> Summary {
    Summary {
        edges,
        self_loops_dropped: self_loops,
        duplicates_dropped: duplicates,
        // A key has no bit for the direction of its entry.
        reciprocal_dropped: (duplicates == 0).then_some(0),
        ..figures
    }
}

/// The figures of a graph of these degrees, without those of its edges.
///
/// # Errors
/// What the device reports.
pub fn summary_of_degrees<D: Device>(
    device: &D,
    degrees: &Buffer<u32, D>,
) -> Result<Summary, D::Error> {
    let mut sums = Buffer::zeroed(device, WORDS)?;
    add_figures(device, degrees, sums.view_mut())?;
    Ok(of_figures(&sums.to_vec(device)?))
}

/// Adds the figures of these degrees to words that are zero before.
pub(super) fn add_figures<D: Device>(
    device: &D,
    degrees: &Buffer<u32, D>,
    words: ViewMut<'_, u64, D>,
) -> Result<(), D::Error> {
    let degrees = degrees.view();
    let shape = Shape::cover(degrees.len(), figures::BLOCK, device.multiprocessors() * BLOCKS);
    figures::graph_figures(device, shape, degrees, words, degrees.len())
}

/// The figures that [`WORDS`] words of the device hold.
pub(super) fn of_figures(words: &[u64]) -> Summary {
    let parts = |figure: u64| {
        words.chunks_exact(figures::FIGURES as usize).map(move |part| part[figure as usize])
    };
    let sum = |figure: u64| parts(figure).sum::<u64>();
    Summary {
        vertices: sum(figures::VERTICES),
        wedges: u128::from(sum(figures::WEDGES_LOW))
            + (u128::from(sum(figures::WEDGES_HIGH)) << 32),
        max_degree: parts(figures::MAX_DEGREE).max().unwrap_or(0),
        ..Summary::default()
    }
}
