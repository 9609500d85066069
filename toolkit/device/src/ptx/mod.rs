//! The intrinsics as PTX instructions.
//!
//! Barriers, votes and shuffles are LLVM's intrinsics, which are convergent: the compiler may not
//! move them into a branch. Inline assembly is not marked so. It serves shared memory, where
//! Rust has no address space and generic loads would cost an address check each, and what LLVM has no
//! intrinsic for.
//!
//! The functions are safe to call as those of the device library are: under the contract of
//! [`kernel!`](crate::kernel).

mod bulk;
mod cluster;
mod copies;
mod global;
mod math;
mod shared;
mod trace;
mod warp;
mod warpgroup;

use core::arch::asm;
use core::arch::nvptx::{self, _syncthreads};

pub(crate) use bulk::{bulk_copy, mbarrier_arrive, mbarrier_init, mbarrier_wait};
pub use cluster::ClusterBase;
pub(crate) use cluster::{cluster_rank, cluster_size, cluster_sync, of_block};
pub(crate) use copies::{copy_async, copy_async_commit, copy_async_wait};
pub use global::{AtomicWord, Global};
pub(crate) use math::*;
pub use shared::{Element, SharedAccess, SharedBase};
pub use trace::{TracedLine, print_line};
pub(crate) use warp::*;
pub(crate) use warpgroup::{wgmma_bf16, wgmma_f16};

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
    #[link_name = "llvm.nvvm.barrier.cta.red.popc.aligned.all"]
    fn barrier_popc(barrier: u32, predicate: bool) -> u32;
    #[link_name = "llvm.nvvm.membar.gl"]
    fn membar_gl();
    #[link_name = "llvm.nvvm.membar.sys"]
    fn membar_sys();
    #[link_name = "llvm.nvvm.nanosleep"]
    fn sleep(nanoseconds: u32);
}

macro_rules! registers {
    ($($name:ident = $read:ident;)*) => {
        $(
            #[inline(always)]
            pub(crate) fn $name() -> u32 {
                // SAFETY: a special register is always readable.
                unsafe { nvptx::$read() as u32 }
            }
        )*
    };
}

registers! {
    thread_idx_x = _thread_idx_x;
    thread_idx_y = _thread_idx_y;
    thread_idx_z = _thread_idx_z;
    block_idx_x = _block_idx_x;
    block_idx_y = _block_idx_y;
    block_idx_z = _block_idx_z;
    block_dim_x = _block_dim_x;
    block_dim_y = _block_dim_y;
    block_dim_z = _block_dim_z;
    grid_dim_x = _grid_dim_x;
    grid_dim_y = _grid_dim_y;
    grid_dim_z = _grid_dim_z;
}

macro_rules! clocks {
    ($($name:ident = $read:literal;)*) => {
        $(
            #[inline(always)]
            pub(crate) fn $name() -> u64 {
                let time: u64;
                // Neither `pure` nor `nomem`: each reading is another, and accesses stay before it or behind it.
                // SAFETY: a special register is always readable.
                unsafe { asm!($read, out(reg64) time, options(nostack)) };
                time
            }
        )*
    };
}

clocks! {
    clock64 = "mov.u64 {}, %clock64;";
    globaltimer = "mov.u64 {}, %globaltimer;";
}

#[inline(always)]
pub(crate) fn sync_threads() {
    // SAFETY: the kernel's contract is that all threads of the block come here.
    unsafe { _syncthreads() };
}

#[inline(always)]
pub(crate) fn sync_threads_count(predicate: bool) -> u32 {
    // SAFETY: as above.
    unsafe { barrier_popc(0, predicate) }
}

#[inline(always)]
pub(crate) fn device_fence() {
    // SAFETY: a fence has no other effect.
    unsafe { membar_gl() }
}

#[inline(always)]
pub(crate) fn system_fence() {
    // SAFETY: a fence has no other effect.
    unsafe { membar_sys() }
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
