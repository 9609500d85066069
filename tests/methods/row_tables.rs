//! Tables of rows of all kinds, and shares of the edges counted in them.

use testkit::oracle::brute_force;
use testkit::{effort, generators};
use tribin_gpu::device_graph::EdgeShare;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::counting::{RowTables, TableKind};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::Device as _;

use super::oriented::oriented;

/// Tables of all kinds, from so small ones that most entries find their slots taken on.
pub fn tables() -> Vec<RowTables> {
    let slots = [5, 7, 10]
        .map(|slots_log2| [TableKind::Slots8 { slots_log2 }, TableKind::Slots16 { slots_log2 }]);
    let kinds = slots.into_iter().flatten().chain([TableKind::Bits]);
    let shapes = [(32, 0), (64, 3), (96, 5)];
    kinds
        .flat_map(|table| shapes.map(|(block, lanes_log2)| RowTables { table, block, lanes_log2 }))
        .collect()
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
                by.count(&device, &graph, &mut device.record().unwrap()).unwrap()
            });
            assert_eq!(shares.sum::<u64>(), triangles, "{parts} parts, {by:?}");
        }
    }
}
