//! Which devices the tests of kernels run on: `TRIBIN_TEST_DEVICES`, one of `all` (the default),
//! `emulator` and `gpu`.

use tribin_cuda::{Gpu, Kernels, Options};
pub use tribin_harness::devices::{emulator, emulator_wanted, without_gpu};
use tribin_kernels::{CUBINS, PTX};

use crate::skip;

/// The GPU to run on, where compute-sanitizer sees every buffer, or why there is none.
///
/// # Panics
/// If only the GPU was asked for and cannot be used, if there is one that the kernels are for and it
/// does not take them (a defect, and no reason to skip), or if the variable holds none of its values.
pub fn open_gpu() -> Result<Gpu, String> {
    let kernels = || Kernels::from(PTX).with_machine_code(CUBINS);
    let options = || Options::default().separate_buffers();
    tribin_harness::devices::open_with(|| Gpu::open_with(0, kernels(), options()))
}

/// The GPU to run on; without one the test is skipped.
///
/// # Panics
/// As [`open_gpu`].
pub fn gpu() -> Option<Gpu> {
    open_gpu().map_err(|reason| skip::whole(without_gpu(&reason))).ok()
}
