//! Counting short rows on the GPU: most wedges that do not close are told by a few bits for each row, and triangles of a
//! few vertices that are beside most others are counted by one bit each (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::narrow_bloom_filters::{
    self, BITS_LOG2, COUNT_BLOCK, count_shared_bytes, filter_count, most_exact,
    narrow_bloom_filters, words,
};

use super::forward::gpu::CountShape;
use super::method::{Method, Rates};
use super::totals;
use crate::graph::DeviceGraph;

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

/// Bytes that filters take at most if they have more than the least bits: what stays in the L2 cache beside
/// the edges that go by.
const MOST_BYTES: u64 = 32 << 20;

/// Filters of two to eight bytes a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NarrowBloomFilters {
    /// The bits of a row, as a power of two, from [`BITS_LOG2`].
    pub bits_log2: u32,
    /// Ranks, from the first on, that have a bit of their own: fewer than there are bits.
    pub exact: u32,
}

/// The bits of all rows.
pub struct NarrowRowFilters<D: Device>(Buffer<u32, D>);

impl NarrowBloomFilters {
    /// Those that take most memory.
    pub const LARGEST: NarrowBloomFilters = NarrowBloomFilters { bits_log2: BITS_LOG2.1, exact: 0 };

    /// Filters for `ranks` rows where an edge's row has `row` entries in the mean, without those of the `exact` first
    /// ranks. As many bits as there can be if they stay in the L2 cache, and otherwise eight for an entry.
    pub fn for_rows(row: u64, ranks: u64, exact: u32) -> NarrowBloomFilters {
        let (least, most) = BITS_LOG2;
        let in_cache = NarrowBloomFilters { bits_log2: most, exact };
        if in_cache.bytes(0, ranks) <= MOST_BYTES {
            return in_cache;
        }
        let least = (least..=most).find(|&bits_log2| exact <= most_exact(bits_log2));
        let of_row = row.saturating_mul(8).max(1).ilog2();
        NarrowBloomFilters { bits_log2: of_row.clamp(least.unwrap_or(most), most), exact }
    }

    /// How many words they take.
    fn words(&self, ranks: u64) -> u64 {
        // Whole pairs.
        words(ranks, self.bits_log2).next_multiple_of(2)
    }
}

impl Method for NarrowBloomFilters {
    const RATES: Rates = Rates { build: 3.0e-12, count: 5.0e-12 };

    type Beside<D: Device> = NarrowRowFilters<D>;

    fn bytes(&self, _: u64, ranks: u64) -> u64 {
        4 * self.words(ranks)
    }

    fn build<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
    ) -> Result<NarrowRowFilters<D>, D::Error> {
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
        Ok(NarrowRowFilters(filters))
    }

    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        filters: &NarrowRowFilters<D>,
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            let shape = CountShape { block: COUNT_BLOCK, ..CountShape::default() };
            filter_count(
                device,
                shape.over(device, edges.end - edges.start).shared(count_shared_bytes(COUNT_BLOCK)),
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                filters.0.view(),
                filters.0.view().cast(),
                totals,
                edges.start,
                edges.end,
                self.bits_log2,
                self.exact,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NarrowBloomFilters;

    #[test]
    fn rows_have_as_many_bits_as_stay_in_the_cache_or_eight_an_entry() {
        let bits = |row, ranks, exact| {
            let filters = NarrowBloomFilters::for_rows(row, ranks, exact);
            assert_eq!(filters.exact, exact);
            1 << filters.bits_log2
        };
        for row in [0, 1, 2, 100] {
            assert_eq!((bits(row, 0, 0), bits(row, 1 << 22, 16)), (64, 64));
        }
        let more = (1 << 22) + 1;
        let rows = [0, 1, 3, 4, 7, 8, 9, u64::MAX];
        assert_eq!(rows.map(|row| bits(row, more, 0)), [16, 16, 16, 32, 32, 64, 64, 64]);
        assert_eq!([8, 9, 16].map(|exact| bits(1, 1 << 32, exact)), [16, 32, 32]);
    }
}
