//! Triangles among the lowest ranks, the hubs, as a product of dense matrices: Σ (L · Lᵀ) ∘ L, with `L[u][a]`
//! for each edge u → a.
//!
//! | kernel | what it does |
//! | --- | --- |
//! | [`hub_matrix`] | L in bits |
//! | [`hub_common_bits`] | each edge's two rows of bits: AND and popcount |
//! | [`hub_product_bits`] | tiles of 32 × 32 sums on the tensor cores, 256 bits a step |
//!
//! Both products skip what is empty: pairs without an edge; tiles of sums without an edge; and [`span`] columns
//! in which one of the two tiles has none. All sums are exact: a sum is below [`MOST_HUBS`].

mod common_bits;
mod matrix;
mod product;

pub use common_bits::{common_bits_shared_bytes, hub_common_bits};
pub use matrix::{hub_matrix, matrix_shared_bytes};
pub use product::{hub_product_bits, items};

/// Columns of two steps of bits, which a lane's read of 16 bytes is for: hubs come in multiples of it.
const STEPS: u32 = 512;

/// Columns that a lane reads at a time.
pub const READ: u32 = 128;

/// Most hubs.
pub const MOST_HUBS: u32 = 1 << 16;

/// Columns that are skipped together: their spans are flags in a word.
pub const fn span(hubs: u32) -> u32 {
    if hubs <= 32 * STEPS { STEPS } else { hubs / 32 }
}

/// Rows and columns of a tile of sums.
pub const TILE: u32 = 32;

/// Threads in a block of every kernel here.
pub const BLOCK: u32 = 256;

/// Whether so many hubs can be a matrix: multiples of 512 up to 16,384, and of 16,384 up to 65,536.
pub const fn is_matrix(hubs: u32) -> bool {
    hubs > 0
        && hubs <= MOST_HUBS
        && hubs.is_multiple_of(span(hubs))
        && span(hubs).is_multiple_of(STEPS)
}

/// 32-bit words of the matrix in bits.
pub const fn bit_words(hubs: u32) -> u64 {
    hubs as u64 * (hubs / 32) as u64
}
