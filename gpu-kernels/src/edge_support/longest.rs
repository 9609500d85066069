use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

kernel!(
    /// Raises `longest[0]` to the length of the longest of `n` rows. Launch with whole warps.
    #[requires(rows.len() >= n, !longest.is_empty())]
    pub unsafe fn longest_row(rows: In<u64>, longest: InOut<u32>, n: u64) {
        let mut most = 0;
        for rank in thread::of_grid(n) {
            let row = rows.get(rank);
            most = most.max((row >> 32) as u32 - row as u32);
        }
        let most = warp::warp_reduce_max_32(warp::ALL, most);
        if warp::lane_id() == 0 {
            longest.atomic_max(0, most);
        }
    }
);
