//! An oriented graph whose edges 32 bits do not number.

use tribin_device::launch::{Buffer, Device};

use super::EdgeShare;

/// An oriented simple graph in device memory whose edges have 64-bit places.
pub struct WideGraph<D: Device> {
    /// The smaller rank of each edge, ascending within a row. The row is the larger rank's.
    pub heads: Buffer<u32, D>,
    /// Where each row begins, and where the last one ends.
    pub starts: Buffer<u64, D>,
    /// Edges.
    pub edges: u64,
    /// Pairs of entries of a row, of all rows.
    pub wedges: u64,
    /// The edges that this device counts.
    pub share: EdgeShare,
}

impl<D: Device> WideGraph<D> {
    /// Ranks, each of which has a row.
    pub fn ranks(&self) -> u64 {
        self.starts.len() - 1
    }
}
