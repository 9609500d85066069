//! Bench: engines side by side on the same graph, checked against each other.
//!
//! [`measure`] runs every [`Contender`] once without looking at the clock and then in turn, so that a
//! machine that slows down slows all of them. The figures become a [`BenchRecord`], which is what the JSON
//! of `tribin bench` holds (docs/bench.md), and [`markdown`] makes tables of it.
//!
//! ```
//! use tribin::bench::{Contender, measure};
//! use tribin::count::CountOptions;
//! use tribin::generate::{self, Wheel};
//! use tribin::{DeviceChoice, Options, Session};
//!
//! let mut options = Options::default();
//! options.device = DeviceChoice::Cpu;
//! let contender = Contender::new(Session::open(options)?, CountOptions::default())?;
//!
//! let wheel = generate::graph(&Wheel::new(1000)?, "wheel");
//! let measured = measure(&wheel, &[contender], 3)?;
//! assert_eq!(measured.triangles, 1000);
//! assert_eq!(measured.results[0].seconds.total.runs, 3);
//! # Ok::<(), tribin::Error>(())
//! ```

pub mod markdown;
mod record;
#[cfg(feature = "cli")]
mod subject;

use tribin_base::{Error, Result};
use tribin_count::{Count, CountOptions, EngineChoice, Seconds};
use tribin_graph::Graph;
use tribin_session::{Input, Session};

pub use record::{
    BenchRecord, DeviceRecord, EngineRefusal, GraphRecord, Measured, PhaseSeconds, Spread,
};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use subject::{Scales, Subject, subjects};

/// An engine on a device, ready to be measured.
pub struct Contender {
    session: Session,
    options: CountOptions,
}

impl Contender {
    /// Takes a session and how it is to count.
    ///
    /// # Errors
    /// [`Error::Usage`] or [`Error::Device`] for an engine that the device does not have.
    pub fn new(session: Session, options: CountOptions) -> Result<Contender> {
        session.selection().check(&options)?;
        session.settle();
        Ok(Contender { session, options })
    }

    /// A contender whose device is not looked at, as for an engine of your own.
    pub fn without_device(session: Session) -> Contender {
        session.settle();
        Contender { session, options: CountOptions::default() }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The engine, as `--engine` takes it.
    fn engine(&self) -> String {
        match self.options.engine {
            EngineChoice::Auto => self.session.selection().engine.clone(),
            other => other.name().to_owned(),
        }
    }

    /// The device and its threads.
    pub fn device(&self) -> DeviceRecord {
        let selection = self.session.selection();
        DeviceRecord {
            device: selection.device.clone(),
            name: selection.device_name.clone(),
            threads: self.session.threads(),
        }
    }

    fn refused(&self, reason: &Error) -> EngineRefusal {
        let selection = self.session.selection();
        EngineRefusal {
            engine: self.engine(),
            device: selection.device.clone(),
            reason: reason.to_string(),
        }
    }

    fn run(&self, graph: &Graph) -> Result<Count> {
        self.session.count(Input::from(graph).with_options(&self.options))
    }
}

/// Measures contenders on a graph: `runs` counts each, in turn, after one that is not timed. One that
/// refuses the graph, because it is too large for it, is left out and said to be.
///
/// # Errors
/// [`Error::Disagreement`] where two of them differ in any figure, [`Error::Usage`] for no contender
/// and no run, what the devices report, and the refusal where every contender refuses.
pub fn measure(graph: &Graph, contenders: &[Contender], runs: usize) -> Result<GraphRecord> {
    if contenders.is_empty() || runs == 0 {
        return Err(Error::Usage("a measurement needs an engine and a run".into()));
    }
    let blame = |error| contenders.iter().fold(error, |error, one| one.session.blame(error));
    let mut first: Option<Count> = None;
    let mut running = Vec::new();
    let mut refusals = Vec::new();
    for contender in contenders {
        match contender.run(graph) {
            Ok(count) => {
                let first = first.get_or_insert_with(|| count.clone());
                first.compare(&count).map_err(blame)?;
                running.push(Running { contender, seconds: Vec::new(), peak: None });
            }
            Err(error @ (Error::DeviceMemory { .. } | Error::Input { .. })) => {
                refusals.push((contender, error));
            }
            Err(error) => return Err(error),
        }
    }
    let Some(first) = first else {
        // No contender counted, and there is one at least.
        return Err(refusals.swap_remove(0).1);
    };
    for _ in 0..runs {
        for one in &mut running {
            let count = one.contender.run(graph)?;
            first.compare(&count).map_err(blame)?;
            one.peak = one.peak.max(count.peak_device_bytes);
            one.seconds.push(count.seconds);
        }
    }
    Ok(GraphRecord {
        graph: graph.name().to_owned(),
        kind: None,
        entries: graph.edges().len() as u64,
        vertices: first.vertices,
        edges: first.edges,
        triangles: first.triangles,
        wedges: first.wedges,
        max_degree: first.max_degree,
        results: running.iter().map(Running::measured).collect(),
        refused: refusals.into_iter().map(|(contender, error)| contender.refused(&error)).collect(),
    })
}

/// A contender that counts the graph, and what it took so far.
struct Running<'a> {
    contender: &'a Contender,
    seconds: Vec<Seconds>,
    peak: Option<u64>,
}

impl Running<'_> {
    fn measured(&self) -> Measured {
        let selection = self.contender.session.selection();
        Measured {
            engine: self.contender.engine(),
            device: selection.device.clone(),
            seconds: PhaseSeconds::of(&self.seconds),
            peak_device_bytes: self.peak,
        }
    }
}
