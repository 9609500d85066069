//! Where the entries of each piece begin, among pieces that threads take in order.
//!
//! **Nobody waits for ever.** Pieces are taken in order, so somebody has piece i - 1 when piece i is taken. It says where the room of its
//! piece ends whether the piece is good or bad.
//!
//! **Rooms are apart.** Where piece i + 1 begins is written after where piece i begins was read, and is at least as large. The store is a
//! release and the load an acquire, so that what a thread reads was written.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::sync::{AtomicUsize, yield_now};

/// Where a piece's entries begin before the piece before it was read.
const UNKNOWN: usize = usize::MAX;

/// Where the room of each piece begins, and where the last's ends.
pub struct Rooms(Vec<AtomicUsize>);

impl Rooms {
    /// Rooms one after the other, from 0 on.
    pub fn of(pieces: usize) -> Rooms {
        Rooms((0..=pieces).map(|i| AtomicUsize::new(if i == 0 { 0 } else { UNKNOWN })).collect())
    }

    /// Where the room of a piece begins. Waits until the piece before it is read, which another thread is at.
    pub fn begin(&self, index: usize) -> usize {
        loop {
            match self.0[index].load(Acquire) {
                UNKNOWN => yield_now(),
                begin => return begin,
            }
        }
    }

    /// Says where the room of a piece ends.
    pub fn ends(&self, index: usize, end: usize) {
        self.0[index + 1].store(end, Release);
    }

    /// How large the room of each piece is. All have been taken.
    pub fn sizes(self) -> Vec<usize> {
        let begins: Vec<usize> = self.0.into_iter().map(|begin| begin.load(Relaxed)).collect();
        begins.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }
}
