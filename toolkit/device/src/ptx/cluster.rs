//! Clusters of blocks, from sm_90 on.

use core::arch::asm;
use core::mem::transmute_copy;

use warpwise_launch::AtomicAccess;

use super::shared::{load_cluster_32, load_cluster_64, store_cluster_32, store_cluster_64};
use super::{AtomicWord, SharedAccess, SharedBase};
use crate::memory::Element;

unsafe extern "C" {
    #[link_name = "llvm.nvvm.barrier.cluster.arrive.aligned"]
    fn barrier_cluster_arrive();
    #[link_name = "llvm.nvvm.barrier.cluster.wait.aligned"]
    fn barrier_cluster_wait();
}

/// Ends the compilation of kernels for GPUs that have not what the caller does, where a kernel calls it: what is not generic would be found out
/// with the device library.
#[inline(always)]
pub(super) fn needs_sm_90<Caller>() {
    const {
        assert!(
            cfg!(all(target_feature = "sm_90", target_feature = "ptx80")),
            "clusters and bulk copies need sm_90: say `.arch(\"sm_90\").ptx_version(\"8.0\")` in the build script"
        );
    }
}

#[inline(always)]
pub(crate) fn cluster_rank() -> u32 {
    needs_sm_90::<()>();
    let rank: u32;
    // SAFETY: a special register is always readable.
    unsafe {
        asm!("mov.u32 {}, %cluster_ctarank;", out(reg32) rank, options(pure, nomem, nostack));
    }
    rank
}

#[inline(always)]
pub(crate) fn cluster_size() -> u32 {
    needs_sm_90::<()>();
    let size: u32;
    // SAFETY: a special register is always readable. A cluster has blocks, so that a division by their number is no panic.
    unsafe {
        asm!("mov.u32 {}, %cluster_nctarank;", out(reg32) size, options(pure, nomem, nostack));
        core::hint::assert_unchecked(size > 0);
    }
    size
}

#[inline(always)]
pub(crate) fn cluster_sync() {
    needs_sm_90::<()>();
    // SAFETY: the kernel's contract is that all threads of the cluster come here.
    unsafe {
        barrier_cluster_arrive();
        barrier_cluster_wait();
    }
}

/// An address in the shared memory of a block of the cluster.
#[derive(Clone, Copy)]
pub struct ClusterBase(u32);

// SAFETY of the accesses: the kernel's contract is that the cluster has a block of this rank, which has started and has not returned, and
// that `index` lies inside the array.

#[inline(always)]
pub(crate) fn of_block(array: SharedBase, rank: u32) -> ClusterBase {
    needs_sm_90::<()>();
    let base: u32;
    // SAFETY: computes an address.
    unsafe {
        asm!(
            "mapa.shared::cluster.u32 {}, {}, {};", out(reg32) base, in(reg32) array.at::<u8>(0),
            in(reg32) rank, options(pure, nomem, nostack)
        );
    }
    ClusterBase(base)
}

impl ClusterBase {
    /// The element's address.
    #[inline(always)]
    fn at<T>(self, index: u32) -> u32 {
        self.0 + index * size_of::<T>() as u32
    }
}

// Elements have 4 or 8 bytes, and the words their size.
impl SharedAccess for ClusterBase {
    #[inline(always)]
    fn load<T: Element>(self, index: u32) -> T {
        let at = self.at::<T>(index);
        // SAFETY: the kernel's contract, as above.
        unsafe {
            match size_of::<T>() {
                4 => transmute_copy(&load_cluster_32(at)),
                _ => transmute_copy(&load_cluster_64(at)),
            }
        }
    }

    #[inline(always)]
    fn store<T: Element>(self, index: u32, value: T) {
        let at = self.at::<T>(index);
        // SAFETY: as above.
        unsafe {
            match size_of::<T>() {
                4 => store_cluster_32(at, transmute_copy(&value)),
                _ => store_cluster_64(at, transmute_copy(&value)),
            }
        }
    }

    #[inline(always)]
    fn atomic<T: AtomicWord>(self, index: u32, access: AtomicAccess<T>) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::in_cluster(self.at::<T>(index), access) }
    }
}
