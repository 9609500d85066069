//! Decimal integers, eight digits at a time.

/// The reason why there is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotNumber {
    /// No digit stands there.
    NoDigit,
    /// The digits mean more than 2^64 - 1.
    TooLarge,
}

/// A number in a text, and the position after its last digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u64,
    pub(super) end: usize,
}

/// The unsigned decimal integer at `at`.
///
/// Digits of one 64-bit word are found and added up without a loop: how long a number is does not
/// cost a mispredicted branch, which is most of the time of a byte-by-byte loop.
#[inline(always)]
pub(super) fn number(text: &[u8], at: usize) -> Result<Number, NotNumber> {
    let Some(word) = word(text, at) else { return digits(text, at) };
    let Number { value, end: len } = leading(word);
    if len == 0 {
        return Err(NotNumber::NoDigit);
    }
    if len < 8 {
        return Ok(Number { value, end: at + len });
    }
    let Some(word) = self::word(text, at + 8) else { return digits(text, at) };
    let Number { value: low, end: len } = leading(word);
    if len < 8 {
        return Ok(Number { value: value * POWERS[len] + low, end: at + 8 + len });
    }
    digits(text, at)
}

/// All of a text as a number; `None` where it is none, or too large.
pub(super) fn whole(text: &[u8]) -> Option<u64> {
    number(text, 0).ok().filter(|number| number.end == text.len()).map(|number| number.value)
}

const POWERS: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

#[inline(always)]
fn word(text: &[u8], at: usize) -> Option<u64> {
    let bytes = text.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes))
}

/// The digits that a little-endian word begins with.
#[inline(always)]
fn leading(word: u64) -> Number {
    let nibbles = word ^ 0x3030_3030_3030_3030;
    // The high bit of each byte that is above 9. Masking first keeps carries inside the bytes.
    let others = (((nibbles & 0x7f7f_7f7f_7f7f_7f7f) + 0x7676_7676_7676_7676) | nibbles)
        & 0x8080_8080_8080_8080;
    let len = (others.trailing_zeros() / 8) as usize;
    // The digits move to the most significant end, zeros take the places of leading digits. A shift
    // in two steps is defined for len = 0 as well.
    let digits = (nibbles << (63 - (8 * len).min(63) as u32)) << u32::from(len < 8);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    let eight = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff;
    Number { value: eight, end: len }
}

/// Reads a number as [`number`] does, near the text's end or with more than 15 digits.
#[cold]
fn digits(text: &[u8], at: usize) -> Result<Number, NotNumber> {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if len == 0 {
        return Err(NotNumber::NoDigit);
    }
    let mut value = 0u64;
    for digit in &rest[..len] {
        value = value
            .checked_mul(10)
            .and_then(|v| v.checked_add(u64::from(digit - b'0')))
            .ok_or(NotNumber::TooLarge)?;
    }
    Ok(Number { value, end: at + len })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_length_with_and_without_text_after_it() {
        for len in 1..=20 {
            let text = &"12345678901234567890"[..len];
            let value: u64 = text.parse().unwrap();
            for tail in ["", " ", "\n", " 123456789012345678901234567890", "x", ":", "/"] {
                let padded = format!("{text}{tail}");
                assert_eq!(
                    number(padded.as_bytes(), 0),
                    Ok(Number { value, end: len }),
                    "{padded:?}"
                );
            }
        }
    }

    #[test]
    fn limits() {
        assert_eq!(number(b"18446744073709551615", 0), Ok(Number { value: u64::MAX, end: 20 }));
        assert_eq!(number(b"18446744073709551616", 0), Err(NotNumber::TooLarge));
        assert_eq!(number(b"99999999999999999999999 1", 0), Err(NotNumber::TooLarge));
        assert_eq!(
            number(b"000000000000000000000000000007 1", 0),
            Ok(Number { value: 7, end: 30 })
        );
        assert_eq!(number(b"", 0), Err(NotNumber::NoDigit));
        assert_eq!(number(b"1", 5), Err(NotNumber::NoDigit));
    }

    #[test]
    fn no_other_byte_is_a_digit() {
        for byte in (0..=255u8).filter(|b| !b.is_ascii_digit()) {
            for len in 0..16 {
                // Blanks after it: a run of digits would lead to the loop, which is right by itself.
                let mut text = [b' '; 32];
                text[..len].fill(b'9');
                text[len] = byte;
                let expected = match len {
                    0 => Err(NotNumber::NoDigit),
                    _ => Ok(Number { value: 10u64.pow(len as u32) - 1, end: len }),
                };
                assert_eq!(number(&text, 0), expected, "byte {byte} at {len}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_as_the_loop_says(text in prop::collection::vec(
            prop_oneof![4 => b'0'..=b'9', 1 => any::<u8>()], 0..40), at in 0usize..42) {
            prop_assert_eq!(number(&text, at), digits(&text, at));
        }
    }
}
