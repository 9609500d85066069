//! One door: what a session promises on every device, tested in the emulator and on the CPU.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use proptest::prelude::*;
use testkit::effort;
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::Metered;

use super::gpu::DrivenDevice;
use super::resident::HostGraph;
use super::team::OnTeam;
use super::*;
use crate::analytics::{Local, Weighting};
use crate::control::{Cancel, Context};
use crate::count::{EngineChoice, EngineSeconds, On};
use crate::graph::{Directions, Duplicates, OrientedGraph, Summary};
use crate::plan::Task;
use crate::plan::memory::MemoryPlan;
use crate::results::{SIMILARITIES, VERTEX_RESULTS};
use tribin_analytics::cpu::similar::{SimilarPair, TwoSteps, WantedPairs};
use tribin_analytics::cpu::support::support;
use tribin_cpu::prepare::prepare_until;
use tribin_generate::{GRAPH500, Rmat};
use tribin_parts::{EdgeSums, FoundInParts};

/// Answers as it was told.
struct Canned(fn() -> Result<EngineCount>);

impl Engine for Canned {
    fn name(&self) -> &str {
        "canned"
    }
    fn device(&self) -> String {
        "gpu:0".into()
    }
    fn device_name(&self) -> String {
        "none".into()
    }
    fn count(&self, _: &Graph, _: &CountOptions, _: &Context) -> Result<EngineCount> {
        (self.0)()
    }
    fn prepare(&self, _: &Graph, _: &Context) -> Result<Box<dyn ResidentGraph>> {
        Err((self.0)().unwrap_err())
    }
}

/// A session with this engine, which was asked for.
pub(super) fn with_engine(engine: impl Engine + 'static) -> Session {
    Session::open(Options { engine: Some(Arc::new(engine)), ..Options::default() }).unwrap()
}

fn canned(answer: fn() -> Result<EngineCount>) -> Session {
    with_engine(Canned(answer))
}

/// A session with this engine, where the device was left to the program.
pub(super) fn left_open(engine: impl Engine + 'static) -> Session {
    left_open_with(engine, Options::default())
}

fn left_open_with(engine: impl Engine + 'static, options: Options) -> Session {
    let chosen = Runner::preferred(On::Gpu, Arc::new(engine), "a GPU can be used");
    let (start, pool) = (Instant::now(), pool(&options).unwrap());
    let device = LazyDevice::opened(chosen);
    Session::assemble(device, pool, options, start)
}

fn verified() -> CountOptions {
    CountOptions { verify: true, ..CountOptions::default() }
}

fn triangle() -> Graph {
    Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]])
}

const SUMMARY: Summary = Summary {
    vertices: 3,
    edges: 3,
    self_loops_dropped: 0,
    duplicates_dropped: 0,
    reciprocal_dropped: Some(0),
    wedges: 3,
    max_degree: 2,
};

fn found(triangles: u64, summary: Summary) -> Result<EngineCount> {
    let seconds = EngineSeconds::default();
    Ok(EngineCount { triangles, summary, seconds, ..EngineCount::default() })
}

#[test]
fn verification_passes_what_is_right() {
    let count = canned(|| found(1, SUMMARY))
        .count(Input::from(&triangle()).with_options(&verified()))
        .unwrap();
    assert_eq!(count.verified_by.as_deref(), Some("edge-iterator on cpu"));
    assert_eq!(count.transitivity, 1.0);
}

#[test]
fn verification_finds_a_wrong_count() {
    let session = canned(|| found(2, SUMMARY));
    assert_eq!(session.count(&triangle()).unwrap().triangles, 2);
    let error = session.count(Input::from(&triangle()).with_options(&verified())).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(
            "(memory): canned on gpu:0 counted 2 triangles and edge-iterator on cpu counted 1: "
        ),
        "{text}"
    );
    assert!(text.ends_with("most likely the engine that is not tribin's"), "{text}");
    let ours = left_open(Canned(|| found(2, SUMMARY)))
        .count(Input::from(&triangle()).with_options(&verified()));
    let text = ours.unwrap_err().to_string();
    assert!(text.ends_with("a defect in tribin, please report it with the graph"), "{text}");
}

#[test]
fn verification_finds_a_wrong_figure() {
    let session = canned(|| found(1, Summary { wedges: 1 << 70, ..SUMMARY }));
    let error = session.count(Input::from(&triangle()).with_options(&verified())).unwrap_err();
    assert!(
        error.to_string().starts_with(
            "(memory): canned on gpu:0 counted 1180591620717411303424 wedges and edge-iterator on cpu \
             counted 3: "
        ),
        "{error}"
    );
}

#[test]
fn the_cpu_takes_over_only_where_the_choice_was_left_open_and_the_device_failed() {
    let broken = || Err(Error::Device("the GPU has fallen off the bus".into()));
    assert!(matches!(canned(broken).count(&triangle()), Err(Error::Device(_))));
    assert!(matches!(canned(broken).prepare(&triangle()), Err(Error::Device(_))));
    let open = left_open(Canned(broken));
    let count = open.count(&triangle()).unwrap();
    assert_eq!((count.triangles, &*count.device, &*count.engine), (1, "cpu", "forward"));
    assert_eq!(open.prepare(&triangle()).unwrap().trussness().unwrap().values(), [3, 3, 3]);
    let hybrid = CountOptions { engine: EngineChoice::Hybrid, ..CountOptions::default() };
    assert!(matches!(
        open.count(Input::from(&triangle()).with_options(&hybrid)),
        Err(Error::Device(_))
    ));
    // A bad input is bad everywhere.
    let refused = || Err(Error::Input { file: "a".into(), message: "b".into() });
    assert!(matches!(left_open(Canned(refused)).count(&triangle()), Err(Error::Input { .. })));
    assert!(matches!(left_open(Canned(refused)).prepare(&triangle()), Err(Error::Input { .. })));
}

#[test]
fn the_number_of_threads_is_as_asked() {
    for threads in 1..=3 {
        let options = Options {
            device: DeviceChoice::Cpu,
            threads: NonZeroUsize::new(threads),
            ..Options::default()
        };
        let session = Session::open(options).unwrap();
        assert_eq!(session.threads(), threads);
        assert_eq!(session.count(&triangle()).unwrap().threads, threads);
        assert_eq!(session.prepare(&triangle()).unwrap().stats().unwrap().head.threads, threads);
    }
}

#[test]
fn without_a_number_the_threads_are_the_caller_s() {
    let options = Options { device: DeviceChoice::Cpu, ..Options::default() };
    let session = Session::open(options).unwrap();
    for threads in [1, 3] {
        let pool = crate::processor::thread_pool(NonZeroUsize::new(threads)).unwrap();
        pool.install(|| {
            assert_eq!(session.threads(), threads);
            assert_eq!(session.count(&triangle()).unwrap().threads, threads);
        });
    }
}

#[test]
fn a_gpu_that_is_not_there_is_an_error() {
    let options = Options { device: DeviceChoice::Gpu(Some(4000)), ..Options::default() };
    let error = Session::open(options).unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error}");
}

