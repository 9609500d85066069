use warpwise_device::memory::InOut;
use warpwise_device::warp;

/// Neighbouring lanes of a warp that have the same index.
///
/// In sorted input whole warps have the same: one addition a run takes the place of as many additions
/// to one word, one after another.
#[derive(Clone, Copy)]
pub struct WarpRun {
    /// Whether this lane is the first of its run. A lane that does not count is in none.
    pub is_first: bool,
    starts: u32,
}

impl WarpRun {
    /// The run of this lane among those that `counts`. The whole warp calls it.
    #[inline(always)]
    pub fn of(index: u32, counts: bool) -> WarpRun {
        let lane = warp::lane_id();
        let counting = warp::warp_vote_ballot(warp::ALL, counts);
        let before = warp::warp_shuffle_up(warp::ALL, index, 1);
        // No `&&`: a branch before the vote would split the warp.
        let before_counts = counting >> (lane.wrapping_sub(1) % warp::SIZE) & 1 == 1;
        let continues = (lane > 0) & counts & (before == index) & before_counts;
        let starts = warp::warp_vote_ballot(warp::ALL, !continues);
        WarpRun { is_first: counts & !continues, starts }
    }

    /// The first lane of the run, on each of its lanes.
    #[inline(always)]
    pub fn first_lane(self) -> u32 {
        let lane = warp::lane_id();
        // Lane 0 starts a run, if it is in one.
        31 - (self.starts & (u32::MAX >> (31 - lane))).leading_zeros()
    }

    /// How many lanes the run has, on its first.
    #[inline(always)]
    pub fn lanes(self) -> u32 {
        let lane = warp::lane_id();
        // `checked_shl` because lane 31 has nothing above it.
        let above = self.starts & u32::MAX.checked_shl(lane + 1).unwrap_or(0);
        let end = if above == 0 { warp::SIZE } else { above.trailing_zeros() };
        end - lane
    }
}

/// Adds `amount` to `words[index]` for every lane that `counts`, modulo 2³², once a [run](WarpRun);
/// the whole warp calls it.
#[inline(always)]
pub fn warp_add_runs(words: InOut<u32>, index: u32, counts: bool, amount: u32) {
    let run = WarpRun::of(index, counts);
    if run.is_first {
        words.atomic_add(u64::from(index), amount.wrapping_mul(run.lanes()));
    }
}
