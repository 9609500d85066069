//! Rows as segments of 32 ranks with an entry, merged: where the entries of a row are near each other, a step
//! of the merge takes many of them (002, section III-B4, merged as in 004, section III-C).
//!
//! A segment is its number in the low half of a word, and a bit for each entry in the high half: one read.
//! A row's segments stand from the place of its first entry on, so that no sum over all rows is needed to place them.

mod cut;
mod merge;

pub use cut::{BLOCK, CUT_SHARED_BYTES, TILE, row_segments};
pub use merge::merge_segments;

/// Ranks of a segment.
pub const WIDTH: u32 = u32::BITS;
