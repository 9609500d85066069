//! The neighbourhoods of some rows, filled by the rows of their heads, which come in parts.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::neighbourhood::{Needs, Neighbourhood, Neighbourhoods};
use super::{CliqueCount, CliquesAtVertices, TaskSizes, WEDGES, find, too_many};
use crate::Result;
use crate::control::Context;
use crate::control::memory::{self, NoMemory};
use crate::forward::{Sink, Visitor, by_wedges, pieces_of};
use crate::graph::RowRange;
use tribin_base::par;

/// A bit for each two heads of a row, which says whether they are joined.
///
/// The heads at places q < p of a row have bit p (p - 1) / 2 + q of the row's words.
pub struct HeadPairs {
    rows: RowRange,
    /// The first word of each row, and one past the last.
    starts: Vec<u64>,
    words: Vec<AtomicU64>,
}

impl HeadPairs {
    /// Bytes of memory that `rows` rows with `wedges` pairs of heads take beside the rows, at most.
    pub fn bytes(rows: u64, wedges: u64) -> u64 {
        16 * (rows + 1) + wedges / 8
    }

    /// Rows of which no two heads are known to be joined.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn new(rows: RowRange) -> Result<HeadPairs, NoMemory> {
        let mut starts = memory::with_capacity(rows.offsets.len())?;
        let mut words = 0;
        starts.push(0);
        for rank in rows.ranks() {
            let heads = rows.row(rank).len() as u64;
            words += (heads * heads.saturating_sub(1) / 2).div_ceil(64);
            starts.push(words);
        }
        Ok(HeadPairs { rows, starts, words: memory::zeroed(words as usize)? })
    }

    /// Joins the heads of which the larger one has its row in a part.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn join(&self, part: &Visitor, context: &Context) -> Result<()> {
        par::try_for_each(pieces_of(&self.rows, self.rows.ranks(), WEDGES), |piece| {
            context.cancel().check()?;
            let mut sink = PairSink { pairs: self, words: &[], first: 0 };
            part.visit_of(&self.rows, piece, &mut sink);
            Ok::<(), crate::Error>(())
        })
    }

    /// The rows.
    pub(super) fn rows(&self) -> &RowRange {
        &self.rows
    }

    fn words_of(&self, rank: u32) -> &[AtomicU64] {
        let at = (rank - self.rows.first) as usize;
        &self.words[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Sets the bits of the triangles of some rows.
struct PairSink<'p> {
    pairs: &'p HeadPairs,
    /// The bits of the row at hand.
    words: &'p [AtomicU64],
    /// The bit of the pair of the head at hand and the first head.
    first: usize,
}

impl Sink for PairSink<'_> {
    fn begin_row(&mut self, _: &RowRange, u: u32) {
        self.words = self.pairs.words_of(u);
    }

    #[inline(always)]
    fn begin_edge(&mut self, _: &RowRange, p: usize, _: u32) {
        self.first = p * (p - 1) / 2;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, _: usize) {
        let bit = self.first + q;
        // Another thread may visit other places of the row.
        self.words[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
    }

    fn end_row(&mut self, _: &RowRange, _: u32) {}
}

impl Neighbourhoods for &HeadPairs {
    fn each(
        &self,
        rows: Range<u32>,
        (needs, least): (Needs, usize),
        neighbourhood: &mut Neighbourhood,
        then: &mut dyn FnMut(&mut Neighbourhood),
    ) {
        assert!(!needs.numbers_of_edges, "edges are not numbered");
        for rank in rows {
            let row = self.rows.row(rank);
            if row.len() < least {
                continue;
            }
            neighbourhood.begin(rank, row);
            let words = self.words_of(rank);
            let word = |at: usize| words.get(at).map_or(0, |word| word.load(Relaxed));
            for p in 1..row.len() {
                let first = p * (p - 1) / 2;
                for (i, to) in neighbourhood.row_mut(p).iter_mut().enumerate() {
                    let (at, shift) = (first / 64 + i, first % 64);
                    // A shift by 64 bits is not defined: the upper word goes by two.
                    let bits = word(at) >> shift | word(at + 1) << 1 << (63 - shift);
                    let left = p - 64 * i;
                    *to = if left < 64 { bits & ((1 << left) - 1) } else { bits };
                }
            }
            neighbourhood.end(needs);
            then(neighbourhood);
        }
    }
}

/// Cliques of `k` vertices of a graph whose rows come some at a time.
pub struct CliqueSums {
    k: u32,
    all: u128,
    at: Option<CliquesAtVertices>,
}

impl CliqueSums {
    /// None so far. `ranks` is given where their number at each rank is wanted.
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) where there is no memory.
    pub fn new(k: u32, ranks: Option<usize>) -> Result<CliqueSums> {
        let at = ranks.map(|ranks| CliquesAtVertices::new(ranks, k)).transpose()?;
        Ok(CliqueSums { k, all: 0, at })
    }

    /// Adds the cliques whose largest rank is one of some rows. The gauge counts rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) for a number of more than 128 bits.
    pub fn add(&mut self, pairs: &HeadPairs, context: &Context) -> Result<()> {
        let (rows, sizes) = (by_wedges(&pairs.rows, WEDGES), TaskSizes::MEASURED);
        let found = match &self.at {
            Some(at) => find(&pairs, rows, (self.k, at, sizes), context)?,
            None => find(&pairs, rows, (self.k, &CliqueCount, sizes), context)?,
        };
        self.all = self.all.checked_add(found).ok_or_else(|| too_many(self.k))?;
        Ok(())
    }

    /// All cliques, and their number at each rank, where that was wanted.
    ///
    /// # Errors
    /// [`Error::Input`](crate::Error::Input) for 2⁶³ cliques or more where numbers at ranks are wanted.
    pub fn finish(self) -> Result<(u128, Vec<u64>)> {
        let at = self.at.map_or(Ok(Vec::new()), |at| at.into_numbers(self.all))?;
        Ok((self.all, at))
    }
}
