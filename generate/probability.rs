//! Probabilities without rounding.

use std::fmt;
use std::str::FromStr;

/// A decimal number from 0 to 1, exactly: a model's edges must not depend on how a machine rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probability {
    /// The probability in units of 10⁻¹².
    units: u64,
}

/// Digits after the point.
const DIGITS: u32 = 12;

const ONE: u64 = 10u64.pow(DIGITS);

impl Probability {
    /// 0.
    pub const ZERO: Probability = Probability { units: 0 };
    /// 1.
    pub const ONE: Probability = Probability { units: ONE };

    /// `numerator` thousandths.
    ///
    /// # Panics
    /// If they are more than 1.
    pub const fn per_mille(numerator: u64) -> Probability {
        assert!(numerator <= 1000, "a probability is at most 1");
        Probability { units: numerator * (ONE / 1000) }
    }

    /// The sum of both, if it is at most 1.
    pub fn plus(self, other: Probability) -> Option<Probability> {
        let units = self.units + other.units;
        (units <= ONE).then_some(Probability { units })
    }

    /// The probability of everything else: 1 less this one.
    pub fn rest(self) -> Probability {
        Probability { units: ONE - self.units }
    }

    /// A draw of 64 random bits below this number has this probability, rounded up to a multiple of
    /// 2⁻⁶⁴; 1 becomes 1 - 2⁻⁶⁴.
    pub(super) fn threshold(self) -> u64 {
        let scaled = (u128::from(self.units) << 64).div_ceil(u128::from(ONE));
        u64::try_from(scaled).unwrap_or(u64::MAX)
    }
}

impl FromStr for Probability {
    type Err = String;

    fn from_str(text: &str) -> Result<Probability, String> {
        let wrong = || {
            format!(
                "`{text}` is no probability: a decimal number from 0 to 1 of at most {DIGITS} digits after the point"
            )
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole)
            || !digits(fraction)
            || text.trim_matches('.').is_empty()
            || fraction.len() > DIGITS as usize
        {
            return Err(wrong());
        }
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| wrong())? };
        // At most twelve digits.
        let parts = format!("{fraction:0<width$}", width = DIGITS as usize);
        let parts: u64 = parts.parse().map_err(|_| wrong())?;
        match whole.checked_mul(ONE).and_then(|units| units.checked_add(parts)) {
            Some(units) if units <= ONE => Ok(Probability { units }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0width$}", self.units % ONE, width = DIGITS as usize);
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        write!(f, "{}{point}{digits}", self.units / ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for (text, shown) in [
            ("0", "0"),
            ("1", "1"),
            ("1.000", "1"),
            ("0.57", "0.57"),
            (".5", "0.5"),
            ("0.", "0"),
            ("0.000000000001", "0.000000000001"),
        ] {
            assert_eq!(text.parse::<Probability>().unwrap().to_string(), shown);
        }
        assert_eq!("0.1".parse(), Ok(Probability::per_mille(100)));
        assert_eq!("0.81".parse::<Probability>().unwrap().rest().to_string(), "0.19");
    }

    #[test]
    fn no_probabilities() {
        for text in ["", ".", "-0.1", "+1", "1.1", "2", "1e-3", "0,5", "0.0000000000001", "½"] {
            let message = text.parse::<Probability>().unwrap_err();
            assert!(message.starts_with(&format!("`{text}` is no probability: ")), "{message}");
        }
    }

    #[test]
    fn thresholds_are_rounded_up() {
        assert_eq!(Probability::ZERO.threshold(), 0);
        assert_eq!(Probability::ONE.threshold(), u64::MAX);
        assert_eq!(Probability::per_mille(500).threshold(), 1 << 63);
        // 0.76 · 2⁶⁴ = 14019525496019259228.16
        assert_eq!(Probability::per_mille(760).threshold(), 14_019_525_496_019_259_229);
    }
}
