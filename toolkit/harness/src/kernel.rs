//! Where the cases of a kernel run, and what the output says of it.

use std::cell::Cell;
use std::env;
use std::fmt::Debug;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use warpwise_cuda::Gpu;
use warpwise_device::emulated::{Config, Emulator};

use crate::{Case, devices, effort, skip};

/// The emulator's seeds, unless `WARPWISE_EMU_SEED` names one.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The kernels of a package, and the GPU that their tests share.
#[derive(Debug)]
pub struct Harness {
    /// `None` for kernels that tests declare.
    ptx: Option<&'static str>,
    gpu: OnceLock<Result<Gpu, String>>,
}

impl Harness {
    /// Kernels with their PTX. A GPU is taken into use when the first case runs.
    pub const fn new(ptx: &'static str) -> Harness {
        Harness { ptx: Some(ptx), gpu: OnceLock::new() }
    }

    /// Kernels that have no PTX because a test declares them. They run in the emulator.
    pub const fn emulator_only() -> Harness {
        Harness { ptx: None, gpu: OnceLock::new() }
    }

    /// The GPU, or why the tests run without; `None` for kernels without PTX.
    ///
    /// # Panics
    /// As [`devices::open`].
    pub fn gpu(&self) -> Option<Result<&Gpu, &str>> {
        let open = || devices::open(self.ptx.unwrap_or_default());
        self.ptx?;
        Some(self.gpu.get_or_init(open).as_ref().map_err(String::as_str))
    }

    /// The tests of a kernel.
    pub fn kernel<'a>(&'a self, name: &'a str) -> Kernel<'a> {
        Kernel {
            harness: self,
            name,
            emulated: Cell::new(0),
            on_gpu: Cell::new(0),
            reported: Cell::new(false),
        }
    }
}

/// The seeds that the emulator runs with, as text and as numbers.
fn seeds() -> Vec<(String, u64)> {
    match env::var("WARPWISE_EMU_SEED") {
        // The emulator reads the variable itself, whatever its configuration says.
        Ok(text) => vec![(text, 0)],
        Err(_) => SEEDS.map(|seed| (seed.to_string(), seed)).to_vec(),
    }
}

/// The seeds that one case runs with: all of them in a full run, and otherwise one. It depends on the
/// case alone, so that a case that fails fails again.
fn seeds_of(case: &impl Debug) -> Vec<(String, u64)> {
    let mut seeds = seeds();
    if !effort::is_full() {
        let letters = format!("{case:?}");
        let sum = letters.bytes().fold(0usize, |sum, letter| sum.wrapping_add(letter.into()));
        let chosen = sum % seeds.len();
        seeds.swap(0, chosen);
        seeds.truncate(1);
    }
    seeds
}

/// The tests of one kernel, and how many cases ran where. What ran and what was skipped is printed when it is
/// dropped.
#[derive(Debug)]
pub struct Kernel<'a> {
    harness: &'a Harness,
    name: &'a str,
    emulated: Cell<u32>,
    on_gpu: Cell<u32>,
    reported: Cell<bool>,
}

impl Kernel<'_> {
    /// Runs every case in the emulator, and on the GPU.
    ///
    /// # Panics
    /// At the first case that fails: the kernel, the device, the seed, the case and the difference.
    #[track_caller]
    pub fn everywhere<C: Case>(&self, cases: impl IntoIterator<Item = C>) -> &Self {
        for case in cases {
            self.run(&case).unwrap_or_else(|failure| panic!("{failure:#}"));
        }
        self
    }

    /// Runs `cases` drawn cases, or a quarter of them in a quick run, each everywhere; a failing one is made small.
    ///
    /// # Panics
    /// With the smallest case that was found to fail.
    #[cfg(feature = "proptest")]
    #[track_caller]
    pub fn drawn<C: Case>(
        &self,
        cases: u32,
        strategy: impl proptest::strategy::Strategy<Value = C>,
    ) -> &Self {
        use proptest::test_runner::{Config, TestCaseError, TestRunner};
        let mut runner = TestRunner::new(Config {
            cases: effort::cases(cases),
            failure_persistence: None,
            max_shrink_iters: 200,
            ..Config::default()
        });
        let check = |case: C| {
            self.run(&case).map_err(|failure| TestCaseError::fail(format!("{failure:#}")))
        };
        runner.run(&strategy, check).unwrap_or_else(|failure| panic!("{failure}"));
        self
    }

    /// Runs cases that are too large for the emulator.
    ///
    /// # Panics
    /// At the first case that fails.
    #[track_caller]
    pub fn on_gpu<C: Case>(&self, cases: impl FnOnce() -> Vec<C>) -> &Self {
        if let Some(Ok(gpu)) = self.harness.gpu() {
            for case in cases() {
                self.run_on_gpu(gpu, &case).unwrap_or_else(|failure| panic!("{failure:#}"));
            }
        }
        self
    }

    /// Prints what ran and what was skipped, before the end of the test.
    pub fn report(&self) {
        self.reported.set(true);
        let emulated = devices::emulator_wanted();
        if emulated {
            let each = if effort::is_full() { "each of" } else { "one of" };
            let seeds: Vec<String> = seeds().into_iter().map(|(text, _)| text).collect();
            println!(
                "{}: emulator: {} cases, {each} the seeds {}",
                self.name,
                self.emulated.get(),
                seeds.join(" ")
            );
        }
        match self.harness.gpu() {
            None => {
                if !emulated {
                    skip::whole("the kernel is the test's own, and runs in the emulator only");
                }
            }
            Some(Ok(gpu)) => {
                println!("{}: {}: {} cases", self.name, gpu.info().name, self.on_gpu.get());
                if !emulated {
                    skip::part("WARPWISE_TEST_DEVICES=gpu leaves out the emulator");
                }
            }
            Some(Err(reason)) => skip::part(devices::without_gpu(reason)),
        }
    }

    fn run<C: Case>(&self, case: &C) -> Result<()> {
        let emulated = devices::emulator_wanted();
        for (text, seed) in seeds_of(case).into_iter().filter(|_| emulated) {
            // A new one for each case: its schedule depends on the case and the seed alone.
            let ptx = self.harness.ptx.filter(|ptx| !ptx.starts_with("// no PTX: "));
            let emulator = Emulator::with(Config { ptx, ..Config::seeded(seed) });
            case.check(&emulator)
                .with_context(|| format!("{} in the emulator, seed {text}, {case:?}", self.name))?;
        }
        self.emulated.set(self.emulated.get() + u32::from(emulated));
        match self.harness.gpu() {
            Some(Ok(gpu)) => self.run_on_gpu(gpu, case),
            _ => Ok(()),
        }
    }

    fn run_on_gpu<C: Case>(&self, gpu: &Gpu, case: &C) -> Result<()> {
        case.check(gpu).with_context(|| format!("{} on the GPU, {case:?}", self.name))?;
        self.on_gpu.set(self.on_gpu.get() + 1);
        Ok(())
    }
}

impl Drop for Kernel<'_> {
    fn drop(&mut self) {
        if !self.reported.get() && !std::thread::panicking() {
            self.report();
        }
    }
}
