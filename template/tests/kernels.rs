//! The kernels against plain Rust: in the emulator, and on a GPU where there is one.

use anyhow::Result;
use my_kernels::kernels::{BLOCK, saxpy};
use tribin_device::launch::{Buffer, Shape};
use tribin_harness::{Case, Harness, TestDevice, ensure_holds, striding_shapes};

static KERNELS: Harness = Harness::new(my_kernels::PTX);

#[derive(Debug)]
struct Saxpy {
    a: f32,
    x: Vec<f32>,
    shape: Shape,
}

impl Case for Saxpy {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.x.len() as u64;
        let y: Vec<f32> = self.x.iter().map(|x| x - 3.0).collect();
        let expected: Vec<f32> = self.x.iter().zip(&y).map(|(x, y)| self.a * x + y).collect();
        let x = Buffer::from_host(device, &self.x)?;
        let mut y = Buffer::from_host(device, &y)?;
        saxpy(device, self.shape, self.a, x.view(), y.view_mut(), n)?;
        ensure_holds("y", device, &y, &expected)
    }
}

#[test]
fn saxpy_is_a_x_plus_y() {
    let kernel = KERNELS.kernel("saxpy");
    for n in [0u16, 1, 255, 256, 257, 1000] {
        let x: Vec<f32> = (0..n).map(|x| f32::from(x) / 7.0).collect();
        kernel.everywhere(striding_shapes(n.into(), BLOCK).map(|shape| Saxpy {
            a: 0.3,
            x: x.clone(),
            shape,
        }));
    }
}
