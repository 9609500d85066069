//! 16-bit floating-point numbers: [`F16`] and [`Bf16`] in memory, and two of them in a word for arithmetic.
//!
//! Rust's `f16` is not stable, and `bf16` is no type of Rust. These types are for memory and for conversion, on hosts and on
//! devices alike. Arithmetic is by twos, or in `f32`.
//!
//! | here | CUDA C++ | on a GPU |
//! | --- | --- | --- |
//! | [`F16::from_f32`], [`F16::to_f32`] | `__float2half_rn`, `__half2float` | `cvt.rn.f16.f32`, `cvt.f32.f16` |
//! | [`Bf16::from_f32`], [`Bf16::to_f32`] | `__float2bfloat16_rn`, `__bfloat162float` | `cvt.rn.bf16.f32`, a shift |
//! | `+`, `*` and [`fma`](F16x2::fma) of [`F16x2`] | `__hadd2`, `__hmul2`, `__hfma2` | `fma.rn.f16x2` |
//! | `+`, `*` and [`fma`](Bf16x2::fma) of [`Bf16x2`] | the same | `fma.rn.bf16x2` |
//!
//! Every result is the nearest number, the even one where two are as near. It has the same bits on every device, unless it is no number
//! (NaN), which many bits mean. Products of small matrices are in [`matrix`](crate::matrix).

use core::ops::{Add, Mul};

#[cfg(target_arch = "nvptx64")]
use crate::imp;
#[cfg(not(target_arch = "nvptx64"))]
use warpwise_launch::{BFLOAT16, BINARY16};

macro_rules! half {
    (
        $(#[$meta:meta])* $name:ident, $(#[$pair_meta:meta])* $pair:ident, $format:ident, one $one:literal,
        $from:ident, $to:ident, $fma:ident
    ) => {
        crate::element! {
            $(#[$meta])*
            #[derive(Debug, Default, PartialEq, Eq)]
            pub struct $name {
                bits: u16,
            }
        }

        impl $name {
            /// The number that has these bits.
            pub const fn from_bits(bits: u16) -> $name {
                $name { bits }
            }

            /// The bits of the number.
            pub const fn to_bits(self) -> u16 {
                self.bits
            }

            /// The nearest number.
            #[inline(always)]
            pub fn from_f32(value: f32) -> $name {
                #[cfg(target_arch = "nvptx64")]
                let bits = imp::$from(value);
                #[cfg(not(target_arch = "nvptx64"))]
                let bits = $format.narrow(value.into());
                $name { bits }
            }

            /// The number in 32 bits, which hold every one of 16.
            #[inline(always)]
            pub fn to_f32(self) -> f32 {
                #[cfg(target_arch = "nvptx64")]
                let value = imp::$to(self.bits);
                #[cfg(not(target_arch = "nvptx64"))]
                let value = $format.widen(self.bits) as f32;
                value
            }
        }

        crate::element! {
            $(#[$pair_meta])*
            #[derive(Debug, Default, PartialEq, Eq)]
            pub struct $pair {
                word: u32,
            }
        }

        impl $pair {
            /// Two numbers, the first in the lower half of the word.
            pub const fn new(low: $name, high: $name) -> $pair {
                $pair { word: low.bits as u32 | (high.bits as u32) << 16 }
            }

            /// Both numbers, the one of the lower half first.
            pub const fn to_array(self) -> [$name; 2] {
                [$name { bits: self.word as u16 }, $name { bits: (self.word >> 16) as u16 }]
            }

            /// The word, as [`matrix`](crate::matrix) takes it.
            pub const fn to_word(self) -> u32 {
                self.word
            }

            /// The products of both with `factor`, and `addend` added, rounded once.
            #[inline(always)]
            #[must_use]
            pub fn fma(self, factor: $pair, addend: $pair) -> $pair {
                #[cfg(target_arch = "nvptx64")]
                let word = imp::$fma(self.word, factor.word, addend.word);
                #[cfg(not(target_arch = "nvptx64"))]
                let word = {
                    let half = |word: u32, half: u32| (word >> (16 * half)) as u16;
                    let of = |at| {
                        $format.fma(half(self.word, at), half(factor.word, at), half(addend.word, at))
                    };
                    u32::from(of(0)) | u32::from(of(1)) << 16
                };
                $pair { word }
            }
        }

        /// The sums of both.
        impl Add for $pair {
            type Output = $pair;

            #[inline(always)]
            fn add(self, other: $pair) -> $pair {
                const ONES: u32 = $one | $one << 16;
                self.fma($pair { word: ONES }, other)
            }
        }

        /// The products of both.
        impl Mul for $pair {
            type Output = $pair;

            #[inline(always)]
            fn mul(self, other: $pair) -> $pair {
                // Zeros that leave the sign of a product as it is.
                self.fma(other, $pair { word: 0x8000_8000 })
            }
        }
    };
}

half!(
    /// A number of IEEE 754 binary16, compared by its bits.
    ///
    /// ```
    /// use warpwise_device::half::F16;
    ///
    /// assert_eq!(F16::from_f32(1.0).to_bits(), 0x3C00);
    /// assert_eq!(F16::from_f32(65_504.0).to_f32(), 65_504.0);
    /// assert_eq!(F16::from_f32(65_520.0).to_f32(), f32::INFINITY);
    /// ```
    F16,
    /// Two numbers of binary16 in a word.
    ///
    /// ```
    /// use warpwise_device::half::{F16, F16x2};
    ///
    /// let pair = |a: f32, b: f32| F16x2::new(F16::from_f32(a), F16::from_f32(b));
    /// let sums = pair(1.5, 2.0).fma(pair(2.0, 4.0), pair(0.5, -1.0));
    /// assert_eq!(sums, pair(3.5, 7.0));
    /// assert_eq!(pair(1.0, 2.0) + pair(0.5, 3.0), pair(1.5, 5.0));
    /// ```
    F16x2, BINARY16, one 0x3C00, narrow_f16, widen_f16, fma_f16x2
);

half!(
    /// A bfloat16, the upper half of an `f32`, compared by its bits.
    ///
    /// ```
    /// use warpwise_device::half::Bf16;
    ///
    /// assert_eq!(Bf16::from_f32(1.0).to_bits(), 0x3F80);
    /// assert_eq!(Bf16::from_f32(257.0).to_f32(), 256.0);
    /// ```
    Bf16,
    /// Two bfloat16 in a word, with the methods of [`F16x2`].
    Bf16x2, BFLOAT16, one 0x3F80, narrow_bf16, widen_bf16, fma_bf16x2
);
