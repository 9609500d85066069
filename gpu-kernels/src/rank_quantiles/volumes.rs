use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use super::{CELLS, cell_of};

/// Threads in a block of [`rank_volumes`].
pub const VOLUMES_BLOCK: u32 = 256;

/// Ranks that a warp takes together.
const RANKS: u64 = 1_024;

/// From this rank on, a cell has as many ranks.
const WIDE_FROM: u64 = 8 * RANKS;

kernel!(
    /// `volumes[cell_of(r)]` grows by `degrees[r]`, for each of `n` ranks.
    ///
    /// Launch with whole warps.
    #[requires(degrees.len() >= n, volumes.len() >= u64::from(CELLS), n <= 1 << 32)]
    pub unsafe fn rank_volumes(degrees: In<u32>, volumes: InOut<u64>, n: u64) {
        let lane = u64::from(warp::lane_id());
        let warps = thread::grid_size() / u64::from(warp::SIZE);
        let mut first = thread::index_1d() / u64::from(warp::SIZE) * RANKS;
        while first < n {
            let end = (first + RANKS).min(n);
            let in_one_cell = first >= WIDE_FROM;
            let mut sum = 0;
            let mut rank = first + lane;
            while rank < end {
                let degree = u64::from(degrees.get(rank));
                if in_one_cell {
                    sum += degree;
                } else {
                    volumes.atomic_add(u64::from(cell_of(rank as u32)), degree);
                }
                rank += u64::from(warp::SIZE);
            }
            if in_one_cell {
                let of_warp = warp::warp_reduce_add_64(sum);
                if lane == 0 && of_warp != 0 {
                    volumes.atomic_add(u64::from(cell_of(first as u32)), of_warp);
                }
            }
            first += warps * RANKS;
        }
    }
);