#[test]
fn cancelled_work_stops_on_every_door() {
    for session in [with_engine(OnCpu), emulated(None)] {
        let prepared = session.prepare(&triangle()).unwrap();
        let directed = session.prepare(Input::from(&triangle()).directed()).unwrap();
        let weighted = session.prepare(&with_weights(&triangle())).unwrap();
        session.options().cancel.cancel();
        let stopped = |result: Result<()>| assert!(matches!(result, Err(Error::Cancelled)));
        stopped(session.count(&triangle()).map(drop));
        stopped(session.prepare(&triangle()).map(drop));
        stopped(
            session
                .prepare(Input::file("tests/data/karate.mtx", &read::Options::default()))
                .map(drop),
        );
        stopped(prepared.count().map(drop));
        stopped(prepared.stats().map(drop));
        stopped(prepared.support().map(drop));
        stopped(prepared.trussness().map(drop));
        stopped(prepared.k_truss(3).map(drop));
        stopped(directed.directed_local().map(drop));
        stopped(directed.census().map(drop));
        stopped(directed.directed_stats().map(drop));
        stopped(weighted.weighted_clustering(Weighting::Onnela).map(drop));
        stopped(weighted.weighted_clustering(Weighting::Barrat).map(drop));
    }
}

/// Work looks at its token all the way: wherever it is stopped, it ends with that error or was through.
#[test]
fn work_is_stopped_wherever_it_is() {
    let graph = Graph::from_edges(cliques());
    let looks = |work: &dyn Fn(&Session) -> Result<()>| {
        for looks in 0.. {
            let options = Options { cancel: Cancel::after(looks), ..Options::default() };
            match work(
                &Session::open(Options { engine: Some(Arc::new(OnCpu)), ..options }).unwrap(),
            ) {
                Ok(()) => return looks,
                Err(error) => assert!(matches!(error, Error::Cancelled), "{looks}: {error}"),
            }
        }
        unreachable!("there is an end to it");
    };
    let counting = looks(&|session| session.count(&graph).map(drop));
    let preparing = looks(&|session| session.prepare(&graph).map(drop));
    let of = |found: fn(&PreparedGraph) -> Result<()>| {
        looks(&|session: &Session| session.prepare(&graph).and_then(|prepared| found(&prepared)))
    };
    assert!(preparing >= 4 && counting > preparing, "{preparing} {counting}");
    // Files are read piece by piece.
    let file = tempfile::NamedTempFile::new().unwrap();
    let lines: String = (0..200_000u32).map(|u| format!("{u} {}\n", u / 2)).collect();
    std::fs::write(file.path(), &lines).unwrap();
    let pieces = lines.len() as u64 >> 20;
    let reading = looks(&|session| {
        session.count(Input::file(file.path(), &read::Options::default())).map(drop)
    });
    assert!(reading > pieces + 3, "{pieces} pieces, {reading} looks");
    for analysed in [
        of(|graph| graph.support().map(drop)),
        of(|graph| graph.local().map(drop)),
        of(|graph| graph.stats().map(drop)),
        of(|graph| graph.trussness().map(drop)),
        of(|graph| graph.k_truss(4).map(drop)),
    ] {
        assert!(analysed > preparing + 1, "{preparing} {analysed}");
    }
}

/// One multiprocessor: the emulator has all blocks of the peeling under way together.
fn emulated(memory_limit: Option<u64>) -> Session {
    let engine = DrivenDevice::start(metered_emulator(), memory_limit, 1).unwrap();
    with_engine(alone(engine))
}

pub(super) fn on_cpu() -> Session {
    with_engine(OnCpu)
}

/// What is found by direction on the device is the CPU's, and it is the device that found it.
fn check_directed(session: &Session, graph: &Graph) {
    let (known, found) = (
        on_cpu().prepare(Input::from(graph).directed()).unwrap(),
        session.prepare(Input::from(graph).directed()).unwrap(),
    );
    assert_eq!(found.directed_local().unwrap(), known.directed_local().unwrap());
    assert_eq!(found.census().unwrap(), known.census().unwrap());
    let (found, known) = (found.directed_stats().unwrap(), known.directed_stats().unwrap());
    assert_eq!((found.arcs, found.reciprocity), (known.arcs, known.reciprocity));
    assert_eq!((&*found.head.device, &*known.head.device), (&*session.selection().device, "cpu"));
}

/// The graph with weights that differ, those of duplicates added.
fn with_weights(graph: &Graph) -> Graph {
    let weights = (0..graph.edges().len()).map(|k| (k % 97 + 1) as f64).collect();
    graph.clone().with_weights(weights).unwrap().with_duplicates(Duplicates::Sum)
}

/// What is found with weights on the device is the CPU's, but for rounding.
fn check_weighted(session: &Session, graph: &Graph) {
    let graph = &with_weights(graph);
    let (known, found) = (on_cpu().prepare(graph).unwrap(), session.prepare(graph).unwrap());
    assert_eq!(found.strengths().unwrap(), known.strengths().unwrap());
    let [known_barrat, found_barrat] =
        [&known, &found].map(|graph| graph.weighted_clustering(Weighting::Barrat).unwrap());
    assert_eq!(found_barrat, known_barrat);
    let [known, found] =
        [known, found].map(|graph| graph.weighted_clustering(Weighting::Onnela).unwrap());
    let (known_directed, found_directed) = (
        on_cpu().prepare(Input::from(graph).directed()).unwrap(),
        session.prepare(Input::from(graph).directed()).unwrap(),
    );
    let [known_directed, found_directed] = [known_directed, found_directed]
        .map(|graph| graph.weighted_clustering(Weighting::Onnela).unwrap());
    assert_eq!((known.len(), known_directed.len()), (found.len(), found_directed.len()));
    let pairs = known.iter().zip(&found).chain(known_directed.iter().zip(&found_directed));
    for (vertex, (known, found)) in pairs.enumerate() {
        assert!((known - found).abs() <= 1e-13 * known, "{vertex}: {known} {found}");
    }
}

/// Every result of one preparation on the device is the CPU's.
fn check(session: &Session, edges: Vec<[u32; 2]>) {
    let graph = Graph::from_edges(edges);
    let known = on_cpu().prepare(&graph).unwrap();
    let (local, support) = (known.local().unwrap(), known.support().unwrap());
    let trussness = known.trussness().unwrap();
    let largest = trussness.values().iter().max().copied().unwrap_or(2);
    let found = session.prepare(&graph).unwrap();
    // A GPU tells other directions from duplicates by the order of the entries, or not at all.
    let reciprocal = found.summary().reciprocal_dropped;
    assert!(reciprocal.is_none_or(|found| Some(found) == known.summary().reciprocal_dropped));
    let expected = Summary { reciprocal_dropped: reciprocal, ..known.summary() };
    assert_eq!(found.summary(), expected);
    assert_eq!(found.count().unwrap().triangles, local.total());
    assert_eq!(found.local().unwrap(), local);
    assert_eq!(found.support().unwrap(), support);
    assert_eq!(found.trussness().unwrap(), trussness);
    assert_eq!(found.core_numbers().unwrap(), known.core_numbers().unwrap());
    check_cliques(&found, &known);
    check_similar(&found, &known);
    check_directed(session, &graph);
    check_weighted(session, &graph);
    for k in [2, largest, largest + 1] {
        assert_eq!(found.k_truss(k).unwrap(), known.k_truss(k).unwrap());
    }
    let (stats, expected) = (found.stats().unwrap(), known.stats().unwrap());
    assert_eq!(stats.triangles, expected.triangles);
    assert_eq!(stats.average_clustering, expected.average_clustering);
    assert_eq!(stats.degeneracy, expected.degeneracy);
    assert_eq!((&*stats.engine, &*stats.head.device), ("hybrid", "gpu:0"));
    // Once more: nothing was used up.
    assert_eq!(found.support().unwrap(), support);
    assert_eq!(session.count(&graph).unwrap().triangles, local.total());
}

