//! Whether a graph is counted in memory or out of core, and the latter.

use std::path::PathBuf;

use super::input::InputEdges;
use super::runner::{GraphSize, Runner};
use super::{Input, Session, on_disk};
use crate::control::memory::available;
use crate::count::RanOn;
use crate::plan::{
    self, Decision, HostMemory, OutOfCore, OutOfCoreFacts, Residence, ScratchPlace, Task, on_host,
    residence, scratch_place,
};
use crate::read::{self, Foretold};
use crate::{Error, Message, Result};
use tribin_out_of_core::disk;

/// What a count that is not in memory goes by.
pub(super) struct OutOfCoreWork {
    /// What finds the triangles.
    pub runner: Runner,
    pub decision: Decision,
    /// How large the graph is.
    pub size: Foretold,
    /// Bytes of memory that it may take.
    pub memory: u64,
    /// What the work is predicted to take.
    pub predicted: OutOfCore,
}

/// The question of where the edges of a graph are.
const WHERE: &str = "where the edges are";

/// A graph that may not fit the memory.
pub(super) struct LargeGraph {
    size: Foretold,
    /// Bytes of memory that may be used.
    limit: u64,
    /// Bytes of these that the source itself takes, at most all.
    kept: u64,
    /// Bytes that the graph may take in memory.
    in_memory: u64,
}

/// Bytes of memory for each byte of a file that no file takes, compressed or not.
const MOST_FACTOR: u64 = 64;

impl Session {
    /// Whether an input takes more memory than it may, what would find the triangles then, and why, whatever it would take out of
    /// core.
    pub(super) fn decided_out_of_core(
        &self,
        input: &Input,
        task: Task,
    ) -> Result<Option<(LargeGraph, Runner, plan::Chosen<Residence>)>> {
        let Some(large) = self.large_graph(input)? else { return Ok(None) };
        let device = &self.0.resources.device;
        let is_asked = self.0.options.memory.is_some();
        let threads = self.threads();
        let Foretold { entries, is_numbered, error, .. } = large.size;
        let vertices = large.size.likely_vertices();
        let residence = |is_on_cpu| {
            let mut in_memory = match is_on_cpu {
                true => on_host(entries, vertices, is_numbered, threads),
                // The entries alone: the GPU does the rest.
                false => HostMemory::of_entries(entries, is_numbered),
            };
            if matches!(task, Task::OnEdges | Task::Trusses) {
                in_memory = in_memory.with_numbered_edges(entries, vertices);
            }
            if is_on_cpu && task == Task::Trusses {
                in_memory = in_memory.or_at_most(plan::bytes_to_peel(entries, vertices));
            }
            residence(in_memory.widened(error), large.in_memory, is_asked)
        };
        // A GPU is not waited for where memory holds what either device takes.
        if device.known().is_none() && residence(true).choice == Residence::InMemory {
            return Ok(None);
        }
        let runner = device.runner(GraphSize::in_memory(entries, vertices), task)?;
        let chosen = residence(runner.is_cpu());
        if chosen.choice == Residence::InMemory || !self.is_possible(&runner) {
            return Ok(None);
        }
        Ok(Some((large, runner, chosen)))
    }

    /// The size of an input that may take more than the limit of memory; `None` for what surely does not, what is in memory without
    /// a limit, and what cannot be told. Large files are sampled; small ones are not even opened.
    fn large_graph(&self, input: &Input) -> Result<Option<LargeGraph>> {
        let device = &self.0.resources.device;
        let asked = self.0.options.memory;
        let Some(limit) = asked.or_else(available) else { return Ok(None) };
        match &input.edges {
            InputEdges::Files { source, reading } => {
                // A pipe can be read once: nothing is known of it before.
                let Some(bytes) = source.bytes() else { return Ok(None) };
                if bytes.saturating_mul(MOST_FACTOR) <= limit {
                    return Ok(None);
                }
                // What is possible on a device that is known is clear before the file is sampled.
                if device.known().is_some_and(|known| !self.is_possible(known)) {
                    return Ok(None);
                }
                let size = foretold(source, reading)?;
                Ok(size.map(|size| LargeGraph { size, limit, kept: 0, in_memory: limit }))
            }
            InputEdges::Blocks { blocks, .. } => {
                let GraphSize { entries, vertices, .. } = GraphSize::of_blocks(*blocks);
                let size = Foretold::estimated(entries, Some(vertices));
                // What a model keeps itself: an id for each vertex.
                let kept = vertices.saturating_mul(4).min(limit);
                Ok(Some(LargeGraph { size, limit, kept, in_memory: limit - kept }))
            }
            InputEdges::Graph(graph) if asked.is_some() => {
                let GraphSize { entries, vertices, .. } = GraphSize::of(graph);
                let size = Foretold::declared(entries, Some(vertices));
                // Its entries are some of what is there at the peak.
                let kept = (8 * entries).min(limit);
                Ok(Some(LargeGraph { size, limit, kept, in_memory: limit }))
            }
            _ => Ok(None),
        }
    }

