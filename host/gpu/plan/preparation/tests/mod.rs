//! Graphs that the rules are asked for.

mod degree_counting;
mod orders;
mod sorts;

use super::{MIN_ENTRIES, Order, order};
use crate::graph::Summary;
use crate::plan::Task;
use crate::plan::facts::*;

pub(super) const FLAT_SUMMARY: Summary = Summary {
    vertices: MIN_ENTRIES / 4,
    edges: MIN_ENTRIES,
    self_loops_dropped: 0,
    duplicates_dropped: 0,
    reciprocal_dropped: None,
    wedges: 200 * MIN_ENTRIES as u128,
    max_degree: 1_024,
};

pub(super) const FACTS: EntryFacts = EntryFacts {
    entries: MIN_ENTRIES,
    vertices: MIN_ENTRIES / 4,
    order: EdgeOrder::Unsorted,
    most_shared_bytes: 227 << 10,
    task: Task::Count,
    summary: FLAT_SUMMARY,
    near: Share { sampled: 1_000, found: 499 },
    landmarks: OPEN,
};

/// No wedge closes.
pub(super) const OPEN: Landmarks = Landmarks {
    sampled: 1_000,
    classes: [LandmarkClass { edges: 100, wedges: 1_000, closed: 0 }; CLASSES],
};

/// Forty neighbours and 40 wedges an entry, as if neighbours were drawn at random: 20 entries a vertex.
///
/// Degrees cost 8.3 + 20/20 = 9.3 ps an entry and save 0.33 for each wedge above 40. Labels cost 6 + 120/20 = 12, and save
/// 0.75 for each wedge, times the share that is foreseen to be alike. Where c of the wedges close, that is
/// (40c + 2) / (84 - 40c - 2).
pub(super) const RANDOM: Summary =
    Summary { vertices: MIN_ENTRIES / 20, wedges: 40 * MIN_ENTRIES as u128, ..FLAT_SUMMARY };

pub(super) fn ordered(facts: EntryFacts) -> Order {
    order(&facts).choice
}

/// Landmarks with 1,000 wedges in each class; `closed` says how many of each class close.
pub(super) fn landmarks(closed: [u64; CLASSES]) -> Landmarks {
    let class = |closed| LandmarkClass { edges: 100, wedges: 1_000, closed };
    Landmarks { sampled: 1_000, classes: closed.map(class) }
}
