//! Which devices tests run on: `WARPWISE_TEST_DEVICES`, one of `all` (the default), `emulator` and `gpu`.

use warpwise_cuda::{Error, Gpu, Options};

use crate::skip;

const VARIABLE: &str = "WARPWISE_TEST_DEVICES";

/// The devices that tests run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Devices {
    /// Tests run in the emulator, and on a GPU if there is one.
    All,
    /// Tests run in the emulator.
    Emulator,
    /// Tests run on a GPU, which there has to be.
    Gpu,
}

/// Where tests run.
///
/// # Panics
/// If the variable holds none of its values.
pub fn wanted() -> Devices {
    match std::env::var(VARIABLE).as_deref() {
        Ok("all") | Err(_) => Devices::All,
        Ok("emulator") => Devices::Emulator,
        Ok("gpu") => Devices::Gpu,
        Ok(other) => panic!("{VARIABLE}={other}: expected all, emulator or gpu"),
    }
}

/// Whether to run in the emulator.
///
/// # Panics
/// As [`wanted`].
pub fn emulator_wanted() -> bool {
    wanted() != Devices::Gpu
}

/// Whether to run in the emulator; if not, the test is skipped.
///
/// # Panics
/// As [`wanted`].
pub fn emulator() -> bool {
    let is_wanted = emulator_wanted();
    if !is_wanted {
        skip::whole(format!("{VARIABLE}=gpu leaves out the emulator"));
    }
    is_wanted
}

/// The GPU that `open` takes into use, or why there is none.
///
/// # Panics
/// If only the GPU was asked for and cannot be used, if there is one that the kernels are for and it
/// does not take them (a defect, and no reason to skip), or as [`wanted`].
pub fn open_with<G, E: std::fmt::Display>(
    open: impl FnOnce() -> Result<G, E>,
) -> Result<G, String> {
    let wanted = wanted();
    if wanted == Devices::Emulator {
        return Err(format!("{VARIABLE}=emulator"));
    }
    let usable =
        warpwise_cuda::list().is_ok_and(|gpus| gpus.first().is_some_and(|gpu| gpu.is_supported()));
    open().map_err(|reason| {
        assert!(wanted != Devices::Gpu && !usable, "the GPU cannot be used: {reason}");
        reason.to_string()
    })
}

/// The first GPU with the kernels of `ptx`, or why the tests run without. A build without PTX is a reason, and
/// so is a GPU that the PTX is not for, if a GPU was not asked for.
///
/// # Panics
/// As [`open_with`].
pub fn open(ptx: &str) -> Result<Gpu, String> {
    if wanted() == Devices::All
        && let Err(
            error @ (Error::NoPtx { .. } | Error::Unsupported { .. } | Error::OtherChip { .. }),
        ) = Gpu::open(0, ptx)
    {
        return Err(error.to_string());
    }
    open_with(|| Gpu::open_with(0, ptx, Options::default().separate_buffers()))
}

/// How a test says that it did not run on a GPU, and why.
pub fn without_gpu(reason: &str) -> String {
    format!("no GPU: {reason}")
}
