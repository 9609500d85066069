use super::filters::*;
use super::groups::*;
use super::segments::*;
use super::tables::*;
use super::*;
use crate::facts::{OfFirstRanks, Sample};

/// All edges of rows of one length, with 40 wedges for each edge.
const SAMPLE: Sample = Sample {
    edges: 2_000,
    wedges: 80_000,
    rows: 25,
    hub_edges: 0,
    sampled: 2_000,
    sampled_wedges: 10_000,
    triangles: 0,
    high_triangles: 0,
    near: 0,
    joined: 0,
    joined_wedges: 0,
    matrix_reads: 0,
    head_entries: 0,
    of_first: [OfFirstRanks { wedges: 0, triangles: 0 }; 3],
};

const GROUPS: GroupSettings = GroupSettings {
    min_wedges: 25,
    more_wedges: 0,
    high_wedges: Some(40),
    small_edges: 0,
    ..GroupSettings::MEASURED
};

const FILTERS: FilterSettings =
    FilterSettings { max_permille: 900, max_wedges: u32::MAX, ..FilterSettings::MEASURED };

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
    filters: Some(FILTERS),
    segments: Some(SEGMENTED),
    ..CountingSettings::MEASURED
};

/// Whether edges are brought into groups, by the graph's wedges and what the sample found.
fn grouping_pays(sample: &Sample, settings: &GroupSettings) -> bool {
    grouping(sample, settings).iter().all(|check| check.holds)
}

/// Whether filters pay: of few bits a row, for rows that are short whatever wedges they have, or of 64 bytes, for rows that
/// are not.
fn filtering_pays(sample: &Sample, filters: &FilterSettings, few_bits: bool) -> bool {
    let filters = FilterSettings {
        min_edges: 0,
        narrow_min_edges: 0,
        narrow_max_wedges: if few_bits { u32::MAX } else { 0 },
        ..*filters
    };
    let settings = CountingSettings { filters: Some(filters), ..SETTINGS };
    let facts = CountingFacts { sample: *sample, ranks: 0, grouped: None, settings };
    let checks = if few_bits { few_bits_pay(&facts) } else { filters_pay(&facts) };
    checks.iter().all(|check| check.holds)
}

fn merged(search: bool) -> Counting {
    Counting::InPlace(InPlace::Merge(CountShape { search, ..CountShape::default() }))
}

#[test]
fn grouping_takes_enough_wedges() {
    let with = |wedges| Sample { wedges, ..SAMPLE };
    assert!(grouping_pays(&with(25 * 2_000), &GROUPS));
    assert!(!grouping_pays(&with(25 * 2_000 - 1), &GROUPS));
}

/// Edges of unlike rows are searched where the rows of the heads of 2,000 sampled edges have 14 entries or more.
#[test]
fn edges_of_unlike_rows_are_searched() {
    let choice = |head_entries| {
        let sample = Sample { head_entries, ..SAMPLE };
        let facts = CountingFacts { sample, ranks: 0, grouped: None, settings: SETTINGS };
        in_place(&facts, u64::MAX).choice
    };
    assert_eq!([choice(28_000), choice(27_999)], [true, false].map(merged));
}

/// In a sample of 10,000 wedges, 30 of 1,000 may close high where the rows are of one length, which
/// 2 · wedges · rows = edges² says; and more where they are not, or have more wedges.
#[test]
fn unequal_and_long_rows_are_worth_more_high_triangles() {
    let check = |sample: Sample, high_wedges, most| {
        let settings = GroupSettings { high_wedges: Some(high_wedges), ..GROUPS };
        let pays = |high| grouping_pays(&Sample { high_triangles: high, ..sample }, &settings);
        assert!(pays(0) && pays(most) && !pays(most + 1), "{sample:?}, {high_wedges}");
    };
    let with = |wedges, rows| Sample { wedges, rows, ..SAMPLE };
    for (rows, most) in [(25, 300), (50, 600), (100, 1_200)] {
        check(with(80_000, rows), 40, most);
    }
    for (wedges, rows, most) in
        [(50_000, 40, 300), (80_000, 25, 300), (100_000, 20, 375), (200_000, 10, 750)]
    {
        check(with(wedges, rows), 40, most);
    }
    // 40 are as many as 40 and as 41, and more than 39.
    for (high_wedges, most) in [(41, 300), (40, 300), (39, 307), (20, 600), (1, 12_000)] {
        check(with(80_000, 25), high_wedges, most);
    }
}

