//! The hybrid engine with cut-offs injected so that small graphs reach every class and every border
//! between classes, against brute force and the merge: in the emulator always, and on a GPU where
//! there is one.

use testkit::generators;

use proptest::prelude::*;
use testkit::generators::clique;
use testkit::oracle::brute_force;
use testkit::{devices, effort};
use tribin::count::hybrid::{ClassSizes, HybridCount, count, count_oriented};
use tribin::graph::DeviceGraph;
use tribin::methods::forward::gpu::CountShape;
use tribin::methods::{Method, hub_product, row_bits};
use tribin::plan::Tuning;
use tribin::prepare::gpu::decide::orient;
use tribin::prepare::gpu::rows::clean;
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::{Buffer, Device};

/// Everything that can have a group has one; the rest is searched.
pub const ALL_GROUPED: Tuning = Tuning {
    hub_product: hub_product::Tuning { hubs: 0, lanes_log2: 1 },
    row_bits: row_bits::Tuning {
        ranks: u32::MAX,
        exact: 57_344,
        filter_log2: 13,
        min_edges: 1,
        min_row: 1,
        chunk: 1_024,
        stream_lanes_log2: 3,
        block: 64,
        blocks_per_multiprocessor: 2,
        merge_max: 0,
        search_lanes_log2: 2,
        bins_min_edges: u32::MAX,
    },
    hub_min_edges: 0,
    hub_min_permille: 0,
    matrix_min_edges: u32::MAX,
    matrix_max_permille: 0,
    group_min_wedges: 0,
    group_more_wedges: 0,
    group_hub_permille: 0,
    high_max_permille: u32::MAX,
    high_wedges: u32::MAX,
    grouped_min_permille: 0,
    filter_min_edges: u32::MAX,
    narrow_min_edges: u32::MAX,
    narrow_max_wedges: 0,
    sample_step: 31,
    filter_max_permille: u32::MAX,
    narrow_max_permille: 0,
    filter_max_wedges: u32::MAX,
    segment_min_wedges: u32::MAX,
    segment_min_saved: u32::MAX,
    segment_min_joined_permille: 0,
    segment_head_joined_permille: 0,
    merge_small_edges: 0,
    table_min_steps: u32::MAX,
    table_joined_steps: 0,
    table_even_permille: 1_000,
    table_max_uneven_permille: u32::MAX,
    group_segments_permille: 1_000,
    table_max_entries_permille: u32::MAX,
    table_segments_permille: 0,
    merge_long_wedges: 3,
    search_min_entries: 0,
    search_min_entries_permille: 0,
};

/// No edge has a group, and rows are merged as segments, whatever their entries are.
pub const SEGMENTS: Tuning = Tuning {
    grouped_min_permille: 1_001,
    segment_min_wedges: 0,
    segment_min_saved: 0,
    ..ALL_GROUPED
};

/// The rows of heads are looked up in tables.
const TABLES: Tuning = Tuning { table_min_steps: 0, ..ALL_GROUPED };

/// All ranks are a matrix of bits where it takes no more memory than groups, however long it takes.
pub const MATRIX: Tuning =
    Tuning { matrix_min_edges: 0, matrix_max_permille: u32::MAX, sample_step: 1, ..ALL_GROUPED };

/// No edge has a group, and all rows are taken for short ones: few bits for each tell the edges apart,
/// unless most ranks are near.
pub const BYTES: Tuning = Tuning {
    grouped_min_permille: 1_001,
    filter_min_edges: 0,
    narrow_min_edges: 0,
    narrow_max_wedges: u32::MAX,
    filter_max_permille: 0,
    narrow_max_permille: u32::MAX,
    ..ALL_GROUPED
};

pub fn oriented<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
) -> DeviceGraph<D> {
    let bound = edges.iter().flatten().max().map_or(0, |&v| u64::from(v) + 1);
    let mut entries = Buffer::uninitialized(device, edges.len() as u64).unwrap();
    entries.upload_bytes(device, 0, bytemuck::cast_slice(edges)).unwrap();
    let keys = orient(device, entries, bound).unwrap();
    let graph = clean(device, keys).unwrap();
    let merged = CountShape::default().count(device, &graph, &()).unwrap();
    assert_eq!(merged, brute_force(edges), "forward_merge");
    graph
}

