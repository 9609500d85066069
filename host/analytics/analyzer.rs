//! The library's door to analytics.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cpu::cores;
use super::engine::Engine;
use super::listing::Triangles;
use super::on_cpu::OnCpu;
use super::simple_graph::SimpleGraph;
use super::stats::{Stats, StatsSeconds};
use super::{EdgeValues, Local, selection};
use crate::count::{DeviceChoice, Phase, Selection};
use crate::{Error, Graph, Result, device, read};

/// What to analyse with and on. The default chooses by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What to run on.
    pub device: DeviceChoice,
    /// CPU threads; `None` takes one for each core that the process may use.
    pub threads: Option<NonZeroUsize>,
    /// Bytes of device memory that a GPU may use at most; `None` takes what is free.
    pub memory_limit: Option<u64>,
}

/// Analyses graphs with the engine that it chose when it was made. Make one, analyse many graphs.
pub struct Analyzer {
    engine: Box<dyn Engine>,
    selection: Selection,
    /// Whether the CPU takes over where the engine's device fails.
    may_fall_back: bool,
    pool: rayon::ThreadPool,
    on_phase: Arc<dyn Fn(Phase) + Send + Sync>,
}

impl Analyzer {
    /// Chooses an engine and opens its device.
    ///
    /// # Errors
    /// [`Error::Device`] where a GPU was asked for and cannot be used, [`Error::Usage`] where the threads
    /// cannot be started.
    pub fn new(options: Options) -> Result<Analyzer> {
        let chosen = selection::choose(&options)?;
        let mut analyzer = Analyzer::assemble(chosen, &options)?;
        analyzer.may_fall_back = options.device == DeviceChoice::Auto;
        Ok(analyzer)
    }

    /// Analyses with an engine of your own; `options.device` is not looked at.
    ///
    /// # Errors
    /// [`Error::Usage`] where the threads cannot be started.
    pub fn with_engine(engine: Box<dyn Engine>, options: Options) -> Result<Analyzer> {
        Analyzer::assemble(selection::select(engine, "asked for"), &options)
    }

    fn assemble(
        (engine, selection): (Box<dyn Engine>, Selection),
        options: &Options,
    ) -> Result<Analyzer> {
        let pool = device::cpu::thread_pool(options.threads)?;
        Ok(Analyzer { engine, selection, may_fall_back: false, pool, on_phase: Arc::new(|_| ()) })
    }

    /// Calls `on_phase` when a phase begins, from any thread.
    #[must_use]
    pub fn on_phase(mut self, on_phase: impl Fn(Phase) + Send + Sync + 'static) -> Analyzer {
        self.on_phase = Arc::new(on_phase);
        self
    }

    /// Which engine was chosen, and why.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// CPU threads that host work runs on.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs something on the threads of this analyzer.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Cleans and orients a graph: once for all analyses of it.
    ///
    /// # Errors
    /// What the device reports.
    pub fn prepare(&self, graph: &Graph) -> Result<SimpleGraph> {
        self.pool.install(|| self.prepared(graph, Duration::ZERO))
    }

    /// Reads a file, and cleans and orients its graph.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), and one message with file and line for whatever is wrong with the
    /// file.
    pub fn prepare_file(
        &self,
        path: impl AsRef<Path>,
        options: &read::Options,
    ) -> Result<SimpleGraph> {
        let path = path.as_ref();
        self.pool.install(|| {
            let start = Instant::now();
            (self.on_phase)(Phase::Read);
            let graph = read::open(path, options)?;
            self.prepared(&graph, start.elapsed())
        })
    }

    fn prepared(&self, graph: &Graph, read: Duration) -> Result<SimpleGraph> {
        (self.on_phase)(Phase::Orient);
        let (_, prepared) = self.or_on_cpu(graph.name(), |engine| engine.prepare(graph))?;
        Ok(SimpleGraph::new(graph, prepared, read))
    }

