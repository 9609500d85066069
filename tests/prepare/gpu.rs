//! The whole pipeline of kernels, from edges to count and figures, against brute force: in the
//! emulator always, and on a GPU where there is one.

use testkit::generators;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use proptest::prelude::*;

use testkit::devices::{entries_on, prepared};
use testkit::generators::{clique, star};
use testkit::oracle::Simple;
use testkit::{devices, effort, skip};
use tribin::Graph;
use tribin_analytics::Local;
use tribin_cpu::forward as forward_cpu;
use tribin_cpu::prepare::Prepared;
use tribin_gpu::analytics::local::local_counts;
use tribin_gpu::analytics::support::{SupportGroups, download, edge_support};
use tribin_gpu::device::cuda::Gpu;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::Method as _;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::CountShape;
use tribin_gpu::plan::preparation::{self as plan, KeySort, SortedGroups};
use tribin_gpu::plan::support::SupportCounter;
use tribin_gpu::prepare::keys::KeyCounts;
use tribin_gpu::prepare::vertex_order::{VertexOrder, min_hash_labels};
use tribin_gpu::prepare::{self, OnDevice, upload_prepared};
use tribin_gpu::prepare::{rows, summary};
use tribin_graph::{Summary, rank_bits};
use tribin_kernels::min_hash::{group, hash};
use tribin_kernels::ranks::degree_class;
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Device};

/// Summary and triangles by sets.
fn brute_force(edges: &[[u32; 2]]) -> (Summary, u64) {
    let simple = Simple::of(edges);
    (simple.summary(), simple.triangles())
}

/// The same of a graph that a GPU prepared: it does not tell the other direction of an edge from a duplicate.
fn on_gpu(figures: Summary) -> Summary {
    let nothing_dropped = figures.duplicates_dropped == 0;
    Summary { reciprocal_dropped: nothing_dropped.then_some(0), ..figures }
}

/// The triangles of a graph that is ready, and its figures.
fn counted<D: Device<Error: std::fmt::Debug>>(device: &D, ready: &OnDevice<D>) -> (u64, Summary) {
    (
        CountShape::default().count(device, &ready.graph, &mut device.record().unwrap()).unwrap(),
        ready.figures,
    )
}

/// The simple graph's edges in order, the smaller or the larger vertex first: if degrees differ little,
/// the pipeline takes them as they are.
fn check_sorted<D: Device<Error: std::fmt::Debug>>(device: &D, edges: &[[u32; 2]]) {
    for upward in [true, false] {
        let ends = edges.iter().filter(|[u, v]| u != v).map(|&[u, v]| [u.min(v), u.max(v)]);
        let simple: BTreeSet<[u32; 2]> =
            ends.map(|[u, v]| if upward { [u, v] } else { [v, u] }).collect();
        let edges: Vec<[u32; 2]> = simple.into_iter().collect();
        let (figures, triangles) = brute_force(&edges);
        let ready = prepared(device, &Graph::from_edges(edges), Task::Count).unwrap();
        assert_eq!(counted(device, &ready), (triangles, on_gpu(figures)), "upward {upward}");
    }
}

fn check<D: Device<Error: std::fmt::Debug>>(device: &D, edges: Vec<[u32; 2]>) {
    check_sorted(device, &edges);
    let (figures, triangles) = brute_force(&edges);
    let graph = Graph::from_edges(edges);
    let ready = prepared(device, &graph, Task::Count).unwrap();
    assert_eq!(counted(device, &ready), (triangles, on_gpu(figures)));
    let Prepared { oriented, figures: found, seconds } =
        tribin_cpu::prepare::prepare(graph.edges(), graph.vertex_bound());
    let ready = upload_prepared(device, &oriented, (found, seconds), Task::Count).unwrap();
    assert_eq!(counted(device, &ready), (triangles, figures));
    assert_eq!(forward_cpu::count(&oriented), triangles);
}

