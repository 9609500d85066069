//! The words of an array that are not 0, where there are few.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use crate::primitives::warp_append;

kernel!(
    /// Writes the words that are not 0 to `values`, in any order, and where each stands to `places`. Adds to `found[0]` how
    /// many there are. At most `room` of them are written.
    ///
    /// Launch with whole warps.
    #[requires(
        words.len() >= n, n <= 1 << 32, places.len() >= room, values.len() >= room, !found.is_empty(),
    )]
    pub unsafe fn list_words(
        words: In<u32>,
        places: InOut<u32>,
        values: InOut<u32>,
        found: InOut<u64>,
        n: u64,
        room: u64,
    ) {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes take places together.
        while i - lane < n {
            let word = if i < n { words.get(i) } else { 0 };
            if warp::warp_vote_any(warp::ALL, word != 0) {
                let at = warp_append(found, 0, u64::from(word != 0));
                if word != 0 && at < room {
                    places.set(at, i as u32);
                    values.set(at, word);
                }
            }
            i += stride;
        }
    }
);

kernel!(
    /// Adds `values[k]` to `sums[places[k]]`, modulo 2³², for every k < m. Places may be there several times.
    #[requires(places.len() >= m, values.len() >= m)]
    pub unsafe fn add_listed(places: In<u32>, values: In<u32>, sums: InOut<u32>, m: u64) {
        let stride = thread::grid_size();
        let mut k = thread::index_1d();
        while k < m {
            sums.atomic_add(u64::from(places.get(k)), values.get(k));
            k += stride;
        }
    }
);
