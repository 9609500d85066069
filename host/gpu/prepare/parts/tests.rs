//! What several devices prepare together is what one prepares alone, for every number of parts.

use std::sync::Arc;

use proptest::prelude::*;
use testkit::effort;
use testkit::oracle::brute_force;
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::Metered;

use super::*;
use crate::counting::hybrid::count_within;
use crate::device::driver::Driver;
use crate::device::team::Team;
use crate::device_graph::download;
use crate::exchange::PeerCopies;
use crate::plan::Task;
use crate::plan::counting::{
    CountingSettings, GroupSettings, HubSettings, MatrixSettings, RowBits,
};
use crate::plan::preparation::{KeySort, SortedGroups};

use tribin_graph::OrientedGraph;

pub(super) type Device = Metered<Emulator>;

pub(super) fn emulator() -> Device {
    Metered::new(Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) }))
}

fn team(devices: usize) -> PeerCopies<Device> {
    team_of((0..devices).map(|_| emulator()).collect())
}

fn team_of(devices: Vec<Device>) -> PeerCopies<Device> {
    let start = |device| Arc::new(Driver::start(device, 1).unwrap());
    PeerCopies::new(Team::of(devices.into_iter().map(start).collect()))
}

fn prepare(
    exchange: &PeerCopies<Device>,
    graph: &Graph,
    parts: u32,
) -> Result<OnDevices<Device>, PartsStopped<<Device as warpwise_device::launch::Device>::Error>> {
    prepare_in_parts(exchange, graph, Division::new(parts, Task::AtVertices), &Context::silent())
}

/// What one device prepares: the graph, the degrees by rank, and the figures.
pub(super) fn alone(graph: &Graph) -> (OrientedGraph, Vec<u32>, crate::Summary) {
    let device = emulator();
    let task = Task::AtVertices;
    let ready = super::super::prepare(&device, graph, task, &crate::Work::new()).unwrap();
    let degrees = ready.graph.degree_of_rank.to_vec(&device).unwrap();
    (download(&device, &ready.graph).unwrap(), degrees, ready.figures)
}

/// Merging in place, groups with a matrix of hubs as soon as there is an edge, and a matrix of all ranks where it takes
/// no more memory than groups.
pub(super) fn settings() -> [CountingSettings; 3] {
    let hubs = HubSettings { hubs: 512, min_edges: 0, min_permille: 0, ..HubSettings::MEASURED };
    let groups = GroupSettings {
        row_bits: all_grouped(),
        hubs: Some(hubs),
        min_wedges: 0,
        more_wedges: 0,
        high_max_permille: 1_000,
        min_grouped_permille: 0,
        small_edges: 0,
        ..GroupSettings::MEASURED
    };
    let grouped =
        CountingSettings { matrix: None, groups: Some(groups), ..CountingSettings::MEASURED };
    let matrix = Some(MatrixSettings { min_edges: 0, max_permille: u32::MAX });
    [CountingSettings::MERGE_ONLY, grouped, CountingSettings { matrix, ..grouped }]
}

/// Every head that has an edge has a group.
fn all_grouped() -> RowBits {
    RowBits { min_edges: 1, ..RowBits::MEASURED }
}

/// What one device prepares, and the triangles.
type Known = (OrientedGraph, Vec<u32>, crate::Summary, u64);

fn known(graph: &Graph, triangles: u64) -> Known {
    let (expected, degrees, figures) = alone(graph);
    (expected, degrees, figures, triangles)
}

