use anyhow::{Result, ensure};
use warpwise_conformance::kernels::halves as kernels;
use warpwise_device::half::{Bf16, Bf16x2, F16, F16x2};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice};

use crate::{KERNELS, noise};

/// Numbers of all magnitudes, whole ones and those between two of 16 bits.
fn numbers() -> Vec<f32> {
    let drawn = noise(1 << 12).map(|bits| f32::from_bits(bits as u32)).filter(|x| !x.is_nan());
    let ties = (0..2_048u32).map(|i| (i as f32 + 0.5) * 2f32.powi(i as i32 % 30 - 20));
    let mut all: Vec<f32> =
        drawn.chain(ties).chain([0.0, -0.0, f32::INFINITY, 65_519.996, 65_520.0]).collect();
    all.truncate(all.len() / 32 * 32);
    all
}

/// Whether bits of a format are the nearest to a number: no neighbour is nearer, and an odd one is not as near.
fn is_nearest(bits: u16, x: f32, widen: impl Fn(u16) -> f64) -> bool {
    let (x, found) = (f64::from(x), widen(bits));
    if found.is_infinite() || x.is_infinite() {
        // Half a unit past the largest number, or more.
        let largest = bits & 0x8000 | ((bits & 0x7FFF) - 1);
        let unit = widen(largest) - widen(largest - 1);
        return (x - widen(largest)) / unit >= 0.5;
    }
    let off = (found - x).abs();
    let neighbours = [bits.wrapping_sub(1), bits.wrapping_add(1)]
        .into_iter()
        .filter(|near| (near ^ bits) & 0x8000 == 0);
    let mut others = neighbours.map(|near| (widen(near) - x).abs());
    others.all(|other| off < other || off == other && bits.is_multiple_of(2))
        && (found == 0.0 || found.signum() == x.signum())
}

macro_rules! halves {
    ($($module:ident: $half:ident, $pair:ident, $narrow:ident, $widen:ident, $fused:ident, $fraction:literal;)*) => {
        $(mod $module {
            use super::*;

            /// The number that has these bits, by the definition of the format.
            fn value(bits: u16) -> f64 {
                let (exponent_bits, fraction_bits) = (15 - $fraction, $fraction);
                let (exponent, fraction) = ((bits & 0x7FFF) >> fraction_bits, bits & ((1 << fraction_bits) - 1));
                let (bias, sign) = ((1 << (exponent_bits - 1)) - 1, if bits >> 15 == 0 { 1.0 } else { -1.0 });
                let share = f64::from(fraction) / f64::from(1 << fraction_bits);
                sign * match exponent {
                    0 => share * 2f64.powi(1 - bias),
                    _ if exponent == (1 << exponent_bits) - 1 && fraction > 0 => f64::NAN,
                    _ if exponent == (1 << exponent_bits) - 1 => f64::INFINITY,
                    _ => (1.0 + share) * 2f64.powi(i32::from(exponent) - bias),
                }
            }

            #[derive(Debug)]
            struct Narrow;

            impl Case for Narrow {
                fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                    let x = numbers();
                    let on_device = Buffer::from_host(device, &x)?;
                    let mut out = Buffer::<$half, _>::zeroed(device, x.len() as u64)?;
                    let shape = Shape::new(x.len() as u32 / 32, 32).shared(64);
                    kernels::$narrow(device, shape, on_device.view(), out.view_mut())?;
                    for (&x, found) in x.iter().zip(out.to_vec(device)?) {
                        ensure!(is_nearest(found.to_bits(), x, value), "{x:e} became {:#06x}", found.to_bits());
                        ensure!(found == $half::from_f32(x), "{x:e} becomes another number on a host");
                    }
                    Ok(())
                }
            }

            #[derive(Debug)]
            struct Widen;

            impl Case for Widen {
                fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                    let x: Vec<$half> = (0..=u16::MAX).map($half::from_bits).collect();
                    let on_device = Buffer::from_host(device, &x)?;
                    let mut out = Buffer::zeroed(device, x.len() as u64)?;
                    kernels::$widen(device, Shape::new(256, 256), on_device.view(), out.view_mut())?;
                    for (x, found) in x.into_iter().zip(out.to_vec(device)?) {
                        let expected = value(x.to_bits());
                        let is_same = f64::from(found) == expected || found.is_nan() && expected.is_nan();
                        ensure!(is_same, "{:#06x} is {found:e}", x.to_bits());
                    }
                    Ok(())
                }
            }

            #[derive(Debug)]
            struct Fuse {
                which: u32,
            }

            impl Case for Fuse {
                fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
                    // Whole numbers whose sums and products 16 bits hold, and a rest that is rounded.
                    let small = |bits: u64| $half::from_f32((bits % 16) as f32 - 8.0);
                    let pair = |bits: u64| $pair::new(small(bits), small(bits >> 8));
                    let rest = |bits: u64| {
                        let tiny = |bits: u64| $half::from_f32((bits % 64) as f32 / 4_096.0);
                        $pair::new(tiny(bits), tiny(bits >> 8))
                    };
                    let n = 1 << 10;
                    let [x, y]: [Vec<$pair>; 2] = [0, 16].map(|shift| noise(n).map(|bits| pair(bits >> shift)).collect());
                    let z: Vec<$pair> = noise(n).map(|bits| rest(bits >> 32)).collect();
                    let on_device = |pairs: &[$pair]| Buffer::from_host(device, pairs);
                    let [a, b, c] = [on_device(&x)?, on_device(&y)?, on_device(&z)?];
                    let mut out = Buffer::<$pair, _>::zeroed(device, n as u64)?;
                    let shape = Shape::new(n as u32 / 32, 32);
                    kernels::$fused(device, shape, a.view(), b.view(), c.view(), out.view_mut(), self.which)?;
                    for (i, found) in out.to_vec(device)?.into_iter().enumerate() {
                        for half in 0..2 {
                            let of = |pairs: &[$pair]| f64::from(pairs[i].to_array()[half].to_f32());
                            let exact = match self.which {
                                0 => of(&x) + of(&y),
                                1 => of(&x) * of(&y),
                                _ => of(&x) * of(&y) + of(&z),
                            };
                            // Exact in 32 bits, and rounded once from there.
                            let found = found.to_array()[half];
                            let is_zero = exact == 0.0 && found.to_f32() == 0.0;
                            ensure!(is_zero || is_nearest(found.to_bits(), exact as f32, value), "{i}: {found:?}, {exact}");
                        }
                    }
                    Ok(())
                }
            }

            #[test]
            fn a_number_becomes_the_nearest_one() {
                KERNELS.kernel(stringify!($narrow)).everywhere([Narrow]);
            }

            #[test]
            fn all_numbers_become_wide() {
                KERNELS.kernel(stringify!($widen)).everywhere([Widen]);
            }

            #[test]
            fn sums_and_products_are_rounded_once() {
                KERNELS.kernel(stringify!($fused)).everywhere((0..3).map(|which| Fuse { which }));
            }
        })*
    };
}

