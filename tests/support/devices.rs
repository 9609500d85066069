//! Which devices the tests of kernels run on: `TRIBIN_TEST_DEVICES`, one of `all` (the default),
//! `emulator` and `gpu`.

#![allow(dead_code, reason = "each test binary uses some of the helpers")]

use tribin::device::cuda::Gpu;

fn choice() -> String {
    std::env::var("TRIBIN_TEST_DEVICES").unwrap_or_else(|_| "all".into())
}

/// Whether to run in the emulator; says so where not.
///
/// # Panics
/// If the variable holds none of its values.
pub fn emulator() -> bool {
    match choice().as_str() {
        "all" | "emulator" => true,
        "gpu" => {
            println!("skipped in the emulator: TRIBIN_TEST_DEVICES=gpu");
            false
        }
        other => panic!("TRIBIN_TEST_DEVICES={other}: expected all, emulator or gpu"),
    }
}

/// The GPU to run on; says why where there is none.
///
/// # Panics
/// If only the GPU was asked for and cannot be used, or the variable holds none of its values.
pub fn gpu() -> Option<Gpu> {
    let choice = choice();
    match choice.as_str() {
        "all" | "gpu" => {}
        "emulator" => {
            println!("skipped on the GPU: TRIBIN_TEST_DEVICES=emulator");
            return None;
        }
        other => panic!("TRIBIN_TEST_DEVICES={other}: expected all, emulator or gpu"),
    }
    match Gpu::open(0) {
        Ok(gpu) => Some(gpu),
        Err(reason) if choice == "gpu" => panic!("TRIBIN_TEST_DEVICES=gpu: {reason}"),
        Err(reason) => {
            println!("skipped on the GPU: {reason}");
            None
        }
    }
}
