use super::super::bins::{GroupsOfRanks, MIN_ENTRIES_QUANTILES, SortedGroups};
use super::super::degrees::*;
use super::super::key_sort::*;
use super::super::sort_passes::SortPasses;
use super::*;
use crate::graph::rank_bits;
use crate::limits::order_runs::MOST_STEPS;
use crate::limits::row_bins::{MOST_GROUPS, MOST_RANKS, MOST_SHARED_BYTES};
use crate::reason::Chosen;

fn sorted(facts: EntryFacts) -> KeySort {
    sorted_in(Order::Degrees, facts)
}

fn sorted_in(order: Order, facts: EntryFacts) -> KeySort {
    match sort_by_passes(&facts, order) {
        Ok(chosen) => chosen.choice,
        Err(missing) => panic!("{missing:?} is there"),
    }
}

fn in_bins(order: Order, facts: EntryFacts) -> bool {
    match key_sort(&facts, order) {
        Ok(chosen) => chosen.choice == KeySort::Bins,
        Err(missing) => panic!("{missing:?} is there"),
    }
}

/// 2²² entries of 2¹⁸ ranks, and degrees that differ.
#[test]
fn keys_are_sorted_first_where_neighbours_are_near() {
    let entries = 1 << 22;
    let with = |wedges: u128, closed: u64, max_degree: u64| {
        let of_largest = u128::from(max_degree * (max_degree - 1) / 2);
        let wedges = wedges * u128::from(entries) + of_largest;
        let summary =
            Summary { vertices: 1 << 18, edges: entries, wedges, max_degree, ..FLAT_SUMMARY };
        let landmarks = landmarks([closed, 0, 0, 0, 0, 0]);
        EntryFacts { entries, vertices: 1 << 18, summary: Some(summary), landmarks, ..FACTS }
    };
    let sort = |facts: EntryFacts| match key_sort(&facts, Order::Degrees) {
        Ok(chosen) => chosen.choice,
        Err(missing) => panic!("{missing:?} is there"),
    };
    let sorted_first = |facts| matches!(sort(facts), KeySort::SortedBins { .. });
    let large = 1 << 16;
    assert!(sorted_first(with(101, 100, large)));
    assert_eq!(sort(with(100, 100, large)), KeySort::Bins);
    assert_eq!(sort(with(101, 99, large)), KeySort::Bins);
    // Degrees that differ little.
    assert_eq!(sort(with(101, 100, 1_024)), KeySort::Bins);
    // More wedges than other graphs may have.
    assert!(sorted_first(with(5_000, 100, large)));
    assert!(!sorted_first(with(5_000, 99, large)));
    // Landmarks are asked for where they are found.
    let unknown = EntryFacts { landmarks: None, ..with(101, 100, large) };
    assert_eq!(key_sort(&unknown, Order::Degrees), Err(Missing::Landmarks));
    let few = EntryFacts { entries: entries - 1, ..unknown };
    assert_eq!(sort(few), KeySort::Bins);
}

