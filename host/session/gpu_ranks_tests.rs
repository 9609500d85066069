//! What several processes count together is what the CPU counts: each is a thread with emulators here, and they are
//! joined over the loopback address.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use tribin_device::emulated::Emulator;
use tribin_device::launch::Metered;

use super::gpu_ranks::OnRanks;
use super::tests::{cliques, metered, on_cpu, shapes};
use super::{Options, Session};
use crate::count::{Count, CountOptions, EngineChoice};
use crate::ranks::{Environment, Ranks};
use crate::{Error, Graph, Result};
use tribin_gpu::exchange::threads::Channels;

type Device = Metered<Emulator>;

/// Runs something in one session for each of `devices`, which has that many of them.
fn on_ranks<R: Send>(
    devices: &[usize],
    parts: Option<u32>,
    run: impl Fn(&Arc<Ranks>, Session) -> R + Sync,
) -> Vec<R> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let channels = Arc::new(Channels::<Device>::new(devices.iter().sum()));
    let mut listener = Some(listener);
    let world = devices.len().to_string();
    thread::scope(|scope| {
        let (run, port, world) = (&run, &port, &world);
        let ranks = devices.iter().enumerate().map(|(rank, &own)| {
            let (listener, channels) = (listener.take(), channels.clone());
            scope.spawn(move || {
                let rank = rank.to_string();
                let set = [
                    ("RANK", &rank),
                    ("WORLD_SIZE", world),
                    ("MASTER_ADDR", &"127.0.0.1".to_owned()),
                    ("MASTER_PORT", port),
                    ("TRIBIN_TOKEN", &"t".to_owned()),
                ];
                let get = |name: &str| {
                    set.iter()
                        .find(|(variable, _)| *variable == name)
                        .map(|(_, value)| value.into())
                };
                let environment = Environment::from_variables(get).unwrap();
                let ranks = Arc::new(Ranks::join_at(&environment, listener).unwrap());
                let gpus = (0..own).map(|_| metered(None)).collect();
                let label = "gpu:0".to_owned();
                let engine =
                    OnRanks::join(gpus, label, ranks.clone(), parts, |_, _, _| Ok(channels));
                let session = Session::with_engine(Box::new(engine.unwrap()), Options::default());
                let found = run(&ranks, session.unwrap());
                if let Some(ranks) = Arc::into_inner(ranks) {
                    ranks.finish();
                }
                found
            })
        });
        let ranks: Vec<_> = ranks.collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

/// Counts a graph of which every rank takes a share.
fn count(ranks: &Ranks, session: &Session, graph: &Graph, options: &CountOptions) -> Result<Count> {
    let entries = graph.edges().len() as u64;
    let at = |rank: u32| (entries * u64::from(rank) / u64::from(ranks.ranks())) as usize;
    let own = graph.edges()[at(ranks.rank())..at(ranks.rank() + 1)].to_vec();
    let own = Graph::from_parts(own, graph.ids().clone(), String::new());
    session.count_with(&own, options)
}

#[test]
fn what_several_processes_count_is_the_cpu_s() {
    for (name, edges) in shapes() {
        let graph = Graph::from_edges(edges);
        let known = on_cpu().count(&graph).unwrap();
        for (devices, parts) in
            [(&[1, 1][..], None), (&[1, 2], Some(5)), (&[1, 1, 1, 1], None), (&[1], None)]
        {
            let counts = on_ranks(devices, parts, |ranks, session| {
                let options = CountOptions { explain: true, ..CountOptions::default() };
                count(ranks, &session, &graph, &options).unwrap()
            });
            let case = format!("{name} on {devices:?}");
            for count in counts {
                assert_eq!(
                    (count.triangles, count.edges, count.wedges, count.vertices),
                    (known.triangles, known.edges, known.wedges, known.vertices),
                    "{case}"
                );
                assert_eq!(count.duplicates_dropped, known.duplicates_dropped, "{case}");
                let explanation = count.explanation.unwrap();
                let (predicted, peak) = (explanation.predicted_peak_bytes, explanation.peak_bytes);
                assert!(predicted >= peak && peak > Some(0), "{case}: {predicted:?} {peak:?}");
                let decision = &explanation.decisions[1];
                let all: usize = devices.iter().sum();
                let parts = parts.unwrap_or(all as u32);
                let choice = format!("all GPUs of {} ranks in {parts} parts", devices.len());
                assert_eq!(decision.choice, choice);
                assert_eq!(explanation.exchanged_bytes.unwrap() > 0, all > 1, "{case}");
            }
        }
    }
}

#[test]
fn every_engine_that_counts_shares_counts_those_of_processes() {
    let graph = Graph::from_edges(cliques());
    let triangles = on_cpu().count(&graph).unwrap().triangles;
    let counts = on_ranks(&[1, 1, 1], None, |ranks, session| {
        EngineChoice::ALL.map(|engine| {
            let options = CountOptions { engine, ..CountOptions::default() };
            count(ranks, &session, &graph, &options).unwrap().triangles
        })
    });
    assert_eq!(counts, [[triangles; 3]; 3]);
}

/// Each rank reads a share of a file, and makes a share of the blocks; what comes out is the whole graph's.
#[test]
fn ranks_read_and_make_their_shares() {
    let blocks = Graph::from_edges(cliques());
    let triangles = on_cpu().count(&blocks).unwrap().triangles;
    for devices in [&[1][..], &[1, 1], &[2, 1, 1]] {
        let counts = on_ranks(devices, None, |ranks, session| {
            let session = session.joined_to(ranks);
            let options = CountOptions::default();
            let reading = crate::read::Options::default();
            let karate = session
                .count_file(
                    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/karate.mtx"),
                    &reading,
                    &options,
                )
                .unwrap();
            let made = session.count_blocks(&blocks, "cliques", &options).unwrap();
            [
                (karate.triangles, karate.edges, karate.wedges),
                (made.triangles, made.edges, made.wedges),
            ]
        });
        let known = on_cpu().count(&blocks).unwrap();
        for [karate, made] in counts {
            assert_eq!(karate, (45, 78, 528), "{devices:?}");
            assert_eq!(made, (triangles, known.edges, known.wedges), "{devices:?}");
        }
    }
}

/// What one process alone can do is refused by all, and so are ranks that would decide differently.
#[test]
fn what_processes_do_not_do_together_is_refused() {
    let graph = Graph::from_edges(cliques());
    let verified = CountOptions { verify: true, ..CountOptions::default() };
    let refused = on_ranks(&[1, 1], None, |ranks, session| {
        let prepared = session.prepare(&graph).map(drop);
        let verified = count(ranks, &session, &graph, &verified).map(drop);
        let own = match ranks.rank() {
            0 => EngineChoice::Forward,
            _ => EngineChoice::Hybrid,
        };
        let different = CountOptions { engine: own, ..CountOptions::default() };
        let different = count(ranks, &session, &graph, &different).map(drop);
        [prepared, verified, different].map(|refused| match refused {
            Err(Error::Usage(message)) => message.to_string(),
            other => panic!("{other:?}"),
        })
    });
    for [prepared, verified, different] in refused {
        assert!(prepared.starts_with("several processes count triangles, and nothing else"));
        assert!(verified.starts_with("a count by several processes is not verified; "));
        assert!(different.starts_with("the ranks have different options"), "{different}");
    }
}
