//! A few bits for every row: where rows have two to five entries, most edges that close no triangle are told
//! by one look at an array that stays in the L2 cache.
//!
//! A row's 8, 16 or 32 bits have one set for the hash of each entry. An edge u → a closes a triangle with a
//! vertex before a in u's row only if that vertex' bit is set in a's; the few edges for which one is are
//! merged.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::forward::{TOTALS, merge_edge};
use crate::primitives::block_add_to;

/// Threads in a block of [`narrow_bloom_filters`].
pub const BLOCK: u32 = 256;

/// Least and most bits of a row, as powers of two.
pub const BITS_LOG2: (u32, u32) = (3, 5);

/// Rows whose bits are in one word, the first in the lowest, as a power of two.
#[inline(always)]
pub const fn rows_log2(bits_log2: u32) -> u32 {
    5 - bits_log2
}

/// The bit of 2^`bits_log2` that stands for `vertex`. The multiplier is odd, and the high bits depend on all bits
/// of the vertex.
#[inline(always)]
pub fn bit(vertex: u32, bits_log2: u32) -> u32 {
    vertex.wrapping_mul(0x9e37_79b1) >> (32 - bits_log2)
}

kernel! {
    /// The 2^`bits_log2` bits of each of the rows `0..n` to `filters`. Edges and rows as in `forward_merge`.
    pub fn narrow_bloom_filters(
        heads: In<u32>, rows: In<u64>, filters: InOut<u32>, n: u64, bits_log2: u32
    )
    requires {
        n <= 1 << 32, rows.len() >= n, (BITS_LOG2.0..=BITS_LOG2.1).contains(&bits_log2),
        filters.len() >= n.div_ceil(1 << rows_log2(bits_log2)), heads.len() < 1 << 32,
    }
    {
        let stride = thread::grid_size();
        let word_rows = 1 << rows_log2(bits_log2);
        let mut word = thread::index_1d();
        while word * word_rows < n {
            let mut bits = 0;
            let mut k = 0;
            while k < word_rows as u32 {
                let r = word * word_rows + u64::from(k);
                let row = if r < n { rows.get(r) } else { 0 };
                let (mut place, end) = (row as u32, (row >> 32) as u32);
                while place < end {
                    bits |= 1 << ((k << bits_log2) + bit(heads.get(u64::from(place)), bits_log2));
                    place += 1;
                }
                k += 1;
            }
            filters.set(word, bits);
            word += stride;
        }
    }
}

kernel! {
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Edges and rows as in `forward_merge`; `filters` are those of [`narrow_bloom_filters`].
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    pub fn filter_merge(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, filters: In<u32>, totals: InOut<u64>,
        first: u64, m: u64, bits_log2: u32
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS,
        (BITS_LOG2.0..=BITS_LOG2.1).contains(&bits_log2),
        filters.len() >= rows.len().div_ceil(1 << rows_log2(bits_log2)),
    }
    {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = first + thread::index_1d();
        while i < m {
            let mut place = rows.get(u64::from(tails.get(i))) as u32;
            if u64::from(place) < i {
                let head = heads.get(i);
                let in_word = head & ((1 << rows_log2(bits_log2)) - 1);
                let word = filters.get(u64::from(head >> rows_log2(bits_log2)));
                let filter = word >> (in_word << bits_log2);
                let mut closes = 0;
                while u64::from(place) < i {
                    closes |= filter >> bit(heads.get(u64::from(place)), bits_log2);
                    place += 1;
                }
                if closes & 1 != 0 {
                    count += u64::from(merge_edge(tails, heads, rows, i as u32));
                }
            }
            i += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}
