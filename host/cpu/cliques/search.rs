//! The search for cliques in one neighbourhood, without recursion.

use super::neighbourhood::Neighbourhood;

/// The most vertices of a clique that are looked for.
pub const LARGEST: u32 = 12;

/// A depth-first search for cliques among the places of a neighbourhood, largest place first. It stops at each set of places of which
/// any clique of `left` makes one whole clique with the places that were chosen before, and goes on from there when it is asked to.
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
    chosen: [u32; LARGEST as usize],
    /// The set of each depth, `words` words each.
    sets: Vec<u64>,
    /// Words of each set that may have a place.
    lengths: [usize; LARGEST as usize + 1],
    words: usize,
    /// Whether the set of depth 0 is the stop, and was not reached yet.
    is_whole: bool,
    /// Whether the search stops at sets of which any two places are joined.
    stops_at_complete: bool,
}

/// The state in which a search stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchStop {
    /// As many places are left to choose as was asked for.
    Left,
    /// The set has `places` places, of which any two are joined, and `left` are left to choose.
    Complete { places: u32, left: u32 },
}

impl CliqueSearch {
    /// A search for cliques of `wanted` places that stops where `left` are left.
    pub fn new(wanted: u32, left: u32, stops_at_complete: bool) -> CliqueSearch {
        let (chosen, lengths) = ([0; LARGEST as usize], [0; LARGEST as usize + 1]);
        let (sets, words, until, depth) = (Vec::new(), 0, 0, 0);
        CliqueSearch {
            wanted,
            left,
            until,
            depth,
            chosen,
            sets,
            lengths,
            words,
            is_whole: false,
            stops_at_complete,
        }
    }

    /// Begins with the cliques of a neighbourhood whose largest places are in a range.
    pub fn begin(&mut self, words: usize, first: std::ops::Range<usize>) {
        self.words = words;
        let depths = (self.wanted - self.left) as usize + 1;
        if self.sets.len() < depths * words {
            self.sets.resize(depths * words, 0);
        }
        let set = &mut self.sets[..words];
        set.fill(0);
        set[..first.end / 64].fill(u64::MAX);
        if !first.end.is_multiple_of(64) {
            set[first.end / 64] = (1 << (first.end % 64)) - 1;
        }
        (self.until, self.depth) = (first.start, 0);
        self.lengths[0] = words;
        self.is_whole = self.wanted == self.left;
    }

    /// Goes on to the next stop; `None` where there is none.
    #[inline(always)]
    pub fn advance(&mut self, of: &Neighbourhood) -> Option<SearchStop> {
        if self.wanted == self.left {
            return std::mem::replace(&mut self.is_whole, false).then_some(SearchStop::Left);
        }
        loop {
            let (before, after) = self.sets.split_at_mut((self.depth + 1) * self.words);
            let set = &mut before[self.depth * self.words..];
            let Some(place) = take_largest(set, &mut self.lengths[self.depth]) else {
                if self.depth == 0 {
                    return None;
                }
                self.depth -= 1;
                continue;
            };
            if self.depth == 0 && place < self.until {
                return None;
            }
            let length = place / 64 + 1;
            let joined = join(&set[..length], &of.row(place)[..length], place, after);
            let wanted = self.wanted - self.depth as u32 - 1;
            if joined < wanted {
                continue;
            }
            self.chosen[self.depth] = place as u32;
            self.lengths[self.depth + 1] = length;
            if wanted == self.left {
                return Some(SearchStop::Left);
            }
            if self.stops_at_complete && is_complete(of, &after[..length], joined) {
                return Some(SearchStop::Complete { places: joined, left: wanted });
            }
            self.depth += 1;
        }
    }

    /// The places of which a clique is left to choose where it stopped, and those that were chosen.
    #[inline(always)]
    pub fn places(&self) -> (&[u64], &[u32]) {
        match self.wanted == self.left {
            true => (&self.sets[..self.words], &[]),
            false => {
                let depth = self.depth + 1;
                let set = &self.sets[depth * self.words..][..self.lengths[depth]];
                (set, &self.chosen[..depth])
            }
        }
    }
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

/// Writes the places of a set that are below `place` and joined to it, and gives their number.
#[inline(always)]
fn join(set: &[u64], row: &[u64], place: usize, to: &mut [u64]) -> u32 {
    let mut joined = 0;
    for ((to, set), row) in to.iter_mut().zip(set).zip(row) {
        *to = set & row;
        joined += to.count_ones();
    }
    // The set has no place from this one on any more; nor have rows of smaller places alone.
    debug_assert!(to[place / 64] >> (place % 64) == 0);
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

/// How many places two sets share.
#[inline(always)]
pub(super) fn shared(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}