halves! {
    f16: F16, F16x2, narrow_f16, widen_f16, fuse_f16, 10;
    bf16: Bf16, Bf16x2, narrow_bf16, widen_bf16, fuse_bf16, 7;
}

/// Products of matrices of small whole numbers, whose sums are exact in any order.
#[derive(Debug)]
struct Products {
    which: u32,
}

impl Products {
    /// Numbers in a word.
    fn in_word(&self) -> usize {
        [4, 2, 2, 1][self.which as usize]
    }

    /// A word of numbers.
    fn word(&self, numbers: &[i8]) -> u32 {
        let halves = |half: &dyn Fn(f32) -> u16| {
            u32::from(half(numbers[0].into())) | u32::from(half(numbers[1].into())) << 16
        };
        match self.which {
            0 => u32::from_le_bytes([0, 1, 2, 3].map(|i| numbers[i].cast_unsigned())),
            1 => halves(&|number| F16::from_f32(number).to_bits()),
            2 => halves(&|number| Bf16::from_f32(number).to_bits()),
            _ => f32::from(numbers[0]).to_bits(),
        }
    }

    /// A sum as its word.
    fn sum(&self, sum: i32) -> u32 {
        if self.which == 0 { sum.cast_unsigned() } else { (sum as f32).to_bits() }
    }
}

impl Case for Products {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let in_word = self.in_word();
        let length = 8 * in_word;
        let drawn = |len: usize| -> Vec<i8> { noise(len).map(|bits| bits as i8 / 2).collect() };
        let (rows, columns) = (drawn(16 * length), drawn(8 * length));
        let words = |numbers: &[i8]| -> Vec<u32> {
            numbers.chunks(in_word).map(|numbers| self.word(numbers)).collect()
        };
        let sums: Vec<i32> = noise(128).map(|bits| i32::from(bits as i16)).collect();
        let a = Buffer::from_host(device, &words(&rows))?;
        let b = Buffer::from_host(device, &words(&columns))?;
        let before: Vec<u32> = sums.iter().map(|&sum| self.sum(sum)).collect();
        let mut out = Buffer::from_host(device, &before)?;
        kernels::products(
            device,
            Shape::new(1, 32),
            a.view(),
            b.view(),
            out.view_mut(),
            self.which,
        )?;
        for (i, found) in out.to_vec(device)?.into_iter().enumerate() {
            let (row, column) =
                (&rows[i / 8 * length..][..length], &columns[i % 8 * length..][..length]);
            let product: i32 =
                row.iter().zip(column).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
            let expected = self.sum(sums[i] + product);
            ensure!(
                found == expected,
                "row {}, column {}: {found:#x}, not {expected:#x}",
                i / 8,
                i % 8
            );
        }
        Ok(())
    }
}

#[test]
fn products() {
    KERNELS.kernel("products").everywhere((0..4).map(|which| Products { which }));
}
