//! Counting short rows on the GPU by a few bits for each row (docs/engines.md). They tell most wedges that do not close. A few
//! vertices that are beside most others have one bit each, which counts their triangles.

use tribin_kernels::narrow_bloom_filters::{
    self, BLOCKS_PER_MULTIPROCESSOR, COUNT_BLOCK, count_shared_bytes, filter_count,
    filter_count_128, narrow_bloom_filters,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::method::Method;
use super::totals;
use crate::device_graph::DeviceGraph;
use crate::plan::counting::NarrowBloomFilters;

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

impl Method for NarrowBloomFilters {
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        built: &mut D::Event,
    ) -> Result<u64, D::Error> {
        let ranks = graph.rows.len() / 2;
        let words = self.words(ranks);
        let mut filters = Buffer::uninitialized(device, words)?;
        narrow_bloom_filters(
            device,
            Shape::cover(words, narrow_bloom_filters::BLOCK, device.multiprocessors() * BLOCKS),
            graph.heads.view(),
            graph.rows.view().cast(),
            filters.view_mut(),
            ranks,
            self.bits_log2,
            self.exact,
        )?;
        *built = device.record()?;
        totals::sum_of(device, graph, |edges, totals| {
            let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
            let shape = Shape::cover(edges.end - edges.start, COUNT_BLOCK, most)
                .shared(count_shared_bytes(COUNT_BLOCK));
            let (oriented, filters) = (graph.oriented(), filters.view());
            let (first, m, exact) = (edges.start, edges.end, self.exact);
            if self.bits_log2 == 7 {
                let quads = filters.cast();
                filter_count_128(device, shape, oriented, quads, totals, first, m, exact)
            } else {
                let (pairs, bits_log2) = (filters.cast(), self.bits_log2);
                filter_count(
                    device, shape, oriented, filters, pairs, totals, first, m, bits_log2, exact,
                )
            }
        })
    }
}
