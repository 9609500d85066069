//! The hybrid engine with cut-offs injected so that small graphs reach every class and every border
//! between classes, against brute force and the merge: in the emulator always, and on a GPU where
//! there is one.

use testkit::generators;

use proptest::prelude::*;
use testkit::devices::in_groups;
use testkit::generators::clique;
use testkit::oracle::brute_force;
use testkit::{devices, effort};
use tribin_gpu::counting::hybrid::{ClassSizes, HybridCount, count_within};
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::counting::{
    CountShape, CountingSettings, FilterSettings, GroupSettings, HubSettings, MatrixSettings,
    MergeSettings, RowBits, SegmentSettings, TableSettings,
};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Device};

/// Everything that can have a group has one; the rest is searched.
pub const ALL_GROUPED: CountingSettings = CountingSettings {
    sample_step: 31,
    groups: Some(GROUPS),
    merge: Some(MergeSettings { search_min_entries: 0 }),
    ..CountingSettings::MERGE_ONLY
};

/// The groups of [`ALL_GROUPED`].
pub const GROUPS: GroupSettings = GroupSettings {
    row_bits: ROW_BITS,
    hubs: None,
    min_wedges: 0,
    more_wedges: 0,
    hub_permille: 0,
    high_max_permille: u32::MAX,
    high_wedges: None,
    segments_permille: 1_000,
    min_grouped_permille: 0,
    small_edges: 0,
};

/// How the groups of [`ALL_GROUPED`] are made.
pub const ROW_BITS: RowBits = RowBits {
    ranks: u32::MAX,
    exact: 57_344,
    filter_log2: 13,
    min_edges: 1,
    min_row: 1,
    chunk: 1_024,
    stream_lanes_log2: 3,
    block: 64,
    blocks_per_multiprocessor: 2,
    search_lanes_log2: 2,
};

/// Edges among so many hubs are a matrix, however few they are.
pub const fn hubs(hubs: u32) -> HubSettings {
    HubSettings { hubs, lanes_log2: 1, min_edges: 0, min_permille: 0 }
}

/// [`ALL_GROUPED`] with other groups.
pub fn grouped(groups: GroupSettings) -> CountingSettings {
    CountingSettings { groups: Some(groups), ..ALL_GROUPED }
}

/// [`ALL_GROUPED`] with groups that are made in another way.
pub fn by_row_bits(row_bits: RowBits) -> CountingSettings {
    grouped(GroupSettings { row_bits, ..GROUPS })
}

/// No edge has a group, and rows are merged as segments, whatever their entries are.
pub const SEGMENTS: CountingSettings =
    CountingSettings { groups: None, segments: Some(EVERY_SEGMENT), ..ALL_GROUPED };

/// The segments of [`SEGMENTS`].
pub const EVERY_SEGMENT: SegmentSettings = SegmentSettings {
    min_wedges: 0,
    min_saved: 0,
    min_joined_permille: 0,
    head_joined_permille: 0,
};

/// The rows of heads are looked up in tables.
const TABLES: CountingSettings = CountingSettings {
    tables: Some(TableSettings {
        min_steps: 0,
        joined_steps: 0,
        even_permille: 1_000,
        max_uneven_permille: u32::MAX,
        max_entries_permille: u32::MAX,
        segments_permille: 0,
    }),
    ..ALL_GROUPED
};

/// All ranks are a matrix of bits where it takes no more memory than groups, however long it takes.
pub const MATRIX: CountingSettings = CountingSettings {
    sample_step: 1,
    matrix: Some(MatrixSettings { min_edges: 0, max_permille: u32::MAX }),
    ..ALL_GROUPED
};

/// No edge has a group, and all rows are taken for short ones: few bits for each tell the edges apart,
/// unless most ranks are near.
pub const BYTES: CountingSettings =
    CountingSettings { groups: None, filters: Some(FEW_BITS), ..ALL_GROUPED };

/// The filters of [`BYTES`].
pub const FEW_BITS: FilterSettings =
    FilterSettings { min_edges: 0, max_permille: u32::MAX, max_wedges: u32::MAX };

/// [`BYTES`] with other filters.
pub fn filtered(filters: FilterSettings) -> CountingSettings {
    CountingSettings { filters: Some(filters), ..BYTES }
}

