//! Whether all ranks are a matrix of bits.

use tribin_kernels::hub_product::MOST_HUBS;

use super::groups::hub_matrix_edges;
use super::{SEGMENTS, in_place_bytes};
use crate::methods::InPlace;
use crate::methods::forward::gpu::CountShape;
use crate::methods::hub_product::{BitMatrix, Product, Work, faster, in_groups};
use crate::plan::facts::CountingFacts;
use crate::plan::reason::Reason;
use crate::plan::time;

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
