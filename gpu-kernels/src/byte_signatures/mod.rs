//! A byte for every row: where rows have two or three entries, most edges that close no triangle are told
//! by one look at an array that stays in the L2 cache.
//!
//! A row's byte has a bit for the hash of each entry. An edge u → a closes a triangle with a vertex before a
//! in u's row only if that vertex' bit is set in a's byte; the few edges for which one is are merged.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::forward::{TOTALS, merge_edge};
use crate::primitives::block_add_to;

/// Threads in a block of [`byte_signatures`].
pub const BLOCK: u32 = 256;

/// Rows whose bytes are in one word, the first in the lowest.
pub const ROWS: u32 = 4;

/// The bit of a byte that stands for `vertex`: below 8. The multiplier is odd, and the high bits depend on all
/// bits of the vertex.
#[inline(always)]
pub fn bit(vertex: u32) -> u32 {
    vertex.wrapping_mul(0x9e37_79b1) >> 29
}

kernel! {
    /// The bytes of the rows `0..n`, [`ROWS`] to a word of `signatures`. Edges and rows as in `forward_merge`.
    pub fn byte_signatures(heads: In<u32>, rows: In<u64>, signatures: InOut<u32>, n: u64)
    requires {
        n <= 1 << 32, rows.len() >= n, signatures.len() >= n.div_ceil(u64::from(ROWS)),
        heads.len() < 1 << 32,
    }
    {
        let stride = thread::grid_size();
        let mut word = thread::index_1d();
        while word * u64::from(ROWS) < n {
            let mut bits = 0;
            let mut k = 0;
            while k < ROWS {
                let r = word * u64::from(ROWS) + u64::from(k);
                let row = if r < n { rows.get(r) } else { 0 };
                let (mut place, end) = (row as u32, (row >> 32) as u32);
                while place < end {
                    bits |= 1 << (8 * k + bit(heads.get(u64::from(place))));
                    place += 1;
                }
                k += 1;
            }
            signatures.set(word, bits);
            word += stride;
        }
    }
}

kernel! {
    /// Adds the number of triangles to `totals`: their sum is the count.
    ///
    /// Edges and rows as in `forward_merge`; `signatures` are those of [`byte_signatures`].
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    pub fn filter_merge(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, signatures: In<u32>, totals: InOut<u64>, m: u64
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS,
        signatures.len() >= rows.len().div_ceil(u64::from(ROWS)),
    }
    {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = thread::index_1d();
        while i < m {
            let mut place = rows.get(u64::from(tails.get(i))) as u32;
            if u64::from(place) < i {
                let head = heads.get(i);
                let word = signatures.get(u64::from(head / ROWS));
                let signature = word >> (head % ROWS * 8);
                let mut closes = 0;
                while u64::from(place) < i {
                    closes |= signature >> bit(heads.get(u64::from(place)));
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
