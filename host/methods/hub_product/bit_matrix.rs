//! A dense graph with few vertices: all its edges are counted as one matrix of bits.

use tribin_device::launch::{Buffer, Device};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::hub_product::{MOST_HUBS, is_matrix};

use super::{Matrix, Product, bytes};
use crate::graph::DeviceGraph;
use crate::methods::method::{Method, Rates};

/// A matrix of bits, whose rows and columns are all ranks of a graph. It has at most 65,536 rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitMatrix {
    /// How the product is made.
    pub by: Product,
}

impl BitMatrix {
    /// Rows of the smallest matrix that holds this number of ranks; `None` where none is large enough.
    pub fn rows(ranks: u64) -> Option<u32> {
        const SMALL: u64 = 16_384;
        let multiple = if ranks <= SMALL { 512 } else { SMALL };
        let rows = ranks.max(1).next_multiple_of(multiple);
        let rows = u32::try_from(rows).ok().filter(|&rows| rows <= MOST_HUBS)?;
        debug_assert!(is_matrix(rows));
        Some(rows)
    }
}

impl Method for BitMatrix {
    /// Writing and multiplying; what the plan goes by is finer (`time`).
    const RATES: Rates = Rates { build: 1.5e-11, count: 1.0e-13 };

    type Beside<D: Device> = Matrix<D>;

    /// # Panics
    /// If there are more ranks than a matrix can have.
    fn bytes(&self, _edges: u64, ranks: u64) -> u64 {
        bytes(BitMatrix::rows(ranks).expect("few ranks")) + 8 * TOTALS
    }

    /// O(edges + ranks²).
    ///
    /// # Panics
    /// If there are more ranks than a matrix can have.
    fn build<D: Device>(&self, device: &D, graph: &DeviceGraph<D>) -> Result<Matrix<D>, D::Error> {
        let rows = BitMatrix::rows(graph.rows.len() / 2).expect("few ranks");
        Matrix::write(device, graph, rows)
    }

    /// O(edges · ranks) reads of rows by [`Product::CommonBits`], O(ranks³) products by the others.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_has_a_row_for_every_rank() {
        let rows = [0, 1, 512, 513, 16_384, 16_385, 20_000, 32_769, 65_536, 65_537, u64::MAX / 2];
        let expected = [512, 512, 512, 1_024, 16_384, 32_768, 32_768, 49_152, 65_536];
        let expected = expected.map(Some).into_iter().chain([None, None]);
        assert!(rows.map(BitMatrix::rows).into_iter().eq(expected));
    }
}
