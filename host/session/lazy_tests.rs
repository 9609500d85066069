//! Sessions whose device was left open on a machine that seems to have a GPU: when one is opened, and by whom.
//!
//! The emulator stands for the GPU. What is large enough for it is a matter of the rule alone, which says of these graphs what
//! their sizes on paper say: tests leave all work to it, and ask for no large graphs.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Barrier, Mutex};

use super::tests::{alone, cliques, metered, on_cpu};
use super::*;
use crate::analytics::Weighting;
use crate::count::{EngineChoice, On};
use crate::{Message, hint};

type Open = dyn Fn() -> Runner + Send + Sync;

/// What opens the emulator, and how often it did.
fn opener(opened: &Arc<AtomicU32>) -> Box<Open> {
    let opened = Arc::clone(opened);
    Box::new(move || {
        opened.fetch_add(1, Relaxed);
        Runner::preferred(On::Gpu, Arc::new(alone(metered(None))), "a GPU can be used")
    })
}

/// A session that opens what it is given when a graph is large enough, on one thread.
fn closed(open: Box<Open>) -> Session {
    closed_with(open, Options::default())
}

fn closed_with(open: Box<Open>, options: Options) -> Session {
    let options = Options { threads: NonZeroUsize::new(1), ..options };
    assemble(LazyDevice::closed(open, 1), options)
}

fn assemble(device: LazyDevice, options: Options) -> Session {
    let (start, pool) = (Instant::now(), pool(&options).unwrap());
    Session::assemble(device, pool, options, start)
}

/// A session that was asked for a GPU, which this opens later.
fn asked_for(
    open: impl Fn() -> Result<Runner> + Send + Sync + 'static,
    options: Options,
) -> Session {
    let device = DeviceChoice::Gpu(Some(7));
    let options = Options { device, threads: NonZeroUsize::new(1), ..options };
    assemble(selection::asked_for(device, 1, open), options)
}

/// Leaves all work to the GPU from here on, as the rule does of graphs that are large enough.
fn settle(session: &Session) {
    session.0.resources.device.settle();
}

/// Raw pairs of many triangles side by side; `entries` of them.
fn file(folder: &Path, entries: u32) -> PathBuf {
    let path = folder.join("triangles.bin");
    let pair = |at: u32| [at / 3 * 3 + at % 3, at / 3 * 3 + (at + 1) % 3];
    let bytes: Vec<u8> =
        (0..entries).flat_map(pair).flat_map(|vertex: u32| vertex.to_le_bytes()).collect();
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_small_graph_opens_nothing_whatever_is_asked() {
    let opened = Arc::default();
    let session = closed(opener(&opened));
    let (graph, karate) = (
        Graph::from_edges(cliques()),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/karate.mtx"),
    );
    let reading = read::Options::default();
    let known = on_cpu().prepare(&graph).unwrap();
    let triangles = known.count().unwrap().triangles;

    let mut options = CountOptions { explain: true, verify: true, ..CountOptions::default() };
    let count = session.count(Input::from(&graph).with_options(&options)).unwrap();
    assert_eq!((count.triangles, &*count.device, &*count.engine), (triangles, "cpu", "forward"));
    let decision = &count.explanation.unwrap().decisions[0];
    assert_eq!((decision.question, &*decision.choice), ("device", "cpu"));
    let because: Vec<_> = decision.because.iter().map(ToString::to_string).collect();
    assert!(because[0].ends_with(" ms predicted on the CPU, under 371.3"), "{because:?}");
    assert_eq!(because[1], "1.3 ms on a GPU, which takes 370.0 to open");
    options.engine = EngineChoice::Forward;
    assert_eq!(
        session.count(Input::file(karate, &reading).with_options(&options)).unwrap().triangles,
        45
    );
    let blocks = session.count(Input::blocks(&graph, "blocks")).unwrap();
    assert_eq!((blocks.triangles, &*blocks.device), (triangles, "cpu"));
    let plan = session.plan(Input::file(karate, &reading)).unwrap();
    assert!(plan.device == "cpu" && plan.reason.contains("predicted on the CPU"), "{plan:?}");

    for prepared in [session.prepare(&graph), session.prepare(Input::file(karate, &reading))] {
        let prepared = prepared.unwrap();
        assert_eq!(prepared.selection().device, "cpu");
        prepared.count().unwrap();
        assert_eq!(prepared.stats().unwrap().head.device, "cpu");
        prepared.local().unwrap();
        prepared.support().unwrap();
        prepared.trussness().unwrap();
        prepared.k_truss(4).unwrap();
        prepared.each_triangle(|_| Ok(true)).unwrap();
    }
    let directed = session.prepare(Input::file(karate, &reading).directed()).unwrap();
    assert_eq!(directed.directed_stats().unwrap().head.device, "cpu");
    directed.directed_local().unwrap();
    directed.census().unwrap();
    let weighted = graph.with_weights(vec![1.0; cliques().len()]).unwrap();
    let weighted = session.prepare(&weighted).unwrap();
    weighted.weighted_clustering(Weighting::Onnela).unwrap();
    weighted.weighted_clustering(Weighting::Barrat).unwrap();

    assert!(session.known_selection().is_none());
    assert_eq!((opened.load(Relaxed), session.start_up()), (0, session.0.resources.start_up));
    // Who wants to know, opens it.
    assert_eq!(session.selection().device, "gpu:0");
    assert_eq!((opened.load(Relaxed), session.known_selection().is_some()), (1, true));
}

/// Reading goes on only when the opener has begun, and the opener only when something was read: both go on together.
#[test]
fn a_large_file_is_read_while_the_gpu_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    // Enough for a GPU that is open, too: it may be when the file is read.
    let path = file(folder.path(), 30_000);
    let meeting = Arc::new(Barrier::new(2));
    let opened = Arc::new(AtomicU32::new(0));
    let (open, begun) = (opener(&opened), Arc::clone(&meeting));
    let session = closed(Box::new(move || {
        begun.wait();
        begun.wait();
        open()
    }));
    settle(&session);
    let once = AtomicBool::new(true);
    let progress = read::Progress::new(move |_| {
        if once.swap(false, Relaxed) {
            meeting.wait();
            meeting.wait();
        }
    });
    let reading = read::Options { progress: Some(progress), ..read::Options::default() };
    let count = session.count(Input::file(&path, &reading)).unwrap();
    assert_eq!((count.triangles, &*count.device), (10_000, "gpu:0"));
    assert_eq!(opened.load(Relaxed), 1);
    assert!(session.start_up() > session.0.resources.start_up);
}

