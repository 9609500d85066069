use super::super::bins::{GroupsOfRanks, SortedGroups};
use super::super::key_sort::*;
use super::*;
use crate::graph::rank_bits;
use tribin_kernels::row_bins::{MOST_GROUPS, MOST_RANKS, MOST_SHARED_BYTES};

/// `entries` between `vertices`, of which all have edges, with wedges for each entry; one vertex has many more neighbours than the
/// others.
fn with(entries: u64, vertices: u64, wedges: u64) -> EntryFacts {
    let wedges = u128::from(wedges) * u128::from(entries);
    let max_degree = 1 << 20;
    let summary = Summary { vertices, edges: entries, wedges, max_degree, ..FLAT_SUMMARY };
    EntryFacts { entries, vertices, summary, ..FACTS }
}

/// Each sort where its rule holds, and where it just does not.
#[test]
fn each_sort_is_taken_by_its_rule() {
    let sort = |order, facts: EntryFacts| key_sort(&facts, order).choice;
    let [_, eights, nines, thrice] =
        SortedGroups::PASSES.map(|passes| KeySort::SortedBins { passes });
    let many = 1 << 26;
    for (order, facts, expected) in [
        // Short rows go into bins, by wedges.
        (Order::Ids, with(1 << 20, 1 << 12, 200), true),
        (Order::Ids, with(1 << 20, 1 << 12, 201), false),
        (Order::Ids, with((1 << 20) - 1, 1 << 16, 40), false),
        // A key has room for 25 bits of a rank, and less the first of its bin for 32.
        (Order::Ids, with(1 << 24, 1 << 25, 0), true),
        (Order::Ids, with(1 << 24, (1 << 25) + 1, 0), false),
        (Order::Ids, with(1 << 25, 1 << 25, 0), false),
    ] {
        assert_eq!(sort(order, facts) == KeySort::Bins, expected, "{facts:?}");
    }
    // Where there are too many bins, keys are sorted by groups: the more wedges, the smaller these are.
    for (order, facts, expected) in [
        (Order::Ids, with(many, 1 << 23, 9), eights),
        (Order::Ids, with(many, 1 << 23, 10), nines),
        (Order::Ids, with(many, 1 << 23, 38), thrice),
        (Order::Ids, with(many, 1 << 29, 32), thrice),
    ] {
        assert_eq!(sort(order, facts), expected, "{facts:?}");
    }
    // Where degrees differ much, by both ranks.
    let of_largest = (1u64 << 39) / many;
    let skewed = with(many, 1 << 22, of_largest + 9_000);
    for order in [Order::Degrees, Order::Ids] {
        assert_eq!(sort(order, skewed), KeySort::Whole);
    }
    // What a block has no room for is not chosen.
    for facts in [with(1 << 20, 1 << 16, 40), with(many, 1 << 23, 9)] {
        let shared = |bytes| EntryFacts { most_shared_bytes: bytes, ..facts };
        let fits = sort(Order::Ids, shared(MOST_SHARED_BYTES));
        assert_eq!(fits, sort(Order::Ids, facts));
        assert_ne!(sort(Order::Ids, shared(MOST_SHARED_BYTES - 1)), fits);
    }
}

#[test]
fn sorted_groups_have_few_ranks_and_self_loops_none_of_them() {
    let around = |vertices: u64| vertices.saturating_sub(1)..vertices + 2;
    for vertices in (1..=29).flat_map(|bits| around(1 << bits)) {
        for (entries, passes) in
            [1, 1 << 22, 1 << 25, 1 << 31].into_iter().zip(SortedGroups::PASSES)
        {
            let Some(of) = SortedGroups::of(entries, vertices, passes) else {
                assert!(rank_bits(vertices) + 1 > passes.bits() + 13, "{vertices}, {passes:?}");
                continue;
            };
            let SortedGroups { rank_bits, groups, shift, value_bits, window, .. } = of;
            let of_loops = ((1u64 << rank_bits) - 1) >> shift;
            assert!(vertices == 0 || (vertices - 1) >> shift < of_loops, "{vertices}, {passes:?}");
            assert_eq!(u64::from(groups), vertices.div_ceil(1 << shift).max(1));
            assert!(rank_bits - shift <= passes.bits());
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