/// Cliques of a graph on a device are those of the same graph on the CPU, and the device counts them.
fn check_cliques(found: &PreparedGraph, known: &PreparedGraph) {
    // The emulator takes its time.
    let sizes = if known.summary().edges < 1_000 { vec![3, 4, 6] } else { vec![3] };
    for k in sizes {
        let [on_device, on_cpu] = [found, known].map(|graph| graph.cliques(k).unwrap());
        assert_eq!(on_device.cliques, on_cpu.cliques, "k = {k}");
        assert_eq!(on_device.head.device, found.selection().device, "k = {k}");
        let [at, expected] = [found, known].map(|graph| graph.cliques_at_vertices(k).unwrap());
        assert_eq!(at, expected, "k = {k}");
        let [on, expected] = [found, known].map(|graph| graph.cliques_on_edges(k).unwrap());
        assert_eq!(on, expected, "k = {k}");
    }
}

/// Similar pairs of a graph on a device are those of the same graph on the CPU, by each similarity, to the last bit.
fn check_similar(found: &PreparedGraph, known: &PreparedGraph) {
    let plain = WantedPairs { top: Some(5), ..WantedPairs::default() };
    let some = WantedPairs { top: Some(32), least: 0.4, without_edges: true, vertex: None };
    let all = WantedPairs::default();
    for by in SIMILARITIES {
        for wanted in [plain, some, all] {
            let [on_device, expected] = [found, known].map(|graph| {
                let mut pairs = Vec::new();
                let take = |blocks: Vec<Vec<SimilarPair>>| {
                    pairs.extend(blocks.into_iter().flatten());
                    Ok(true)
                };
                graph.each_similar_pair(by, wanted, take).unwrap();
                pairs
            });
            assert_eq!(on_device, expected, "{}, {wanted:?}", by.definition.name);
        }
    }
}

/// A device counts cliques, and leaves those at vertices and on edges to the CPU, which says so.
#[test]
fn cliques_of_each_vertex_and_edge_are_found_on_the_cpu() {
    let session = emulated(None);
    let graph = session.prepare(&Graph::from_edges(cliques())).unwrap();
    let (held, context) = (&graph.place(Task::Cliques).unwrap().held, session.context());
    assert!(held.cliques(4, &context).unwrap().is_some());
    let tasks: [(_, fn(&PreparedGraph)); 2] = [
        (Task::CliquesAtVertices, |graph| drop(graph.cliques_at_vertices(4).unwrap())),
        (Task::CliquesOnEdges, |graph| drop(graph.cliques_on_edges(4).unwrap())),
    ];
    for (task, find) in tasks {
        graph.count().unwrap();
        find(&graph);
        let explanation = graph.explanation(task, 0.0);
        let Decision { question, choice, because, .. } = &explanation.decisions[0];
        assert_eq!((*question, &**choice), ("device", "cpu"));
        let why = because.last().map(ToString::to_string);
        assert_eq!(why.as_deref(), Some("gpu:0 leaves it to the CPU"));
    }
}

/// The device itself finds the similar pairs that it can.
#[test]
fn a_device_finds_similar_pairs() {
    let session = emulated(None);
    let graph = session.prepare(&Graph::from_edges(cliques())).unwrap();
    let steps = TwoSteps::new(&graph.oriented().unwrap());
    let find = |wanted| {
        let held = &graph.place(Task::Similar).unwrap().held;
        let context = session.context();
        held.similar_pairs(&steps, &SIMILARITIES[0], wanted, &context, &mut |_| Ok(true)).unwrap()
    };
    assert!(find(WantedPairs { top: Some(3), ..WantedPairs::default() }));
    assert!(!find(WantedPairs { top: Some(33), ..WantedPairs::default() }));
    assert!(!find(WantedPairs::default()));
}

/// A device that has no room for the search leaves it to the CPU, which says so.
#[test]
fn a_device_without_room_leaves_cliques_to_the_cpu() {
    let graph = Graph::from_edges(cliques());
    let known = on_cpu().prepare(&graph).unwrap();
    let found = small_device(100 << 10, None).prepare(&graph).unwrap();
    let held = found.cliques(4).unwrap();
    assert_eq!(held.cliques, known.cliques(4).unwrap().cliques);
    let parts = on_team(2, Some(2)).prepare(&graph).unwrap();
    check_cliques(&parts, &known);
}

/// Every result of the list at vertices is the CPU's on other devices, those with weights but for rounding.
#[test]
fn listed_results_are_the_cpu_s() {
    let entries = [clique(0..9), clique(7..13), vec![[12, 20], [3, 1], [9, 8], [20, 12]]].concat();
    let plain = Graph::from_edges(entries);
    let weighted = with_weights(&plain);
    let homes = [emulated(None), on_team(2, Some(2)), small_device(100 << 10, None)];
    for (graph, is_directed) in
        [(&plain, false), (&plain, true), (&weighted, false), (&weighted, true)]
    {
        let prepare = |session: &Session| {
            let input = Input::from(graph);
            session.prepare(if is_directed { input.directed() } else { input }).unwrap()
        };
        let known = prepare(&on_cpu());
        let of_known = known.at_vertices();
        for session in &homes {
            let found = prepare(session);
            assert!(found.selection().device.starts_with("gpu:"));
            let of_found = found.at_vertices();
            for result in VERTEX_RESULTS {
                let (name, device) = (result.definition.name, &found.selection().device);
                let listed = crate::results::at_vertices(known.kind(), name);
                if !listed.is_ok_and(|listed| listed.definition == result.definition) {
                    continue;
                }
                let [known, found] =
                    [&of_known, &of_found].map(|found| (result.formula)(found).unwrap());
                for vertex in 0..21 {
                    let [known, found] = [known.double(vertex), found.double(vertex)];
                    let rounding = if graph.weights().is_some() { 1e-13 * known } else { 0.0 };
                    let is_same =
                        (known - found).abs() <= rounding || known.is_nan() && found.is_nan();
                    assert!(is_same, "{name} on {device}: {vertex}");
                }
            }
        }
    }
}

fn clique(vertices: std::ops::Range<u32>) -> Vec<[u32; 2]> {
    let end = vertices.end;
    vertices.flat_map(|u| (u + 1..end).map(move |v| [v, u])).collect()
}

/// Two cliques that share an edge, a tail, a vertex alone, a self-loop and a repeated edge.
pub(super) fn cliques() -> Vec<[u32; 2]> {
    let more = vec![[13, 14], [16, 16], [16, 13], [0, 1]];
    [clique(0..9), clique(7..14), more].concat()
}