/// What begins to open a GPU waits for its end, whatever becomes of the file.
#[test]
fn a_slow_gpu_is_waited_for_where_the_file_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.txt");
    std::fs::write(&path, "1 2\n".repeat(3_000) + "1 x\n").unwrap();
    let opened = Arc::new(AtomicU32::new(0));
    let (open, reads) = (opener(&opened), Arc::new(AtomicBool::new(false)));
    let fails = Arc::clone(&reads);
    let session = closed(Box::new(move || {
        std::thread::sleep(Duration::from_millis(50));
        assert!(!fails.load(Relaxed), "the call has ended before");
        open()
    }));
    settle(&session);
    let options = read::Options::default();
    let error = session.count(Input::file(&path, &options)).unwrap_err();
    reads.store(true, Relaxed);
    assert!(error.to_string().contains("wrong.txt:3001: `x` is not a vertex id"), "{error}");
    assert_eq!(opened.load(Relaxed), 1);
    let error = session.prepare(Input::file(folder.path().join("none"), &options)).unwrap_err();
    assert!(error.to_string().contains("none: no such file"), "{error}");
}

#[test]
fn every_result_is_found_on_a_gpu_that_pays() {
    let opened = Arc::default();
    let graph = Graph::from_edges(cliques());
    let known = on_cpu().prepare(&graph).unwrap();
    let check = |found: &PreparedGraph| {
        assert_eq!(found.count().unwrap().triangles, known.count().unwrap().triangles);
        assert_eq!(found.local().unwrap(), known.local().unwrap());
        assert_eq!(found.support().unwrap(), known.support().unwrap());
        assert_eq!(found.trussness().unwrap(), known.trussness().unwrap());
        assert_eq!(found.k_truss(4).unwrap(), known.k_truss(4).unwrap());
        assert_eq!(found.core_numbers().unwrap(), known.core_numbers().unwrap());
    };
    let session = closed(opener(&opened));
    settle(&session);
    let found = session.prepare(&graph).unwrap();
    assert_eq!(found.selection().device, "gpu:0");
    assert_eq!(opened.load(Relaxed), 1);
    check(&found);
    // Where it is open, a tiny graph is the CPU's all the same, and says so.
    let session = closed(opener(&Arc::default()));
    assert_eq!(session.selection().device, "gpu:0");
    let options = CountOptions { explain: true, ..CountOptions::default() };
    let count = session.count(Input::from(&graph).with_options(&options)).unwrap();
    let because = &count.explanation.unwrap().decisions[0].because;
    assert_eq!((&*count.device, because[1].to_string().ends_with("which is open")), ("cpu", true));

    // A graph that the CPU has is taken there, with all that is found of it.
    let session = closed(opener(&opened));
    let found = session.prepare(&graph).unwrap();
    assert_eq!(found.selection().device, "cpu");
    settle(&session);
    let clone = found.clone();
    assert_eq!(found.count().unwrap().device, "gpu:0");
    assert_eq!((&*clone.selection().device, opened.load(Relaxed)), ("gpu:0", 2));
    check(&found);
    let mut listed = 0;
    let add = |blocks: Vec<Vec<[u32; 3]>>| {
        listed += blocks.concat().len() as u64;
        Ok(true)
    };
    found.each_triangle(add).unwrap();
    assert_eq!(listed, known.count().unwrap().triangles);
}

