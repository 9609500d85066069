//! How several processes shared a count.

/// The way in which the ranks of a job shared a count (`Ranks`).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OverRanks {
    /// The number of processes.
    pub ranks: u32,
    /// Into how many groups of edges the graph was cut.
    pub groups: u64,
    /// Entries of the largest group.
    pub largest_group: u64,
    /// How many entries all ranks together counted among, for each entry of the graph.
    pub copies: f64,
    /// The time of the rank that counts the longest, beside the mean of all.
    pub count_balance: f64,
}