/// Every border of the bins, from both sides.
#[test]
fn keys_are_brought_into_bins_where_rows_are_short_and_even() {
    // 20 entries a vertex and 40 wedges an entry, of 2²⁰ entries between 2¹⁶ vertices.
    let with = |entries: u64, vertices: u64, wedges: u128, filled: u64| {
        let wedges = wedges * u128::from(entries);
        let summary =
            Summary { vertices: filled, edges: entries, wedges, max_degree: 0, ..FLAT_SUMMARY };
        EntryFacts { entries, vertices, summary: Some(summary), ..FACTS }
    };
    // One vertex has many more neighbours than the others. Its wedges do not count where it comes first.
    let in_bins = |order, facts: EntryFacts| {
        let max_degree = 1 << 20;
        let counted = match order {
            Order::Degrees | Order::HubsFirst { .. } => max_degree * (max_degree - 1) / 2,
            Order::AsTheyAre | Order::Ids | Order::MinHash => 0,
        };
        let summary = facts.summary.map(|of| {
            let wedges = of.wedges + u128::from(counted);
            Summary { wedges, max_degree, ..of }
        });
        in_bins(order, EntryFacts { summary, ..facts })
    };
    let few = with(1 << 20, 1 << 16, 40, 1 << 16);
    assert!(in_bins(Order::Ids, few));
    assert!(!in_bins(Order::Ids, EntryFacts { entries: (1 << 20) - 1, ..few }));
    let shared = EntryFacts { most_shared_bytes: MOST_SHARED_BYTES, ..few };
    assert!(in_bins(Order::Ids, shared));
    let shared = EntryFacts { most_shared_bytes: MOST_SHARED_BYTES - 1, ..few };
    assert!(!in_bins(Order::Ids, shared));
    assert_eq!(key_sort(&EntryFacts { summary: None, ..few }, Order::Ids), Err(Missing::Summary));
    // By wedges. 2²⁰ entries of 2¹⁶ ranks are 1,024 groups of 64 ranks: by ids a group of 7,872 keys is foreseen for 123.
    let first = Order::HubsFirst { most_degree: 9, neighbours: 9 };
    let bits_of_12 = |wedges| with(1 << 20, 1 << 12, wedges, 1 << 12);
    for (order, most) in
        [(Order::Ids, 200), (Order::MinHash, 200), (Order::Degrees, 700), (first, 64)]
    {
        assert!(in_bins(order, bits_of_12(most)), "{order:?}");
        assert!(!in_bins(order, bits_of_12(most + 1)), "{order:?}");
    }
    // Or no vertex has many more neighbours than the others: 2.25 times the mean of 512 are 1,152. A group has a rank. By ids, at
    // most a quarter of the entries may join ids near each other.
    let even = |order, max_degree, found| {
        let facts = bits_of_12(10_000);
        let summary = facts.summary.map(|of| Summary { max_degree, ..of });
        let near = Some(Share { sampled: 1_000, found });
        self::in_bins(order, EntryFacts { summary, near, ..facts })
    };
    let by_ids = |max_degree| even(Order::Ids, max_degree, 250);
    assert_eq!([by_ids(1_152), by_ids(1_153)], [true, false]);
    let of = [even(Order::Ids, 1_152, 251), even(Order::Degrees, 1_152, 251)];
    assert_eq!(of, [false, true]);
    assert!(!even(Order::MinHash, 1_152, 0) && !even(first, 1_152, 0));
    // A group has 64 ranks, and 55% of the room for 15,872 keys are 8,729: 136 keys of each, but not 137. By degrees, that
    // is the root of the mean degree, of 16 entries a vertex, times the wedges: 300 are 69 keys of each.
    let wide = |wedges| with(1 << 20, 1 << 16, wedges, 1 << 16);
    assert_eq!([136, 137].map(|wedges| in_bins(Order::Ids, wide(wedges))), [true, false]);
    assert!(in_bins(Order::Degrees, wide(300)));
    // Of a sixteenth of the vertices that have edges, the mean is 256.
    let few_filled = |wedges| with(1 << 20, 1 << 16, wedges, 1 << 12);
    assert_eq!([72, 73].map(|wedges| in_bins(Order::Degrees, few_filled(wedges))), [true, false]);
    // 2²⁶ entries of 2²⁰ ranks: 16,384 groups of 64 ranks. With 76 wedges 4,864 keys are foreseen in the largest, and
    // 6,096 bins; with 78, 4,992 and 6,168. By degrees the root of 64 · 0 is nothing, and 5,120 bins of 15,872 keys are as many as may be.
    let large = |wedges| with(1 << 26, 1 << 20, wedges, 1 << 20);
    assert_eq!([76, 78].map(|wedges| in_bins(Order::Ids, large(wedges))), [true, false]);
    let full =
        [5_120 * 15_872, 5_120 * 15_872 + 1].map(|entries| with(entries, 1 << 20, 0, 1 << 20));
    assert_eq!(full.map(|facts| in_bins(Order::Degrees, facts)), [true, false]);
    // 2²⁵ entries of 2²⁵ ranks: a key less the first of its bin has more than 32 bits. 3,473 bins, and 4,096 windows.
    assert!(!in_bins(Order::Ids, with(1 << 25, 1 << 25, 0, 1 << 24)));
    assert!(in_bins(Order::Ids, with(1 << 24, 1 << 25, 0, 1 << 24)));
    // A key has room for 25 bits of a rank.
    assert!(!in_bins(Order::Ids, with(1 << 24, (1 << 25) + 1, 0, 1 << 24)));
}

