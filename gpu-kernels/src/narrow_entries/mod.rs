//! Entries in as many bits as their ids need, which is how they come over the link to a device.
//!
//! The link is what takes longest of a graph in host memory: 64 bits an entry, where a graph of four million vertices
//! needs 44.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// Entries that stand together.
pub const GROUP: u64 = 1024;

/// Fewest bits of an id: smaller ids take as many.
pub const LEAST_BITS: u32 = 16;

/// Most bits of an id.
pub const MOST_BITS: u32 = 31;

/// Words of a group of entries with ids of `bits` bits.
pub const fn group_words(bits: u32) -> u64 {
    GROUP / 32 * 2 * bits as u64
}

kernel!(
    /// Writes the entries from place `first` to before `m` to `entries`, two 32-bit vertices a word, the first in the low half. `narrow`
    /// has them with `bits` bits an id, in groups of [`GROUP`] entries, which take [`group_words`] each.
    ///
    /// The entry (u, v) is the number `u | v << bits`. A group has the lowest 32 bits of its entries first, a word each.
    /// The other `2 * bits - 32` bits follow in planes of 16, 8, 4 and 2 bits, those that add up to it, the largest
    /// with the lowest bits first. A plane of `p` bits has `32 * p` words. Its word `j` has the bits of the entries
    /// `j`, `j + 32 * p`, `j + 64 * p` and so on, from its lowest bits up.
    ///
    /// Launch with any number of blocks of [`BLOCK`] threads.
    #[requires(
        bits >= LEAST_BITS, bits <= MOST_BITS,
        narrow.len() >= m.saturating_sub(first).div_ceil(GROUP) * group_words(bits), entries.len() >= m,
    )]
    pub unsafe fn widen_entries(
        narrow: In<u32>,
        entries: InOut<u64>,
        bits: u32,
        first: u64,
        m: u64,
    ) {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while first + i < m {
            let (group, place) = (i / GROUP * group_words(bits), i % GROUP);
            let low = narrow.get(group + place);
            let mut high = 0;
            let mut taken = 0;
            let mut start = group + GROUP;
            let mut plane = 16;
            while plane >= 2 {
                if (2 * bits - 32) & plane != 0 {
                    let words = u64::from(32 * plane);
                    let word = narrow.get(start + place % words);
                    let shift = (place / words) as u32 * plane;
                    high |= (word >> shift & ((1 << plane) - 1)) << taken;
                    taken += plane;
                    start += words;
                }
                plane /= 2;
            }
            let u = low & ((1 << bits) - 1);
            let v = low >> bits | high << (32 - bits);
            entries.set(first + i, u64::from(u) | u64::from(v) << 32);
            i += stride;
        }
    }
);
