//! Support, local counts and trussness by the kernels, against brute force: in the emulator always,
//! and on a GPU where there is one. (`tests/cli/known_analytics.rs` has the reference graphs.)

use testkit::generators;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::LazyLock;

use proptest::prelude::*;
use testkit::devices::prepared;
use testkit::generators::{clique, star, wheel};
use testkit::oracle::Simple;
use testkit::{devices, effort, skip};
use tribin::Graph;
use tribin_analytics::Local;
use tribin_cpu::prepare::Prepared;
use tribin_gpu::analytics::local::local_counts;
use tribin_gpu::analytics::support::{
    LONGEST_WITH_THIRDS, SupportGroups, choose, download, edge_support,
};
use tribin_gpu::analytics::truss::{PeelShape, peel};
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::RowBits;
use tribin_gpu::plan::support::SupportCounter;
use tribin_gpu::prepare::{OnDevice, upload_prepared};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Device};

/// What must come out.
#[derive(Debug)]
struct Expected {
    support: BTreeMap<[u32; 2], u32>,
    local: Local,
    clustering: Vec<f64>,
    trussness: BTreeMap<[u32; 2], u32>,
}

fn brute_force(edges: &[[u32; 2]], bound: usize) -> Expected {
    let simple = Simple::with_vertices(edges, bound);
    let (degrees, triangles) = (simple.degrees(), simple.triangles_of_vertices());
    Expected {
        support: simple.support(),
        local: Local::of_vertices(degrees, triangles),
        clustering: simple.clustering(),
        trussness: simple.trussness(),
    }
}

/// How support is counted, and by which groups where it is counted in groups.
type SupportWay = (SupportCounter, SupportGroups);

/// The merge by itself.
const MERGE: SupportWay = (SupportCounter::Merge, SupportGroups::MEASURED);

/// Groups whatever the graph: every cut-off where small graphs cross it.
fn ways() -> Vec<SupportWay> {
    let row_bits = SupportGroups::MEASURED.row_bits;
    let small = RowBits { min_edges: 1, block: 64, blocks_per_multiprocessor: 2, ..row_bits };
    let thirds = |row_bits, counters, longest_with_thirds| {
        (SupportCounter::Groups, SupportGroups { row_bits, counters, longest_with_thirds })
    };
    let groups = |row_bits, counters| thirds(row_bits, counters, LONGEST_WITH_THIRDS);
    vec![
        MERGE,
        (SupportCounter::Groups, SupportGroups::MEASURED),
        groups(small, 1_024),
        groups(RowBits { min_edges: 6, search_lanes_log2: 0, ..small }, 3),
        thirds(RowBits { exact: 33, filter_log2: 2, chunk: 5, ..small }, 4, 0),
        groups(RowBits { exact: 0, filter_log2: 4, stream_lanes_log2: 0, ..small }, 0),
        groups(RowBits { ranks: 20, exact: 7, filter_log2: 0, stream_lanes_log2: 5, ..small }, 1),
    ]
}

const SHAPES: [PeelShape; 3] = [
    PeelShape {
        block: 64,
        blocks_per_multiprocessor: 1,
        steps_per_launch: 1,
        chunk: 32,
        laid_out_permille: 750,
        least_laid_out: 0,
    },
    PeelShape {
        block: 32,
        blocks_per_multiprocessor: 2,
        steps_per_launch: 3,
        chunk: 1,
        laid_out_permille: 990,
        least_laid_out: 20,
    },
    PeelShape {
        block: 96,
        blocks_per_multiprocessor: 1,
        steps_per_launch: u32::MAX,
        chunk: 512,
        laid_out_permille: 500,
        least_laid_out: 1_000,
    },
];

fn by_edge(ends: &[[u32; 2]], values: &[u32]) -> BTreeMap<[u32; 2], u32> {
    assert_eq!(ends.len(), values.len());
    let map: BTreeMap<_, _> = ends.iter().copied().zip(values.iter().copied()).collect();
    assert_eq!(map.len(), ends.len(), "an edge comes twice");
    map
}

