//! The names that NVIDIA's cuda-oxide (CUDA Rust) gives to what is in [`thread`](crate::thread) and
//! [`warp`](crate::warp).
//!
//! A body written for `cuda_device` takes its imports from here: `use tribin_device::cuda_oxide::{thread, warp};`
//! instead of `use cuda_device::{thread, warp};`. Its memory has to become [`In`](crate::memory::In) and
//! [`InOut`](crate::memory::InOut), whose indices are numbers and not witnesses; so
//! [`thread::index_1d`] is a number too, with the witness's `get`.

/// Threads and blocks.
pub mod thread {
    pub use crate::thread::{
        block_dim_x as blockDim_x, block_dim_y as blockDim_y, block_dim_z as blockDim_z,
        block_idx_x as blockIdx_x, block_idx_y as blockIdx_y, block_idx_z as blockIdx_z,
        grid_dim_x as gridDim_x, grid_dim_y as gridDim_y, grid_dim_z as gridDim_z, sync_threads,
        thread_idx_x as threadIdx_x, thread_idx_y as threadIdx_y, thread_idx_z as threadIdx_z,
    };

    /// The index of a thread in the grid.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ThreadIndex(u64);

    impl ThreadIndex {
        /// The number.
        #[inline(always)]
        pub fn get(self) -> u64 {
            self.0
        }
    }

    /// Index of this thread in the grid, along x.
    #[inline(always)]
    pub fn index_1d() -> ThreadIndex {
        ThreadIndex(crate::thread::index_1d())
    }

    /// Index of this thread in the grid, along y.
    #[inline(always)]
    pub fn index_2d_row() -> usize {
        crate::thread::index_2d()[1] as usize
    }

    /// Index of this thread in the grid, along x.
    #[inline(always)]
    pub fn index_2d_col() -> usize {
        crate::thread::index_1d() as usize
    }
}

/// Fences.
pub mod fence {
    pub use crate::thread::{device_fence as threadfence, system_fence as threadfence_system};
}

/// Operations of the whole warp, and with `_sync` of the lanes of a mask.
pub mod warp {
    pub use crate::warp::{
        active_mask, lane_id, lane_mask_lt as lanemask_lt, sync_warp as sync_mask,
    };

    use crate::warp::{
        ALL, WarpValue, warp_match_all, warp_match_any, warp_shuffle_down, warp_shuffle_idx,
        warp_shuffle_up, warp_shuffle_xor, warp_vote_all, warp_vote_any, warp_vote_ballot,
    };

    /// Index of the calling thread's warp in its block.
    #[inline(always)]
    pub fn warp_id() -> u32 {
        crate::thread::thread_idx_x() / crate::warp::SIZE
    }

    /// The `value` of lane `lane`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle(value: u32, lane: u32) -> u32 {
        warp_shuffle_idx(ALL, value, lane)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_sync(mask: u32, value: u32, lane: u32) -> u32 {
        warp_shuffle_idx(mask, value, lane)
    }

    /// The `value` of lane `lane`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_f32(value: f32, lane: u32) -> f32 {
        warp_shuffle_idx(ALL, value, lane)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_f32_sync(mask: u32, value: f32, lane: u32) -> f32 {
        warp_shuffle_idx(mask, value, lane)
    }

    /// The `value` of lane `lane`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_f64(value: f64, lane: u32) -> f64 {
        warp_shuffle_idx(ALL, value, lane)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_f64_sync(mask: u32, value: f64, lane: u32) -> f64 {
        warp_shuffle_idx(mask, value, lane)
    }

    /// The `value` of lane `lane`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_u64(value: u64, lane: u32) -> u64 {
        warp_shuffle_idx(ALL, value, lane)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_u64_sync(mask: u32, value: u64, lane: u32) -> u64 {
        warp_shuffle_idx(mask, value, lane)
    }

