//! A hash table that counts keys.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// What a place of the table holds that has no key.
pub const EMPTY: u32 = u32::MAX;

/// The place where the search for a key begins (the finaliser of MurmurHash3).
#[inline(always)]
pub const fn hash(key: u32) -> u32 {
    let key = (key ^ key >> 16).wrapping_mul(0x85EB_CA6B);
    let key = (key ^ key >> 13).wrapping_mul(0xC2B2_AE35);
    key ^ key >> 16
}

kernel!(
    /// Counts the first `n` keys, none of which is `EMPTY`: where `table` has a key, `counts` has how often it was met.
    ///
    /// Launch with at least `n` threads. The table has `mask + 1` places, a power of two and more than there are keys.
    #[requires(|shape|
        shape.is_1d() && shape.threads() >= n,
        keys.len() >= n,
        table.len() > n,
        table.len() == mask + 1 && table.len().is_power_of_two(),
        counts.len() >= table.len(),
    )]
    pub unsafe fn count_keys(
        keys: In<u32>,
        table: InOut<u32>,
        counts: InOut<u32>,
        mask: u64,
        n: u64,
    ) {
        let i = thread::index_1d();
        if i >= n {
            return;
        }
        let key = keys.get(i);
        let mut at = u64::from(hash(key)) & mask;
        // There is an empty place, so this ends.
        loop {
            let before = table.atomic_compare_exchange(at, EMPTY, key);
            if before == EMPTY || before == key {
                break;
            }
            at = (at + 1) & mask;
        }
        counts.atomic_add(at, 1);
    }
);
