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
