//! Counting short rows on the GPU with most wedges dropped by filters of the rows (docs/engines.md).

use std::ops::Range;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::row_bloom_filters::{
    BLOCK, BLOCKS_PER_MULTIPROCESSOR, FILTER_SHARED_BYTES, MAKE_SHARED_BYTES, RANKS, ROW_WORDS,
    filter_search, row_bloom_filters,
};

use super::method::Method;
use super::totals;
use crate::device_graph::DeviceGraph;
use crate::plan::counting::BloomFilters;

impl Method for BloomFilters {
    /// The filters of all rows.
    type Beside<D: Device> = Buffer<u32, D>;

    fn build<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
    ) -> Result<Buffer<u32, D>, D::Error> {
        let ranks = graph.rows.len() / 2;
        let mut filters = Buffer::uninitialized(device, ranks * u64::from(ROW_WORDS))?;
        if ranks > 0 {
            let blocks = ranks.div_ceil(u64::from(RANKS)) as u32;
            row_bloom_filters(
                device,
                Shape::new(blocks, BLOCK).shared(MAKE_SHARED_BYTES),
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                filters.view_mut(),
                ranks,
            )?;
        }
        Ok(filters)
    }

    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        filters: &Buffer<u32, D>,
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
            let shape = Shape::cover(edges.end - edges.start, BLOCK, most);
            let shape = shape.shared(FILTER_SHARED_BYTES);
            let (tails, heads) = (graph.tails.view(), graph.heads.view());
            let (rows, filters) = (graph.rows.view().cast(), filters.view());
            let (wide, Range { start, end }) = (filters.cast(), edges);
            filter_search(device, shape, tails, heads, rows, filters, wide, totals, start, end)
        })
    }
}
