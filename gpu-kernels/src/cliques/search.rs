//! What a warp does for one row.

use core::ops::Range;

use warpwise_device::memory::{In, InOut};
use warpwise_device::{thread, warp};

use super::{PIVOTS_FROM, stride, words_of_warp};
use crate::primitives::{position, row_of};

/// All places of a set are tried, the largest first.
const ALL: u32 = u32::MAX;

/// No more places of a set are tried.
const NOTHING: u32 = u32::MAX - 1;

/// Words that a block has for itself, wherever they are.
pub trait Words: Copy {
    /// A word.
    fn get(self, index: u32) -> u32;

    /// Writes a word.
    fn set(self, index: u32, word: u32);

    /// Sets some bits of a word, whoever sets others of it.
    fn or(self, index: u32, bits: u32);
}

/// Places that are left to choose where the search stops: it counts the edges among what is left.
const LEFT: u32 = 2;

/// The search for cliques in one row after the other. All lanes of a warp have the same, but for what they found.
///
/// Where it goes by pivots, the matrix has the bits of both directions, places above a row's own, too.
pub struct Searcher<W: Words, const BY_PIVOTS: bool> {
    heads: In<u32>,
    rows: In<u64>,
    words: W,
    /// Binomial coefficients: the ways to choose r of n things, in 128 bits, from place 2 · (n · (k - 1) + r) on.
    ways: In<u64>,
    k: u32,
    /// Words between two rows of the matrix.
    stride: u32,
    /// Words of a set of the row's places.
    width: u32,
    /// The warp's first word: its sets.
    sets: u32,
    /// The first word of what was put aside, as many sets.
    aside: u32,
    /// Where the row is.
    start: u32,
    /// One past its last head.
    end: u32,
    /// What this lane has found.
    pub found: u128,
}

impl<W: Words, const BY_PIVOTS: bool> Searcher<W, BY_PIVOTS> {
    /// A search in rows of up to `longest` heads, with `words_of_block` words.
    #[inline(always)]
    pub fn new(
        (heads, rows): (In<u32>, In<u64>),
        words: W,
        ways: In<u64>,
        k: u32,
        longest: u32,
    ) -> Searcher<W, BY_PIVOTS> {
        let stride = stride(longest);
        let warp = thread::thread_idx_x() / warp::SIZE;
        let sets = longest * stride + warp * words_of_warp(longest, k) as u32;
        let aside = sets + (k - 3) * longest.div_ceil(32) + longest;
        let (width, start, end, found) = (0, 0, 0, 0);
        Searcher { heads, rows, words, ways, k, stride, width, sets, aside, start, end, found }
    }

    /// Goes on to the row of a rank.
    #[inline(always)]
    pub fn begin(&mut self, rank: u32) {
        Range { start: self.start, end: self.end } = row_of(self.rows, rank);
        self.width = self.heads_of_row().div_ceil(32);
    }

    /// Clears the matrix. The block calls it together.
    #[inline(always)]
    pub fn clear(&self) {
        let len = self.heads_of_row() * self.stride;
        for word in thread::strided(thread::thread_idx_x()..len, thread::block_dim_x()) {
            self.words.set(word, 0);
        }
    }

    /// The number of heads of the row.
    #[inline(always)]
    pub fn heads_of_row(&self) -> u32 {
        self.end - self.start
    }

    /// Writes the bits of the places below `place` that are joined to it: `place` bits in whole words. The shorter of two lists is gone
    /// through: the heads before this one, or those of its own row. Where the matrix has both directions, it is clear. The warp calls
    /// it together.
    #[inline(always)]
    pub fn join(&self, place: u32) {
        let lane = warp::lane_id();
        let head = self.heads.get(u64::from(self.start + place));
        let Range { start, end } = row_of(self.rows, head);
        let to = place * self.stride;
        if end - start >= place {
            for first in thread::strided(0..place, warp::SIZE) {
                let smaller = first + lane;
                let mut is_joined = false;
                if smaller < place {
                    let head = self.heads.get(u64::from(self.start + smaller));
                    is_joined = position(self.heads, start, end, head).is_some();
                    if is_joined {
                        self.set_other_direction(place, smaller);
                    }
                }
                let bits = warp::warp_vote_ballot(warp::ALL, is_joined);
                if lane == 0 {
                    if BY_PIVOTS {
                        self.words.or(to + first / 32, bits);
                    } else {
                        self.words.set(to + first / 32, bits);
                    }
                }
            }
        } else {
            if !BY_PIVOTS {
                for word in thread::strided(lane..place.div_ceil(32), warp::SIZE) {
                    self.words.set(to + word, 0);
                }
                warp::sync_warp(warp::ALL);
            }
            let before = self.start + place;
            for at in thread::strided(start + lane..end, warp::SIZE) {
                let head = self.heads.get(u64::from(at));
                if let Some(found) = position(self.heads, self.start, before, head) {
                    let smaller = found - self.start;
                    self.words.or(to + smaller / 32, 1 << (smaller % 32));
                    self.set_other_direction(place, smaller);
                }
            }
        }
    }

