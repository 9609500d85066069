use anyhow::Result;
use warpwise_conformance::kernels::numbers as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, covering_shapes, ensure_holds};

use crate::{KERNELS, noise};

#[derive(Debug)]
struct Saxpy(Shape);

impl Case for Saxpy {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let x: Vec<f32> = (0..1000u16).map(|i| f32::from(i) / 7.0).collect();
        let mut y: Vec<f32> = (0..1000u16).map(|i| 1000.0 - f32::from(i) / 3.0).collect();
        let on_device = Buffer::from_host(device, &x)?;
        let mut sums = Buffer::from_host(device, &y)?;
        kernels::saxpy(device, self.0, -1.25, on_device.view(), sums.view_mut(), 1000)?;
        // Two roundings: the product, then the sum.
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += -1.25 * x);
        ensure_holds("y", device, &sums, &y)
    }
}

#[test]
fn saxpy_is_exact() {
    KERNELS.kernel("saxpy").everywhere(covering_shapes(1000, 256).map(Saxpy));
}

macro_rules! integers {
    ($($kernel:ident: $type:ty;)*) => {
        $(
            #[test]
            fn $kernel() {
                #[derive(Debug)]
                struct Scale($type);

                impl Case for Scale {
                    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                        let values: Vec<$type> = noise(300).map(|bits| bits as $type).collect();
                        let scale = |value: &$type| value.wrapping_mul(self.0).wrapping_add(1);
                        let expected: Vec<$type> = values[..288].iter().map(scale).collect();
                        let mut buffer = Buffer::from_host(device, &values)?;
                        // A view that starts at an odd place.
                        let view = buffer.view_mut().slice(3, 288);
                        let expected: Vec<$type> = match 3 {
                            0 => expected,
                            from => values[from..from + 288].iter().map(scale).collect(),
                        };
                        kernels::$kernel(device, Shape::new(9, 32), view, self.0)?;
                        let all = [&values[..3], &expected, &values[291..]].concat();
                        ensure_holds("values", device, &buffer, &all)
                    }
                }

                KERNELS.kernel(stringify!($kernel)).everywhere([3 as $type, <$type>::MAX].map(Scale));
            }
        )*
    };
}

integers! {
    scale_u8: u8;
    scale_u16: u16;
    scale_u32: u32;
    scale_u64: u64;
    scale_i8: i8;
    scale_i16: i16;
    scale_i32: i32;
    scale_i64: i64;
}

#[derive(Debug)]
struct Divide(f64);

impl Case for Divide {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let values: Vec<f64> = noise(96).map(|bits| bits as f64 / 1e15 - 9000.0).collect();
        let shape = Shape::new(3, 32);
        let mut wide = Buffer::from_host(device, &values)?;
        kernels::divide_f64(device, shape, wide.view_mut(), self.0)?;
        let expected: Vec<f64> = values.iter().map(|value| value / self.0).collect();
        ensure_holds("wide", device, &wide, &expected)?;
        let values: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let mut narrow = Buffer::from_host(device, &values)?;
        kernels::divide_f32(device, shape, narrow.view_mut(), self.0 as f32)?;
        let expected: Vec<f32> = values.iter().map(|value| value / self.0 as f32).collect();
        ensure_holds("narrow", device, &narrow, &expected)
    }
}

#[test]
fn quotients_are_rounded_correctly() {
    KERNELS.kernel("divide_f64").everywhere([3.0, -0.7, 1e30].map(Divide));
}

#[derive(Debug)]
struct Select {
    enabled: bool,
}

impl Case for Select {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let flags: Vec<u8> = noise(64).map(|bits| (bits % 3) as u8).collect();
        let on_device = Buffer::from_host(device, &flags)?;
        let mut out = Buffer::uninitialized(device, 64)?;
        let (low, high, last) = (200, 1 << 50, -2);
        let shape = Shape::new(2, 32);
        kernels::select(
            device,
            shape,
            self.enabled,
            low,
            on_device.view(),
            high,
            out.view_mut(),
            last,
        )?;
        let chosen = |&flag: &u8| self.enabled && flag != 0;
        let value = |flag| if chosen(flag) { (1u64 << 50) + 200 } else { u64::MAX - 1 };
        ensure_holds("out", device, &out, &flags.iter().map(value).collect::<Vec<u64>>())
    }
}

#[test]
fn parameters_of_all_sizes_arrive() {
    let cases = [true, false].map(|enabled| Select { enabled });
    KERNELS.kernel("select").everywhere(cases);
}

#[derive(Debug)]
struct Places(Shape);

impl Case for Places {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Shape { grid, block, .. } = self.0;
        let mut out = Buffer::uninitialized(device, 3 * self.0.threads())?;
        kernels::places(device, self.0, out.view_mut())?;
        let mut expected = Vec::new();
        for z in 0..grid.z * block.z {
            for y in 0..grid.y * block.y {
                for x in 0..grid.x * block.x {
                    let in_block = [x % block.x, y % block.y, z % block.z];
                    let of_grid = [x / block.x, y / block.y, z / block.z];
                    let number =
                        |at: [u32; 3], of: [u32; 2]| at[0] + of[0] * (at[1] + of[1] * at[2]);
                    expected.push(number(in_block, [block.x, block.y]));
                    expected.push(block.x * block.y * block.z);
                    expected.push(number(of_grid, [grid.x, grid.y]) * grid.z);
                }
            }
        }
        ensure_holds("out", device, &out, &expected)
    }
}

#[test]
fn threads_have_places_along_three_axes() {
    let shapes = [
        Shape::new(3, 40),
        Shape::new((2, 3), (8, 4)),
        Shape::new((2, 3, 4), (5, 3, 2)),
        Shape::new((1, 1, 5), (1, 1, 64)),
    ];
    KERNELS.kernel("places").everywhere(shapes.map(Places));
}
