//! The engines `merge-path` and `bitmap` from the oriented graph on the device, with cut-offs injected so
//! that small graphs reach every kernel and every border, against brute force: in the emulator always,
//! and on a GPU where there is one.

use testkit::generators;

use std::collections::BTreeSet;

use proptest::prelude::*;
use testkit::generators::clique;
use testkit::oracle::brute_force;
use testkit::{devices, effort, reference};
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::{Buffer, Device};
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::Method;
use tribin_gpu::methods::bitmap::{self, BitmapCount, SegmentWidth, Tiling};
use tribin_gpu::methods::merge_path::Shares;

use super::oriented::oriented;

/// Few threads, so that the emulator is quick.
const SMALL: Tiling = Tiling {
    width: SegmentWidth::Columns64,
    wide_from: 8,
    block: 64,
    blocks_per_multiprocessor: 2,
    wide_lanes_log2: 2,
    packed_lanes_log2: 1,
};

fn check_shares<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    triangles: u64,
    shares: Shares,
) {
    let counted = shares.count(device, graph, &()).unwrap();
    assert_eq!(counted, triangles, "{shares:?}");
}

fn check_tiling<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    triangles: u64,
    tiling: Tiling,
) -> BitmapCount {
    let count = bitmap::count_in_tiles(device, graph, &tiling).unwrap();
    assert_eq!(count.counted.triangles, triangles, "{tiling:?}, {count:?}");
    count
}

/// One cut-off moved at a time, to where small graphs have it cross.
fn shares() -> Vec<Shares> {
    let mut shares: Vec<Shares> =
        [1, 2, 3, 7, 15, 16, 64].map(|steps| Shares { steps, lane_most: 0 }).to_vec();
    shares.extend([1, 8, 24, u32::MAX].map(|lane_most| Shares { steps: 5, lane_most }));
    shares.push(Shares::default());
    shares
}

fn tilings() -> Vec<Tiling> {
    let mut tilings = [1, u64::MAX].map(Tiling::for_ranks).to_vec();
    for width in SegmentWidth::ALL {
        // All rows wide, none, and some.
        for wide_from in [1, 2, 9, 33, 512] {
            tilings.push(Tiling { width, wide_from, ..SMALL });
        }
    }
    for lanes in 0..=5 {
        tilings.push(Tiling { wide_lanes_log2: lanes, packed_lanes_log2: lanes, ..SMALL });
    }
    tilings.push(Tiling { block: 128, blocks_per_multiprocessor: 1, ..SMALL });
    tilings
}

fn cases() -> Vec<(String, Vec<[u32; 2]>)> {
    let mut cases = generators::of_many_shapes(&[3, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130]);
    cases.push(("mycielskian".into(), generators::mycielskian(7)));
    cases
}

/// Each graph with one in `share` of the cut-offs in a quick run, and each of them on one in `share` graphs.
fn check_everything<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    for (number, (name, edges)) in cases().into_iter().enumerate() {
        println!("{name}");
        let graph = oriented(device, &edges);
        let triangles = brute_force(&edges);
        for (at, &shares) in shares().iter().enumerate() {
            if effort::takes(number + at, share) {
                check_shares(device, &graph, triangles, shares);
            }
        }
        for (at, &tiling) in tilings().iter().enumerate() {
            if effort::takes(number + at, share) {
                check_tiling(device, &graph, triangles, tiling);
            }
        }
    }
}

#[test]
fn every_cut_off_counts_the_same_in_the_emulator() {
    if devices::emulator() {
        check_everything(&Emulator::with(Config::seeded(1)), 8);
    }
}

#[test]
fn every_cut_off_counts_the_same_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_everything(&gpu, 1);
    }
}

/// The graph whose ranks are the vertices themselves, whatever their degrees.
fn ranked_by_id<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    bound: u32,
) -> DeviceGraph<D> {
    let edges: BTreeSet<[u32; 2]> = edges.iter().map(|&[u, v]| [u.max(v), u.min(v)]).collect();
    let tails: Vec<u32> = edges.iter().map(|edge| edge[0]).collect();
    let heads: Vec<u32> = edges.iter().map(|edge| edge[1]).collect();
    let mut rows = vec![0; 2 * bound as usize];
    for (i, &tail) in tails.iter().enumerate() {
        let row = &mut rows[2 * tail as usize..][..2];
        if row[1] == 0 {
            row[0] = i as u32;
        }
        row[1] = i as u32 + 1;
    }
    let edges = tails.len() as u64;
    let parts = [tails, heads, rows].map(|words| Buffer::from_host(device, &words).unwrap());
    DeviceGraph::of_rows(device, parts, edges).unwrap()
}

