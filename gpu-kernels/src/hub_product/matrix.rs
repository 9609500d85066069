use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use super::{TILE, bit_words, byte_words, is_matrix, span};

kernel! {
    /// Writes the edges between hubs to `bits`, where bit a of row u is the edge u → a; to `bytes`, where
    /// it is byte a, unless `with_bytes` is 0; and to `spans` which spans of columns the rows of each tile
    /// have entries in. All are zero before.
    ///
    /// The edges are in the order of their tails, rows ascending: the thread at a word's first edge finds
    /// the others behind it, and no two write to one word.
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
            let first = i == 0 || tails.get(i - 1) != tail || heads.get(i - 1) / 32 != head / 32;
            if first {
                let row = u64::from(tail) * u64::from(hubs);
                let mut word = 0;
                let mut bytes_of = Bytes { at: (row + u64::from(head)) / 4, word: 0 };
                let mut next = i;
                loop {
                    let column = heads.get(next);
                    word |= 1 << (column % 32);
                    if with_bytes != 0 {
                        bytes_of = bytes_of.with(bytes, row + u64::from(column));
                    }
                    next += 1;
                    if next == m || tails.get(next) != tail || heads.get(next) / 32 != head / 32 {
                        break;
                    }
                }
                bits.set((row + u64::from(head)) / 32, word);
                if with_bytes != 0 {
                    bytes.set(bytes_of.at, bytes_of.word);
                }
                // `max` tells the compiler that a span is not 0.
                let (tile, span) = (u64::from(tail / TILE), 1 << (head / span(hubs).max(1)));
                if spans.atomic_load(tile) & span == 0 {
                    spans.atomic_or(tile, span);
                }
            }
            i += stride;
        }
    }
}

/// A word of the matrix in bytes that is being put together.
#[derive(Clone, Copy)]
struct Bytes {
    at: u64,
    word: u32,
}

impl Bytes {
    /// With the byte of an entry; a word that it is not in is complete, and written.
    #[inline(always)]
    fn with(self, bytes: InOut<u32>, entry: u64) -> Bytes {
        let at = entry / 4;
        let byte = 1 << (entry % 4 * 8);
        if at == self.at {
            return Bytes { word: self.word | byte, ..self };
        }
        bytes.set(self.at, self.word);
        Bytes { at, word: byte }
    }
}
