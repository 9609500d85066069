//! Thrift's compact protocol, as far as Parquet's headers need it.
//!
//! The footer is read by the parquet crate, which believes the lengths of lists that stand in it and makes room
//! for them. [`ends`] walks the footer before: a list whose elements are not there does not get through.
//!
//! Format: Apache Thrift, "Thrift Compact protocol encoding".

use std::collections::BTreeSet;

/// Structs within structs, of which Parquet's have a few.
const MOST_NESTED: u32 = 24;

/// Bytes of the compact protocol.
pub(super) struct Compact<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A field's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Type(u8);

impl Type {
    /// Whether this is the truth value `false`, which a field has in its type.
    pub(super) fn is_false(self) -> bool {
        self == FALSE
    }
}

const TRUE: Type = Type(1);
const FALSE: Type = Type(2);
const BYTE: Type = Type(3);
const BINARY: Type = Type(8);
const LIST: Type = Type(9);
const MAP: Type = Type(11);
pub(super) const STRUCT: Type = Type(12);
pub(super) const I32: Type = Type(5);

impl<'a> Compact<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Compact<'a> {
        Compact { bytes, at: 0 }
    }

    /// Bytes that were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, bytes: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(bytes).ok()?)?;
        self.at = (end <= self.bytes.len()).then_some(end)?;
        Some(())
    }

    /// The value of an integer field.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A struct: calls `field` with each field's id and type. It reads the value and returns whether it did;
    /// what it does not read is skipped.
    pub(super) fn structure(
        &mut self,
        mut field: impl FnMut(&mut Self, i16, Type) -> Option<bool>,
    ) -> Option<()> {
        self.fields(0, &mut field)
    }

    fn fields(
        &mut self,
        depth: u32,
        field: &mut dyn FnMut(&mut Self, i16, Type) -> Option<bool>,
    ) -> Option<()> {
        let mut id = 0i16;
        loop {
            let head = self.byte()?;
            let kind = Type(head & 0x0f);
            if kind == Type(0) {
                return Some(());
            }
            id = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                step => id.checked_add(i16::from(step))?,
            };
            if !field(self, id, kind)? {
                self.skip(kind, depth, false)?;
            }
        }
    }

    /// The number of a list's elements, and their type.
    fn list_head(&mut self) -> Option<(u64, Type)> {
        let head = self.byte()?;
        let elements = match head >> 4 {
            15 => self.varint()?,
            few => u64::from(few),
        };
        Some((elements, Type(head & 0x0f)))
    }

    /// A list of structs: calls `element` for each, which reads it.
    fn structures(&mut self, mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let (elements, kind) = self.list_head()?;
        (0..elements).try_for_each(|_| if kind == STRUCT { element(self) } else { None })
    }

    /// Skips a value. In a list a truth value is a byte, in a struct it is in the type.
    fn skip(&mut self, kind: Type, depth: u32, in_list: bool) -> Option<()> {
        if depth > MOST_NESTED {
            return None;
        }
        match kind {
            TRUE | FALSE if !in_list => Some(()),
            TRUE | FALSE | BYTE => self.take(1),
            Type(4..=6) => self.varint().map(drop),
            Type(7) => self.take(8),
            BINARY => {
                let bytes = self.varint()?;
                self.take(bytes)
            }
            // Sets are like lists.
            LIST | Type(10) => {
                let (elements, kind) = self.list_head()?;
                (0..elements).try_for_each(|_| self.skip(kind, depth + 1, true))
            }
            MAP => {
                let elements = self.varint()?;
                let kinds = if elements > 0 { self.byte()? } else { 0 };
                (0..elements).try_for_each(|_| {
                    self.skip(Type(kinds >> 4), depth + 1, true)?;
                    self.skip(Type(kinds & 0x0f), depth + 1, true)
                })
            }
            STRUCT => self.fields(depth + 1, &mut |_, _, _| Some(false)),
            _ => None,
        }
    }
}

/// Where a struct ends, if all that it announces is there.
pub(super) fn ends(bytes: &[u8]) -> Option<usize> {
    let mut compact = Compact::new(bytes);
    compact.structure(|_, _, _| Some(false))?;
    Some(compact.at)
}

/// The places of the columns that are encrypted in a file whose footer is not; `None` of files without encryption.
pub(super) fn encrypted_columns(footer: &[u8]) -> Option<BTreeSet<usize>> {
    const ROW_GROUPS: i16 = 4;
    const COLUMNS: i16 = 1;
    const ENCRYPTION_OF_FILE: i16 = 8;
    const ENCRYPTION_OF_COLUMN: i16 = 8;
    let (mut is_encrypted, mut columns) = (false, BTreeSet::new());
    let mut column = |compact: &mut Compact, place: usize| {
        compact.structure(|_, id, _| {
            if id == ENCRYPTION_OF_COLUMN {
                columns.insert(place);
            }
            Some(false)
        })
    };
    let mut group = |compact: &mut Compact| {
        compact.structure(|compact, id, kind| {
            if (id, kind) != (COLUMNS, LIST) {
                return Some(false);
            }
            let mut places = 0..;
            compact.structures(|compact| column(compact, places.next()?))?;
            Some(true)
        })
    };
    Compact::new(footer).structure(|compact, id, kind| {
        is_encrypted |= id == ENCRYPTION_OF_FILE;
        if (id, kind) != (ROW_GROUPS, LIST) {
            return Some(false);
        }
        compact.structures(&mut group)?;
        Some(true)
    })?;
    is_encrypted.then_some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_announces_more_than_there_is_does_not_get_through() {
        // Field 1: a list of three bytes. Field 2: an i32.
        let good = [0x19, 0x33, 1, 2, 3, 0x15, 0x80, 0x01, 0];
        assert_eq!(ends(&good), Some(9));
        for end in 0..good.len() {
            assert_eq!(ends(&good[..end]), None, "{end}");
        }
        // 2³⁵ - 1 structs.
        assert_eq!(ends(&[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0]), None);
        // Structs without end.
        assert_eq!(ends(&[0x1c; 1000]), None);
    }

    /// Two row groups of two columns, of which the second has a field that says how it is encrypted.
    #[test]
    fn columns_that_are_encrypted() {
        const PLAIN: [u8; 3] = [0x26, 4, 0];
        const SECRET: [u8; 5] = [0x26, 4, 0x6c, 0, 0];
        let group = [&[0x19, 0x2c][..], &PLAIN, &SECRET, &[0]].concat();
        let groups = [&[0x49, 0x2c][..], &group, &group].concat();
        let plain = [&groups[..], &[0]].concat();
        assert_eq!(encrypted_columns(&plain), None);
        let secret = [&groups[..], &[0x4c, 0, 0]].concat();
        assert_eq!(encrypted_columns(&secret), Some(BTreeSet::from([1])));
        for end in 0..secret.len() {
            assert_eq!(encrypted_columns(&secret[..end]), None, "{end}");
        }
    }

    #[test]
    fn integers_are_zigzag() {
        let mut found = Vec::new();
        let mut compact = Compact::new(&[0x15, 0x01, 0x15, 0xac, 0x02, 0]);
        compact
            .structure(|compact, id, kind| {
                assert_eq!(kind, I32);
                found.push((id, compact.integer()?));
                Some(true)
            })
            .unwrap();
        assert_eq!((found, compact.at()), (vec![(1, -1), (2, 150)], 6));
    }
}