fn cases() -> Vec<(String, Vec<[u32; 2]>)> {
    let mut cases = generators::of_many_shapes(&[2, 3, 31, 32, 33, 64, 65, 100]);
    for n in [255, 256, 257, 2047, 2048, 2049, 4095, 4096, 4097, 8193] {
        cases.push((format!("star {n}"), star(n)));
    }
    for (scale, factor) in [(3, 1), (5, 16), (8, 16), (10, 4), (11, 8)] {
        let rmat = generators::rmat(scale, factor, 7);
        let both = rmat.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).collect();
        cases.push((format!("rmat {scale} both directions"), both));
        cases.push((format!("rmat {scale} {factor}"), rmat));
    }
    cases
}

/// An order of the vertices, without what a device holds of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Degrees,
    Ids,
    /// With this degree as the largest of a vertex that is no hub.
    HubsFirst(u32),
}

const ORDERS: [Order; 6] = [
    Order::Degrees,
    Order::Ids,
    // Every vertex with an edge is a hub, some are, and none is.
    Order::HubsFirst(0),
    Order::HubsFirst(12),
    Order::HubsFirst(1 << 20),
    Order::HubsFirst(u32::MAX),
];

/// Vertices with an edge that is no self-loop.
fn filled(edges: &[[u32; 2]]) -> u64 {
    let ends = edges.iter().filter(|[u, v]| u != v).flatten();
    ends.collect::<BTreeSet<_>>().len() as u64
}

/// The graph that comes of an order and a sort.
fn device_graph<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    vertices: u64,
    order: Order,
    sort: KeySort,
) -> DeviceGraph<D> {
    let entries = entries_on(device, edges).unwrap();
    let degrees = prepare::degrees::count_degrees(device, &entries, vertices).unwrap();
    let neighbours = 2 * edges.len() as u64;
    let order = match order {
        Order::Degrees => plan::Order::Degrees,
        Order::Ids => plan::Order::Ids,
        Order::HubsFirst(most_degree) => plan::Order::HubsFirst { most_degree, neighbours },
    };
    let labels = order.labels(neighbours / 2).map(|labelled| {
        min_hash_labels(device, &entries, &degrees.degree, labelled, filled(edges)).unwrap()
    });
    let order = VertexOrder { order, labels };
    let keys = prepare::keys::orient_by(device, entries, degrees, (order, sort), Task::AtVertices)
        .unwrap();
    let bits = rank_bits(vertices);
    match (sort, &keys.counted) {
        (KeySort::Bins, KeyCounts::Groups(_)) | (KeySort::Whole, KeyCounts::Digits(_)) => {}
        (KeySort::SortedBins { .. }, KeyCounts::DigitsOfGroups(_, of)) => {
            assert!((bits..=bits + 1).contains(&of.rank_bits));
        }
        _ => panic!("{sort:?} counted something else"),
    }
    rows::clean(device, keys).unwrap()
}

/// The tails and the heads of the edges. What stands behind them, where edges were dropped, nobody wrote.
fn edges_of<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    graph: &DeviceGraph<D>,
) -> [Vec<u32>; 2] {
    [&graph.tails, &graph.heads].map(|ends| download(device, ends, graph.edges).unwrap())
}

/// The graph that a sort of the keys gives, edge by edge and row by row.
fn graph_by<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    vertices: u64,
    order: Order,
    sort: KeySort,
) -> [Vec<u32>; 5] {
    let graph = device_graph(device, edges, vertices, order, sort);
    let [tails, heads] = edges_of(device, &graph);
    let list = |buffer: &Buffer<u32, D>| buffer.to_vec(device).unwrap();
    // Where a row without edges starts is not said.
    let bounds = list(&graph.rows);
    let rows = bounds.chunks_exact(2).flat_map(|row| match row[0] == row[1] {
        true => [0; 2],
        false => [row[0], row[1]],
    });
    let rows = rows.collect();
    let dropped = [graph.self_loops, graph.duplicates].map(|n| n as u32);
    [
        tails,
        heads,
        rows,
        list(&graph.degree_of_rank),
        [list(&graph.vertex_of_rank), dropped.to_vec()].concat(),
    ]
}

/// Graphs of `vertices` vertices, some of them without edges.
fn graphs_of(vertices: u32) -> Vec<Vec<[u32; 2]>> {
    let random = generators::uniform(150, 900, vertices.into());
    let twice: Vec<[u32; 2]> = random.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).collect();
    // Longer than keys are compared over.
    let again = [random.clone(), vec![[7, 9]; 1_100], vec![[3, 3]; 1_100]].concat();
    vec![vec![], vec![[1, 1]], clique(40), star(100), random, twice, again]
}