fn check(graph: &Graph, devices: usize, parts: u32, known: &Known) {
    let (expected, degrees, figures, triangles) = known;
    let exchange = team(devices);
    let team = exchange.team();
    let found = prepare(&exchange, graph, parts).unwrap();
    let case = format!("{parts} parts on {devices} devices: {:?}", graph.edges());
    assert_eq!(found.prepared.figures, *figures, "{case}");
    let graphs = &found.graphs;
    assert_eq!(graphs.len(), devices);
    for (number, graph) in graphs.iter().enumerate() {
        let device = team.device(number);
        assert_eq!(download(device, graph).unwrap(), *expected, "{case}");
        assert_eq!(graph.degree_of_rank.to_vec(device).unwrap(), *degrees, "{case}");
        assert_eq!(graph.tails.len(), graph.heads.len(), "{case}");
        let rows = graph.rows.to_vec(device).unwrap();
        let filled = rows.as_chunks().0.iter().filter(|[start, end]| start < end);
        assert_eq!(filled.map(|[start, end]| u64::from(end - start)).sum::<u64>(), graph.edges);
    }
    for settings in settings() {
        let counts = team
            .each(|number, device| {
                Ok(count_within(device, &graphs[number], &settings, u64::MAX)?.0.counted.triangles)
            })
            .unwrap();
        assert_eq!(counts.iter().sum::<u64>(), *triangles, "{case}");
    }
    let moved = found.prepared.exchanged;
    drop(found);
    // Where a device does not number so many edges.
    if let Some(most_edges) = figures.edges.checked_sub(1) {
        let division = Division { most_edges, ..Division::new(parts, Task::AtVertices) };
        let stopped = prepare_in_parts(&exchange, graph, division, &Context::silent()).err();
        let too_many =
            |edges| matches!(stopped, Some(PartsStopped::TooManyEdges { edges: e }) if e == edges);
        assert!(too_many(figures.edges), "{case}");
    }
    assert!(if devices == 1 { moved == 0 } else { moved > 0 || graph.vertex_bound() == 0 });
}

pub(super) fn triangles_of(graph: &Graph) -> u64 {
    let (oriented, _) = tribin_cpu::prepare::oriented(graph);
    tribin_cpu::forward::count(&oriented)
}

pub(super) fn clique(vertices: std::ops::Range<u32>) -> Vec<[u32; 2]> {
    let end = vertices.end;
    vertices.flat_map(|u| (u + 1..end).map(move |v| [u, v])).collect()
}

/// Graphs that leave parts and shares empty, or make one of them hold nearly all.
pub(super) fn graphs() -> Vec<(&'static str, Vec<[u32; 2]>, u64)> {
    let star = |n: u32| (1..n).map(|leaf| [leaf, 0]).collect::<Vec<_>>();
    let back = |edges: &[[u32; 2]]| edges.iter().map(|&[u, v]| [v, u]).collect::<Vec<_>>();
    let twelve = clique(0..12);
    vec![
        ("nothing", vec![], 0),
        ("one vertex", vec![[0, 0]], 0),
        ("loops alone", (0..9).map(|v| [v, v]).collect(), 0),
        ("one edge", vec![[1, 0]], 0),
        ("fewer vertices than parts", clique(0..3), 1),
        ("isolated vertices between", vec![[0, 1_000], [1_000, 500], [500, 0]], 1),
        ("one vertex holds half of all", [star(400), clique(400..420)].concat(), 1_140),
        ("a wheel", [star(200), (1..199).map(|v| [v, v + 1]).collect()].concat(), 198),
        // Every edge in both directions, far from each other, with a loop between.
        ("both directions", [twelve.clone(), vec![[3, 3]], back(&twelve)].concat(), 220),
        ("one edge a hundred times", [vec![[5, 2]; 100], twelve.clone()].concat(), 220),
        ("cliques", [clique(0..30), clique(29..60), clique(100..130)].concat(), 12_615),
    ]
}

/// A quick run takes each graph in one of the eight numbers of parts.
#[test]
fn every_number_of_parts_makes_the_graph_that_one_device_makes() {
    for (at, (name, edges, triangles)) in graphs().into_iter().enumerate() {
        let graph = Graph::from_edges(edges);
        assert_eq!(triangles_of(&graph), triangles, "{name}");
        let known = known(&graph, triangles);
        for parts in effort::some(1..=8, at, 8) {
            // Several parts on one device, a part a device, and two parts a device.
            check(&graph, if parts % 3 == 0 { 1 } else { parts as usize }, parts, &known);
            if parts % 4 == 0 {
                check(&graph, parts as usize / 2, parts, &known);
            }
        }
    }
}

