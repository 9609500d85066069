//! Clusters of blocks, which compute capability 9.0 brought: blocks that run together, wait for one another, and reach
//! each other's shared memory.
//!
//! A launch asks for them with [`Shape::cluster`](warpwise_launch::Shape::cluster); without it each block is a cluster of its own. On the
//! device the kernels have to be compiled for `sm_90` or later: `.arch("sm_90").ptx_version("8.0")` of the builder. In kernels for older
//! GPUs a call of this module is an error of the compiler.
//!
//! All blocks of a cluster have to have started before one reaches into another's memory, and none may return while another
//! still does: [`sync`] stands before the first such access and behind the last.
//!
//! ```
//! use warpwise_device::memory::{In, InOut};
//! use warpwise_device::{cluster, kernel, shared, thread};
//!
//! kernel!(
//!     /// `sums[c]` is the sum of the values of cluster `c`.
//!     #[requires(|shape| shape.is_1d(), shape.shared_bytes >= 4, values.len() >= shape.threads(), sums.len() >= u64::from(shape.grid.x))]
//!     pub unsafe fn sum_clusters(values: In<u32>, sums: InOut<u32>) {
//!         let me = thread::thread_idx_x();
//!         let sum = shared::array::<u32>(0, 1);
//!         if me == 0 {
//!             sum.set(0, 0);
//!         }
//!         cluster::sync();
//!         cluster::of_block(sum, 0).atomic_add(0, values.get(thread::index_1d()));
//!         cluster::sync();
//!         if me == 0 && cluster::rank() == 0 {
//!             sums.set((thread::block_idx_x() / cluster::size()).into(), sum.get(0));
//!         }
//!     }
//! );
//! # fn main() {}
//! ```

use crate::imp;
use crate::memory::Element;
use crate::shared::Shared;

/// The number of the calling thread's block in its cluster.
#[inline(always)]
pub fn rank() -> u32 {
    imp::cluster_rank()
}

/// Blocks of a cluster.
#[inline(always)]
pub fn size() -> u32 {
    imp::cluster_size()
}

/// Waits until every thread of the cluster is here, and makes their writes to shared and global memory visible to one another. Every
/// thread of the cluster reaches this same call.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync() {
    imp::cluster_sync();
}

/// What the block with the number `rank` of the cluster has where the calling thread's block has `array`. Elements of 4 and 8 bytes
/// that are aligned to their size can be reached; others are an error of the compiler.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn of_block<T: Element>(array: Shared<T>, rank: u32) -> Shared<T, imp::ClusterBase> {
    const {
        assert!(matches!(size_of::<T>(), 4 | 8), "elements of 4 and 8 bytes can be reached");
        assert!(align_of::<T>() == size_of::<T>(), "elements have to be aligned to their size");
    }
    array.elsewhere(imp::of_block(array.base, rank))
}