/// Each graph with one in `share` of the orders in a quick run, and each of them on one in `share` graphs.
fn check_sorts<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    // Ranks have 8 bits, 9, and 13; where there are as many as bits can tell, self-loops have a bit more.
    for vertices in [200, 256, 300, 5_000, 8_192] {
        for (at, edges) in graphs_of(vertices).into_iter().enumerate() {
            for order in effort::some(ORDERS, at, share) {
                let by = |sort| graph_by(device, &edges, vertices.into(), order, sort);
                let whole = by(KeySort::Whole);
                assert_eq!(by(KeySort::Bins), whole, "{order:?}");
                for passes in SortedGroups::PASSES {
                    assert_eq!(by(KeySort::SortedBins { passes }), whole, "{order:?}");
                }
            }
        }
    }
}

/// Every vertex' greatest hash of its own and those of its neighbours that belong to the highest part of all
/// hashes: three of a mean neighbourhood's vertices. Hubs offer none, and are still counted in a mean neighbourhood.
fn labels_without(edges: &[[u32; 2]], vertices: u32, is_hub: impl Fn(u32) -> bool) -> Vec<u32> {
    let mean_neighbourhood = 1 + 2 * edges.len() as u64 / filled(edges).max(1);
    let offered = (3 * u64::from(u32::MAX) / mean_neighbourhood).min(u64::from(u32::MAX));
    let mut labels: Vec<u32> = (0..vertices).map(hash).collect();
    let taken = edges.iter().filter(|edge| !edge.iter().any(|&end| is_hub(end)));
    for (&[u, v], turned) in taken.flat_map(|edge| [(edge, false), (edge, true)]) {
        let [to, from] = if turned { [u, v] } else { [v, u] };
        if u64::from(hash(from)) + offered >= u64::from(u32::MAX) {
            let label = &mut labels[to as usize];
            *label = hash(from).max(*label);
        }
    }
    labels
}

/// What the vertices are sorted by before their ids.
fn sorted_by(order: Order, edges: &[[u32; 2]], vertices: u32) -> Vec<u32> {
    let mut degrees = vec![0; vertices as usize];
    edges.iter().filter(|[u, v]| u != v).flatten().for_each(|&v| degrees[v as usize] += 1);
    match order {
        Order::Degrees => degrees.into_iter().map(degree_class).collect(),
        Order::HubsFirst(most_degree) => {
            let is_hub = |v: u32| degrees[v as usize] > most_degree;
            let labels = labels_without(edges, vertices, is_hub);
            // 16 bits at least, of which the first 256 numbers are classes of degrees.
            let keys = (0..vertices).map(|v| match is_hub(v) {
                true => degree_class(degrees[v as usize]),
                false => 256 + group(labels[v as usize], (1 << 16) - 256),
            });
            keys.collect()
        }
        Order::Ids => vec![0; vertices as usize],
    }
}

/// Degrees and triangles of the vertices, by sets.
fn local_brute_force(edges: &[[u32; 2]], vertices: u32) -> Local {
    let simple = Simple::with_vertices(edges, vertices as usize);
    Local::of_vertices(simple.degrees(), simple.triangles_of_vertices())
}

