//! A few bits for every row. Where rows have two to a dozen entries, one look at them tells most wedges that do not close,
//! and they mostly stay in the L2 cache.
//!
//! Each entry of a row sets bits of the row's 16, 32, 64 or 128:
//!
//! | entry | its bits |
//! | --- | --- |
//! | one of the first `exact` ranks | one, which no other entry sets |
//! | any other | two of those behind, by two hash functions; of 64 bits and more, one in each half |
//!
//! An edge u → a closes a triangle with a vertex before a in u's row only if that vertex' bits are set in a's. Of
//! the first `exact` ranks, that is all there is to know: the triangles of a few vertices that are beside nearly all
//! others are counted by one bit each. The few others whose bits are set are searched in a's row.

mod count;
mod held_wedges;
mod make;
mod passing;

pub use count::{
    BLOCKS_PER_MULTIPROCESSOR, COUNT_BLOCK, count_shared_bytes, filter_count, filter_count_128,
};
pub use make::{BLOCK, narrow_bloom_filters};

/// Least and most bits of a row, as powers of two.
pub const BITS_LOG2: (u32, u32) = (4, 7);

/// Most ranks that have a bit of their own, where a row has 2^`bits_log2`: at most half of those that a hash function has.
pub const fn most_exact(bits_log2: u32) -> u32 {
    if bits_log2 < 5 { half(bits_log2) / 2 } else { 16 }
}

/// Bits that a hash function chooses from.
#[inline(always)]
const fn half(bits_log2: u32) -> u32 {
    if bits_log2 > 5 { 1 << (bits_log2 - 1) } else { 1 << bits_log2 }
}

/// Words of `rows` rows.
pub const fn words(rows: u64, bits_log2: u32) -> u64 {
    if bits_log2 < 5 { rows.div_ceil(1 << (5 - bits_log2)) } else { rows << (bits_log2 - 5) }
}

/// The bits that stand for `vertex`, one by each hash function. Of 16 or 32 bits they may be the same.
///
/// Multipliers are odd, and the high bits of a product depend on all bits of the vertex; where two vertices meet under one,
/// they rarely do under the other.
#[inline(always)]
pub fn bits(vertex: u32, bits_log2: u32, exact: u32) -> [u32; 2] {
    if vertex < exact {
        return [vertex; 2];
    }
    let others = u64::from(half(bits_log2) - exact);
    [0x9e37_79b1, 0x85eb_ca6b].map(|multiplier: u32| {
        let hash = u64::from(vertex.wrapping_mul(multiplier));
        exact + ((hash * others) >> 32) as u32
    })
}
