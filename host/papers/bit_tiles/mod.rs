//! Counting on the GPU by a product of bit matrices, nnz(U ∩ U²) (paper 002): rows as non-zero segments
//! of bits, tiles of rows in shared memory, AND and popcount ([`bit_tiles`]).
//!
//! Segments have 64 columns. The paper's 16, and 32, were slower on all graphs of docs/measured.md.

use tribin_kernels::bit_tiles::{self, COLUMNS};
use tribin_kernels::forward::TOTALS;
use warpwise_device::launch::{Buffer, Device, Shape, View};

use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::method_time::Rates;

use super::oriented::Predicted;

/// The shape of the matrix's tiles, and how many threads count a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiling {
    /// Rows with at least this many segments for each tile that they may take have tiles of their own; at
    /// least 1.
    pub wide_from: u32,
    /// Threads in a block: a multiple of 32.
    pub block: u32,
    /// Blocks of wide rows on a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// The binary logarithm of the lanes that stream a row past a tile of a wide row; at most 5.
    pub wide_lanes_log2: u32,
    /// The binary logarithm of the lanes that count an edge of a tile of packed rows; at most 5.
    pub packed_lanes_log2: u32,
}

/// With at most this many ranks every row has tiles of its own: there are blocks enough, and what counts
/// is how long one takes.
const FEW_RANKS: u64 = 1 << 15;

impl Tiling {
    /// The fastest on the graphs of docs/measured.md, by their number of ranks.
    pub fn for_ranks(ranks: u64) -> Tiling {
        Tiling {
            wide_from: if ranks <= FEW_RANKS { 1 } else { 16 },
            block: 128,
            blocks_per_multiprocessor: 16,
            wide_lanes_log2: 3,
            packed_lanes_log2: 1,
        }
    }

    fn check(&self) {
        assert!(self.wide_from > 0, "a tile without a segment: {self:?}");
        assert!(self.wide_lanes_log2 <= 5 && self.packed_lanes_log2 <= 5, "a warp: {self:?}");
        let block = (32..=1024).contains(&self.block) && self.block.is_multiple_of(32);
        assert!(block && self.blocks_per_multiprocessor > 0, "whole warps: {self:?}");
    }
}

impl Predicted for Tiling {
    /// Cutting and counting on the graphs of docs/measured.md: the median of a wedge and of an edge.
    const RATES: Rates = Rates { build: 1.0e-11, count: 3.0e-12 };

    fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        // Totals, tickets, and a word of look-back for every 2,048 edges.
        const REST: u64 = 1 << 20;
        let lookback = edges / 256;
        (4 + u64::from(COLUMNS / 8)) * edges + 12 * ranks + lookback + REST
    }
}

impl Method for Tiling {
    /// O(Σ segments of the head's row) over the edges of wide rows; over the others, at most a binary search in a
    /// row of `wide_from` for each of them. The first device counts all edges.
    ///
    /// # Panics
    /// If a field of the tiling is out of its bounds.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        built: &mut D::Event,
    ) -> Result<u64, D::Error> {
        if graph.share.number > 0 {
            return Ok(0);
        }
        let bits = BitRows::cut(device, graph, self)?;
        *built = device.record()?;
        let mut totals = Buffer::zeroed(device, TOTALS)?;
        bits.count_wide(device, graph, &mut totals, self)?;
        // With so few ranks every row fits one tile.
        if self.wide_from > 1 || graph.rows.len() / 2 > FEW_RANKS {
            bits.count_packed(device, graph, &mut totals, self)?;
        }
        Ok(totals.to_vec(device)?.iter().sum())
    }
}

/// The rows of a graph as segments.
pub struct BitRows<D: Device> {
    ids: Buffer<u32, D>,
    words: Buffer<u64, D>,
    /// First segment and one past the last of each row.
    pub rows: Buffer<u32, D>,
    wide: Buffer<u32, D>,
    /// The number of rows that have tiles of their own.
    pub wide_rows: Buffer<u32, D>,
}

impl<D: Device> BitRows<D> {
    /// Cuts the rows.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If a field of the tiling is out of its bounds.
    pub fn cut(device: &D, graph: &DeviceGraph<D>, tiling: &Tiling) -> Result<Self, D::Error> {
        tiling.check();
        let m = graph.edges;
        let ranks = graph.rows.len() / 2;
        let mut bits = BitRows {
            ids: Buffer::uninitialized(device, m)?,
            words: Buffer::uninitialized(device, m)?,
            rows: Buffer::zeroed(device, 2 * ranks)?,
            wide: Buffer::uninitialized(device, ranks)?,
            wide_rows: Buffer::zeroed(device, 1)?,
        };
        let tiles = m.div_ceil(u64::from(bit_tiles::TILE));
        bit_tiles::bit_segments(
            device,
            // Fewer than 2³² edges are fewer than 2²¹ tiles.
            Shape::new(tiles as u32, bit_tiles::BLOCK).shared(bit_tiles::SEGMENTS_SHARED_BYTES),
            graph.tails.view(),
            graph.heads.view(),
            bits.ids.view_mut(),
            bits.words.view_mut(),
            bits.rows.view_mut(),
            Buffer::zeroed(device, tiles)?.view_mut(),
            Buffer::zeroed(device, 1)?.view_mut(),
            m,
        )?;
        bit_tiles::list_wide_rows(
            device,
            Shape::cover(ranks, bit_tiles::BLOCK, u32::MAX)
                .shared(bit_tiles::SEGMENTS_SHARED_BYTES),
            bits.rows.view().cast(),
            bits.ids.view(),
            bits.wide.view_mut(),
            bits.wide_rows.view_mut(),
            ranks,
            tiling.wide_from,
            bit_tiles::TABLE_SLOTS,
        )?;
        Ok(bits)
    }

    /// Begin and end of every row, as one word.
    fn segment_rows(&self) -> View<'_, u64, D> {
        self.rows.view().cast()
    }

    fn count_wide(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        totals: &mut Buffer<u64, D>,
        tiling: &Tiling,
    ) -> Result<(), D::Error> {
        // A segment has an edge.
        let least = tiling.wide_from.min(bit_tiles::MOST_PACKED);
        let wide_at_most = graph.edges / u64::from(least);
        if wide_at_most == 0 {
            return Ok(());
        }
        let most = device.multiprocessors() * tiling.blocks_per_multiprocessor;
        bit_tiles::count_wide_rows(
            device,
            Shape::new(wide_at_most.min(u64::from(most)) as u32, tiling.block)
                .shared(bit_tiles::WIDE_SHARED_BYTES),
            graph.heads.view(),
            graph.rows.view().cast(),
            self.ids.view(),
            self.words.view(),
            self.segment_rows(),
            self.wide.view(),
            self.wide_rows.view(),
            Buffer::zeroed(device, 1)?.view_mut(),
            totals.view_mut(),
            tiling.wide_lanes_log2,
        )
    }

    fn count_packed(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        totals: &mut Buffer<u64, D>,
        tiling: &Tiling,
    ) -> Result<(), D::Error> {
        let tiles = graph.edges.div_ceil(u64::from(bit_tiles::TILE_EDGES)) as u32;
        bit_tiles::count_packed_rows(
            device,
            Shape::new(tiles, tiling.block).shared(bit_tiles::PACKED_SHARED_BYTES),
            graph.tails.view(),
            graph.heads.view(),
            self.ids.view(),
            self.words.view(),
            self.segment_rows(),
            totals.view_mut(),
            graph.edges,
            tiling.wide_from,
            tiling.packed_lanes_log2,
        )
    }
}
