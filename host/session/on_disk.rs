//! A prepared graph whose edges are in scratch files, because memory does not hold them.
//!
//! Its results are found with a part of the edges in memory at a time: in that of the session's GPU, or in the host's. The scratch
//! files are removed with it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::cpu::explain;
use super::out_of_core::{OutOfCoreWork, ran_on_parts};
use super::prepared::{GraphSource, Home, Vertices};
use super::resident::say_on_cpu;
use super::runner::Runner;
use super::{Input, PreparedGraph, ResidentGraph, Session};
use crate::analytics::Local;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, EngineSeconds, RanOn};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::{Decision, OutOfCore, Task};
use crate::results::TakeEdges;
use crate::{Error, Message, Result, VertexIds, hint};
use tribin_out_of_core::{OnDisk, Scratch};
use tribin_parts::PartsOnDevice;

/// A graph in scratch files, and what finds the triangles.
pub(super) struct DiskGraph {
    session: Session,
    runner: Runner,
    pub name: String,
    pub graph: OnDisk,
    /// Where the edges are, and why.
    pub decision: Decision,
    /// Bytes of memory that work may take.
    memory: u64,
    scratch: PathBuf,
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
        input: &Input,
        task: Task,
    ) -> Result<Option<PreparedGraph>> {
        let Some(chosen) = self.out_of_core(input, task)? else { return Ok(None) };
        // Whoever prepares a graph may ask for more than a count.
        let task = if task == Task::Count { Task::List } else { task };
        self.prepared_on_disk(input, chosen, task).map(Some)
    }

    /// Reads an input into scratch files for a task. After a count nothing else can be found.
    pub(super) fn prepared_on_disk(
        &self,
        input: &Input,
        chosen: OutOfCoreWork,
        task: Task,
    ) -> Result<PreparedGraph> {
        let name = input.name();
        let edges = input.source(&name, &self.0.options.cancel);
        let OutOfCoreWork { runner, decision, memory, predicted, .. } = chosen;
        self.0.options.cancel.check()?;
        if self.0.options.scratch.is_none() {
            tracing::warn!(
                "{name}: too large for {memory} bytes of memory: about {} bytes of scratch files go to {}",
                predicted.scratch_bytes,
                predicted.scratch.display()
            );
        }
        self.phase(Phase::Read);
        let files = Scratch::new(&predicted.scratch)?;
        let graph = OnDisk::new(&*edges, files, (memory, task), &self.context())?;
        drop(edges);
        if graph.visited.as_a_whole {
            tracing::warn!(
                "{name}: files of this kind are read as a whole: its edges were in memory meanwhile"
            );
        }
        let bound = graph.vertex_bound() as u32;
        let source = GraphSource {
            ids: graph.ids().cloned().unwrap_or(VertexIds::Identity { bound }),
            name: name.clone(),
            reading: graph.visited.reading.clone(),
            // The scratch files know these.
            vertices: Vertices::Named(Vec::new()),
            copied: None,
            read: graph.read,
        };
        let (scratch, session, by) = (predicted.scratch, self.clone(), runner.clone());
        let on_disk = DiskGraph { session, runner: by, name, graph, decision, memory, scratch };
        let on_disk = Arc::new(on_disk);
        let home = Home { held: on_disk.clone(), runner };
        let mut prepared = PreparedGraph::new(self.clone(), home, source);
        prepared.on_disk = Some(on_disk);
        Ok(prepared)
    }

    /// What is said of work that needs more memory than there is, or than was allowed.
    pub(super) fn needs_memory(&self, file: String, message: String) -> Error {
        let message = Message::from(message);
        let message = match self.0.options.memory {
            Some(_) => message.with_hint(hint::MORE_MEMORY),
            None => message,
        };
        Error::Input { file, message }
    }
}

