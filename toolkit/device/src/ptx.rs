//! The intrinsics as PTX instructions.
//!
//! Barriers, votes and shuffles are LLVM's intrinsics, which are convergent: the compiler may not
//! move them into a branch. Inline assembly is not marked so, and serves shared memory only, where
//! Rust has no address space and generic loads would cost an address check each.

use core::arch::asm;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _syncthreads, _thread_idx_x};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::memory::Element;

/// A kernel that panics stops the grid: the host sees a launch failure. No kernel of tribin
/// contains a panic: `cargo xtask ptx` fails on a `trap` in the module.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the kernel; nothing runs after it.
    unsafe { core::arch::nvptx::trap() }
}

core::arch::global_asm!(".extern .shared .align 16 .b8 dynamic_shared[];");

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.laneid"]
    fn read_lane_id() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.lt"]
    fn read_lane_mask_lt() -> u32;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(mask: u32);
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot_sync(mask: u32, predicate: bool) -> u32;
    #[link_name = "llvm.nvvm.match.any.sync.i32"]
    fn match_any_sync(mask: u32, value: u32) -> u32;
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
    #[link_name = "llvm.nvvm.redux.sync.umax"]
    fn redux_sync_umax(value: u32, mask: u32) -> u32;
    #[link_name = "llvm.nvvm.membar.gl"]
    fn membar_gl();
    #[link_name = "llvm.nvvm.nanosleep"]
    fn sleep(nanoseconds: u32);
}

// SAFETY of this file's register reads: a special register is always readable.

#[inline(always)]
pub(crate) fn thread_idx_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { _thread_idx_x() as u32 }
}

#[inline(always)]
pub(crate) fn block_idx_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { _block_idx_x() as u32 }
}

#[inline(always)]
pub(crate) fn block_dim_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { _block_dim_x() as u32 }
}

#[inline(always)]
pub(crate) fn grid_dim_x() -> u32 {
    // SAFETY: reads a special register.
    unsafe { _grid_dim_x() as u32 }
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
pub(crate) unsafe fn sync_threads() {
    _syncthreads();
}

#[inline(always)]
pub(crate) fn device_fence() {
    // SAFETY: a fence has no other effect.
    unsafe { membar_gl() }
}

#[inline(always)]
pub(crate) fn nanosleep(nanoseconds: u32) {
    // SAFETY: sleeping has no other effect.
    unsafe { sleep(nanoseconds) }
}

#[inline(always)]
pub(crate) fn pin_32(mut value: u32) -> u32 {
    // SAFETY: no instruction.
    unsafe { asm!("// {}", inout(reg32) value, options(nomem, nostack)) };
    value
}

#[inline(always)]
pub(crate) unsafe fn sync_warp(mask: u32) {
    bar_warp_sync(mask);
}

#[inline(always)]
pub(crate) unsafe fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    vote_ballot_sync(mask, predicate)
}

#[inline(always)]
pub(crate) unsafe fn match_any_32(mask: u32, value: u32) -> u32 {
    match_any_sync(mask, value)
}

#[inline(always)]
pub(crate) unsafe fn warp_shuffle_idx(mask: u32, value: u32, source: u32) -> u32 {
    shfl_sync_idx(mask, value, source, 31)
}

#[inline(always)]
pub(crate) unsafe fn warp_shuffle_up(mask: u32, value: u32, delta: u32) -> u32 {
    shfl_sync_up(mask, value, delta, 0)
}

#[inline(always)]
pub(crate) unsafe fn warp_shuffle_down(mask: u32, value: u32, delta: u32) -> u32 {
    shfl_sync_down(mask, value, delta, 31)
}

#[inline(always)]
pub(crate) unsafe fn warp_shuffle_xor(mask: u32, value: u32, lane_mask: u32) -> u32 {
    shfl_sync_bfly(mask, value, lane_mask, 31)
}

#[inline(always)]
pub(crate) unsafe fn warp_reduce_add_32(mask: u32, value: u32) -> u32 {
    redux_sync_add(value, mask)
}

#[inline(always)]
pub(crate) unsafe fn warp_reduce_max_32(mask: u32, value: u32) -> u32 {
    redux_sync_umax(value, mask)
}

macro_rules! mma {
    ($name:ident, $instruction:literal) => {
        #[inline(always)]
        pub(crate) unsafe fn $name(
            rows: [u32; 4],
            columns: [u32; 2],
            sums: [u32; 4],
        ) -> [u32; 4] {
            let [mut s0, mut s1, mut s2, mut s3] = sums;
            // Not `pure`: the compiler must not move it to where fewer lanes come.
            asm!(
                concat!($instruction, " {{{0}, {1}, {2}, {3}}}, {{{4}, {5}, {6}, {7}}}, {{{8}, {9}}}, {{{0}, {1}, {2}, {3}}};"),
                inout(reg32) s0, inout(reg32) s1, inout(reg32) s2, inout(reg32) s3,
                in(reg32) rows[0], in(reg32) rows[1], in(reg32) rows[2], in(reg32) rows[3],
                in(reg32) columns[0], in(reg32) columns[1],
                options(nomem, nostack)
            );
            [s0, s1, s2, s3]
        }
    };
}

