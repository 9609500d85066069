//! Which devices the tests of kernels run on: `TRIBIN_TEST_DEVICES`, one of `all` (the default),
//! `emulator` and `gpu`.

use tribin::device::cuda::{self, Gpu};

use crate::skip;

fn choice() -> String {
    std::env::var("TRIBIN_TEST_DEVICES").unwrap_or_else(|_| "all".into())
}

/// Whether to run in the emulator.
///
/// # Panics
/// If the variable holds none of its values.
pub fn emulator_wanted() -> bool {
    match choice().as_str() {
        "all" | "emulator" => true,
        "gpu" => false,
        other => panic!("TRIBIN_TEST_DEVICES={other}: expected all, emulator or gpu"),
    }
}

/// Whether to run in the emulator; if not, the test is skipped.
///
/// # Panics
/// If the variable holds none of its values.
pub fn emulator() -> bool {
    let wanted = emulator_wanted();
    if !wanted {
        skip::whole("TRIBIN_TEST_DEVICES=gpu leaves out the emulator");
    }
    wanted
}

/// The GPU to run on, or why there is none.
///
/// # Panics
/// If only the GPU was asked for and cannot be used, if there is one that the kernels are for and it
/// does not take them (a defect, and no reason to skip), or if the variable holds none of its values.
pub fn open_gpu() -> Result<Gpu, String> {
    let choice = choice();
    match choice.as_str() {
        "all" | "gpu" => {}
        "emulator" => return Err("TRIBIN_TEST_DEVICES=emulator".into()),
        other => panic!("TRIBIN_TEST_DEVICES={other}: expected all, emulator or gpu"),
    }
    let usable = cuda::list().is_ok_and(|gpus| gpus.first().is_some_and(|gpu| gpu.is_supported()));
    cuda::open(0).map_err(|reason| {
        assert!(choice != "gpu" && !usable, "the GPU cannot be used: {reason}");
        reason.to_string()
    })
}

/// The GPU to run on; without one the test is skipped.
///
/// # Panics
/// As [`open_gpu`].
pub fn gpu() -> Option<Gpu> {
    open_gpu().map_err(|reason| skip::whole(without_gpu(&reason))).ok()
}

/// How a test says that it did not run on a GPU, and why.
pub fn without_gpu(reason: &str) -> String {
    format!("no GPU: {reason}")
}