    /// The figures of the whole graph.
    ///
    /// O(m^1.5) work for the triangles, and O(n + m) on one thread for the degeneracy.
    ///
    /// # Errors
    /// What the device reports.
    pub fn stats(&self, graph: &SimpleGraph) -> Result<Stats> {
        self.pool.install(|| {
            let start = Instant::now();
            let (engine, local) = self.find_local(graph)?;
            let triangles = start.elapsed();
            (self.on_phase)(Phase::Peel);
            let degeneracy = cores::degeneracy(&graph.oriented);
            let cores = start.elapsed() - triangles;
            let (read, prepare) = graph.seconds();
            let seconds = StatsSeconds {
                read,
                prepare,
                triangles: triangles.as_secs_f64(),
                cores: cores.as_secs_f64(),
                total: 0.0,
            };
            let mut stats = Stats::new(graph, &local, degeneracy, engine, seconds);
            stats.seconds.total = read + prepare + start.elapsed().as_secs_f64();
            Ok(stats)
        })
    }

    /// Degree, triangles and clustering coefficient of every vertex. O(m^1.5) work.
    ///
    /// # Errors
    /// What the device reports.
    pub fn local(&self, graph: &SimpleGraph) -> Result<Local> {
        self.pool.install(|| Ok(self.find_local(graph)?.1))
    }

    fn find_local(&self, graph: &SimpleGraph) -> Result<(&dyn Engine, Local)> {
        (self.on_phase)(Phase::Count);
        let (engine, found) =
            self.or_on_cpu(graph.name(), |engine| engine.triangles(&graph.oriented))?;
        Ok((engine, Local::new(&graph.oriented, &found)))
    }

    /// The number of triangles on every edge. O(m^1.5) work.
    ///
    /// # Errors
    /// What the device reports.
    pub fn support(&self, graph: &SimpleGraph) -> Result<EdgeValues> {
        self.pool.install(|| {
            (self.on_phase)(Phase::Count);
            let (_, found) =
                self.or_on_cpu(graph.name(), |engine| engine.support(&graph.oriented))?;
            Ok(edge_values(graph, &found))
        })
    }

    /// The trussness of every edge: the largest k whose k-truss has it, at least 2. O(m^1.5) work.
    ///
    /// # Errors
    /// What the device reports, and [`Error::Input`] for 2³² edges or more.
    pub fn trussness(&self, graph: &SimpleGraph) -> Result<EdgeValues> {
        check_truss(graph)?;
        self.pool.install(|| {
            (self.on_phase)(Phase::Peel);
            let (_, found) =
                self.or_on_cpu(graph.name(), |engine| engine.trussness(&graph.oriented))?;
            Ok(edge_values(graph, &found))
        })
    }

    /// The edges of the k-truss, the largest subgraph whose every edge is in at least k - 2 of its
    /// triangles, as vertex indexes, the smaller first, ascending. Every edge for k up to 2. O(m^1.5)
    /// work; faster than [`trussness`](Self::trussness).
    ///
    /// # Errors
    /// As [`trussness`](Self::trussness).
    pub fn k_truss(&self, graph: &SimpleGraph, k: u32) -> Result<Vec<[u32; 2]>> {
        check_truss(graph)?;
        self.pool.install(|| {
            (self.on_phase)(Phase::Peel);
            let (_, found) =
                self.or_on_cpu(graph.name(), |engine| engine.k_truss(&graph.oriented, k))?;
            assert_eq!(found.len(), graph.oriented.heads.len(), "one answer for each edge");
            Ok(EdgeValues::new(&graph.oriented, |_| k, |edge| found[edge]).into_edges())
        })
    }

    /// Every triangle once. They are listed on the CPU, whatever the device, when they are asked for.
    pub fn triangles<'g>(&self, graph: &'g SimpleGraph) -> Triangles<'g> {
        self.pool.install(|| Triangles::new(graph))
    }

    /// Runs on the engine, and on the CPU where the engine's device fails and the choice was open; says
    /// which it was.
    fn or_on_cpu<T>(
        &self,
        name: &str,
        run: impl Fn(&dyn Engine) -> Result<T>,
    ) -> Result<(&dyn Engine, T)> {
        match run(&*self.engine) {
            Err(error @ (Error::Device(_) | Error::DeviceMemory { .. })) if self.may_fall_back => {
                tracing::warn!(
                    "{name}: {} fails, going on with the CPU instead: {error}",
                    self.selection.device
                );
                Ok((&OnCpu, run(&OnCpu)?))
            }
            result => Ok((&*self.engine, result?)),
        }
    }
}

