//! Counting on the GPU by merging rows as segments of 32 ranks, where entries of a row are near each other
//! (docs/engines.md).

use tribin_kernels::row_segments::{self, merge_segments, row_segments};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::forward::launch_shape;
use super::method::Method;
use super::totals;
use crate::device_graph::DeviceGraph;
use crate::plan::counting::Segments;

impl Method for Segments {
    /// O(edges + ranks) to cut the rows, and then O(Σ segments of both rows) over the edges.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        built: &mut D::Event,
    ) -> Result<u64, D::Error> {
        let ranks = graph.rows.len() / 2;
        let mut segments = Buffer::uninitialized(device, graph.edges + 1)?;
        let mut rows = Buffer::zeroed(device, ranks)?;
        if graph.edges > 0 {
            let blocks = graph.edges.div_ceil(row_segments::TILE.into()) as u32;
            row_segments(
                device,
                Shape::new(blocks, row_segments::BLOCK).shared(row_segments::CUT_SHARED_BYTES),
                graph.oriented(),
                graph.tail_quads(),
                graph.head_quads(),
                segments.view_mut(),
                rows.view_mut(),
                graph.edges,
            )?;
        }
        *built = device.record()?;
        totals::sum_of(device, graph, |edges, totals| {
            merge_segments(
                device,
                launch_shape(device, edges.end - edges.start),
                graph.tails.view(),
                graph.heads.view(),
                segments.view(),
                rows.view(),
                totals,
                edges.start,
                edges.end,
            )
        })
    }
}
