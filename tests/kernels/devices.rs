//! Where a case runs, and what the output says of it.

use std::cell::Cell;
use std::env;
use std::fmt::Debug;
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config as RandomConfig, TestCaseError, TestRunner};
use testkit::{devices as chosen, effort, skip};
use tribin::device::cuda::Gpu;
use tribin_device::emulated::{Config, Emulator};
use tribin_device::launch::{Buffer, Device, Shape};
use tribin_device::memory::Element;

/// The emulator's seeds, unless `TRIBIN_EMU_SEED` names one.
const SEEDS: [u64; 3] = [1, 2, 3];

/// A device whose errors tests can report.
pub trait TestDevice: Device<Error: std::error::Error + Send + Sync + 'static> {}

impl<D: Device<Error: std::error::Error + Send + Sync + 'static>> TestDevice for D {}

/// An input of a kernel and what is right for it.
pub trait Case: Debug {
    /// Launches the kernel and compares all that it wrote with the oracle's.
    fn check<D: TestDevice>(&self, device: &D) -> Result<()>;
}

/// The GPU, or why the tests run without.
static GPU: LazyLock<Result<Gpu, String>> = LazyLock::new(chosen::open_gpu);

fn gpu() -> Option<&'static Gpu> {
    GPU.as_ref().ok()
}

/// The seeds that the emulator runs with, as text and as numbers.
fn seeds() -> Vec<(String, u64)> {
    match env::var("TRIBIN_EMU_SEED") {
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

/// The tests of one kernel, and how many cases ran where.
pub struct Kernel {
    name: &'static str,
    emulated: Cell<u32>,
    on_gpu: Cell<u32>,
    is_in_ptx: bool,
}

impl Kernel {
    /// A kernel of the project.
    pub fn named(name: &'static str) -> Kernel {
        Kernel { name, emulated: Cell::new(0), on_gpu: Cell::new(0), is_in_ptx: true }
    }

    /// A kernel that a test declares: in the emulator only.
    pub fn of_test(name: &'static str) -> Kernel {
        Kernel { is_in_ptx: false, ..Kernel::named(name) }
    }

    /// Runs every case in the emulator, and on the GPU.
    pub fn everywhere<C: Case>(&self, cases: impl IntoIterator<Item = C>) -> &Kernel {
        for case in cases {
            self.run(&case).unwrap_or_else(|failure| panic!("{failure:#}"));
        }
        self
    }

    /// Runs `cases` drawn cases, each everywhere; a failing one is made small.
    pub fn drawn<C: Case>(&self, cases: u32, strategy: impl Strategy<Value = C>) -> &Kernel {
        let mut runner = TestRunner::new(RandomConfig {
            cases,
            failure_persistence: None,
            max_shrink_iters: 200,
            ..RandomConfig::default()
        });
        let check = |case: C| {
            self.run(&case).map_err(|failure| TestCaseError::fail(format!("{failure:#}")))
        };
        runner.run(&strategy, check).unwrap_or_else(|failure| panic!("{failure}"));
        self
    }

    /// Runs cases that are too large for the emulator.
    pub fn on_gpu<C: Case>(&self, cases: impl FnOnce() -> Vec<C>) -> &Kernel {
        if let Some(gpu) = gpu() {
            for case in cases() {
                self.run_on_gpu(gpu, &case).unwrap_or_else(|failure| panic!("{failure:#}"));
            }
        }
        self
    }

    /// Prints what ran and what was skipped.
    pub fn report(&self) {
        let emulated = chosen::emulator_wanted();
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
        match GPU.as_ref() {
            _ if !self.is_in_ptx => {
                if !emulated {
                    skip::whole("the kernel is the test's own, and runs in the emulator only");
                }
            }
            Ok(gpu) => {
                println!("{}: {}: {} cases", self.name, gpu.info().name, self.on_gpu.get());
                if !emulated {
                    skip::part("TRIBIN_TEST_DEVICES=gpu leaves out the emulator");
                }
            }
            Err(reason) => skip::part(chosen::without_gpu(reason)),
        }
    }

    fn run<C: Case>(&self, case: &C) -> Result<()> {
        let emulated = chosen::emulator_wanted();
        for (text, seed) in seeds_of(case).into_iter().filter(|_| emulated) {
            // A new one a case: its schedule depends on the case and the seed alone.
            let emulator = Emulator::with(Config::seeded(seed));
            case.check(&emulator)
                .with_context(|| format!("{} in the emulator, seed {text}, {case:?}", self.name))?;
        }
        self.emulated.set(self.emulated.get() + u32::from(emulated));
        match gpu() {
            Some(gpu) if self.is_in_ptx => self.run_on_gpu(gpu, case),
            _ => Ok(()),
        }
    }

    fn run_on_gpu<C: Case>(&self, gpu: &Gpu, case: &C) -> Result<()> {
        case.check(gpu).with_context(|| format!("{} on the GPU, {case:?}", self.name))?;
        self.on_gpu.set(self.on_gpu.get() + 1);
        Ok(())
    }
}

/// Fails at the first element of the buffer that is not what is expected.
pub fn ensure_holds<T, D>(
    what: &str,
    device: &D,
    buffer: &Buffer<T, D>,
    expected: &[T],
) -> Result<()>
where
    T: Element + PartialEq + Debug,
    D: TestDevice,
{
    let actual = buffer.to_vec(device)?;
    ensure!(
        actual.len() == expected.len(),
        "{what}: {} elements, expected {}",
        actual.len(),
        expected.len()
    );
    for (i, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        ensure!(actual == expected, "{what}[{i}] is {actual:?}, expected {expected:?}");
    }
    Ok(())
}

/// The shapes in which a kernel that strides gets `items` items: one small block, one block, fewer
/// threads than items, a thread for each, and blocks to spare.
pub fn striding_shapes(items: u64, block: u32) -> [Shape; 5] {
    let cover = Shape::cover(items, block, u32::MAX).grid.x;
    [
        Shape::new(1, 32),
        Shape::new(1, block),
        Shape::new(cover.div_ceil(2), 64),
        Shape::new(cover, block),
        Shape::new(cover + 3, block),
    ]
}