    /// The `value` of the lane `delta` below; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up(value: u32, delta: u32) -> u32 {
        warp_shuffle_up(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_sync(mask: u32, value: u32, delta: u32) -> u32 {
        warp_shuffle_up(mask, value, delta)
    }

    /// The `value` of the lane `delta` below; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_f32(value: f32, delta: u32) -> f32 {
        warp_shuffle_up(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_f32_sync(mask: u32, value: f32, delta: u32) -> f32 {
        warp_shuffle_up(mask, value, delta)
    }

    /// The `value` of the lane `delta` below; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_f64(value: f64, delta: u32) -> f64 {
        warp_shuffle_up(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_f64_sync(mask: u32, value: f64, delta: u32) -> f64 {
        warp_shuffle_up(mask, value, delta)
    }

    /// The `value` of the lane `delta` below; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_u64(value: u64, delta: u32) -> u64 {
        warp_shuffle_up(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_up_u64_sync(mask: u32, value: u64, delta: u32) -> u64 {
        warp_shuffle_up(mask, value, delta)
    }

    /// The `value` of the lane `delta` above; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down(value: u32, delta: u32) -> u32 {
        warp_shuffle_down(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_sync(mask: u32, value: u32, delta: u32) -> u32 {
        warp_shuffle_down(mask, value, delta)
    }

    /// The `value` of the lane `delta` above; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_f32(value: f32, delta: u32) -> f32 {
        warp_shuffle_down(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_f32_sync(mask: u32, value: f32, delta: u32) -> f32 {
        warp_shuffle_down(mask, value, delta)
    }

    /// The `value` of the lane `delta` above; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_f64(value: f64, delta: u32) -> f64 {
        warp_shuffle_down(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_f64_sync(mask: u32, value: f64, delta: u32) -> f64 {
        warp_shuffle_down(mask, value, delta)
    }

    /// The `value` of the lane `delta` above; this lane's own where there is none.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_u64(value: u64, delta: u32) -> u64 {
        warp_shuffle_down(ALL, value, delta)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_down_u64_sync(mask: u32, value: u64, delta: u32) -> u64 {
        warp_shuffle_down(mask, value, delta)
    }

    /// The `value` of the lane whose index differs in the bits of `lane_mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor(value: u32, lane_mask: u32) -> u32 {
        warp_shuffle_xor(ALL, value, lane_mask)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_sync(mask: u32, value: u32, lane_mask: u32) -> u32 {
        warp_shuffle_xor(mask, value, lane_mask)
    }

    /// The `value` of the lane whose index differs in the bits of `lane_mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_f32(value: f32, lane_mask: u32) -> f32 {
        warp_shuffle_xor(ALL, value, lane_mask)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_f32_sync(mask: u32, value: f32, lane_mask: u32) -> f32 {
        warp_shuffle_xor(mask, value, lane_mask)
    }

    /// The `value` of the lane whose index differs in the bits of `lane_mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_f64(value: f64, lane_mask: u32) -> f64 {
        warp_shuffle_xor(ALL, value, lane_mask)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_f64_sync(mask: u32, value: f64, lane_mask: u32) -> f64 {
        warp_shuffle_xor(mask, value, lane_mask)
    }

    /// The `value` of the lane whose index differs in the bits of `lane_mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_u64(value: u64, lane_mask: u32) -> u64 {
        warp_shuffle_xor(ALL, value, lane_mask)
    }

    /// The same among the lanes of `mask`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn shuffle_xor_u64_sync(mask: u32, value: u64, lane_mask: u32) -> u64 {
        warp_shuffle_xor(mask, value, lane_mask)
    }

    /// Whether `predicate` holds on all lanes.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn all(predicate: bool) -> bool {
        warp_vote_all(ALL, predicate)
    }

    /// Whether `predicate` holds on any lane.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn any(predicate: bool) -> bool {
        warp_vote_any(ALL, predicate)
    }

    /// Bit `i` is lane `i`'s `predicate`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn ballot(predicate: bool) -> u32 {
        warp_vote_ballot(ALL, predicate)
    }

    /// On how many lanes `predicate` holds.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn popc(predicate: bool) -> u32 {
        warp_vote_ballot(ALL, predicate).count_ones()
    }

    /// `mask` where `value` has the same bits on all of its lanes, else 0.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn match_all_sync<T: WarpValue>(mask: u32, value: T) -> u32 {
        if warp_match_all(mask, value) { mask } else { 0 }
    }

    /// The mask of lanes whose `value` has the bits of this lane's.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn match_any_sync<T: WarpValue>(mask: u32, value: T) -> u32 {
        warp_match_any(mask, value)
    }
}
