//! Counting on the GPU by a product of bit matrices, nnz(U ∩ U²) (paper 002): rows as non-zero segments
//! of bits, tiles of rows in shared memory, AND and popcount ([`bit_tiles`]).

use tribin_device::launch::{Buffer, Device, Shape, View, ViewMut};
use tribin_kernels::bit_tiles::{self, Word};
use tribin_kernels::forward::TOTALS;

use super::method::Counted;
use super::method::Method;
use crate::device_graph::DeviceGraph;
use crate::plan::time::Rates;

/// Columns of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentWidth {
    /// 16, as paper 002 has it.
    Columns16,
    /// 32.
    Columns32,
    /// 64.
    Columns64,
}

impl SegmentWidth {
    /// Every width, ascending.
    pub const ALL: [SegmentWidth; 3] =
        [SegmentWidth::Columns16, SegmentWidth::Columns32, SegmentWidth::Columns64];

    /// Columns.
    pub const fn columns(self) -> u32 {
        match self {
            SegmentWidth::Columns16 => 16,
            SegmentWidth::Columns32 => 32,
            SegmentWidth::Columns64 => 64,
        }
    }
}

/// How the matrix is cut, and how many threads count a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiling {
    /// Columns of a segment.
    pub width: SegmentWidth,
    /// Rows with at least this many segments for each tile that they may take have tiles of their own; at
    /// least 1.
    pub wide_from: u32,
    /// Threads in a block: a multiple of 32.
    pub block: u32,
    /// Blocks of wide rows on a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// 2^this lanes stream a row past a tile of a wide row, at most 2⁵.
    pub wide_lanes_log2: u32,
    /// 2^this lanes count an edge of a tile of packed rows, at most 2⁵.
    pub packed_lanes_log2: u32,
}

/// With at most this many ranks every row has tiles of its own: there are blocks enough, and what counts
/// is how long one takes.
const FEW_RANKS: u64 = 1 << 15;

impl Tiling {
    /// The fastest on the graphs of docs/measured.md, by their number of ranks.
    pub fn for_ranks(ranks: u64) -> Tiling {
        Tiling {
            width: SegmentWidth::Columns64,
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

/// What was counted, and how long each phase took on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BitmapCount {
    /// Triangles, and the seconds of both phases.
    pub counted: Counted,
    /// Non-zero segments of all rows.
    pub segments: u64,
    /// Rows with tiles of their own.
    pub wide_rows: u64,
}

/// The rows of a graph as segments of some width.
pub enum Bits<D: Device> {
    /// Of 16 columns.
    Columns16(BitRows<u16, D>),
    /// Of 32 columns.
    Columns32(BitRows<u32, D>),
    /// Segments of 64 columns.
    Columns64(BitRows<u64, D>),
}

impl Tiling {
    /// Cutting and counting on the graphs of docs/measured.md: the median of a wedge and of an edge.
    pub const RATES: Rates = Rates { build: 1.0e-11, count: 3.0e-12 };

    /// Bytes of device memory beside a graph of these sizes, at most.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        // Totals, tickets, and a word of look-back for every 2,048 edges.
        const REST: u64 = 1 << 20;
        let lookback = edges / 256;
        (4 + u64::from(self.width.columns() / 8)) * edges + 12 * ranks + lookback + REST
    }
}

impl Method for Tiling {
    const IN_SHARES: bool = false;

    type Beside<D: Device> = Bits<D>;

    /// # Panics
    /// If a field of the tiling is out of its bounds.
    fn build<D: Device>(&self, device: &D, graph: &DeviceGraph<D>) -> Result<Bits<D>, D::Error> {
        self.check();
        Ok(match self.width {
            SegmentWidth::Columns16 => Bits::Columns16(cut(device, graph, self)?),
            SegmentWidth::Columns32 => Bits::Columns32(cut(device, graph, self)?),
            SegmentWidth::Columns64 => Bits::Columns64(cut(device, graph, self)?),
        })
    }

    /// O(Σ segments of the head's row) over the edges of wide rows; over the others, at most a binary search in a
    /// row of `wide_from` for each of them.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        bits: &Bits<D>,
    ) -> Result<u64, D::Error> {
        match bits {
            Bits::Columns16(bits) => count(device, graph, bits, self),
            Bits::Columns32(bits) => count(device, graph, bits, self),
            Bits::Columns64(bits) => count(device, graph, bits, self),
        }
    }
}

