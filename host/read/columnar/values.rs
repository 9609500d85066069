//! Values of a column, decoded.

#[cfg(feature = "arrow")]
use std::sync::Arc;

use super::super::ids::{missing, negative, of_float};
use super::super::input::excerpt;
use super::super::names::{Pairs, Refused};
use super::super::number::number;
use super::Fault;
use crate::{Hint, Message};

/// Some rows of a column.
pub(super) enum Values {
    Numbers(Vec<u64>),
    /// Texts one after the other, and where each ends.
    Texts(Texts),
    /// Texts that are parts of what was decompressed.
    #[cfg(feature = "parquet")]
    Shared(Vec<parquet::data_type::ByteArray>),
    /// Places in a dictionary, which all batches of a part share; all are below its length.
    #[cfg(feature = "arrow")]
    Coded(Arc<Values>, Vec<u32>),
}

/// What the values of a column are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// The end of an edge.
    End,
    /// The weight of an edge: numbers are the bits of floats of 64 bits.
    Weight,
}

impl Role {
    /// A signed integer.
    #[inline]
    pub(super) fn signed(self, value: i64) -> Result<u64, Message> {
        match self {
            Role::End => of_signed(value),
            Role::Weight => Ok((value as f64).to_bits()),
        }
    }

    /// An unsigned integer.
    #[inline]
    pub(super) fn unsigned(self, value: u64) -> Result<u64, Message> {
        match self {
            Role::End => Ok(value),
            Role::Weight => Ok((value as f64).to_bits()),
        }
    }

    /// A signed integer of 128 bits.
    pub(super) fn large(self, value: i128) -> Result<u64, Message> {
        match self {
            Role::End => of_large(value),
            Role::Weight => Ok((value as f64).to_bits()),
        }
    }

    /// A floating-point number.
    #[inline]
    pub(super) fn float(self, value: f64) -> Result<u64, Message> {
        match self {
            Role::End => of_float(value),
            Role::Weight => weight_of_float(value),
        }
    }

    /// What is wrong with a value that is not there.
    pub(super) fn missing(self) -> Message {
        match self {
            Role::End => missing(),
            Role::Weight => {
                "a weight is missing (every edge has one: fill it in, as `df.fillna` does)".into()
            }
        }
    }
}

/// A floating-point number as a weight.
pub(super) fn weight_of_float(value: f64) -> Result<u64, Message> {
    match value.is_finite() {
        true => Ok(value.to_bits()),
        false => Err(format!("{value} is no weight: weights are finite numbers").into()),
    }
}

/// Texts, one after the other.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<usize>,
}

impl Texts {
    pub(super) fn get(&self, place: usize) -> &[u8] {
        let from = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.bytes[from..self.ends[place]]
    }
}

impl Values {
    /// The memory of numbers, which are of no use any more; nothing of other values.
    #[cfg(feature = "parquet")]
    pub(super) fn into_numbers(self) -> Vec<u64> {
        match self {
            Values::Numbers(numbers) => numbers,
            _ => Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Texts(texts) => texts.ends.len(),
            #[cfg(feature = "parquet")]
            Values::Shared(texts) => texts.len(),
            #[cfg(feature = "arrow")]
            Values::Coded(_, codes) => codes.len(),
        }
    }

    /// A value's bytes. Numbers are written to `digits`.
    fn bytes<'a>(&'a self, place: usize, digits: &'a mut itoa::Buffer) -> &'a [u8] {
        match self {
            Values::Numbers(numbers) => digits.format(numbers[place]).as_bytes(),
            Values::Texts(texts) => texts.get(place),
            #[cfg(feature = "parquet")]
            Values::Shared(texts) => texts[place].data(),
            #[cfg(feature = "arrow")]
            Values::Coded(dictionary, codes) => dictionary.bytes(codes[place] as usize, digits),
        }
    }

    /// A value as a text.
    pub(super) fn text(&self, place: usize) -> String {
        String::from_utf8_lossy(self.bytes(place, &mut itoa::Buffer::new())).into_owned()
    }

    /// A value as a number.
    fn number(&self, place: usize) -> Result<u64, Message> {
        match self {
            Values::Numbers(numbers) => Ok(numbers[place]),
            #[cfg(feature = "arrow")]
            Values::Coded(dictionary, codes) => dictionary.number(codes[place] as usize),
            _ => {
                let mut digits = itoa::Buffer::new();
                let text = self.bytes(place, &mut digits);
                match number(text, 0) {
                    Ok((value, end)) if end == text.len() => Ok(value),
                    _ => Err(Message::from(format!("{} is no integer", excerpt(text)))
                        .with_hint(Hint::NamesAsIds)),
                }
            }
        }
    }
}

