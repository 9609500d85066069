use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use super::{SPAN, TILE, bit_words, byte_words, is_matrix};

kernel! {
    /// Writes the edges between hubs to `bits`, where bit a of row u is the edge u → a; to `bytes`, where
    /// it is byte a, unless that is empty; and to `spans` which spans of columns the rows of each tile have
    /// entries in. All are zero before.
    ///
    /// The edges are in the order of their tails.
    pub fn hub_matrix(
        tails: In<u32>, heads: In<u32>, bits: InOut<u32>, bytes: InOut<u32>, spans: InOut<u32>, m: u64,
        hubs: u32, with_bytes: u32
    )
    requires {
        is_matrix(hubs), tails.len() >= m, heads.len() >= m, bits.len() >= bit_words(hubs),
        spans.len() >= u64::from(hubs / TILE), with_bytes == 0 || bytes.len() >= byte_words(hubs),
    }
    {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < m {
            let tail = tails.get(i);
            if tail >= hubs {
                break;
            }
            let head = heads.get(i);
            let place = u64::from(tail) * u64::from(hubs) + u64::from(head);
            bits.atomic_or(place / 32, 1 << (head % 32));
            if with_bytes != 0 {
                bytes.atomic_or(place / 4, 1 << (head % 4 * 8));
            }
            let (tile, span) = (u64::from(tail / TILE), 1 << (head / SPAN));
            if spans.atomic_load(tile) & span == 0 {
                spans.atomic_or(tile, span);
            }
            i += stride;
        }
    }
}