/// The oriented graph of raw edges, which a merge counts right.
pub fn oriented<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
) -> DeviceGraph<D> {
    let graph = crate::methods::oriented::oriented(device, edges);
    let merged =
        CountShape::default().count(device, &graph, &mut device.record().unwrap()).unwrap();
    assert_eq!(merged, brute_force(edges), "forward_merge");
    graph
}

/// Counts by `settings`, which must agree with brute force.
pub fn check<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    triangles: u64,
    settings: &CountingSettings,
) -> HybridCount {
    let found = count_within(device, graph, &in_groups(settings), u64::MAX).unwrap().0;
    let HybridCount { counted, edges, .. } = found;
    assert_eq!(counted.triangles, triangles, "{settings:?}, {edges:?}");
    // Either way of choosing from the graph's wedges, and from what a sample finds.
    let ways = [(0, u32::MAX), (4, u32::MAX), (u32::MAX, u32::MAX), (0, 0)];
    for (at, (min_wedges, high_max_permille)) in ways.into_iter().enumerate() {
        if !effort::takes(at + triangles as usize, 4) {
            continue;
        }
        let changed = |groups| GroupSettings { min_wedges, high_max_permille, ..groups };
        let settings = CountingSettings { groups: settings.groups.map(changed), ..*settings };
        let (count, _) = count_within(device, graph, &settings, u64::MAX).unwrap();
        assert_eq!(count.counted.triangles, triangles, "{settings:?}");
    }
    let in_classes = edges.slots + edges.listed + edges.in_place;
    assert!(in_classes <= graph.edges, "{edges:?} of {}", graph.edges);
    found
}

/// One cut-off moved at a time, to where the small graphs above have it cross.
fn all_settings() -> Vec<CountingSettings> {
    let mut settings = vec![
        ALL_GROUPED,
        CountingSettings::MEASURED,
        by_row_bits(RowBits { ranks: 50, min_edges: 4, chunk: 7, ..ROW_BITS }),
        by_row_bits(RowBits { min_edges: 9, ..ROW_BITS }),
        by_row_bits(RowBits { ranks: 33, min_edges: 2, min_row: 3, ..ROW_BITS }),
        by_row_bits(RowBits { ranks: 1, ..ROW_BITS }),
        grouped(GroupSettings {
            row_bits: RowBits { ranks: 64, ..ROW_BITS },
            min_grouped_permille: 500,
            ..GROUPS
        }),
        CountingSettings {
            sample_step: 3,
            ..filtered(FilterSettings { min_edges: 20, max_permille: 800, max_wedges: 2 })
        },
        filtered(FilterSettings { max_permille: 0, ..FEW_BITS }),
        filtered(FilterSettings { min_edges: 30, max_permille: 500, max_wedges: 3 }),
        BYTES,
        SEGMENTS,
        TABLES,
        MATRIX,
        CountingSettings {
            segments: Some(SegmentSettings {
                min_wedges: 3,
                min_saved: 1,
                min_joined_permille: 300,
                ..EVERY_SEGMENT
            }),
            ..SEGMENTS
        },
        CountingSettings {
            segments: SEGMENTS.segments,
            ..grouped(GroupSettings {
                row_bits: RowBits { exact: 20, filter_log2: 6, ..ROW_BITS },
                high_max_permille: 100,
                high_wedges: Some(2),
                ..GROUPS
            })
        },
        grouped(GroupSettings { hubs: Some(hubs(512)), ..GROUPS }),
        grouped(GroupSettings {
            hubs: Some(HubSettings { lanes_log2: 3, ..hubs(512) }),
            row_bits: RowBits { min_edges: 4, chunk: 5, ..ROW_BITS },
            ..GROUPS
        }),
        grouped(GroupSettings {
            hubs: Some(HubSettings { min_edges: 700, min_permille: 30, ..hubs(1_024) }),
            ..GROUPS
        }),
        by_row_bits(RowBits { block: 128, stream_lanes_log2: 5, chunk: 3, ..ROW_BITS }),
    ];
    // Filters of one code, of a few that collide, and the border between them and the exact ranks.
    settings.extend([(0, 0), (0, 4), (1, 3), (33, 2), (65_535, 0), (0, 16), (65, 5)].map(
        |(exact, filter_log2)| by_row_bits(RowBits { exact, filter_log2, chunk: 16, ..ROW_BITS }),
    ));
    settings.extend([1, 2, 7, 1 << 15].map(|chunk| by_row_bits(RowBits { chunk, ..ROW_BITS })));
    settings.extend((0..=5).map(|lanes| {
        by_row_bits(RowBits {
            ranks: 20,
            stream_lanes_log2: lanes,
            search_lanes_log2: lanes,
            ..ROW_BITS
        })
    }));
    settings
}

