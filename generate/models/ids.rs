//! What models with places call their vertices.

use super::random::{SplitMix64, mix};

/// The ids of a model whose vertices have places, on a map or a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceIds {
    /// A random permutation. Entries come in the order of the places.
    Shuffled,
    /// Ids are in the order of the places, as maps and crawls have them. Entries come in a random order, and
    /// each in a random direction.
    Places,
}

/// [`PlaceIds`], worked out.
#[derive(Debug)]
pub(super) enum PlaceNumbering {
    /// The id of each place.
    Shuffled(Vec<u32>),
    /// The order of the entries.
    Places(RandomOrder),
}

/// A random order of the numbers below n that is computed and not kept: a Feistel network of four
/// rounds, applied again until it falls below n (Black, Rogaway, "Ciphers with arbitrary finite
/// domains", CT-RSA 2002). Each number takes at most four tries on average.
#[derive(Debug, Clone, Copy)]
pub(super) struct RandomOrder {
    count: u64,
    /// Bits of each half: both together hold every number below `count`.
    half: u32,
    keys: [u64; 4],
}

impl RandomOrder {
    /// An order of the numbers below `count`, at most 2⁶³.
    pub(super) fn new(count: u64, seed: u64) -> RandomOrder {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        let mut random = SplitMix64::new(seed, u64::MAX);
        RandomOrder { count, half: bits.div_ceil(2), keys: [0; 4].map(|_: u64| random.draw()) }
    }

    /// The number at a place of the order. The place is below the count.
    pub(super) fn number(&self, place: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let mut number = place;
        loop {
            let (mut high, mut low) = (number >> self.half, number & mask);
            for key in self.keys {
                (high, low) = (low, high ^ (mix(low ^ key) & mask));
            }
            number = high << self.half | low;
            if number < self.count {
                return number;
            }
        }
    }

    /// Whether the entry at a place is turned around, as a fair coin has it.
    pub(super) fn turned(&self, place: u64) -> bool {
        mix(place.wrapping_add(self.keys[0])) >> 63 == 1
    }

    /// An entry in its direction.
    pub(super) fn directed(&self, place: u64, [u, v]: [u32; 2]) -> [u32; 2] {
        if self.turned(place) { [v, u] } else { [u, v] }
    }
}

#[cfg(test)]
mod tests {
    use super::RandomOrder;

    #[test]
    fn an_order_has_every_number_once() {
        for count in [1, 2, 3, 5, 64, 65, 1000, 1 << 12] {
            for seed in [1, 2] {
                let order = RandomOrder::new(count, seed);
                let mut numbers: Vec<u64> = (0..count).map(|place| order.number(place)).collect();
                if count > 5 {
                    assert_ne!(numbers, (0..count).collect::<Vec<_>>());
                }
                numbers.sort_unstable();
                assert_eq!(numbers, (0..count).collect::<Vec<_>>());
            }
        }
        let order = RandomOrder::new(1000, 1);
        let turned = (0..1000).filter(|&place| order.turned(place)).count();
        // Fair coins deviate from 500 by less than 64 but in one of 20,000 cases.
        assert!(turned.abs_diff(500) < 64, "{turned}");
    }
}