mma!(mma_common_bits, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc");
mma!(mma_bytes, "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32");

/// A pointer into global memory.
#[derive(Clone, Copy)]
pub struct Global<T: Element>(*mut T);

/// A word that `atom.global` works on.
pub trait AtomicWord: Sized {
    unsafe fn add(at: *mut Self, value: Self) -> Self;
    unsafe fn max(at: *mut Self, value: Self) -> Self;
    unsafe fn or(at: *mut Self, value: Self) -> Self;
    unsafe fn load(at: *mut Self) -> Self;
    unsafe fn store(at: *mut Self, value: Self);
}

macro_rules! atomic_word {
    ($word:ty, $atomic:ty) => {
        impl AtomicWord for $word {
            #[inline(always)]
            unsafe fn add(at: *mut Self, value: Self) -> Self {
                <$atomic>::from_ptr(at).fetch_add(value, Relaxed)
            }
            #[inline(always)]
            unsafe fn max(at: *mut Self, value: Self) -> Self {
                <$atomic>::from_ptr(at).fetch_max(value, Relaxed)
            }
            #[inline(always)]
            unsafe fn or(at: *mut Self, value: Self) -> Self {
                <$atomic>::from_ptr(at).fetch_or(value, Relaxed)
            }
            #[inline(always)]
            unsafe fn load(at: *mut Self) -> Self {
                <$atomic>::from_ptr(at).load(Relaxed)
            }
            #[inline(always)]
            unsafe fn store(at: *mut Self, value: Self) {
                <$atomic>::from_ptr(at).store(value, Relaxed);
            }
        }
    };
}

atomic_word!(u32, AtomicU32);
atomic_word!(u64, AtomicU64);

impl<T: Element> Global<T> {
    #[inline(always)]
    pub(crate) unsafe fn from_ptr(ptr: *mut T) -> Self {
        Global(ptr)
    }

    #[inline(always)]
    pub(crate) unsafe fn load(self, index: u64) -> T {
        self.0.add(index as usize).read()
    }

    #[inline(always)]
    pub(crate) unsafe fn store(self, index: u64, value: T) {
        self.0.add(index as usize).write(value);
    }
}

impl<T: Element + AtomicWord> Global<T> {
    #[inline(always)]
    pub(crate) unsafe fn atomic_add(self, index: u64, value: T) -> T {
        T::add(self.0.add(index as usize), value)
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_max(self, index: u64, value: T) -> T {
        T::max(self.0.add(index as usize), value)
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_or(self, index: u64, value: T) -> T {
        T::or(self.0.add(index as usize), value)
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_load(self, index: u64) -> T {
        T::load(self.0.add(index as usize))
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_store(self, index: u64, value: T) {
        T::store(self.0.add(index as usize), value);
    }
}

/// An address in the block's shared memory.
#[derive(Clone, Copy)]
pub(crate) struct SharedBase(u32);

#[inline(always)]
pub(crate) unsafe fn shared_base(byte_offset: u32, _bytes: u32) -> SharedBase {
    let base: u32;
    asm!("mov.u32 {}, dynamic_shared;", out(reg32) base, options(pure, nomem, nostack));
    SharedBase(base + byte_offset)
}

impl SharedBase {
    #[inline(always)]
    pub(crate) unsafe fn load_32(self, index: u32) -> u32 {
        let value: u32;
        asm!(
            "ld.shared.u32 {}, [{}];", out(reg32) value, in(reg32) self.0 + index * 4,
            options(pure, readonly, nostack)
        );
        value
    }

    #[inline(always)]
    pub(crate) unsafe fn store_32(self, index: u32, value: u32) {
        asm!(
            "st.shared.u32 [{}], {};", in(reg32) self.0 + index * 4, in(reg32) value,
            options(nostack)
        );
    }

    #[inline(always)]
    pub(crate) unsafe fn load_64(self, index: u32) -> u64 {
        let value: u64;
        asm!(
            "ld.shared.u64 {}, [{}];", out(reg64) value, in(reg32) self.0 + index * 8,
            options(pure, readonly, nostack)
        );
        value
    }

    #[inline(always)]
    pub(crate) unsafe fn store_64(self, index: u32, value: u64) {
        asm!(
            "st.shared.u64 [{}], {};", in(reg32) self.0 + index * 8, in(reg64) value,
            options(nostack)
        );
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_add_32(self, index: u32, value: u32) -> u32 {
        let before: u32;
        asm!(
            "atom.shared.add.u32 {}, [{}], {};", out(reg32) before,
            in(reg32) self.0 + index * 4, in(reg32) value, options(nostack)
        );
        before
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_or_32(self, index: u32, value: u32) -> u32 {
        let before: u32;
        asm!(
            "atom.shared.or.b32 {}, [{}], {};", out(reg32) before,
            in(reg32) self.0 + index * 4, in(reg32) value, options(nostack)
        );
        before
    }

    #[inline(always)]
    pub(crate) unsafe fn atomic_and_32(self, index: u32, value: u32) -> u32 {
        let before: u32;
        asm!(
            "atom.shared.and.b32 {}, [{}], {};", out(reg32) before,
            in(reg32) self.0 + index * 4, in(reg32) value, options(nostack)
        );
        before
    }
}
