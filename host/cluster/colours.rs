//! Colours of vertices, sets of them, and how many entries there are between each two.

use tribin_graph::VertexId;

/// The number of colours.
pub const COLOURS: usize = 256;

/// The colour of a vertex: a hash of its id, the same on every machine. Seeds give other colours.
pub fn colour_of(id: VertexId, seed: u64) -> u8 {
    let number = match id {
        VertexId::Number(number) => number,
        // FNV-1a.
        VertexId::Name(name) => name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }),
    };
    // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
    let mixed = number.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 56) as u8
}

/// A set of colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Colours([u64; COLOURS / 64]);

impl Colours {
    /// All colours.
    pub const ALL: Colours = Colours([u64::MAX; COLOURS / 64]);

    /// Whether a colour is in the set.
    pub fn has(self, colour: u8) -> bool {
        self.0[usize::from(colour) / 64] >> (colour % 64) & 1 == 1
    }

    /// The number of colours in the set.
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether no colour is in the set.
    pub fn is_empty(self) -> bool {
        self == Colours::default()
    }

    /// The colours of the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let next = move |&rest: &u64| Some(rest & (rest - 1)).filter(|&rest| rest > 0);
            let first = Some(bits).filter(|&bits| bits > 0);
            std::iter::successors(first, next)
                .map(move |rest| (64 * word) as u8 + rest.trailing_zeros() as u8)
        })
    }

    /// The colours that are in one of two sets.
    pub fn with(self, other: Colours) -> Colours {
        Colours(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The colours that are not in another set.
    pub fn without(self, other: Colours) -> Colours {
        Colours(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The set as words, of which the first has the lowest colours.
    pub fn words(self) -> [u64; COLOURS / 64] {
        self.0
    }
}

impl From<[u64; COLOURS / 64]> for Colours {
    fn from(words: [u64; COLOURS / 64]) -> Colours {
        Colours(words)
    }
}

impl FromIterator<u8> for Colours {
    fn from_iter<I: IntoIterator<Item = u8>>(colours: I) -> Colours {
        let mut words = [0; COLOURS / 64];
        for colour in colours {
            words[usize::from(colour) / 64] |= 1 << (colour % 64);
        }
        Colours(words)
    }
}

/// The number of entries between each two colours. It is all that a plan follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs(Vec<u64>);

impl Default for Pairs {
    fn default() -> Pairs {
        Pairs(vec![0; COLOURS * COLOURS])
    }
}

impl Pairs {
    /// Where two colours are counted, in either order.
    pub(super) fn place(one: u8, other: u8) -> usize {
        usize::from(one.min(other)) * COLOURS + usize::from(one.max(other))
    }

    /// Counts entries between two colours, which may be one.
    pub fn add(&mut self, one: u8, other: u8, entries: u64) {
        self.0[Pairs::place(one, other)] += entries;
    }

    /// The entries between two colours.
    pub fn between(&self, one: u8, other: u8) -> u64 {
        self.0[Pairs::place(one, other)]
    }

    /// All entries.
    pub fn entries(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The counts as words, which [`add_words`](Self::add_words) takes.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Adds other counts, as [`words`](Self::words) has them. What is too long is not looked at.
    pub fn add_words(&mut self, words: &[u64]) {
        self.0.iter_mut().zip(words).for_each(|(sum, word)| *sum += word);
    }

    /// The entries between two sets without a common colour.
    pub(super) fn across(&self, one: Colours, other: Colours) -> u64 {
        one.iter().map(|one| self.of(one, other)).sum()
    }

    /// The entries between a colour and a set.
    pub(super) fn of(&self, one: u8, set: Colours) -> u64 {
        set.iter().map(|other| self.between(one, other)).sum()
    }

    /// The entries within a set.
    pub(super) fn within(&self, set: Colours) -> u64 {
        let ordered: u64 = set.iter().map(|one| self.of(one, set)).sum();
        let alike: u64 = set.iter().map(|one| self.between(one, one)).sum();
        (ordered + alike) / 2
    }
}
