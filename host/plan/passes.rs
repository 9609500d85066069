//! How a GPU prepares a graph whose entries its memory does not hold: how many are there at a time.

use super::bytes::{ROUNDING, countable};
use super::memory::{MAX_ENTRIES, key_sort_scratch_bytes};

/// Most runs of entries: each range of keys is put together from a piece of each run.
const MOST_RUNS: u64 = 64;

/// Bytes of device memory for `at_a_time` entries between vertices below `vertices`, at the peak. While they are sorted there are
/// the keys twice, the sort's words and the ranks; then the keys, the edges, where rows begin and end, and degrees.
pub fn bytes(at_a_time: u64, vertices: u64) -> u64 {
    let (at_a_time, vertices) = (countable(at_a_time), countable(vertices));
    16 * at_a_time + key_sort_scratch_bytes(at_a_time) + 12 * vertices + ROUNDING
}

/// The most of `entries` entries that `free` bytes have room for; 0 where they do not even have it for the vertices.
/// O(log entries).
pub fn at_a_time(entries: u64, vertices: u64, free: u64) -> u64 {
    let (mut low, mut high) = (0, entries.min(MAX_ENTRIES) + 1);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        match bytes(middle, vertices) <= free {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// The fewest entries at a time with which a GPU prepares `entries` of them.
pub fn fewest_at_a_time(entries: u64) -> u64 {
    entries.div_ceil(MOST_RUNS).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_fit() {
        for (entries, vertices, free, expected) in [
            (1_000, 10, bytes(1_000, 10), 1_000),
            (1_000, 10, u64::MAX, 1_000),
            (1_000, 10, bytes(999, 10), 999),
            (1_000, 10, bytes(999, 10) - 1, 998),
            (1_000, 10, bytes(1, 10) - 1, 0),
            (1_000, 1 << 40, 1 << 40, 0),
            (0, 10, u64::MAX, 0),
            (1 << 40, 10, u64::MAX, MAX_ENTRIES),
        ] {
            assert_eq!(at_a_time(entries, vertices, free), expected, "{entries} {vertices} {free}");
        }
        assert_eq!([0, 1, 64, 65, 6_400].map(fewest_at_a_time), [1, 1, 1, 2, 100]);
    }
}
