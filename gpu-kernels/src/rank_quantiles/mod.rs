//! Ranges of ranks whose keys are about equally many, though rows of low ranks are much longer than others.
//!
//! Where degrees differ, most keys are of a small part of the ranks. Equally wide groups of ranks then have very different numbers of
//! keys, and a sort by the highest bits of a rank leaves most keys together. So ranks are cut where their degrees say.
//!
//! | term | meaning |
//! | --- | --- |
//! | volume | the sum of the degrees of some ranks |
//! | octave | the ranks from a power of two to the next |
//! | cell | the ranks of an octave with the same next three bits |
//! | quantile | one of at most [`QUANTILES`] ranges of ranks, each of which lies in one cell |
//!
//! The ends of an entry are foreseen as if they were drawn by degree and apart from each other (Chung and Lu, "The average distances in random
//! graphs with given expected degrees", PNAS 2002). Then, of the entries of a rank, those are its keys whose other end has a smaller
//! rank. They are the share that the volume of the smaller ranks is of all. R-MAT graphs differ from that by a few percent.
//!
//! | launch | does |
//! | --- | --- |
//! | [`rank_volumes`] | the volume of each cell |
//! | [`quantile_table`] | the quantiles of each cell, and what share of the heads each octave has |
//! | [`first_ranks`] | the first rank of each quantile |
//! | [`orient_to_quantiles`] | keys from edges, each with the quantile of its larger rank above its ranks |
//! | [`keys_to_quantiles`] | the same from keys |
//! | [`without_quantiles`] | keys as they were |

mod keys;
mod table;
mod volumes;

pub use keys::{
    KEYS_BLOCK, KEYS_SHARED_BYTES, keys_to_quantiles, orient_to_quantiles, without_quantiles,
};
pub use table::{TABLE_BLOCK, TABLE_SHARED_BYTES, first_ranks, quantile_table};
pub use volumes::{VOLUMES_BLOCK, rank_volumes};

/// Bits of a quantile's number.
pub const QUANTILE_BITS: u32 = 16;

/// Most quantiles. The number after the last one's is that of the self-loops.
pub const QUANTILES: u32 = (1 << QUANTILE_BITS) - 1;

/// Most bits of a rank: a key has room for the number of a quantile above its ranks.
pub const MOST_RANK_BITS: u32 = (u64::BITS - QUANTILE_BITS) / 2;

/// Most ranks of a quantile.
pub const MOST_RANKS: u32 = 2_048;

/// Cells of ranks of 32 bits.
pub const CELLS: u32 = 240;

/// Octaves of ranks of 32 bits, and one more, for where the last ends.
pub const OCTAVES: u32 = 33;

/// The cell of a rank. Ranks below 16 have one each.
#[inline(always)]
pub fn cell_of(rank: u32) -> u32 {
    if rank < 16 {
        return rank;
    }
    let octave = octave_of(rank);
    8 * (octave - 2) + (rank >> (octave - 3) & 7)
}

/// A cell has 2^`width_bits` ranks.
#[inline(always)]
pub fn width_bits(cell: u32) -> u32 {
    if cell < 16 { 0 } else { cell / 8 - 1 }
}

/// The first rank of a cell.
#[inline(always)]
pub fn first_rank_of_cell(cell: u32) -> u32 {
    if cell < 16 { cell } else { (8 + cell % 8) << width_bits(cell) }
}

/// The octave of a rank; rank 0 is in that of rank 1.
#[inline(always)]
pub fn octave_of(rank: u32) -> u32 {
    31 - (rank | 1).leading_zeros()
}

/// How far a value of `bits` bits is on its way to 2^`bits`, in steps of `steps`.
#[inline(always)]
pub fn step_of(value: u32, bits: u32, steps: u32) -> u32 {
    // Two shifts: one by 32 bits has no meaning.
    let part = value << (31 - bits) << 1;
    ((u64::from(part) * u64::from(steps)) >> 32) as u32
}

/// The number of the first quantile of a cell below how many it has.
#[inline(always)]
pub fn word_of_cell(first: u32, quantiles: u32) -> u64 {
    u64::from(quantiles) << 32 | u64::from(first)
}

/// The quantile of a rank in a cell that has this word.
#[inline(always)]
pub fn quantile_of(rank: u32, cell: u32, word: u64) -> u32 {
    let (first, quantiles) = (word as u32, (word >> 32) as u32);
    first + step_of(rank - first_rank_of_cell(cell), width_bits(cell), quantiles)
}