/// Counts by `tuning`, which must agree with brute force.
pub fn check<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    triangles: u64,
    tuning: &Tuning,
) -> HybridCount {
    let found = count_oriented(device, graph, tuning).unwrap();
    let HybridCount { triangles: counted, edges, .. } = found;
    assert_eq!(counted, triangles, "{tuning:?}, {edges:?}");
    // Either way of choosing from the graph's wedges, and from what a sample finds.
    let ways = [(0, u32::MAX), (4, u32::MAX), (u32::MAX, u32::MAX), (0, 0)];
    for (at, (group_min_wedges, high_max_permille)) in ways.into_iter().enumerate() {
        if !effort::takes(at + triangles as usize, 4) {
            continue;
        }
        let tuning = Tuning { group_min_wedges, high_max_permille, ..*tuning };
        assert_eq!(count(device, graph, &tuning).unwrap().triangles, triangles, "{tuning:?}");
    }
    let in_classes = edges.slots + edges.merged + edges.searched + edges.in_place;
    assert!(in_classes <= graph.edges, "{edges:?} of {}", graph.edges);
    found
}

/// One cut-off moved at a time, to where the small graphs above have it cross.
fn tunings() -> Vec<Tuning> {
    let mut tunings = vec![
        ALL_GROUPED,
        Tuning::for_compute_capability(9, 0),
        Tuning {
            row_bits: row_bits::Tuning { bins_min_edges: 0, ..ALL_GROUPED.row_bits },
            ..ALL_GROUPED
        },
        Tuning {
            row_bits: row_bits::Tuning {
                ranks: 50,
                min_edges: 4,
                chunk: 7,
                bins_min_edges: 0,
                ..ALL_GROUPED.row_bits
            },
            ..ALL_GROUPED
        },
        Tuning {
            row_bits: row_bits::Tuning { min_edges: 9, merge_max: 12, ..ALL_GROUPED.row_bits },
            ..ALL_GROUPED
        },
        Tuning {
            row_bits: row_bits::Tuning {
                ranks: 33,
                min_edges: 2,
                min_row: 3,
                merge_max: 8,
                ..ALL_GROUPED.row_bits
            },
            ..ALL_GROUPED
        },
        Tuning {
            row_bits: row_bits::Tuning { ranks: 1, merge_max: u32::MAX, ..ALL_GROUPED.row_bits },
            ..ALL_GROUPED
        },
        Tuning {
            row_bits: row_bits::Tuning { ranks: 64, ..ALL_GROUPED.row_bits },
            grouped_min_permille: 500,
            ..ALL_GROUPED
        },
        Tuning {
            grouped_min_permille: 1_001,
            filter_min_edges: 0,
            narrow_min_edges: 0,
            ..ALL_GROUPED
        },
        Tuning {
            grouped_min_permille: 1_001,
            filter_min_edges: 20,
            narrow_min_edges: 20,
            narrow_max_wedges: 2,
            sample_step: 3,
            filter_max_permille: 800,
            ..ALL_GROUPED
        },
        Tuning { narrow_max_permille: 0, ..BYTES },
        Tuning {
            filter_min_edges: 30,
            narrow_min_edges: 30,
            narrow_max_wedges: 3,
            narrow_max_permille: 500,
            ..BYTES
        },
        BYTES,
        SEGMENTS,
        TABLES,
        MATRIX,
        Tuning {
            segment_min_wedges: 3,
            segment_min_saved: 1,
            segment_min_joined_permille: 300,
            ..SEGMENTS
        },
        Tuning {
            row_bits: row_bits::Tuning { exact: 20, filter_log2: 6, ..SEGMENTS.row_bits },
            high_max_permille: 100,
            high_wedges: 2,
            ..SEGMENTS
        },
        Tuning {
            hub_product: hub_product::Tuning { hubs: 512, ..ALL_GROUPED.hub_product },
            ..ALL_GROUPED
        },
        Tuning {
            hub_product: hub_product::Tuning { hubs: 512, lanes_log2: 3 },
            row_bits: row_bits::Tuning {
                min_edges: 4,
                merge_max: 9,
                chunk: 5,
                ..ALL_GROUPED.row_bits
            },
            ..ALL_GROUPED
        },
        Tuning {
            hub_product: hub_product::Tuning { hubs: 1_024, ..ALL_GROUPED.hub_product },
            hub_min_edges: 700,
            hub_min_permille: 30,
            ..ALL_GROUPED
        },
        Tuning {
            row_bits: row_bits::Tuning {
                block: 128,
                stream_lanes_log2: 5,
                chunk: 3,
                ..ALL_GROUPED.row_bits
            },
            ..ALL_GROUPED
        },
    ];
    // Filters of one code, of a few that collide, and the border between them and the exact ranks.
    tunings.extend([(0, 0), (0, 4), (1, 3), (33, 2), (65_535, 0), (0, 16), (65, 5)].map(
        |(exact, filter_log2)| Tuning {
            row_bits: row_bits::Tuning { exact, filter_log2, chunk: 16, ..ALL_GROUPED.row_bits },
            ..ALL_GROUPED
        },
    ));
    tunings.extend([1, 2, 7, 1 << 15].map(|chunk| Tuning {
        row_bits: row_bits::Tuning { chunk, ..ALL_GROUPED.row_bits },
        ..ALL_GROUPED
    }));
    tunings.extend((0..=5).map(|lanes| Tuning {
        row_bits: row_bits::Tuning {
            ranks: 20,
            stream_lanes_log2: lanes,
            search_lanes_log2: lanes,
            ..ALL_GROUPED.row_bits
        },
        ..ALL_GROUPED
    }));
    tunings
}

