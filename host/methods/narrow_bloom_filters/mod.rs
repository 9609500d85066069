//! Counting short rows on the GPU by a few bits for each row (docs/engines.md). They tell most wedges that do not close. A few
//! vertices that are beside most others have one bit each, which counts their triangles.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::narrow_bloom_filters::{
    self, BITS_LOG2, BLOCKS_PER_MULTIPROCESSOR, COUNT_BLOCK, count_shared_bytes, filter_count,
    filter_count_128, most_exact, narrow_bloom_filters, words,
};

use super::method::{Method, Rates};
use super::totals;
use crate::graph::DeviceGraph;

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

/// Bytes that filters take at most if they have more than the least bits: what stays in the L2 cache beside
/// the edges that go by.
const MOST_BYTES: u64 = 32 << 20;

/// Filters of two to sixteen bytes a rank.
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
    /// The filters that take most memory.
    pub const LARGEST: NarrowBloomFilters = NarrowBloomFilters { bits_log2: BITS_LOG2.1, exact: 0 };

    /// Filters for `ranks` rows where an edge's row has `row` entries in the mean, without those of the `exact` first
    /// ranks.
    ///
    /// | where | bits |
    /// | --- | --- |
    /// | rows have more than eight entries | 128 |
    /// | those of 64 stay in the L2 cache | 64 |
    /// | otherwise | eight for an entry, a power of two from 16 to 64 |
    pub fn for_rows(row: u64, ranks: u64, exact: u32) -> NarrowBloomFilters {
        let in_cache = NarrowBloomFilters { bits_log2: 6, exact };
        let bits_log2 = if row > 8 {
            7
        } else if in_cache.bytes(0, ranks) <= MOST_BYTES {
            6
        } else {
            let (least, _) = BITS_LOG2;
            let least = if exact > most_exact(least) { least + 1 } else { least };
            (row * 8).max(1).ilog2().clamp(least, in_cache.bits_log2)
        };
        NarrowBloomFilters { bits_log2, exact }
    }

    /// How many words they take.
    fn words(&self, ranks: u64) -> u64 {
        // Whole groups of four.
        words(ranks, self.bits_log2).next_multiple_of(4)
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
            let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
            let shape = Shape::cover(edges.end - edges.start, COUNT_BLOCK, most)
                .shared(count_shared_bytes(COUNT_BLOCK));
            let (tails, heads, rows) =
                (graph.tails.view(), graph.heads.view(), graph.rows.view().cast());
            let filters = filters.0.view();
            let (first, m, exact) = (edges.start, edges.end, self.exact);
            if self.bits_log2 == 7 {
                let quads = filters.cast();
                filter_count_128(device, shape, tails, heads, rows, quads, totals, first, m, exact)
            } else {
                let (pairs, bits_log2) = (filters.cast(), self.bits_log2);
                filter_count(
                    device, shape, tails, heads, rows, filters, pairs, totals, first, m, bits_log2,
                    exact,
                )
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{NarrowBloomFilters, most_exact};

    #[test]
    fn rows_have_as_many_bits_as_stay_in_the_cache_or_as_their_entries_need() {
        let bits = |row, ranks, exact| {
            let filters = NarrowBloomFilters::for_rows(row, ranks, exact);
            assert_eq!(filters.exact, exact);
            assert!(exact <= most_exact(filters.bits_log2));
            1 << filters.bits_log2
        };
        for row in [0, 1, 2, 8] {
            assert_eq!((bits(row, 0, 0), bits(row, 1 << 22, 16)), (64, 64));
        }
        let more = (1 << 22) + 1;
        let rows = [0, 1, 3, 4, 7, 8, 9, u64::MAX];
        assert_eq!(rows.map(|row| bits(row, more, 0)), [16, 16, 16, 32, 32, 64, 128, 128]);
        assert_eq!(bits(9, 1, 0), 128);
        assert_eq!([8, 9, 16].map(|exact| bits(1, 1 << 32, exact)), [16, 32, 32]);
    }
}
