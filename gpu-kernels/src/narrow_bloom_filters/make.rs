use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use super::{BITS_LOG2, bits, most_exact, words};

/// Threads in a block of [`narrow_bloom_filters`].
pub const BLOCK: u32 = 256;

kernel!(
    /// The 2^`bits_log2` bits of each of the rows `0..n` to `filters`. Two rows share a word, the first in the lower half, or a
    /// row has one, two or four words, the lowest first. Edges and rows are those of an [`Oriented`](crate::primitives::Oriented) graph.
    #[requires(
        n <= 1 << 32, rows.len() >= n, (BITS_LOG2.0..=BITS_LOG2.1).contains(&bits_log2), exact <= most_exact(bits_log2),
        filters.len() >= words(n, bits_log2), heads.len() < 1 << 32,
    )]
    pub unsafe fn narrow_bloom_filters(
        heads: In<u32>,
        rows: In<u64>,
        filters: InOut<u32>,
        n: u64,
        bits_log2: u32,
        exact: u32,
    ) {
        let stride = thread::grid_size();
        let rows_log2 = if bits_log2 < 5 { 1 } else { 0 };
        for first_row in thread::strided(thread::index_1d() << rows_log2..n, stride << rows_log2) {
            let (mut low, mut high) = (0u64, 0u64);
            for k in 0..1 << rows_log2 {
                let r = first_row + u64::from(k);
                let row = if r < n { rows.get(r) } else { 0 };
                let (mut place, end) = (row as u32, (row >> 32) as u32);
                while place < end {
                    let [one, other] = bits(heads.get(u64::from(place)), bits_log2, exact);
                    low |= 1 << (one + (k << bits_log2));
                    high |= 1 << (other + (k << bits_log2));
                    place += 1;
                }
            }
            if bits_log2 > 6 {
                filters.set(4 * first_row, low as u32);
                filters.set(4 * first_row + 1, (low >> 32) as u32);
                filters.set(4 * first_row + 2, high as u32);
                filters.set(4 * first_row + 3, (high >> 32) as u32);
            } else if bits_log2 > 5 {
                filters.set(2 * first_row, low as u32);
                filters.set(2 * first_row + 1, high as u32);
            } else {
                filters.set(first_row >> rows_log2, (low | high) as u32);
            }
        }
    }
);
