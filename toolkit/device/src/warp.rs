//! The 32 lanes of a warp, talking to one another without memory.
//!
//! Every call takes the mask of lanes that take part. It is under the
//! [contract of a kernel](crate#the-contract-of-a-kernel): all lanes in `mask` reach this same call with the same mask,
//! and the calling lane is in it. Votes, shuffles, matches and reductions order no memory accesses;
//! [`sync_warp`] does.

use core::convert::identity;

use warpwise_launch::{Shuffle, WarpReduction};

use crate::imp;
use crate::memory::Element;

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

/// The lanes that run together with this one, as a mask that has this lane. A GPU promises no more of it: it may run
/// each lane by itself, which is what the emulator does. A result must not depend on who is in it.
#[inline(always)]
pub fn active_mask() -> u32 {
    imp::active_mask()
}

/// Waits for the lanes of `mask` and makes their memory writes visible to one another.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync_warp(mask: u32) {
    imp::sync_warp(mask);
}

/// Bit `i` is lane `i`'s `predicate`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    imp::warp_vote_ballot(mask, predicate)
}

/// Whether `predicate` holds on any lane of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_vote_any(mask: u32, predicate: bool) -> bool {
    imp::warp_vote_ballot(mask, predicate) != 0
}

/// Whether `predicate` holds on all lanes of `mask`. It does not on a lane that a block lacks, where its size is no multiple of 32.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_vote_all(mask: u32, predicate: bool) -> bool {
    imp::warp_vote_ballot(mask, predicate) == mask
}

/// A number of 32 or 64 bits that lanes pass to one another. Those of 64 bits take two exchanges on a GPU.
pub trait WarpValue: Element {
    #[doc(hidden)]
    fn shuffle(self, mask: u32, from: Shuffle, operand: u32) -> Self;
    #[doc(hidden)]
    fn match_any_of(self, mask: u32) -> u32;
}

macro_rules! warp_values {
    ($($type:ty, $to_bits:expr, $from_bits:expr, $shuffle:ident, $match_any:ident;)*) => {
        $(
            impl WarpValue for $type {
                #[inline(always)]
                #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
                fn shuffle(self, mask: u32, from: Shuffle, operand: u32) -> Self {
                    $from_bits(imp::$shuffle(mask, $to_bits(self), from, operand))
                }

                #[inline(always)]
                #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
                fn match_any_of(self, mask: u32) -> u32 {
                    imp::$match_any(mask, $to_bits(self))
                }
            }
        )*
    };
}

warp_values! {
    u32, identity, identity, shuffle_32, match_any_32;
    i32, i32::cast_unsigned, u32::cast_signed, shuffle_32, match_any_32;
    f32, f32::to_bits, f32::from_bits, shuffle_32, match_any_32;
    u64, identity, identity, shuffle_64, match_any_64;
    i64, i64::cast_unsigned, u64::cast_signed, shuffle_64, match_any_64;
    f64, f64::to_bits, f64::from_bits, shuffle_64, match_any_64;
}

/// The mask of lanes whose `value` has the bits of this lane's.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_match_any<T: WarpValue>(mask: u32, value: T) -> u32 {
    value.match_any_of(mask)
}

/// Whether `value` has the same bits on all lanes of `mask`. A lane that a block lacks has no value: a mask that names it gives `false`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_match_all<T: WarpValue>(mask: u32, value: T) -> bool {
    value.match_any_of(mask) == mask
}

/// Lane `source`'s `value`. Of a lane that is not in `mask` it is unspecified, as it is for the other shuffles. A GPU looks at the lower
/// five bits of `source`, and of what the others take, and so does the emulator.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_shuffle_idx<T: WarpValue>(mask: u32, value: T, source: u32) -> T {
    value.shuffle(mask, Shuffle::Index, source)
}

/// The `value` of the lane `delta` below; this lane's own where there is none.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_shuffle_up<T: WarpValue>(mask: u32, value: T, delta: u32) -> T {
    value.shuffle(mask, Shuffle::Up, delta)
}

/// The `value` of the lane `delta` above; this lane's own where there is none.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_shuffle_down<T: WarpValue>(mask: u32, value: T, delta: u32) -> T {
    value.shuffle(mask, Shuffle::Down, delta)
}

/// The `value` of the lane whose index differs from this one's in the bits of `lane_mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_shuffle_xor<T: WarpValue>(mask: u32, value: T, lane_mask: u32) -> T {
    value.shuffle(mask, Shuffle::Xor, lane_mask)
}

/// The sum of `value` over the lanes of `mask`, modulo 2³².
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_add_32(mask: u32, value: u32) -> u32 {
    imp::reduce(mask, value, WarpReduction::Add)
}

/// The smallest `value` over the lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_min_32(mask: u32, value: u32) -> u32 {
    imp::reduce(mask, value, WarpReduction::Min)
}

/// The largest `value` over the lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_max_32(mask: u32, value: u32) -> u32 {
    imp::reduce(mask, value, WarpReduction::Max)
}

/// The smallest `value` over the lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_min_signed_32(mask: u32, value: i32) -> i32 {
    imp::reduce(mask, value.cast_unsigned(), WarpReduction::MinSigned).cast_signed()
}

/// The largest `value` over the lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_max_signed_32(mask: u32, value: i32) -> i32 {
    imp::reduce(mask, value.cast_unsigned(), WarpReduction::MaxSigned).cast_signed()
}

/// The bits that `value` has on all lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_and_32(mask: u32, value: u32) -> u32 {
    imp::reduce(mask, value, WarpReduction::And)
}

/// The bits that `value` has on any lane of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_or_32(mask: u32, value: u32) -> u32 {
    imp::reduce(mask, value, WarpReduction::Or)
}

/// The bits that `value` has on an odd number of the lanes of `mask`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_xor_32(mask: u32, value: u32) -> u32 {
    imp::reduce(mask, value, WarpReduction::Xor)
}

/// `combine` of `value` over a whole warp, on every lane: of any type that lanes exchange, in five rounds.
///
/// `combine` has to be commutative and associative. Where it is not associative, as the sum of floating-point
/// numbers is not, the result is still the same on every lane, on every device and in every run.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce<T: WarpValue>(mut value: T, combine: impl Fn(T, T) -> T) -> T {
    let mut distance = SIZE / 2;
    while distance > 0 {
        value = combine(value, warp_shuffle_xor(ALL, value, distance));
        distance /= 2;
    }
    value
}

/// The sum of 64-bit `value`s over a whole warp, modulo 2⁶⁴, on every lane.
///
/// Five rounds of exchanges: `redux` takes 32 bits only.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_reduce_add_64(value: u64) -> u64 {
    warp_reduce(value, u64::wrapping_add)
}

/// The sum of `value` over this lane and the lanes below, modulo 2³² (a whole warp takes part).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn warp_scan_add_32(mut value: u32) -> u32 {
    let mut distance = 1;
    while distance < SIZE {
        let below = warp_shuffle_up(ALL, value, distance);
        if lane_id() >= distance {
            value = value.wrapping_add(below);
        }
        distance *= 2;
    }
    value
}