#[test]
fn results_of_one_preparation_are_the_cpu_s() {
    check(&emulated(None), cliques());
}

#[test]
fn graphs_without_edges_have_results() {
    check(&emulated(None), vec![]);
    check(&emulated(None), vec![[3, 3]]);
}

/// 100 vertices have enough wedges for each edge to be grouped.
#[test]
fn grouped_support_is_the_cpu_s() {
    let graph = Graph::from_edges(clique(0..100));
    let found = emulated(None).prepare(&graph).unwrap().support().unwrap();
    assert_eq!(found.values(), [98; 4950]);
    assert_eq!(found, on_cpu().prepare(&graph).unwrap().support().unwrap());
}

/// What does not fit is done by what takes less, or by the CPU, or is an error: never wrong.
#[test]
fn every_memory_limit_gives_the_right_results_or_an_error() {
    let graph = Graph::from_edges(cliques());
    let plan = MemoryPlan::new(graph.edges().len() as u64, graph.vertex_bound() as u64);
    let known = support(&tribin_cpu::prepare::oriented(&graph).0, &Context::silent())
        .unwrap()
        .iter()
        .map(|&n| u64::from(n))
        .sum::<u64>()
        / 3;
    let mut refused = 0;
    for limit in (0..plan.peak() * 3 / 2).step_by(plan.peak() as usize / 60) {
        match emulated(Some(limit)).prepare(&graph).and_then(|held| held.count()) {
            Ok(count) => assert_eq!(count.triangles, known, "{limit}"),
            Err(Error::DeviceMemory { needed, free, .. }) => {
                refused += 1;
                assert!(needed > free && free <= limit, "{limit}: {needed} {free}");
            }
            Err(other) => panic!("{limit}: {other}"),
        }
    }
    assert!(refused > 0, "a limit of 0 is too little");
    check(&emulated(Some(plan.peak() * 2)), cliques());
}

/// Prepares on the CPU, and has no memory for what is asked of it then.
struct Full;

struct HeldByFull(HostGraph);

impl HeldByFull {
    fn full<T>() -> Result<T> {
        Err(Error::DeviceMemory { needed: 2, free: 1, device: "a full one".into() })
    }
}

impl ResidentGraph for HeldByFull {
    fn summary(&self) -> Summary {
        self.0.summary()
    }

    fn seconds(&self) -> EngineSeconds {
        self.0.seconds()
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        self.0.host()
    }

    fn count(&self, _: &CountOptions, _: &Context) -> Result<EngineCount> {
        HeldByFull::full()
    }

    fn local(&self, _: &Context) -> Result<Local> {
        HeldByFull::full()
    }

    fn cores(&self, _: &Context) -> Result<Option<Vec<u32>>> {
        HeldByFull::full()
    }

    fn degeneracy(&self, _: &Local, _: &Context) -> Result<Option<u32>> {
        HeldByFull::full()
    }

    fn cliques(&self, _: u32, _: &Context) -> Result<Option<u128>> {
        HeldByFull::full()
    }

    fn directed(&self, _: &Directions, _: &Context) -> Result<Option<Vec<[u64; 4]>>> {
        HeldByFull::full()
    }

    fn codes(&self, _: &Directions, _: &Context) -> Result<Option<[u64; 64]>> {
        HeldByFull::full()
    }

    fn products(&self, _: &[f64], _: &Context) -> Result<Option<Vec<f64>>> {
        HeldByFull::full()
    }
}

impl Engine for Full {
    fn name(&self) -> &str {
        "full"
    }

    fn device(&self) -> String {
        "gpu:0".into()
    }

    fn device_name(&self) -> String {
        "a full one".into()
    }

    fn count(&self, _: &Graph, _: &CountOptions, _: &Context) -> Result<EngineCount> {
        HeldByFull::full()
    }

    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        let prepared = prepare_until(graph.edges(), graph.vertex_bound(), context)?;
        Ok(Box::new(HeldByFull(HostGraph::new(prepared, None))))
    }
}

/// A device that was named and fails is an error. One that was left open is not asked about a small graph, and the CPU
/// takes over for a large one.
#[test]
fn directed_triangles_are_found_by_the_rule_for_falling_back() {
    let pool = crate::processor::thread_pool(NonZeroUsize::new(1)).unwrap();
    pool.install(|| {
        for graph in [clique(0..20), clique(0..190)].map(Graph::from_edges) {
            let known = on_cpu().prepare(Input::from(&graph).directed()).unwrap();
            let named = with_engine(Full);
            let named = named.prepare(Input::from(&graph).directed()).unwrap();
            assert!(matches!(named.directed_local(), Err(Error::DeviceMemory { .. })));
            assert!(matches!(named.census(), Err(Error::DeviceMemory { .. })));
            let weighted = with_weights(&graph);
            let known_weighted = on_cpu().prepare(&weighted).unwrap();
            let named = with_engine(Full);
            let named = named.prepare(&weighted).unwrap();
            let onnela = Weighting::Onnela;
            assert!(matches!(named.weighted_clustering(onnela), Err(Error::DeviceMemory { .. })));
            let open = left_open(Full).prepare(&weighted).unwrap();
            let known_weighted = known_weighted.weighted_clustering(onnela).unwrap();
            assert_eq!(open.weighted_clustering(onnela).unwrap(), known_weighted);
            let open = left_open(Full).prepare(Input::from(&graph).directed()).unwrap();
            assert_eq!(open.directed_local().unwrap(), known.directed_local().unwrap());
            let stats = open.directed_stats().unwrap();
            assert_eq!((stats.census, &*stats.head.device), (known.census().unwrap(), "cpu"));
        }
    });
}

/// Eight threads of one pool share one door, and count and analyse at once. Two jobs that waited for each
/// other would hang here.
#[test]
fn eight_threads_share_one_door() {
    let rounds = std::env::var("TRIBIN_SHARED_ROUNDS").map_or(4, |n| n.parse().unwrap());
    let config = Config { multiprocessors: 1, ..Config::seeded(1) };
    let engine = DrivenDevice::start(Metered::new(Emulator::with(config)), None, 2).unwrap();
    let session = with_engine(alone(engine));
    let graph = Graph::from_edges(cliques());
    let shared = session.prepare(&graph).unwrap();
    let expected = on_cpu().prepare(&graph).unwrap();
    let (triangles, support) = (expected.count().unwrap().triangles, expected.support().unwrap());
    let pool = crate::processor::thread_pool(NonZeroUsize::new(8)).unwrap();
    let done = AtomicU32::new(0);
    pool.install(|| {
        par::for_each(0..8 * rounds, |i: u32| {
            match i % 4 {
                0 => assert_eq!(session.count(&graph).unwrap().triangles, triangles),
                1 => assert_eq!(shared.support().unwrap(), support),
                2 => assert_eq!(shared.local().unwrap().total(), triangles),
                _ => {
                    let own = session.prepare(&graph).unwrap();
                    assert_eq!(own.count().unwrap().triangles, triangles);
                }
            }
            done.fetch_add(1, Relaxed);
        });
    });
    assert_eq!(done.into_inner(), 8 * rounds);
}

