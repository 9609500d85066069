//! What the engines promise as engines of a session, in the emulator. That they count right is tested in tests/methods.

use testkit::generators::{clique, rmat, star};
use tribin_base::Error;
use tribin_count::{Count, CountOptions};
use tribin_graph::Graph;
use tribin_session::{DeviceChoice, Input, Session};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::Metered;

use super::*;

fn metered_emulator() -> Metered<Emulator> {
    Metered::new(Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) }))
}

fn metered() -> Arc<DrivenDevice<Metered<Emulator>>> {
    DrivenDevice::start(metered_emulator(), None, 1).unwrap()
}

fn on(device: DeviceChoice) -> Options {
    let mut options = Options::default();
    options.device = device;
    options
}

fn on_cpu() -> Session {
    Session::open(on(DeviceChoice::Cpu)).unwrap()
}

/// Graphs that are prepared in different ways.
fn shapes() -> Vec<(&'static str, Vec<[u32; 2]>)> {
    let ring: Vec<[u32; 2]> =
        (0..900).flat_map(|v| [1, 2, 3].map(|step| [v, (v + step) % 900])).collect();
    vec![
        ("a clique with loops", clique(60)),
        ("rmat", rmat(8, 8, 7)),
        ("a star", star(200)),
        ("every edge of a ring twice", [ring.clone(), ring].concat()),
        ("isolated vertices", vec![[0, 1], [1, 50_000], [50_000, 0]]),
        ("self-loops", (0..500).map(|v| [v, v]).collect()),
    ]
}

fn session<D: Accelerator>(engine: PaperEngine, gpu: Arc<DrivenDevice<D>>) -> Session {
    Session::open(Options { engine: Some(engine.on(gpu)), ..Options::default() }).unwrap()
}

fn explained() -> CountOptions {
    let mut options = CountOptions::default();
    options.explain = true;
    options
}

/// The figures of the simple graph, which are the same on all devices.
fn of_the_graph(count: &Count) -> [u64; 5] {
    let dropped = [count.self_loops_dropped, count.duplicates_dropped];
    [count.triangles, count.vertices, count.edges, dropped[0], dropped[1]]
}

#[test]
fn engines_find_what_the_cpu_finds_in_no_more_memory_than_predicted() {
    for (name, edges) in shapes() {
        let graph = Graph::from_edges(edges);
        let known = on_cpu().count(&graph).unwrap();
        for one in PaperEngine::ALL {
            let case = format!("{name}, {one:?}");
            let count = session(one, metered())
                .count(Input::from(&graph).with_options(&explained()))
                .unwrap();
            assert_eq!(of_the_graph(&count), of_the_graph(&known), "{case}");
            assert_eq!((count.wedges, count.max_degree), (known.wedges, known.max_degree));
            assert_eq!((&*count.engine, &*count.device), (one.name(), "gpu:0"));
            let explanation = count.explanation.unwrap();
            let (predicted, peak) = (explanation.predicted_peak_bytes, explanation.peak_bytes);
            assert!(predicted >= peak && peak > Some(0), "{case}: {predicted:?} {peak:?}");
            let questions: Vec<_> = explanation.decisions.iter().map(|one| one.question).collect();
            let is_radix = one.name().starts_with("radix-binning");
            let second = if is_radix { "batches of candidates" } else { "who prepares the graph" };
            assert_eq!(questions[..2], ["device", second], "{case}");
            let figures: Vec<_> = count.figures.iter().map(|figure| figure.name).collect();
            let expected: &[_] =
                if is_radix { &["candidates", "launches", "batches"] } else { &[] };
            assert_eq!(figures[..figures.len().min(3)], *expected, "{case}");
        }
    }
}

/// The candidates of a clique oriented by degree are its triangles, and without orientation all of its wedges.
#[test]
fn the_orientation_changes_the_candidates() {
    let clique: Vec<[u32; 2]> = (0..10).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let graph = Graph::from_edges(clique);
    let both = [PaperEngine::RadixBinning, PaperEngine::RadixBinningUndirected];
    let candidates = both.map(|one| {
        let count = session(one, metered()).count(&graph).unwrap();
        count.figures[0].values[0]
    });
    assert_eq!(candidates, [120, 360]);
}

#[test]
fn a_graph_that_does_not_fit_is_refused() {
    let ring: Vec<[u32; 2]> = (0..9_000).map(|v| [v, (v + 1) % 9_000]).collect();
    let graph = Graph::from_edges(ring);
    for one in PaperEngine::ALL {
        let gpu = DrivenDevice::start(metered_emulator(), Some(100 << 10), 1).unwrap();
        let refused = session(one, gpu).count(&graph).unwrap_err();
        assert!(matches!(refused, Error::DeviceMemory { .. }), "{one:?}: {refused}");
    }
}

/// Whichever call of the driver fails, that is the error of the count, and the same session counts again.
#[test]
fn every_call_of_the_driver_may_fail() {
    let (_, edges) = shapes().swap_remove(0);
    let graph = Graph::from_edges(edges);
    let triangles = on_cpu().count(&graph).unwrap().triangles;
    // A quick run takes every fifth call.
    let step = if testkit::effort::is_full() { 1 } else { 5 };
    for one in PaperEngine::ALL {
        let (mut number, mut quiet) = (0, 0);
        while quiet < 3 {
            let device = metered_emulator().failing_at_call(number);
            let session = session(one, DrivenDevice::start(device, None, 1).unwrap());
            match session.count(Input::from(&graph).with_options(&explained())) {
                Ok(count) => {
                    assert_eq!(count.triangles, triangles, "{one:?}, call {number}");
                    quiet += 1;
                }
                Err(error) => {
                    assert!(matches!(error, Error::Device(_)), "{one:?}, {number}: {error}");
                    quiet = 0;
                    let again =
                        session.count(Input::from(&graph).with_options(&explained())).unwrap();
                    assert_eq!(again.triangles, triangles, "{one:?}, again after call {number}");
                }
            }
            number += step;
        }
        assert!(number > 20, "{one:?}: {number} calls");
    }
}

#[test]
fn names_parse_back_from_their_text() {
    for engine in PaperEngine::ALL {
        assert_eq!(engine.to_string().parse(), Ok(engine));
    }
    assert_eq!(
        "radix".parse::<PaperEngine>().unwrap_err(),
        "`radix` is none of `merge-path`, `bitmap`, `radix-binning`, `radix-binning-undirected`"
    );
}

#[test]
fn the_cpu_has_none_of_the_engines() {
    let options = on(DeviceChoice::Cpu);
    for engine in PaperEngine::ALL {
        let refused = engine.open(&options).err().unwrap();
        assert!(matches!(refused, Error::Usage(_)));
        let hint =
            format!("`--engine {}` counts on a GPU only: leave out `--device cpu`", engine.name());
        assert!(refused.hint().unwrap().starts_with(&hint), "{refused}");
    }
}
