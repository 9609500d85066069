//! How the engine `bitmap` cuts rows into segments and tiles: in the emulator always, and on a GPU where there is one.

use std::collections::BTreeSet;

use testkit::devices;
use testkit::generators::clique;
use testkit::oracle::brute_force;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::run;
use tribin_kernels::bit_tiles::COLUMNS;
use tribin_papers::bit_tiles::{BitRows, Tiling};
use warpwise_device::launch::{Buffer, Device};

use super::oriented::oriented;

/// Few threads, so that the emulator is quick.
pub const SMALL: Tiling = Tiling {
    wide_from: 8,
    block: 64,
    blocks_per_multiprocessor: 2,
    wide_lanes_log2: 2,
    packed_lanes_log2: 1,
};

/// Counts in tiles, which must find what is known.
pub fn check<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    triangles: u64,
    tiling: Tiling,
) {
    let start = device.record().unwrap();
    let count = run(&tiling, device, graph, &start).unwrap();
    assert_eq!(count.triangles, triangles, "{tiling:?}");
}

/// How many segments the rows have, and how many rows have tiles of their own.
fn cut<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
    tiling: Tiling,
) -> [u32; 2] {
    let bits = BitRows::cut(device, graph, &tiling).unwrap();
    let rows = bits.rows.to_vec(device).unwrap();
    [rows.into_iter().max().unwrap(), bits.wide_rows.to_vec(device).unwrap()[0]]
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
    // Around the ends of tiles of 65,536 columns, as they start at column 0 or at an entry.
    let far = [
        3, 32_767, 32_768, 40_000, 65_535, 65_536, 65_540, 72_767, 72_768, 72_769, 105_535,
        105_536, 131_071, 131_072, 159_000,
    ];
    let pairs = far.iter().flat_map(|&u| far.iter().filter(move |&&v| v > u).map(move |&v| [u, v]));
    let edges: Vec<[u32; 2]> = pairs.chain((0..100).map(|v| [v, 159_000])).collect();
    let graph = ranked_by_id(device, &edges, 160_000);
    let triangles = brute_force(&edges);
    assert_eq!(triangles, 15 * 14 * 13 / 6);
    let tiling = Tiling { wide_from: 2, ..SMALL };
    check(device, &graph, triangles, tiling);
    let [_, wide_rows] = cut(device, &graph, tiling);
    assert!((2..=13).contains(&wide_rows), "{wide_rows}");
    check(device, &graph, triangles, Tiling { wide_from: 512, ..SMALL });
}

#[test]
fn rows_wider_than_a_tile_are_cut_in_the_emulator() {
    if let Some(emulator) = devices::emulated(3) {
        check_far_columns(&emulator);
    }
}

#[test]
fn rows_wider_than_a_tile_are_cut_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_far_columns(&gpu);
    }
}

/// In a clique of n, rank r has a row of r entries, 0 to r - 1.
#[test]
fn the_segments_of_a_clique_are_those_of_its_ranks() {
    let Some(device) = devices::emulated(2) else { return };
    let n = 150;
    let graph = oriented(&device, &clique(n));
    let tiling = Tiling { wide_from: 2, ..SMALL };
    check(&device, &graph, u64::from(n * (n - 1) * (n - 2) / 6), tiling);
    let segments = (0..n).map(|r| r.div_ceil(COLUMNS)).sum::<u32>();
    // Rows of more entries than a segment has columns.
    assert_eq!(cut(&device, &graph, tiling), [segments, n - 1 - COLUMNS]);
}
