//! What the text of an id is.

use super::super::number::{NotNumber, Number, number};

/// The look of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdNotation {
    /// Digits without a leading zero, up to 2⁶⁴-1.
    Integer(u64),
    /// Digits with leading zeros, up to 2⁶⁴-1.
    Padded(u64),
    /// An integer with a fraction of zeros, as programs write integers that they hold as doubles: `7.0`.
    Whole(u64),
    /// Nothing, or a word that programs write for nothing.
    Missing,
    /// Digits of a number that is larger.
    TooLarge,
    /// Anything else.
    Other,
}

impl IdNotation {
    /// The number that digits are.
    pub(super) fn value(self) -> Option<u64> {
        match self {
            IdNotation::Integer(value) | IdNotation::Padded(value) => Some(value),
            _ => None,
        }
    }
}

/// Words that programs write where a value is missing, in any case of their letters.
const MISSING_WORDS: [&[u8]; 6] = [b"na", b"nan", b"nat", b"n/a", b"none", b"null"];

/// Signs that stand for a missing value, and words between signs.
const MISSING_SIGNS: [&[u8]; 14] = [
    b"-", b"--", b"?", b".", b"..", b"...", b"\\N", b"(null)", b"(none)", b"<NA>", b"<NULL>",
    b"#NA", b"#N/A", b"[NULL]",
];

/// Whether a text is what programs write for a missing value: nothing, one of a list of words and signs, or an error of a
/// spreadsheet such as `#REF!`.
#[inline]
pub fn is_missing(text: &[u8]) -> bool {
    // The first byte tells most names.
    match text {
        [] => true,
        [b'n' | b'N', ..] => {
            text.len() <= 4 && MISSING_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        }
        [b'u' | b'U', b'n' | b'N', ..] => text.eq_ignore_ascii_case(b"undefined"),
        [b'#', .., b'!' | b'?'] => (5..=8).contains(&text.len()),
        [b'#' | b'-' | b'?' | b'.' | b'\\' | b'(' | b'<' | b'[', ..] => {
            text.len() <= 6 && MISSING_SIGNS.contains(&text)
        }
        _ => false,
    }
}

/// The look of an id.
pub(super) fn look(text: &[u8]) -> IdNotation {
    match number(text, 0) {
        Ok(Number { value, end }) if end == text.len() => match text {
            [b'0', _, ..] => IdNotation::Padded(value),
            _ => IdNotation::Integer(value),
        },
        Ok(Number { value, end }) => match &text[end..] {
            // Above 2^53 a double is no integer any more that could be relied on.
            [b'.', zeros @ ..]
                if !zeros.is_empty()
                    && zeros.iter().all(|&b| b == b'0')
                    && value < 1 << 53
                    && (text[0] != b'0' || end == 1) =>
            {
                IdNotation::Whole(value)
            }
            _ => IdNotation::Other,
        },
        Err(NotNumber::TooLarge) if text.iter().all(u8::is_ascii_digit) => IdNotation::TooLarge,
        Err(_) if is_missing(text) => IdNotation::Missing,
        Err(_) => IdNotation::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks() {
        for (text, expected) in [
            ("0", IdNotation::Integer(0)),
            ("18446744073709551615", IdNotation::Integer(u64::MAX)),
            ("18446744073709551616", IdNotation::TooLarge),
            ("007", IdNotation::Padded(7)),
            ("00", IdNotation::Padded(0)),
            ("1.0", IdNotation::Whole(1)),
            ("0.000", IdNotation::Whole(0)),
            ("01.0", IdNotation::Other),
            ("1.", IdNotation::Other),
            ("1.5", IdNotation::Other),
            ("9007199254740992.0", IdNotation::Other),
            ("1e3", IdNotation::Other),
            ("+5", IdNotation::Other),
            ("-1", IdNotation::Other),
            ("", IdNotation::Missing),
            ("NaN", IdNotation::Missing),
            ("\\N", IdNotation::Missing),
            ("#N/A", IdNotation::Missing),
            ("nana", IdNotation::Other),
            ("None", IdNotation::Missing),
            ("?", IdNotation::Missing),
            ("#REF!", IdNotation::Missing),
            ("#DIV/0!", IdNotation::Missing),
            ("(null)", IdNotation::Missing),
            ("nat", IdNotation::Missing),
            ("#ann", IdNotation::Other),
            ("--a", IdNotation::Other),
            ("Ann", IdNotation::Other),
            ("123e4567-e89b-12d3-a456-426614174000", IdNotation::Other),
        ] {
            assert_eq!(look(text.as_bytes()), expected, "{text}");
        }
    }
}
