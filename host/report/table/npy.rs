//! Tables as NumPy arrays.
//!
//! Format: NumPy Enhancement Proposal 1, version 1.0.

use super::{Column, Encoding, Values};

/// Rows of 8-byte numbers, one row after another.
pub(super) struct NpyTable<'a> {
    pub columns: &'a [Column],
    pub rows: u64,
}

/// The header of an array of some elements: the data begin at a multiple of 64 bytes.
pub fn npy_header(descr: &str, shape: &str) -> Vec<u8> {
    let dictionary = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
    let padding = (64 - (10 + dictionary.len() + 1) % 64) % 64;
    let text = format!("{dictionary}{}\n", " ".repeat(padding));
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    // A few names: far below 64 KiB.
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

impl Encoding for NpyTable<'_> {
    fn header(&self) -> Vec<u8> {
        let NpyTable { columns, rows } = self;
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
        npy_header(&descr, &shape)
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
