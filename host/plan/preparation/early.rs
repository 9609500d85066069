//! What the first entries of a graph tell of all of them, while the others are on their way.
//!
//! Any order of the vertices gives the exact count. Where entries come in no order, the degrees that some of them have are
//! nearly in the order of those that all have. So the vertices are ranked once enough entries are there, and entries become keys as
//! they arrive. Once all are there, the order and the sort are chosen as ever. The keys are thrown away if that is
//! not what was foretold, or if the order of the ranks is too far from that of the degrees.
//!
//! ```text
//! link    | entries 0 | entries 1 | entries 2                     | entries 3         |
//! device              | degrees 0 | degrees 1, ranks, keys 0 and 1 | degrees 2, keys 2 | degrees 3, keys 3 | sort
//! ```
//!
//! This is done for the order of degrees alone: where ids are ranks, keys take hardly longer than a copy.

use super::degree_counting::PARTS;
use super::degrees::flat;
use super::{KeySort, Order, key_sort};
use crate::facts::{EdgeOrder, EntryFacts, Landmarks};
use crate::graph::Summary;
use crate::reason::{Bound, Chosen, Reason, ReasonFigure, Rules};

/// Fewest entries for which this is worth a wait of the host for the device.
const LEAST: u64 = 1 << 23;

/// The ranks are kept if the degrees of the tails of entries are together at most this many thousandths of those of the ends that have
/// the smaller degrees. Ranks by class of all degrees have up to 1,003. By half of the entries, in no order, R-MAT graphs have at
/// most 1,004, and 0.4% more wedges. A power law of 3 has 1,012, and 2.7% more. An R-MAT graph whose entries are sorted has 1,180, and
/// 14% more (docs/measured.md).
const MOST_PERMILLE: u128 = 1_010;

/// The facts by which early keys are kept: what was foretold, and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct EarlyFacts {
    /// Entries of the graph.
    pub entries: u64,
    /// The sort that the first entries foretold, where keys were made.
    pub foretold: Option<KeySort>,
    /// The order and the sort that were chosen by all entries.
    pub chosen: (Order, Option<KeySort>),
    /// Sums over a sample of the keys: the degrees of the tails, and those of the ends that have the smaller degrees.
    pub degrees: [u64; 2],
}

impl EarlyFacts {
    /// Whether what the first entries foretold is what was chosen.
    pub fn came_true(&self) -> bool {
        self.foretold.is_some_and(|sort| self.chosen == (Order::Degrees, Some(sort)))
    }
}

/// The number of entries from which on a graph's order is foretold, where it has `entries` of them. The whole of rmat22 takes 22.4 ms on
/// an H100 without that. It takes 21.4 by a quarter of the entries, 21.2 by three eighths, and 21.6 by half.
pub fn foretold_from(entries: u64) -> Option<u64> {
    (entries >= LEAST).then_some(entries / 8 * 3)
}

/// How many entries become keys at a time, at least: a part of those that arrive. Fewer would each time take a kernel as long as to start.
pub fn keys_at_once(entries: u64) -> u64 {
    entries / PARTS
}

/// The sort that the first `seen` of all entries foretell, in the order of degrees, where they foretell that. `facts` are those of
/// the whole graph, as far as they are known, with the figures of the first entries. O(1).
pub fn foretell(seen: u64, facts: &EntryFacts) -> Option<KeySort> {
    let summary = facts.summary;
    if facts.order != EdgeOrder::Unsorted || seen == 0 {
        return None;
    }
    let times = facts.entries as f64 / seen as f64;
    let summary = Summary {
        edges: facts.entries,
        max_degree: (summary.max_degree as f64 * times) as u64,
        wedges: (summary.wedges as f64 * times * times) as u128,
        ..summary
    };
    if Reason::all_hold(&flat(&summary)) {
        return None;
    }
    let facts = EntryFacts {
        summary,
        // Where enough wedges close, the order would be another.
        landmarks: Landmarks::default(),
        ..*facts
    };
    Some(key_sort(&facts, Order::Degrees).choice)
}

/// Whether keys that were made as entries arrived are kept. O(1).
pub fn keeps_keys(facts: &EarlyFacts) -> Chosen<bool> {
    let foretold = match facts.foretold {
        None if facts.entries < LEAST => Reason::whole_at_least(facts.entries, "entries", LEAST),
        None => Reason::new(false, "the first entries foretold nothing"),
        Some(_) if facts.came_true() => {
            Reason::new(true, "the first entries foretold the order and the sort")
        }
        Some(_) => Reason::new(false, "the first entries foretold another order or sort"),
    };
    let mut because = vec![foretold];
    if facts.came_true() {
        let [tails, smaller] = facts.degrees;
        because.push(Reason::compared(
            1_000 * u128::from(tails) <= MOST_PERMILLE * u128::from(smaller),
            ReasonFigure::Percent(tails as f64, smaller as f64),
            "of the smaller degrees of a sample have its tails",
            Bound::AtMost(ReasonFigure::Percent(MOST_PERMILLE as f64, 1e3)),
        ));
    }
    Rules::new().rule("as entries arrive", true, 0, because).or("once all entries are there", false)
}
