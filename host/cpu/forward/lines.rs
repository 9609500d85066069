//! A row as lines of bits, each beside the hubs that it is joined with.

use std::ops::Range;

use super::hub_bits::{HubBitmap, LINE_BITS, Line, WORDS};

/// A line that has a rank of a row.
pub(super) struct RowLine<'a> {
    /// The bits of the row's ranks in the line.
    pub bits: Line,
    /// The line's index in a bitmap.
    pub index: usize,
    /// The places in the row of the ranks that are in the line.
    pub places: Range<usize>,
    /// The hubs behind the first of them: the last ones of all.
    pub hubs: &'a [HubBitmap],
}

/// Calls `join` for each line that has a rank of the row. The hubs are in the order of their places. A hub's bitmap may
/// end before a line behind which it does not stand.
#[inline(always)]
pub(super) fn for_each_line(row: &[u32], hubs: &[HubBitmap], mut join: impl FnMut(RowLine)) {
    let (mut start, mut hubs) = (0, hubs);
    while let Some(&rank) = row.get(start) {
        let index = rank >> LINE_BITS;
        let mut bits: Line = [0; WORDS];
        let first = start;
        while let Some(&rank) = row.get(start).filter(|&rank| rank >> LINE_BITS == index) {
            bits[(rank >> 6) as usize % WORDS] |= 1 << (rank & 63);
            start += 1;
        }
        while let [HubBitmap { place, .. }, behind @ ..] = hubs
            && *place as usize <= first
        {
            hubs = behind;
        }
        join(RowLine { bits, index: index as usize, places: first..start, hubs });
    }
}