#[test]
fn a_gpu_that_fails_to_open_is_said_once() {
    for fallback in [Fallback::GpuFailed, Fallback::NoGpu] {
        let opened = Arc::new(AtomicU32::new(0));
        let number = Arc::clone(&opened);
        let open = Box::new(move || {
            number.fetch_add(1, Relaxed);
            let mut runner = Runner::preferred(On::Cpu, Arc::new(OnCpu), "it is out of order");
            runner.selection.fallback = fallback;
            runner
        });
        let options = Options { threads: NonZeroUsize::new(1), ..Options::default() };
        let session = assemble(LazyDevice::closed(open, 1), options);
        settle(&session);
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), 3_000);
        let (reading, options) = (read::Options::default(), CountOptions::default());
        let explained = CountOptions { explain: true, ..CountOptions::default() };
        let count = session.count(Input::file(&path, &reading).with_options(&explained)).unwrap();
        assert_eq!((count.triangles, &*count.device), (1_000, "cpu"));
        let because = &count.explanation.unwrap().decisions[0].because;
        assert_eq!(because[0].to_string(), "it is out of order");
        assert_eq!(
            session.prepare(Input::file(&path, &reading)).unwrap().selection().fallback,
            fallback
        );
        assert_eq!(
            session.count(Input::file(&path, &reading).with_options(&options)).unwrap().triangles,
            1_000
        );
        // Who opens it says so.
        assert_eq!(opened.load(Relaxed), 1);
        let hybrid = CountOptions { engine: EngineChoice::Hybrid, ..CountOptions::default() };
        let refused =
            session.count(Input::file(&path, &reading).with_options(&hybrid)).unwrap_err();
        assert!(matches!(refused, Error::Device(_)), "{refused}");
        assert_eq!(opened.load(Relaxed), 1);
    }
}

#[test]
fn several_threads_share_a_gpu_that_is_being_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 3_000);
    let opened = Arc::new(AtomicU32::new(0));
    let open = opener(&opened);
    let session = closed(Box::new(move || {
        std::thread::sleep(Duration::from_millis(30));
        open()
    }));
    settle(&session);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for number in 0..6 {
            let (session, path, found) = (&session, &path, &found);
            scope.spawn(move || {
                let triangles = match number % 3 {
                    0 => session.count(Input::file(path, &read::Options::default())),
                    1 => session
                        .prepare(Input::file(path, &read::Options::default()))
                        .and_then(|graph| graph.count()),
                    _ => session
                        .count(&crate::read::open(path, &crate::read::Options::default()).unwrap()),
                };
                found.lock().unwrap().push(triangles.unwrap().triangles);
            });
        }
    });
    assert_eq!(*found.lock().unwrap(), [1_000; 6]);
    assert_eq!(opened.load(Relaxed), 1);
}

/// An engine that only GPUs have is a reason to open one, and so are edges that are there.
#[test]
fn what_needs_a_gpu_opens_it() {
    let opened = Arc::default();
    let graph = Graph::from_edges(cliques());
    let triangles = on_cpu().count(&graph).unwrap().triangles;
    let hybrid = CountOptions { engine: EngineChoice::Hybrid, ..CountOptions::default() };
    let count = closed(opener(&opened)).count(Input::from(&graph).with_options(&hybrid)).unwrap();
    assert_eq!((count.triangles, &*count.device), (triangles, "gpu:0"));
    assert_eq!(opened.load(Relaxed), 1);
    // What any device does is none.
    let session = closed(opener(&opened));
    session.check(&CountOptions::default()).unwrap();
    assert_eq!(opened.load(Relaxed), 1);
    // Measurements are of the device that is preferred.
    session.settle();
    assert_eq!(session.count(&graph).unwrap().device, "gpu:0");
    assert_eq!(opened.load(Relaxed), 2);
}

