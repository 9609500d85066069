use super::filters::*;
use super::groups::*;
use super::segments::*;
use super::tables::*;
use super::*;
use crate::plan::facts::{OfFirstRanks, WedgeSample};

/// All edges of rows of one length, with 40 wedges for each edge.
const SAMPLE: WedgeSample = WedgeSample {
    edges: 2_000,
    wedges: 80_000,
    rows: 25,
    sampled: 2_000,
    sampled_wedges: 10_000,
    ..WedgeSample::NONE
};

const GROUPS: GroupSettings = GroupSettings {
    min_wedges: 25,
    more_wedges: 0,
    high_wedges: Some(40),
    small_edges: 0,
    ..GroupSettings::MEASURED
};

const SEGMENTED: SegmentSettings = SegmentSettings {
    min_wedges: 40,
    min_saved: 40,
    min_joined_permille: 300,
    head_joined_permille: 0,
};

const TABLES: TableSettings = TableSettings {
    min_steps: 20,
    joined_steps: 100,
    even_permille: 1_000,
    max_uneven_permille: 2_000,
    max_entries_permille: 1_500,
    segments_permille: 1_000,
};

const SETTINGS: CountingSettings = CountingSettings {
    tables: None,
    groups: Some(GROUPS),
    segments: Some(SEGMENTED),
    ..CountingSettings::MEASURED
};

/// Whether edges are brought into groups, by the graph's wedges and what the sample found.
fn grouping_pays(sample: &WedgeSample, settings: &GroupSettings) -> bool {
    grouping(sample, settings).iter().all(|check| check.holds)
}

/// Whether filters pay, for rows that are short whatever wedges they have.
fn filtering_pays(sample: &WedgeSample, max_permille: u32) -> bool {
    let filters = FilterSettings { min_edges: 0, max_permille, max_wedges: u32::MAX };
    let settings = CountingSettings { filters: Some(filters), ..SETTINGS };
    let facts = CountingFacts { sample: *sample, ranks: 0, grouped: None, settings };
    few_bits_pay(&facts).iter().all(|check| check.holds)
}

fn merged(search: bool) -> Counting {
    Counting::InPlace(InPlace::Merge(CountShape { search }))
}

/// Edges of unlike rows are searched where the rows of the heads of 2,000 sampled edges have 14 entries or more.
#[test]
fn edges_of_unlike_rows_are_searched() {
    let choice = |head_entries| {
        let sample = WedgeSample { head_entries, ..SAMPLE };
        let settings = CountingSettings { matrix: None, tables: None, groups: None, ..SETTINGS };
        counting(&CountingFacts { sample, ranks: 100, grouped: None, settings }, u64::MAX).choice
    };
    assert_eq!([choice(28_000), choice(27_999)], [true, false].map(merged));
}

/// Rows have fewer than 2²⁰ entries.
#[test]
fn the_largest_graph_has_no_more_wedges_than_the_sums_hold() {
    let edges = (1 << 32) - 1;
    let triangles = edges << 20;
    let sample = WedgeSample {
        edges,
        wedges: edges << 19,
        rows: edges,
        hub_edges: edges,
        sampled: edges,
        sampled_wedges: triangles,
        triangles,
        high_triangles: triangles,
        near: edges,
        joined: edges,
        joined_wedges: triangles,
        matrix_reads: edges << 25,
        head_entries: edges << 20,
        of_first: [OfFirstRanks { wedges: triangles, triangles }; 3],
    };
    let groups = GroupSettings {
        min_wedges: 1 << 19,
        high_max_permille: u32::MAX,
        high_wedges: Some(u32::MAX),
        ..GROUPS
    };
    let segments = SegmentSettings {
        min_wedges: 1 << 19,
        min_saved: 0,
        min_joined_permille: 1_000,
        head_joined_permille: 1_000,
    };
    let segments_pay = |segments| segments_pay(&sample, &with_segments(segments));
    assert!(grouping_pays(&sample, &groups) && segments_pay(segments));
    let apart = WedgeSample { near: 0, ..sample };
    assert!(filtering_pays(&apart, u32::MAX) && !filtering_pays(&sample, u32::MAX));
    let hubs = HubSettings { min_permille: 1_000, ..HubSettings::MEASURED };
    assert_eq!(hub_matrix_edges(&sample, Some(hubs)), edges);
    assert!(!grouping_pays(&sample, &GroupSettings { min_wedges: u32::MAX, ..groups }));
    assert!(!segments_pay(SegmentSettings { min_wedges: u32::MAX, ..segments }));
    let joined = SegmentSettings { min_joined_permille: u32::MAX, min_saved: 1, ..segments };
    assert!(!segments_pay(joined));
}

fn with_segments(segments: SegmentSettings) -> CountingSettings {
    CountingSettings { segments: Some(segments), ..SETTINGS }
}

