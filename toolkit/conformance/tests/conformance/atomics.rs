use anyhow::{Result, ensure};
use warpwise_conformance::kernels::atomics as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{KERNELS, noise};

macro_rules! integers {
    ($($global:ident, $shared:ident: $type:ty;)*) => {
        $(
            #[test]
            fn $global() {
                #[derive(Debug)]
                struct Atomics {
                    blocks: u32,
                    shared: bool,
                }

                impl Case for Atomics {
                    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                        let n = 96 * self.blocks as usize;
                        let values: Vec<$type> = noise(n).map(|bits| (bits >> 3) as $type).collect();
                        let initial: Vec<$type> =
                            noise(8).map(|bits| bits.rotate_left(9) as $type | 1).collect();
                        let on_device = Buffer::from_host(device, &values)?;
                        let mut words = Buffer::from_host(device, &initial)?;
                        let mut old = Buffer::uninitialized(device, n as u64)?;
                        let shape = Shape::new(self.blocks, 96).shared(64);
                        let (view, to, kept) = (on_device.view(), words.view_mut(), old.view_mut());
                        if self.shared {
                            kernels::$shared(device, shape, view, to, kept)?;
                        } else {
                            kernels::$global(device, shape, view, to, kept)?;
                        }
                        let fold = |i: usize, apply: fn($type, $type) -> $type| {
                            values.iter().fold(initial[i], |all, &value| apply(all, value))
                        };
                        let expected = [
                            fold(0, <$type>::wrapping_add),
                            fold(1, |a, b| a.min(b)),
                            fold(2, |a, b| a.max(b)),
                            fold(3, |a, b| a & b),
                            fold(4, |a, b| a | b),
                            fold(5, |a, b| a ^ b),
                            fold(6, |a, b| a.wrapping_mul(b | 1)),
                        ];
                        let words = words.to_vec(device)?;
                        ensure!(words[..7] == expected, "words are {words:?}, expected {expected:?}");
                        // What was there and what came are what is there and what was taken.
                        let mut came = [&values[..], &initial[7..]].concat();
                        let mut left = [&old.to_vec(device)?[..], &words[7..]].concat();
                        came.sort_unstable();
                        left.sort_unstable();
                        ensure!(came == left, "exchanges lost or made a value");
                        Ok(())
                    }
                }

                let kernel = KERNELS.kernel(stringify!($global));
                kernel.everywhere([1, 5].map(|blocks| Atomics { blocks, shared: false }));
                let kernel = KERNELS.kernel(stringify!($shared));
                kernel.everywhere([Atomics { blocks: 1, shared: true }]);
            }
        )*
    };
}

integers! {
    atomics_u32, shared_atomics_u32: u32;
    atomics_i32, shared_atomics_i32: i32;
    atomics_u64, shared_atomics_u64: u64;
    atomics_i64, shared_atomics_i64: i64;
}

macro_rules! reals {
    ($($name:ident: $type:ty;)*) => {
        $(
            #[test]
            fn $name() {
                #[derive(Debug)]
                struct Reals;

                impl Case for Reals {
                    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                        // Sums of small multiples of a power of two are exact in any order. All differ.
                        let values: Vec<$type> = (1..=64u8).map(|i| <$type>::from(i) / 8.0).collect();
                        let sum = values.iter().sum::<$type>();
                        let on_device = Buffer::from_host(device, &values)?;
                        let mut words = Buffer::from_host(device, &[0.5 as $type, -1.0, 0.0, 0.0])?;
                        let mut old = Buffer::uninitialized(device, 128)?;
                        let shape = Shape::new(1, 64).shared(16);
                        let (view, to) = (on_device.view(), words.view_mut());
                        kernels::$name(device, shape, view, to, old.view_mut())?;
                        let words = words.to_vec(device)?;
                        ensure!(words[0] == sum + 0.5 && words[2] == sum, "sums are {words:?}");
                        let old = old.to_vec(device)?;
                        let last_shared = words[3] - words[2];
                        for (old, last) in [(&old[..64], words[1]), (&old[64..], last_shared)] {
                            let mut left = [old, &[last]].concat();
                            left.sort_by(|a, b| a.total_cmp(b));
                            let came = [&[-1.0], &values[..]].concat();
                            ensure!(left == came, "exchanges left {left:?}");
                        }
                        ensure_holds("values", device, &on_device, &values)
                    }
                }

                KERNELS.kernel(stringify!($name)).everywhere([Reals]);
            }
        )*
    };
}

reals! {
    atomics_f32: f32;
    atomics_f64: f64;
}
