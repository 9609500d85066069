//! Tables as NumPy arrays.
//!
//! Format: NumPy Enhancement Proposal 1, version 1.0.

use super::{Column, Encoding, Values};

/// Rows of 8-byte numbers, one row after another.
pub(super) struct Npy<'a> {
    pub columns: &'a [Column],
    pub rows: u64,
}

/// The data begin at a multiple of this.
const ALIGNMENT: usize = 64;

impl Encoding for Npy<'_> {
    fn header(&self) -> Vec<u8> {
        let Npy { columns, rows } = self;
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
        let mut text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
        let magic = b"\x93NUMPY\x01\x00";
        let before = magic.len() + 2;
        let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
        while text.len() + 1 < length {
            text.push(' ');
        }
        text.push('\n');
        // A few columns' names: far below 2¹⁶ bytes.
        let mut header = magic.to_vec();
        header.extend_from_slice(&(length as u16).to_le_bytes());
        header.extend_from_slice(text.as_bytes());
        header
    }

    fn encode(&self, block: &[Values]) -> Vec<u8> {
        let rows = block[0].len();
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
