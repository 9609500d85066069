//! Arrays: from buffers to values.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::super::values::{self, Role, Texts, Values};
use super::schema::Layout;
use crate::{Message, Result};

/// Bytes of texts that are copied at a time: views may repeat a long one.
const AT_A_TIME: usize = 16 << 20;

/// The buffers of an array.
pub(super) struct Buffers<'a> {
    /// Loads one of them; the first says which values are missing.
    pub(super) load: &'a dyn Fn(usize) -> Result<Vec<u8>>,
    /// The buffers that views lead to.
    pub(super) views: usize,
    pub(super) has_missing: bool,
}

/// An array, whose buffers are known to hold its rows.
pub(super) struct Array {
    rows: usize,
    layout: Layout,
    role: Role,
    /// A bit for each row, 0 where it is missing; empty where none is.
    present: Vec<u8>,
    /// The values, their offsets or their views.
    fixed: Vec<u8>,
    /// What offsets and views lead to.
    data: Vec<Vec<u8>>,
}

impl Array {
    /// Loads an array's buffers. `None` where they do not hold the rows.
    pub(super) fn decode(
        (layout, role): (Layout, Role),
        rows: usize,
        buffers: &Buffers,
    ) -> Result<Option<Array>> {
        let width = match layout {
            Layout::Integer { bytes, .. }
            | Layout::Float { bytes }
            | Layout::Decimal { bytes }
            | Layout::Binary { bytes, .. } => bytes,
            Layout::Texts { wide } => 4 << usize::from(wide),
            Layout::Views => 16,
            Layout::Other => return Ok(None),
        };
        // No rows need no offset.
        let entries = match layout {
            Layout::Texts { .. } if rows > 0 => rows.saturating_add(1),
            _ => rows,
        };
        let present = if buffers.has_missing { (buffers.load)(0)? } else { Vec::new() };
        let fixed = (buffers.load)(1)?;
        let data = match layout {
            Layout::Texts { .. } => vec![(buffers.load)(2)?],
            Layout::Views => {
                let load = |view| (buffers.load)(2 + view);
                (0..buffers.views).map(load).collect::<Result<_>>()?
            }
            _ => Vec::new(),
        };
        let fits = fixed.len() / width >= entries
            && (!buffers.has_missing || present.len() >= rows.div_ceil(8));
        let array = Array { rows, layout, role, present, fixed, data };
        let leads_somewhere = || match layout {
            Layout::Texts { .. } | Layout::Views => (0..rows).all(|row| array.text(row).is_some()),
            _ => true,
        };
        let good = fits && leads_somewhere();
        Ok(good.then_some(array))
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    fn is_missing(&self, row: usize) -> bool {
        !self.present.is_empty() && self.present[row / 8] >> (row % 8) & 1 == 0
    }

    fn element<const N: usize>(&self, row: usize) -> [u8; N] {
        let mut element = [0; N];
        element.copy_from_slice(&self.fixed[row * N..(row + 1) * N]);
        element
    }

    /// A text; `None` where its place is not in the data.
    fn text(&self, row: usize) -> Option<&[u8]> {
        match self.layout {
            Layout::Texts { wide } => {
                let offset = |row: usize| match wide {
                    false => usize::try_from(i32::from_le_bytes(self.element(row))).ok(),
                    true => usize::try_from(i64::from_le_bytes(self.element(row))).ok(),
                };
                self.data.first()?.get(offset(row)?..offset(row + 1)?)
            }
            Layout::Views => {
                let view = &self.fixed[row * 16..(row + 1) * 16];
                let number = |at: usize| {
                    let bytes = view[at..at + 4].first_chunk::<4>()?;
                    usize::try_from(i32::from_le_bytes(*bytes)).ok()
                };
                match number(0)? {
                    short @ 0..=12 => Some(&view[4..4 + short]),
                    long => {
                        let data = self.data.get(number(8)?)?;
                        data.get(number(12)?..number(12)?.checked_add(long)?)
                    }
                }
            }
            Layout::Binary { bytes, .. } => self.fixed.get(row * bytes..(row + 1) * bytes),
            _ => None,
        }
    }

    /// A number, as what it is for.
    fn number(&self, row: usize) -> Result<u64, Message> {
        let role = self.role;
        match self.layout {
            Layout::Integer { bytes: 1, signed: false } => {
                role.unsigned(self.element::<1>(row)[0].into())
            }
            Layout::Integer { bytes: 2, signed: false } => {
                role.unsigned(u16::from_le_bytes(self.element(row)).into())
            }
            Layout::Integer { bytes: 4, signed: false } => {
                role.unsigned(u32::from_le_bytes(self.element(row)).into())
            }
            Layout::Integer { signed: false, .. } => {
                role.unsigned(u64::from_le_bytes(self.element(row)))
            }
            Layout::Integer { bytes: 1, .. } => {
                role.signed(i8::from_le_bytes(self.element(row)).into())
            }
            Layout::Integer { bytes: 2, .. } => {
                role.signed(i16::from_le_bytes(self.element(row)).into())
            }
            Layout::Integer { bytes: 4, .. } => {
                role.signed(i32::from_le_bytes(self.element(row)).into())
            }
            Layout::Integer { .. } => role.signed(i64::from_le_bytes(self.element(row))),
            Layout::Float { bytes: 4 } => role.float(f32::from_le_bytes(self.element(row)).into()),
            Layout::Float { .. } => role.float(f64::from_le_bytes(self.element(row))),
            Layout::Decimal { bytes: 4 } => {
                role.signed(i32::from_le_bytes(self.element(row)).into())
            }
            Layout::Decimal { bytes: 8 } => role.signed(i64::from_le_bytes(self.element(row))),
            Layout::Decimal { .. } => role.large(i128::from_le_bytes(self.element(row))),
            _ => Err("a text is no integer".into()),
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.layout, Layout::Texts { .. } | Layout::Views | Layout::Binary { .. })
    }

    /// Rows as values, perhaps fewer where texts are long. An error has the row.
    pub(super) fn values(&self, rows: Range<usize>) -> Result<Values, (usize, Message)> {
        if !self.is_text() {
            let mut numbers = Vec::with_capacity(rows.len());
            match self.layout {
                // The integers that most files have, without a question for each row.
                Layout::Integer { bytes: 8, signed: true }
                    if self.present.is_empty() && self.role == Role::End =>
                {
                    let bytes = &self.fixed[rows.start * 8..rows.end * 8];
                    for (row, bytes) in rows.zip(bytes.as_chunks::<8>().0) {
                        let value = i64::from_le_bytes(*bytes);
                        numbers.push(values::of_signed(value).map_err(|message| (row, message))?);
                    }
                }
                _ => {
                    for row in rows {
                        if self.is_missing(row) {
                            return Err((row, self.role.missing()));
                        }
                        numbers.push(self.number(row).map_err(|message| (row, message))?);
                    }
                }
            }
            return Ok(Values::Numbers(numbers));
        }
        let mut texts = Texts::default();
        for row in rows {
            if self.is_missing(row) {
                return Err((row, self.role.missing()));
            }
            self.push(row, &mut texts);
            if texts.bytes.len() >= AT_A_TIME {
                break;
            }
        }
        Ok(Values::Texts(texts))
    }

    fn push(&self, row: usize, texts: &mut Texts) {
        let text = self.text(row).unwrap_or_default();
        match self.layout {
            Layout::Binary { uuid, .. } => values::push_binary(texts, text, uuid),
            _ => {
                texts.bytes.extend_from_slice(text);
                texts.ends.push(texts.bytes.len());
            }
        }
    }

    /// Rows as places among the entries of a dictionary. An error has the row; `None` where a place is beyond
    /// the entries.
    pub(super) fn codes(
        &self,
        rows: Range<usize>,
        entries: &Entries,
    ) -> Result<Option<Vec<u32>>, (usize, Message)> {
        let mut codes = Vec::with_capacity(rows.len());
        for row in rows {
            if self.is_missing(row) {
                return Err((row, self.role.missing()));
            }
            let code = self.number(row).ok().and_then(|code| u32::try_from(code).ok());
            let Some(code) = code.filter(|&code| (code as usize) < entries.len()) else {
                return Ok(None);
            };
            if let Some(problem) = entries.bad.get(&(code as usize)) {
                return Err((row, problem.clone().into()));
            }
            codes.push(code);
        }
        Ok(Some(codes))
    }
}

/// The entries of a dictionary.
#[derive(Default)]
pub(super) struct Entries {
    values: Option<Arc<Values>>,
    /// Entries that cannot be ids, and why.
    bad: BTreeMap<usize, String>,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.values.as_ref().map_or(0, |values| values.len())
    }