fn check_order<D: Device<Error: std::fmt::Debug>>(
    device: &D,
    edges: &[[u32; 2]],
    vertices: u32,
    order: Order,
) {
    let graph = device_graph(device, edges, vertices.into(), order, KeySort::Whole);
    let (figures, triangles) = brute_force(edges);
    assert_eq!(summary::summary(device, &graph, None).unwrap(), on_gpu(figures), "{order:?}");
    let counted =
        CountShape::default().count(device, &graph, &mut device.record().unwrap()).unwrap();
    assert_eq!(counted, triangles, "{order:?}");

    let vertex_of_rank = graph.vertex_of_rank.to_vec(device).unwrap();
    let all: BTreeSet<u32> = vertex_of_rank.iter().copied().collect();
    assert!(vertex_of_rank.len() == vertices as usize && all.into_iter().eq(0..vertices));
    let [tails, heads] = edges_of(device, &graph);
    assert!(tails.iter().zip(&heads).is_sorted_by(|a, b| a < b), "{order:?}");
    assert!(tails.iter().zip(&heads).all(|(tail, head)| head < tail), "{order:?}");
    let joined = tails.iter().zip(&heads).map(|(&tail, &head)| {
        let [u, v] = [tail, head].map(|rank| vertex_of_rank[rank as usize]);
        [u.min(v), u.max(v)]
    });
    let simple = edges.iter().filter(|[u, v]| u != v).map(|&[u, v]| [u.min(v), u.max(v)]);
    assert_eq!(joined.collect::<BTreeSet<_>>(), simple.collect(), "{order:?}");

    let keys = sorted_by(order, edges, vertices);
    let placed = vertex_of_rank.iter().map(|&v| (keys[v as usize], v));
    assert!(placed.is_sorted_by(|a, b| a < b), "{order:?}");

    let local = local_brute_force(edges, vertices);
    let (merge, groups) = (SupportCounter::Merge, SupportGroups::MEASURED);
    let support = edge_support(device, &graph, merge, &groups).unwrap();
    assert_eq!(local_counts(device, &graph, &support).unwrap(), local, "{order:?}");
}

/// Each graph with one in `share` of the orders in a quick run, as [`check_sorts`] does.
fn check_orders<D: Device<Error: std::fmt::Debug>>(device: &D, share: usize) {
    let cases =
        [200, 5_000].into_iter().flat_map(|n| graphs_of(n).into_iter().map(move |g| (g, n)));
    let ring = generators::watts_strogatz(500, 6, 100, 3);
    let grid = (0..299).flat_map(|v| [[v, v + 1], [v, (v + 20) % 300]]).collect();
    let more = [(ring, 500), (grid, 300), (generators::rmat(8, 16, 7), 256)];
    for (at, (edges, vertices)) in cases.chain(more).enumerate() {
        for order in effort::some(ORDERS, at, share) {
            check_order(device, &edges, vertices, order);
        }
    }
}

#[test]
fn every_order_of_the_vertices_gives_the_same_results_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_orders(&gpu, 1);
    }
}

#[test]
fn every_order_of_the_vertices_gives_the_same_results_in_the_emulator() {
    if let Some(emulator) = devices::emulated(6) {
        check_orders(&emulator, 3);
    }
}

#[test]
fn every_way_into_rows_gives_the_same_graph_on_a_gpu() {
    if let Some(gpu) = devices::gpu() {
        check_sorts(&gpu, 1);
    }
}

#[test]
fn every_way_into_rows_gives_the_same_graph_in_the_emulator() {
    if let Some(emulator) = devices::emulated(5) {
        check_sorts(&emulator, 6);
    }
}

#[test]
fn the_gpu_counts_what_brute_force_counts() {
    let Some(gpu) = devices::gpu() else { return };
    for (name, edges) in cases() {
        println!("{name}");
        check(&gpu, edges);
    }
}

#[test]
fn the_emulator_counts_what_brute_force_counts() {
    if !devices::emulator() {
        return;
    }
    // A quick run takes one of the two seeds for each graph.
    for (at, (name, edges)) in cases().into_iter().enumerate() {
        for seed in effort::some(1..=2, at, 2) {
            println!("{name}");
            check(&Emulator::with(Config::seeded(seed)), edges.clone());
        }
    }
}

/// Opened once for all drawn graphs.
static GPU: LazyLock<Result<Gpu, String>> = LazyLock::new(devices::open_gpu);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(effort::cases(64)))]

    /// Loops, duplicates, isolated vertices and gaps between ids, all as they come.
    #[test]
    fn any_multigraph_counts_the_same_everywhere(
        edges in proptest::collection::vec((0u32..48, 0u32..48), 0..400),
        gap in 1u32..50,
        seed in 1u64..1_000,
    ) {
        let edges: Vec<[u32; 2]> = edges.into_iter().map(|(u, v)| [u * gap, v * gap]).collect();
        if devices::emulator_wanted() {
            check(&Emulator::with(Config::seeded(seed)), edges.clone());
        }
        match &*GPU {
            Ok(gpu) => check(gpu, edges),
            Err(reason) => skip::part(devices::without_gpu(reason)),
        }
    }
}
