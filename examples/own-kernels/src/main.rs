//! SAXPY on the first GPU, or in the emulator if there is none.

use own_kernels::kernels::saxpy::{BLOCK, saxpy};
use warpwise_device::emulated::Emulator;
use warpwise_device::launch::{Buffer, Device, Shape};

/// `a * x + y` on any device.
fn run<D: Device>(device: &D, a: f32, x: &[f32], y: &[f32]) -> Result<Vec<f32>, D::Error> {
    let n = x.len() as u64;
    let x = Buffer::from_host(device, x)?;
    let mut y = Buffer::from_host(device, y)?;
    saxpy(device, Shape::cover(n, BLOCK, u32::MAX), a, x.view(), y.view_mut(), n)?;
    y.to_vec(device)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let y = vec![1.0; x.len()];
    let (place, sums) = match warpwise_cuda::Gpu::open(0, own_kernels::PTX) {
        Ok(gpu) => (gpu.info().name.clone(), run(&gpu, 2.0, &x, &y)?),
        Err(reason) => (format!("the emulator ({reason})"), run(&Emulator::new(), 2.0, &x, &y)?),
    };
    println!("2 * 999 + 1 = {} on {place}", sums[999]);
    Ok(())
}
