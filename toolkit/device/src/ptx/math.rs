//! Arithmetic that is one instruction here and a function of the standard library on a host.

use core::arch::asm;

macro_rules! functions {
    ($($name:ident($($arg:ident),*): $type:ty, $register:ident = $instruction:literal;)*) => {
        $(
            #[inline(always)]
            pub(crate) fn $name($($arg: $type),*) -> $type {
                let result: $type;
                // SAFETY: arithmetic on registers.
                unsafe {
                    asm!(
                        concat!($instruction, " {result}" $(, ", {", stringify!($arg), "}")*, ";"),
                        result = out($register) result, $($arg = in($register) $arg,)*
                        options(pure, nomem, nostack)
                    );
                }
                result
            }
        )*
    };
}

functions! {
    fma_f32(a, b, c): f32, reg32 = "fma.rn.f32";
    sqrt_f32(x): f32, reg32 = "sqrt.rn.f32";
    floor_f32(x): f32, reg32 = "cvt.rmi.f32.f32";
    ceil_f32(x): f32, reg32 = "cvt.rpi.f32.f32";
    trunc_f32(x): f32, reg32 = "cvt.rzi.f32.f32";
    round_ties_even_f32(x): f32, reg32 = "cvt.rni.f32.f32";
    fma_f64(a, b, c): f64, reg64 = "fma.rn.f64";
    sqrt_f64(x): f64, reg64 = "sqrt.rn.f64";
    floor_f64(x): f64, reg64 = "cvt.rmi.f64.f64";
    ceil_f64(x): f64, reg64 = "cvt.rpi.f64.f64";
    trunc_f64(x): f64, reg64 = "cvt.rzi.f64.f64";
    round_ties_even_f64(x): f64, reg64 = "cvt.rni.f64.f64";
    rsqrt_approx(x): f32, reg32 = "rsqrt.approx.f32";
    rcp_approx(x): f32, reg32 = "rcp.approx.f32";
    exp2_approx(x): f32, reg32 = "ex2.approx.f32";
    log2_approx(x): f32, reg32 = "lg2.approx.f32";
    sin_approx(x): f32, reg32 = "sin.approx.f32";
    cos_approx(x): f32, reg32 = "cos.approx.f32";
    tanh_approx(x): f32, reg32 = "tanh.approx.f32";
}

/// Conversions between a 16-bit number and `f32`.
macro_rules! halves {
    ($($narrow:ident = $to_half:literal, $fma:ident = $fused:literal;)*) => {
        $(
            #[inline(always)]
            pub(crate) fn $narrow(value: f32) -> u16 {
                let bits: u16;
                // SAFETY: arithmetic on registers.
                unsafe {
                    asm!(
                        concat!($to_half, " {}, {};"), out(reg16) bits, in(reg32) value,
                        options(pure, nomem, nostack)
                    );
                }
                bits
            }

            #[inline(always)]
            pub(crate) fn $fma(a: u32, b: u32, c: u32) -> u32 {
                let result: u32;
                // SAFETY: as above.
                unsafe {
                    asm!(
                        concat!($fused, " {}, {}, {}, {};"), out(reg32) result, in(reg32) a, in(reg32) b, in(reg32) c,
                        options(pure, nomem, nostack)
                    );
                }
                result
            }
        )*
    };
}

halves! {
    narrow_f16 = "cvt.rn.f16.f32", fma_f16x2 = "fma.rn.f16x2";
    narrow_bf16 = "cvt.rn.bf16.f32", fma_bf16x2 = "fma.rn.bf16x2";
}

#[inline(always)]
pub(crate) fn widen_f16(bits: u16) -> f32 {
    let value: f32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("cvt.f32.f16 {}, {};", out(reg32) value, in(reg16) bits, options(pure, nomem, nostack));
    }
    value
}

#[inline(always)]
pub(crate) fn widen_bf16(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[inline(always)]
pub(crate) fn to_tf32(value: f32) -> f32 {
    let rounded: f32;
    // SAFETY: as above.
    unsafe {
        asm!(
            "cvt.rna.tf32.f32 {}, {};", out(reg32) rounded, in(reg32) value,
            options(pure, nomem, nostack)
        );
    }
    rounded
}