    /// Sets the bit of a larger place in a smaller one's row, where the matrix has both directions.
    #[inline(always)]
    fn set_other_direction(&self, larger: u32, smaller: u32) {
        if BY_PIVOTS {
            self.words.or(smaller * self.stride + larger / 32, 1 << (larger % 32));
        }
    }

    /// Finds the cliques whose largest place is the one with `taken` above it; `false` where there is no such place, or too few
    /// below it. The warp calls it together.
    #[inline(always)]
    pub fn search(&mut self, taken: u32) -> bool {
        let (words, lane) = (self.words, warp::lane_id());
        // The tail and the largest place are chosen.
        let wanted = self.k - 2;
        if taken + wanted >= self.heads_of_row() {
            return false;
        }
        let largest = self.heads_of_row() - 1 - taken;
        let mut members =
            self.set_of(self.sets, largest, largest.div_ceil(32), |word| below(largest, word));
        if members < wanted {
            return true;
        }
        // What is tried of the set at hand, and how many places were put aside. Each lane keeps those of the depth that is its number.
        let (mut tries, mut aside) = (ALL, 0);
        let (mut kept_tries, mut kept_aside) = (ALL, 0);
        let (mut depth, mut is_new) = (0, true);
        loop {
            let set = self.sets + depth * self.width;
            if is_new {
                tries = self.open(set, members, depth, aside);
            }
            is_new = false;
            match self.take_largest(set, tries) {
                Some(place) => {
                    let next = set + self.width;
                    // Where all are tried, only smaller ones are left.
                    let length = if tries == ALL { place.div_ceil(32) } else { self.width };
                    members = self.set_of(next, place, length, |word| words.get(set + word));
                    if members + aside + depth + 1 >= wanted {
                        if lane == depth {
                            (kept_tries, kept_aside) = (tries, aside);
                        }
                        if aside > 0 {
                            self.hand_aside_on(depth);
                        }
                        depth += 1;
                        is_new = true;
                    }
                }
                None if BY_PIVOTS && tries < NOTHING => {
                    members = self.put_aside(set, tries, depth, aside);
                    (aside, is_new) = (aside + 1, true);
                }
                None if depth == 0 => return true,
                None => {
                    depth -= 1;
                    tries = ALL;
                    if BY_PIVOTS {
                        tries = warp::warp_shuffle_idx(warp::ALL, kept_tries, depth);
                        aside = warp::warp_shuffle_idx(warp::ALL, kept_aside, depth);
                    }
                }
            }
        }
    }

    /// Adds the cliques of a set if the search stops there. Says what is tried of it: [`ALL`], [`NOTHING`], or the pivot, which says that
    /// places are tried that are not joined to it.
    #[inline(always)]
    fn open(&mut self, set: u32, members: u32, depth: u32, aside: u32) -> u32 {
        let left = self.k - 2 - depth;
        if left == LEFT {
            self.take_back(set, depth, aside);
            self.add_edges_among(set);
            return NOTHING;
        }
        if !BY_PIVOTS || aside == 0 && left < PIVOTS_FROM {
            if !self.is_complete(set) {
                return ALL;
            }
        } else {
            if members + aside < left {
                return NOTHING;
            }
            let pivot = self.pivot(set);
            if pivot != NOTHING {
                return pivot;
            }
            self.take_back(set, depth, aside);
            self.list_members(set);
        }
        // Any two members are joined.
        if warp::lane_id() == 0 {
            self.found += self.binomial(members + aside, left);
        }
        NOTHING
    }

    /// Adds the cliques of a place in a row of which any two heads are joined, where the search is not needed.
    #[inline(always)]
    pub fn add_in_complete_row(&mut self, place: u32) {
        if warp::lane_id() == 0 {
            self.found += self.binomial(place, self.k - 2);
        }
    }

    /// Adds the edges among the members of a set: each lane takes some of them, and adds those to smaller ones.
    #[inline(always)]
    fn add_edges_among(&mut self, set: u32) {
        let members = self.list_members(set);
        for member in thread::strided(warp::lane_id()..members, warp::SIZE) {
            let place = self.listed(member);
            // Where the matrix has one direction, a row's last word has no others.
            let joined = match BY_PIVOTS {
                true => self.joined_below(place, set),
                false => self.joined_to(place, set, place.div_ceil(32)),
            };
            self.found += u128::from(joined);
        }
        warp::sync_warp(warp::ALL);
    }

