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
use crate::{Graph, Result, device, read};

/// Counts triangles with the engine that it chose when it was made. Make one, count many graphs.
pub struct Counter {
    engine: Box<dyn Engine>,
    selection: Selection,
    verifier: Option<Box<dyn Engine>>,
    /// Whether counts hold what the levels of binning did.
    stats: bool,
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
    /// [`crate::Error::Device`] where a GPU was asked for and cannot be used, [`crate::Error::Usage`] where the
    /// threads cannot be started.
    pub fn new(options: Options) -> Result<Counter> {
        let start = Instant::now();
        let (engine, selection) = selection::choose(&options)?;
        let mut counter = Counter::assemble(engine, selection, &options)?;
        counter.may_fall_back =
            options.device == DeviceChoice::Auto && !options.engine.is_for_gpus_only();
        counter.start_up = start.elapsed();
        Ok(counter)
    }

    /// Counts with an engine of your own; `options.device` and `options.engine` are not looked at.
    ///
    /// # Errors
    /// [`crate::Error::Usage`] where the threads cannot be started.
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
        let pool = device::cpu::thread_pool(options.threads)?;
        Ok(Counter {
            verifier: options.verify.then(|| selection::verifier(&*engine)),
            engine,
            selection,
            stats: options.stats,
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

    /// Runs something on the counter's threads.
    pub(crate) fn install<R: Send>(&self, run: impl FnOnce() -> R + Send) -> R {
        self.pool.install(run)
    }

    /// Counts the triangles of a graph in memory.
    ///
    /// # Errors
    /// What the device reports, and [`crate::Error::Disagreement`] where verification was asked for and
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
    /// One message with file and line for whatever is wrong with the file, and what the device
    /// reports.
    pub fn plan(&self, path: impl AsRef<Path>, options: &read::Options) -> Result<Plan> {
        let path = path.as_ref();
        self.pool.install(|| {
            (self.on_phase)(Phase::Read);
            let inspection = read::inspect(path, options)?;
            let graph = read::open(path, options)?;
            Plan::new(&inspection, &graph, &*self.engine, &self.selection.reason)
        })
    }

    fn run(&self, graph: &Graph, read: Duration) -> Result<Count> {
        let start = Instant::now();
        let (engine, found) = self.count_or_fall_back(graph)?;
        let total = read + start.elapsed();
        let around = Around { read, total, start_up: self.start_up };
        let mut count = Count::new(graph.name(), engine, &found, around);
        if self.stats {
            count.stats = found.binning.as_ref().map(|binning| binning.stats.clone());
        }
        log(&count);
        if let Some(verifier) = &self.verifier {
            (self.on_phase)(Phase::Verify);
            let start = Instant::now();
            let again = verifier.count(graph, &Context::new(&|_| ()))?;
            let again = Count::new(graph.name(), &**verifier, &again, Around::default());
            count.compare(&again)?;
            count.verified_by = Some(again.full_engine_name());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::graph::Summary;

    /// A GPU engine that answers as it was told.
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
        fn count(&self, _: &Graph, _: &Context) -> Result<EngineCount> {
            (self.0)()
        }
    }

    fn counter(answer: fn() -> Result<EngineCount>, verify: bool) -> Counter {
        let options = Options { verify, ..Options::default() };
        Counter::with_engine(Box::new(Canned(answer)), options).unwrap()
    }

    fn triangle() -> Graph {
        Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]])
    }

    const FIGURES: Summary = Summary {
        vertices: 3,
        edges: 3,
        self_loops_dropped: 0,
        duplicates_dropped: 0,
        wedges: 3,
        max_degree: 2,
    };

    fn right() -> Result<EngineCount> {
        Ok(EngineCount { triangles: 1, figures: FIGURES, ..EngineCount::default() })
    }

    fn one_too_many() -> Result<EngineCount> {
        Ok(EngineCount { triangles: 2, figures: FIGURES, ..EngineCount::default() })
    }

    fn wedges_too_many() -> Result<EngineCount> {
        let figures = Summary { wedges: 1 << 70, ..FIGURES };
        Ok(EngineCount { triangles: 1, figures, ..EngineCount::default() })
    }

    fn broken() -> Result<EngineCount> {
        Err(Error::Device("the GPU has fallen off the bus".into()))
    }

    #[test]
    fn verification_passes_what_is_right() {
        let count = counter(right, true).count(&triangle()).unwrap();
        assert_eq!(count.verified_by.as_deref(), Some("forward on cpu"));
        assert_eq!(count.transitivity, 1.0);
    }

    #[test]
    fn verification_finds_a_wrong_count() {
        assert_eq!(counter(one_too_many, false).count(&triangle()).unwrap().triangles, 2);
        let error = counter(one_too_many, true).count(&triangle()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "(memory): canned on gpu:0 counted 2 triangles and forward on cpu counted 1: this is a \
             defect in tribin, please report it with the graph"
        );
    }

    #[test]
    fn verification_finds_a_wrong_figure() {
        let error = counter(wedges_too_many, true).count(&triangle()).unwrap_err();
        assert!(
            error.to_string().starts_with(
                "(memory): canned on gpu:0 counted 1180591620717411303424 wedges and forward on \
                 cpu counted 3: "
            ),
            "{error}"
        );
    }

    #[test]
    fn the_cpu_takes_over_only_where_the_choice_was_left_open() {
        let mut counter = counter(broken, false);
        assert!(matches!(counter.count(&triangle()), Err(Error::Device(_))));
        counter.may_fall_back = true;
        let count = counter.count(&triangle()).unwrap();
        assert_eq!((count.triangles, count.device.as_str()), (1, "cpu"));
    }

    #[test]
    fn the_number_of_threads_is_as_asked() {
        for threads in 1..=3 {
            let options =
                Options { threads: std::num::NonZeroUsize::new(threads), ..Options::default() };
            let counter = Counter::with_engine(Box::new(ForwardOnCpu), options).unwrap();
            assert_eq!(counter.threads(), threads);
            assert_eq!(counter.count(&triangle()).unwrap().threads, threads);
        }
    }
}