/// Rows have fewer than 2²⁰ entries.
#[test]
fn the_largest_graph_has_no_more_wedges_than_the_sums_hold() {
    let edges = (1 << 32) - 1;
    let triangles = edges << 20;
    let sample = Sample {
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
    let filters = FilterSettings { max_permille: u32::MAX, ..FILTERS };
    let segments_pay = |segments| segments_pay(&sample, &with_segments(segments));
    assert!(grouping_pays(&sample, &groups) && segments_pay(segments));
    assert!(filtering_pays(&sample, &filters, false) && !filtering_pays(&sample, &filters, true));
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

/// Segments save, of 40 steps along each row of an edge, as large a share as is joined beyond 30%.
#[test]
fn segments_save_enough_steps() {
    let pays = |wedges, joined_wedges, min_saved| {
        let sample = Sample { wedges, joined_wedges, head_entries: 80_000, ..SAMPLE };
        let segments = SegmentSettings { head_joined_permille: 300, min_saved, ..SEGMENTED };
        segments_pay(&sample, &with_segments(segments))
    };
    assert!(pays(80_000, 8_000, 40) && !pays(80_000, 7_999, 40) && !pays(80_000, 8_000, 41));
    // All are joined, three tenths, and fewer, which would take longer than entries do.
    assert!(pays(80_000, 10_000, 56) && !pays(80_000, 10_000, 57));
    assert!(pays(80_000, 3_000, 0) && !pays(80_000, 3_000, 1) && !pays(80_000, 0, 1));
    // As few wedges as make segments of no use.
    assert!(!pays(79_999, 10_000, 1));
}

/// SAMPLE has 40 steps along the tails' rows. Of these as large a share is saved as is joined beyond 30%, and beyond 10% of
/// those along the heads' rows: none, as many, and three times as many.
#[test]
fn fewer_have_to_be_joined_where_heads_have_long_rows() {
    let segments = SegmentSettings { head_joined_permille: 100, min_saved: 1, ..SEGMENTED };
    let settings = with_segments(segments);
    let pays = |head_entries, joined_wedges| {
        segments_pay(&Sample { head_entries, joined_wedges, ..SAMPLE }, &settings)
    };
    for (head_entries, least) in [(0, 3_250), (80_000, 2_125), (240_000, 1_563)] {
        assert!(pays(head_entries, least) && !pays(head_entries, least - 1), "{head_entries}");
    }
}

fn tables_pay(facts: &CountingFacts) -> bool {
    tables(facts).iter().all(|check| check.holds)
}

/// SAMPLE with all wedges looked at, and as many entries of heads' rows.
fn for_tables(min_steps: u32) -> CountingFacts {
    let sample = Sample { sampled_wedges: 80_000, head_entries: 80_000, ..SAMPLE };
    let settings =
        CountingSettings { tables: Some(TableSettings { min_steps, ..TABLES }), ..SETTINGS };
    CountingFacts { sample, ranks: 300, grouped: None, settings }
}

/// There are 40 steps along each row of an edge, or 30 where the heads' rows are half as long.
#[test]
fn tables_take_enough_steps() {
    let half = |least| {
        let facts = for_tables(least);
        let sample = Sample { head_entries: 40_000, ..facts.sample };
        CountingFacts { sample, ..facts }
    };
    assert!(tables_pay(&half(30)) && !tables_pay(&half(31)));
    assert!(tables_pay(&for_tables(40)) && !tables_pay(&for_tables(41)));
    let with = |sample| CountingFacts { sample, ..for_tables(20) };
    let base = for_tables(20).sample;
    // A fifth of the wedges joined asks for 20 more.
    let joined = |joined_wedges| with(Sample { joined_wedges, ..base });
    assert!(tables_pay(&joined(16_000)) && !tables_pay(&joined(16_001)));
    // Parts of a step count: 39.98 are enough where 39.95 are asked for.
    let parts = |joined_wedges| with(Sample { joined_wedges, head_entries: 79_920, ..base });
    assert!(tables_pay(&parts(15_960)) && !tables_pay(&parts(16_000)));
    // The mean row of an edge twice as long as the mean row asks for twice as many, and more is too uneven.
    let rows =
        |rows| CountingFacts { settings: for_tables(0).settings, ..with(Sample { rows, ..base }) };
    assert!(tables_pay(&rows(50)) && !tables_pay(&rows(51)));
    let uneven = |least| CountingFacts { sample: rows(50).sample, ..for_tables(least) };
    assert!(tables_pay(&uneven(20)) && !tables_pay(&uneven(21)));
    let even = |least| {
        let facts = uneven(least);
        let tables = TableSettings { min_steps: least, even_permille: 1_600, ..TABLES };
        let settings = CountingSettings { tables: Some(tables), ..facts.settings };
        CountingFacts { settings, ..facts }
    };
    assert!(tables_pay(&even(32)) && !tables_pay(&even(33)));
}

/// With as many entries of the head's row as wedges, filters take 10 ps and 2 for each wedge, and tables 35 and a half.
#[test]
fn tables_come_before_filters_where_these_take_longer() {
    let facts = |wedges_an_edge: u64| {
        let wedges = 2_000 * wedges_an_edge;
        let of_sample = Sample { wedges, sampled_wedges: wedges, head_entries: wedges, ..SAMPLE };
        let filters = FilterSettings { min_edges: 0, narrow_max_wedges: 0, ..FILTERS };
        let settings = CountingSettings { filters: Some(filters), ..for_tables(1).settings };
        // Rows of one length.
        let sample = Sample { rows: 2_000 * 2_000 / (2 * wedges), ..of_sample };
        CountingFacts { sample, settings, ..for_tables(1) }
    };
    assert!(tables_pay(&facts(20)) && !tables_pay(&facts(10)));
    let without = |wedges_an_edge| {
        let facts = facts(wedges_an_edge);
        let filters = FilterSettings { min_edges: 2_001, narrow_max_wedges: 0, ..FILTERS };
        let settings = CountingSettings { filters: Some(filters), ..facts.settings };
        CountingFacts { settings, ..facts }
    };
    assert!(tables_pay(&without(10)));
}

#[test]
fn tables_take_few_entries_and_ranks_and_no_segments() {
    let base = for_tables(20);
    let entries =
        |head_entries| CountingFacts { sample: Sample { head_entries, ..base.sample }, ..base };
    assert!(tables_pay(&entries(120_000)) && !tables_pay(&entries(120_001)));
    let ranks = |ranks| CountingFacts { ranks, ..base };
    assert!(
        tables_pay(&ranks(RowTables::MOST_RANKS)) && !tables_pay(&ranks(RowTables::MOST_RANKS + 1))
    );
    // Eight tenths of the wedges are joined: 16 of 80 steps are left, and 39 ps an edge. Tables take 55 ps, and more where rows
    // are unequal one and a half times.
    let joined = Sample { joined_wedges: 64_000, ..base.sample };
    let with = |sample, segments_permille| {
        let tables = TableSettings { joined_steps: 0, segments_permille, ..TABLES };
        let settings = CountingSettings { tables: Some(tables), ..base.settings };
        CountingFacts { sample, settings, ..base }
    };
    assert!(tables_pay(&with(joined, 1_411)) && !tables_pay(&with(joined, 1_410)));
    let uneven = Sample { rows: joined.rows * 6 / 4, ..joined };
    assert_eq!(uneven.inequality_permille(), 1_480);
    assert!(tables_pay(&with(uneven, 1_547)) && !tables_pay(&with(uneven, 1_546)));
    // Heads' rows of six entries for each wedge: 56 steps are left and count twice, and tables take 155 ps.
    let longer = |segments_permille| {
        let facts = with(Sample { head_entries: 480_000, ..joined }, segments_permille);
        let tables = facts
            .settings
            .tables
            .map(|tables| TableSettings { max_entries_permille: u32::MAX, ..tables });
        CountingFacts { settings: CountingSettings { tables, ..facts.settings }, ..facts }
    };
    assert!(tables_pay(&longer(1_149)) && !tables_pay(&longer(1_148)));
    // Segments that do not pay are no reason, and none that are switched off.
    let facts = with(joined, 0);
    let segments = SegmentSettings { min_wedges: u32::MAX, ..SEGMENTED };
    for segments in [Some(segments), None] {
        let settings = CountingSettings { segments, ..facts.settings };
        assert!(tables_pay(&CountingFacts { settings, ..facts }));
    }
}

/// A tenth of the edges among hubs makes groups pay as soon as they ever do; half of that, half-way from 65 to 25 wedges.
#[test]
fn groups_take_fewer_wedges_where_edges_are_among_hubs() {
    let settings = GroupSettings { more_wedges: 40, hub_permille: 100, ..GROUPS };
    let pays = |hub_edges, wedges: u64| {
        grouping_pays(&Sample { hub_edges, wedges: wedges * 2_000, ..SAMPLE }, &settings)
    };
    for (hub_edges, least) in [(0, 65), (100, 45), (150, 35), (200, 25), (2_000, 25)] {
        assert!(pays(hub_edges, least) && !pays(hub_edges, least - 1), "{hub_edges}");
    }
}

#[test]
fn filters_take_few_wedges() {
    let settings = FilterSettings { max_wedges: 40, ..FILTERS };
    let pays = |wedges| filtering_pays(&Sample { wedges, ..SAMPLE }, &settings, false);
    assert!(pays(80_000) && !pays(80_001));
}

/// Filters of 64 bytes take at most 22 bytes an edge.
#[test]
fn filters_take_enough_edges_for_each_rank() {
    let filters = FilterSettings { min_edges: 0, narrow_max_wedges: 0, ..FILTERS };
    let settings = CountingSettings { filters: Some(filters), ..SETTINGS };
    let pays = |ranks| {
        let facts = CountingFacts { sample: SAMPLE, ranks, grouped: None, settings };
        filters_pay(&facts).iter().all(|check| check.holds)
    };
    assert!(pays(687) && !pays(688));
}

/// As few of the first ranks have a bit of their own as leave at most 0.3 triangles for each edge, and at most half as many again as
/// 8 wedges. Of 2,000 edges with 40 wedges each 10,000 wedges were looked at, so that twelve wedges an
/// edge are 3,000 of them.
#[test]
fn the_first_ranks_have_a_bit_each_where_that_leaves_few_wedges_and_triangles() {
    let settings = FilterSettings { narrow_max_wedges: 8, ..FILTERS };
    let exact = |wedges: [u64; 3], triangles: [u64; 3]| {
        let of = |k| OfFirstRanks { wedges: wedges[k], triangles: triangles[k] };
        let sample = Sample { triangles: 5_000, of_first: std::array::from_fn(of), ..SAMPLE };
        exact_ranks_of_few_bits(&sample, &settings)
    };
    assert_eq!(exact([7_000; 3], [4_400; 3]), 1);
    assert_eq!(exact([6_999, 7_000, 7_000], [4_400; 3]), 4);
    assert_eq!(exact([7_000; 3], [4_399, 4_399, 4_400]), 16);
    assert_eq!(exact([7_000; 3], [4_399; 3]), 0);
    assert_eq!(exact([6_999; 3], [4_400; 3]), 0);
    // None of them where few triangles are left without: at most 0.3 of an edge.
    let of_first = [OfFirstRanks { wedges: 10_000, triangles: 1_800 }; 3];
    let few = |triangles| Sample { triangles, of_first, ..SAMPLE };
    let of_few_bits = |triangles| exact_ranks_of_few_bits(&few(triangles), &settings);
    assert_eq!([600, 601].map(of_few_bits), [0, 1]);
}

#[test]
fn filters_take_few_triangles_and_few_near_edges() {
    let pays = |triangles, near, sparse| {
        filtering_pays(&Sample { triangles, near, ..SAMPLE }, &FILTERS, sparse)
    };
    assert!(pays(1_800, 2_000, false) && !pays(1_801, 0, false));
    assert!(pays(600, 1_000, true) && !pays(601, 1_000, true) && !pays(600, 1_001, true));
    // SAMPLE has 80,000 wedges: filters of few bits take one for two ranks.
    let of_ranks = |ranks| {
        let filters =
            FilterSettings { narrow_min_edges: 0, narrow_max_wedges: u32::MAX, ..FILTERS };
        let settings = CountingSettings { filters: Some(filters), ..SETTINGS };
        let facts = CountingFacts { sample: SAMPLE, ranks, grouped: None, settings };
        few_bits_pay(&facts).iter().all(|check| check.holds)
    };
    assert!(of_ranks(160_000) && !of_ranks(160_001));
}

/// A uniform random graph of 20,000 ranks, with this number of edges.
fn dense(edges: u64) -> CountingFacts {
    let ranks = 20_000;
    let sample = Sample {
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
    let skewed = Sample { matrix_reads: 2_000 * 10, ..dense.sample };
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
    let of_filters = FilterSettings {
        min_edges: 2_000,
        max_permille: 0,
        narrow_min_edges: 2_000,
        narrow_max_permille: 0,
        narrow_max_wedges: 39,
        ..FILTERS
    };
    let base = CountingSettings { groups: Some(of_groups), filters: Some(of_filters), ..SETTINGS };
    let with_groups = |groups| CountingSettings { groups: Some(groups), ..base };
    let with_filters = |filters| CountingSettings { filters: Some(filters), ..base };
    let taken = |sample: Sample, ranks, grouped, settings: CountingSettings, free| {
        counting(&CountingFacts { sample, ranks, grouped, settings }, free).name
    };
    let usual = |sample| taken(sample, 300, None, base, u64::MAX);
    let groups = "groups by head";
    assert_eq!(usual(SAMPLE), groups);
    assert_eq!(usual(Sample { wedges: 79_999, ..SAMPLE }), "filters of 64 bytes a row");
    // Tables come before groups.
    assert_eq!(counting(&for_tables(40), u64::MAX).name, "tables of rows");
    assert_eq!(counting(&for_tables(41), u64::MAX).name, groups);
    // Groups that turned out to be too few.
    let found = |grouped| taken(SAMPLE, 300, Some(grouped), base, u64::MAX);
    assert_eq!((found(1_000), found(999)), (groups, "filters of 64 bytes a row"));
    // 39 wedges an edge are told by few bits, and more take 64 bytes.
    let in_place = Sample { wedges: 79_999, ..SAMPLE };
    let short = Sample { wedges: 78_000, ..SAMPLE };
    assert_eq!(usual(short), "filters of few bits a row");
    assert_eq!(usual(Sample { wedges: 78_001, ..SAMPLE }), "filters of 64 bytes a row");
    // Too few edges for filters, and one triangle too many.
    let few_bits = |narrow_min_edges| {
        let settings = with_filters(FilterSettings { narrow_min_edges, ..of_filters });
        taken(short, 300, None, settings, u64::MAX)
    };
    assert_eq!(few_bits(2_000), "filters of few bits a row");
    assert_eq!(few_bits(2_001), "merge in place");
    let more = with_filters(FilterSettings { min_edges: 2_001, ..of_filters });
    assert_eq!(taken(in_place, 300, None, more, u64::MAX), "merge in place");
    assert_eq!(usual(Sample { triangles: 1, ..in_place }), "merge in place");
    // Segments come after filters and before the merge.
    let close = Sample { triangles: 1, high_triangles: 1, head_entries: 50_000, ..SAMPLE };
    let saving = Sample { joined_wedges: 8_000, ..close };
    assert_eq!(usual(saving), "segments of 32 ranks");
    assert_eq!(usual(Sample { joined_wedges: 7_999, ..close }), "merge in place");
    // Where most wedges close, segments come before groups.
    let closing = |triangles| {
        let sample = Sample { high_triangles: 0, triangles, ..saving };
        taken(sample, 300, None, base, u64::MAX)
    };
    assert_eq!((closing(8_001), closing(8_000)), ("segments of 32 ranks", groups));
    // A small graph has segments instead of groups.
    let joined = Sample { high_triangles: 0, ..saving };
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
    assert_eq!(fits(&facts), (groups, Some("filters of 64 bytes a row")));
    let facts = CountingFacts { sample: in_place, ..facts };
    assert_eq!(fits(&facts), ("filters of 64 bytes a row", Some("merge in place")));
    let facts = CountingFacts { sample: short, ..facts };
    assert_eq!(fits(&facts), ("filters of few bits a row", Some("merge in place")));
    let facts = CountingFacts { sample: saving, ..facts };
    assert_eq!(fits(&facts), ("segments of 32 ranks", Some("merge in place")));
}

#[test]
fn a_method_without_settings_is_never_chosen() {
    for sample in [SAMPLE, Sample { wedges: 100, ..SAMPLE }, dense(50_000_000).sample] {
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
    let sample = Sample {
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
        (InPlace::BloomFilters(BloomFilters), 10.0 + 2.0 * 40.0),
        (SEGMENTS, 23.0 + 80.0),
    ] {
        let seconds = method.seconds(&facts).sum();
        assert!((seconds - 1e-3 * ms - 2e-4).abs() < 1e-9, "{method:?}: {seconds}");
    }
}