/// Counts the triangles of an oriented graph on the device, and says how its rows were cut.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a field of the tiling is out of its bounds.
pub fn count_in_tiles<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    tiling: &Tiling,
) -> Result<BitmapCount, D::Error> {
    tiling.check();
    if graph.edges == 0 {
        return Ok(BitmapCount::default());
    }
    let start = device.record()?;
    let bits = tiling.build(device, graph)?;
    let built = device.record()?;
    let triangles = tiling.count(device, graph, &bits)?;
    let counted = device.record()?;
    let (rows, wide_rows) = match &bits {
        Bits::Columns16(bits) => (&bits.rows, &bits.wide_rows),
        Bits::Columns32(bits) => (&bits.rows, &bits.wide_rows),
        Bits::Columns64(bits) => (&bits.rows, &bits.wide_rows),
    };
    let (mut end, mut wide, mut last_tail) = ([0], [0], [0]);
    wide_rows.download(device, 0, &mut wide)?;
    graph.tails.download(device, graph.edges - 1, &mut last_tail)?;
    rows.download(device, 2 * u64::from(last_tail[0]) + 1, &mut end)?;
    Ok(BitmapCount {
        counted: Counted {
            triangles,
            build: device.seconds_between(&start, &built)?,
            count: device.seconds_between(&built, &counted)?,
        },
        segments: u64::from(end[0]),
        wide_rows: u64::from(wide[0]),
    })
}

/// The rows of a graph as segments.
pub struct BitRows<W: Word, D: Device> {
    ids: Buffer<u32, D>,
    words: Buffer<W, D>,
    rows: Buffer<u32, D>,
    wide: Buffer<u32, D>,
    wide_rows: Buffer<u32, D>,
}

fn count<W: Kernels, D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    bits: &BitRows<W, D>,
    tiling: &Tiling,
) -> Result<u64, D::Error> {
    let mut ticket = Buffer::zeroed(device, 1)?;
    let matrix = Matrix {
        graph,
        rows: graph.rows.view().cast(),
        ids: bits.ids.view(),
        words: bits.words.view(),
        segment_rows: bits.rows.view().cast(),
    };
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    W::count_wide(device, &matrix, bits, ticket.view_mut(), totals.view_mut(), tiling)?;
    // With so few ranks every row fits one tile.
    if tiling.wide_from > 1 || graph.rows.len() / 2 > FEW_RANKS {
        W::count_packed(device, &matrix, totals.view_mut(), tiling)?;
    }
    Ok(totals.to_vec(device)?.iter().sum())
}

fn cut<W: Kernels, D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    tiling: &Tiling,
) -> Result<BitRows<W, D>, D::Error> {
    let m = graph.edges;
    let ranks = graph.rows.len() / 2;
    let mut bits = BitRows {
        ids: Buffer::uninitialized(device, m)?,
        words: Buffer::uninitialized(device, m)?,
        rows: Buffer::zeroed(device, 2 * ranks)?,
        wide: Buffer::uninitialized(device, ranks)?,
        wide_rows: Buffer::zeroed(device, 1)?,
    };
    W::cut(device, graph, &mut bits)?;
    bit_tiles::list_wide_rows(
        device,
        Shape::cover(ranks, bit_tiles::BLOCK, u32::MAX).shared(bit_tiles::SEGMENTS_SHARED_BYTES),
        bits.rows.view().cast(),
        bits.ids.view(),
        bits.wide.view_mut(),
        bits.wide_rows.view_mut(),
        ranks,
        tiling.wide_from,
        bit_tiles::table_slots(W::SLOT_BYTES),
    )?;
    Ok(bits)
}

/// The matrix that the counting kernels of every width read.
struct Matrix<'a, W: Word, D: Device> {
    graph: &'a DeviceGraph<D>,
    rows: View<'a, u64, D>,
    ids: View<'a, u32, D>,
    words: View<'a, W, D>,
    segment_rows: View<'a, u64, D>,
}

