//! What happened at each level of binning.

/// The figures of one level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Level {
    /// Buckets that had an edge or a candidate.
    pub created: u64,
    /// Buckets dropped because a side was empty.
    pub pruned: u64,
    /// Buckets left to the tail.
    pub tail: u64,
    /// Buckets at full depth.
    pub complete: u64,
    /// Edges that the level started with.
    pub edges: u64,
    /// Candidates that the level started with.
    pub candidates: u64,
    /// Candidates eliminated in pruned buckets.
    pub candidates_pruned: u64,
    /// Candidates left to the tail.
    pub candidates_tail: u64,
    /// Edges left to the tail.
    pub edges_tail: u64,
}

impl Level {
    /// The level of a chunk of the kernel's figures.
    pub(super) fn of_figures(figures: &[u64]) -> Level {
        use tribin_kernels::binning::Figure;
        let figure = |figure: Figure| figures[figure as usize];
        Level {
            created: figure(Figure::Created),
            pruned: figure(Figure::Pruned),
            tail: figure(Figure::Tail),
            complete: figure(Figure::Complete),
            edges: figure(Figure::Edges),
            candidates: figure(Figure::Candidates),
            candidates_pruned: figure(Figure::CandidatesPruned),
            candidates_tail: figure(Figure::CandidatesTail),
            edges_tail: figure(Figure::EdgesTail),
        }
    }
}