/// Every border of the bins of sorted keys, from both sides.
#[test]
fn keys_are_sorted_by_groups_where_there_are_too_many_bins() {
    // The bits that are sorted by: two passes of eight, two of nine, or three of eight.
    let bits = |order, facts: EntryFacts| match key_sort(&facts, order) {
        Ok(Chosen { choice: KeySort::SortedBins { passes }, .. }) => passes.bits(),
        Ok(_) => 0,
        Err(missing) => panic!("{missing:?} is there"),
    };
    let with = |entries: u64, vertices: u64, wedges: u64, max_degree: u64| {
        let wedges = u128::from(wedges) * u128::from(entries);
        let summary = Summary { vertices, edges: entries, wedges, max_degree, ..FLAT_SUMMARY };
        EntryFacts { entries, vertices, summary: Some(summary), ..FACTS }
    };
    // 2²⁶ entries of 2²³ ranks: the key has 24 bits of a rank, and after two passes of eight bits a group has 256 of them. 2,416 keys of a
    // group may be foreseen, which are 9 of each rank.
    let large = |wedges, max_degree| with(1 << 26, 1 << 23, wedges, max_degree);
    assert_eq!([9, 10].map(|wedges| bits(Order::Ids, large(wedges, 1_000))), [16, 18]);
    // There are 8 on average, for which 20 wedges and 45 neighbours are flat: the last group has 16 of each rank.
    assert_eq!([45, 46].map(|most| bits(Order::Ids, large(20, most))), [16, 18]);
    assert_eq!(bits(Order::Degrees, large(20, 45)), 0);
    // Of 2²⁵ ranks and flat: 5,315 keys may be foreseen, and five standard deviations are 5 · √(512 · 40). The mean row may have 4.49 keys.
    let flat = |entries| bits(Order::Ids, with(entries, 1 << 24, 20, 40));
    assert_eq!([75_000_000, 76_000_000].map(flat), [16, 18]);
    // Where the largest degree is at most 4.5 times the wedges, a group of 256 rows has at most 1 + 5/16 times the mean, which may be 55%
    // of the room: 4,049 keys of the mean one, and 15 of each rank.
    let even = [(15, 67), (15, 68), (16, 67)].map(|(wedges, most)| large(wedges, most));
    assert_eq!(even.map(|facts| bits(Order::Ids, facts)), [16, 18, 18]);
    assert_eq!(bits(Order::Degrees, large(15, 67)), 0);
    // After two passes of nine bits a group has 64 ranks: 37 keys of each may be foreseen.
    assert_eq!([37, 38].map(|wedges| bits(Order::Ids, large(wedges, 1_000))), [18, 24]);
    // A third pass pays from 32 wedges on, or where ids have more than 24 bits.
    let wide = |of_id: u32| bits(Order::Ids, with(1 << 27, 1 << of_id, 20, 1_000));
    assert_eq!([24, 25].map(wide), [0, 24]);
    let last = |wedges| bits(Order::Ids, with(1 << 27, 1 << 24, wedges, 1_000));
    assert_eq!([31, 32].map(last), [0, 24]);
    // By wedges.
    for order in [Order::Ids, Order::MinHash] {
        let found = [200, 201].map(|wedges| bits(order, large(wedges, 500)));
        assert_eq!(found, [24, 0], "{order:?}");
    }
    // In the order of neighbourhoods, a row's heads are near each other.
    assert_eq!([512, 513].map(|most| bits(Order::MinHash, large(40, most))), [24, 0]);
    // So they are in the rows of vertices that are no hubs, and the wedges of hubs do not count.
    let hubs = |most_degree| Order::HubsFirst { most_degree, neighbours: 9 };
    // With more than 24 bits of a rank there are no quantiles.
    let wide = |most_degree| bits(hubs(most_degree), with(1 << 26, 1 << 25, 9_000, 5_000));
    assert_eq!([512, 513].map(wide), [24, 0]);
    // Where no vertex has many more neighbours than the others, the wedges do not count either. A group of one row may take 55%
    // of the room for 15,872 keys.
    let dense = |most| bits(Order::Degrees, with(1 << 26, 1 << 15, 4_095, most));
    assert_eq!([8_729, 8_730, 9_217].map(dense), [16, 0, 0]);
    // What a block has no room for.
    let shared = |bytes| EntryFacts { most_shared_bytes: bytes, ..large(9, 1_000) };
    let found = [MOST_SHARED_BYTES, MOST_SHARED_BYTES - 1].map(shared);
    assert_eq!(found.map(|facts| bits(Order::Ids, facts)), [16, 0]);
    // After three passes a group has 64 of 2²⁹ ranks, and 128 of 2³⁰: 2,416 keys are 37 and 18 of each.
    let sparse = |vertices| bits(Order::Ids, with(1 << 26, vertices, 32, 1_000));
    assert_eq!([1 << 29, 1 << 30].map(sparse), [24, 0]);
}