/// Values from a place on.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) values: &'a Values,
    pub(super) from: usize,
}

/// Calls `found` with the numbers of both columns, row by row.
pub(super) fn both(
    columns: [Taken; 2],
    rows: usize,
    mut found: impl FnMut(u64, u64),
) -> Result<(), Fault> {
    if let [Values::Numbers(first), Values::Numbers(second)] = columns.map(|taken| taken.values) {
        let [first, second] = [(first, columns[0].from), (second, columns[1].from)]
            .map(|(numbers, from)| &numbers[from..from + rows]);
        first.iter().zip(second).for_each(|(&u, &v)| found(u, v));
        return Ok(());
    }
    for row in 0..rows {
        let ends = columns.map(|taken| taken.values.number(taken.from + row));
        match ends {
            [Ok(u), Ok(v)] => found(u, v),
            [Err(message), _] | [_, Err(message)] => {
                return Err(Fault::Value(row as u64, message));
            }
        }
    }
    Ok(())
}

/// The numbers of a column of weights.
pub(super) fn weights(taken: Taken, rows: usize) -> Result<Vec<f64>, Fault> {
    let weight = |row: usize| {
        let bits = taken.values.number(taken.from + row);
        bits.map(f64::from_bits).map_err(|message| Fault::Value(row as u64, message))
    };
    (0..rows).map(weight).collect()
}

/// The numbers that a block of names gave to the entries of a dictionary.
#[derive(Default)]
pub(super) struct Numbered {
    #[cfg(feature = "arrow")]
    numbers: Vec<u32>,
}

impl Numbered {
    /// The number of a value in its block of names.
    pub(super) fn number(
        &mut self,
        taken: Taken,
        row: usize,
        pairs: &mut Pairs,
    ) -> Result<u32, Refused> {
        let mut digits = itoa::Buffer::new();
        let row = taken.from + row;
        match taken.values {
            #[cfg(feature = "arrow")]
            Values::Coded(dictionary, codes) => {
                const UNKNOWN: u32 = u32::MAX;
                let code = codes[row] as usize;
                if self.numbers.is_empty() {
                    // As long as the dictionary, which is in memory and takes more.
                    self.numbers.resize(dictionary.len(), UNKNOWN);
                }
                if self.numbers[code] == UNKNOWN {
                    self.numbers[code] = pairs.number(dictionary.bytes(code, &mut digits))?;
                }
                Ok(self.numbers[code])
            }
            values => pairs.number(values.bytes(row, &mut digits)),
        }
    }
}

/// A signed integer as an id.
#[inline]
pub(super) fn of_signed(value: i64) -> Result<u64, Message> {
    u64::try_from(value).map_err(|_| negative(value))
}

/// A signed integer of 128 bits as an id.
pub(super) fn of_large(value: i128) -> Result<u64, Message> {
    u64::try_from(value).map_err(|_| match value < 0 {
        true => negative(value),
        false => format!("the vertex id {value} is too large (ids go up to 2^64-1)").into(),
    })
}

/// Bytes as hexadecimal digits, or as a UUID.
pub(super) fn push_binary(texts: &mut Texts, bytes: &[u8], uuid: bool) {
    for (place, byte) in bytes.iter().enumerate() {
        if uuid && matches!(place, 4 | 6 | 8 | 10) {
            texts.bytes.push(b'-');
        }
        let digit = |value: u8| b"0123456789abcdef"[usize::from(value)];
        texts.bytes.extend([digit(byte >> 4), digit(byte & 15)]);
    }
    texts.ends.push(texts.bytes.len());
}

/// The longest binary of fixed length that can be an id.
pub(super) const LONGEST_BINARY: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_that_are_whole_are_ids() {
        assert_eq!(of_float(3.0).unwrap(), 3);
        assert_eq!(of_float(-0.0).unwrap(), 0);
        assert_eq!(of_float(9_007_199_254_740_992.0).unwrap(), 1 << 53);
        for value in [1.5, -1.0, f64::NAN, f64::INFINITY, 1e16] {
            assert!(of_float(value).is_err(), "{value}");
        }
    }

    #[test]
    fn binary_is_written_as_digits() {
        let mut texts = Texts::default();
        let bytes: Vec<u8> = (0..16).map(|byte| byte * 16 + 1).collect();
        push_binary(&mut texts, &bytes, true);
        push_binary(&mut texts, &bytes[..3], false);
        assert_eq!(texts.get(0), b"01112131-4151-6171-8191-a1b1c1d1e1f1");
        assert_eq!(texts.get(1), b"011121");
    }
}