fn tables_pay(facts: &CountingFacts) -> bool {
    tables(facts).iter().all(|check| check.holds)
}

/// SAMPLE with all wedges looked at, and as many entries of heads' rows.
fn for_tables(min_steps: u32) -> CountingFacts {
    let sample = WedgeSample { sampled_wedges: 80_000, head_entries: 80_000, ..SAMPLE };
    let settings =
        CountingSettings { tables: Some(TableSettings { min_steps, ..TABLES }), ..SETTINGS };
    CountingFacts { sample, ranks: 300, grouped: None, settings }
}

#[test]
fn tables_take_as_many_ranks_as_they_have_bits_for() {
    let ranks = |ranks| CountingFacts { ranks, ..for_tables(20) };
    assert!(
        tables_pay(&ranks(RowTables::MOST_RANKS)) && !tables_pay(&ranks(RowTables::MOST_RANKS + 1))
    );
}

/// A uniform random graph of 20,000 ranks, with this number of edges.
fn dense(edges: u64) -> CountingFacts {
    let ranks = 20_000;
    let sample = WedgeSample {
        edges,
        // Row u has a share of u that is the graph's density.
        wedges: edges * edges / ranks * 2 / 3,
        rows: ranks,
        hub_edges: edges * 671 / 1_000,
        matrix_reads: 2_000 * 52,
        ..SAMPLE
    };
    CountingFacts { sample, ranks, grouped: None, settings: CountingSettings::MEASURED }
}

#[test]
fn dense_graphs_are_a_matrix_of_bits() {
    let taken = |facts: &CountingFacts| counting(facts, u64::MAX);
    let by = |facts: &CountingFacts| match taken(facts).choice {
        Counting::InPlace(InPlace::BitMatrix(BitMatrix { by })) => Some(by),
        _ => None,
    };
    let of_pairs = |permille: u64| dense(200_000 * permille);
    assert_eq!(by(&of_pairs(250)), Some(Product::TensorBits));
    // Heads of low ranks have short rows.
    let dense = of_pairs(250);
    let skewed = WedgeSample { matrix_reads: 2_000 * 10, ..dense.sample };
    let popcount = Product::CommonBits { lanes_log2: 3 };
    assert_eq!(by(&CountingFacts { sample: skewed, ..dense }), Some(popcount));
    // The matrix has 32,768 rows, 134 MB: 14 bytes for each of 9.6 million edges.
    let reason = |facts: &CountingFacts| {
        let chosen = taken(facts);
        let rejected = chosen.rejected.iter().find(|rule| rule.name == "a matrix of bits");
        rejected.map_or(String::new(), |rule| {
            rule.because.iter().map(|reason| format!("{reason}; ")).collect()
        })
    };
    assert!(!reason(&of_pairs(48)).contains("bytes"));
    let of_memory = reason(&of_pairs(47));
    assert!(of_memory.starts_with("134223872 bytes"), "{of_memory}");
    // As many ranks as a matrix has rows, and one more.
    let ranks = |ranks| CountingFacts { ranks, ..of_pairs(3_000) };
    assert!(by(&ranks(65_536)).is_some());
    assert_eq!(reason(&ranks(65_537)), "65537 ranks, at most 65536; ");
    // As many edges as are asked for, and one less.
    let with = |matrix| {
        let facts = of_pairs(250);
        let settings = CountingSettings { matrix: Some(matrix), ..facts.settings };
        CountingFacts { settings, ..facts }
    };
    let measured = MatrixSettings::MEASURED;
    let least = |min_edges| with(MatrixSettings { min_edges, ..measured });
    assert!(by(&least(50_000_000)).is_some() && by(&least(50_000_001)).is_none());
    // As long as it may take, and less.
    let most = |max_permille| with(MatrixSettings { max_permille, ..measured });
    let borders: Vec<u32> = (1..1_000).filter(|&n| by(&most(n)).is_some()).collect();
    let first = borders[0];
    assert!(borders.into_iter().eq(first..1_000) && (70..80).contains(&first), "{first}");
}

