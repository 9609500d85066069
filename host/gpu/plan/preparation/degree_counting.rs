//! How the degrees of vertices are counted on a GPU.
//!
//! Additions at random to device memory are the slowest way, and to shared memory the fastest. So where there are many entries, their
//! ends are first brought into buckets of neighbouring vertices, of which a block has counters in shared memory. On an H100 that takes
//! 5.1 ms for 2.7 · 10⁸ entries between 6.7 · 10⁷ vertices, and additions to device memory take 37.
//! docs/measured.md has the times of other graphs.

use tribin_kernels::degrees::{
    BUCKET_SHARED_BYTES, MOST_BITS, MOST_BUCKETS, MOST_EDGES, count_shared_bytes,
};

/// Buckets of neighbouring vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buckets {
    /// A bucket has 2^`bits` vertices.
    pub bits: u32,
    /// Buckets that are filled at a time: those of a window of vertices.
    pub at_once: u32,
    /// Windows, for each of which the entries are read.
    pub windows: u64,
}

/// Fewest buckets of many vertices: each is a block's, and a GPU has more than a hundred blocks at a time.
const FEWEST_BUCKETS: u64 = 128;

/// Fewest entries that are brought into buckets: a kernel more takes longer to start than fewer take to count.
const LEAST_ENTRIES: u64 = 1 << 20;

/// Most vertices for each of the entries. The counters of all vertices are written, however few of them have entries.
const MOST_VERTICES: u64 = 8;

/// Parts of the entries of a graph whose degrees are counted while they arrive. The last part is counted after it.
const PARTS: u64 = 16;

impl Buckets {
    /// Buckets of `vertices` vertices, 2^`bits` in each.
    pub fn with_bits(vertices: u64, bits: u32) -> Buckets {
        let all = vertices.div_ceil(1 << bits).max(1);
        let windows = all.div_ceil(u64::from(MOST_BUCKETS));
        Buckets { bits, at_once: all.div_ceil(windows) as u32, windows }
    }

    /// Ends that a bucket has room for, where at most [`ENTRIES_AT_ONCE`] entries have ends at `vertices` vertices: a quarter more
    /// than there are in the mean, or all. A multiple of eight. Ends without room are counted at random.
    pub fn room(self, entries: u64, vertices: u64) -> u32 {
        let ends = 2 * entries;
        // Below 2⁴⁶, and the room below 2³².
        let mean = (ends << self.bits) / vertices.max(1);
        ((mean + mean / 4 + 64).min(ends) as u32).next_multiple_of(8)
    }

    /// Bytes of device memory for the ends of `entries` entries at `vertices` vertices.
    fn bytes(self, entries: u64, vertices: u64) -> u64 {
        u64::from(self.at_once) * (2 * u64::from(self.room(entries, vertices)) + 4)
    }
}

/// Entries that are brought into buckets at a time, at most.
pub const ENTRIES_AT_ONCE: u64 = MOST_EDGES;

/// The buckets through which the degrees of `vertices` vertices are counted among `entries` entries; `None` where they are counted by
/// additions to device memory. A block of the GPU has at most `most_shared_bytes` of shared memory. O(1).
///
/// ```
/// use tribin_gpu::plan::preparation::degree_buckets;
///
/// assert_eq!(degree_buckets(1_000, 10_000, 227 << 10), None);
/// let many = degree_buckets(1 << 26, 1 << 28, 227 << 10);
/// assert!(many.is_some_and(|buckets| buckets.bits == 15));
/// ```
pub fn degree_buckets(vertices: u64, entries: u64, most_shared_bytes: u32) -> Option<Buckets> {
    let mut bits = (vertices / FEWEST_BUCKETS).max(1).ilog2().min(MOST_BITS);
    while count_shared_bytes(bits) > most_shared_bytes.max(4) {
        bits -= 1;
    }
    let fits = BUCKET_SHARED_BYTES <= most_shared_bytes;
    let pay = fits && entries >= LEAST_ENTRIES && vertices / MOST_VERTICES <= entries;
    pay.then(|| Buckets::with_bits(vertices, bits))
}

/// How many of `entries` entries that arrive one after the other are counted at a time, at least.
pub fn counted_at_once(entries: u64) -> u64 {
    let part = entries / PARTS;
    if part >= LEAST_ENTRIES { part } else { 1 }
}

/// Bytes of device memory that it takes to count the degrees of `vertices` vertices among `entries` entries, beside both, on
/// any GPU.
pub fn counting_bytes(vertices: u64, entries: u64) -> u64 {
    let buckets = degree_buckets(vertices, entries, u32::MAX);
    buckets.map_or(0, |buckets| buckets.bytes(entries.min(ENTRIES_AT_ONCE), vertices))
}
