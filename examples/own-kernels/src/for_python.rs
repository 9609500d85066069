//! What Python calls with tensors of PyTorch: `for_python.py`.

use std::error::Error;
use std::sync::LazyLock;

use warpwise_cuda::Gpu;
use warpwise_device::launch::{Shape, View, ViewMut};

use crate::kernels::saxpy::{BLOCK, saxpy};

static GPU: LazyLock<warpwise_cuda::Result<Gpu>> = LazyLock::new(|| Gpu::open(0, crate::PTX));

/// Adds `a * x` to `y`, `n` numbers at two addresses of the first GPU, after what `stream` of the driver was asked for and before
/// what it is asked for next. Returns 0, or 1 after a line on standard error.
///
/// # Safety
/// The stream is one of the GPU's primary context, and 1 stands for the default stream. There are `n` numbers at both addresses, and no
/// other stream uses them until this one is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn own_kernels_saxpy(a: f32, x: u64, y: u64, n: u64, stream: u64) -> i32 {
    let launch = || -> Result<(), Box<dyn Error>> {
        let gpu = GPU.as_ref()?;
        // SAFETY: the caller's promise.
        unsafe {
            gpu.wait_for_stream(stream)?;
            let (x, y) = (View::from_raw_parts(gpu, x, n), ViewMut::from_raw_parts(gpu, y, n));
            saxpy(gpu, Shape::cover(n, BLOCK, u32::MAX), a, x, y, n)?;
            gpu.let_stream_wait(stream)?;
        }
        Ok(())
    };
    match launch() {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("own_kernels_saxpy: {error}");
            1
        }
    }
}