/// Every border between the rules, from both sides: what changes, and which rule is taken.
#[test]
fn the_rules_are_taken_in_their_order() {
    // 40 wedges an edge, none closing, nothing joined.
    let of_groups =
        GroupSettings { min_wedges: 40, high_max_permille: 0, min_grouped_permille: 500, ..GROUPS };
    let of_filters = FilterSettings { min_edges: 2_000, max_permille: 0, max_wedges: 39 };
    let base = CountingSettings { groups: Some(of_groups), filters: Some(of_filters), ..SETTINGS };
    let with_groups = |groups| CountingSettings { groups: Some(groups), ..base };
    let with_filters = |filters| CountingSettings { filters: Some(filters), ..base };
    let taken = |sample: WedgeSample, ranks, grouped, settings: CountingSettings, free| {
        counting(&CountingFacts { sample, ranks, grouped, settings }, free).name
    };
    let usual = |sample| taken(sample, 300, None, base, u64::MAX);
    let groups = "groups by head";
    assert_eq!(usual(SAMPLE), groups);
    assert_eq!(usual(WedgeSample { wedges: 79_999, ..SAMPLE }), "merge in place");
    // Tables come before groups.
    assert_eq!(counting(&for_tables(40), u64::MAX).name, "tables of rows");
    assert_eq!(counting(&for_tables(41), u64::MAX).name, groups);
    // Groups that turned out to be too few.
    let found = |grouped| taken(SAMPLE, 300, Some(grouped), base, u64::MAX);
    assert_eq!((found(1_000), found(999)), (groups, "merge in place"));
    // 39 wedges an edge are told by few bits, and more are not.
    let short = WedgeSample { wedges: 78_000, ..SAMPLE };
    assert_eq!(usual(short), "filters of few bits a row");
    assert_eq!(usual(WedgeSample { wedges: 78_001, ..SAMPLE }), "merge in place");
    // Too few edges for filters, and one triangle too many.
    let few_bits = |min_edges| {
        let settings = with_filters(FilterSettings { min_edges, ..of_filters });
        taken(short, 300, None, settings, u64::MAX)
    };
    assert_eq!(few_bits(2_000), "filters of few bits a row");
    assert_eq!(few_bits(2_001), "merge in place");
    assert_eq!(usual(WedgeSample { triangles: 1, ..short }), "merge in place");
    // Segments come after filters and before the merge.
    let close = WedgeSample { triangles: 1, high_triangles: 1, head_entries: 50_000, ..SAMPLE };
    let saving = WedgeSample { joined_wedges: 8_000, ..close };
    assert_eq!(usual(saving), "segments of 32 ranks");
    assert_eq!(usual(WedgeSample { joined_wedges: 7_999, ..close }), "merge in place");
    // Where most wedges close, segments come before groups.
    let closing = |triangles| {
        let sample = WedgeSample { high_triangles: 0, triangles, ..saving };
        taken(sample, 300, None, base, u64::MAX)
    };
    assert_eq!((closing(8_001), closing(8_000)), ("segments of 32 ranks", groups));
    // A small graph has segments instead of groups.
    let joined = WedgeSample { high_triangles: 0, ..saving };
    let small = |small_edges| {
        let settings = with_groups(GroupSettings { small_edges, ..of_groups });
        taken(joined, 300, None, settings, u64::MAX)
    };
    assert_eq!((small(2_000), small(1_999)), ("segments of 32 ranks", groups));
    // Each rule takes its memory, or the next is taken.
    let fits = |facts: &CountingFacts| {
        let bytes = counting(facts, u64::MAX).bytes;
        (counting(facts, bytes).name, bytes.checked_sub(1).map(|less| counting(facts, less).name))
    };
    let facts = CountingFacts { sample: SAMPLE, ranks: 300, grouped: None, settings: base };
    assert_eq!(fits(&facts), (groups, Some("merge in place")));
    let facts = CountingFacts { sample: short, ..facts };
    assert_eq!(fits(&facts), ("filters of few bits a row", Some("merge in place")));
    let facts = CountingFacts { sample: saving, ..facts };
    assert_eq!(fits(&facts), ("segments of 32 ranks", Some("merge in place")));
}

#[test]
fn a_method_without_settings_is_never_chosen() {
    for sample in [SAMPLE, WedgeSample { wedges: 100, ..SAMPLE }, dense(50_000_000).sample] {
        let settings = CountingSettings::MERGE_ONLY;
        let facts = CountingFacts { sample, ranks: 20_000, grouped: None, settings };
        let chosen = counting(&facts, u64::MAX);
        assert_eq!(chosen.choice, merged(false));
        let why =
            |because: &[Reason]| because.iter().any(|r| r.to_string() == "it is switched off");
        assert!(chosen.rejected.iter().all(|rejected| why(&rejected.because)));
    }
}

/// A billion edges, so that a picosecond an edge is a millisecond, with 40 steps along each row and rows of which nothing is joined.
#[test]
fn a_method_is_predicted_to_take_what_it_is_chosen_by() {
    let edges = 1_000_000_000;
    let sample = WedgeSample {
        edges,
        wedges: 40 * edges,
        sampled_wedges: 80_000,
        head_entries: 80_000,
        ..SAMPLE
    };
    let facts = CountingFacts { sample, ranks: 300, grouped: None, settings: SETTINGS };
    let tables = RowTables::for_rows(sample.row_of_edges(), 300);
    for (method, ms) in [
        (InPlace::RowTables(tables), 35.0 + 40.0 / 2.0),
        (InPlace::Segments(Segments), 23.0 + 80.0),
    ] {
        let seconds = method.seconds(&facts).sum();
        assert!((seconds - 1e-3 * ms - 2e-4).abs() < 1e-9, "{method:?}: {seconds}");
    }
}
