//! What the devices of several processes prepare together is what one device prepares alone.
//!
//! A process is a thread here, with devices of its own, and joined to the others by channels.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use testkit::effort;

use super::tests::{
    Device, alone, clique, emulator, graphs, narrow, settings, triangles_of, windows,
};
use super::*;
use crate::counting::hybrid::count_within;
use crate::device::team::Team;
use crate::device_graph::download;
use crate::exchange::threads::{Channels, ThreadPeers};
use crate::exchange::{Linked, Peers};
use crate::methods::windows::count_windows;
use tribin_graph::VertexIds;

type Process = Linked<Device, Arc<Channels<Device>>>;

/// Runs something in one process for each of `devices`, which has that many of them. `device` makes the device of
/// this number in the process of that.
fn in_processes<R: Send>(
    devices: &[usize],
    device: impl Fn(usize, usize) -> Device + Sync,
    job: impl Fn(usize, &Process) -> R + Sync,
) -> Vec<R> {
    let channels = Arc::new(Channels::new(devices.iter().sum()));
    let peers = ThreadPeers::new(devices.len());
    thread::scope(|scope| {
        let (device, job) = (&device, &job);
        let processes = peers.into_iter().zip(devices).map(|(peers, &own)| {
            let channels = channels.clone();
            scope.spawn(move || {
                let rank = peers.rank();
                let own = (0..own).map(|number| device(rank, number)).collect();
                let team = Team::start(own, 1).unwrap();
                let connect = |_: &Team<Device>, _, _| Ok(channels);
                let process = Linked::join(team, Arc::new(peers), connect).unwrap();
                job(rank, &process)
            })
        });
        let processes: Vec<_> = processes.collect();
        let ended = processes.into_iter().map(|process| process.join());
        ended.map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Some of the entries of a graph, with the numbers that the vertices have in the graph.
fn part_of(entries: &[[u32; 2]]) -> Graph {
    let bound = entries.iter().flatten().max().map_or(0, |&v| v + 1);
    Graph::from_parts(entries.to_vec(), VertexIds::Identity { bound }, String::new())
}

/// The entries of each process.
type Cut = fn(&[[u32; 2]], usize) -> Vec<Graph>;

fn even(entries: &[[u32; 2]], processes: usize) -> Vec<Graph> {
    let at = |process: usize| entries.len() * process / processes;
    (0..processes).map(|process| part_of(&entries[at(process)..at(process + 1)])).collect()
}

/// Everything in the last process, and nothing in the others.
fn all_in_the_last(entries: &[[u32; 2]], processes: usize) -> Vec<Graph> {
    let of = |process| if process + 1 == processes { part_of(entries) } else { part_of(&[]) };
    (0..processes).map(of).collect()
}

fn check(graph: &Graph, devices: &[usize], parts: u32, cut: Cut, triangles: u64) {
    let (expected, degrees, figures) = alone(graph);
    let all: usize = devices.iter().sum();
    let shares = cut(graph.edges(), devices.len());
    let case = format!("{parts} parts on {devices:?} devices: {:?}", graph.edges());
    let prepare = |rank: usize, process: &Process, most_narrow: u64| {
        let division = Division { most_narrow, ..Division::new(parts, ByVertex::Wanted) };
        let found = prepare_in_parts(process, &shares[rank], division, &Context::silent()).unwrap();
        assert_eq!(found.prepared.figures, figures, "{case}");
        assert_eq!((process.devices(), process.team().len()), (all, devices[rank]));
        found
    };
    let counted = in_processes(
        devices,
        |_, _| emulator(),
        |rank, process| {
            let found = prepare(rank, process, MAX_ENTRIES);
            for (own, graph) in narrow(&found).iter().enumerate() {
                let device = process.team().device(own);
                assert_eq!(download(device, graph).unwrap(), expected, "{case}");
                assert_eq!(graph.degree_of_rank.to_vec(device).unwrap(), degrees, "{case}");
            }
            let counts = settings().map(|settings| {
                let count = |own: usize, device: &Device| {
                    let graph = &narrow(&found)[own];
                    Ok(count_within(device, graph, &settings, u64::MAX)?.0.triangles)
                };
                process.team().each(count).unwrap().into_iter().sum::<u64>()
            });
            let counts = process.agree(counts.to_vec(), |one, other| one + other).unwrap();
            drop(found);
            let found = prepare(rank, process, 0);
            let wide = match &found.graphs {
                OnEach::Wide(graphs) => {
                    let windows = &windows(graphs[0].edges)[0];
                    let count =
                        |own: usize, device: &Device| count_windows(device, &graphs[own], windows);
                    let counted = process.team().each(count).unwrap();
                    counted.iter().map(|found| found.counted.triangles).sum()
                }
                OnEach::Narrow(_) => 0,
            };
            [counts, process.agree(vec![wide], |one, other| one + other).unwrap()].concat()
        },
    );
    for counts in counted {
        assert!(counts.iter().all(|&count| count == triangles), "{case}: {counts:?}");
    }
}

/// A quick run takes each graph in four of the eight numbers of processes.
#[test]
fn several_processes_make_the_graph_that_one_device_makes() {
    for (at, (name, edges, triangles)) in graphs().into_iter().enumerate() {
        let graph = Graph::from_edges(edges);
        assert_eq!(triangles_of(&graph), triangles, "{name}");
        for processes in (1..=8usize).filter(|processes| effort::takes(at + processes, 2)) {
            // Alternately one device and two in each process, and processes without entries.
            let devices = vec![1 + processes % 2; processes.div_ceil(1 + processes % 2)];
            let parts = devices.iter().sum::<usize>() as u32;
            let cut = if processes % 3 == 0 { all_in_the_last } else { even };
            check(&graph, &devices, parts, cut, triangles);
        }
    }
}

/// Processes that have different numbers of devices, with fewer parts than devices, more of them, and many.
#[test]
fn processes_need_not_have_as_many_devices_or_parts() {
    let graph = Graph::from_edges([clique(0..20), clique(15..40)].concat());
    let triangles = triangles_of(&graph);
    for (devices, parts) in [
        (&[1, 2][..], 3),
        (&[2, 1, 1], 4),
        (&[1, 1], 5),
        (&[3, 1], 3),
        (&[1, 1, 1, 1], 2),
        (&[2, 1], 8),
    ] {
        check(&graph, devices, parts, even, triangles);
        check(&graph, devices, parts, all_in_the_last, triangles);
    }
}

/// Whatever fails in one process, its own error ends it, and the others end too: none waits for ever, and all memory
/// is given back.
#[test]
fn a_device_that_fails_ends_all_processes() {
    let graph = Graph::from_edges([clique(0..20), clique(15..40)].concat());
    let shares = even(graph.edges(), 3);
    for devices in [[1, 1, 1], [2, 1, 1]] {
        let calls = in_processes(
            &devices,
            |_, _| emulator(),
            |rank, process| {
                let division = Division::new(4, ByVertex::Wanted);
                prepare_in_parts(process, &shares[rank], division, &Context::silent()).unwrap();
                let calls = process.team().device(0).calls();
                process.agree(vec![calls], |one, _| one).unwrap()[0]
            },
        );
        // The first process's first device fails, at one call after another.
        for number in (0..calls[0]).step_by(7) {
            let device = |rank, own| match (rank, own) {
                (0, 0) => emulator().failing_at_call(number),
                _ => emulator(),
            };
            let outcomes = in_processes(&devices, device, |rank, process| {
                let division = Division::new(4, ByVertex::Wanted);
                let found = prepare_in_parts(process, &shares[rank], division, &Context::silent());
                let outcome = found.map(drop);
                // Whoever is done waits for all before it ends.
                let told = outcome.and_then(|()| {
                    process.agree(vec![0], u64::max).map(drop).map_err(Stopped::Peers)
                });
                for own in 0..devices[rank] {
                    assert_eq!(process.team().device(own).live_bytes(), 0, "call {number}");
                }
                told
            });
            for (rank, outcome) in outcomes.into_iter().enumerate() {
                match (rank, outcome) {
                    (0, Err(Stopped::Failed(failed))) => assert_eq!(failed.device, 0),
                    // What a wire asks of a device it reports itself.
                    (0, Err(Stopped::Peers(Error::DeviceMemory { .. } | Error::Device(_)))) => {}
                    (_, Err(Stopped::Peers(error))) => {
                        let text = error.to_string();
                        assert!(text.ends_with("has ended"), "rank {rank}: {text}");
                    }
                    (rank, other) => panic!("rank {rank}, call {number}: {other:?}"),
                }
            }
        }
    }
}