#[test]
fn results_of_a_multigraph_that_was_drawn_once_are_the_cpu_s() {
    let ends = [
        11, 10, 6, 15, 10, 12, 10, 6, 5, 4, 2, 1, 8, 14, 3, 4, 13, 1, 14, 4, 1, 10, 4, 3, 13, 15,
        2, 12, 5, 1, 13, 14, 13, 6, 0, 12, 15, 2, 0, 7, 4, 6, 11, 14, 12, 10, 8, 7, 0, 11, 0, 11,
        1, 8, 8, 14, 10, 1, 8, 15, 0, 7, 6, 8, 12, 0, 14, 3, 9, 5, 3, 14, 9, 9, 7, 9, 13, 0,
    ];
    check(&emulated(None), ends.as_chunks::<2>().0.to_vec());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn results_of_any_multigraph_are_the_cpu_s(
        edges in prop::collection::vec(prop::array::uniform2(0u32..16), 0..90),
    ) {
        check(&emulated(None), edges);
    }
}

/// One device as an engine.
pub(super) fn alone<D: gpu::Accelerator>(device: Arc<DrivenDevice<D>>) -> OnTeam<D> {
    OnTeam::alone(device, None).unwrap()
}

/// A device whose every allocation is metered, and whose `failing`-th allocation fails.
pub(super) fn metered(failing: Option<u64>) -> Arc<DrivenDevice<Metered<Emulator>>> {
    let device = metered_emulator();
    let device = match failing {
        Some(number) => device.failing_at(number),
        None => device,
    };
    DrivenDevice::start(device, None, 1).unwrap()
}

/// A device of a number of its own, made of a metered emulator.
pub(super) fn metered_as(
    gpu: u32,
    change: impl FnOnce(Metered<Emulator>) -> Metered<Emulator>,
) -> Arc<DrivenDevice<Metered<Emulator>>> {
    let mut numbered = DrivenDevice::start(change(metered_emulator()), None, 1).unwrap();
    Arc::get_mut(&mut numbered).expect("nobody else has it yet").label = format!("gpu:{gpu}");
    numbered
}

/// Graphs that take every preparation and every counting method that small graphs can take.
pub(super) fn shapes() -> Vec<(&'static str, Vec<[u32; 2]>)> {
    let ring = |n: u32, steps: u32| {
        (0..n).flat_map(move |v| (1..=steps).map(move |s| [v, (v + s) % n])).collect::<Vec<_>>()
    };
    let sorted = |mut edges: Vec<[u32; 2]>| {
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.sort_unstable();
        edges
    };
    vec![
        ("cliques", cliques()),
        ("a clique", clique(0..120)),
        ("a ring", ring(2_000, 3)),
        ("a sorted ring", sorted(ring(2_000, 3))),
        ("a star", (1..3_000).map(|leaf| [0, leaf]).collect()),
        ("every edge twice", [ring(900, 4), ring(900, 4)].concat()),
        ("isolated vertices", vec![[0, 1], [1, 50_000], [50_000, 0]]),
        ("self-loops", (0..500).map(|v| [v, v]).collect()),
    ]
}

/// What is predicted is never less than what is used.
#[test]
fn predicted_bytes_are_at_least_the_metered_peak() {
    let session = with_engine(alone(metered(None)));
    for (name, edges) in shapes() {
        let graph = Graph::from_edges(edges);
        for engine in [EngineChoice::Hybrid, EngineChoice::Forward] {
            let options = CountOptions { engine, explain: true, ..CountOptions::default() };
            let explanation = session
                .count(Input::from(&graph).with_options(&options))
                .unwrap()
                .explanation
                .unwrap();
            let (predicted, peak) = (explanation.predicted_peak_bytes, explanation.peak_bytes);
            assert!(
                predicted >= peak && peak > Some(0),
                "{name}, {engine}: {predicted:?} {peak:?}"
            );
            let questions: Vec<_> =
                explanation.decisions.iter().map(|decision| decision.question).collect();
            assert_eq!(questions[..2], ["device", "who prepares the graph"], "{name}");
            let steps: Vec<_> = explanation.steps.iter().map(|step| step.step).collect();
            let last = if graph.edges().iter().all(|[u, v]| u == v) { "clean" } else { "count" };
            assert_eq!(steps.last(), Some(&last), "{steps:?}");
        }
    }
}

fn metered_emulator() -> Metered<Emulator> {
    Metered::new(Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) }))
}

/// A session on a device of so much memory, and of so much on the host.
fn small_device(limit: u64, memory: Option<u64>) -> Session {
    let engine = alone(DrivenDevice::start(metered_emulator(), Some(limit), 1).unwrap());
    let options = Options { memory, threads: NonZeroUsize::new(1), ..Options::default() };
    Session::open(Options { engine: Some(Arc::new(engine)), ..options }).unwrap()
}

/// A device that does not hold the graph counts it in parts, within its limit. What is found at vertices and on edges is found
/// there in parts as well, and the CPU finds the rest.
#[test]
fn a_graph_larger_than_the_device_is_counted_in_parts() {
    let model = tribin_generate::Rmat::new(12, 8, tribin_generate::GRAPH500, 1).unwrap();
    let graph = tribin_generate::graph(&model, "rmat12");
    let expected = on_cpu().count(&graph).unwrap();
    let mut most_parts = 0;
    for (at, limit) in [100 << 10, 150 << 10, 300 << 10, 1 << 20].into_iter().enumerate() {
        let session = small_device(limit, None);
        let explained = |engine| CountOptions { engine, explain: true, ..CountOptions::default() };
        // A quick run takes one engine, or two.
        for engine in effort::some(EngineChoice::ALL, at, 2) {
            let count =
                session.count(Input::from(&graph).with_options(&explained(engine))).unwrap();
            assert_eq!(count.triangles, expected.triangles, "{limit} {engine}");
            assert_eq!((&*count.engine, &*count.device), ("forward", "gpu:0"));
            let explanation = count.explanation.unwrap();
            let (predicted, peak) = (explanation.predicted_peak_bytes, explanation.peak_bytes);
            assert!(peak > Some(0) && peak <= predicted && predicted <= Some(limit), "{limit}");
            let decision = &explanation.decisions[2];
            assert_eq!(decision.question, "rows on the GPU at a time");
            let parts = decision.choice.strip_prefix("one of ").unwrap();
            most_parts = most_parts.max(parts.strip_suffix(" parts").unwrap().parse().unwrap());
        }
        let oriented = tribin_cpu::prepare::oriented(&graph).0;
        let parts = session.0.resources.device.preferred().engine.parts().unwrap();
        let mut edges = EdgeSums::new(&oriented).unwrap();
        for task in [Task::Count, Task::AtVertices, Task::OnEdges] {
            let context = Context::silent();
            match parts.find_in_parts(&oriented, task, &mut edges, u64::MAX, &context) {
                Ok(FoundInParts { predicted_bytes: predicted, peak_bytes: peak, .. }) => {
                    assert!(peak > Some(0) && peak <= Some(predicted) && predicted <= limit);
                }
                // A counter for each vertex does not fit.
                Err(Error::DeviceMemory { needed, free, .. }) => {
                    assert!(needed > free && free == limit && limit == 100 << 10);
                }
                Err(error) => panic!("{limit}: {error}"),
            }
        }
    }
    let session = small_device(200 << 10, None);
    let (known, found) = (on_cpu().prepare(&graph).unwrap(), session.prepare(&graph).unwrap());
    assert_eq!(found.summary(), known.summary());
    let count = found.count().unwrap();
    assert_eq!((count.triangles, &*count.device), (expected.triangles, "gpu:0"));
    assert_eq!(found.support().unwrap(), known.support().unwrap());
    assert_eq!(found.local().unwrap(), known.local().unwrap());
    assert_eq!(found.trussness().unwrap(), known.trussness().unwrap());
    assert_eq!(found.k_truss(9).unwrap(), known.k_truss(9).unwrap());
    let listed = |graph: &PreparedGraph| {
        let mut all = Vec::new();
        let keep = |blocks: Vec<Vec<[u32; 3]>>| {
            all.extend(blocks.concat());
            Ok(true)
        };
        graph.each_triangle(keep).unwrap();
        all.sort_unstable();
        all
    };
    assert_eq!(listed(&found), listed(&known));
    assert_eq!(
        session.prepare(Input::from(&graph).directed()).unwrap().census().unwrap(),
        on_cpu().prepare(Input::from(&graph).directed()).unwrap().census().unwrap()
    );
    assert!(most_parts > 1, "{most_parts}");
}

