//! 16-bit floating-point numbers on a host, rounded as a GPU rounds them.

/// A format of 16 bits: a sign, an exponent, and a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HalfFormat {
    exponent_bits: u32,
    fraction_bits: u32,
}

/// IEEE 754 binary16: 5 bits of exponent, 10 of fraction.
pub const BINARY16: HalfFormat = HalfFormat { exponent_bits: 5, fraction_bits: 10 };

/// bfloat16, the upper half of an `f32`: 8 bits of exponent, 7 of fraction.
pub const BFLOAT16: HalfFormat = HalfFormat { exponent_bits: 8, fraction_bits: 7 };

/// What a GPU writes for a number that is none.
const NAN: u16 = 0x7FFF;

const SIGN: u16 = 1 << 15;

impl HalfFormat {
    /// What the exponent of 1 is stored as.
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The bits of infinity.
    fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The number that has these bits.
    pub fn widen(self, bits: u16) -> f64 {
        let (magnitude, fraction_bits) = (u64::from(bits & !SIGN), self.fraction_bits);
        let exponent = (magnitude >> fraction_bits) as i32;
        let fraction = magnitude & ((1 << fraction_bits) - 1);
        let value = if magnitude > self.infinity() {
            f64::NAN
        } else if magnitude == self.infinity() {
            f64::INFINITY
        } else {
            // Those without an exponent have no leading one.
            let leading = u64::from(exponent > 0) << fraction_bits;
            let unit = exponent.max(1) - self.bias() - fraction_bits as i32;
            (leading | fraction) as f64 * 2f64.powi(unit)
        };
        if bits & SIGN == 0 { value } else { -value }
    }

    /// The bits of the nearest number; of the even one where two are as near.
    pub fn narrow(self, value: f64) -> u16 {
        if value.is_nan() {
            return NAN;
        }
        let sign = if value.is_sign_negative() { SIGN } else { 0 };
        let exponent = ((value.to_bits() >> 52) & 0x7FF) as i32 - 1023;
        let stored = (exponent + self.bias()).max(1);
        let unit = stored - self.bias() - self.fraction_bits as i32;
        // Exact but for the rounding, or infinite.
        let units = (value.abs() * 2f64.powi(-unit)).round_ties_even();
        if !units.is_finite() {
            return sign | self.infinity() as u16;
        }
        // The leading one of `units` is a part of the exponent, and so is a carry.
        let bits = ((stored as u64 - 1) << self.fraction_bits) + units as u64;
        sign | bits.min(self.infinity()) as u16
    }

    /// `a * b + c`, rounded once.
    pub fn fma(self, a: u16, b: u16, c: u16) -> u16 {
        let (product, addend) = (self.widen(a) * self.widen(b), self.widen(c));
        let sum = product + addend;
        // The product is exact, and so is this error of the sum (Knuth, The Art of Computer Programming, volume 2, section
        // 4.2.2, theorem B).
        let part = sum - product;
        let error = (product - (sum - part)) + (addend - part);
        let odd = match error.is_finite() && error != 0.0 && sum.to_bits() & 1 == 0 {
            // Rounded to odd, the sum can be rounded again without harm (Boldo and Melquiond, "Emulation of FMA and correctly
            // rounded sums", IEEE Transactions on Computers 2008, section 3).
            true if (error > 0.0) == (sum > 0.0) => f64::from_bits(sum.to_bits() + 1),
            true => f64::from_bits(sum.to_bits() - 1),
            false => sum,
        };
        self.narrow(odd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [HalfFormat; 2] = [BINARY16, BFLOAT16];

    #[test]
    fn known_numbers() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 2f64.powi(-24)),
            (0x03FF, 1023.0 * 2f64.powi(-24)),
            (0x0400, 2f64.powi(-14)),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65_504.0),
            (0x7C00, f64::INFINITY),
        ] {
            assert_eq!(BINARY16.widen(bits), value);
            assert_eq!(BINARY16.narrow(value), bits);
        }
        // The first number that is nearer to infinity, and the last that is not.
        assert_eq!([65_519.99, 65_520.0].map(|value| BINARY16.narrow(value)), [0x7BFF, 0x7C00]);
        assert_eq!(BINARY16.narrow(2f64.powi(-25)), 0);
        assert_eq!(BINARY16.narrow(-1.5 * 2f64.powi(-25)), 0x8001);
    }

    /// A bfloat16 is the upper half of an `f32`.
    #[test]
    fn all_numbers_come_back() {
        for format in FORMATS {
            for bits in 0..=u16::MAX {
                let value = format.widen(bits);
                let expected = if value.is_nan() { NAN } else { bits };
                assert_eq!(format.narrow(value), expected, "{format:?} {bits:#06x}");
                let upper = f64::from(f32::from_bits(u32::from(bits) << 16));
                if format == BFLOAT16 && !upper.is_nan() {
                    assert_eq!(value, upper);
                }
            }
        }
    }

    #[test]
    fn a_number_becomes_the_nearest_one() {
        let mut random = fastrand::Rng::with_seed(1);
        for format in FORMATS {
            for _ in 0..100_000 {
                let value = f64::from(f32::from_bits(random.u32(..)));
                let bits = format.narrow(value);
                let narrow = format.widen(bits);
                if value.is_nan() || narrow.is_infinite() {
                    continue;
                }
                let off = (narrow - value).abs();
                // The neighbours by magnitude.
                for near in [bits.wrapping_sub(1), bits.wrapping_add(1)] {
                    let other = (format.widen(near) - value).abs();
                    let is_nearer = off < other || off == other && bits.is_multiple_of(2);
                    assert!(
                        is_nearer || !other.is_finite() || (bits ^ near) & SIGN != 0,
                        "{value}"
                    );
                }
            }
        }
    }

    /// Whole numbers of units, in 128 bits.
    #[test]
    fn a_fused_sum_is_rounded_once() {
        let mut random = fastrand::Rng::with_seed(2);
        let finite = |random: &mut fastrand::Rng| loop {
            let bits = random.u16(..);
            if BINARY16.widen(bits).is_finite() {
                break bits;
            }
        };
        let units = |bits: u16, log2: i32| (BINARY16.widen(bits) * 2f64.powi(log2)) as i128;
        for _ in 0..100_000 {
            let [a, b, c] = [(); 3].map(|()| finite(&mut random));
            let exact = units(a, 24) * units(b, 24) + (units(c, 24) << 24);
            let narrow = BINARY16.widen(BINARY16.fma(a, b, c));
            if narrow.is_infinite() {
                assert!(exact.abs() >= 65_520i128 << 48);
                continue;
            }
            let found = BINARY16.fma(a, b, c);
            let off = (units(found, 24) << 24) - exact;
            for near in [found.wrapping_sub(1), found.wrapping_add(1)] {
                if (found ^ near) & SIGN != 0 || !BINARY16.widen(near).is_finite() {
                    continue;
                }
                let other = (units(near, 24) << 24) - exact;
                let is_nearer =
                    off.abs() < other.abs() || off.abs() == other.abs() && found.is_multiple_of(2);
                assert!(is_nearer, "{a:#x} {b:#x} {c:#x}");
            }
        }
    }
}
