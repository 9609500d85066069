//! A prepared graph whose edges are in scratch files, because memory does not hold them.
//!
//! Its results are found with a part of the edges in memory at a time: in that of the session's GPU, or in the host's. The scratch
//! files are removed with it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::out_of_core::{OutOfCoreWork, ran_on_parts};
use super::runner::Runner;
use super::{PreparedGraph, ResidentGraph, Session};
use crate::analytics::Local;
use crate::control::{Context, Phase};
use crate::count::{EngineCount, EngineSeconds, RanOn};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::{Decision, OutOfCore, Task};
use crate::read::{self, FileEdges};
use crate::{Error, Hint, Message, Result};
use tribin_cpu::prepare::PhaseTimes;
use tribin_out_of_core::{Counter, OnDisk, Scratch};
use tribin_parts::PartsOnDevice;
use tribin_results::TakeEdges;

/// A graph in scratch files, and what finds the triangles.
pub(super) struct DiskGraph {
    session: Session,
    runner: Runner,
    pub name: String,
    pub graph: OnDisk,
    /// Where the edges are, and why.
    pub decision: Decision,
    scratch: PathBuf,
    last: Mutex<Option<LastTask>>,
    /// All vertices, isolated ones included: the search for triangles at vertices finds out.
    vertices: OnceLock<u64>,
}

/// What the last task took, and on what it ran.
#[derive(Debug, Clone)]
pub(super) struct LastTask {
    pub took: OutOfCore,
    pub ran_on: RanOn,
}

impl Session {
    /// Reads a graph into scratch files for a task, if memory does not hold it; `None` where it does, or where the device
    /// takes no such graph. Nothing was read then.
    pub(super) fn prepared_out_of_core(
        &self,
        source: &read::Source,
        reading: &read::Options,
        task: Task,
    ) -> Result<Option<PreparedGraph>> {
        let name = source.name().display().to_string();
        if !task.is_found_out_of_core() {
            self.check_memory(source, reading, task)?;
            return Ok(None);
        }
        let Some(chosen) = self.chosen_out_of_core(source, reading, task)? else {
            return Ok(None);
        };
        let OutOfCoreWork { runner, decision, memory, predicted, .. } = chosen;
        self.0.options.cancel.check()?;
        self.say_where(&name, memory, &predicted);
        self.phase(Phase::Read);
        let mut reading = reading.clone();
        reading.cancel = self.0.options.cancel.clone();
        let edges = FileEdges::new(source.clone(), &reading);
        let files = Scratch::new(&predicted.scratch)?;
        let graph = OnDisk::new(&edges, files, (memory, task), &self.context())?;
        self.say_as_a_whole(&name, &graph.visited);
        let held = DiskGraph {
            session: self.clone(),
            runner: runner.clone(),
            name,
            graph,
            decision,
            scratch: predicted.scratch,
            last: Mutex::default(),
            vertices: OnceLock::new(),
        };
        Ok(Some(PreparedGraph::on_disk(self.clone(), held, runner)))
    }

    /// Refuses a source that memory does not hold, for a task that is done there alone.
    pub(super) fn check_memory(
        &self,
        source: &read::Source,
        reading: &read::Options,
        task: Task,
    ) -> Result<()> {
        let decided = self.decided_out_of_core(source, reading, task)?;
        decided.map_or(Ok(()), |decision| {
            let reasons = decision.rejected.iter().flat_map(|rejected| &rejected.because);
            let reasons: Vec<String> = reasons.map(ToString::to_string).collect();
            let (what, reasons) = (task.name(), reasons.join("; "));
            let message = format!(
                "{what} are found in memory alone, where the graph does not fit: {reasons}"
            );
            Err(self.needs_memory(source.name().display().to_string(), message))
        })
    }

    /// What is said of work that needs more memory than there is, or than was allowed.
    fn needs_memory(&self, file: String, message: String) -> Error {
        let message = Message::from(message);
        let message = match self.0.options.memory {
            Some(_) => message.with_hint(Hint::MoreMemory),
            None => message,
        };
        Error::Input { file, message }
    }
}

