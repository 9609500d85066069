//! Products of a warpgroup, for sm_90a alone.

use core::arch::asm;

use super::SharedBase;

/// Ends the compilation of kernels for other GPUs, where a kernel calls it, as that of clusters does.
#[inline(always)]
fn needs_sm_90a<Caller>() {
    const {
        assert!(
            cfg!(all(target_feature = "sm_90a", target_feature = "ptx80")),
            "wgmma needs sm_90a: say `.arch(\"sm_90a\").ptx_version(\"8.0\")` in the build script"
        );
    }
}

/// What says where a matrix is: its address, the way to the next four words of its lines, which is 128 bytes, and the way to the next
/// eight lines, which is 1024, all by 16 bytes. It has no swizzle.
#[inline(always)]
fn descriptor(matrix: SharedBase) -> u64 {
    let start = matrix.at::<u8>(0) & 0x3_FFFF;
    u64::from(start >> 4) | (128 >> 4) << 16 | (1024 >> 4) << 32
}

macro_rules! wgmma {
    ($name:ident, $numbers:literal, $first:ident $($sum:ident)*) => {
        #[inline(always)]
        pub(crate) fn $name(rows: SharedBase, columns: SharedBase, sums: [f32; 64]) -> [f32; 64] {
            macro_rules! products {
                () => {
                    concat!(
                        "wgmma.mma_async.sync.aligned.m64n128k16.f32.", $numbers, " {{{", stringify!($first), "}",
                        $(", {", stringify!($sum), "}",)* "}}, %a, %b, %add, 1, 1, 0, 0;"
                    )
                };
            }
            needs_sm_90a::<()>();
            let [mut $first, $(mut $sum,)*] = sums;
            // Between the first fence and the wait nothing but these instructions may touch the sums: all are one block. The engine has a
            // way of its own to shared memory, which the fence of the proxy lets it take behind the threads.
            // SAFETY: the kernel's contract is that the warpgroup comes here, with two matrices.
            unsafe {
                asm!(
                    "{{",
                    ".reg .pred %add;",
                    ".reg .b64 %a, %b;",
                    "mov.b64 %a, {rows};",
                    "mov.b64 %b, {columns};",
                    "setp.eq.b64 %add, %a, %a;",
                    "fence.proxy.async.shared::cta;",
                    "wgmma.fence.sync.aligned;",
                    products!(),
                    "add.u64 %a, %a, 16;",
                    "add.u64 %b, %b, 16;",
                    products!(),
                    "add.u64 %a, %a, 16;",
                    "add.u64 %b, %b, 16;",
                    products!(),
                    "add.u64 %a, %a, 16;",
                    "add.u64 %b, %b, 16;",
                    products!(),
                    "wgmma.commit_group.sync.aligned;",
                    "wgmma.wait_group.sync.aligned 0;",
                    "}}",
                    $first = inout(reg32) $first, $($sum = inout(reg32) $sum,)*
                    rows = in(reg64) descriptor(rows), columns = in(reg64) descriptor(columns), options(nostack)
                );
            }
            [$first, $($sum),*]
        }
    };
}

macro_rules! both {
    ($($sum:ident)*) => {
        wgmma!(wgmma_f16, "f16.f16", $($sum)*);
        wgmma!(wgmma_bf16, "bf16.bf16", $($sum)*);
    };
}

both!(
    s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15 s16 s17 s18 s19 s20 s21 s22 s23 s24 s25 s26 s27 s28 s29 s30 s31
    s32 s33 s34 s35 s36 s37 s38 s39 s40 s41 s42 s43 s44 s45 s46 s47 s48 s49 s50 s51 s52 s53 s54 s55 s56 s57 s58 s59 s60 s61 s62 s63
);
