//! Counting on the GPU by merging rows as segments of 32 ranks, where entries of a row are near each other
//! (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::row_segments::{self, merge_segments, row_segments};

use super::forward::gpu::CountShape;
use super::method::{Method, Rates};
use super::totals;
use crate::device_graph::DeviceGraph;

/// Segments of 32 ranks: 8 bytes an edge and 8 a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments;

/// The rows of a graph as segments.
pub struct RowSegments<D: Device> {
    segments: Buffer<u64, D>,
    rows: Buffer<u64, D>,
}

impl Method for Segments {
    const RATES: Rates = Rates { build: 8.0e-12, count: 1.9e-12 };

    type Beside<D: Device> = RowSegments<D>;

    fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        8 * (edges + 1) + 8 * ranks
    }

    /// Cuts the rows: O(edges + ranks).
    fn build<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
    ) -> Result<RowSegments<D>, D::Error> {
        let ranks = graph.rows.len() / 2;
        let mut segments = Buffer::uninitialized(device, graph.edges + 1)?;
        let mut rows = Buffer::zeroed(device, ranks)?;
        if graph.edges > 0 {
            let blocks = graph.edges.div_ceil(row_segments::TILE.into()) as u32;
            row_segments(
                device,
                Shape::new(blocks, row_segments::BLOCK).shared(row_segments::CUT_SHARED_BYTES),
                graph.tails.view(),
                graph.heads.view(),
                graph.tail_quads(),
                graph.head_quads(),
                graph.rows.view().cast(),
                segments.view_mut(),
                rows.view_mut(),
                graph.edges,
            )?;
        }
        Ok(RowSegments { segments, rows })
    }

    /// O(Σ segments of both rows) over the edges.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        rows: &RowSegments<D>,
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            merge_segments(
                device,
                CountShape::default().over(device, edges.end - edges.start),
                graph.tails.view(),
                graph.heads.view(),
                rows.segments.view(),
                rows.rows.view(),
                totals,
                edges.start,
                edges.end,
            )
        })
    }
}
