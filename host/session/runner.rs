//! What a piece of work runs on, and the device of a session, which may be opened when it is first needed.
//!
//! Where the device was left open and there seems to be a GPU, nothing is opened before a graph is large enough
//! (`plan/device.rs`). A GPU that a command was asked for is opened whatever the graph. A GPU is opened once for all callers, on a
//! thread of its own while a file is read. Whoever started that
//! thread waits for its end: no process ends in the middle of the driver's start.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use super::cpu::OnCpu;
use super::engine::Engine;
use super::selection::{Fallback, Selection};
use crate::count::{On, RanOn};
use crate::plan::Reason;
use crate::plan::Task;
use crate::plan::device::{DeviceFacts, Readiness, Worker, worker};
use crate::read::Source;
use crate::{Error, Graph, Result};
use tribin_graph::EdgeBlocks;

/// The engine that a piece of work runs on, and why.
#[derive(Clone)]
pub(super) struct Runner {
    pub engine: Arc<dyn Engine>,
    pub selection: Selection,
    /// The reasons of the rule, where it was asked.
    pub because: Vec<Reason>,
    /// Why nothing can be done here: a device that was asked for cannot be used, and `engine` stands in its place.
    pub failed: Option<Arc<Error>>,
}

/// The size of a graph, as the rule takes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphSize {
    pub entries: u64,
    pub vertices: u64,
    /// Bytes that are still to be read.
    pub unread: u64,
    /// Whether the graph is prepared, in host memory.
    pub is_prepared: bool,
}

/// Bytes of an entry in a file, by what its name may have: a table of text (rmat18: 55.1 MB, 13.1 bytes) has none of these. With gzip
/// and with zstd it has 5.9 bytes.
const ENTRY_BYTES: [(u64, &[&str]); 3] = [
    (6, &[".gz", ".zst", ".bz2", ".xz", ".zip", ".tar", ".tgz", ".rar", ".parquet"]),
    (8, &[".bin", ".sg"]),
    (16, &[".npy"]),
];

impl GraphSize {
    /// The size of a graph of entries in memory. `vertices` is one more than the largest vertex.
    pub fn in_memory(entries: u64, vertices: u64) -> GraphSize {
        GraphSize { entries, vertices, unread: 0, is_prepared: false }
    }

    /// The size of a graph of blocks, which the first block tells: to count all entries may take as long as to make them.
    pub fn of_blocks(blocks: &dyn EdgeBlocks) -> GraphSize {
        let mut first = Vec::new();
        if blocks.blocks() > 0 {
            blocks.block(0, &mut first);
        }
        let entries = (first.len() as u64).saturating_mul(blocks.blocks());
        GraphSize::in_memory(entries, blocks.vertices())
    }

    /// The size of a graph whose entries are in memory.
    pub fn of(graph: &Graph) -> GraphSize {
        GraphSize::in_memory(graph.edges().len() as u64, graph.vertex_bound() as u64)
    }

    /// About the size of a graph that is not read yet: enough to begin to open a GPU, and no more. The first of several files
    /// stands for all. `None` for a pipe, and for what is not there: whoever reads it says so.
    pub fn by_name(source: &Source) -> Option<GraphSize> {
        let unread = source.bytes()?;
        let files = source.files().ok()?;
        let name = files.first()?.to_string_lossy().to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let bytes =
            ENTRY_BYTES.iter().find(|(_, parts)| has(parts)).map_or(13, |&(bytes, _)| bytes);
        Some(GraphSize { unread, ..GraphSize::in_memory(unread / bytes, 0) })
    }
}

impl Runner {
    /// An engine of this kind that is what was preferred.
    pub fn preferred(on: On, engine: Arc<dyn Engine>, reason: &str) -> Runner {
        let selection = Selection {
            engine: engine.name().to_owned(),
            device: engine.device(),
            device_name: engine.device_name(),
            on,
            reason: reason.to_owned(),
            fallback: Fallback::None,
        };
        Runner { engine, selection, because: Vec::new(), failed: None }
    }

    /// The CPU, for reasons of the rule.
    fn cpu(because: Vec<Reason>) -> Runner {
        let texts: Vec<String> = because.iter().map(ToString::to_string).collect();
        Runner { because, ..Runner::preferred(On::Cpu, Arc::new(OnCpu), &texts.join("; ")) }
    }

    /// The CPU, in place of a device that failed.
    pub fn instead(&self) -> Runner {
        let reason = format!("{} failed", self.selection.device);
        Runner::preferred(On::Cpu, Arc::new(OnCpu), &reason)
    }

    /// This runner, unless it cannot be used.
    pub fn usable(self) -> Result<Runner> {
        Err(match self.failed.as_deref() {
            None => return Ok(self),
            Some(Error::Device(message)) => Error::Device(message.again()),
            Some(Error::Usage(message)) => Error::Usage(message.again()),
            Some(Error::DeviceMemory { needed, free, device }) => {
                Error::DeviceMemory { needed: *needed, free: *free, device: device.clone() }
            }
            Some(other) => Error::Device(other.to_string().into()),
        })
    }

    /// Whether this is tribin's engine of the CPU.
    pub fn is_cpu(&self) -> bool {
        self.selection.on == On::Cpu
    }

    pub fn ran_on(&self) -> RanOn {
        let Selection { engine, device, device_name, on, .. } = self.selection.clone();
        RanOn { engine, device, device_name, on }
    }

    /// The reasons for the device.
    pub fn reasons(&self) -> Vec<Reason> {
        let is_said = self.is_cpu() && !self.because.is_empty();
        let preferred = (!is_said).then(|| Reason::new(true, self.selection.reason.clone()));
        preferred.into_iter().chain(self.because.iter().cloned()).collect()
    }
}

