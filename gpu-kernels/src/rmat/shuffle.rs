//! A random permutation of ids, by any number of threads.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use super::{GAMMA, NOWHERE, mix};

/// A number below `bound`, at most 2³², from 64 random bits: the upper half of their product, of which no part needs more
/// than 64 bits.
#[inline(always)]
fn below(draw: u64, bound: u64) -> u64 {
    ((draw >> 32) * bound + (((draw & 0xffff_ffff) * bound) >> 32)) >> 32
}

kernel!(
    /// Writes for each place `i` of `n` the place that it is exchanged with in the high half of `keys[i]`, and `i` in the low one.
    /// `state` is that of the stream of random numbers, of which the last place has the first. [`NOWHERE`] is written
    /// for all places to `first`.
    ///
    /// Launch with any number of blocks.
    #[requires(keys.len() >= n, first.len() >= n, n <= 1 << 32)]
    pub unsafe fn shuffle_keys(keys: InOut<u64>, first: InOut<u32>, state: u64, n: u64) {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < n {
            let draw = mix(state.wrapping_add(GAMMA.wrapping_mul(n - i)));
            keys.set(i, below(draw, i + 1) << 32 | i);
            first.set(i, NOWHERE);
            i += stride;
        }
    }
);

kernel!(
    /// Writes for each place with which others after it are exchanged the least of these to `first`. `keys` are those of
    /// [`shuffle_keys`] in order.
    ///
    /// Launch with any number of blocks.
    #[requires(keys.len() >= n, first.len() >= n)]
    pub unsafe fn first_of_places(keys: In<u64>, first: InOut<u32>, n: u64) {
        let stride = thread::grid_size();
        let mut t = thread::index_1d();
        while t < n {
            let key = keys.get(t);
            let (place, other) = (key >> 32, key & 0xffff_ffff);
            // A place may be exchanged with itself, and that comes first of its pairs.
            let before = if t == 0 { u64::MAX } else { keys.get(t - 1) };
            if other != place && (before >> 32 != place || before & 0xffff_ffff == place) {
                first.set(place, other as u32);
            }
            t += stride;
        }
    }
);

kernel!(
    /// Writes the id that each place ends with to `ids`. `keys` are those of [`shuffle_keys`] in order, and `first` is what
    /// [`first_of_places`] found.
    ///
    /// Launch with any number of blocks.
    #[requires(keys.len() >= n, first.len() >= n, ids.len() >= n)]
    pub unsafe fn shuffled_ids(keys: In<u64>, first: In<u32>, ids: InOut<u32>, n: u64) {
        let stride = thread::grid_size();
        let mut t = thread::index_1d();
        while t < n {
            let key = keys.get(t);
            let mut id = (key >> 32) as u32;
            let next = if t + 1 == n { u64::MAX } else { keys.get(t + 1) };
            if (next >> 32) as u32 == id {
                let mut from = next as u32;
                while from != NOWHERE {
                    id = from;
                    from = first.get(u64::from(from));
                }
            }
            ids.set(key & 0xffff_ffff, id);
            t += stride;
        }
    }
);
