//! What the first entries foretell, and whether it is kept.

use super::super::{EarlyFacts, KeySort, Order, foretell, foretold_from, keeps_keys, keys_at_once};
use super::{FACTS, FLAT_SUMMARY};
use crate::facts::{EdgeOrder, EntryFacts};
use crate::graph::Summary;

/// Three of four entries of the graph of [`FACTS`] have these figures.
fn first(summary: Summary) -> Option<KeySort> {
    foretell(FACTS.entries * 3 / 4, &EntryFacts { summary, ..FACTS })
}

#[test]
fn the_first_entries_foretell_the_degrees_of_all() {
    // Four thirds of 768 are 1,024, and of 769 are more: the largest degree of a graph that is flat.
    let flat = Summary { max_degree: 768, wedges: FLAT_SUMMARY.wedges * 9 / 16, ..FLAT_SUMMARY };
    assert_eq!(first(flat), None);
    assert_eq!(first(Summary { max_degree: 770, ..flat }), Some(KeySort::Bins));
    let more = flat.wedges * 101 / 100;
    assert_eq!(first(Summary { wedges: more, ..flat }), Some(KeySort::Bins));
}

#[test]
fn sorted_entries_foretell_nothing() {
    let skewed = Summary { max_degree: 1 << 20, ..FLAT_SUMMARY };
    let facts = EntryFacts { summary: skewed, ..FACTS };
    assert!(foretell(1_000, &facts).is_some());
    for order in [EdgeOrder::Upward, EdgeOrder::Downward] {
        assert_eq!(foretell(1_000, &EntryFacts { order, ..facts }), None);
    }
    assert_eq!(foretell(0, &facts), None);
    assert_eq!(foretold_from((1 << 23) - 1), None);
    assert_eq!((foretold_from(1 << 23), keys_at_once(1 << 23)), (Some(3 << 20), 1 << 19));
}

#[test]
fn keys_are_kept_where_the_order_is_as_foretold_and_near_the_degrees() {
    let facts = EarlyFacts {
        entries: 1 << 24,
        foretold: Some(KeySort::Whole),
        chosen: (Order::Degrees, Some(KeySort::Whole)),
        degrees: [1_010, 1_000],
    };
    let why = |facts: EarlyFacts| {
        let chosen = keeps_keys(&facts);
        let decision = chosen.decision("keys");
        let of = |reasons: &[crate::Reason]| reasons[0].to_string();
        match chosen.choice {
            true => (true, of(&decision.because)),
            false => (false, of(&decision.rejected[0].because)),
        }
    };
    let kept = "the first entries foretold the order and the sort";
    let other = "the first entries foretold another order or sort";
    assert_eq!(why(facts), (true, kept.into()));
    let far = "101.1% of the smaller degrees of a sample have its tails, at most 101.0%";
    assert_eq!(why(EarlyFacts { degrees: [1_011, 1_000], ..facts }), (false, far.into()));
    for chosen in [
        (Order::Degrees, Some(KeySort::Bins)),
        (Order::Ids, Some(KeySort::Whole)),
        (Order::AsTheyAre, None),
    ] {
        assert_eq!(why(EarlyFacts { chosen, ..facts }), (false, other.into()));
    }
    let none = EarlyFacts { foretold: None, ..facts };
    assert_eq!(why(none).1, "the first entries foretold nothing");
    let few = EarlyFacts { entries: 1_000, ..none };
    assert_eq!(why(few).1, "1000 entries, at least 8388608");
}