/// What is said of a file whose vertices have names, where these are not kept.
pub(super) fn no_names(file: String) -> Error {
    let message = "vertices have names, which are not kept out of core: the graph has to fit the memory, or its \
                   vertices have to be numbers";
    Error::Input { file, message: message.into() }
}

impl DiskGraph {
    /// What the last task took.
    pub fn last(&self) -> Option<LastTask> {
        let (took, told) = self.graph.last()?;
        let took = OutOfCore { scratch: self.scratch.clone(), ..took };
        Some(LastTask { took, ran_on: ran_on_parts(&self.runner, told.decision.is_some()) })
    }

    /// Lets the session's device find something in a number of parts, or the CPU where there is none, and where it fails and was
    /// left open.
    pub fn in_parts<T>(
        &self,
        mut find: impl FnMut(Option<&dyn PartsOnDevice>) -> Result<T>,
    ) -> Result<T> {
        let device = self.runner.engine.parts();
        match find(device) {
            Err(error)
                if device.is_some()
                    && self.session.falls_back(&self.runner, &self.name, &error) =>
            {
                find(None)
            }
            found => found,
        }
    }

    /// The graph for the CPU, because no device does this in parts: cliques, or triangles by direction.
    pub fn on_cpu(&self, task: Task) -> &OnDisk {
        let is_directed = task == Task::ByDirection;
        let what = if is_directed { "finds triangles by direction" } else { "finds cliques" };
        if let Some(device) = self.runner.engine.parts() {
            say_on_cpu(device, what, "memory does not hold the graph");
        }
        &self.graph
    }

    /// Where the edges are, and why, with what the last task took.
    pub fn decision(&self) -> Decision {
        let mut decision = self.decision.clone();
        if let Some(last) = self.last() {
            // What was predicted is past.
            decision.because.pop();
            decision.because.push(last.took.reason(self.memory));
        }
        decision
    }

    /// Refuses what names vertices, where their names were not kept.
    ///
    /// # Errors
    /// [`Error::Input`] where vertices have names, which are not kept as a file is read in pieces.
    pub fn check_named(&self) -> Result<()> {
        match self.graph.ids() {
            Some(_) => Ok(()),
            None => Err(no_names(self.name.clone())),
        }
    }
}

impl ResidentGraph for DiskGraph {
    fn summary(&self) -> Summary {
        self.graph.summary
    }

    fn seconds(&self) -> EngineSeconds {
        self.graph.seconds
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        let message = "this is found in memory alone, where the graph does not fit";
        Err(self.session.needs_memory(self.name.clone(), message.into()))
    }

    fn count(&self, _: &CountOptions, context: &Context) -> Result<EngineCount> {
        let start = Instant::now();
        context.phase(Phase::Count);
        let found = self.in_parts(|device| self.graph.count(device, context))?;
        let count = start.elapsed().as_secs_f64();
        let seconds = EngineSeconds { count, ..self.graph.seconds };
        let (triangles, summary) = (found.triangles, self.summary());
        let explanation = explain(vec![self.decision()], &summary, &seconds, &found);
        Ok(EngineCount { triangles, summary, seconds, explanation, ..EngineCount::default() })
    }

    fn local(&self, context: &Context) -> Result<Local> {
        self.in_parts(|device| self.graph.local(device, context))
    }

    fn cores(&self, context: &Context) -> Result<Option<Vec<u32>>> {
        self.graph.core_numbers(0, context).map(Some)
    }

    fn degeneracy(&self, _: &Local, context: &Context) -> Result<Option<u32>> {
        // The degrees and triangles of the vertices are in memory meanwhile.
        let cores = self.graph.core_numbers(12, context)?;
        Ok(Some(cores.into_iter().max().unwrap_or(0)))
    }

    fn cliques(&self, k: u32, context: &Context) -> Result<Option<u128>> {
        Ok(Some(self.on_cpu(Task::Cliques).cliques(k, false, context)?.0))
    }

    /// On the CPU.
    fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<bool> {
        self.graph.list(context, take).map(|()| true)
    }
}