/// All threads of a pool wait for the device, whose job has work for threads too: it takes others.
#[test]
fn callers_that_wait_do_not_hold_up_what_is_found_in_parts() {
    let model = tribin_generate::Rmat::new(9, 8, tribin_generate::GRAPH500, 1).unwrap();
    let graph = tribin_generate::graph(&model, "rmat9");
    let known = on_cpu().prepare(&graph).unwrap();
    let (support, local) = (known.support().unwrap(), known.local().unwrap());
    let session = Session::open(Options {
        engine: Some(Arc::new(alone(
            DrivenDevice::start(metered_emulator(), Some(80 << 10), 1).unwrap(),
        ))),
        ..Options::default()
    });
    let found = session.unwrap().prepare(&graph).unwrap();
    // On rayon's global pool, where the device's thread would go as well.
    par::parallel_for(4 * par::threads(), &|_| {
        assert_eq!(found.support().unwrap(), support);
        assert_eq!(found.local().unwrap(), local);
    });
}

/// Blocks are prepared in scratch files where memory does not hold them, as files are.
#[test]
fn blocks_that_memory_does_not_hold_are_prepared_in_scratch_files() {
    let model = Rmat::new(16, 8, GRAPH500, 1).unwrap();
    let memory = Some(24 << 20);
    let options = Options { memory, threads: NonZeroUsize::new(1), ..Options::default() };
    let session = Session::open(Options { device: DeviceChoice::Cpu, ..options }).unwrap();
    let graph = session.prepare(Input::blocks(&model, "rmat16")).unwrap();
    assert!(graph.out_of_core_decision().is_some());
    let known = on_cpu().prepare(Input::blocks(&model, "rmat16")).unwrap();
    assert!(known.out_of_core_decision().is_none());
    assert!(graph.local().unwrap() == known.local().unwrap());
    let (found, known) = (graph.stats().unwrap(), known.stats().unwrap());
    assert_eq!((found.triangles, found.vertices_all), (known.triangles, known.vertices_all));
}

/// A graph in memory whose vertices have wide gaps keeps its ids in scratch files; without room beside its entries it is refused.
#[test]
fn a_graph_in_memory_that_its_limit_does_not_hold_is_prepared_in_scratch_files() {
    let model = Rmat::new(16, 8, GRAPH500, 1).unwrap();
    let near = Graph::from_blocks(&model, "");
    let wide = near.edges().iter().map(|edge| edge.map(|end| u64::from(end) << 40));
    let graph = Graph::from_u64_edges(wide.collect::<Vec<_>>()).unwrap();
    let limited = |memory| {
        let options =
            Options { memory: Some(memory), device: DeviceChoice::Cpu, ..Options::default() };
        Session::open(Options { threads: NonZeroUsize::new(1), ..options }).unwrap()
    };
    let found = limited(24 << 20).prepare(&graph).unwrap();
    assert!(found.out_of_core_decision().is_some());
    let known = on_cpu().prepare(&graph).unwrap();
    assert_eq!(found.ids(), known.ids());
    assert!(found.local().unwrap() == known.local().unwrap());
    assert_eq!(
        limited(24 << 20).count(&graph).unwrap().triangles,
        known.count().unwrap().triangles
    );
    let refused = limited(4 << 20).prepare(&graph).unwrap_err().to_string();
    assert!(refused.contains("bytes of memory are needed"), "{refused}");
}

/// Host memory does not hold the graph, and the device holds a part of it: it counts from scratch files, and finds what
/// is at vertices and on edges. Where it fails and was left open, the CPU goes on.
#[test]
fn a_device_finds_what_is_in_scratch_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("strip.txt");
    let lines = |v: u32| format!("{v} {}\n{v} {}\n", v + 1, v + 2);
    std::fs::write(&path, (0..70_000).map(lines).collect::<String>()).unwrap();
    let (reading, memory) = (read::Options::default(), Some(17 << 20));
    let explained = CountOptions { explain: true, ..CountOptions::default() };
    let session = small_device(2 << 20, memory);
    let count = session.count(Input::file(&path, &reading).with_options(&explained)).unwrap();
    assert_eq!((count.triangles, &*count.device), (69_999, "gpu:0"));
    assert!(count.out_of_core.unwrap().memory_bytes <= 17 << 20);
    let explanation = count.explanation.unwrap();
    let questions: Vec<_> = explanation.decisions.iter().map(|one| one.question).collect();
    assert_eq!(questions, ["device", "where the edges are", "rows on the GPU at a time"]);
    let (predicted, peak) = (explanation.predicted_peak_bytes, explanation.peak_bytes);
    assert!(peak > Some(0) && peak <= predicted && predicted <= Some(2 << 20));
    let plan = session.plan(Input::file(&path, &reading)).unwrap();
    assert!(plan.out_of_core.is_some() && plan.device == "gpu:0");

    let found = |graph: &PreparedGraph| {
        let mut on_edges = Vec::new();
        let take = |blocks: Vec<Vec<[u32; 3]>>| {
            on_edges.extend(blocks.into_iter().flatten());
            Ok(true)
        };
        graph.each_edge(take).unwrap();
        let stats = graph.stats().unwrap();
        (on_edges, graph.local().unwrap(), stats.triangles, stats.head.device)
    };
    let graph = session.prepare(Input::file(&path, &reading)).unwrap();
    assert!(graph.out_of_core_decision().is_some());
    let (on_edges, local, triangles, device) = found(&graph);
    let known = on_cpu().prepare(Input::file(&path, &reading)).unwrap();
    assert!(local == known.local().unwrap());
    assert_eq!(graph.degrees().unwrap(), known.degrees().unwrap());
    let result = crate::results::at_vertices(known.kind(), "triangle_centrality").unwrap();
    let (of_known, of_found) = (known.at_vertices(), graph.at_vertices());
    let [known_centrality, centrality] =
        [&of_known, &of_found].map(|of| (result.formula)(of).unwrap());
    for vertex in 0..known.vertex_bound() as u32 {
        assert_eq!(centrality.double(vertex), known_centrality.double(vertex), "{vertex}");
    }
    let support = known.support().unwrap();
    let known_edges = support.edges().iter().zip(support.values());
    assert!(on_edges.into_iter().eq(known_edges.map(|(&[u, v], &count)| [u, v, count])));
    assert_eq!((triangles, &*device, &*graph.count().unwrap().device), (69_999, "gpu:0", "gpu:0"));

    for number in [1, 9, 40] {
        let device = metered_emulator().failing_at_call(number);
        let engine = DrivenDevice::start(device, None, 1).unwrap();
        let options = Options { memory, threads: NonZeroUsize::new(1), ..Options::default() };
        let open = left_open_with(alone(engine), options);
        let graph = open.prepare(Input::file(&path, &reading)).unwrap();
        let (_, local, triangles, _) = found(&graph);
        assert!(local == known.local().unwrap() && triangles == 69_999, "{number}");
    }
}

