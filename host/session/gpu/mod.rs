//! Every engine of a device that runs kernels, and the graphs that it holds.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `accelerator` | what a device does besides running kernels |
//! | `prepare` | from entries to a graph on the device, or in host memory |
//! | `count` | a count of a graph on the device |
//! | `in_parts` | what is found with a part of the rows on the device at a time |
//! | `resident` | a graph that stays on the device, or on each of several |
//! | `support`, `peel`, `similar` | supports, trusses and cores, and the formulas of similar pairs, of a graph that stays |
//! | `predicted_memory` | bytes that work is predicted to take |

mod accelerator;
mod count;
mod in_parts;
mod peel;
mod predicted_memory;
mod prepare;
mod resident;
mod similar;
mod support;

use std::sync::Arc;

use warpwise_device::launch::Device;

pub use accelerator::Accelerator;
pub(super) use count::count_narrow;
pub(super) use predicted_memory::beside_graph;
pub use predicted_memory::{first_decisions, memory_of_phases};
pub use prepare::{PreparedPlace, TooLarge};
pub(super) use resident::{GpuGraph, OtherDevices};

use crate::count::EngineChoice;
use crate::plan::{Chosen, Reason};
use crate::{Error, Result};
use tribin_gpu::device::driver::Driver;
use tribin_gpu::device_graph::DeviceGraph;

/// A device, the thread that drives it, and what it may use.
pub struct DrivenDevice<D: Accelerator> {
    pub driver: Arc<Driver<D>>,
    pub label: String,
    pub name: String,
    pub memory_limit: Option<u64>,
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Takes a device into use; host work of its jobs runs on `threads` threads.
    pub fn start(device: D, memory_limit: Option<u64>, threads: usize) -> Result<Arc<Self>> {
        let (label, name) = (device.label(), device.name());
        let driver = Arc::new(Driver::start(device, threads)?);
        Ok(Arc::new(DrivenDevice { driver, label, name, memory_limit }))
    }

    /// Bytes that may be used beside `held` bytes that are in use for the same graph.
    pub fn free_beside(&self, device: &D, held: u64) -> Result<u64> {
        let free = device.free_memory()?;
        Ok(self.memory_limit.map_or(free, |limit| free.min(limit.saturating_sub(held))))
    }

    pub fn too_large(&self, needed: u64, free: u64) -> Error {
        Error::DeviceMemory { needed, free, device: self.name.clone() }
    }

    /// Checks that these bytes are free beside a graph. Those that are free beside both.
    pub fn fits(&self, device: &D, graph: &DeviceGraph<D>, needed: u64) -> Result<u64> {
        let held = held_bytes(graph);
        let free = self.free_beside(device, held)?;
        free.checked_sub(needed).ok_or_else(|| self.too_large(held + needed, held + free))
    }
}

/// The method that a choice means on a GPU, as `--engine` takes it.
pub(super) fn method_name(engine: EngineChoice) -> &'static str {
    match engine {
        EngineChoice::Auto => EngineChoice::Hybrid.name(),
        other => other.name(),
    }
}

/// Bytes that a graph takes on its device.
pub(super) fn held_bytes<D: Device>(graph: &DeviceGraph<D>) -> u64 {
    4 * (graph.tails.len()
        + graph.heads.len()
        + graph.rows.len()
        + graph.degree_of_rank.len()
        + graph.vertex_of_rank.len())
}

/// Says what was chosen, and why: `doing` has the subject, and `figures` what was looked at.
fn report_choice<T>(label: &str, doing: &str, chosen: &Chosen<T>) {
    let rejected = chosen.rejected.iter().map(|rejected| {
        let because: Vec<String> = rejected.because.iter().map(Reason::to_string).collect();
        format!("; not {}: {}", rejected.name, because.join(", "))
    });
    let text = format!(
        "{label}: {doing} {}, {} bytes of device memory{}",
        chosen.name,
        chosen.bytes,
        rejected.collect::<String>()
    );
    match chosen.bytes {
        // The CPU alone takes none.
        0 => tracing::warn!("{text}"),
        _ => tracing::info!("{text}"),
    }
}