/// Every border of the quantiles, from both sides.
#[test]
fn keys_are_sorted_by_quantiles_where_degrees_differ() {
    let in_quantiles = |order, facts: EntryFacts| match key_sort(&facts, order) {
        Ok(chosen) => chosen.choice == KeySort::Quantiles,
        Err(missing) => panic!("{missing:?} is there"),
    };
    let with = |entries: u64, vertices: u64, wedges: u64| {
        let wedges = u128::from(wedges) * u128::from(entries);
        let max_degree = 1_000_000;
        let summary = Summary { vertices, edges: entries, wedges, max_degree, ..FLAT_SUMMARY };
        EntryFacts { entries, vertices, summary: Some(summary), ..FACTS }
    };
    let by_degrees = |facts| in_quantiles(Order::Degrees, facts);
    let large = |wedges| with(1 << 26, 1 << 22, wedges);
    // The wedges of the largest vertex do not count.
    let of_largest = 1_000_000 * 999_999 / 2 / (1 << 26);
    assert_eq!(
        [12_000, 12_001].map(|wedges| by_degrees(large(of_largest + wedges))),
        [true, false]
    );
    // Rows of the root of 128 · 8,000 are foreseen, and of 512 · 8,000.
    let rows = [1 << 19, 1 << 17].map(|vertices| with(1 << 26, vertices, of_largest + 8_000));
    assert_eq!(rows.map(by_degrees), [true, false]);
    let least = [MIN_ENTRIES_QUANTILES, MIN_ENTRIES_QUANTILES - 1];
    let of_largest = 1_000_000 * 999_999 / 2 / MIN_ENTRIES_QUANTILES;
    let few = |entries| by_degrees(with(entries, 1 << 19, of_largest + 9_000));
    assert_eq!(least.map(few), [true, false]);
    let entries = [4_400 * 65_535, 4_401 * 65_535].map(|entries| with(entries, 1 << 24, 9_000));
    assert_eq!(entries.map(by_degrees), [true, false]);
    let vertices = [1 << 24, (1 << 24) + 1].map(|vertices| with(1 << 26, vertices, 9_000));
    assert_eq!(vertices.map(by_degrees), [true, false]);
    // Ranks are in the order of degrees, or those of hubs are.
    for order in [Order::Ids, Order::MinHash] {
        assert!(!in_quantiles(order, large(9_000)), "{order:?}");
    }
    let hubs = |most_degree| Order::HubsFirst { most_degree, neighbours: 9 };
    let found = [512, 513].map(|most| in_quantiles(hubs(most), large(9_000)));
    assert_eq!(found, [true, false]);
    // By degrees, neighbours have ranks near each other where wedges close.
    let closed =
        |closed| EntryFacts { landmarks: landmarks([closed, 0, 0, 0, 0, 0]), ..large(9_000) };
    assert_eq!([99, 100].map(|share| by_degrees(closed(share))), [true, false]);
    let shared = |bytes| EntryFacts { most_shared_bytes: bytes, ..large(9_000) };
    let found = [MOST_SHARED_BYTES, MOST_SHARED_BYTES - 1].map(shared);
    assert_eq!(found.map(by_degrees), [true, false]);
}

