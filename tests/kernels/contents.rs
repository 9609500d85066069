//! What arrays hold: patterns that sorts, runs and compactions are sensitive to.

use std::fmt;
use std::ops::Deref;

use fastrand::Rng;
use proptest::prelude::*;
use proptest::sample::select;

/// An array with a name, so that a report stays short.
#[derive(Clone)]
pub struct Content<T> {
    name: String,
    items: Vec<T>,
}

impl<T> Content<T> {
    /// `items`, reported as `name`.
    pub fn new(name: impl Into<String>, items: Vec<T>) -> Content<T> {
        Content { name: name.into(), items }
    }
}

impl<T> Deref for Content<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: fmt::Debug> fmt::Debug for Content<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.name, self.items.len())?;
        if self.items.len() <= 40 { write!(f, " {:?}", self.items) } else { Ok(()) }
    }
}

/// Sizes where code has its boundaries, ascending: 0, 1, around a warp, around each of `boundaries`.
pub fn sizes_around(boundaries: &[usize]) -> Vec<usize> {
    let mut sizes = vec![0, 1, 31, 32, 33];
    sizes.extend(boundaries.iter().flat_map(|&size| [size - 1, size, size + 1]));
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// How 64-bit keys are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPattern {
    /// One key, all the time.
    AllEqual,
    /// All bits set, all the time.
    AllOnes,
    /// Random, ascending.
    Sorted,
    /// Random, descending.
    Reversed,
    /// Mostly small.
    Skewed,
    /// Every bit is drawn.
    Random,
    /// Two keys that differ in every digit, in turn.
    TwoInTurn,
    /// One key, and a smaller one at the very end.
    LastIsLess,
    /// Runs of 1 to 70 equal keys.
    Runs,
}

impl KeyPattern {
    /// All of them.
    pub const ALL: [KeyPattern; 9] = [
        KeyPattern::AllEqual,
        KeyPattern::AllOnes,
        KeyPattern::Sorted,
        KeyPattern::Reversed,
        KeyPattern::Skewed,
        KeyPattern::Random,
        KeyPattern::TwoInTurn,
        KeyPattern::LastIsLess,
        KeyPattern::Runs,
    ];

    /// `n` keys of the pattern.
    pub fn keys(self, n: usize, seed: u64) -> Content<u64> {
        let mut rng = Rng::with_seed(seed);
        let one = rng.u64(..);
        let mut keys: Vec<u64> = match self {
            KeyPattern::AllEqual => vec![one; n],
            KeyPattern::AllOnes => vec![u64::MAX; n],
            KeyPattern::Sorted | KeyPattern::Reversed | KeyPattern::Random => {
                (0..n).map(|_| rng.u64(..)).collect()
            }
            KeyPattern::Skewed => (0..n).map(|_| rng.u64(..) >> rng.u32(..64)).collect(),
            KeyPattern::TwoInTurn => (0..n).map(|i| if i % 2 == 0 { one } else { !one }).collect(),
            KeyPattern::LastIsLess => {
                let rest = n.saturating_sub(1);
                let last = std::iter::repeat_n(one & 0x7f7f_7f7f_7f7f_7f7f, n - rest);
                std::iter::repeat_n(one | 0x8080_8080_8080_8080, rest).chain(last).collect()
            }
            KeyPattern::Runs => runs(&mut rng, n).into_iter().map(mixed).collect(),
        };
        match self {
            KeyPattern::Sorted => keys.sort_unstable(),
            KeyPattern::Reversed => keys.sort_unstable_by(|a, b| b.cmp(a)),
            _ => {}
        }
        Content::new(format!("{self:?}({seed:#x})"), keys)
    }
}

/// Keys of any pattern; where few, any keys at all.
pub fn any_keys(most: usize) -> impl Strategy<Value = Content<u64>> {
    let patterns = (select(&KeyPattern::ALL[..]), 0..=most, any::<u64>())
        .prop_map(|(pattern, n, seed)| pattern.keys(n, seed));
    let given =
        prop::collection::vec(any::<u64>(), 0..40).prop_map(|keys| Content::new("given", keys));
    prop_oneof![3 => patterns, 1 => given]
}

