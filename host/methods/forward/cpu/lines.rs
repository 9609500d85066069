//! One row's ranks as the lines that bitmaps consist of, to be joined with the bitmaps of hubs.
//!
//! A bitmap of a hub is long, and few of its lines have a rank of the row. Only these are joined: a line
//! for 512 ranks or for each rank of the row, whichever is less. On a Graph500 graph of scale 20 that is 84 million
//! lines of 8 words, where whole bitmaps are 459 million words.

use super::hub_bits::{LINE_BITS, Line, WORDS};
use super::prefetch;

/// Lines of a hub that are asked for before they are joined.
const ASKED: usize = 4;

/// The lines that have a rank of a row, in ascending order.
#[derive(Debug, Default)]
pub(super) struct RowLines {
    indices: Vec<u32>,
    lines: Vec<Line>,
}

impl RowLines {
    /// Becomes the lines of another row, which is ascending.
    #[inline(always)]
    pub fn set(&mut self, row: &[u32]) {
        self.indices.clear();
        self.lines.clear();
        for &rank in row {
            let index = rank >> LINE_BITS;
            if self.indices.last() != Some(&index) {
                self.indices.push(index);
                self.lines.push([0; WORDS]);
            }
            if let Some(line) = self.lines.last_mut() {
                line[(rank >> 6) as usize % WORDS] |= 1 << (rank & 63);
            }
        }
    }

    /// The index and the bits of each of the first `count` lines.
    #[inline(always)]
    pub fn first(&self, count: usize) -> impl Iterator<Item = (usize, &Line)> {
        self.indices[..count].iter().map(|&index| index as usize).zip(&self.lines[..count])
    }

    /// Asks for the lines of a hub that comes later.
    #[inline(always)]
    pub fn ask_for_later(&self, hubs: &[Hub], place: usize, bitmaps: &[Line]) {
        let Some(later) = hubs.get(place + prefetch::AHEAD) else { return };
        let last = later.lines - 1;
        for line in 0..ASKED {
            let index = self.indices[line.min(last)] as usize;
            prefetch::line(bitmaps, later.bitmap + index);
        }
    }

    /// Adds to `sums`, word by word, how many ranks the row shares with each of some hubs.
    #[inline(always)]
    pub fn join(&self, hubs: &[Hub], bitmaps: &[Line], sums: &mut Line) {
        for (i, hub) in hubs.iter().enumerate() {
            self.ask_for_later(hubs, i, bitmaps);
            for (index, line) in self.first(hub.lines) {
                let other = &bitmaps[hub.bitmap + index];
                for (sum, (a, b)) in sums.iter_mut().zip(line.iter().zip(other)) {
                    *sum += u64::from((a & b).count_ones());
                }
            }
        }
    }
}

/// An out-neighbour of a row that has a bitmap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hub {
    /// The place of its bitmap's first line among those of all bitmaps.
    pub bitmap: usize,
    /// How many of the row's lines have a rank below the hub.
    pub lines: usize,
}

/// How many lines the ranks of a row before a place are in, place after place.
#[derive(Debug, Default)]
pub(super) struct LinesBefore {
    lines: usize,
    last: Option<u32>,
}

impl LinesBefore {
    /// The number of lines, `rank` being the next.
    #[inline(always)]
    pub fn with(&mut self, rank: u32) -> usize {
        let line = Some(rank >> LINE_BITS);
        self.lines += usize::from(line != self.last);
        self.last = line;
        self.lines
    }
}