fn check_ready<D: Device<Error: Debug>>(
    device: &D,
    ready: &OnDevice<D>,
    expected: &Expected,
    ways: &[SupportWay],
    shapes: &[PeelShape],
) {
    let graph = &ready.graph;
    let ends = edge_ends(device, graph);
    for way in ways {
        let support = edge_support(device, graph, way.0, &way.1).unwrap();
        let values = download(device, &support, graph.edges).unwrap();
        assert_eq!(by_edge(&ends, &values), expected.support, "support by {way:?}");
        if *way == ways[0] {
            let local = local_counts(device, graph, &support).unwrap();
            assert_eq!(local, expected.local);
            for (vertex, expected) in (0..).zip(&expected.clustering) {
                let found = local.clustering(vertex);
                assert!((found - expected).abs() <= 1e-12, "{found}, expected {expected}");
            }
        }
    }
    for shape in shapes {
        let support = edge_support(device, graph, ways[0].0, &ways[0].1).unwrap();
        let truss = peel(device, graph, support, *shape).unwrap();
        let values = download(device, &truss.per_edge, graph.edges).unwrap();
        assert_eq!(by_edge(&ends, &values), expected.trussness, "{shape:?}");
        assert!(truss.rounds <= graph.edges);
    }
}

fn check<D: Device<Error: Debug>>(
    device: &D,
    graph: &Graph,
    expected: &Expected,
    ways: &[SupportWay],
    shapes: &[PeelShape],
) {
    let ready = prepared(device, graph, Task::AtVertices).unwrap();
    check_ready(device, &ready, expected, ways, shapes);
    check_copies(device, &ready.graph);
    // Prepared on the CPU: other ranks, and no degrees.
    let Prepared { oriented, figures, seconds } =
        tribin_cpu::prepare::prepare(graph.edges(), graph.vertex_bound());
    let ready = upload_prepared(device, &oriented, (figures, seconds), Task::AtVertices).unwrap();
    check_ready(device, &ready, expected, &ways[..1], &shapes[..1]);
}

/// The vertices that every edge joins, the smaller first, in the order in which results by edge come.
fn edge_ends<D: Device<Error: Debug>>(device: &D, graph: &DeviceGraph<D>) -> Vec<[u32; 2]> {
    let oriented = device_graph::download(device, graph).unwrap();
    let vertex = |rank: u32| oriented.vertex_of_rank()[rank as usize];
    (0..oriented.vertices() as u32)
        .flat_map(|u| oriented.row(u).iter().map(move |&v| [u, v]))
        .map(|ranks| ranks.map(vertex))
        .map(|[u, v]| [u.min(v), u.max(v)])
        .collect()
}

/// To the host and back: the same graph.
fn check_copies<D: Device<Error: Debug>>(device: &D, graph: &DeviceGraph<D>) {
    let oriented = device_graph::download(device, graph).unwrap();
    assert_eq!(oriented.edges(), graph.edges);
    let mut again = device_graph::upload_rows(device, &oriented).unwrap();
    again.vertex_of_rank = Buffer::from_host(device, oriented.vertex_of_rank()).unwrap();
    assert_eq!(device_graph::download(device, &again).unwrap(), oriented);
}

pub fn cases() -> Vec<(String, Vec<[u32; 2]>)> {
    let mut cases = vec![
        ("nothing".into(), vec![]),
        ("a self-loop".into(), vec![[0, 0]]),
        ("an edge".into(), vec![[0, 1]]),
        ("a triangle with a gap".into(), vec![[9, 2], [4, 9], [2, 4], [4, 4], [2, 9]]),
        ("bipartite".into(), (0..20).flat_map(|u| (20..35).map(move |v| [u, v])).collect()),
        ("star".into(), star(300)),
        // Trusses of different levels that share edges, and levels that no edge has.
        ("cliques in a chain".into(), {
            let sizes = [3u32, 9, 4, 20, 5, 12];
            let mut start = 0;
            let mut edges = Vec::new();
            for size in sizes {
                edges.extend(clique(size).into_iter().map(|[u, v]| [u + start, v + start]));
                start += size - 2;
            }
            edges
        }),
    ];
    for n in [3, 4, 8, 33, 45] {
        cases.push((format!("clique {n}"), clique(n)));
        cases.push((format!("wheel {n}"), wheel(n)));
    }
    // An edge with more triangles than a work item has entries: 300 triangles share [0, 1].
    let book = (2..302).flat_map(|page| [[0, page], [page, 1]]).chain([[0, 1]]).collect();
    cases.push(("book".into(), book));
    for (scale, factor) in [(5, 16), (8, 8)] {
        cases.push((format!("rmat {scale}"), generators::rmat(scale, factor, 7)));
    }
    cases.push(("watts-strogatz".into(), generators::watts_strogatz(200, 6, 100, 3)));
    cases.push(("barabasi-albert".into(), generators::barabasi_albert(150, 7, 3)));
    cases.push(("uniform".into(), generators::uniform(300, 2500, 3)));
    cases
}