/// How the entries of an edge array are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgePattern {
    /// One edge, all the time.
    AllEqual,
    /// Nothing but self-loops.
    AllLoops,
    /// One vertex joined to all, as the first end.
    Hub,
    /// One vertex joined to all, as the second end.
    HubSecond,
    /// Runs of 1 to 70 edges with the same first end, in ascending order.
    Runs,
    /// The same with every fifth edge a self-loop.
    RunsWithLoops,
    /// The same in descending order, ends swapped.
    RunsReversed,
    /// Both ends drawn from few vertices: duplicates and self-loops.
    Random,
    /// Both ends drawn, small ids more often.
    Skewed,
}

impl EdgePattern {
    /// All of them.
    pub const ALL: [EdgePattern; 9] = [
        EdgePattern::AllEqual,
        EdgePattern::AllLoops,
        EdgePattern::Hub,
        EdgePattern::HubSecond,
        EdgePattern::Runs,
        EdgePattern::RunsWithLoops,
        EdgePattern::RunsReversed,
        EdgePattern::Random,
        EdgePattern::Skewed,
    ];

    /// `n` entries of the pattern over `vertices` vertices, at least 2.
    pub fn edges(self, n: usize, vertices: u32, seed: u64) -> Content<[u32; 2]> {
        let mut rng = Rng::with_seed(seed);
        let hub = rng.u32(..vertices);
        let other = |i: usize| (hub + 1 + (i as u64 % u64::from(vertices - 1)) as u32) % vertices;
        let mut edges: Vec<[u32; 2]> = match self {
            EdgePattern::AllEqual => vec![[hub, other(0)]; n],
            EdgePattern::AllLoops => (0..n).map(|_| [rng.u32(..vertices); 2]).collect(),
            EdgePattern::Hub => (0..n).map(|i| [hub, other(i)]).collect(),
            EdgePattern::HubSecond => (0..n).map(|i| [other(i), hub]).collect(),
            EdgePattern::Runs | EdgePattern::RunsWithLoops | EdgePattern::RunsReversed => {
                let firsts = runs(&mut rng, n).into_iter().map(|run| run as u32 % vertices);
                firsts.map(|first| [first, rng.u32(..vertices)]).collect()
            }
            EdgePattern::Random => {
                (0..n).map(|_| [rng.u32(..vertices), rng.u32(..vertices)]).collect()
            }
            EdgePattern::Skewed => {
                let mut draw = || rng.u32(..vertices) >> rng.u32(..32);
                (0..n).map(|_| [draw(), draw()]).collect()
            }
        };
        match self {
            EdgePattern::RunsWithLoops => edges.iter_mut().step_by(5).for_each(|e| e[1] = e[0]),
            EdgePattern::RunsReversed => {
                edges.reverse();
                edges.iter_mut().for_each(|edge| edge.swap(0, 1));
            }
            _ => {}
        }
        Content::new(format!("{self:?}({seed:#x}) over {vertices} vertices"), edges)
    }
}

/// Entries of any pattern; where few, any at all.
pub fn any_edges(vertices: u32, most: usize) -> impl Strategy<Value = Content<[u32; 2]>> {
    let patterns = (select(&EdgePattern::ALL[..]), 0..=most, any::<u64>())
        .prop_map(move |(pattern, n, seed)| pattern.edges(n, vertices, seed));
    let given = prop::collection::vec([0..vertices, 0..vertices], 0..80)
        .prop_map(|edges| Content::new("given", edges));
    prop_oneof![3 => patterns, 1 => given]
}

/// What stands in words that a kernel is to leave alone.
pub const UNTOUCHED: u32 = 0xabab_abab;

/// The key of an edge between two ranks of `rank_bits` bits: the larger above the smaller, and all bits for a self-loop.
pub fn key_of([u, v]: [u32; 2], rank_bits: u32) -> u64 {
    let radix = 1u128 << rank_bits;
    let key = u128::from(u.max(v)) * radix + u128::from(u.min(v));
    if u == v { (radix * radix - 1) as u64 } else { key as u64 }
}

/// The number of the run that each of `n` items is in; runs of 1 to 70.
fn runs(rng: &mut Rng, n: usize) -> Vec<u64> {
    let mut items = Vec::with_capacity(n + 70);
    let mut run = 0;
    while items.len() < n {
        items.extend(std::iter::repeat_n(run, rng.usize(1..=70)));
        run += 1;
    }
    items.truncate(n);
    items
}

/// A bijection that spreads small numbers over all bits.
fn mixed(number: u64) -> u64 {
    number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
