//! The search for cliques in one neighbourhood, without recursion.

use super::neighbourhood::Neighbourhood;

/// The most vertices of a clique that are looked for.
pub const LARGEST: u32 = 12;

/// Choices left from which on a search goes by pivots: with fewer, to find a pivot takes longer than to try all places.
const PIVOTS_FROM: u32 = 4;

/// A depth-first search for cliques among the places of a neighbourhood. It stops at each set of places of which
/// any clique of `left` makes one whole clique with the places that were chosen before, and goes on from there when it is asked to.
///
/// Where few choices are left, every place of a set is tried, the largest first. Where more are, the place that is joined to most
/// others of the set is its pivot, and only places that are not joined to it are tried. What is left then is joined to the pivot: a
/// clique of it may have the pivot or not, and the pivot is put aside. So a set that is nearly complete is soon searched. It is
/// the search of Jain and Seshadhri, "The power of pivoting for exact clique counting", WSDM 2020.
///
/// Places that were put aside are joined to each other and to all of the set. They are a part of it again where the search stops.
///
/// It stops as well at a set of which any two places are joined, however many are left to choose: of those the binomial coefficient
/// says how many there are, and a dense part of a graph takes no time.
///
/// The sets of all depths are its stack. A set loses the places that were tried, so that it is its own list of what is left to do.
pub(super) struct CliqueSearch {
    /// Places that a clique still needs at depth 0.
    wanted: u32,
    /// Places that a clique still needs where the search stops.
    left: u32,
    /// The first choices that are not tried.
    until: usize,
    depth: usize,
    /// The depth of the set that the search stopped at.
    stopped: usize,
    chosen: [u32; LARGEST as usize],
    levels: [SearchLevel; LARGEST as usize + 1],
    /// The set of each depth, `words` words each.
    sets: Vec<u64>,
    /// The places of each depth that were put aside.
    aside: Vec<u64>,
    words: usize,
    /// Whether the set of depth 0 is the stop, and was not reached yet.
    is_whole: bool,
    /// Whether cliques are counted: the search stops at sets of which any two places are joined.
    counts: bool,
}

/// What a search knows of a set, beside the set itself.
#[derive(Clone, Copy)]
struct SearchLevel {
    /// Words of the set that may have a place.
    length: usize,
    /// Places that were put aside.
    aside: u32,
    tries: Tries,
}

/// The places of a set that are tried.
#[derive(Clone, Copy)]
enum Tries {
    /// All.
    All,
    /// The places that are not joined to the pivot, in the first words. The pivot is put aside afterwards.
    Unjoined { pivot: usize, length: usize },
    /// No more.
    Nothing,
}

/// The state in which a search stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchStop {
    /// As many places are left to choose as was asked for.
    Left,
    /// The set has `places` places, of which any two are joined, and `left` are left to choose.
    Complete { places: u32, left: u32 },
}

/// Whether a search for cliques of `wanted` places goes by pivots anywhere. It needs a bit for each direction of an edge then.
pub(super) fn goes_by_pivots(wanted: u32) -> bool {
    // The first choice is tried in any case.
    wanted > PIVOTS_FROM
}

impl CliqueSearch {
    /// A search for cliques of `wanted` places that stops where `left` are left; where they are counted, at complete sets as well.
    pub fn new(wanted: u32, left: u32, counts: bool) -> CliqueSearch {
        CliqueSearch {
            wanted,
            left,
            until: 0,
            depth: 0,
            stopped: 0,
            chosen: [0; LARGEST as usize],
            levels: [SearchLevel { length: 0, aside: 0, tries: Tries::All }; LARGEST as usize + 1],
            sets: Vec::new(),
            aside: Vec::new(),
            words: 0,
            is_whole: false,
            counts,
        }
    }

    /// Begins with the cliques of a neighbourhood whose largest places are in a range.
    pub fn begin(&mut self, words: usize, first: std::ops::Range<usize>) {
        self.words = words;
        let depths = (self.wanted - self.left) as usize + 1;
        if self.sets.len() < depths * words {
            self.sets.resize(depths * words, 0);
            if self.counts && goes_by_pivots(self.wanted) {
                self.aside.resize(depths * words, 0);
            }
        }
        let set = &mut self.sets[..words];
        set.fill(0);
        set[..first.end / 64].fill(u64::MAX);
        if !first.end.is_multiple_of(64) {
            set[first.end / 64] = (1 << (first.end % 64)) - 1;
        }
        (self.until, self.depth) = (first.start, 0);
        self.levels[0] = SearchLevel { length: words, aside: 0, tries: Tries::All };
        self.is_whole = self.wanted == self.left;
    }

