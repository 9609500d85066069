//! The 32 lanes of a warp, talking to one another without memory.
//!
//! Every call takes the mask of lanes that take part.
//!
//! # Safety
//! Holds for every function here: all lanes in `mask` reach this same call with the same mask, and
//! the calling lane is in it.

use crate::imp;

/// Lanes in a warp.
pub const SIZE: u32 = 32;

/// The mask of a whole warp.
pub const ALL: u32 = u32::MAX;

/// Index of this thread in its warp.
#[inline(always)]
pub fn lane_id() -> u32 {
    imp::lane_id()
}

/// The lanes below this one, as a mask.
#[inline(always)]
pub fn lane_mask_lt() -> u32 {
    imp::lane_mask_lt()
}

/// Waits for the lanes of `mask` and makes their memory writes visible to one another.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_warp(mask: u32) {
    imp::sync_warp(mask);
}

/// Bit `i` is lane `i`'s `predicate`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    imp::warp_vote_ballot(mask, predicate)
}

/// Whether `predicate` holds on any lane of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_vote_any(mask: u32, predicate: bool) -> bool {
    imp::warp_vote_ballot(mask, predicate) != 0
}

/// Whether `predicate` holds on all lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_vote_all(mask: u32, predicate: bool) -> bool {
    imp::warp_vote_ballot(mask, predicate) == mask
}

/// The mask of lanes whose `value` equals this lane's.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn match_any_32(mask: u32, value: u32) -> u32 {
    imp::match_any_32(mask, value)
}

/// Lane `source`'s `value`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_shuffle_idx(mask: u32, value: u32, source: u32) -> u32 {
    imp::warp_shuffle_idx(mask, value, source)
}

/// The `value` of the lane `delta` below; this lane's own where there is none.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_shuffle_up(mask: u32, value: u32, delta: u32) -> u32 {
    imp::warp_shuffle_up(mask, value, delta)
}

/// The `value` of the lane `delta` above; this lane's own where there is none.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_shuffle_down(mask: u32, value: u32, delta: u32) -> u32 {
    imp::warp_shuffle_down(mask, value, delta)
}

/// The `value` of the lane whose index differs from this one's in the bits of `lane_mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_shuffle_xor(mask: u32, value: u32, lane_mask: u32) -> u32 {
    imp::warp_shuffle_xor(mask, value, lane_mask)
}

/// The sum of `value` over the lanes of `mask`, modulo 2³².
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_reduce_add_32(mask: u32, value: u32) -> u32 {
    imp::warp_reduce_add_32(mask, value)
}

/// The largest `value` over the lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_reduce_max_32(mask: u32, value: u32) -> u32 {
    imp::warp_reduce_max_32(mask, value)
}

/// The sum of 64-bit `value`s over a whole warp, modulo 2⁶⁴, on every lane.
///
/// Five rounds of exchanges: `redux` takes 32 bits only.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_reduce_add_64(mut value: u64) -> u64 {
    let mut distance = SIZE / 2;
    while distance > 0 {
        let low = imp::warp_shuffle_xor(ALL, value as u32, distance);
        let high = imp::warp_shuffle_xor(ALL, (value >> 32) as u32, distance);
        value = value.wrapping_add(u64::from(high) << 32 | u64::from(low));
        distance /= 2;
    }
    value
}

/// The sum of `value` over this lane and the lanes below, modulo 2³² (a whole warp takes part).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_scan_add_32(mut value: u32) -> u32 {
    let mut distance = 1;
    while distance < SIZE {
        let below = imp::warp_shuffle_up(ALL, value, distance);
        if lane_id() >= distance {
            value = value.wrapping_add(below);
        }
        distance *= 2;
    }
    value
}
