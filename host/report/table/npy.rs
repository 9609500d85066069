//! Tables as NumPy arrays.
//!
//! Format: NumPy Enhancement Proposal 1, version 1.0.

use super::{Column, Encoding, Values};

/// Rows of 8-byte numbers, one row after another.
pub(super) struct NpyTable<'a> {
    pub columns: &'a [Column],
}

/// The header of an array of some elements: the data begin at a multiple of 64 bytes.
pub fn npy_header(descr: &str, shape: &str) -> Vec<u8> {
    header_with_room(descr, shape, 0)
}

/// A header with `room` more blanks at its end.
fn header_with_room(descr: &str, shape: &str, room: usize) -> Vec<u8> {
    let dictionary = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
    let padding = (64 - (10 + dictionary.len() + room + 1) % 64) % 64;
    let text = format!("{dictionary}{}\n", " ".repeat(room + padding));
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    // A few names: far below 64 KiB.
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

impl NpyTable<'_> {
    /// The header of this number of rows. It is as long for any number.
    pub fn header_of(&self, rows: u64) -> Vec<u8> {
        let columns = self.columns;
        let kind = |column: &Column| match column {
            Column::Whole(_) => "<i8",
            Column::Unsigned(_) => "<u8",
            Column::Double(_) => "<f8",
            Column::Text(_) => unreachable!("names were refused"),
        };
        let first = kind(&columns[0]);
        let (descr, shape) = if first != "<f8" && columns.iter().all(|column| kind(column) == first)
        {
            (format!("'{first}'"), format!("({rows}, {})", columns.len()))
        } else {
            let field = |column: &Column| format!("('{}', '{}')", column.name(), kind(column));
            let fields: Vec<String> = columns.iter().map(field).collect();
            (format!("[{}]", fields.join(", ")), format!("({rows},)"))
        };
        // The digits that the largest number has more.
        let room = u64::MAX.to_string().len() - rows.to_string().len();
        header_with_room(&descr, &shape, room)
    }
}

impl Encoding for NpyTable<'_> {
    /// That of no rows, until the rows are known.
    fn header(&self) -> Vec<u8> {
        self.header_of(0)
    }

    fn encode(&self, block: &[Values]) -> Vec<u8> {
        let rows = block[0].rows();
        let mut bytes = vec![0; rows * block.len() * 8];
        for (column, values) in block.iter().enumerate() {
            let (numbers, _) = bytes.as_chunks_mut::<8>();
            let numbers = numbers.iter_mut().skip(column).step_by(block.len());
            match values {
                Values::Whole(values) => {
                    numbers.zip(values).for_each(|(bytes, value)| *bytes = value.to_le_bytes());
                }
                Values::Signed(values) => {
                    numbers.zip(values).for_each(|(bytes, value)| *bytes = value.to_le_bytes());
                }
                Values::Double(values) => {
                    numbers.zip(values).for_each(|(bytes, value)| *bytes = value.to_le_bytes());
                }
                Values::Text(_) => unreachable!("names are refused before"),
            }
        }
        bytes
    }
}