    /// Goes on to the next stop; `None` where there is none.
    #[inline(always)]
    pub fn advance(&mut self, of: &Neighbourhood) -> Option<SearchStop> {
        if self.wanted == self.left {
            self.stopped = 0;
            return std::mem::replace(&mut self.is_whole, false).then_some(SearchStop::Left);
        }
        loop {
            let Some(place) = self.next_choice(of) else {
                if let Tries::Unjoined { pivot, .. } = self.levels[self.depth].tries {
                    let places = self.put_aside(of, pivot);
                    if self.open(of, self.depth, places) {
                        return Some(self.stop_at_complete(self.depth, places));
                    }
                    continue;
                }
                if self.depth == 0 {
                    return None;
                }
                self.depth -= 1;
                continue;
            };
            if self.depth == 0 && place < self.until {
                return None;
            }
            let places = self.choose(of, place);
            let (next, left) = (self.depth + 1, self.wanted - self.depth as u32 - 1);
            if places + self.levels[next].aside < left {
                continue;
            }
            if left == self.left {
                self.stop_at(next);
                return Some(SearchStop::Left);
            }
            if self.open(of, next, places) {
                return Some(self.stop_at_complete(next, places));
            }
            self.depth = next;
        }
    }

    /// Takes the next place to try from the set at hand.
    #[inline(always)]
    fn next_choice(&mut self, of: &Neighbourhood) -> Option<usize> {
        let level = &mut self.levels[self.depth];
        let set = &mut self.sets[self.depth * self.words..][..self.words];
        match &mut level.tries {
            Tries::All => take_largest(set, &mut level.length),
            Tries::Unjoined { pivot, length } => take_unjoined(set, of.row(*pivot), *pivot, length),
            Tries::Nothing => None,
        }
    }

    /// Makes the set of the next depth: what is joined to a place that is chosen. Gives its number of places.
    #[inline(always)]
    fn choose(&mut self, of: &Neighbourhood, place: usize) -> u32 {
        let SearchLevel { length, aside, tries } = self.levels[self.depth];
        // Where all are tried, only smaller ones are left.
        let length = if matches!(tries, Tries::All) { place / 64 + 1 } else { length };
        let (before, after) = self.sets.split_at_mut((self.depth + 1) * self.words);
        let set = &before[self.depth * self.words..][..length];
        let joined = join(set, &of.row(place)[..length], after);
        if aside > 0 {
            let own = self.depth * self.words..(self.depth + 1) * self.words;
            self.aside.copy_within(own.clone(), own.end);
        }
        self.chosen[self.depth] = place as u32;
        self.levels[self.depth + 1] = SearchLevel { length, aside, tries: Tries::All };
        joined
    }

    /// Puts the pivot of the set at hand aside, once all places were tried that are not joined to it. Gives the number of places
    /// that are left.
    #[inline(always)]
    fn put_aside(&mut self, of: &Neighbourhood, pivot: usize) -> u32 {
        let (start, level) = (self.depth * self.words, &mut self.levels[self.depth]);
        let aside = &mut self.aside[start..start + self.words];
        if level.aside == 0 {
            aside.fill(0);
        }
        aside[pivot / 64] |= 1 << (pivot % 64);
        level.aside += 1;
        let mut places = 0;
        for (set, row) in self.sets[start..start + level.length].iter_mut().zip(of.row(pivot)) {
            *set &= row;
            places += set.count_ones();
        }
        places
    }

    /// Decides which of the `places` places of a depth's set are tried, and whether the search stops there because any two of them
    /// are joined.
    #[inline(always)]
    fn open(&mut self, of: &Neighbourhood, depth: usize, places: u32) -> bool {
        let (left, level) = (self.wanted - depth as u32, &mut self.levels[depth]);
        let set = &self.sets[depth * self.words..][..level.length];
        if level.aside == 0 && left < PIVOTS_FROM || !self.counts {
            return self.counts && is_complete(of, set, places);
        }
        level.tries = Tries::Nothing;
        if places + level.aside < left {
            return false;
        }
        let pivot = pivot(of, set, places);
        if let Some(pivot) = pivot {
            level.tries = Tries::Unjoined { pivot, length: level.length };
        }
        pivot.is_none()
    }

