//! Ranks with devices: threads of one process, each with an emulated device of its own.

use std::net::TcpListener;
use std::thread;

use super::tests::{alone, metered_as, on_cpu, shapes};
use super::*;
use crate::count::EngineChoice;
use crate::ranks::{Environment, Ranks};

/// Counts with a rank for each device, which may use this many bytes of memory. All ranks have the same count.
fn count(graph: &Graph, devices: &[Option<u64>], engine: EngineChoice) -> Count {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut listener = Some(listener);
    let counts: Vec<Count> = thread::scope(|scope| {
        let threads: Vec<_> = (0..)
            .zip(devices)
            .map(|(number, &memory)| {
                let listener = if number == 0 { listener.take() } else { None };
                scope.spawn(move || {
                    let set = [
                        ("RANK", number.to_string()),
                        ("WORLD_SIZE", devices.len().to_string()),
                        ("MASTER_ADDR", "127.0.0.1".to_owned()),
                        ("MASTER_PORT", port.to_string()),
                    ];
                    let environment = Environment::from_variables(|name| {
                        let of = set.iter().find(|(variable, _)| *variable == name);
                        of.map(|(_, value)| value.into())
                    });
                    let ranks = Ranks::join_at(&environment.unwrap(), listener).unwrap();
                    let mut device = metered_as(number, |device| device);
                    Arc::get_mut(&mut device).unwrap().memory_limit = memory;
                    let options = Options { cancel: ranks.cancel().clone(), ..Options::default() };
                    let session =
                        Session::open(Options { engine: Some(Arc::new(alone(device))), ..options })
                            .unwrap();
                    let counting = CountOptions { engine, ..CountOptions::default() };
                    let input = Input::from(graph).with_options(&counting);
                    let count = session.count_with_ranks(&ranks, input);
                    ranks.finish();
                    count.unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for other in &counts[1..] {
        counts[0].compare(other).unwrap();
        assert_eq!(counts[0].over_ranks, other.over_ranks);
    }
    counts.into_iter().next().unwrap()
}

fn graphs() -> Vec<(&'static str, Graph)> {
    let model = tribin_generate::Rmat::new(11, 8, tribin_generate::GRAPH500, 1).unwrap();
    let shapes = shapes().into_iter().map(|(name, edges)| (name, Graph::from_edges(edges)));
    shapes.chain([("rmat", tribin_generate::graph(&model, "rmat"))]).collect()
}

/// Devices count groups of edges each, also where one of them does not hold the graph.
#[test]
fn devices_count_groups_of_edges_each() {
    for (at, (name, graph)) in graphs().into_iter().enumerate() {
        let expected = on_cpu().count(&graph).unwrap();
        let jobs = [
            (&[None][..], EngineChoice::Auto),
            (&[None, Some(64 << 20)], EngineChoice::Auto),
            (&[Some(100 << 10), None], EngineChoice::Auto),
            (&[None; 3], EngineChoice::Forward),
        ];
        // A quick run takes two of the four jobs.
        for (devices, engine) in testkit::effort::some(jobs, at, 2) {
            let found = count(&graph, devices, engine);
            found.compare(&expected).unwrap();
            assert_eq!(found.reciprocal_dropped, expected.reciprocal_dropped, "{name}");
            let over = found.over_ranks.unwrap();
            assert_eq!(over.ranks as usize, devices.len(), "{name}");
            assert!(over.groups >= u64::from(expected.edges > 0), "{name}");
            if name == "rmat" && devices[0].is_none() {
                let method = if engine == EngineChoice::Forward { "forward" } else { "hybrid" };
                assert_eq!((&*found.engine, &*found.device), (method, "gpu:0"), "{name}");
            }
        }
    }
}