/// Each graph with one in `share` of the settings in a quick run, and each of them on one in `share` graphs.
fn check_everything<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    let graphs = generators::of_many_shapes(&[3, 8, 9, 31, 32, 33, 64, 65, 100]);
    for (number, (name, edges)) in graphs.into_iter().enumerate() {
        println!("{name}");
        let graph = oriented(device, &edges);
        let triangles = brute_force(&edges);
        for (at, settings) in all_settings().iter().enumerate() {
            if effort::takes(number + at, share) {
                check(device, &graph, triangles, settings);
            }
        }
    }
}

#[test]
fn all_settings_count_the_same_in_the_emulator() {
    if let Some(emulator) = devices::emulated(1) {
        check_everything(&emulator, 12);
    }
}

#[test]
fn all_settings_count_the_same_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_everything(&gpu, 1);
    }
}

/// In a clique of n every rank is a row: rank a has n - 1 - a edges, of which the one from a + 1 is
/// at place a of its row. Rows of rank 0 are empty, and the first edge of a row has no prefix.
#[test]
fn the_classes_of_a_clique_are_those_of_its_ranks() {
    let Some(device) = devices::emulated(2) else { return };
    let n = 20u64;
    let graph = oriented(&device, &clique(n as u32));
    let triangles = n * (n - 1) * (n - 2) / 6;
    // Edges of head a with a prefix and a row: all n - 1 - a, where a > 0.
    let edges_of = |heads: std::ops::Range<u64>| heads.map(|a| n - 1 - a).sum::<u64>();
    let sizes = check(&device, &graph, triangles, &ALL_GROUPED).edges;
    assert_eq!(sizes, ClassSizes { slots: edges_of(1..n), items: n - 2, ..ClassSizes::default() });

    // Heads 1 to 6 are below the cut.
    let cut = by_row_bits(RowBits { ranks: 7, chunk: 4, ..ROW_BITS });
    let sizes = check(&device, &graph, triangles, &cut).edges;
    let expected = ClassSizes {
        slots: edges_of(1..7),
        items: (1..7).map(|a: u64| (n - 1 - a).div_ceil(4)).sum(),
        listed: edges_of(7..n),
        ..ClassSizes::default()
    };
    assert_eq!(sizes, expected);

    // At least 10 edges: heads up to 9. A row of at least 3: heads from 3.
    let cut = by_row_bits(RowBits { min_edges: 10, min_row: 3, ..ROW_BITS });
    let sizes = check(&device, &graph, triangles, &cut).edges;
    assert_eq!((sizes.slots, sizes.listed), (edges_of(3..10), edges_of(1..3) + edges_of(10..n)));

    // The share of the grouped edges decides, and equal is enough.
    let permille = |permille| grouped(GroupSettings { min_grouped_permille: permille, ..GROUPS });
    let in_groups = edges_of(1..n) * 1_000;
    assert_eq!(in_groups % (n * (n - 1) / 2), 0, "the share is whole permille");
    let share = (in_groups / (n * (n - 1) / 2)) as u32;
    assert_eq!(check(&device, &graph, triangles, &permille(share)).edges.in_place, 0);
    let in_place = check(&device, &graph, triangles, &permille(share + 1)).edges.in_place;
    assert_eq!(in_place, n * (n - 1) / 2);
}