    /// The member of a set that most others are joined to, or [`NOTHING`] where any two are joined. The warp calls it together.
    #[inline(always)]
    fn pivot(&self, set: u32) -> u32 {
        let lane = warp::lane_id();
        let members = self.list_members(set);
        let (mut most, mut found, mut lacks_one) = (0, 0, false);
        for member in thread::strided(lane..members, warp::SIZE) {
            let place = self.listed(member);
            let joined = self.joined_to(place, set, self.width);
            lacks_one |= joined + 1 < members;
            if joined >= most {
                (most, found) = (joined, place);
            }
        }
        // Another lane may write next what this one has read.
        warp::sync_warp(warp::ALL);
        if !warp::warp_vote_any(warp::ALL, lacks_one) {
            return NOTHING;
        }
        let top = warp::warp_reduce_max_32(warp::ALL, most);
        let having = warp::warp_vote_ballot(warp::ALL, lane < members && most == top);
        warp::warp_shuffle_idx(warp::ALL, found, having.trailing_zeros())
    }

    /// Puts the pivot of a set aside, once all places were tried that are not joined to it: what is left is joined to it. Gives the
    /// number of members that are left. The warp calls it together.
    #[inline(always)]
    fn put_aside(&self, set: u32, pivot: u32, depth: u32, aside: u32) -> u32 {
        let (words, to) = (self.words, self.aside + depth * self.width);
        let mut members = 0;
        for word in thread::strided(warp::lane_id()..self.width, warp::SIZE) {
            let bits = words.get(set + word) & words.get(pivot * self.stride + word);
            words.set(set + word, bits);
            members += bits.count_ones();
            let mut put = 0;
            if aside > 0 {
                put = words.get(to + word);
            }
            if word == pivot / 32 {
                put |= 1 << (pivot % 32);
            }
            words.set(to + word, put);
        }
        warp::sync_warp(warp::ALL);
        warp::warp_reduce_add_32(warp::ALL, members)
    }

    /// What was put aside at a depth is so at the next one.
    #[inline(always)]
    fn hand_aside_on(&self, depth: u32) {
        let from = self.aside + depth * self.width;
        for word in thread::strided(warp::lane_id()..self.width, warp::SIZE) {
            self.words.set(from + self.width + word, self.words.get(from + word));
        }
    }

    /// Makes what was put aside a part of a set at which the search stops.
    #[inline(always)]
    fn take_back(&self, set: u32, depth: u32, aside: u32) {
        if aside > 0 {
            let from = self.aside + depth * self.width;
            for word in thread::strided(warp::lane_id()..self.width, warp::SIZE) {
                let bits = self.words.get(set + word) | self.words.get(from + word);
                self.words.set(set + word, bits);
            }
            warp::sync_warp(warp::ALL);
        }
    }

    /// The ways to choose some of `n` things, modulo 2¹²⁸.
    #[inline(always)]
    fn binomial(&self, n: u32, chosen: u32) -> u128 {
        let at = 2 * (u64::from(n) * u64::from(self.k - 1) + u64::from(chosen));
        u128::from(self.ways.get(at + 1)) << 64 | u128::from(self.ways.get(at))
    }

    /// Writes a set: what `of` has, in its first `length` words, of the places that are joined to `place`. Gives the number of its
    /// members.
    #[inline(always)]
    fn set_of(&self, to: u32, place: u32, length: u32, of: impl Fn(u32) -> u32) -> u32 {
        let mut members = 0;
        for word in thread::strided(warp::lane_id()..self.width, warp::SIZE) {
            let mut bits = 0;
            if word < length {
                bits = self.words.get(place * self.stride + word) & of(word);
            }
            self.words.set(to + word, bits);
            members += bits.count_ones();
        }
        warp::sync_warp(warp::ALL);
        warp::warp_reduce_add_32(warp::ALL, members)
    }

