use super::super::order::*;
use super::*;
use crate::plan::Task;

/// Every border of the order, from both sides.
#[test]
fn orders_are_taken_up_to_their_bounds() {
    let summary = |summary| EntryFacts { summary, ..FACTS };
    assert_eq!(ordered(FACTS), Order::Degrees);
    let near = EntryFacts { near: Share { sampled: 1_000, found: 500 }, ..FACTS };
    assert_eq!(ordered(near), Order::Ids);
    // Degrees that differ, by wedges and by the largest.
    let skewed = |of| EntryFacts { near: near.near, ..summary(of) };
    let wedges = Summary { wedges: FLAT_SUMMARY.wedges + 1, ..FLAT_SUMMARY };
    assert_eq!(ordered(skewed(wedges)), Order::Degrees);
    let hub = Summary { max_degree: 1_025, ..FLAT_SUMMARY };
    assert_eq!(ordered(skewed(hub)), Order::Degrees);
    // Fewer than eight neighbours an id.
    let sparse = EntryFacts { vertices: MIN_ENTRIES / 4 + 1, ..FACTS };
    assert_eq!(ordered(sparse), Order::Ids);
    // Small graphs: by ids where degrees differ little and would save less than they cost.
    let entries = MIN_ENTRIES - 1;
    let small = EntryFacts { entries, ..near };
    assert_eq!(ordered(small), Order::Degrees);
    assert_eq!(ordered(EntryFacts { entries, ..summary(hub) }), Order::Degrees);
}

#[test]
fn the_order_that_saves_most_is_taken() {
    let with = |wedges: u128, closed| {
        let wedges = wedges * u128::from(MIN_ENTRIES);
        let summary = Summary { wedges, ..RANDOM };
        EntryFacts { summary, landmarks: landmarks([closed; CLASSES]), ..FACTS }
    };
    // 40% are foreseen to be alike where 55% close: 0.75 · 40 wedges · 40% are 12.
    assert_eq!(ordered(with(40, 549)), Order::Ids);
    assert_eq!(ordered(with(40, 551)), Order::MinHash);
    // 28 and 29 wedges above those at random: 9.24 and 9.57.
    assert_eq!(ordered(with(68, 0)), Order::Ids);
    assert_eq!(ordered(with(69, 0)), Order::Degrees);
    // However many close, labels do not pay where they would not with 80% alike: below 20 wedges.
    assert_eq!(ordered(with(19, 1_000)), Order::Ids);
    assert_eq!(ordered(with(21, 1_000)), Order::MinHash);
}

/// What is foreseen follows from the sizes of neighbourhoods: of two ends in a clique of 12 all is alike, and of two without
/// a common neighbour each other.
#[test]
fn ends_are_foreseen_to_be_alike_as_their_neighbourhoods_are() {
    // In a clique of n vertices an entry has n - 2 wedges, half of those at both ends.
    let of = |wedges: u128, closed| {
        let summary = Summary { wedges: wedges * 1_000, ..FLAT_SUMMARY };
        let landmarks = landmarks([closed; CLASSES]);
        EntryFacts { entries: 1_000, summary, landmarks, ..FACTS }.foreseen_alike()
    };
    assert_eq!(of(10, 1_000), 1.0);
    // Of eleven neighbours each, and the ends themselves: 2 of 22.
    assert_eq!(of(10, 0), 2.0 / 22.0);
    // Half of ten are common, and so are the ends: 7 of 17.
    assert_eq!(of(10, 500), 7.0 / 17.0);
}

#[test]
fn sorted_entries_are_laid_out_anew_for_results_by_vertex_alone() {
    let facts = EntryFacts { order: EdgeOrder::Upward, task: Task::AtVertices, ..FACTS };
    let because = &order(&facts).rejected[0].because;
    let because: Vec<String> = because.iter().map(ToString::to_string).collect();
    assert_eq!(because, ["results by vertex are wanted"]);
}

#[test]
fn sorted_entries_stay_where_degrees_differ_little() {
    for sorted in [EdgeOrder::Upward, EdgeOrder::Downward] {
        let facts = EntryFacts { order: sorted, entries: 10, ..FACTS };
        assert_eq!(ordered(facts), Order::AsTheyAre);
        assert_eq!(ordered(EntryFacts { task: Task::AtVertices, ..facts }), Order::Degrees);
        let hub = Summary { max_degree: 1_025, ..FLAT_SUMMARY };
        assert_eq!(ordered(EntryFacts { summary: hub, ..facts }), Order::Degrees);
    }
}

#[test]
fn hubs_come_first_where_the_wedges_beside_them_close() {
    let hub = Summary { max_degree: 1_025, vertices: MIN_ENTRIES / 10, ..FLAT_SUMMARY };
    let facts = EntryFacts { summary: hub, ..FACTS };
    let with = |closed| EntryFacts { landmarks: landmarks(closed), ..facts };
    assert_eq!(ordered(with([599; CLASSES])), Order::Degrees);
    // Where many ids have no neighbours, none are looked for.
    let ids = EntryFacts { vertices: MIN_ENTRIES / 4 + 1, ..with([600; CLASSES]) };
    assert_eq!(ordered(ids), Order::Degrees);
    // Twenty neighbours are the mean, and classes go up to 40, 80, 160, …; in each is a tenth of the entries.
    let first = |most_degree, tenths: u64| {
        let neighbours = 2 * MIN_ENTRIES * tenths * 100 / 1_000;
        Order::HubsFirst { most_degree, neighbours }
    };
    assert_eq!(ordered(with([600, 0, 0, 0, 0, 0])), first(40, 1));
    // The last class of whose own wedges a quarter closes, if six tenths of those of all classes up to it do.
    assert_eq!(ordered(with([900, 249, 651, 0, 0, 0])), first(160, 3));
    // Without wedges nothing closes.
    let class = LandmarkClass { edges: 1, wedges: 0, closed: 0 };
    let none = Landmarks { sampled: 9, classes: [class; CLASSES] };
    let facts = EntryFacts { landmarks: none, ..facts };
    assert_eq!(ordered(facts), Order::Degrees);
}
