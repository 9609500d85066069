//! Row filters: hashed bits of every row, so that most wedges that do not close are dropped at one
//! read of 32 bytes an edge.
//!
//! A row has two filters of 256 bits, each with a bit for the hash of each entry, under two hash
//! functions. The wedges of an edge u → a are the vertices before a in u's row: those whose bit is
//! missing in a's first filter are not in a's row. The second filter is asked for the few that
//! are left, and the row itself for what is left then.

mod filter;
mod make;

pub use filter::{BLOCKS_PER_MULTIPROCESSOR, FILTER_SHARED_BYTES, filter_search};
pub use make::{MAKE_SHARED_BYTES, RANKS, row_bloom_filters};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 128;

/// 32-bit words of one filter: a sector of the L2 cache.
const WORDS: u32 = 8;

/// A word's first bit is its highest: the others follow downwards.
pub const FIRST_BIT: u32 = 1 << 31;

/// 32-bit words of a row's two filters.
pub const ROW_WORDS: u32 = 2 * WORDS;

/// The bit of the first filter that stands for `vertex`: below 256.
///
/// Both multipliers are odd, and their high bits depend on all bits of the vertex; where two vertices
/// meet under one, they rarely do under the other.
#[inline(always)]
pub fn first_bit(vertex: u32) -> u32 {
    vertex.wrapping_mul(0x9e37_79b1) >> 24
}

/// The bit of the second filter that stands for `vertex`: below 256.
#[inline(always)]
pub fn second_bit(vertex: u32) -> u32 {
    vertex.wrapping_mul(0x85eb_ca6b) >> 24
}
