//! Whether all ranks are a matrix of bits.

use super::groups::hub_matrix_edges;
use super::matrix_time::{Work, faster, in_groups};
use super::{CountShape, InPlace, SEGMENTS, in_place_bytes};
use crate::facts::CountingFacts;
use crate::limits::forward::TOTALS;
use crate::limits::hub_product::{MOST_HUBS, TILE, bit_words};
use crate::reason::Reason;
use crate::time::{self, Rates};

/// How large the matrix of the hubs is, and how many threads go through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HubSettings {
    /// Edges among this many hubs, the lowest ranks, are counted as a matrix of bits: a multiple of 512 up to
    /// 16,384, or none for 0.
    pub hubs: u32,
    /// 2^this lanes go through a row of the matrix, at most 2⁵.
    pub lanes_log2: u32,
}

impl HubSettings {
    /// # Panics
    /// If a field is out of its bounds.
    pub fn check(&self) {
        let hubs = self.hubs <= 16_384 && self.hubs.is_multiple_of(512);
        assert!(hubs && self.lanes_log2 <= 5, "a matrix: {self:?}");
    }
}

/// How the product is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// AND and popcount of the two rows of each edge; 2^this lanes an edge, at most 2⁵.
    CommonBits {
        /// Logarithm of the lanes.
        lanes_log2: u32,
    },
    /// Tiles on the tensor cores, of single bits.
    TensorBits,
    /// Tiles on the tensor cores, of bytes.
    TensorBytes,
}

/// Bytes of device memory that a matrix of bits of so many rows takes beside the graph.
pub fn matrix_bytes(rows: u32) -> u64 {
    4 * bit_words(rows) + 4 * u64::from(rows / TILE)
}

/// A matrix of bits, whose rows and columns are all ranks of a graph. It has at most 65,536 rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitMatrix {
    /// How the product is made.
    pub by: Product,
}

impl BitMatrix {
    /// Writing and multiplying; what the choice goes by is finer ([`Work`]).
    pub(super) const RATES: Rates = Rates { build: 1.5e-11, count: 1.0e-13 };

    /// Rows of the smallest matrix that holds this number of ranks; `None` where none is large enough.
    pub fn rows(ranks: u64) -> Option<u32> {
        const SMALL: u64 = 16_384;
        let multiple = if ranks <= SMALL { 512 } else { SMALL };
        let rows = ranks.max(1).next_multiple_of(multiple);
        u32::try_from(rows).ok().filter(|&rows| rows <= MOST_HUBS)
    }

    /// Bytes of device memory beside a graph of so many ranks.
    ///
    /// # Panics
    /// If there are more ranks than a matrix can have.
    pub fn bytes(&self, ranks: u64) -> u64 {
        matrix_bytes(BitMatrix::rows(ranks).expect("few ranks")) + 8 * TOTALS
    }
}

/// Most bytes of a matrix of all ranks for each edge. Groups take 10. Memory is predicted before it is known whether the
/// matrix pays, and so the bound keeps the prediction near what is used: the sort before takes 10 more than the graph.
pub(super) const MATRIX_BYTES: u64 = 14;

/// What a matrix of all ranks goes by; `None` where there are more ranks than it can have.
pub(super) fn matrix_work(CountingFacts { sample, ranks, .. }: &CountingFacts) -> Option<Work> {
    let rows = BitMatrix::rows(*ranks)?;
    let edges = sample.edges as f64;
    let reads = edges * sample.matrix_reads as f64 / sample.sampled.max(1) as f64;
    Some(Work { edges, ranks: *ranks as f64, reads, rows })
}

pub(super) fn bit_matrix(facts: &CountingFacts) -> InPlace {
    let by = matrix_work(facts).map_or(Product::TensorBits, |work| faster(&work));
    InPlace::BitMatrix(BitMatrix { by })
}

/// A matrix of all ranks takes little memory, and less time than any other method takes at least.
pub(super) fn matrix_pays(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, ranks, tuning, .. } = facts;
    let Some(work) = matrix_work(facts) else {
        return vec![Reason::whole_at_most(*ranks, "ranks", MOST_HUBS.into())];
    };
    let bytes = in_place_bytes(bit_matrix(facts), facts);
    let microseconds = |seconds: f64| (seconds * 1e6) as u64;
    let (write, product) = (work.write(), work.product(faster(&work)));
    let least = f64::from(tuning.matrix_max_permille) / 1e3 * other_seconds(facts, &work);
    vec![
        Reason::whole_at_least(sample.edges, "edges", tuning.matrix_min_edges.into()),
        Reason::whole_at_most(bytes, "bytes as a matrix", MATRIX_BYTES * sample.edges),
        Reason::whole_at_most(microseconds(write + product), "µs as a matrix", microseconds(least)),
    ]
}

/// Seconds that the fastest other method takes, at least.
fn other_seconds(facts: &CountingFacts, work: &Work) -> f64 {
    let CountingFacts { sample, ranks, tuning, .. } = facts;
    let (edges, wedges) = (sample.edges as f64, sample.wedges as f64);
    let hub_edges = hub_matrix_edges(sample, tuning) as f64;
    let groups = if hub_edges > 0.0 {
        // As many wedges as rows of one length have, which are the fewest.
        let rows = ranks.saturating_sub(tuning.hub_product.hubs.into()) as f64;
        let rest = edges - hub_edges;
        let wedges = if rows > 0.0 { rest * (rest / rows - 1.0).max(0.0) / 2.0 } else { 0.0 };
        let share = (f64::from(tuning.hub_product.hubs) / work.ranks).min(1.0);
        let hubs = Work {
            edges: hub_edges,
            reads: work.reads * hub_edges / edges * share,
            rows: tuning.hub_product.hubs,
            ..*work
        };
        let by = Product::CommonBits { lanes_log2: 0 };
        in_groups(edges, wedges) + hubs.write() + hubs.product(by)
    } else {
        in_groups(edges, wedges)
    };
    let in_place = [SEGMENTS, InPlace::Merge(CountShape::default())].map(|method| {
        let (build, count) = time::counting(sample, method.rates());
        build + count
    });
    in_place.into_iter().fold(groups, f64::min)
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
