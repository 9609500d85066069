//! GPUs that are in use together, and what joins them to one another.

use std::sync::Arc;

use super::gpu::{Accelerator, DrivenDevice, count_narrow, held_bytes};
use super::team::TeamDecision;
use crate::control::{Context, Phase};
use crate::count::CountOptions;
use crate::plan::memory::MAX_ENTRIES;
use crate::plan::team::TeamFacts;
use crate::plan::{Decision, Explanation, StepPrediction, time};
use crate::{Error, Message, Result, hint};
use tribin_gpu::device::driver::Driver;
use tribin_gpu::device::team::{Failed, Team};
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::methods::MethodCount;
use tribin_gpu::prepare::parts::{PartsStopped, PreparedInParts};

/// The question that a choice of GPUs answers.
pub(super) const HOW_MANY: &str = "GPUs";

/// What GPUs take from one another, as a step.
const MOVE: &str = "move";

/// GPUs, in use.
pub(super) struct Members<D: Accelerator> {
    gpus: Vec<Arc<DrivenDevice<D>>>,
    coordinator: Driver<PeerCopies<D>>,
}

impl<D: Accelerator> Members<D> {
    /// Joins these GPUs to one team.
    pub fn join(gpus: Vec<Arc<DrivenDevice<D>>>) -> Result<Members<D>> {
        for own in &gpus {
            for other in gpus.iter().filter(|other| !Arc::ptr_eq(own, other)) {
                if !own.driver.device().let_read(other.driver.device())? {
                    let (own, other) = (&own.label, &other.label);
                    tracing::info!("copies from {own} to {other} go through the host's memory");
                }
            }
        }
        let team = Team::of(gpus.iter().map(|gpu| gpu.driver.clone()).collect());
        let coordinator = Driver::start(PeerCopies::new(team), 1)?;
        Ok(Members { gpus, coordinator })
    }

    /// The GPUs.
    pub fn gpus(&self) -> &[Arc<DrivenDevice<D>>] {
        &self.gpus
    }

    /// Runs something on all GPUs, after what was asked for before.
    pub fn run<R: Send>(&self, job: impl FnOnce(&PeerCopies<D>) -> R + Send) -> R {
        self.coordinator.run(job)
    }

    /// Does something on every GPU. An error has the name of the GPU that reports it.
    pub fn each<R: Send>(
        &self,
        exchange: &PeerCopies<D>,
        job: impl Fn(usize, &D) -> Result<R> + Send + Sync,
    ) -> Result<Vec<R>> {
        let done = exchange.team().each(|number, device| Ok(job(number, device)));
        let done = done.map_err(|failed| self.named(failed))?.into_iter().enumerate();
        done.map(|(number, done)| done.map_err(|error| self.name_error(number, error))).collect()
    }

    /// The error of a device, with the device's name.
    pub fn named(&self, Failed { device, error }: Failed<D::Error>) -> Error {
        self.name_error(device, error.into())
    }

    fn name_error(&self, device: usize, error: Error) -> Error {
        let member = &self.gpus[device];
        let label = &member.label;
        match error {
            Error::DeviceMemory { needed, free, .. } => {
                Error::DeviceMemory { needed, free, device: format!("{label}, {}", member.name) }
            }
            Error::Device(message) => {
                let hint = Error::Device(message);
                Error::Device(Message::from(format!("{label}: {hint}")).with_source(hint))
            }
            other => other,
        }
    }

    /// The error of a preparation that was stopped, with the name of the device that failed.
    pub fn stopped(&self, stopped: PartsStopped<D::Error>, name: &str) -> Error {
        let refused = |message: String| Error::Input {
            file: name.to_owned(),
            message: Message::from(message).with_hint(hint::CPU),
        };
        match stopped {
            PartsStopped::Failed(failed) => self.named(failed),
            PartsStopped::Cancelled => Error::Cancelled,
            PartsStopped::TooManyKeys { keys } => refused(format!(
                "one part of the graph has {keys} entries, more than the {MAX_ENTRIES} that a GPU sorts"
            )),
            PartsStopped::TooManyEdges { edges } => refused(format!(
                "{edges} edges are more than the {MAX_ENTRIES} that GPUs find results of together"
            )),
        }
    }

    /// The label of the GPUs, and their common name.
    pub fn ran_on(&self, label: String) -> [String; 2] {
        [label, together(self.gpus.iter().map(|member| &*member.name))]
    }

