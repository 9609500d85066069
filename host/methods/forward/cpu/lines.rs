//! A row joined with the bitmaps of hubs, a line at a time.
//!
//! A bitmap of a hub is long, and few of its lines have a rank of the row. Only these are joined: a line
//! for 512 ranks or for each rank of the row, whichever is less. On a Graph500 graph of scale 20 that is 84 million
//! lines of 8 words, where whole bitmaps are 459 million words.
//!
//! Each line of the row goes along all hubs, and not each hub along all lines: there are more hubs than lines, and
//! the processor foresees the end of a long loop better than the ends of many short ones.

use super::hub_bits::{LINE_BITS, Line, WORDS};

/// An out-neighbour of a row that has a bitmap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hub {
    /// Its place in the row.
    pub place: usize,
    /// The place of its bitmap's first line among those of all bitmaps.
    pub bitmap: usize,
}

/// Calls `join` for each line that has a rank of the row: with its bits, its index in a bitmap, and the hubs behind its
/// first rank. The hubs are in the order of their places. A hub's bitmap may end before a line behind which it does not stand.
#[inline(always)]
pub(super) fn for_each_line(row: &[u32], hubs: &[Hub], mut join: impl FnMut(&Line, usize, &[Hub])) {
    let (mut start, mut hubs) = (0, hubs);
    while let Some(&rank) = row.get(start) {
        let index = rank >> LINE_BITS;
        let mut line: Line = [0; WORDS];
        let first = start;
        while let Some(&rank) = row.get(start).filter(|&rank| rank >> LINE_BITS == index) {
            line[(rank >> 6) as usize % WORDS] |= 1 << (rank & 63);
            start += 1;
        }
        while let [Hub { place, .. }, behind @ ..] = hubs
            && *place <= first
        {
            hubs = behind;
        }
        join(&line, index as usize, hubs);
    }
}

/// Adds to `sums`, word by word, how many bits a line shares with that line of each of some hubs.
#[inline(always)]
pub(super) fn join(line: &Line, index: usize, hubs: &[Hub], bitmaps: &[Line], sums: &mut Line) {
    for hub in hubs {
        let other = &bitmaps[hub.bitmap + index];
        for (sum, (a, b)) in sums.iter_mut().zip(line.iter().zip(other)) {
            *sum += u64::from((a & b).count_ones());
        }
    }
}
