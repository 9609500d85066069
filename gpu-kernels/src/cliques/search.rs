//! What a warp does for one row.

use tribin_device::memory::{In, InOut};
use tribin_device::{thread, warp};

use super::{stride, words_of_warp};
use crate::primitives::{has_entry, lower_bound};

/// Words that a block has for itself, wherever they are.
pub trait Words: Copy {
    /// A word.
    fn get(self, index: u32) -> u32;

    /// Writes a word.
    fn set(self, index: u32, word: u32);

    /// Sets some bits of a word, whoever sets others of it.
    fn or(self, index: u32, bits: u32);
}

/// The search for cliques in one row after the other. All lanes of a warp have the same, but for what they found.
pub struct Searcher<W: Words> {
    heads: In<u32>,
    rows: In<u64>,
    words: W,
    k: u32,
    /// Words between two rows of the matrix.
    stride: u32,
    /// Words of a set.
    width: u32,
    /// The warp's first word: its sets.
    sets: u32,
    /// Where the row is.
    start: u32,
    /// One past its last head.
    end: u32,
    /// What this lane has found.
    pub found: u64,
}

impl<W: Words> Searcher<W> {
    /// A search in rows of up to `longest` heads, with `words_of_block` words.
    #[inline(always)]
    pub fn new(heads: In<u32>, rows: In<u64>, words: W, k: u32, longest: u32) -> Searcher<W> {
        let (stride, width) = (stride(longest), longest.div_ceil(32));
        let warp = thread::thread_idx_x() / warp::SIZE;
        let sets = longest * stride + warp * words_of_warp(longest, k) as u32;
        Searcher { heads, rows, words, k, stride, width, sets, start: 0, end: 0, found: 0 }
    }

    /// Goes on to the row of a rank.
    #[inline(always)]
    pub fn begin(&mut self, rank: u32) {
        let row = self.rows.get(u64::from(rank));
        self.start = row as u32;
        self.end = (row >> 32) as u32;
    }

    /// The number of heads of the row.
    #[inline(always)]
    pub fn heads_of_row(&self) -> u32 {
        self.end - self.start
    }

    /// Writes the bits of the places below `place` that are joined to it: `place` bits in whole words. The shorter of two lists is gone
    /// through: the heads before this one, or those of its own row. The warp calls it together.
    #[inline(always)]
    pub fn join(&self, place: u32) {
        let lane = warp::lane_id();
        let row = self.rows.get(u64::from(self.heads.get(u64::from(self.start + place))));
        let (start, end) = (row as u32, (row >> 32) as u32);
        let to = place * self.stride;
        if end - start >= place {
            let mut first = 0;
            while first < place {
                let smaller = first + lane;
                let is_joined = smaller < place
                    && has_entry(
                        self.heads,
                        start,
                        end,
                        self.heads.get(u64::from(self.start + smaller)),
                    );
                let bits = warp::warp_vote_ballot(warp::ALL, is_joined);
                if lane == 0 {
                    self.words.set(to + first / 32, bits);
                }
                first += warp::SIZE;
            }
        } else {
            let mut word = lane;
            while word < place.div_ceil(32) {
                self.words.set(to + word, 0);
                word += warp::SIZE;
            }
            warp::sync_warp(warp::ALL);
            let before = self.start + place;
            let mut at = start + lane;
            while at < end {
                let head = self.heads.get(u64::from(at));
                let found = lower_bound(self.heads, self.start, before, head);
                if found < before && self.heads.get(u64::from(found)) == head {
                    let smaller = found - self.start;
                    self.words.or(to + smaller / 32, 1 << (smaller % 32));
                }
                at += warp::SIZE;
            }
        }
    }

