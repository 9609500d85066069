//! The library's main door.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::engine::{Context, Engine, EngineCount, Phase};
use super::forward_on_cpu::ForwardOnCpu;
use super::options::{DeviceChoice, Options};
use super::outcome::{Around, Count};
use super::plan::Plan;
use super::selection::{self, Fallback, Selection};
use crate::{Error, Graph, Result, read};

/// Counts triangles with the engine that it chose when it was made. Make one, count many graphs.
pub struct Counter {
    engine: Box<dyn Engine>,
    selection: Selection,
    verifier: Option<Box<dyn Engine>>,
    /// Whether the CPU takes over where the engine's device fails.
    may_fall_back: bool,
    pool: rayon::ThreadPool,
    on_phase: Arc<dyn Fn(Phase) + Send + Sync>,
    start_up: Duration,
}

impl Counter {
    /// Chooses an engine and opens its device.
    ///
    /// # Errors
    /// [`Error::Device`] where a GPU was asked for and cannot be used, [`Error::Usage`] where the
    /// threads cannot be started.
    pub fn new(options: Options) -> Result<Counter> {
        let start = Instant::now();
        let (engine, selection) = selection::choose(&options)?;
        let mut counter = Counter::assemble(engine, selection, &options)?;
        counter.may_fall_back = options.device == DeviceChoice::Auto;
        counter.start_up = start.elapsed();
        Ok(counter)
    }

    /// Counts with an engine of your own; `options.device` and `options.engine` are not looked at.
    ///
    /// # Errors
    /// [`Error::Usage`] where the threads cannot be started.
    pub fn with_engine(engine: Box<dyn Engine>, options: Options) -> Result<Counter> {
        let selection = Selection {
            engine: engine.name().to_owned(),
            device: engine.device(),
            device_name: engine.device_name(),
            reason: "asked for".into(),
            fallback: Fallback::None,
        };
        Counter::assemble(engine, selection, &options)
    }

    fn assemble(
        engine: Box<dyn Engine>,
        selection: Selection,
        options: &Options,
    ) -> Result<Counter> {
        // 0 leaves the number to rayon: one thread a core, or RAYON_NUM_THREADS.
        let threads = options.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}")))?;
        Ok(Counter {
            verifier: options.verify.then(|| selection::verifier(&*engine)),
            engine,
            selection,
            may_fall_back: false,
            pool,
            on_phase: Arc::new(|_| ()),
            start_up: Duration::ZERO,
        })
    }

    /// Calls `on_phase` when a phase begins, from any thread.
    #[must_use]
    pub fn on_phase(mut self, on_phase: impl Fn(Phase) + Send + Sync + 'static) -> Counter {
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

    /// Counts the triangles of a graph in memory.
    ///
    /// # Errors
    /// What the device reports, and [`Error::Disagreement`] where verification was asked for and
    /// failed.
    pub fn count(&self, graph: &Graph) -> Result<Count> {
        self.pool.install(|| self.run(graph, Duration::ZERO))
    }

    /// Reads a file and counts its triangles: [`Seconds::read`](super::Seconds::read) is filled in.
    ///
    /// # Errors
    /// As [`count`](Self::count), and one message with file and line for whatever is wrong with the
    /// file.
    pub fn count_file(&self, path: impl AsRef<Path>, options: &read::Options) -> Result<Count> {
        let path = path.as_ref();
        self.pool.install(|| {
            let start = Instant::now();
            (self.on_phase)(Phase::Read);
            let graph = read::open(path, options)?;
            self.run(&graph, start.elapsed())
        })
    }

    /// What counting a file would do. The file is read, and nothing is cleaned, oriented or counted:
    /// O(entries) beside reading.
    ///
    /// # Errors
    /// One message with file and line for whatever is wrong with the file.
    pub fn plan(&self, path: impl AsRef<Path>, options: &read::Options) -> Result<Plan> {
        let path = path.as_ref();
        self.pool.install(|| {
            (self.on_phase)(Phase::Read);
            let inspection = read::inspect(path, options)?;
            let graph = read::open(path, options)?;
            Ok(Plan::new(&inspection, &graph, &*self.engine, &self.selection.reason))
        })
    }

    fn run(&self, graph: &Graph, read: Duration) -> Result<Count> {
        let start = Instant::now();
        let (engine, found) = self.count_or_fall_back(graph)?;
        let total = read + start.elapsed();
        let around = Around { read, total, start_up: self.start_up };
        let mut count = Count::new(graph.name(), engine, &found, around);
        log(&count);
        if let Some(verifier) = &self.verifier {
            (self.on_phase)(Phase::Verify);
            let start = Instant::now();
            let again = verifier.count(graph, &Context::new(&|_| ()))?;
            compare(graph.name(), (engine, &found), (&**verifier, &again))?;
            count.verified_by = Some(full_name(&**verifier));
            count.seconds.verify = start.elapsed().as_secs_f64();
        }
        Ok(count)
    }

    fn count_or_fall_back(&self, graph: &Graph) -> Result<(&dyn Engine, EngineCount)> {
        let context = Context::new(&*self.on_phase);
        match self.engine.count(graph, &context) {
            Ok(found) => Ok((&*self.engine, found)),
            Err(error) if self.may_fall_back && self.selection.device != "cpu" => {
                tracing::warn!(
                    "{}: {} cannot count it, counting on the CPU instead: {error}",
                    graph.name(),
                    self.selection.device
                );
                Ok((&ForwardOnCpu, ForwardOnCpu.count(graph, &context)?))
            }
            Err(error) => Err(error),
        }
    }
}

fn full_name(engine: &dyn Engine) -> String {
    format!("{} on {}", engine.name(), engine.device())
}

fn log(count: &Count) {
    let seconds = &count.seconds;
    tracing::info!(
        file = count.file,
        engine = count.engine,
        device = count.device,
        threads = count.threads,
        read = seconds.read,
        upload = seconds.upload,
        clean = seconds.clean,
        orient = seconds.orient,
        count = seconds.count,
        total = seconds.total,
        start_up = seconds.start_up,
        "counted"
    );
}

type Run<'a> = (&'a dyn Engine, &'a EngineCount);

/// Every figure of two runs on the same graph must be the same.
fn compare(file: &str, (engine, found): Run, (verifier, again): Run) -> Result<()> {
    let figures = |count: &EngineCount| {
        let f = &count.figures;
        [
            ("triangles", u128::from(count.triangles)),
            ("edges", f.edges.into()),
            ("vertices", f.vertices.into()),
            ("wedges", f.wedges),
            ("self-loops", f.self_loops_dropped.into()),
            ("duplicates", f.duplicates_dropped.into()),
            ("as the largest degree", f.max_degree.into()),
        ]
    };
    for ((figure, first), (_, second)) in figures(found).into_iter().zip(figures(again)) {
        if first != second {
            return Err(Error::Disagreement {
                file: file.to_owned(),
                figure,
                first_engine: full_name(engine),
                first,
                second_engine: full_name(verifier),
                second,
            });
        }
    }
    Ok(())
}