    pub(super) fn values(&self) -> Arc<Values> {
        self.values.clone().unwrap_or_else(|| Arc::new(Values::Numbers(Vec::new())))
    }

    /// Adds the rows of an array. `None` where that takes more than `most` bytes, or texts follow numbers.
    pub(super) fn append(&mut self, array: &Array, most: u64) -> Option<()> {
        let mut all = match self.values.take().and_then(Arc::into_inner) {
            Some(values) => values,
            None if array.is_text() => Values::Texts(Texts::default()),
            None => Values::Numbers(Vec::new()),
        };
        let before = all.len();
        for row in 0..array.rows {
            let mut problem = array.is_missing(row).then(|| array.role.missing());
            match &mut all {
                Values::Texts(texts) if array.is_text() => {
                    array.push(row, texts);
                    if texts.bytes.len() as u64 > most {
                        return None;
                    }
                }
                Values::Numbers(numbers) if !array.is_text() => match array.number(row) {
                    Ok(number) => numbers.push(number),
                    Err(message) => {
                        numbers.push(0);
                        problem = problem.or(Some(message));
                    }
                },
                _ => return None,
            }
            if let Some(problem) = problem {
                self.bad.insert(before + row, problem.problem().to_owned());
            }
        }
        self.values = Some(Arc::new(all));
        Some(())
    }
}
