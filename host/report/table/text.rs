//! Tables as text.

use std::io::Write;

use super::super::push_quoted;
use super::{Column, Encoding, Values};

/// One row a line.
pub(super) struct Text {
    header: String,
    separator: u8,
}

impl Text {
    /// The names in the first line, without a mark (RFC 4180, with line feeds alone): that is what readers of
    /// tables take.
    pub fn new(columns: &[Column], separator: u8) -> Text {
        let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
        Text { header: names.join(char::from(separator).to_string().as_str()), separator }
    }
}

impl Encoding for Text {
    fn header(&self) -> Vec<u8> {
        format!("{}\n", self.header).into_bytes()
    }

    fn encode(&self, block: &[Values]) -> Vec<u8> {
        let rows = block[0].rows();
        let mut bytes = Vec::with_capacity(rows * block.len() * 8);
        let mut digits = itoa::Buffer::new();
        for row in 0..rows {
            for (i, values) in block.iter().enumerate() {
                if i > 0 {
                    bytes.push(self.separator);
                }
                match values {
                    Values::Whole(values) => {
                        bytes.extend_from_slice(digits.format(values[row]).as_bytes());
                    }
                    Values::Signed(values) => {
                        bytes.extend_from_slice(digits.format(values[row]).as_bytes());
                    }
                    Values::Text(values) => push_quoted(&mut bytes, values[row]),
                    // Debug has a point or an exponent in every double, and so tells it from a whole
                    // number.
                    Values::Double(values) => {
                        write!(bytes, "{:?}", values[row]).expect("writing to memory");
                    }
                }
            }
            bytes.push(b'\n');
        }
        bytes
    }
}