    /// The stop at a set of which any two of the `places` places are joined.
    #[inline(always)]
    fn stop_at_complete(&mut self, depth: usize, places: u32) -> SearchStop {
        self.stop_at(depth);
        let places = places + self.levels[depth].aside;
        SearchStop::Complete { places, left: self.wanted - depth as u32 }
    }

    /// Stops at the set of a depth. What was put aside is a part of it again; the search does nothing else with it.
    #[inline(always)]
    fn stop_at(&mut self, depth: usize) {
        self.stopped = depth;
        let (start, level) = (depth * self.words, &mut self.levels[depth]);
        if level.aside > 0 {
            let set = &mut self.sets[start..start + self.words];
            set[level.length..].fill(0);
            set.iter_mut().zip(&self.aside[start..]).for_each(|(set, aside)| *set |= aside);
            level.length = self.words;
        }
    }

    /// The places of which a clique is left to choose where it stopped, and those that were chosen.
    #[inline(always)]
    pub fn places(&self) -> (&[u64], &[u32]) {
        let set = &self.sets[self.stopped * self.words..][..self.levels[self.stopped].length];
        (set, &self.chosen[..self.stopped])
    }
}

/// The place of a set that is joined to most others of it; `None` where any two of its `places` places are joined.
#[inline(always)]
fn pivot(of: &Neighbourhood, set: &[u64], places: u32) -> Option<usize> {
    let (mut most, mut found, mut all) = (0, None, 0);
    for place in self::places(set) {
        let joined = shared(set, of.row(place));
        all += joined;
        if joined >= most {
            (most, found) = (joined, Some(place));
        }
    }
    found.filter(|_| all < u64::from(places) * u64::from(places - 1))
}

/// Takes the largest place of a set, whose first `length` words may have one.
#[inline(always)]
fn take_largest(set: &mut [u64], length: &mut usize) -> Option<usize> {
    while *length > 0 {
        let word = &mut set[*length - 1];
        if *word != 0 {
            let bit = 63 - word.leading_zeros() as usize;
            *word ^= 1 << bit;
            return Some((*length - 1) * 64 + bit);
        }
        *length -= 1;
    }
    None
}

/// Takes the largest place of a set that is not joined to a pivot and is not the pivot, from its first `length` words.
#[inline(always)]
fn take_unjoined(set: &mut [u64], row: &[u64], pivot: usize, length: &mut usize) -> Option<usize> {
    while *length > 0 {
        let at = *length - 1;
        let mut word = set[at] & !row[at];
        if at == pivot / 64 {
            word &= !(1 << (pivot % 64));
        }
        if word != 0 {
            let bit = 63 - word.leading_zeros() as usize;
            set[at] ^= 1 << bit;
            return Some(at * 64 + bit);
        }
        *length -= 1;
    }
    None
}

/// Writes the places of a set that are in a row, and gives their number.
#[inline(always)]
fn join(set: &[u64], row: &[u64], to: &mut [u64]) -> u32 {
    let mut joined = 0;
    for ((to, set), row) in to.iter_mut().zip(set).zip(row) {
        *to = set & row;
        joined += to.count_ones();
    }
    joined
}

/// Whether any two of the `places` places of a set are joined. The largest is looked at first: it is seldom joined to all others.
#[inline(always)]
fn is_complete(of: &Neighbourhood, set: &[u64], places: u32) -> bool {
    let mut smaller = u64::from(places);
    for (word, &bits) in set.iter().enumerate().rev() {
        let mut bits = bits;
        while bits != 0 {
            let bit = 63 - bits.leading_zeros() as usize;
            bits ^= 1 << bit;
            smaller -= 1;
            let row = of.row(word * 64 + bit);
            let joined = u64::from((bits & row[word]).count_ones());
            if joined + shared(&set[..word], &row[..word]) < smaller {
                return false;
            }
        }
    }
    true
}

/// The places of a set, ascending.
#[inline(always)]
pub(super) fn places(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit))
}

/// The bits of a word, ascending.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// How many places below `place` two sets share.
#[inline(always)]
pub(super) fn shared_below(a: &[u64], b: &[u64], place: usize) -> u64 {
    let word = place / 64;
    let smaller = a[word] & b[word] & ((1 << (place % 64)) - 1);
    shared(&a[..word], &b[..word]) + u64::from(smaller.count_ones())
}

/// How many places two sets share.
#[inline(always)]
pub(super) fn shared(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}
