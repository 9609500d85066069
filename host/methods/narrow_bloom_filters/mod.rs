//! Counting rows of two to five entries on the GPU: edges that close no triangle are told by a few bits for each
//! row (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::narrow_bloom_filters::{
    self, BITS_LOG2, filter_merge, narrow_bloom_filters, rows_log2,
};

use super::forward::gpu::CountShape;
use super::method::{Method, Rates};
use super::totals;
use crate::graph::DeviceGraph;

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

/// Bytes that filters take at most if they have more than the least bits: what stays in the L2 cache beside
/// the edges that go by.
const MOST_BYTES: u64 = 16 << 20;

/// BloomFilters of one to four bytes a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NarrowBloomFilters;

/// The bits of all rows.
pub struct NarrowRowFilters<D: Device> {
    words: Buffer<u32, D>,
    bits_log2: u32,
}

/// The bits of a row, as a power of two, where there are `ranks` rows.
fn bits_log2(ranks: u64) -> u32 {
    let (least, most) = BITS_LOG2;
    let fits = |bits_log2: &u32| ranks << bits_log2 <= MOST_BYTES * 8;
    (least..=most).rev().find(fits).unwrap_or(least)
}

impl Method for NarrowBloomFilters {
    const RATES: Rates = Rates { build: 1.0e-12, count: 5.0e-12 };

    type Beside<D: Device> = NarrowRowFilters<D>;

    fn bytes(&self, _: u64, ranks: u64) -> u64 {
        4 * ranks.div_ceil(1 << rows_log2(bits_log2(ranks)))
    }

    fn build<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
    ) -> Result<NarrowRowFilters<D>, D::Error> {
        let ranks = graph.rows.len() / 2;
        let bits_log2 = bits_log2(ranks);
        let words = ranks.div_ceil(1 << rows_log2(bits_log2));
        let mut filters = Buffer::uninitialized(device, words)?;
        narrow_bloom_filters(
            device,
            Shape::cover(words, narrow_bloom_filters::BLOCK, device.multiprocessors() * BLOCKS),
            graph.heads.view(),
            graph.rows.view().cast(),
            filters.view_mut(),
            ranks,
            bits_log2,
        )?;
        Ok(NarrowRowFilters { words: filters, bits_log2 })
    }

    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        filters: &NarrowRowFilters<D>,
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            filter_merge(
                device,
                CountShape::default().over(device, edges.end - edges.start),
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                filters.words.view(),
                totals,
                edges.start,
                edges.end,
                filters.bits_log2,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::bits_log2;

    #[test]
    fn rows_have_as_many_bits_as_stay_in_the_cache() {
        for (ranks, bits) in [(0, 32), (1 << 22, 32), (1 << 23, 16), (1 << 24, 8), (1 << 32, 8)] {
            assert_eq!(1 << bits_log2(ranks), bits, "{ranks}");
        }
        assert_eq!([(1 << 22) + 1, (1 << 23) + 1].map(bits_log2), [4, 3]);
    }
}
