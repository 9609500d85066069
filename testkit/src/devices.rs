//! Which devices the tests of kernels run on: `WARPWISE_TEST_DEVICES`, one of `all` (the default),
//! `emulator` and `gpu`.

use tribin_base::Work;
use tribin_gpu::device::cuda::kernels;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::counting::{CountingSettings, GroupSettings};
use tribin_gpu::prepare::{OnDevice, prepare};
use tribin_graph::Graph;
use warpwise_cuda::{Gpu, Options};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Device};
pub use warpwise_harness::devices::{emulator, emulator_wanted, without_gpu};

use crate::skip;

/// The GPU to run on, where compute-sanitizer sees every buffer, or why there is none.
///
/// # Panics
/// If only the GPU was asked for and cannot be used, if there is one that the kernels are for and it
/// does not take them (a defect, and no reason to skip), or if the variable holds none of its values.
pub fn open_gpu() -> Result<Gpu, String> {
    let options = || Options::default().separate_buffers();
    warpwise_harness::devices::open_with(|| Gpu::open_with(0, kernels(), options()))
}

/// The GPU to run on; without one the test is skipped.
///
/// # Panics
/// As [`open_gpu`].
pub fn gpu() -> Option<Gpu> {
    open_gpu().map_err(|reason| skip::whole(without_gpu(&reason))).ok()
}

/// The emulator with this seed; where tests run on a GPU alone, the test is skipped.
pub fn emulated(seed: u64) -> Option<Emulator> {
    emulator().then(|| Emulator::with(Config::seeded(seed)))
}

/// Entries as a device has them: two vertices a word.
pub fn entries_on<D: Device>(device: &D, entries: &[[u32; 2]]) -> Result<Buffer<u64, D>, D::Error> {
    let mut words = Buffer::uninitialized(device, entries.len() as u64)?;
    words.upload_bytes(device, 0, bytemuck::cast_slice(entries))?;
    Ok(words)
}

/// A graph that a device prepares for a task.
pub fn prepared<D: Device>(device: &D, graph: &Graph, task: Task) -> Result<OnDevice<D>, D::Error> {
    prepare(device, graph, task, &Work::new())
}

/// Settings by which edges are brought into groups where enough can have one, whatever the sample says; and that are as these where they
/// have none.
pub fn in_groups(settings: &CountingSettings) -> CountingSettings {
    let always = |groups| GroupSettings {
        min_wedges: 0,
        more_wedges: 0,
        high_max_permille: u32::MAX,
        segments_permille: 1_000,
        small_edges: 0,
        ..groups
    };
    let groups = settings.groups.map(always);
    CountingSettings { matrix: None, tables: None, groups, ..*settings }
}
