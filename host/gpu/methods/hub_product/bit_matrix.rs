//! A dense graph with few vertices: all its edges are counted as one matrix of bits.

use tribin_device::launch::{Buffer, Device};
use tribin_kernels::forward::TOTALS;

use super::Matrix;
use crate::device_graph::DeviceGraph;
use crate::methods::method::Method;
use crate::plan::counting::BitMatrix;

impl Method for BitMatrix {
    type Beside<D: Device> = Matrix<D>;

    /// O(edges + ranks²).
    ///
    /// # Panics
    /// If there are more ranks than a matrix can have.
    fn build<D: Device>(&self, device: &D, graph: &DeviceGraph<D>) -> Result<Matrix<D>, D::Error> {
        let rows = BitMatrix::rows(graph.rows.len() / 2).expect("few ranks");
        Matrix::write(device, graph, rows)
    }

    /// O(edges · ranks) reads of rows by [`CommonBits`](crate::plan::counting::Product::CommonBits), O(ranks³) products by the others.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        matrix: &Matrix<D>,
    ) -> Result<u64, D::Error> {
        let mut totals = Buffer::zeroed(device, TOTALS)?;
        matrix.add(device, graph, self.by, &mut totals)?;
        Ok(totals.to_vec(device)?.iter().sum())
    }
}
