//! Pieces of a file, which threads take in turn, and where the entries of each begin.
//!
//! | word | of | written | read |
//! | --- | --- | --- | --- |
//! | `next` | all | by who takes a piece | by the same |
//! | `begins[i]` | piece i | once, by who has piece i - 1 and knows how much room that takes | by who has piece i, which waits for it |
//! | `first_bad` | all | by who has a bad piece, under the lock of `reason` | by all, before a piece and while they wait |
//!
//! **Nobody waits for ever.** Pieces are taken in order, so somebody has piece i - 1 when piece i is taken. It writes
//! `begins[i]`, or ends as a bad piece, or is behind one: then `first_bad` is less than i, and who waits sees that.
//!
//! **Rooms are apart.** `begins[i + 1]` is written after `begins[i]` was read, and is at least as large. The store is a
//! release and the load an acquire, so that what a thread reads was written.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::sync::{AtomicUsize, Mutex, yield_now};

/// Where a piece's entries begin before the piece before it was read.
const UNKNOWN: usize = usize::MAX;

/// Pieces of which each is taken once, in order, and why the work ended, if it did early. `R` is such a reason.
pub struct Turns<R> {
    pieces: usize,
    /// The piece that nobody has taken yet.
    next: AtomicUsize,
    /// Where each piece's room begins, and where the last's ends.
    begins: Vec<AtomicUsize>,
    first_bad: AtomicUsize,
    /// The number of the first bad piece, and why it is bad.
    reason: Mutex<Option<(usize, R)>>,
}

impl<R> Turns<R> {
    /// Pieces that take room one after the other, from 0 on.
    pub fn with_rooms(pieces: usize) -> Turns<R> {
        let begins = (0..=pieces).map(|i| AtomicUsize::new(if i == 0 { 0 } else { UNKNOWN }));
        let (next, first_bad) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        Turns { pieces, next, begins: begins.collect(), first_bad, reason: Mutex::new(None) }
    }

    /// The next piece; `None` where there is none, or it cannot change the outcome.
    pub fn take(&self) -> Option<usize> {
        let index = self.next.fetch_add(1, Relaxed);
        (index < self.pieces && !self.is_over(index)).then_some(index)
    }

    /// Whether a piece is behind a bad one.
    fn is_over(&self, index: usize) -> bool {
        self.first_bad.load(Relaxed) < index
    }

    /// A piece is bad: those behind it need not be read.
    pub fn stop(&self, index: usize, reason: R) {
        let mut first = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|(other, _)| index < *other) {
            *first = Some((index, reason));
            self.first_bad.fetch_min(index, Relaxed);
        }
    }

    /// Where the room of piece `index` begins. Waits until the piece before it is read, which another thread is at;
    /// `None` where that cannot change the outcome any more.
    pub fn begin(&self, index: usize) -> Option<usize> {
        loop {
            match self.begins[index].load(Acquire) {
                UNKNOWN if self.is_over(index) => return None,
                UNKNOWN => yield_now(),
                begin => return Some(begin),
            }
        }
    }

    /// Says where the room of piece `index` ends.
    pub fn ends(&self, index: usize, end: usize) {
        self.begins[index + 1].store(end, Release);
    }

    /// Where the rooms begin, and where the last ends; or why the work ended early.
    pub fn into_rooms(self) -> Result<Vec<usize>, R> {
        let reason = self.reason.into_inner().unwrap_or_else(PoisonError::into_inner);
        match reason {
            Some((_, reason)) => Err(reason),
            None => Ok(self.begins.into_iter().map(|begin| begin.load(Relaxed)).collect()),
        }
    }
}
