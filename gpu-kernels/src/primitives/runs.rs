use tribin_device::memory::InOut;
use tribin_device::warp;

/// Adds `amount` to `words[index]` for every lane that `counts`, modulo 2³²; the whole warp calls it.
///
/// Neighbouring lanes with the same index add once, together: in sorted input whole warps have the
/// same, and one word would otherwise take one addition after another.
#[inline(always)]
pub unsafe fn warp_add_runs(words: InOut<u32>, index: u32, counts: bool, amount: u32) {
    let lane = warp::lane_id();
    let counting = warp::warp_vote_ballot(warp::ALL, counts);
    let before = warp::warp_shuffle_up(warp::ALL, index, 1);
    let continues = lane > 0 && counts && before == index && counting >> (lane - 1) & 1 == 1;
    let starts = warp::warp_vote_ballot(warp::ALL, !continues);
    if counts && !continues {
        // `checked_shl` because lane 31 has nothing above it.
        let above = starts & u32::MAX.checked_shl(lane + 1).unwrap_or(0);
        let end = if above == 0 { warp::SIZE } else { above.trailing_zeros() };
        words.atomic_add(u64::from(index), amount.wrapping_mul(end - lane));
    }
}