/// The kernels of a width.
trait Kernels: Word {
    fn cut<D: Device>(
        device: &D,
        graph: &DeviceGraph<D>,
        bits: &mut BitRows<Self, D>,
    ) -> Result<(), D::Error>;

    fn count_wide<D: Device>(
        device: &D,
        matrix: &Matrix<Self, D>,
        bits: &BitRows<Self, D>,
        ticket: ViewMut<'_, u32, D>,
        totals: ViewMut<'_, u64, D>,
        tiling: &Tiling,
    ) -> Result<(), D::Error>;

    fn count_packed<D: Device>(
        device: &D,
        matrix: &Matrix<Self, D>,
        totals: ViewMut<'_, u64, D>,
        tiling: &Tiling,
    ) -> Result<(), D::Error>;
}

macro_rules! kernels {
    ($word:ty, $cut:ident, $wide:ident, $packed:ident) => {
        impl Kernels for $word {
            fn cut<D: Device>(
                device: &D,
                graph: &DeviceGraph<D>,
                bits: &mut BitRows<Self, D>,
            ) -> Result<(), D::Error> {
                let m = graph.edges;
                let tiles = m.div_ceil(u64::from(bit_tiles::TILE));
                let mut lookback = Buffer::zeroed(device, tiles)?;
                let mut ticket = Buffer::zeroed(device, 1)?;
                bit_tiles::$cut(
                    device,
                    // Fewer than 2³² edges are fewer than 2²¹ tiles.
                    Shape::new(tiles as u32, bit_tiles::BLOCK)
                        .shared(bit_tiles::SEGMENTS_SHARED_BYTES),
                    graph.tails.view(),
                    graph.heads.view(),
                    bits.ids.view_mut(),
                    bits.words.view_mut(),
                    bits.rows.view_mut(),
                    lookback.view_mut(),
                    ticket.view_mut(),
                    m,
                )
            }

            fn count_wide<D: Device>(
                device: &D,
                matrix: &Matrix<Self, D>,
                bits: &BitRows<Self, D>,
                ticket: ViewMut<'_, u32, D>,
                totals: ViewMut<'_, u64, D>,
                tiling: &Tiling,
            ) -> Result<(), D::Error> {
                // A segment has an edge.
                let least = tiling.wide_from.min(bit_tiles::MOST_PACKED);
                let wide_at_most = matrix.graph.edges / u64::from(least);
                if wide_at_most == 0 {
                    return Ok(());
                }
                let most = device.multiprocessors() * tiling.blocks_per_multiprocessor;
                bit_tiles::$wide(
                    device,
                    Shape::new(wide_at_most.min(u64::from(most)) as u32, tiling.block)
                        .shared(bit_tiles::WIDE_SHARED_BYTES),
                    matrix.graph.heads.view(),
                    matrix.rows,
                    matrix.ids,
                    matrix.words,
                    matrix.segment_rows,
                    bits.wide.view(),
                    bits.wide_rows.view(),
                    ticket,
                    totals,
                    tiling.wide_lanes_log2,
                )
            }

            fn count_packed<D: Device>(
                device: &D,
                matrix: &Matrix<Self, D>,
                totals: ViewMut<'_, u64, D>,
                tiling: &Tiling,
            ) -> Result<(), D::Error> {
                let m = matrix.graph.edges;
                let slot_bytes = <$word as Word>::SLOT_BYTES;
                let tiles = m.div_ceil(u64::from(bit_tiles::TILE_EDGES)) as u32;
                bit_tiles::$packed(
                    device,
                    Shape::new(tiles, tiling.block)
                        .shared(bit_tiles::packed_shared_bytes(slot_bytes)),
                    matrix.graph.tails.view(),
                    matrix.graph.heads.view(),
                    matrix.ids,
                    matrix.words,
                    matrix.segment_rows,
                    totals,
                    m,
                    tiling.wide_from,
                    tiling.packed_lanes_log2,
                )
            }
        }
    };
}

kernels!(u16, bit_segments_16, count_wide_rows_16, count_packed_rows_16);
kernels!(u32, bit_segments_32, count_wide_rows_32, count_packed_rows_32);
kernels!(u64, bit_segments_64, count_wide_rows_64, count_packed_rows_64);
