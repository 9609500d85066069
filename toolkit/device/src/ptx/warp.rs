//! What the lanes of a warp do together.

use core::arch::asm;

use warpwise_launch::{Shuffle, WarpReduction};

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.laneid"]
    fn read_lane_id() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.lt"]
    fn read_lane_mask_lt() -> u32;
    #[link_name = "llvm.nvvm.activemask"]
    fn read_active_mask() -> u32;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(mask: u32);
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot_sync(mask: u32, predicate: bool) -> u32;
    #[link_name = "llvm.nvvm.match.any.sync.i32"]
    fn match_any_sync(mask: u32, value: u32) -> u32;
    #[link_name = "llvm.nvvm.match.any.sync.i64"]
    fn match_any_sync_64(mask: u32, value: u64) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_sync_idx(mask: u32, value: u32, source: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
    fn shfl_sync_up(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
    fn shfl_sync_down(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn shfl_sync_bfly(mask: u32, value: u32, lane_mask: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.add"]
    fn redux_sync_add(value: u32, mask: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.umin"]
    fn redux_sync_umin(value: u32, mask: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.umax"]
    fn redux_sync_umax(value: u32, mask: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.min"]
    fn redux_sync_min(value: i32, mask: u32) -> i32;
    #[link_name = "llvm.nvvm.redux.sync.max"]
    fn redux_sync_max(value: i32, mask: u32) -> i32;
    #[link_name = "llvm.nvvm.redux.sync.and"]
    fn redux_sync_and(value: u32, mask: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.or"]
    fn redux_sync_or(value: u32, mask: u32) -> u32;
    #[link_name = "llvm.nvvm.redux.sync.xor"]
    fn redux_sync_xor(value: u32, mask: u32) -> u32;
}

#[inline(always)]
pub(crate) fn lane_id() -> u32 {
    // SAFETY: reads a special register.
    unsafe { read_lane_id() }
}

#[inline(always)]
pub(crate) fn lane_mask_lt() -> u32 {
    // SAFETY: reads a special register.
    unsafe { read_lane_mask_lt() }
}

#[inline(always)]
pub(crate) fn active_mask() -> u32 {
    // SAFETY: reads which lanes run.
    unsafe { read_active_mask() }
}

// SAFETY of the rest: the kernel's contract is that all lanes of `mask` come here with the same mask.

#[inline(always)]
pub(crate) fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: the kernel's contract, as above.
    unsafe { vote_ballot_sync(mask, predicate) }
}

#[inline(always)]
pub(crate) fn match_any_32(mask: u32, value: u32) -> u32 {
    // SAFETY: the kernel's contract, as above.
    unsafe { match_any_sync(mask, value) }
}

#[inline(always)]
pub(crate) fn match_any_64(mask: u32, value: u64) -> u32 {
    // SAFETY: the kernel's contract, as above.
    unsafe { match_any_sync_64(mask, value) }
}

#[inline(always)]
pub(crate) fn reduce(mask: u32, value: u32, by: WarpReduction) -> u32 {
    let signed = value.cast_signed();
    // SAFETY: the kernel's contract, as above.
    unsafe {
        match by {
            WarpReduction::Add => redux_sync_add(value, mask),
            WarpReduction::Min => redux_sync_umin(value, mask),
            WarpReduction::Max => redux_sync_umax(value, mask),
            WarpReduction::And => redux_sync_and(value, mask),
            WarpReduction::Or => redux_sync_or(value, mask),
            WarpReduction::Xor => redux_sync_xor(value, mask),
            WarpReduction::MinSigned => redux_sync_min(signed, mask).cast_unsigned(),
            WarpReduction::MaxSigned => redux_sync_max(signed, mask).cast_unsigned(),
        }
    }
}

#[inline(always)]
pub(crate) fn sync_warp(mask: u32) {
    // SAFETY: the kernel's contract, as above.
    unsafe { bar_warp_sync(mask) };
}

#[inline(always)]
pub(crate) fn shuffle_32(mask: u32, value: u32, from: Shuffle, operand: u32) -> u32 {
    // SAFETY: the kernel's contract, as above.
    unsafe {
        match from {
            Shuffle::Index => shfl_sync_idx(mask, value, operand, 31),
            Shuffle::Up => shfl_sync_up(mask, value, operand, 0),
            Shuffle::Down => shfl_sync_down(mask, value, operand, 31),
            Shuffle::Xor => shfl_sync_bfly(mask, value, operand, 31),
        }
    }
}

#[inline(always)]
pub(crate) fn shuffle_64(mask: u32, value: u64, from: Shuffle, operand: u32) -> u64 {
    let low = shuffle_32(mask, value as u32, from, operand);
    let high = shuffle_32(mask, (value >> 32) as u32, from, operand);
    u64::from(high) << 32 | u64::from(low)
}

macro_rules! mma {
    ($name:ident, $type:ty, $instruction:literal) => {
        #[inline(always)]
        pub(crate) fn $name(rows: [u32; 4], columns: [u32; 2], sums: [$type; 4]) -> [$type; 4] {
            let [mut s0, mut s1, mut s2, mut s3] = sums;
            // Not `pure`: the compiler must not move it to where fewer lanes come.
            // SAFETY: the kernel's contract is that the whole warp comes here.
            unsafe {
                asm!(
                    concat!($instruction, " {{{0}, {1}, {2}, {3}}}, {{{4}, {5}, {6}, {7}}}, {{{8}, {9}}}, {{{0}, {1}, {2}, {3}}};"),
                    inout(reg32) s0, inout(reg32) s1, inout(reg32) s2, inout(reg32) s3,
                    in(reg32) rows[0], in(reg32) rows[1], in(reg32) rows[2], in(reg32) rows[3],
                    in(reg32) columns[0], in(reg32) columns[1],
                    options(nomem, nostack)
                );
            }
            [s0, s1, s2, s3]
        }
    };
}

mma!(mma_common_bits, u32, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc");
mma!(mma_bytes, u32, "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32");
mma!(mma_signed_bytes, i32, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
mma!(mma_f16, f32, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
mma!(mma_bf16, f32, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
mma!(mma_tf32, f32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
