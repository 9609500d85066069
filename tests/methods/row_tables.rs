//! Counting in tables of rows, from the oriented graph on the device, against brute force: every kind of table, in the
//! emulator always, and on a GPU where there is one.

use proptest::prelude::*;
use testkit::generators::{self, clique, wheel};
use testkit::oracle::brute_force;
use testkit::{devices, effort};
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::Device;
use tribin_gpu::device_graph::{DeviceGraph, EdgeShare};
use tribin_gpu::methods::Method;
use tribin_plan::counting::{RowTables, TableKind};

use super::oriented::oriented;

/// Tables of all kinds, from so small ones that most entries find their slots taken on.
fn tables() -> Vec<RowTables> {
    let slots = [5, 7, 10]
        .map(|slots_log2| [TableKind::Slots8 { slots_log2 }, TableKind::Slots16 { slots_log2 }]);
    let kinds = slots.into_iter().flatten().chain([TableKind::Bits]);
    let shapes = [(32, 0), (64, 3), (96, 5)];
    kinds
        .flat_map(|table| shapes.map(|(block, lanes_log2)| RowTables { table, block, lanes_log2 }))
        .collect()
}

fn check<D: Device<Error: std::fmt::Debug>>(device: &D, graph: &DeviceGraph<D>, triangles: u64) {
    let ranks = graph.rows.len() / 2;
    let row = 2 * graph.edges / ranks.max(1);
    for by in tables().into_iter().chain([RowTables::for_rows(row, ranks)]) {
        assert_eq!(by.count(device, graph, &()).unwrap(), triangles, "{by:?}");
    }
}

#[test]
fn tables_count_what_brute_force_counts() {
    let graphs = [
        vec![[0, 1]],
        clique(40),
        wheel(60),
        generators::rmat(7, 12, 3),
        (0..900u32).map(|k| [k * 7 % 61, k * 11 % 127 + 61]).collect(),
    ];
    fn all<D: Device<Error: std::fmt::Debug>>(device: &D, graphs: &[Vec<[u32; 2]>]) {
        for edges in graphs {
            check(device, &oriented(device, edges), brute_force(edges));
        }
    }
    if devices::emulator() {
        all(&Emulator::with(Config::seeded(1)), &graphs);
    }
    if let Some(gpu) = devices::gpu() {
        all(&gpu, &graphs);
    }
}

#[test]
fn shares_of_the_edges_add_up() {
    let device = Emulator::with(Config::seeded(5));
    let edges = generators::rmat(7, 12, 3);
    let triangles = brute_force(&edges);
    let mut graph = oriented(&device, &edges);
    for (at, parts) in [1, 2, 3, 7].into_iter().enumerate() {
        // A quick run takes a fourth of the tables for each number of parts.
        for by in effort::some(tables(), at, 4) {
            let shares = (0..parts).map(|number| {
                graph.share = EdgeShare { number, of: parts };
                by.count(&device, &graph, &()).unwrap()
            });
            assert_eq!(shares.sum::<u64>(), triangles, "{parts} parts, {by:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(48)))]

    #[test]
    fn any_graph_is_counted_in_any_table(
        edges in prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..70), 1..500),
            prop::collection::vec([0u32..8, 0u32..2_000], 1..300),
            prop::collection::vec(prop::array::uniform2(0u32..20), 1..300),
        ],
        seed in 0u64..1000,
    ) {
        let device = Emulator::with(Config::seeded(seed));
        check(&device, &oriented(&device, &edges), brute_force(&edges));
    }
}