#[test]
fn sorted_groups_have_few_ranks_and_self_loops_none_of_them() {
    let around = |vertices: u64| vertices.saturating_sub(1)..vertices + 2;
    for vertices in (1..=29).flat_map(|bits| around(1 << bits)) {
        for (entries, passes) in
            [1, 1 << 22, 1 << 25, 1 << 31].into_iter().zip(SortPasses::OF_GROUPS)
        {
            let Some(of) = SortedGroups::of(entries, vertices, passes) else {
                assert!(rank_bits(vertices) + 1 > passes.bits() + 13, "{vertices}, {passes:?}");
                continue;
            };
            let SortedGroups { rank_bits, groups, shift, value_bits, window, .. } = of;
            let of_loops = ((1u64 << rank_bits) - 1) >> shift;
            assert!(vertices == 0 || (vertices - 1) >> shift < of_loops, "{vertices}, {passes:?}");
            assert_eq!(u64::from(groups), vertices.div_ceil(1 << shift).max(1));
            let first_bit = KeySort::SortedBins { passes }.first_bit(rank_bits);
            assert_eq!(first_bit, rank_bits + shift);
            assert!(2 * rank_bits - first_bit <= passes.bits());
            let ranks = u64::from(window) << shift;
            assert!(window > 0 && ranks <= u64::from(MOST_RANKS), "{vertices}, {passes:?}");
            assert!(value_bits == 64 || ranks << rank_bits <= 1 << 32, "{vertices}, {passes:?}");
        }
    }
}

#[test]
fn groups_have_few_keys_and_bins_few_ranks() {
    for bits in 1..=25 {
        for entries in [1, 1 << 10, 1 << 20, 30_000_000, 1 << 31] {
            let GroupsOfRanks { groups, shift, value_bits, window } =
                GroupsOfRanks::of(entries, bits);
            assert!(u64::from(groups) << shift >= 1 << bits, "{bits} bits");
            assert!(groups <= MOST_GROUPS && window > 0, "{bits} bits");
            // A bin starts at any group.
            let ranks = u64::from(window) << shift;
            assert!(ranks <= u64::from(MOST_RANKS), "{bits} bits");
            assert!(value_bits == 64 || ranks << bits <= 1 << 32, "{bits} bits");
        }
    }
    // 8 groups to a bin: 2²⁰ · 8 / 15,872 are 529. With 24 bits and two entries a rank, 256 ranks are too few for a bin.
    let of = |entries, bits| {
        let GroupsOfRanks { groups, shift, value_bits, window } = GroupsOfRanks::of(entries, bits);
        (groups, shift, value_bits, window)
    };
    assert_eq!(of(1 << 20, 16), (1 << 10, 6, 32, 128));
    assert_eq!(of(1 << 25, 24), (1 << 14, 10, 64, 8));
}