    /// How an input is worked on out of core for a task, if it is, and why.
    pub(super) fn out_of_core(&self, input: &Input, task: Task) -> Result<Option<OutOfCoreWork>> {
        let Some((large, runner, chosen)) = self.decided_out_of_core(input, task)? else {
            return Ok(None);
        };
        let LargeGraph { size, limit, kept, .. } = large;
        let mut decision = chosen.decision(WHERE);
        let refused = |message: Message| Error::Input { file: input.name(), message };
        if !task.is_found_out_of_core() {
            let reasons = decision.rejected.iter().flat_map(|rejected| &rejected.because);
            let reasons: Vec<String> = reasons.map(ToString::to_string).collect();
            let (what, reasons) = (task.name(), reasons.join("; "));
            let message = format!(
                "{what} are found in memory alone, where the graph does not fit: {reasons}"
            );
            return Err(self.needs_memory(input.name(), message));
        }
        if task == Task::Count && input.options.verify {
            let message =
                "the graph does not fit the memory, and only a graph in memory can be verified";
            return Err(refused(Message::from(message).with_hint(": leave `--verify` out")));
        }
        let has_names = size.reading.as_ref().is_some_and(|reading| reading.ids == "names");
        if has_names && task.tells_ids() {
            return Err(on_disk::no_names(input.name()));
        }
        // What is free now is not all for one program.
        let usable = |limit| if self.0.options.memory.is_some() { limit } else { limit / 4 * 3 };
        let memory = usable(limit - kept);
        let vertices = size.likely_vertices();
        let threads = self.threads();
        let entries = (size.entries as f64 * (1.0 + size.error)) as u64;
        let facts = OutOfCoreFacts { entries, vertices, memory, threads: threads as u64, task };
        let mut predicted = OutOfCore::predicted(&facts).map_err(|needed| {
            let needed = needed.saturating_add(kept);
            refused(tribin_out_of_core::too_little(needed, usable(limit)))
        })?;
        predicted.scratch = self.place(predicted.scratch_bytes).map_err(refused)?;
        decision.choice = format!("out of core: scratch files in {}", predicted.scratch.display());
        decision.because.push(predicted.reason(memory));
        Ok(Some(OutOfCoreWork { runner, decision, size, memory, predicted }))
    }

    /// Whether work on this device may go out of core.
    fn is_possible(&self, runner: &Runner) -> bool {
        let is_on_cpu = runner.is_cpu();
        let has_parts = runner.engine.parts().is_some();
        match self.0.options.engine {
            // An engine of the caller's own takes a graph in memory.
            Some(_) => has_parts && !is_on_cpu,
            None => has_parts || is_on_cpu || self.is_left_open(),
        }
    }

    /// Where scratch files of some bytes go.
    fn place(&self, needed: u64) -> Result<PathBuf, Message> {
        let place = |path: PathBuf| ScratchPlace {
            free: disk::free(&path),
            is_in_memory: disk::is_in_memory(&path),
            path,
        };
        let asked = self.0.options.scratch.clone().map(place);
        // A folder that the environment names and that is not there has no room.
        let system = [std::env::temp_dir(), "/var/tmp".into()].map(|path: PathBuf| {
            let is_there = path.is_dir();
            let place = place(path);
            if is_there { place } else { ScratchPlace { free: Some(0), ..place } }
        });
        scratch_place(asked, &system, needed)
    }
}

/// What found the triangles of a graph in scratch files: the device, or the CPU.
pub(super) fn ran_on_parts(runner: &Runner, is_device: bool) -> RanOn {
    match runner.engine.parts().filter(|_| is_device) {
        Some(parts) => {
            let [device, device_name] = parts.names();
            RanOn { device, device_name, on: runner.selection.on, ..Session::cpu() }
        }
        None => Session::cpu(),
    }
}

/// What a file's header or a sample of it tells of the size of its graph; `None` where that is nothing.
fn foretold(source: &read::Source, reading: &read::Options) -> Result<Option<Foretold>> {
    let of_head = read::inspect(source.clone(), reading)?.size;
    let told = declared_or_sampled(of_head.as_ref(), source, reading)?;
    Ok(told.or(of_head.map(|size| Foretold::estimated(size.entries, size.vertices))))
}

/// The size that a header says, if it has both numbers of a graph, else that of a sample.
pub(super) fn declared_or_sampled(
    of_head: Option<&Foretold>,
    source: &read::Source,
    reading: &read::Options,
) -> Result<Option<Foretold>> {
    match of_head {
        Some(size) if size.vertices.is_some() && !size.is_sampled => Ok(Some(size.clone())),
        _ => read::sample(source, reading),
    }
}