/// What the plan takes for large graphs alone.
#[test]
fn every_sort_makes_the_graph_that_one_device_makes() {
    for (at, (name, edges, _)) in graphs().into_iter().enumerate() {
        let graph = Graph::from_edges(edges);
        let (expected, degrees, figures) = alone(&graph);
        let (entries, vertices) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let passes = SortedGroups::PASSES
            .into_iter()
            .filter(|&passes| SortedGroups::of(entries, vertices, passes).is_some());
        let sorted_bins = passes.map(|passes| KeySort::SortedBins { passes });
        let sorts = [KeySort::Whole, KeySort::Bins].into_iter().chain(sorted_bins);
        for (number, sort) in sorts.enumerate() {
            let (devices, parts) = [(2, 2), (3, 5), (1, 3)][(at + number) % 3];
            if !effort::takes(at + number, 3) {
                continue;
            }
            let exchange = team(devices);
            let upload = |number, device: &Device| load(device, &graph, number, devices);
            let loaded = exchange.team().each(upload).unwrap();
            let mut decided = order::decide(&exchange, loaded, entries, Task::AtVertices).unwrap();
            decided.sort = sort;
            let parted = sort::to_parts(&exchange, decided, entries, parts).unwrap();
            let sorted = sort::sort_parts(&exchange, parted, parts).unwrap();
            let (graphs, found) = assemble::assemble(&exchange, sorted, entries).unwrap();
            let case = format!("{name}: {sort:?} in {parts} parts on {devices} devices");
            assert_eq!(found, figures, "{case}");
            for (number, graph) in graphs.iter().enumerate() {
                let device = exchange.team().device(number);
                assert_eq!(download(device, graph).unwrap(), expected, "{case}");
                assert_eq!(graph.degree_of_rank.to_vec(device).unwrap(), degrees, "{case}");
            }
        }
    }
}

/// More parts than fit one device after another, and a number that does not divide.
#[test]
fn parts_need_not_be_a_multiple_of_the_devices() {
    let graph = Graph::from_edges([clique(0..10), clique(7..20)].concat());
    let known = known(&graph, triangles_of(&graph));
    for (devices, parts) in [(2, 3), (3, 2), (4, 1), (3, 32)] {
        check(&graph, devices, parts, &known);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn any_multigraph_is_the_same_in_any_number_of_parts(
        edges in prop::collection::vec(prop::array::uniform2(0u32..24), 0..200),
    ) {
        let graph = Graph::from_edges(edges);
        let known = known(&graph, brute_force(graph.edges()));
        for parts in effort::some(1..=8, graph.edges().len(), 4) {
            check(&graph, 1 + parts as usize / 2, parts, &known);
        }
    }
}

/// Whichever allocation or copy of whichever device fails, the work ends with that device's error, and the memory of
/// all devices is given back.
#[test]
fn every_allocation_and_every_copy_may_fail() {
    let graph = Graph::from_edges([clique(0..8), clique(5..14)].concat());
    let failing: [fn(Device, u64) -> Device; 2] = [Device::failing_at, Device::failing_at_copy];
    for (kind, fail) in failing.into_iter().enumerate() {
        for faulty in (0..3).filter(|faulty| effort::takes(kind + faulty, 2)) {
            let mut number = 0;
            loop {
                let device = |k| if k == faulty { fail(emulator(), number) } else { emulator() };
                let exchange = team_of((0..3).map(device).collect());
                match prepare(&exchange, &graph, 6) {
                    Ok(_) => break,
                    Err(PartsStopped::Failed(failed)) => assert_eq!(failed.device, faulty),
                    Err(other) => panic!("{other:?}"),
                }
                for k in 0..3 {
                    assert_eq!(
                        exchange.team().device(k).live_bytes(),
                        0,
                        "device {k} after fault {number}"
                    );
                }
                number += 1;
            }
            assert!(number > 10, "{number} faults");
        }
    }
}

#[test]
fn work_is_stopped_between_its_steps() {
    let graph = Graph::from_edges(clique(0..10));
    let team = team(2);
    for looks in 0.. {
        let cancel = Cancel::after(looks);
        let context = Context::new(&|_| (), cancel);
        match prepare_in_parts(&team, &graph, Division::new(2, Task::Count), &context) {
            Ok(_) => {
                assert!(looks >= 4, "{looks} looks");
                break;
            }
            Err(stopped) => assert!(matches!(stopped, PartsStopped::Cancelled)),
        }
    }
}
