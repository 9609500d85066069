use warpwise_device::registers::pin_32;
use warpwise_device::shared::Shared;
use warpwise_device::warp;

/// How many keys before this one in the warp's stretch have its digit; counts it in `counts`, of
/// which the warp's start at `own_counts`. A lane whose key is not `live` passes any digit; `absent`
/// is a number that is no digit.
#[inline(always)]
pub fn rank_in_warp(
    counts: Shared<u32>,
    own_counts: u32,
    digit: u32,
    absent: u32,
    live: bool,
) -> u32 {
    let peers = warp::warp_match_any(warp::ALL, if live { digit } else { absent });
    let before = if live { counts.get(own_counts + digit) } else { 0 };
    warp::sync_warp(warp::ALL);
    let lower = peers & warp::lane_mask_lt();
    if live && lower == 0 {
        counts.set(own_counts + digit, before + peers.count_ones());
    }
    warp::sync_warp(warp::ALL);
    before + lower.count_ones()
}

/// [`rank_in_warp`] where every lane has a key. `masks` has as many words as `counts`, which are zero before and after, and the warp's start
/// at `own_counts` too.
///
/// Lanes with the same digit find each other by a word of shared memory. On an H200 a sort takes three quarters of the time that it takes
/// with the instruction that compares the lanes of a warp.
#[inline(always)]
pub fn rank_in_full_warp(
    counts: Shared<u32>,
    masks: Shared<u32>,
    own_counts: u32,
    digit: u32,
) -> u32 {
    // One address register serves both arrays.
    let place = pin_32(own_counts + digit);
    masks.atomic_or(place, 1 << warp::lane_id());
    warp::sync_warp(warp::ALL);
    let (peers, before) = (masks.get(place), counts.get(place));
    warp::sync_warp(warp::ALL);
    let lower = peers & warp::lane_mask_lt();
    if lower == 0 {
        counts.set(place, before + peers.count_ones());
        masks.set(place, 0);
    }
    warp::sync_warp(warp::ALL);
    before + lower.count_ones()
}

/// Turns the counts that `warps` warps have of `digit`, `digits` words apart, into how many keys of it
/// the warps before have; returns how many all have. One thread a digit calls it.
#[inline(always)]
pub fn starts_of_warps(counts: Shared<u32>, warps: u32, digits: u32, digit: u32) -> u32 {
    let mut in_tile = 0;
    for w in 0..warps {
        let count = counts.get(w * digits + digit);
        counts.set(w * digits + digit, in_tile);
        in_tile += count;
    }
    in_tile
}
