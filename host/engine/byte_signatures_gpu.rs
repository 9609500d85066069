//! Counting rows of two or three entries on the GPU: edges that close no triangle are told by a byte for each
//! row (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::byte_signatures::{self, ROWS, byte_signatures, filter_merge};
use tribin_kernels::forward::{self, BLOCKS_PER_MULTIPROCESSOR, TOTALS};

use crate::clean::gpu::DeviceGraph;

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

/// The bytes of all rows.
pub struct ByteSignatures<D: Device>(Buffer<u32, D>);

/// Makes the signatures: a byte a rank. O(ranks + edges).
///
/// # Errors
/// What the device reports.
pub fn signatures<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
) -> Result<ByteSignatures<D>, D::Error> {
    let ranks = graph.rows.len() / 2;
    let words = ranks.div_ceil(u64::from(ROWS));
    let mut signatures = Buffer::uninitialized(device, words)?;
    byte_signatures(
        device,
        Shape::cover(words, byte_signatures::BLOCK, device.multiprocessors() * BLOCKS),
        graph.heads.view(),
        graph.rows.view().cast(),
        signatures.view_mut(),
        ranks,
    )?;
    Ok(ByteSignatures(signatures))
}

/// Counts the triangles of an oriented graph on the device.
///
/// # Errors
/// What the device reports.
pub fn count_oriented<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    signatures: &ByteSignatures<D>,
) -> Result<u64, D::Error> {
    let m = graph.edges;
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    filter_merge(
        device,
        Shape::cover(m, forward::BLOCK, device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR),
        graph.tails.view(),
        graph.heads.view(),
        graph.rows.view().cast(),
        signatures.0.view(),
        totals.view_mut(),
        m,
    )?;
    // The sum is the number of triangles, below 2⁴⁷ (`forward_merge` says why).
    Ok(totals.to_vec(device)?.iter().sum())
}
