//! The emulator as a device.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use warpwise_launch::{Device, DeviceId, Dim3, Entry, Launch, LaunchStep, Peer};

use crate::config::{Config, SEED_VARIABLE, parse_seed};
use crate::launch::{MOST_SHARED, RunningLaunch, is_block};
use crate::memory::{Allocation, Memory, Registry};
use crate::report::EmulatorError;
use crate::scheduler::{resident_blocks, run_blocks};
use crate::{overflow, panics};

/// A device that runs kernels on the host and checks what they do.
///
/// A launch runs on the thread that calls it, and returns when the kernel is done. Its findings are that launch's error. What a kernel
/// had written before a finding stays.
pub struct Emulator {
    id: DeviceId,
    config: Config,
    /// The seed, or the text of the environment that is none.
    seed: Result<u64, String>,
    registry: Arc<Registry>,
    launches: AtomicU32,
    /// What kernels traced and nobody has taken yet.
    trace: Mutex<Vec<String>>,
    /// Launches of one emulator follow one another, as on one stream.
    stream: Mutex<()>,
}

impl Default for Emulator {
    fn default() -> Emulator {
        Emulator::new()
    }
}

impl Emulator {
    /// An emulator with the default [`Config`].
    pub fn new() -> Emulator {
        Emulator::with(Config::default())
    }

    /// An emulator. `WARPWISE_EMU_SEED` in the environment, decimal or hexadecimal after `0x`,
    /// replaces the seed; if it is no number, every launch fails and says so.
    pub fn with(config: Config) -> Emulator {
        panics::install();
        overflow::install();
        let seed = match std::env::var_os(SEED_VARIABLE) {
            None => Ok(config.seed),
            Some(text) => {
                let text = text.to_string_lossy().into_owned();
                parse_seed(&text).ok_or(text)
            }
        };
        Emulator {
            id: DeviceId::unique(),
            config,
            seed,
            registry: Arc::default(),
            launches: AtomicU32::new(0),
            trace: Mutex::default(),
            stream: Mutex::new(()),
        }
    }

    /// The lines that kernels wrote with `trace!` since the last call, each with its kernel, block and thread.
    pub fn take_trace(&self) -> Vec<String> {
        std::mem::take(&mut *self.trace.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn range(
        &self,
        what: &str,
        address: u64,
        bytes: u64,
    ) -> Result<(Arc<Allocation>, u64), EmulatorError> {
        let found = self.registry.find(address, bytes);
        found.ok_or_else(|| EmulatorError::Range { what: what.to_owned(), address, bytes })
    }
}

impl Device for Emulator {
    type Event = Instant;
    type Error = EmulatorError;
    type Memory = Memory;
    type Graph = Vec<LaunchStep>;

    fn id(&self) -> DeviceId {
        self.id
    }

    fn allocate(&self, bytes: u64) -> Result<Memory, EmulatorError> {
        self.registry.allocate(bytes).ok_or(EmulatorError::OutOfMemory { bytes })
    }

    fn address(memory: &Memory) -> u64 {
        memory.address()
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), EmulatorError> {
        let (allocation, start) = self.range("fill", address, bytes)?;
        allocation.fill(start, byte, bytes);
        Ok(())
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<(), EmulatorError> {
        let (allocation, start) = self.range("upload", address, from.len() as u64)?;
        allocation.upload(start, from);
        Ok(())
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<(), EmulatorError> {
        let bytes = to.len() as u64;
        let (allocation, start) = self.range("download", address, bytes)?;
        if let Some(at) = allocation.first_unwritten(start, bytes) {
            return Err(EmulatorError::Unwritten { at: at - start, bytes });
        }
        allocation.download(start, to);
        Ok(())
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<(), EmulatorError> {
        let _in_order = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let seed = self.seed.clone().map_err(|text| EmulatorError::Seed { text })?;
        let Launch { kernel, takes, .. } = launch;
        if self.config.ptx.is_some_and(|ptx| !ptx.contains(&format!(" {kernel}__takes_{takes};"))) {
            return Err(EmulatorError::NotInPtx { kernel });
        }
        // The number also tells apart what launches left in shadow cells: 0 is of an empty one.
        let number = self.launches.fetch_add(1, Relaxed) % (1 << 30) + 1;
        let run = RunningLaunch::new(&launch, &self.config, seed, number, &self.registry)?;
        let mut drawn = fastrand::Rng::with_seed(seed ^ u64::from(number) << 32);
        run_blocks(&run, drawn.u64(..));
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        trace.append(&mut run.take_trace());
        drop(trace);
        run.into_result()
    }

    unsafe fn prepare(&self, steps: Vec<LaunchStep>) -> Result<Vec<LaunchStep>, EmulatorError> {
        Ok(steps)
    }

    unsafe fn replay(&self, graph: &Vec<LaunchStep>) -> Result<(), EmulatorError> {
        // SAFETY: the caller's promise.
        graph.iter().try_for_each(|step| unsafe { step.ask(self) })
    }

    fn synchronize(&self) -> Result<(), EmulatorError> {
        Ok(())
    }

    fn record(&self) -> Result<Instant, EmulatorError> {
        Ok(Instant::now())
    }

    fn seconds_between(&self, start: &Instant, end: &Instant) -> Result<f64, EmulatorError> {
        Ok(end.saturating_duration_since(*start).as_secs_f64())
    }

    fn multiprocessors(&self) -> u32 {
        self.config.multiprocessors
    }

    fn most_shared_bytes(&self) -> u32 {
        MOST_SHARED
    }

    /// The blocks that are under way at a time ([`Config::resident_blocks`]) by the number of multiprocessors, but at least 1.
    fn max_active_blocks_per_multiprocessor(
        &self,
        Entry(kernel): Entry,
        block: Dim3,
        shared_bytes: u32,
    ) -> Result<u32, EmulatorError> {
        if self.config.ptx.is_some_and(|ptx| !ptx.contains(&format!(" {kernel}__takes_"))) {
            return Err(EmulatorError::NotInPtx { kernel });
        }
        if !is_block(block) || shared_bytes > MOST_SHARED {
            return Ok(0);
        }
        let resident = resident_blocks(&self.config, block.count() as u32);
        Ok((resident / self.config.multiprocessors.max(1)).max(1))
    }
}

impl Peer for Emulator {
    unsafe fn copy_from(
        &self,
        address: u64,
        (from, from_address): (&Emulator, u64),
        bytes: u64,
    ) -> Result<(), EmulatorError> {
        let mut copied = vec![0; bytes as usize];
        // SAFETY: the caller's promise.
        unsafe {
            from.download(from_address, &mut copied)?;
            self.upload(address, &copied)
        }
    }
}