impl DiskGraph {
    /// What the last task took.
    pub fn last(&self) -> Option<LastTask> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets the session's device find something in a number of parts, or the CPU where there is none, and where it fails and was
    /// left open.
    fn find<T>(
        &self,
        task: Task,
        mut find: impl FnMut(Option<&dyn PartsOnDevice>) -> Result<(T, u64)>,
    ) -> Result<T> {
        let may_fall_back =
            |error: &Error| self.session.falls_back(&self.runner, &self.name, error);
        let device = self.runner.engine.parts();
        let counter = Counter { device, may_fall_back: &may_fall_back };
        let ((found, parts), is_device) =
            counter.find(|device| Ok((find(device)?, device.is_some())))?;
        self.keep(task, parts, is_device);
        Ok(found)
    }

    fn keep(&self, task: Task, parts: u64, is_device: bool) {
        let took = OutOfCore { scratch: self.scratch.clone(), ..self.graph.took(task, parts) };
        let ran_on = ran_on_parts(&self.runner, is_device);
        let last = Some(LastTask { took, ran_on });
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    /// All vertices, isolated ones included; 0 before the triangles at vertices were found.
    pub fn vertices(&self) -> u64 {
        self.vertices.get().copied().unwrap_or(0)
    }

    /// Refuses what names vertices, where their names were not kept.
    ///
    /// # Errors
    /// [`Error::Input`] where vertices have names, which are not kept as a file is read in pieces.
    pub fn check_named(&self) -> Result<()> {
        match self.graph.ids() {
            Some(_) => Ok(()),
            None => {
                let message = "vertices have names, which are not kept out of core: the graph has to fit the memory, or \
                               its vertices have to be numbers";
                Err(Error::Input { file: self.name.clone(), message: message.into() })
            }
        }
    }

    /// Hands all edges to `take`: their vertices, the smaller first, and the triangles on each. Disk: 20 bytes an edge.
    /// `take` keeps `beside` bytes for each vertex.
    pub fn each_edge(
        &self,
        beside: u64,
        context: &Context,
        take: &mut TakeEdges<'_>,
    ) -> Result<()> {
        self.find(Task::OnEdges, |device| {
            Ok(((), self.graph.support(device, beside, context, &mut *take)?))
        })
    }

    /// Hands all triangles to `take`, on the CPU.
    pub fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<()> {
        let parts = self.graph.list(context, take)?;
        self.keep(Task::List, parts, false);
        Ok(())
    }
}

impl ResidentGraph for DiskGraph {
    fn summary(&self) -> Summary {
        self.graph.summary
    }

    fn times(&self) -> PhaseTimes {
        let EngineSeconds { orient, clean, .. } = self.graph.seconds;
        let [orient, clean] = [orient, clean].map(Duration::from_secs_f64);
        PhaseTimes { orient, clean }
    }

    fn decisions(&self) -> Vec<Decision> {
        vec![self.decision.clone()]
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        let message = "this is found in memory alone, where the graph does not fit";
        Err(self.session.needs_memory(self.name.clone(), message.into()))
    }

    fn count(&self, context: &Context) -> Result<EngineCount> {
        let start = Instant::now();
        context.phase(Phase::Count);
        let triangles = self.find(Task::Count, |device| self.graph.count(device, context))?;
        let seconds = EngineSeconds { count: start.elapsed().as_secs_f64(), ..self.graph.seconds };
        Ok(EngineCount { triangles, summary: self.summary(), seconds, ..EngineCount::default() })
    }

    /// The numbers of all edges are not in memory at a time.
    fn support(&self, _: &Context) -> Result<Vec<u32>> {
        self.host().map(|_| Vec::new())
    }

    fn local(&self, context: &Context) -> Result<Local> {
        let (local, vertices) = self.find(Task::AtVertices, |device| {
            let (local, vertices, parts) = self.graph.local(device, context)?;
            Ok(((local, vertices), parts))
        })?;
        self.vertices.get_or_init(|| vertices);
        Ok(local)
    }
}