/// Entries of a row in up to five tiles: tiles past the first start where the row goes on, and the rows
/// that are streamed past them are entered in the middle.
fn check_far_columns<D: Device<Error: std::fmt::Debug>>(device: &D) {
    // Around the ends of tiles of 32,768 and 65,536 columns, as they start at column 0 or at an entry.
    let far = [
        3, 32_767, 32_768, 40_000, 65_535, 65_536, 65_540, 72_767, 72_768, 72_769, 105_535,
        105_536, 131_071, 131_072, 159_000,
    ];
    let pairs = far.iter().flat_map(|&u| far.iter().filter(move |&&v| v > u).map(move |&v| [u, v]));
    let edges: Vec<[u32; 2]> = pairs.chain((0..100).map(|v| [v, 159_000])).collect();
    let graph = ranked_by_id(device, &edges, 160_000);
    let triangles = brute_force(&edges);
    assert_eq!(triangles, 15 * 14 * 13 / 6);
    for width in SegmentWidth::ALL {
        let count =
            check_tiling(device, &graph, triangles, Tiling { width, wide_from: 2, ..SMALL });
        assert!((2..=13).contains(&count.wide_rows), "{count:?}");
        check_tiling(device, &graph, triangles, Tiling { width, wide_from: 512, ..SMALL });
    }
}

#[test]
fn rows_wider_than_a_tile_are_cut_in_the_emulator() {
    if devices::emulator() {
        check_far_columns(&Emulator::with(Config::seeded(3)));
    }
}

#[test]
fn rows_wider_than_a_tile_are_cut_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_far_columns(&gpu);
    }
}

/// 002, Table I.
#[test]
fn the_mycielski_graph_of_order_13_is_that_of_the_collection() {
    let edges = generators::mycielskian(13);
    assert_eq!(edges.len(), 613_871);
    assert_eq!(edges.iter().flatten().max(), Some(&6_142));
}

/// In a clique of n, rank r has a row of r entries, 0 to r - 1.
#[test]
fn the_segments_of_a_clique_are_those_of_its_ranks() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(2));
    let n = 150u64;
    let graph = oriented(&device, &clique(n as u32));
    for width in SegmentWidth::ALL {
        let triangles = n * (n - 1) * (n - 2) / 6;
        let count =
            check_tiling(&device, &graph, triangles, Tiling { width, wide_from: 2, ..SMALL });
        let columns = u64::from(width.columns());
        assert_eq!(count.segments, (0..n).map(|r| r.div_ceil(columns)).sum::<u64>());
        // Rows of more entries than a segment has columns.
        assert_eq!(count.wide_rows, n - 1 - columns);
    }
}

/// The reference graphs that the emulator is quick enough for, both ways of preparing a graph.
#[test]
fn reference_graphs_have_their_triangles() {
    if !devices::emulator() {
        return;
    }
    let device = Emulator::with(Config::seeded(4));
    for known in reference::all().into_iter().filter(|known| known.edges <= 40_000) {
        println!("{}", known.file);
        let graph = tribin::open(&known.path).unwrap();
        let prepared = tribin_cpu::prepare::prepare(graph.edges(), graph.vertex_bound());
        let on_device = tribin_gpu::prepare::upload_prepared(&device, &prepared).unwrap().graph;
        check_shares(&device, &on_device, known.triangles, Shares::default());
        for ranks in [1, u64::MAX] {
            check_tiling(&device, &on_device, known.triangles, Tiling::for_ranks(ranks));
        }
    }
}

fn any_tiling() -> impl Strategy<Value = Tiling> {
    let width = prop::sample::select(&SegmentWidth::ALL[..]);
    (width, 1u32..40, 1u32..4, 0u32..6, 0u32..6).prop_map(
        |(width, wide_from, warps, wide_lanes_log2, packed_lanes_log2)| Tiling {
            width,
            wide_from,
            block: 32 * warps,
            blocks_per_multiprocessor: 1,
            wide_lanes_log2,
            packed_lanes_log2,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(64)))]

    #[test]
    fn any_cut_off_counts_any_graph(
        edges in prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..70), 1..500),
            prop::collection::vec([0u32..8, 0u32..170], 1..300),
            prop::collection::vec(prop::array::uniform2(0u32..20), 1..300),
        ],
        steps in 1u32..20,
        lane_most in 0u32..40,
        tiling in any_tiling(),
        seed in 0u64..1000,
    ) {
        if devices::emulator() {
            let device = Emulator::with(Config::seeded(seed));
            let graph = oriented(&device, &edges);
            let triangles = brute_force(&edges);
            check_shares(&device, &graph, triangles, Shares { steps, lane_most });
            check_tiling(&device, &graph, triangles, tiling);
        }
    }
}
