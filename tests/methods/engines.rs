//! Every engine of a GPU, the papers' with cut-offs injected so that small graphs reach every kernel and every border, against
//! brute force: in the emulator always, and on a GPU where there is one. (`tests/count/hybrid.rs` moves the cut-offs of
//! the engine `hybrid`.)

use proptest::prelude::*;
use testkit::generators::{self, star};
use testkit::oracle::{Simple, brute_force};
use testkit::{devices, effort};
use tribin_gpu::counting::hybrid;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::counting::{CountShape, CountingSettings, RowTables, TableKind};
use tribin_papers::bit_tiles::Tiling;
use tribin_papers::merge_path::Shares;
use tribin_papers::radix_binning::{KeyOrder, Orientation, RadixOptions};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::Device;

use super::bit_tiles::SMALL;
use super::oriented::oriented;
use super::{bit_tiles, radix_binning, row_tables};

/// An engine and what it goes by.
#[derive(Debug, Clone, Copy)]
enum Engine {
    Forward(CountShape),
    Hybrid(CountingSettings),
    MergePath(Shares),
    Bitmap(Tiling),
    Tables(RowTables),
    Radix(RadixOptions),
}

/// More wedges than the emulator makes candidates of in a moment.
const MANY_WEDGES: u128 = 150_000;

impl Engine {
    /// Counts a graph of which everything is known.
    fn check<D: Device<Error: std::fmt::Debug>>(&self, device: &D, known: &Known<'_, D>) {
        let Known { edges, graph, triangles, wedges } = *known;
        let built = &mut device.record().unwrap();
        let counted = match self {
            Engine::Forward(shape) => shape.count(device, graph, built).unwrap(),
            Engine::Hybrid(tuning) => {
                hybrid::count_within(device, graph, tuning, u64::MAX).unwrap().0.counted.triangles
            }
            Engine::MergePath(shares) => shares.count(device, graph, built).unwrap(),
            Engine::Bitmap(tiling) => {
                bit_tiles::check(device, graph, triangles, *tiling);
                triangles
            }
            // A slot of 8 bits tells as many ranks apart.
            Engine::Tables(RowTables { table: TableKind::Slots8 { slots_log2 }, .. })
                if graph.rows.len() / 2 > 255 << slots_log2 =>
            {
                return;
            }
            Engine::Tables(tables) => tables.count(device, graph, built).unwrap(),
            Engine::Radix(_) if wedges > MANY_WEDGES => return,
            // Its lists and levels as well.
            Engine::Radix(options) => radix_binning::check(device, edges, options).triangles,
        };
        assert_eq!(counted, triangles, "{self:?}");
    }
}

/// A graph as it came, as it is oriented on a device, and what is known of it.
struct Known<'a, D: Device> {
    edges: &'a [[u32; 2]],
    graph: &'a DeviceGraph<D>,
    triangles: u64,
    wedges: u128,
}

/// One cut-off moved at a time, to where small graphs have it cross.
fn engines() -> Vec<Engine> {
    let mut engines = vec![
        Engine::Forward(CountShape::default()),
        Engine::Hybrid(CountingSettings::MEASURED),
        Engine::MergePath(Shares::default()),
    ];
    engines.extend(
        [1, 2, 3, 7, 15, 16, 64].map(|steps| Engine::MergePath(Shares { steps, lane_most: 0 })),
    );
    engines.extend(
        [1, 8, 24, u32::MAX].map(|lane_most| Engine::MergePath(Shares { steps: 5, lane_most })),
    );
    let mut tilings = [1, u64::MAX].map(Tiling::for_ranks).to_vec();
    // All rows wide, none, and some.
    tilings.extend([1, 2, 9, 33, 512].map(|wide_from| Tiling { wide_from, ..SMALL }));
    tilings.extend((0..=5).map(|lanes| Tiling {
        wide_lanes_log2: lanes,
        packed_lanes_log2: lanes,
        ..SMALL
    }));
    tilings.push(Tiling { block: 128, blocks_per_multiprocessor: 1, ..SMALL });
    engines.extend(tilings.into_iter().map(Engine::Bitmap));
    engines.extend(row_tables::tables().into_iter().map(Engine::Tables));
    for orientation in [Orientation::Degree, Orientation::None] {
        for (key_order, threshold) in [
            (KeyOrder::Concatenated, 16),
            (KeyOrder::Interleaved, 16),
            (KeyOrder::Concatenated, 1024),
        ] {
            let options =
                RadixOptions { orientation, key_order, threshold, ..RadixOptions::default() };
            engines.push(Engine::Radix(options));
        }
    }
    engines
}

fn cases() -> Vec<(String, Vec<[u32; 2]>)> {
    let sizes = [3, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130];
    let mut cases = generators::of_many_shapes(&sizes);
    cases.push(("far apart".into(), vec![[0, 70_000], [70_000, 65_536], [65_536, 0], [1, 69_999]]));
    cases.push(("a star".into(), star(130)));
    cases.push(("mycielskian".into(), generators::mycielskian(7)));
    for (scale, factor) in [(5, 16), (8, 8), (10, 8)] {
        let rmat = generators::rmat(scale, factor, 7);
        let both = rmat.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).collect();
        cases.push((format!("rmat {scale} {factor} both directions"), both));
    }
    cases
}

/// Each graph with one in `share` of the engines in a quick run, and each of them on one in `share` graphs.
fn check_everything<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    for (number, (name, edges)) in cases().into_iter().enumerate() {
        let wedges = Simple::of(&edges).summary().wedges;
        println!("{name}: {wedges} wedges");
        let graph = &oriented(device, &edges);
        let known = Known { edges: &edges, graph, triangles: brute_force(&edges), wedges };
        for (at, engine) in engines().iter().enumerate() {
            if effort::takes(number + at, share) {
                engine.check(device, &known);
            }
        }
    }
}

#[test]
fn every_engine_counts_the_same_in_the_emulator() {
    if let Some(emulator) = devices::emulated(1) {
        check_everything(&emulator, 8);
    }
}

#[test]
fn every_engine_counts_the_same_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_everything(&gpu, 1);
    }
}

fn any_tiling() -> impl Strategy<Value = Tiling> {
    (1u32..40, 1u32..4, 0u32..6, 0u32..6).prop_map(
        |(wide_from, warps, wide_lanes_log2, packed_lanes_log2)| Tiling {
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
        tables in prop::sample::select(row_tables::tables()),
        seed in 0u64..1000,
    ) {
        if devices::emulator() {
            let device = Emulator::with(Config::seeded(seed));
            let graph = &oriented(&device, &edges);
            let triangles = brute_force(&edges);
            let known = Known { edges: &edges, graph, triangles, wedges: 0 };
            Engine::MergePath(Shares { steps, lane_most }).check(&device, &known);
            Engine::Bitmap(tiling).check(&device, &known);
            Engine::Tables(tables).check(&device, &known);
        }
    }
}