    /// Finds the cliques whose largest place is the one with `taken` above it; `false` where there is no such place, or too few
    /// below it. The warp calls it together.
    #[inline(always)]
    pub fn search(&mut self, taken: u32) -> bool {
        // The tail and the largest place are chosen.
        let wanted = self.k - 2;
        if taken + wanted >= self.heads_of_row() {
            return false;
        }
        let largest = self.heads_of_row() - 1 - taken;
        if self.set_of(self.sets, largest, |_| u32::MAX) < wanted {
            return true;
        }
        // Places that are chosen beside the largest: all but the last two.
        let deepest = wanted - 2;
        let mut depth = 0;
        loop {
            let set = self.sets + depth * self.width;
            let mut place = None;
            if depth == deepest {
                self.found += self.edges_among(set);
            } else {
                place = self.take_largest(set);
            }
            match place {
                Some(place) => {
                    let next = set + self.width;
                    let words = self.words;
                    let members = self.set_of(next, place, |word| words.get(set + word));
                    if members + depth + 1 >= wanted {
                        depth += 1;
                    }
                }
                None if depth == 0 => return true,
                None => depth -= 1,
            }
        }
    }

    /// Writes a set: what `of` has, word by word, of the places that are joined to `place`. Gives the number of its members.
    #[inline(always)]
    fn set_of(&self, to: u32, place: u32, of: impl Fn(u32) -> u32) -> u32 {
        let mut members = 0;
        let mut word = warp::lane_id();
        while word < self.width {
            let mut bits = 0;
            if word < place.div_ceil(32) {
                bits = self.words.get(place * self.stride + word) & of(word);
            }
            self.words.set(to + word, bits);
            members += bits.count_ones();
            word += warp::SIZE;
        }
        warp::sync_warp(warp::ALL);
        warp::warp_reduce_add_32(warp::ALL, members)
    }

    /// Takes the largest place of a set.
    #[inline(always)]
    fn take_largest(&self, set: u32) -> Option<u32> {
        let lane = warp::lane_id();
        let mut end = self.width;
        while end > 0 {
            // The last lane has the last word.
            let before = warp::SIZE - 1 - lane;
            let mut bits = 0;
            if before < end {
                bits = self.words.get(set + end - 1 - before);
            }
            let having = warp::warp_vote_ballot(warp::ALL, bits != 0);
            if having != 0 {
                let last = 31 - having.leading_zeros();
                let bit = 31 - warp::warp_shuffle_idx(warp::ALL, bits, last).leading_zeros();
                let word = end + last - warp::SIZE;
                if lane == last {
                    self.words.set(set + word, bits ^ 1 << bit);
                }
                warp::sync_warp(warp::ALL);
                return Some(word * 32 + bit);
            }
            end = end.saturating_sub(warp::SIZE);
        }
        // Another lane may write next what this one has read.
        warp::sync_warp(warp::ALL);
        None
    }

    /// How many pairs of members of a set are joined, of those whose larger member is this lane's.
    #[inline(always)]
    fn edges_among(&self, set: u32) -> u64 {
        let lane = warp::lane_id();
        // Behind all sets of the warp.
        let list = self.sets + (self.k - 3) * self.width;
        let mut members = 0;
        let mut first = 0;
        while first < self.width {
            let word = first + lane;
            let mut bits = 0;
            if word < self.width {
                bits = self.words.get(set + word);
            }
            let through = warp::warp_scan_add_32(bits.count_ones());
            let mut at = list + members + through - bits.count_ones();
            while bits != 0 {
                self.words.set(at, word * 32 + bits.trailing_zeros());
                at += 1;
                bits &= bits - 1;
            }
            members += warp::warp_shuffle_idx(warp::ALL, through, warp::SIZE - 1);
            first += warp::SIZE;
        }
        warp::sync_warp(warp::ALL);
        let mut edges = 0;
        let mut member = lane;
        while member < members {
            let place = self.words.get(list + member);
            let row = place * self.stride;
            let mut shared = 0;
            let mut word = 0;
            while word < place.div_ceil(32) {
                let both = self.words.get(set + word) & self.words.get(row + word);
                shared += both.count_ones();
                word += 1;
            }
            edges += u64::from(shared);
            member += warp::SIZE;
        }
        warp::sync_warp(warp::ALL);
        edges
    }
}

/// Adds what all lanes of a warp found.
#[inline(always)]
pub fn add_to_totals(totals: InOut<u64>, found: u64) {
    let low = warp::warp_reduce_add_64(found & 0xffff_ffff);
    let high = warp::warp_reduce_add_64(found >> 32);
    if warp::lane_id() == 0 && low | high != 0 {
        totals.atomic_add(0, low);
        totals.atomic_add(1, high);
    }
}
