//! What was counted.

use super::Level;
use tribin_count::Figure;
use tribin_graph::Summary;

/// The count of the engine, and what it took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RadixCount {
    /// Triangles.
    pub triangles: u64,
    /// The simple graph's figures.
    pub figures: Summary,
    /// |E|: edges, each direction counted without orientation, as in the paper.
    pub edges: u64,
    /// |E'|: candidate edges.
    pub candidates: u64,
    /// Kernels launched, from the edge array to the count.
    pub launches: u64,
    /// Batches of candidates.
    pub batches: u64,
    /// Every level of binning, summed over the batches: all zero where one tail took both lists, empty
    /// where there was no candidate.
    pub levels: Vec<Level>,
    /// Seconds of each phase.
    pub seconds: RadixSeconds,
}

impl RadixCount {
    /// The figures that the engine reports beside the count: those of all, and a list over the levels of each figure that a
    /// level has.
    pub fn reported(&self) -> Vec<Figure> {
        let each =
            |name, of: fn(&Level) -> u64| Figure::each(name, self.levels.iter().map(of).collect());
        vec![
            Figure::one("candidates", self.candidates),
            Figure::one("launches", self.launches),
            Figure::one("batches", self.batches),
            each("buckets_created", |level| level.created),
            each("buckets_pruned", |level| level.pruned),
            each("buckets_tail", |level| level.tail),
            each("buckets_complete", |level| level.complete),
            each("edges_left", |level| level.edges),
            each("edges_tail", |level| level.edges_tail),
            each("candidates_left", |level| level.candidates),
            each("candidates_pruned", |level| level.candidates_pruned),
            each("candidates_tail", |level| level.candidates_tail),
        ]
    }
}

/// Seconds of each phase on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RadixSeconds {
    /// Copying the edges to the device.
    pub upload: f64,
    /// The edges as keys: of ranks, or in both directions.
    pub orient: f64,
    /// Sorting, dropping duplicates, laying out rows, figures.
    pub clean: f64,
    /// Algorithm 1 from line 6: sizes, scan, generation.
    pub candidates: f64,
    /// Algorithm 2.
    pub intersect: f64,
}

impl RadixSeconds {
    /// Seconds from the edge array on the device to the count.
    pub fn on_device(&self) -> f64 {
        self.orient + self.clean + self.candidates + self.intersect
    }
}
