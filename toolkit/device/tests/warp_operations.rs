//! Operations of a warp that has fewer lanes than its mask names. `toolkit/conformance` has all operations of whole warps.

use warpwise_device::emulated::{Emulator, EmulatorError};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

kernel!(
    /// The sum of a warp's values, or the largest.
    #[requires(out.len() >= values.len())]
    pub unsafe fn reduce(values: In<u32>, out: InOut<u32>, largest: bool) {
        let i = thread::index_1d();
        let value = values.get(i);
        let result = if largest {
            warp::warp_reduce_max_32(warp::ALL, value)
        } else {
            warp::warp_reduce_add_32(warp::ALL, value)
        };
        out.set(i, result);
    }
);

#[test]
fn masks_may_name_lanes_that_a_last_warp_lacks() -> Result<(), EmulatorError> {
    let emulator = Emulator::new();
    let values: Vec<u32> = (0..40).collect();
    let input = Buffer::from_host(&emulator, &values)?;
    for (largest, wanted) in [(false, [(0..32).sum(), (32..40).sum()]), (true, [31, 39])] {
        let mut out = Buffer::zeroed(&emulator, 40)?;
        reduce(&emulator, Shape::new(1, 40), input.view(), out.view_mut(), largest)?;
        let out = out.to_vec(&emulator)?;
        assert!(out[..32].iter().all(|&result| result == wanted[0]), "{out:?}");
        assert!(out[32..].iter().all(|&result| result == wanted[1]), "{out:?}");
    }
    Ok(())
}
