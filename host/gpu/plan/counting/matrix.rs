//! Whether all ranks are a matrix of bits.

use super::groups::hub_matrix_edges;
use super::matrix_time::{ProductWork, faster, in_groups};
use super::{CountShape, InPlace, Segments, switched_off};
use crate::plan::facts::CountingFacts;
use crate::plan::method_time::MethodSeconds;
use tribin_kernels::forward::TOTALS;
use tribin_kernels::hub_product::{MOST_HUBS, TILE, bit_words};
use tribin_plan::reason::Reason;

/// The settings by which all ranks become a matrix of bits.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `min_edges` 2¹⁹, `max_permille` 900 | a matrix of all ranks and groups, making included: er:20000,50000000,1 (1.92 ms, 15.1), er:30000,90000000,1 (5.2, 52.9), er:8000,8000000,1 (0.36, 0.62), er:4000,3000000,1 (0.22, 0.86); by popcount and groups: er:40000,40000000,1 (7.9, 11.8); what is predicted of either, docs/engines.md has |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixSettings {
    /// The graph has at least this many edges.
    pub min_edges: u32,
    /// A matrix is predicted to take at most this share of the time of every other method.
    pub max_permille: u32,
}

impl MatrixSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: MatrixSettings = MatrixSettings { min_edges: 1 << 19, max_permille: 900 };
}

/// The settings by which edges among the hubs are counted as a matrix of bits: when, how large it is, and by how many threads.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `min_edges` 1 M, `min_permille` 90 | counting and grouping with the hubs as a matrix and without, on an H100, by edges among the hubs: rmat:17,32,1 (1.9 M: 0.34 ms, 0.48), rmat:18,16,7 (2.1 M: 0.37, 0.44), rmat:19,12,4 (2.0 M: 0.48, 0.58), kron:19,24,500,200,200,3 (1.4 M: 1.01, 1.06), rmat-sparse (1.9 M: 0.68, 0.72), rmat:23,16,1 (9.4% of all: 13.6, 15.3), ba:200000,60,7 (0.95 M, 8.0%: 1.00, 0.95), kron:20,16,450,220,220,1 (6.7%: 1.41, 1.35), kron:18,100,350,250,250,5 (5.5%: 2.30, 2.22) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HubSettings {
    /// Hubs, the lowest ranks: a multiple of 512 up to 16,384.
    pub hubs: u32,
    /// The binary logarithm of the lanes that go through a row of the matrix; at most 5.
    pub lanes_log2: u32,
    /// The matrix is made if there are at least this many edges among the hubs.
    pub min_edges: u32,
    /// The matrix is made if the edges among the hubs are at least this share of all edges.
    pub min_permille: u32,
}

impl HubSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: HubSettings =
        HubSettings { hubs: 16_384, lanes_log2: 2, min_edges: 1_000_000, min_permille: 90 };
}

/// The way in which the product is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// AND and popcount of the two rows of each edge; 2^this lanes an edge, at most 2⁵.
    CommonBits {
        /// Logarithm of the lanes.
        lanes_log2: u32,
    },
    /// Tiles on the tensor cores, of single bits.
    TensorBits,
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
    /// Rows of the smallest matrix that holds this number of ranks; `None` where none is large enough.
    pub fn rows(ranks: u64) -> Option<u32> {
        const SMALL: u64 = 16_384;
        let multiple = if ranks <= SMALL { 512 } else { SMALL };
        let rows = ranks.max(1).next_multiple_of(multiple);
        u32::try_from(rows).ok().filter(|&rows| rows <= MOST_HUBS)
    }

    /// The seconds that the matrix takes: more than any other method where there are more ranks than a matrix can have.
    pub(super) fn seconds(self, facts: &CountingFacts) -> MethodSeconds {
        let [build, count] =
            matrix_work(facts).map_or([f64::MAX; 2], |work| [work.write(), work.product(self.by)]);
        MethodSeconds { build, count }
    }

    /// Bytes of device memory that the matrix takes beside a graph of `ranks` ranks. It is 0 where no matrix has as many ranks.
    pub fn bytes(&self, ranks: u64) -> u64 {
        BitMatrix::rows(ranks).map_or(0, |rows| matrix_bytes(rows) + 8 * TOTALS)
    }
}