/// Each graph with one in `share` of the tunings in a quick run, and each of them on one in `share` graphs.
fn check_everything<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    let graphs = generators::of_many_shapes(&[3, 8, 9, 31, 32, 33, 64, 65, 100]);
    for (number, (name, edges)) in graphs.into_iter().enumerate() {
        println!("{name}");
        let graph = oriented(device, &edges);
        let triangles = brute_force(&edges);
        for (at, tuning) in tunings().iter().enumerate() {
            if effort::takes(number + at, share) {
                check(device, &graph, triangles, tuning);
            }
        }
    }
}

#[test]
fn every_tuning_counts_the_same_in_the_emulator() {
    if devices::emulator() {
        check_everything(&Emulator::with(Config::seeded(1)), 12);
    }
}

#[test]
fn every_tuning_counts_the_same_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_everything(&gpu, 1);
    }
}

/// In a clique of n every rank is a row: rank a has n - 1 - a edges, of which the one from a + 1 is
/// at place a of its row. Rows of rank 0 are empty, and the first edge of a row has no prefix.
#[test]
fn the_classes_of_a_clique_are_those_of_its_ranks() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(2));
    let n = 20u64;
    let graph = oriented(&device, &clique(n as u32));
    let triangles = n * (n - 1) * (n - 2) / 6;
    // Edges of head a with a prefix and a row: all n - 1 - a, where a > 0.
    let edges_of = |heads: std::ops::Range<u64>| heads.map(|a| n - 1 - a).sum::<u64>();
    let sizes = check(&device, &graph, triangles, &ALL_GROUPED).edges;
    assert_eq!(sizes, ClassSizes { slots: edges_of(1..n), items: n - 2, ..ClassSizes::default() });

    // Heads 1 to 6 are below the cut; of the others, prefix a and row a are 2a entries.
    let cut = Tuning {
        row_bits: row_bits::Tuning { ranks: 7, merge_max: 20, chunk: 4, ..ALL_GROUPED.row_bits },
        ..ALL_GROUPED
    };
    let sizes = check(&device, &graph, triangles, &cut).edges;
    let expected = ClassSizes {
        slots: edges_of(1..7),
        items: (1..7).map(|a: u64| (n - 1 - a).div_ceil(4)).sum(),
        merged: edges_of(7..11),
        searched: edges_of(11..n),
        ..ClassSizes::default()
    };
    assert_eq!(sizes, expected);

    // At least 10 edges: heads up to 9. A row of at least 3: heads from 3.
    let cut = Tuning {
        row_bits: row_bits::Tuning { min_edges: 10, min_row: 3, ..ALL_GROUPED.row_bits },
        ..ALL_GROUPED
    };
    let sizes = check(&device, &graph, triangles, &cut).edges;
    assert_eq!((sizes.slots, sizes.searched), (edges_of(3..10), edges_of(1..3) + edges_of(10..n)));

    // The share of the grouped edges decides, and equal is enough.
    let permille = |permille| Tuning { grouped_min_permille: permille, ..ALL_GROUPED };
    let grouped = edges_of(1..n) * 1_000;
    assert_eq!(grouped % (n * (n - 1) / 2), 0, "the share is whole permille");
    let share = (grouped / (n * (n - 1) / 2)) as u32;
    assert_eq!(check(&device, &graph, triangles, &permille(share)).edges.in_place, 0);
    let in_place = check(&device, &graph, triangles, &permille(share + 1)).edges.in_place;
    assert_eq!(in_place, n * (n - 1) / 2);
}

