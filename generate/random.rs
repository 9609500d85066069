//! Random numbers that are computed from where they are used.
//!
//! The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
//! 2014, figure 17: the n-th number is a mix of start + n · γ, so any number of a stream can be had
//! without the ones before.

/// γ of the paper: the golden ratio's fraction in 64 bits.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of 64-bit numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A stream of its own for each pair of seed and index.
    #[inline]
    pub(super) fn new(seed: u64, index: u64) -> SplitMix64 {
        Streams::new(seed).stream(index)
    }

    /// The next 64 bits.
    #[inline]
    pub(super) fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// The draw that comes after `n` others.
    #[inline]
    pub(super) fn nth(&self, n: u64) -> u64 {
        mix(self.state.wrapping_add(GAMMA.wrapping_mul(n.wrapping_add(1))))
    }
}

/// The streams of a seed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Streams {
    base: u64,
}

impl Streams {
    pub(super) fn new(seed: u64) -> Streams {
        Streams { base: SplitMix64 { state: seed }.draw() }
    }

    /// The stream of an index.
    #[inline]
    pub(super) fn stream(&self, index: u64) -> SplitMix64 {
        let state = self.base ^ index.wrapping_mul(0xd134_2543_de82_ef95);
        SplitMix64 { state: SplitMix64 { state }.draw() }
    }
}

/// The bits of a state, mixed.
#[inline]
pub(super) fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `bound` from 64 random bits, uniform but for a bias of at most `bound` / 2⁶⁴.
#[inline]
pub(super) fn below(draw: u64, bound: u64) -> u64 {
    ((u128::from(draw) * u128::from(bound)) >> 64) as u64
}

/// The stream of numbers by which ids are shuffled.
pub(super) fn shuffle(seed: u64) -> SplitMix64 {
    SplitMix64::new(seed, u64::MAX)
}

/// A random permutation of `0..n` (Fisher-Yates), in O(n).
pub(super) fn permutation(n: u32, seed: u64) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..n).collect();
    let mut random = shuffle(seed);
    for i in (1..ids.len()).rev() {
        ids.swap(i, below(random.draw(), i as u64 + 1) as usize);
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of seed 1234567 as the reference program prints them.
    #[test]
    fn the_published_sequence() {
        let mut random = SplitMix64 { state: 1_234_567 };
        let first = random;
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for (n, expected) in expected.into_iter().enumerate() {
            assert_eq!(random.draw(), expected);
            assert_eq!(first.nth(n as u64), expected);
        }
    }

    #[test]
    fn every_id_occurs_once() {
        let mut ids = permutation(1000, 7);
        assert_ne!(ids, (0..1000).collect::<Vec<_>>());
        ids.sort_unstable();
        assert_eq!(ids, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn bounds() {
        assert_eq!(below(0, 10), 0);
        assert_eq!(below(u64::MAX, 10), 9);
        assert_eq!(below(1 << 63, 10), 5);
    }
}