/// Most bytes of a matrix of all ranks for each edge. Groups take 10. Memory is predicted before it is known whether the
/// matrix pays, and so the bound keeps the prediction near what is used: the sort before takes 10 more than the graph.
pub(super) const MATRIX_BYTES: u64 = 14;

/// What a matrix of all ranks goes by; `None` where there are more ranks than it can have.
fn matrix_work(CountingFacts { sample, ranks, .. }: &CountingFacts) -> Option<ProductWork> {
    let rows = BitMatrix::rows(*ranks)?;
    let edges = sample.edges as f64;
    let reads = edges * sample.matrix_reads as f64 / sample.sampled.max(1) as f64;
    Some(ProductWork { edges, ranks: *ranks as f64, reads, rows })
}

/// The matrix of all ranks, by the product that takes less time.
pub(super) fn bit_matrix(facts: &CountingFacts) -> BitMatrix {
    BitMatrix { by: matrix_work(facts).map_or(Product::TensorBits, |work| faster(&work)) }
}

/// A matrix of all ranks takes little memory, and less time than any other method takes at least.
pub(super) fn matrix_pays(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, ranks, settings, .. } = facts;
    let Some(settings) = &settings.matrix else { return switched_off() };
    let Some(work) = matrix_work(facts) else {
        return vec![Reason::whole_at_most(*ranks, "ranks", MOST_HUBS.into())];
    };
    let bytes = bit_matrix(facts).bytes(*ranks);
    let microseconds = |seconds: f64| (seconds * 1e6) as u64;
    let seconds = bit_matrix(facts).seconds(facts).sum();
    let least = f64::from(settings.max_permille) / 1e3 * other_seconds(facts, &work);
    vec![
        Reason::whole_at_least(sample.edges, "edges", settings.min_edges.into()),
        Reason::whole_at_most(bytes, "bytes as a matrix", MATRIX_BYTES * sample.edges),
        Reason::whole_at_most(microseconds(seconds), "µs as a matrix", microseconds(least)),
    ]
}

/// Seconds that the fastest other method takes, at least.
fn other_seconds(facts: &CountingFacts, work: &ProductWork) -> f64 {
    let CountingFacts { sample, ranks, settings, .. } = facts;
    let (edges, wedges) = (sample.edges as f64, sample.wedges as f64);
    let hubs = settings.groups.and_then(|groups| groups.hubs);
    let hub_edges = hub_matrix_edges(sample, hubs) as f64;
    let hubs = hubs.map_or(0, |hubs| hubs.hubs);
    let groups = if hub_edges > 0.0 {
        // As many wedges as rows of one length have, which are the fewest.
        let rows = ranks.saturating_sub(hubs.into()) as f64;
        let rest = edges - hub_edges;
        let wedges = if rows > 0.0 { rest * (rest / rows - 1.0).max(0.0) / 2.0 } else { 0.0 };
        let share = (f64::from(hubs) / work.ranks).min(1.0);
        let matrix = ProductWork {
            edges: hub_edges,
            reads: work.reads * hub_edges / edges * share,
            rows: hubs,
            ..*work
        };
        let by = Product::CommonBits { lanes_log2: 0 };
        in_groups(edges, wedges) + matrix.write() + matrix.product(by)
    } else {
        in_groups(edges, wedges)
    };
    let in_place = [InPlace::Segments(Segments), InPlace::Merge(CountShape::default())];
    in_place.map(|method| method.seconds(facts).sum()).into_iter().fold(groups, f64::min)
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