/// Every rank of 66,000 has a row and edges, on both sides of what 16 bits hold and of `exact`.
#[test]
fn ranks_past_sixteen_bits_are_counted() {
    let Some(device) = devices::emulated(3) else { return };
    let leaves = 66_000u32;
    // Vertices of one degree are ranked by id: a ring of chords gives every rank a row.
    let edges: Vec<[u32; 2]> =
        (0..leaves).flat_map(|v| [[v, (v + 1) % leaves], [v, (v + 2) % leaves]]).collect();
    let graph = oriented(&device, &edges);
    let edges = 2 * u64::from(leaves);
    for (exact, filter_log2) in [(57_344, 13), (65_535, 0)] {
        let settings = by_row_bits(RowBits { exact, filter_log2, chunk: 1 << 15, ..ROW_BITS });
        let found = count_within(&device, &graph, &in_groups(&settings), u64::MAX).unwrap().0;
        let HybridCount { counted, edges: sizes, .. } = found;
        assert_eq!(counted.triangles, u64::from(leaves));
        // All but the edges of rank 0, whose row is empty.
        assert!(sizes.slots > edges - 10 && sizes.listed == 0, "{sizes:?}");
    }
}

/// A graph that the CPU prepared comes without degrees.
#[test]
fn groups_are_found_without_degrees() {
    let Some(device) = devices::emulated(4) else { return };
    let edges = generators::rmat(8, 16, 7);
    let mut graph = oriented(&device, &edges);
    let with_degrees = check(&device, &graph, brute_force(&edges), &ALL_GROUPED).edges;
    graph.degree_of_rank = Buffer::uninitialized(&device, 0).unwrap();
    let without = check(&device, &graph, brute_force(&edges), &ALL_GROUPED).edges;
    assert_eq!(without, with_degrees);
}

fn any_settings() -> impl Strategy<Value = CountingSettings> {
    let ranks = prop_oneof![1u32..80, Just(u32::MAX)];
    let bits = prop_oneof![(0u32..80, 0u32..5), Just((57_344, 13))];
    let max_wedges = prop_oneof![0u32..8, Just(u32::MAX)];
    let filter = (0u32..200, max_wedges, 1u32..9, 0u32..2_000);
    let segments = (0u32..6, 0u32..1_002, 0u32..3_000, 0u32..1_002);
    (
        (ranks, bits),
        1u32..12,
        1u32..6,
        0u32..1_001,
        1u32..9,
        0u32..6,
        (0u32..6, filter, segments),
        (1u32..9, prop::option::of(0u32..8)),
        1u32..4,
    )
        .prop_map(
            |(
                (ranks, (exact, filter_log2)),
                min_edges,
                min_row,
                share,
                chunk,
                stream,
                (search, filter, segments),
                (high_wedges, table_min_steps),
                warps,
            )| {
                let (filter_min_edges, max_wedges, sample_step, filter) = filter;
                let row_bits = RowBits {
                    ranks,
                    exact,
                    filter_log2,
                    min_edges,
                    min_row,
                    chunk,
                    stream_lanes_log2: stream,
                    block: warps * 32,
                    blocks_per_multiprocessor: 1,
                    search_lanes_log2: search,
                };
                CountingSettings {
                    sample_step,
                    matrix: None,
                    tables: table_min_steps.map(|min_steps| TableSettings {
                        min_steps,
                        joined_steps: 5,
                        even_permille: 1_100,
                        max_uneven_permille: 3_000,
                        max_entries_permille: 4_000,
                        segments_permille: 500,
                    }),
                    groups: Some(GroupSettings {
                        row_bits,
                        high_wedges: Some(high_wedges),
                        segments_permille: 700,
                        min_grouped_permille: share,
                        small_edges: segments.2,
                        ..GROUPS
                    }),
                    filters: Some(FilterSettings {
                        min_edges: filter_min_edges,
                        max_permille: filter,
                        max_wedges,
                    }),
                    segments: Some(SegmentSettings {
                        min_wedges: segments.0,
                        min_saved: 1,
                        min_joined_permille: segments.1,
                        head_joined_permille: segments.3,
                    }),
                    merge: Some(MergeSettings { search_min_entries: search }),
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(64)))]

    #[test]
    fn any_settings_count_any_graph(
        edges in prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..70), 1..500),
            prop::collection::vec([0u32..8, 0u32..70], 1..300),
            prop::collection::vec(prop::array::uniform2(0u32..20), 1..300),
        ],
        settings in any_settings(),
        seed in 0u64..1000,
    ) {
        let device = Emulator::with(Config::seeded(seed));
        let graph = oriented(&device, &edges);
        check(&device, &graph, brute_force(&edges), &settings);
    }
}
