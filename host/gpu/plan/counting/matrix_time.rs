//! How long a matrix of all ranks takes, and how long the same graph takes in groups: what decides between them.
//!
//! Uniform random graphs and R-MAT graphs on an NVIDIA H200, milliseconds
//! (`cargo bench --bench gpu -- hubs er:20000,50000000,1` and so on); the two last columns are what is said here.
//!
//! | graph | ranks | edges | popcount | tensor cores | row bits, groups made | popcount | tensor cores |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | er:4000,3000000,1 | 4,000 | 2.5 M | 0.06 | 0.02 | 0.64 + 0.22 | 0.06 | 0.01 |
//! | er:8000,8000000,1 | 8,000 | 7.1 M | 0.28 | 0.18 | 2.07 + 0.28 | 0.28 | 0.08 |
//! | er:16000,32000000,1 | 16,000 | 28.3 M | 2.03 | 0.62 | 13.6 + 0.94 | 2.2 | 0.61 |
//! | er:16000,6400000,1 | 16,000 | 6.2 M | 0.46 | 0.61 | | 0.48 | 0.61 |
//! | er:20000,50000000,1 | 20,000 | 44.2 M | 3.98 | 1.34 | 25.8 + 1.3 | 4.2 | 1.2 |
//! | er:30000,90000000,1 | 30,000 | 81.6 M | 11.1 | 4.2 | | 11.5 | 4.0 |
//! | er:40000,40000000,1 | 40,000 | 39.0 M | 7.25 | 14.8 | | 7.3 | 15 |
//! | er:60000,180000000,1 | 60,000 | 171 M | 47.2 | 52.8 | | 47 | 51 |
//! | rmat:14,700,1 | 16,384 | 4.0 M | 0.09 | 0.35 | | 0.09 | 0.65 |

use super::matrix::{Product, matrix_bytes};

/// The work of a matrix of all ranks, which its time is predicted from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProductWork {
    /// Edges.
    pub edges: f64,
    /// Ranks.
    pub ranks: f64,
    /// Reads of 16 bytes that popcount makes in the rows of heads.
    pub reads: f64,
    /// Rows of the matrix.
    pub rows: u32,
}

/// Ranks from which the matrix is too large for the L2 cache.
const IN_CACHE: f64 = 32_768.0;

/// Lanes of an edge, where there are more ranks than a row of four lanes is best for.
const LONG_ROWS: f64 = 16_384.0;

impl ProductWork {
    /// Seconds of what is asked before, and of writing the matrix. On an H100 the writing takes 0.03 ms for the 4.8 M edges of rmat20
    /// among 16,384 ranks. It takes 0.14 ms for the 49.6 M edges of er:20000,57000000,61, whose matrix has 32,768 rows.
    pub fn write(&self) -> f64 {
        let bytes = matrix_bytes(self.rows) as f64;
        7e-5 + bytes / 3e12 + self.edges * 1.5e-12
    }

    /// Seconds of a product.
    pub fn product(&self, by: Product) -> f64 {
        match by {
            Product::CommonBits { .. } => self.edges * 3e-12 + self.reads * 1.75e-12,
            _ => self.ranks.powi(3) * if self.ranks <= IN_CACHE { 1.48e-16 } else { 2.36e-16 },
        }
    }
}

/// The product that takes less time.
pub fn faster(work: &ProductWork) -> Product {
    let lanes_log2 = if work.ranks <= LONG_ROWS { 2 } else { 3 };
    let popcount = Product::CommonBits { lanes_log2 };
    let tensor = Product::TensorBits;
    if work.product(tensor) < work.product(popcount) { tensor } else { popcount }
}

/// Seconds that edges take in groups, at least: the groups are made, and row bits read the wedges.
pub fn in_groups(edges: f64, wedges: f64) -> f64 {
    1e-4 + edges * 2e-11 + wedges * 3.9e-13
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A uniform random graph: the mean head is a third of the ranks.
    fn uniform(ranks: u32, edges: f64) -> ProductWork {
        let ranks = f64::from(ranks);
        ProductWork { edges, ranks, reads: edges * ranks / 3.0 / 128.0, rows: 65_536 }
    }

    #[test]
    fn dense_graphs_are_multiplied_on_the_tensor_cores_and_others_by_popcount() {
        // Among n ranks, the share of the pairs from which on tensor cores pay.
        for (ranks, share) in [(8_000, 0.060), (16_000, 0.0624), (30_000, 0.0636), (50_000, 0.102)]
        {
            let pairs = f64::from(ranks).powi(2) / 2.0;
            assert!(
                faster(&uniform(ranks, share * 1.05 * pairs)) == Product::TensorBits,
                "{ranks}"
            );
            let popcount = faster(&uniform(ranks, share * 0.95 * pairs));
            assert!(matches!(popcount, Product::CommonBits { .. }), "{ranks}");
        }
    }

    #[test]
    fn long_rows_have_more_lanes() {
        let lanes = |ranks| faster(&uniform(ranks, 1.0));
        assert_eq!(lanes(16_384), Product::CommonBits { lanes_log2: 2 });
        assert_eq!(lanes(16_385), Product::CommonBits { lanes_log2: 3 });
    }
}