#[test]
fn large_graphs_with_short_rows_are_sorted_by_tails() {
    // 2²² vertices: 22 bits, 2 of the head beside the tail's.
    const FACTS: EntryFacts = EntryFacts { vertices: 1 << 22, ..super::FACTS };
    let vertices = FACTS.vertices;
    for (entries, expected) in [
        (0, KeySort::Whole),
        (MIN_ENTRIES - 1, KeySort::Whole),
        (MIN_ENTRIES, KeySort::Tails),
        (20 * vertices, KeySort::Tails),
        (20 * vertices + 1, KeySort::Whole),
    ] {
        let summary = Some(Summary { edges: entries, wedges: 0, ..FLAT_SUMMARY });
        assert_eq!(sorted(EntryFacts { entries, summary, ..FACTS }), expected, "{entries}");
    }
    // 17 to 19 bits leave 5 to 7 for the head, 16 and 20 do not.
    for (bits, tails) in [(16, false), (17, true), (19, true), (20, false), (25, true)] {
        let facts = |entries| EntryFacts { entries, vertices: 1 << bits, ..FACTS };
        assert_eq!(sorted(facts(128 << bits)) == KeySort::Tails, tails, "{bits} bits");
        assert_eq!(sorted(facts((128 << bits) + 1)), KeySort::Whole, "{bits} bits");
    }
    // With those, most wedges may be a hub's.
    for (bits, most) in [(22, 400), (19, 700)] {
        let [few, many] = [0, 1].map(|more| {
            let wedges = most * u128::from(MIN_ENTRIES) + more;
            let summary = Some(Summary { wedges, max_degree: 0, ..FLAT_SUMMARY });
            sorted(EntryFacts { vertices: 1 << bits, summary, ..FACTS })
        });
        assert_eq!([few, many], [KeySort::Tails, KeySort::Whole], "{bits} bits");
    }
    let wedges = |wedges| {
        let summary = Some(Summary { wedges, max_degree: 0, ..FLAT_SUMMARY });
        EntryFacts { summary, ..FACTS }
    };
    assert_eq!(sorted(wedges(400 * u128::from(MIN_ENTRIES))), KeySort::Tails);
    assert_eq!(sorted(wedges(400 * u128::from(MIN_ENTRIES) + 1)), KeySort::Whole);
    let first = Order::HubsFirst { most_degree: 9, neighbours: 9 };
    for (order, most) in [(Order::Ids, 400), (Order::MinHash, 64), (first, 64)] {
        let [few, many] = [0, 1].map(|more| wedges(most * u128::from(MIN_ENTRIES) + more));
        let found = [few, many].map(|facts| sorted_in(order, facts));
        assert_eq!(found, [KeySort::Tails, KeySort::Whole], "{order:?}");
    }
    // The row of the largest vertex is empty if it comes first: 10 · 9/2 wedges are none.
    let largest = |order, more| {
        let wedges = 400 * u128::from(MIN_ENTRIES) + more;
        let summary = Some(Summary { wedges, max_degree: 10, ..FLAT_SUMMARY });
        sorted_in(order, EntryFacts { summary, ..FACTS })
    };
    assert_eq!(largest(Order::Degrees, 45), KeySort::Tails);
    assert_eq!(largest(Order::Degrees, 46), KeySort::Whole);
    assert_eq!(largest(Order::Ids, 1), KeySort::Whole);
    let loops = |self_loops| EntryFacts { self_loops: Some(self_loops), ..FACTS };
    assert_eq!(sorted(loops(u64::from(MOST_STEPS))), KeySort::Tails);
    assert_eq!(sorted(loops(u64::from(MOST_STEPS) + 1)), KeySort::Whole);
}

#[test]
fn a_sort_by_tails_takes_all_bits_of_its_passes() {
    for rank_bits in 1..=32 {
        let sorted = 2 * rank_bits - KeySort::Tails.first_bit(rank_bits);
        assert!(sorted >= rank_bits);
        assert!(sorted.is_multiple_of(8) || sorted == 2 * rank_bits, "{rank_bits} bits");
        assert_eq!(KeySort::Whole.first_bit(rank_bits), 0);
    }
}
