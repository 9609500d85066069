//! How several processes shared a count.

/// How the ranks of a job shared a count ([`Ranks`](crate::ranks::Ranks)).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OverRanks {
    /// The number of processes.
    pub ranks: u32,
    /// Files that one rank has read alone, each with that rank: they are compressed, or of a format that is not cut.
    pub read_alone: Vec<(String, u32)>,
    /// Bytes of host memory that a rank takes at its peak, at most: predicted.
    pub memory_bytes: u64,
    /// In how many pieces the rows came by: 1 where every rank held all of them at once.
    pub pieces: u64,
    /// Bytes that all ranks together have sent.
    pub exchanged_bytes: u64,
    /// Seconds that the rank spent in exchanges that spent most there, the waiting for others included.
    pub exchange_seconds: f64,
    /// The entries of the rank that has read the most, beside the mean of all.
    pub entries_balance: f64,
    /// The edges of the rows of the rank that sorts the most, beside the mean of all.
    pub edges_balance: f64,
    /// The time of the rank that counts the longest, beside the mean of all.
    pub count_balance: f64,
}
