//! Triangles among the hubs alone, as a product of dense matrices
//! ([`hub_product`](tribin_kernels::hub_product)), which paper 004 names as future work. The hybrid engine counts the densest part of
//! skewed graphs so, and a dense graph with few vertices as a whole: all of these are hubs.

use tribin_kernels::forward::TOTALS;
use tribin_kernels::hub_product::{
    BLOCK, TILE, bit_words, common_bits_shared_bytes, hub_common_bits, hub_matrix,
    hub_product_bits, is_matrix, items, matrix_shared_bytes,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use crate::device_graph::DeviceGraph;
use crate::methods::method::Method;
use crate::plan::counting::{BitMatrix, Product};

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

/// Adds the triangles among the ranks below `hubs` to `totals`: a multiple of 512 up to 16,384, or of 16,384 up to 65,536. All edges
/// among the hubs are among the first `edges`. The marks are past the matrix and past the product; none if there is no edge.
///
/// Memory beside the graph: `hubs`² bits. The product of tiles takes at most `hubs`³ / 6 multiplications.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If `hubs` is out of its bounds.
pub fn add_first_edges<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    edges: u64,
    hubs: u32,
    by: Product,
    totals: &mut Buffer<u64, D>,
) -> Result<Option<[D::Event; 2]>, D::Error> {
    assert!(is_matrix(hubs), "hubs are a multiple of 512 up to 16,384, or of 16,384 up to 65,536");
    if edges == 0 {
        return Ok(None);
    }
    let matrix = Matrix::write(device, graph, hubs)?;
    let written = device.record()?;
    matrix.add(device, graph, by, totals)?;
    Ok(Some([written, device.record()?]))
}

/// The edges among the hubs as a dense matrix.
struct Matrix<D: Device> {
    hubs: u32,
    bits: Buffer<u32, D>,
    spans: Buffer<u32, D>,
}

impl<D: Device> Matrix<D> {
    /// Writes the edges among the first `hubs` ranks, as the product reads them.
    fn write(device: &D, graph: &DeviceGraph<D>, hubs: u32) -> Result<Matrix<D>, D::Error> {
        let mut bits = Buffer::uninitialized(device, bit_words(hubs))?;
        let mut spans = Buffer::zeroed(device, u64::from(hubs / TILE))?;
        hub_matrix(
            device,
            // A warp a row.
            Shape::cover(32 * u64::from(hubs), BLOCK, device.multiprocessors() * BLOCKS)
                .shared(matrix_shared_bytes(hubs)),
            graph.rows.view().cast(),
            graph.heads.view(),
            bits.view_mut(),
            spans.view_mut(),
            graph.rows.len() / 2,
            hubs,
        )?;
        Ok(Matrix { hubs, bits, spans })
    }

    /// Adds the triangles of the graph's share to `totals`.
    fn add(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        by: Product,
        totals: &mut Buffer<u64, D>,
    ) -> Result<(), D::Error> {
        let Matrix { bits, spans, .. } = self;
        let hubs = self.hubs;
        let ranks = (graph.rows.len() / 2).min(u64::from(hubs)) as u32;
        let (first, step) = (graph.share.number, graph.share.of);
        // A warp a tile.
        let over_tiles = Shape::new(items(hubs).div_ceil(step), BLOCK);
        match by {
            Product::CommonBits { lanes_log2 } => hub_common_bits(
                device,
                Shape::new(hubs.div_ceil(step), BLOCK).shared(common_bits_shared_bytes(hubs)),
                bits.view().cast(),
                graph.heads.view(),
                graph.rows.view().cast(),
                totals.view_mut(),
                ranks,
                hubs,
                first,
                step,
                lanes_log2,
            ),
            Product::TensorBits => hub_product_bits(
                device,
                over_tiles,
                bits.view().cast(),
                bits.view(),
                spans.view(),
                totals.view_mut(),
                ranks,
                hubs,
                first,
                step,
            ),
        }
    }
}

impl Method for BitMatrix {
    /// O(edges + ranks²) to write the matrix, and then O(edges · ranks) reads of rows by
    /// [`CommonBits`](crate::plan::counting::Product::CommonBits), O(ranks³) products by the others.
    ///
    /// # Panics
    /// If there are more ranks than a matrix can have.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        built: &mut D::Event,
    ) -> Result<u64, D::Error> {
        let rows = BitMatrix::rows(graph.rows.len() / 2).expect("few ranks");
        let matrix = Matrix::write(device, graph, rows)?;
        *built = device.record()?;
        let mut totals = Buffer::zeroed(device, TOTALS)?;
        matrix.add(device, graph, self.by, &mut totals)?;
        Ok(totals.to_vec(device)?.iter().sum())
    }
}
