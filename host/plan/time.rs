//! How long a step takes: a few rates, for predictions that are printed. The choices of the device, of the number of GPUs and of
//! a matrix of all ranks (`counting/matrix.rs`) go by them as well. Tables of rows (`counting/tables.rs`) and the order of the
//! vertices (`preparation/order.rs`) are chosen by predictions of their own, which stand there.
//!
//! The rates of a GPU were read off `docs/benchmarks/gpu.json` (NVIDIA H200, driver's copy of page-locked memory
//! at 55 GB/s, 16 host threads); those of a CPU are a thread's, off docs/measured.md. Other machines are some
//! factor away; the report has what a step really took beside each prediction.

#[cfg(feature = "gpu")]
use super::facts::Sample;
#[cfg(feature = "gpu")]
use crate::methods::Rates;

/// Seconds that any step of a GPU takes at least: launches, and waiting for them.
const GPU_STEP: f64 = 1e-4;

/// Bytes a second from ordinary host memory to a GPU.
const UPLOAD: f64 = 4.0e10;

/// Seconds an entry that goes to a GPU with fewer bits an id, with its degrees. (64 to 67 M entries of ids of 22 bits: 8.6 to 9.8 ms on
/// an H200.)
const UPLOAD_ENTRY: f64 = 1.45e-10;

/// Seconds an entry: ranks and keys, on a GPU.
const GPU_ORIENT: f64 = 1.9e-11;

/// Seconds an entry: sort and rows, on a GPU.
const GPU_CLEAN: f64 = 6.3e-11;

/// Seconds an entry that the host takes where a GPU sorts in passes: memory for keys and rows is written for the first time.
const HOST_PASSES: f64 = 1.0e-9;

/// Bytes a second from one GPU to another, over NVLink. (Two H200: 396 GB/s.)
const LINK: f64 = 3.5e11;

/// Seconds that a step of several GPUs takes at least: handing it over, and waiting for the last.
const TEAM_STEP: f64 = 2e-4;

/// Steps of a preparation by several GPUs.
const TEAM_STEPS: f64 = 14.0;

/// Seconds an edge, whatever the method: its ends and rows are read, on a GPU.
const GPU_EDGE: f64 = 5.0e-12;

/// Thread-seconds an entry: all of the preparation on a CPU, of graphs of any size. (The choice of the device has rates of its own,
/// which grow with the graph: `device.rs`.)
const CPU_PREPARE: f64 = 8.0e-8;

/// Thread-seconds an edge: the row of its head is brought from memory, on a CPU.
const CPU_EDGE: f64 = 6.0e-8;

/// Thread-seconds a wedge of the oriented graph, on a CPU.
const CPU_WEDGE: f64 = 8.0e-10;

/// Seconds to copy these bytes to a GPU.
pub fn upload(bytes: u64) -> f64 {
    GPU_STEP + bytes as f64 / UPLOAD
}

/// Seconds to bring these entries to a GPU.
pub fn upload_entries(entries: u64) -> f64 {
    GPU_STEP + entries as f64 * UPLOAD_ENTRY
}

/// Seconds to rank the vertices and turn entries into keys on a GPU.
pub fn orient(entries: u64) -> f64 {
    GPU_STEP + entries as f64 * GPU_ORIENT
}

/// Seconds to sort keys and lay out rows on a GPU.
pub fn clean(entries: u64) -> f64 {
    GPU_STEP + entries as f64 * GPU_CLEAN
}

/// Seconds that several GPUs take for what they take from each other: the keys, the rows, and figures by vertex.
pub fn exchange(entries: u64, vertices: u64, devices: u32) -> f64 {
    let others = f64::from(devices.max(1) - 1) / f64::from(devices.max(1));
    let keys = 8.0 * entries as f64 / f64::from(devices.max(1));
    // Degrees, lengths, and what duplicates take off: each is summed and then brought to all.
    let by_vertex = 3.0 * 8.0 * vertices as f64;
    let steps = if devices > 1 { TEAM_STEPS * TEAM_STEP } else { 0.0 };
    steps + others * (keys + 4.0 * entries as f64 + by_vertex) / LINK
}

/// Seconds to prepare a graph on several GPUs.
pub fn prepare_together(entries: u64, vertices: u64, devices: u32) -> f64 {
    let share = entries.div_ceil(devices.max(1).into());
    upload_entries(share) + orient(share) + clean(share) + exchange(entries, vertices, devices)
}

/// Seconds to prepare a graph on a GPU in passes, of which `edges` edges are left. The entries go there twice, and as keys
/// there and back once, and the edges come back.
pub fn prepare_in_passes(entries: u64, edges: u64) -> f64 {
    let copied = upload(8 * entries.saturating_mul(2)) + upload(4 * edges);
    2.0 * upload_entries(entries)
        + copied
        + entries as f64 * HOST_PASSES
        + orient(entries)
        + 2.0 * clean(entries)
}

/// Seconds to prepare a graph on this many CPU threads.
pub fn prepare_on_cpu(entries: u64, threads: usize) -> f64 {
    entries as f64 * CPU_PREPARE / threads.max(1) as f64
}

/// Seconds to count an oriented graph of this many edges and wedges on this many CPU threads.
pub fn count_on_cpu(edges: u64, wedges: u64, threads: usize) -> f64 {
    (edges as f64 * CPU_EDGE + wedges as f64 * CPU_WEDGE) / threads.max(1) as f64
}

/// Seconds to copy these bytes to a GPU in parts, and to merge what they have there at these rates.
#[cfg(feature = "gpu")]
pub fn in_parts(bytes: u64, (edges, wedges): (u64, u64), rates: Rates) -> f64 {
    upload(bytes) + wedges as f64 * rates.count + edges as f64 * GPU_EDGE
}

/// Seconds to sample and to build what a method needs, and seconds to count, on a GPU.
#[cfg(feature = "gpu")]
pub fn counting(sample: &Sample, rates: Rates) -> (f64, f64) {
    let (edges, wedges) = (sample.edges as f64, sample.wedges as f64);
    (GPU_STEP + edges * rates.build, GPU_STEP + wedges * rates.count + edges * GPU_EDGE)
}
