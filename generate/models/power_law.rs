//! Sizes by a power law.

use crate::{Error, Result};

/// Whole numbers from a smallest to a largest by a power law: a number x is drawn with density
/// x^-exponent between the smallest and the largest + 1, and rounded down.
///
/// The power is `libm`'s, which computes it by additions and multiplications in one order: the same
/// numbers on every machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    smallest: u32,
    largest: u32,
    /// The exponent of the share of larger numbers, as a power of what is drawn.
    root: f64,
    /// The share of a law without a largest number that is above the largest.
    above: f64,
}

impl PowerLaw {
    /// The power law of sizes from `smallest` to `largest`, both included.
    ///
    /// # Errors
    /// [`Error::Usage`] for a smallest of 0 or above the largest, and for an exponent that is not above
    /// 1 and at most 100.
    pub fn new(smallest: u32, largest: u32, exponent: f64) -> Result<PowerLaw> {
        if smallest == 0 || smallest > largest {
            return Err(Error::Usage(format!(
                "there is no size from {smallest} to {largest}: the smallest is at least 1 and at most \
                 the largest"
            ).into()));
        }
        if !(exponent > 1.0 && exponent <= 100.0) {
            return Err(Error::Usage(
                format!(
                    "sizes cannot have the exponent {exponent}: use a number above 1, 100 at most"
                )
                .into(),
            ));
        }
        let end = f64::from(largest) + 1.0;
        let above = libm::pow(f64::from(smallest) / end, exponent - 1.0);
        Ok(PowerLaw { smallest, largest, root: -1.0 / (exponent - 1.0), above })
    }

    /// The largest number.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// The number of 64 random bits.
    pub(super) fn size(&self, draw: u64) -> u32 {
        let share = 1.0 - super::fraction(draw) * (1.0 - self.above);
        let size = f64::from(self.smallest) * libm::pow(share, self.root);
        // Rounding may lead past both ends.
        (size as u32).clamp(self.smallest, self.largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn shares_are_those_of_the_law() {
        let law = PowerLaw::new(3, 100, 2.5).unwrap();
        let mut random = SplitMix64::new(1, 1);
        let mut counts = [0u32; 101];
        let draws = 100_000;
        (0..draws).for_each(|_| counts[law.size(random.draw()) as usize] += 1);
        assert_eq!(counts[..3], [0; 3]);
        // The integral of the density from x on.
        let tail = |x: f64| x.powf(-1.5) - 101f64.powf(-1.5);
        for size in 3..=100u32 {
            let [from, to] = [size, size + 1].map(|x| tail(f64::from(x)) / tail(3.0));
            let expected = f64::from(draws) * (from - to);
            let found = f64::from(counts[size as usize]);
            assert!(
                (found - expected).abs() < 5.0 * expected.sqrt(),
                "{size}: {found}, {expected}"
            );
        }
    }

    #[test]
    fn the_ends_of_the_draws() {
        for (smallest, largest) in [(1, 1), (7, 7), (1, u32::MAX), (2, 1000)] {
            for exponent in [1.0001, 2.0, 3.5, 100.0] {
                let law = PowerLaw::new(smallest, largest, exponent).unwrap();
                assert_eq!(law.size(0), smallest);
                let size = law.size(u64::MAX);
                assert!((smallest..=largest).contains(&size));
                if exponent == 2.0 {
                    // One draw of 2⁵³ differs from 1 by what a size of 2³² is.
                    assert!(largest - size <= largest >> 20, "{size} of {largest}");
                }
            }
        }
    }

    #[test]
    fn no_law() {
        let say = |smallest, largest, exponent| {
            PowerLaw::new(smallest, largest, exponent).unwrap_err().to_string()
        };
        assert_eq!(
            say(5, 4, 2.0),
            "there is no size from 5 to 4: the smallest is at least 1 and at most the largest"
        );
        assert!(say(0, 4, 2.0).starts_with("there is no size from 0 to 4: "));
        for exponent in [1.0, -2.0, 101.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                say(1, 4, exponent),
                format!(
                    "sizes cannot have the exponent {exponent}: use a number above 1, 100 at most"
                )
            );
        }
    }
}