    /// Takes the largest place of a set that is to be tried.
    #[inline(always)]
    fn take_largest(&self, set: u32, tries: u32) -> Option<u32> {
        let lane = warp::lane_id();
        let mut end = if tries == NOTHING { 0 } else { self.width };
        while end > 0 {
            // The last lane has the last word.
            let before = warp::SIZE - 1 - lane;
            let (mut all, mut bits) = (0, 0);
            if before < end {
                let word = end - 1 - before;
                all = self.words.get(set + word);
                bits = all;
                if BY_PIVOTS && tries != ALL {
                    bits &= !self.words.get(tries * self.stride + word);
                    if word == tries / 32 {
                        bits &= !(1 << (tries % 32));
                    }
                }
            }
            let having = warp::warp_vote_ballot(warp::ALL, bits != 0);
            if having != 0 {
                let last = 31 - having.leading_zeros();
                let bit = 31 - warp::warp_shuffle_idx(warp::ALL, bits, last).leading_zeros();
                let word = end + last - warp::SIZE;
                if lane == last {
                    self.words.set(set + word, all ^ 1 << bit);
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

    /// The warp's first word behind its sets, where members are listed.
    #[inline(always)]
    fn list(&self) -> u32 {
        self.sets + (self.k - 3) * self.width
    }

    /// The member of the list with this number.
    #[inline(always)]
    fn listed(&self, number: u32) -> u32 {
        self.words.get(self.list() + number)
    }

    /// Lists the members of a set, ascending, and gives their number.
    #[inline(always)]
    fn list_members(&self, set: u32) -> u32 {
        let lane = warp::lane_id();
        let mut members = 0;
        for first in thread::strided(0..self.width, warp::SIZE) {
            let word = first + lane;
            let mut bits = 0;
            if word < self.width {
                bits = self.words.get(set + word);
            }
            let through = warp::warp_scan_add_32(bits.count_ones());
            let mut at = self.list() + members + through - bits.count_ones();
            while bits != 0 {
                self.words.set(at, word * 32 + bits.trailing_zeros());
                at += 1;
                bits &= bits - 1;
            }
            members += warp::warp_shuffle_idx(warp::ALL, through, warp::SIZE - 1);
        }
        warp::sync_warp(warp::ALL);
        members
    }

    /// How many members of a set, in its first `words` words, are joined to a place.
    #[inline(always)]
    fn joined_to(&self, place: u32, set: u32, words: u32) -> u32 {
        let row = place * self.stride;
        let mut joined = 0;
        for word in 0..words {
            joined += (self.words.get(set + word) & self.words.get(row + word)).count_ones();
        }
        joined
    }

    /// How many members of a set below a place are joined to it.
    #[inline(always)]
    fn joined_below(&self, place: u32, set: u32) -> u32 {
        let whole = place / 32;
        let mut joined = self.joined_to(place, set, whole);
        let below = (1 << (place % 32)) - 1;
        if below != 0 {
            let row = self.words.get(place * self.stride + whole);
            joined += (self.words.get(set + whole) & row & below).count_ones();
        }
        joined
    }

    /// Whether any two of a set's members are joined; they are listed.
    #[inline(always)]
    fn is_complete(&self, set: u32) -> bool {
        let members = self.list_members(set);
        let is_complete =
            all_hold(members, |before| self.joined_below(self.listed(before), set) == before);
        // Another lane may write next what this one has read.
        warp::sync_warp(warp::ALL);
        is_complete
    }

    /// Whether any two heads of the row are joined. The warp calls it together, once the matrix is there.
    #[inline(always)]
    pub fn is_row_complete(&self) -> bool {
        all_hold(self.heads_of_row(), |place| {
            let mut joined = 0;
            for word in 0..place.div_ceil(32) {
                let below = below(place, word);
                joined += (self.words.get(place * self.stride + word) & below).count_ones();
            }
            joined == place
        })
    }
}

/// The bits of a word that are of places below one in it or behind it.
#[inline(always)]
fn below(place: u32, word: u32) -> u32 {
    u32::MAX >> (32 - (place - word * 32).min(32))
}

/// Whether a condition holds for all numbers below `n`. The largest are looked at first: members of a set that are seldom joined to
/// all below. The warp calls it together.
#[inline(always)]
fn all_hold(n: u32, holds: impl Fn(u32) -> bool) -> bool {
    let mut first = 0;
    let mut all = true;
    while first < n && all {
        let number = first + warp::lane_id();
        let misses = number < n && !holds(n - 1 - number);
        all = !warp::warp_vote_any(warp::ALL, misses);
        first += warp::SIZE;
    }
    all
}

/// Adds what all lanes of a warp found, 32 bits in each of the totals.
#[inline(always)]
pub fn add_to_totals(totals: InOut<u64>, found: u128) {
    for piece in 0..super::TOTALS as u32 {
        let sum = warp::warp_reduce_add_64((found >> (32 * piece)) as u64 & 0xffff_ffff);
        if warp::lane_id() == 0 && sum != 0 {
            totals.atomic_add(u64::from(piece), sum);
        }
    }
}