/// A graph that memory does not hold is counted from scratch files by the CPU, or by a GPU that pays.
#[test]
fn out_of_core_goes_by_the_same_rule() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strip.txt");
    let lines = |v: u32| format!("{v} {}\n{v} {}\n", v + 1, v + 2);
    std::fs::write(&path, (0..40_000).map(lines).collect::<String>()).unwrap();
    let (reading, counting) = (read::Options::default(), CountOptions::default());
    let options = |memory| {
        let scratch = Some(folder.path().into());
        Options { memory: Some(memory), scratch, ..Options::default() }
    };
    let opened = Arc::default();
    let session = closed_with(opener(&opened), options(17 << 20));
    let count = session.count(Input::file(&path, &reading).with_options(&counting)).unwrap();
    assert!(count.out_of_core.is_some());
    assert_eq!((count.triangles, &*count.device, opened.load(Relaxed)), (39_999, "cpu", 0));
    let graph = session.prepare(Input::file(&path, &reading)).unwrap();
    assert!(graph.out_of_core_decision().is_some());
    assert_eq!((graph.stats().unwrap().head.device, opened.load(Relaxed)), ("cpu".into(), 0));
    // Memory holds it, and nobody has to know what device there is.
    let session = closed_with(opener(&opened), options(1 << 30));
    let graph = session.prepare(Input::file(&path, &reading)).unwrap();
    assert!(graph.out_of_core_decision().is_none());
    assert_eq!(opened.load(Relaxed), 0);
    let session = closed_with(opener(&opened), options(17 << 20));
    settle(&session);
    let count = session.count(Input::file(&path, &reading).with_options(&counting)).unwrap();
    assert_eq!((count.triangles, &*count.device, opened.load(Relaxed)), (39_999, "gpu:0", 1));
}

/// A GPU that was asked for is opened once, while a file is read or when a graph needs it, however small that is.
#[test]
fn a_gpu_that_was_asked_for_is_opened_when_it_is_needed() {
    for reads in [true, false] {
        let opened: Arc<AtomicU32> = Arc::default();
        let open = opener(&opened);
        let session = asked_for(move || Ok(open()), Options::default());
        assert_eq!((opened.load(Relaxed), session.known_selection()), (0, None));
        let count = match reads {
            true => {
                let (reading, counting) = (read::Options::default(), CountOptions::default());
                session
                    .count(
                        Input::file(
                            concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/karate.mtx"),
                            &reading,
                        )
                        .with_options(&counting),
                    )
                    .unwrap()
            }
            false => session.count(&Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]])).unwrap(),
        };
        let triangles = if reads { 45 } else { 1 };
        assert_eq!(
            (count.triangles, &*count.device, opened.load(Relaxed)),
            (triangles, "gpu:0", 1)
        );
        assert_eq!(session.selection().reason, "a GPU can be used");
    }
}

/// One that cannot be used is an error of all work, and nothing goes to the CPU instead.
#[test]
fn a_gpu_that_cannot_be_used_is_the_error_of_all_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), 90_000);
    let failing = |options| {
        let error = || Error::Device(Message::from("gpu:7 is not there").with_hint(hint::CPU));
        asked_for(move || Err(error()), options)
    };
    let (reading, counting) = (read::Options::default(), CountOptions::default());
    let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    let session = failing(Options::default());
    let scratch = Some(folder.path().into());
    let small = failing(Options { memory: Some(17 << 20), scratch, ..Options::default() });
    let hybrid = CountOptions { engine: EngineChoice::Hybrid, ..CountOptions::default() };
    let works: [&dyn Fn() -> Option<Error>; 9] = [
        &|| session.count(Input::file(&path, &reading).with_options(&counting)).err(),
        &|| session.count(Input::file(&path, &reading).with_options(&hybrid)).err(),
        &|| session.prepare(Input::file(&path, &reading)).err(),
        &|| session.count(&graph).err(),
        &|| session.prepare(&graph).err(),
        &|| session.prepare(Input::from(&graph).directed()).err(),
        &|| session.count(Input::blocks(&graph, "blocks").with_options(&counting)).err(),
        &|| session.plan(Input::file(&path, &reading).with_options(&counting)).err(),
        &|| small.prepare(Input::file(&path, &reading)).err(),
    ];
    for (number, work) in works.into_iter().enumerate() {
        let error = work().expect("nothing else does the work");
        assert!(matches!(error, Error::Device(_)), "{number}: {error}");
        assert!(error.to_string().starts_with("gpu:7 is not there"), "{number}: {error}");
        assert_eq!(error.hint(), Some(hint::CPU), "{number}");
    }
}
