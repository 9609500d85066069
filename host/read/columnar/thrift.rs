//! Thrift's compact protocol, as far as Parquet's headers need it.
//!
//! The footer is read by the parquet crate, which believes the lengths of lists that stand in it and makes room
//! for them. [`ends`] walks the footer before: a list whose elements are not there does not get through.
//!
//! Format: Apache Thrift, "Thrift Compact protocol encoding".

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
                let head = self.byte()?;
                let elements = match head >> 4 {
                    15 => self.varint()?,
                    few => u64::from(few),
                };
                (0..elements).try_for_each(|_| self.skip(Type(head & 0x0f), depth + 1, true))
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
