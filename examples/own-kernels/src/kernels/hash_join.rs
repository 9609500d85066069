//! Pairs of rows with equal keys, by buckets of hashed keys.
//!
//! Four launches: count the build side's rows in each bucket, sum up the counts, put the rows into their buckets, and look
//! up each row of the probe side.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread};

/// Buckets, and threads in the block of `bucket_starts`.
pub const BUCKETS: u32 = 256;

/// Bytes of shared memory of `bucket_starts`.
pub const SHARED_BYTES: u32 = 2 * 4 * BUCKETS;

/// The bucket of a key.
#[inline(always)]
pub fn bucket(key: u32) -> u32 {
    key.wrapping_mul(0x9E37_79B1) >> 24
}

kernel!(
    /// Adds to `sizes[b]` how many of the first `n` keys are in bucket `b`.
    #[requires(keys.len() >= n, sizes.len() >= u64::from(BUCKETS))]
    pub unsafe fn bucket_sizes(keys: In<u32>, sizes: InOut<u32>, n: u64) {
        let mut i = thread::index_1d();
        while i < n {
            sizes.atomic_add(u64::from(bucket(keys.get(i))), 1);
            i += thread::grid_size();
        }
    }
);

kernel!(
    /// `starts[b]` is the sum of `sizes` below `b`, and `starts[BUCKETS]` that of all; `ends` is the same as `starts`
    /// without its last element.
    ///
    /// Launch one block of `BUCKETS` threads with `SHARED_BYTES` of shared memory.
    #[requires(|shape|
        sizes.len() >= u64::from(BUCKETS),
        starts.len() > u64::from(BUCKETS),
        ends.len() >= u64::from(BUCKETS),
        shape.threads() == u64::from(BUCKETS),
        shape.block.count() == u64::from(BUCKETS),
        shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn bucket_starts(sizes: In<u32>, starts: InOut<u32>, ends: InOut<u32>) {
        let me = thread::thread_idx_x();
        let size = sizes.get(u64::from(me));
        // From one array to the other and back: nobody writes what another still reads.
        let mut from = shared::array::<u32>(0, BUCKETS);
        let mut to = shared::array::<u32>(4 * BUCKETS, BUCKETS);
        from.set(me, size);
        thread::sync_threads();
        let mut distance = 1;
        while distance < BUCKETS {
            let before = if me >= distance { from.get(me - distance) } else { 0 };
            to.set(me, from.get(me) + before);
            thread::sync_threads();
            (from, to) = (to, from);
            distance *= 2;
        }
        let end = from.get(me);
        starts.set(u64::from(me), end - size);
        ends.set(u64::from(me), end - size);
        if me == BUCKETS - 1 {
            starts.set(u64::from(BUCKETS), end);
        }
    }
);

kernel!(
    /// Puts the rows of the first `n` keys into `rows`, bucket by bucket. `ends[b]` moves from the start of bucket `b` to
    /// its end.
    #[requires(keys.len() >= n, ends.len() >= u64::from(BUCKETS), rows.len() >= n)]
    pub unsafe fn fill_buckets(keys: In<u32>, ends: InOut<u32>, rows: InOut<u32>, n: u64) {
        let mut i = thread::index_1d();
        while i < n {
            let at = ends.atomic_add(u64::from(bucket(keys.get(i))), 1);
            rows.set(u64::from(at), i as u32);
            i += thread::grid_size();
        }
    }
);

kernel!(
    /// Writes `(row of the build side, row of the probe side)` as one word for each pair with equal keys, in any order, and adds their
    /// number to `found`. Pairs that `pairs` has no room for are counted and not written.
    #[requires(
        rows.len() >= keys.len(),
        probe_keys.len() >= n,
        starts.len() > u64::from(BUCKETS),
        pairs.len() >= room,
        !found.is_empty(),
    )]
    pub unsafe fn probe(
        keys: In<u32>,
        probe_keys: In<u32>,
        starts: In<u32>,
        rows: In<u32>,
        pairs: InOut<u64>,
        found: InOut<u64>,
        n: u64,
        room: u64,
    ) {
        let mut i = thread::index_1d();
        while i < n {
            let key = probe_keys.get(i);
            let bucket = u64::from(bucket(key));
            let mut at = starts.get(bucket);
            let end = starts.get(bucket + 1);
            while at < end {
                let row = rows.get(u64::from(at));
                if keys.get(u64::from(row)) == key {
                    let place = found.atomic_add(0, 1);
                    if place < room {
                        pairs.set(place, u64::from(row) << 32 | i);
                    }
                }
                at += 1;
            }
            i += thread::grid_size();
        }
    }
);