    /// The fewest bytes that are free on a GPU beside what a graph takes there.
    pub fn free_beside(&self, exchange: &PeerCopies<D>, held: u64) -> Result<u64> {
        let free = self.each(exchange, |own, device| self.gpus[own].free_beside(device, held))?;
        Ok(free.into_iter().fold(u64::MAX, u64::min))
    }

    /// The most bytes that were in use on a GPU since the last call. What comes takes at most `expected` bytes of each.
    fn peak(&self, exchange: &PeerCopies<D>, expected: Option<u64>) -> Result<Option<u64>> {
        let peaks = self.each(exchange, |_, device| {
            expected.into_iter().for_each(|bytes| device.expect_bytes(bytes));
            device.take_peak_memory()
        })?;
        Ok(peaks.into_iter().fold(None, Option::max))
    }

    /// Begins to prepare a graph on all GPUs.
    pub fn begin(
        &self,
        exchange: &PeerCopies<D>,
        crew: &TeamDecision,
        context: &Context,
    ) -> Result<()> {
        context.cancel().check()?;
        context.phase(Phase::Count);
        self.peak(exchange, Some(crew.facts.memory().peak())).map(drop)
    }

    /// Counts a graph that is on all GPUs, each its share, and says how many bytes were in use at most since the last graph was begun.
    pub fn count(
        &self,
        exchange: &PeerCopies<D>,
        graphs: &[&DeviceGraph<D>],
        options: &CountOptions,
    ) -> Result<(MethodCount, Explanation)> {
        let free = self.free_beside(exchange, held_bytes(graphs[0]))?;
        // One figure of free memory, so that all decide alike.
        let counted = self.each(exchange, |number, device| {
            let explains = options.explain && number == 0;
            count_narrow(device, graphs[number], (options.engine, explains), free)
        })?;
        let (counted, mut explanation) = sum(exchange, counted);
        explanation.peak_bytes = self.peak(exchange, None)?;
        Ok((counted, explanation))
    }
}

/// The sum of what the GPUs counted, and the time of the slowest. The first one's explanation is kept.
fn sum<D: Accelerator>(
    exchange: &PeerCopies<D>,
    counted: Vec<(MethodCount, Explanation)>,
) -> (MethodCount, Explanation) {
    let triangles = counted.iter().map(|(counted, _)| counted.triangles).sum();
    let slowest = |seconds: fn(&MethodCount) -> f64| {
        counted.iter().map(|(counted, _)| seconds(counted)).fold(0.0, f64::max)
    };
    let (build, count) = (slowest(|counted| counted.build), slowest(|counted| counted.count));
    let mut explanation =
        counted.into_iter().next().map(|(_, explained)| explained).unwrap_or_default();
    for step in &mut explanation.steps {
        // Each GPU counts its share, and the slowest is waited for.
        step.seconds = if step.step == "count" { count } else { build };
        if step.step == "count" {
            step.predicted_seconds /= exchange.devices() as f64;
        }
    }
    (MethodCount { triangles, build, count }, explanation)
}

/// The decisions and steps of a preparation, and the bytes that each GPU is predicted to keep.
pub(super) fn explain(
    crew: Decision,
    prepared: &PreparedInParts,
    facts: &TeamFacts,
) -> (Explanation, u64) {
    let mut decisions = vec![crew];
    decisions.extend(prepared.decisions.iter().cloned());
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let TeamFacts { entries, vertices, devices, kept, .. } = *facts;
    let (share, plan) = (entries.div_ceil(u64::from(devices)), facts.memory());
    let seconds = &prepared.seconds;
    for (phase, predicted, bytes, took) in [
        (Phase::Upload, time::upload(8 * share), plan.upload, seconds.upload),
        (Phase::Orient, time::orient(share), plan.orient, seconds.orient),
        (Phase::Clean, time::clean(share), plan.clean, seconds.clean),
    ] {
        explanation.step(phase.name(), StepPrediction::on_device(predicted, bytes + kept), took);
    }
    let moved = time::exchange(entries, vertices, devices);
    explanation.step(MOVE, StepPrediction::on_device(moved, plan.clean + kept), prepared.exchange);
    explanation.exchanged_bytes = Some(prepared.exchanged);
    (explanation, plan.count + kept)
}

/// The names of several devices, those that are alike together.
fn together<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match kinds.iter_mut().find(|(kind, _)| *kind == name) {
            Some((_, number)) => *number += 1,
            None => kinds.push((name, 1)),
        }
    }
    let kind = |&(name, number): &(&str, usize)| match number {
        1 => name.to_owned(),
        _ => format!("{number} × {name}"),
    };
    kinds.iter().map(kind).collect::<Vec<_>>().join(", ")
}
