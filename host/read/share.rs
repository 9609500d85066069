//! Which part of a file one of several processes reads.

use std::ops::Range;

use super::input;
use crate::Error;

/// Bytes of a piece at least, where pieces are made small so that every share has some.
const LEAST: u64 = 256;

/// A share, of several that together are a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which one, from 0.
    pub number: u32,
    /// How many there are; at least 1.
    pub of: u32,
}

impl Share {
    /// Whether it is the first of all.
    pub fn is_first(self) -> bool {
        self.number == 0
    }

    /// This share of `things` things in a row. All shares together are all of them, each once. Two shares differ by one
    /// thing at most.
    pub fn range(self, things: usize) -> Range<usize> {
        let cut = |k: u32| (things as u128 * u128::from(k) / u128::from(self.of)) as usize;
        cut(self.number)..cut(self.number + 1)
    }

    /// This share of `things` things in a row, or all where there are no shares.
    pub fn range_of(share: Option<Share>, things: usize) -> Range<usize> {
        share.map_or(0..things, |share| share.range(things))
    }

    /// Bytes of a piece of `len` bytes: at most `most`, and less where there would not be one for each share. The same
    /// for all shares.
    pub fn piece(self, len: u64, most: usize) -> usize {
        let piece = len.div_ceil(self.of.max(1).into()).max(LEAST);
        usize::try_from(piece).unwrap_or(most).min(most)
    }
}

/// The error of a file whose vertices have names.
pub(super) fn names(name: &str) -> Error {
    input::error(
        name,
        "its vertices are called by names, which several ranks do not number together: give them numbers first, with \
         `tribin convert` from this file to a `.mtx` file, whose vertices are numbered in the order in which they are first named",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_everything_once() {
        for of in 1..=7 {
            for things in [0, 1, 2, 6, 7, 8, 1000] {
                let shares = (0..of).map(|number| Share { number, of }.range(things));
                let lengths: Vec<usize> = shares.clone().map(|share| share.len()).collect();
                assert_eq!(Vec::from_iter(shares.flatten()), Vec::from_iter(0..things));
                let most = lengths.iter().max().unwrap();
                assert!(most - lengths.iter().min().unwrap() <= 1, "{lengths:?}");
            }
        }
    }

    #[test]
    fn pieces_are_small_where_files_are() {
        let share = Share { number: 0, of: 4 };
        for (len, piece) in [(0, 256), (1024, 256), (1025, 257), (4000, 1000), (1 << 30, 4096)] {
            assert_eq!(share.piece(len, 4096), piece, "{len}");
        }
    }
}