/// What opens the preferred device, and says what became of that. It runs once, on any thread, and uses no pool of rayon's.
pub(super) type OpenDevice = dyn Fn() -> Runner + Send + Sync;

/// The device of a session, which is opened when it is first needed.
pub(super) struct LazyDevice {
    preferred: OnceLock<Preferred>,
    open: Box<OpenDevice>,
    began: OnceLock<Instant>,
    /// Whether all is done on the preferred device.
    is_settled: AtomicBool,
    threads: usize,
}

struct Preferred {
    runner: Runner,
    took: Duration,
}

impl LazyDevice {
    /// One that is open, and does all.
    pub fn opened(runner: Runner) -> LazyDevice {
        let device = LazyDevice::closed(Box::new(move || runner.clone()), 1);
        device.settle();
        device.preferred();
        device
    }

    /// One that is opened when a graph is large enough.
    pub fn closed(open: Box<OpenDevice>, threads: usize) -> LazyDevice {
        let (preferred, began) = (OnceLock::new(), OnceLock::new());
        LazyDevice { preferred, open, began, is_settled: AtomicBool::new(false), threads }
    }

    /// The device that is preferred, which is opened now if it is not yet.
    pub fn preferred(&self) -> &Runner {
        let open = || {
            let start = *self.began.get_or_init(Instant::now);
            let runner = (self.open)();
            Preferred { runner, took: start.elapsed() }
        };
        &self.preferred.get_or_init(open).runner
    }

    /// The device that is preferred, if it is known already.
    pub fn known(&self) -> Option<&Runner> {
        self.preferred.get().map(|preferred| &preferred.runner)
    }

    /// Leaves all work to the preferred device, however small it is.
    pub fn settle(&self) {
        self.is_settled.store(true, Relaxed);
    }

    /// Whether all work is left to the preferred device, and that one is not open yet.
    pub fn is_awaited(&self) -> bool {
        self.known().is_none() && self.is_settled.load(Relaxed)
    }

    /// The time that opening the device took, if it was left for later.
    pub fn took(&self) -> Duration {
        self.preferred.get().map_or(Duration::ZERO, |preferred| preferred.took)
    }

    /// The facts that the rule goes by; `None` where there is nothing to choose.
    fn facts(&self, size: GraphSize, task: Task) -> Option<DeviceFacts> {
        let GraphSize { entries, vertices, unread, is_prepared } = size;
        let gpu = match (self.known(), self.began.get()) {
            _ if self.is_settled.load(Relaxed) => return None,
            (Some(known), _) if known.is_cpu() => return None,
            (Some(_), _) => Readiness::Open,
            (None, Some(began)) => Readiness::Opening(began.elapsed().as_secs_f64()),
            (None, None) => Readiness::Closed,
        };
        let threads = self.threads;
        Some(DeviceFacts { entries, vertices, unread, is_prepared, threads, gpu, task })
    }

    /// Whether the rule would take the GPU, which is opened or not. `None` where there is nothing to choose.
    pub fn would_take_gpu(&self, size: GraphSize, task: Task) -> Option<bool> {
        Some(worker(&self.facts(size, task)?).choice == Worker::Gpu)
    }

    /// The runner that works on a graph. The GPU is opened if it is the one.
    ///
    /// # Errors
    /// Why a device that was asked for cannot be used.
    pub fn runner(&self, size: GraphSize, task: Task) -> Result<Runner> {
        let Some(facts) = self.facts(size, task) else {
            return self.preferred().clone().usable();
        };
        let chosen = worker(&facts);
        Ok(match chosen.choice {
            Worker::Cpu => Runner::cpu(chosen.because),
            Worker::Gpu => {
                let preferred = self.preferred().clone();
                // A CPU that stands in has its own reason.
                let because = if preferred.is_cpu() { Vec::new() } else { chosen.because };
                Runner { because, ..preferred }
            }
        })
    }

    /// Runs something while the device is opened on a thread of its own, and ends when both have ended.
    pub fn while_opening<R>(&self, run: impl FnOnce() -> R) -> R {
        if self.known().is_some() {
            return run();
        }
        self.began.get_or_init(Instant::now);
        thread::scope(|scope| {
            let builder = thread::Builder::new().name("tribin-open".into());
            // Without a thread it is opened when it is needed.
            let _ = builder.spawn_scoped(scope, || self.preferred());
            run()
        })
    }
}

#[cfg(test)]
mod size_tests {
    use super::*;

    #[test]
    fn a_name_tells_about_how_many_entries_a_file_has() {
        let folder = tempfile::tempdir().unwrap();
        let of =
            |source: &Source| GraphSize::by_name(source).map(|size| (size.entries, size.unread));
        for (name, entries) in
            [("a.bin", 600), ("a.bin.gz", 800), ("a.txt", 369), ("edges", 369), ("a.npy", 300)]
        {
            let path = folder.path().join(name);
            std::fs::write(&path, [7; 4_800]).unwrap();
            assert_eq!(of(&path.into()), Some((entries, 4_800)), "{name}");
        }
        assert_eq!(of(&"-".into()), None);
        assert_eq!(of(&"no such file".into()), None);
    }

    #[test]
    fn the_first_of_several_files_stands_for_all() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.bin", "b.bin", "c.bin"] {
            std::fs::write(folder.path().join(name), [0; 800]).unwrap();
        }
        let size = GraphSize::by_name(&folder.path().into()).unwrap();
        assert_eq!((size.entries, size.unread), (300, 2_400));
    }
}