/// Every rank of 70,000 has a row and edges, on both sides of what 16 bits hold and of `exact`.
#[test]
fn ranks_past_sixteen_bits_are_counted() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(3));
    let leaves = 70_000u32;
    // Vertices of one degree are ranked by id: a ring of chords gives every rank a row.
    let edges: Vec<[u32; 2]> =
        (0..leaves).flat_map(|v| [[v, (v + 1) % leaves], [v, (v + 2) % leaves]]).collect();
    let graph = oriented(&device, &edges);
    let edges = 2 * u64::from(leaves);
    for (exact, filter_log2) in [(57_344, 13), (65_535, 0)] {
        let tuning = Tuning {
            row_bits: row_bits::Tuning {
                exact,
                filter_log2,
                chunk: 1 << 15,
                ..ALL_GROUPED.row_bits
            },
            ..ALL_GROUPED
        };
        let sizes = check(&device, &graph, u64::from(leaves), &tuning).edges;
        // All but the edges of rank 0, whose row is empty.
        assert!(sizes.slots > edges - 10 && sizes.searched == 0, "{sizes:?}");
    }
}

/// A graph that the CPU prepared comes without degrees.
#[test]
fn groups_are_found_without_degrees() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(4));
    let edges = generators::rmat(8, 16, 7);
    let mut graph = oriented(&device, &edges);
    let with_degrees = check(&device, &graph, brute_force(&edges), &ALL_GROUPED).edges;
    graph.degree_of_rank = Buffer::uninitialized(&device, 0).unwrap();
    let without = check(&device, &graph, brute_force(&edges), &ALL_GROUPED).edges;
    assert_eq!(without, with_degrees);
}

fn any_tuning() -> impl Strategy<Value = Tuning> {
    let ranks = prop_oneof![1u32..80, Just(u32::MAX)];
    let bits = prop_oneof![(0u32..80, 0u32..5), Just((57_344, 13))];
    let merge_max = prop_oneof![0u32..40, Just(u32::MAX)];
    let narrow_max_wedges = prop_oneof![0u32..8, Just(u32::MAX)];
    let filter = (0u32..200, narrow_max_wedges, 1u32..9, 0u32..2_000, 0u32..2_000);
    let segments = (0u32..6, 0u32..1_002, 0u32..3_000, 0u32..1_002);
    (
        (ranks, bits),
        1u32..12,
        1u32..6,
        0u32..1_001,
        1u32..9,
        0u32..6,
        (0u32..6, filter, segments),
        (merge_max, 1u32..9, prop_oneof![0u32..8, Just(u32::MAX)]),
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
                (merge_max, high_wedges, table_min_steps),
                warps,
            )| {
                let (filter_min_edges, narrow_max_wedges, sample_step, filter, bytes) = filter;
                Tuning {
                    hub_product: hub_product::Tuning { hubs: 0, lanes_log2: 0 },
                    row_bits: row_bits::Tuning {
                        ranks,
                        exact,
                        filter_log2,
                        min_edges,
                        min_row,
                        chunk,
                        stream_lanes_log2: stream,
                        block: warps * 32,
                        blocks_per_multiprocessor: 1,
                        merge_max,
                        search_lanes_log2: search,
                        bins_min_edges: filter_min_edges,
                    },
                    hub_min_edges: 0,
                    hub_min_permille: 0,
                    matrix_min_edges: u32::MAX,
                    matrix_max_permille: 0,
                    group_min_wedges: 0,
                    group_more_wedges: 0,
                    group_hub_permille: 0,
                    high_max_permille: u32::MAX,
                    high_wedges,
                    grouped_min_permille: share,
                    filter_min_edges,
                    narrow_min_edges: filter_min_edges,
                    narrow_max_wedges,
                    sample_step,
                    filter_max_permille: filter,
                    narrow_max_permille: bytes,
                    filter_max_wedges: u32::MAX,
                    segment_min_wedges: segments.0,
                    segment_min_saved: 1,
                    segment_min_joined_permille: segments.1,
                    segment_head_joined_permille: segments.3,
                    merge_small_edges: segments.2,
                    table_min_steps,
                    table_joined_steps: 5,
                    table_even_permille: 1_100,
                    table_max_uneven_permille: 3_000,
                    group_segments_permille: 700,
                    table_max_entries_permille: 4_000,
                    table_segments_permille: 500,
                    merge_long_wedges: 2,
                    search_min_entries: search,
                    search_min_entries_permille: 2_000,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(64)))]

    #[test]
    fn any_tuning_counts_any_graph(
        edges in prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..70), 1..500),
            prop::collection::vec([0u32..8, 0u32..70], 1..300),
            prop::collection::vec(prop::array::uniform2(0u32..20), 1..300),
        ],
        tuning in any_tuning(),
        seed in 0u64..1000,
    ) {
        let device = Emulator::with(Config::seeded(seed));
        let graph = oriented(&device, &edges);
        check(&device, &graph, brute_force(&edges), &tuning);
    }
}