/// Whichever allocation fails, the count is an error of the device, or the CPU's.
#[test]
fn every_allocation_may_fail() {
    let graph = Graph::from_edges(cliques());
    let expected = on_cpu().count(&graph).unwrap().triangles;
    let mut number = 1;
    loop {
        let asked = Session::open(Options {
            engine: Some(Arc::new(alone(metered(Some(number))))),
            ..Options::default()
        });
        match asked.unwrap().count(&graph) {
            Ok(count) => {
                // Fewer allocations than that.
                assert_eq!(count.triangles, expected);
                break;
            }
            Err(error) => assert!(matches!(error, Error::Device(_)), "{number}: {error}"),
        }
        let open = left_open(alone(metered(Some(number))));
        let count = open.count(&graph).unwrap();
        assert_eq!((count.triangles, &*count.device), (expected, "cpu"), "{number}");
        number += 1;
    }
    assert!(number > 10, "{number} allocations");
}

/// Whichever call of the driver fails, everything ends with its result or with the device's error, and a count goes on on
/// the CPU where the device was left open.
#[test]
fn every_call_of_the_driver_may_fail() {
    let graph = Graph::from_edges(cliques());
    let known = on_cpu().prepare(&graph).unwrap();
    let triangles = known.count().unwrap().triangles;
    let failing = |number, limit| {
        let device = metered_emulator().failing_at_call(number);
        alone(DrivenDevice::start(device, limit, 1).unwrap())
    };
    let counted = |session: &Session, engine| {
        let options = CountOptions { engine, explain: true, ..CountOptions::default() };
        Ok(session.count(Input::from(&graph).with_options(&options))?.triangles == triangles)
    };
    type Work<'w> = (&'w str, Option<u64>, &'w dyn Fn(&Session) -> Result<bool>);
    let directed = on_cpu().prepare(Input::from(&graph).directed()).unwrap();
    let weighted = with_weights(&graph);
    let known_weighted = on_cpu().prepare(&weighted).unwrap();
    let known_weighted: f64 =
        known_weighted.weighted_clustering(Weighting::Onnela).unwrap().iter().sum();
    let works: [Work<'_>; 10] = [
        ("count", None, &|session| counted(session, EngineChoice::Auto)),
        ("count in parts", Some(100 << 10), &|session| counted(session, EngineChoice::Auto)),
        ("support in parts", Some(100 << 10), &|session| {
            Ok(session.prepare(&graph)?.support()? == known.support().unwrap())
        }),
        ("local in parts", Some(100 << 10), &|session| {
            Ok(session.prepare(&graph)?.local()? == known.local().unwrap())
        }),
        ("support", None, &|session| {
            Ok(session.prepare(&graph)?.support()? == known.support().unwrap())
        }),
        ("local", None, &|session| Ok(session.prepare(&graph)?.local()? == known.local().unwrap())),
        ("truss", None, &|session| {
            Ok(session.prepare(&graph)?.trussness()? == known.trussness().unwrap())
        }),
        ("directed", None, &|session| {
            Ok(session.prepare(Input::from(&graph).directed())?.directed_local()?
                == directed.directed_local().unwrap())
        }),
        ("census", None, &|session| {
            Ok(session.prepare(Input::from(&graph).directed())?.census()?
                == directed.census().unwrap())
        }),
        ("weighted", None, &|session| {
            let found = session.prepare(&weighted)?.weighted_clustering(Weighting::Onnela)?;
            let of_all = found.iter().sum::<f64>() / known_weighted;
            Ok((of_all - 1.0).abs() < 1e-13)
        }),
    ];
    for (at, (name, limit, work)) in works.into_iter().enumerate() {
        // Once a command makes fewer calls than that, none fails.
        // A quick run takes every seventh call.
        let (first, step) = if effort::is_full() { (0, 1) } else { (at as u64 % 7, 7) };
        let (mut number, mut quiet) = (first, 0);
        while quiet < 3 {
            let engine = Arc::new(failing(number, limit));
            let asked =
                Session::open(Options { engine: Some(engine), ..Options::default() }).unwrap();
            match work(&asked) {
                Ok(is_right) => {
                    assert!(is_right, "{name}, call {number}");
                    quiet += 1;
                }
                Err(error) => {
                    assert!(matches!(error, Error::Device(_)), "{name}, {number}: {error}");
                    quiet = 0;
                    let open = left_open(failing(number, limit));
                    match work(&open) {
                        Ok(is_right) => assert!(is_right, "{name}, {number}: on the CPU"),
                        // What the device has alone, and does not give back, the CPU cannot go on with.
                        Err(Error::Device(_)) => {
                            let alone =
                                ["support", "local", "truss", "directed", "census", "weighted"];
                            let alone = alone.contains(&name);
                            assert!(alone, "{name}, {number}");
                        }
                        Err(error) => panic!("{name}, {number}: {error}"),
                    }
                    // Nothing is left behind: the same session does it again.
                    assert!(work(&asked).unwrap(), "{name}, again after call {number}");
                }
            }
            number += step;
        }
        assert!(number > 20, "{name}: {number} calls");
    }
}

/// A team of metered emulators as an engine: all asked for by name, or taken where they pay.
fn team(devices: u32, named: bool, parts: Option<u32>) -> OnTeam<Metered<Emulator>> {
    let others = move || Ok((1..devices).map(|_| metered(None)).collect());
    let named = named.then(|| format!("gpu:0-{}", devices - 1));
    OnTeam::new(metered(None), devices - 1, others, named, parts).unwrap()
}

fn on_team(devices: u32, parts: Option<u32>) -> Session {
    with_engine(team(devices, true, parts))
}