fn edge_values(graph: &SimpleGraph, found: &[u32]) -> EdgeValues {
    assert_eq!(found.len(), graph.oriented.heads.len(), "one number for each edge");
    EdgeValues::new(&graph.oriented, |edge| found[edge], |_| true)
}

fn check_truss(graph: &SimpleGraph) -> Result<()> {
    let edges = graph.oriented.edges();
    if edges <= u64::from(u32::MAX) {
        return Ok(());
    }
    Err(Error::Input {
        file: graph.name().to_owned(),
        message: format!("{edges} edges: trusses are found in graphs of up to {} edges", u32::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::OrientedGraph;

    /// A GPU that fails at everything.
    struct Broken;

    impl Engine for Broken {
        fn name(&self) -> &str {
            "broken"
        }
        fn device(&self) -> String {
            "gpu:0".into()
        }
        fn device_name(&self) -> String {
            "none".into()
        }
        fn support(&self, _: &OrientedGraph) -> Result<Vec<u32>> {
            Err(Error::Device("the GPU has fallen off the bus".into()))
        }
    }

    /// Answers for one edge, whatever the graph.
    struct Short;

    impl Engine for Short {
        fn name(&self) -> &str {
            "short"
        }
        fn device(&self) -> String {
            "gpu:0".into()
        }
        fn device_name(&self) -> String {
            "none".into()
        }
        fn support(&self, _: &OrientedGraph) -> Result<Vec<u32>> {
            Ok(vec![1])
        }
    }

    fn triangle() -> Graph {
        Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]])
    }

    #[test]
    fn the_cpu_takes_over_only_where_the_choice_was_left_open() {
        let mut analyzer = Analyzer::with_engine(Box::new(Broken), Options::default()).unwrap();
        let graph = analyzer.prepare(&triangle()).unwrap();
        assert!(matches!(analyzer.support(&graph), Err(Error::Device(_))));
        assert!(matches!(analyzer.local(&graph), Err(Error::Device(_))));
        analyzer.may_fall_back = true;
        assert_eq!(analyzer.support(&graph).unwrap().values(), [1, 1, 1]);
        assert_eq!(analyzer.trussness(&graph).unwrap().values(), [3, 3, 3]);
        assert_eq!(analyzer.k_truss(&graph, 3).unwrap(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(analyzer.k_truss(&graph, 4).unwrap(), Vec::<[u32; 2]>::new());
        assert_eq!(analyzer.local(&graph).unwrap().total(), 1);
        let stats = analyzer.stats(&graph).unwrap();
        assert_eq!((&*stats.engine, &*stats.device), ("forward", "cpu"));
    }

    #[test]
    #[should_panic(expected = "one number for each edge")]
    fn an_engine_that_returns_too_few_numbers_is_found_out() {
        let analyzer = Analyzer::with_engine(Box::new(Short), Options::default()).unwrap();
        let graph = analyzer.prepare(&triangle()).unwrap();
        let _ = analyzer.support(&graph);
    }

    #[test]
    fn a_gpu_that_is_not_there_is_an_error() {
        let options = Options { device: DeviceChoice::Gpu(Some(4000)), ..Options::default() };
        let error = Analyzer::new(options).err().unwrap();
        assert!(matches!(error, Error::Device(_)), "{error}");
    }

    #[test]
    fn the_number_of_threads_is_as_asked() {
        let options = Options { threads: NonZeroUsize::new(3), ..Options::default() };
        let analyzer = Analyzer::new(options).unwrap();
        assert_eq!(analyzer.threads(), 3);
        let graph = analyzer.prepare(&triangle()).unwrap();
        assert_eq!(analyzer.stats(&graph).unwrap().threads, 3);
    }
}