/// Each graph with a third of the ways and shapes in a quick run, and each of those on a third of the graphs.
fn check_cases<D: Device<Error: Debug>>(device: &D) {
    for (at, (name, edges)) in cases().into_iter().enumerate() {
        println!("{name}");
        let graph = Graph::from_edges(edges);
        let expected = brute_force(graph.edges(), graph.vertex_bound());
        let ways: Vec<_> = effort::some(ways(), at, 3).collect();
        let shapes: Vec<_> = effort::some(SHAPES, at, 3).collect();
        check(device, &graph, &expected, &ways, &shapes);
    }
}

#[test]
fn results_are_brute_forces_in_the_emulator() {
    if let Some(emulator) = devices::emulated(1) {
        check_cases(&emulator);
    }
}

#[test]
fn results_are_brute_forces_on_a_gpu() {
    match &*GPU {
        Ok(gpu) => check_cases(gpu),
        Err(reason) => skip::whole(devices::without_gpu(reason)),
    }
}

/// Opened once for all tests.
pub static GPU: LazyLock<Result<Gpu, String>> = LazyLock::new(devices::open_gpu);

/// The GPU, for a test that also runs in the emulator.
pub fn gpu_beside_the_emulator() -> Option<&'static Gpu> {
    GPU.as_ref().map_err(|reason| skip::part(devices::without_gpu(reason))).ok()
}

/// A vertex of rank past 16 bits, on both sides of `exact`.
#[test]
fn ranks_past_sixteen_bits_have_their_support() {
    let Some(device) = devices::emulated(3) else { return };
    let leaves = 66_000u32;
    let edges = (0..leaves).flat_map(|v| [[v, (v + 1) % leaves], [v, (v + 2) % leaves]]);
    let graph = Graph::from_edges(edges);
    let ready = prepared(&device, &graph, Task::AtVertices).unwrap();
    let row_bits = RowBits { min_edges: 1, ..SupportGroups::MEASURED.row_bits };
    let groups = SupportGroups { row_bits, ..SupportGroups::MEASURED };
    let support = edge_support(&device, &ready.graph, SupportCounter::Groups, &groups).unwrap();
    let values = download(&device, &support, ready.graph.edges).unwrap();
    // An edge to the next vertex has two triangles, one to the next but one has one.
    for ([u, v], count) in edge_ends(&device, &ready.graph).into_iter().zip(values) {
        let next = v - u == 1 || v - u == leaves - 1;
        assert_eq!(count, if next { 2 } else { 1 }, "[{u}, {v}]");
    }
}

/// A clique of n has about n / 3 wedges of the oriented graph an edge.
#[test]
fn groups_are_for_graphs_with_many_wedges_an_edge() {
    let Some(device) = devices::emulated(1) else { return };
    let method = |n: u32| {
        let graph = Graph::from_edges(clique(n));
        let ready = prepared(&device, &graph, Task::AtVertices).unwrap();
        choose(&device, &ready.graph, u64::MAX).unwrap().choice
    };
    assert_eq!((method(80), method(100)), (SupportCounter::Merge, SupportCounter::Groups));
}

/// The last level that edges went at is not the last that was scanned.
#[test]
fn a_lone_triangle_has_trussness_3() {
    let Some(device) = devices::emulated(0) else { return };
    let graph = Graph::from_edges(vec![[39, 16], [16, 3], [3, 39]]);
    let expected = brute_force(graph.edges(), graph.vertex_bound());
    assert!(expected.trussness.values().all(|&trussness| trussness == 3));
    check(&device, &graph, &expected, &[MERGE], &SHAPES);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(48)))]

    /// Loops, duplicates, isolated vertices and gaps between ids, all as they come.
    #[test]
    fn any_multigraph_has_its_results(
        edges in prop_oneof![
            prop::collection::vec(prop::array::uniform2(0u32..40), 0..250),
            prop::collection::vec([0u32..8, 0u32..60], 1..200),
            prop::collection::vec(prop::array::uniform2(0u32..16), 1..200),
        ],
        gap in 1u32..30,
        way in 0usize..7,
        shape in 0usize..3,
        seed in 1u64..1_000,
    ) {
        let edges: Vec<[u32; 2]> = edges.into_iter().map(|[u, v]| [u * gap, v * gap]).collect();
        let graph = Graph::from_edges(edges);
        let (ways, shapes) = ([ways()[way]], [SHAPES[shape]]);
        let expected = brute_force(graph.edges(), graph.vertex_bound());
        if devices::emulator_wanted() {
            check(&Emulator::with(Config::seeded(seed)), &graph, &expected, &ways, &shapes);
        }
        if let Some(gpu) = gpu_beside_the_emulator() {
            check(gpu, &graph, &expected, &ways, &shapes);
        }
    }
}