/// Entries that ascend tell other directions from duplicates, however many devices share them.
#[test]
fn several_devices_tell_other_directions_as_one_does() {
    let mut both: Vec<[u32; 2]> =
        cliques().into_iter().flat_map(|[u, v]| [[u, v], [v, u]]).collect();
    both.sort_unstable();
    both.dedup();
    let graph = Graph::from_edges(both);
    let edges = on_cpu().prepare(&graph).unwrap().summary().edges;
    for devices in [1, 2] {
        let session = on_team(devices, None);
        let count = session.count(&graph).unwrap();
        assert_eq!(count.reciprocal_dropped, Some(edges), "{devices}");
        let summary = session.prepare(&graph).unwrap().summary();
        assert_eq!(summary.reciprocal_dropped, Some(edges), "{devices}");
    }
}

/// Every result of several devices is the CPU's, and so is every result of one device in several parts. A quick run
/// takes each graph on half of the teams.
#[test]
fn results_of_several_devices_are_the_cpu_s() {
    let graphs = [("cliques", cliques()), ("grouped", clique(0..100)), ("none", vec![[3, 3]])];
    for (at, (name, edges)) in graphs.into_iter().enumerate() {
        let graph = Graph::from_edges(edges);
        let known = on_cpu().prepare(&graph).unwrap();
        let triangles = known.count().unwrap().triangles;
        let teams = [(2, None), (3, None), (3, Some(5)), (1, Some(3)), (8, None)];
        for (number, (devices, parts)) in teams.into_iter().enumerate() {
            if !effort::takes(at + number, 3) {
                continue;
            }
            let session = on_team(devices, parts);
            let case = format!("{name}: {devices} devices, {parts:?} parts");
            for engine in EngineChoice::ALL {
                let options = CountOptions { engine, ..CountOptions::default() };
                let count = session.count(Input::from(&graph).with_options(&options)).unwrap();
                assert_eq!(count.triangles, triangles, "{case}, {engine}");
                assert_eq!(count.device, format!("gpu:0-{}", devices - 1), "{case}, {engine}");
            }
            let found = session.prepare(&graph).unwrap();
            // Of entries in any order, devices that share them do not tell other directions from duplicates.
            let reciprocal_dropped = found.summary().reciprocal_dropped;
            let expected = Summary { reciprocal_dropped, ..known.summary() };
            assert_eq!(found.summary(), expected, "{case}");
            let count = found.count().unwrap();
            assert_eq!((count.triangles, &*count.engine), (triangles, "hybrid"), "{case}");
            assert_eq!(found.local().unwrap(), known.local().unwrap(), "{case}");
            check_cliques(&found, &known);
            check_directed(&session, &graph);
            check_weighted(&session, &graph);
            assert_eq!(found.support().unwrap(), known.support().unwrap(), "{case}");
            assert_eq!(found.trussness().unwrap(), known.trussness().unwrap(), "{case}");
            assert_eq!(found.k_truss(4).unwrap(), known.k_truss(4).unwrap(), "{case}");
        }
    }
}

/// Two sessions of two devices each, and four threads that share each session.
#[test]
fn several_callers_share_several_devices() {
    let graph = Graph::from_edges(cliques());
    let triangles = on_cpu().count(&graph).unwrap().triangles;
    let sessions = [on_team(2, None), on_team(2, Some(4))];
    let held: Vec<_> = sessions.iter().map(|session| session.prepare(&graph).unwrap()).collect();
    std::thread::scope(|scope| {
        for caller in 0..8 {
            let (session, held, graph) = (&sessions[caller % 2], &held[caller % 2], &graph);
            scope.spawn(move || {
                for _ in 0..3 {
                    assert_eq!(session.count(graph).unwrap().triangles, triangles);
                    assert_eq!(held.local().unwrap().total(), triangles);
                }
            });
        }
    });
}

#[test]
fn what_several_devices_are_predicted_to_need_is_at_least_what_they_use() {
    for (at, (name, edges)) in shapes().into_iter().enumerate() {
        let graph = Graph::from_edges(edges);
        // A quick run takes each graph on half of the teams.
        let teams = [(2, None), (4, None), (2, Some(8)), (1, Some(4))];
        for (devices, parts) in effort::some(teams, at, 2) {
            let options = CountOptions { explain: true, ..CountOptions::default() };
            let count =
                on_team(devices, parts).count(Input::from(&graph).with_options(&options)).unwrap();
            let explanation = count.explanation.unwrap();
            let (predicted, peak) = (explanation.predicted_peak_bytes, explanation.peak_bytes);
            let case = format!("{name}, {devices} devices, {parts:?} parts");
            assert!(predicted >= peak && peak > Some(0), "{case}: {predicted:?} {peak:?}");
            let decision = &explanation.decisions[1];
            let parts = parts.unwrap_or(devices);
            assert_eq!(decision.question, "GPUs");
            let crew = if devices > 1 { "all GPUs" } else { "one GPU" };
            assert_eq!(decision.choice, format!("{crew} in {parts} parts"));
            assert_eq!(explanation.exchanged_bytes.unwrap() > 0, devices > 1, "{case}");
            let steps: Vec<_> = explanation.steps.iter().map(|step| step.step).collect();
            assert_eq!(steps[..4], ["upload", "orient", "clean", "move"], "{case}");
        }
    }
}

/// Small graphs stay on one device where the choice is open, and a device that cannot be opened is no error there.
#[test]
fn other_devices_are_opened_when_they_pay() {
    let graph = Graph::from_edges(cliques());
    let options = CountOptions { explain: true, ..CountOptions::default() };
    let never =
        || -> Result<Vec<Arc<DrivenDevice<Metered<Emulator>>>>> { panic!("nobody asked for it") };
    let alone = OnTeam::new(metered(None), 3, never, None, None).unwrap();
    let count = left_open(alone).count(Input::from(&graph).with_options(&options)).unwrap();
    assert_eq!(count.device, "gpu:0");
    let decision = &count.explanation.unwrap().decisions[1];
    assert_eq!((decision.question, &*decision.choice), ("GPUs", "one GPU"));
    let why = decision.rejected[0].because[0].to_string();
    assert_eq!(why, "0 ms saved, as predicted, at least 270");
    // Parts that were asked for take all devices.
    let broken = || Err(Error::Device("gpu:1 has fallen off the bus".into()));
    let open = OnTeam::new(metered(None), 1, broken, None, Some(2)).unwrap();
    assert_eq!(left_open(open).count(&graph).unwrap().device, "gpu:0");
    let named = OnTeam::new(metered(None), 1, broken, Some("gpu:0-1".into()), None);
    assert!(matches!(named.err(), Some(Error::Device(_))));
}

/// A device that fails is named.
#[test]
fn the_device_that_failed_is_named() {
    let graph = Graph::from_edges(cliques());
    let others = || Ok(vec![metered(Some(7))]);
    let team = OnTeam::new(metered(None), 1, others, Some("gpu:0-1".into()), None).unwrap();
    let session = with_engine(team);
    let error = session.count(&graph).unwrap_err();
    assert!(
        matches!(&error, Error::Device(_)) && error.to_string().starts_with("gpu:0: "),
        "{error}"
    );
    // Once more: nothing hangs, and one allocation alone was to fail.
    assert_eq!(session.count(&graph).unwrap().triangles, on_cpu().count(&graph).unwrap().triangles);
}
