//! The kernels that are tested, and where: `warpwise_harness` says how.

use tribin_gpu::device::cuda;
use warpwise_harness::Harness;
pub use warpwise_harness::{Case, TestDevice, ensure_holds, striding_shapes};

/// The project's kernels.
static KERNELS: Harness = Harness::new(cuda::PTX);

/// Kernels that tests declare: in the emulator only.
static OF_TESTS: Harness = Harness::emulator_only();

/// The tests of one kernel.
pub struct Kernel;

impl Kernel {
    /// A kernel of the project.
    pub fn named(name: &'static str) -> warpwise_harness::Kernel<'static> {
        KERNELS.kernel(name)
    }

    /// A kernel that a test declares: in the emulator only.
    pub fn of_test(name: &'static str) -> warpwise_harness::Kernel<'static> {
        OF_TESTS.kernel(name)
    }
}
