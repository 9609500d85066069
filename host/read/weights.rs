//! Where weights are in a file, and how they are written.

use super::columns;
use super::input::excerpt;
use super::open_file::OpenFile;
use crate::{Error, Graph, Message, Result};

/// A weight as text.
pub(super) fn number(text: &[u8]) -> std::result::Result<f64, Message> {
    let parsed = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse::<f64>().ok());
    match parsed.filter(|weight| weight.is_finite()) {
        Some(weight) => Ok(weight),
        None if text.is_empty() => Err("a weight is missing".into()),
        None if is_decimal_comma(text) => Err(format!(
            "{} has a comma, which may be that of a decimal number or of thousands: write weights with a decimal point",
            excerpt(text)
        )
        .into()),
        None => Err(format!("{} is no weight: weights are finite numbers", excerpt(text)).into()),
    }
}

/// A weight as text, in a column whose numbers have a decimal comma.
pub(super) fn number_with_comma(text: &[u8]) -> std::result::Result<f64, Message> {
    let Some(at) = memchr::memchr2(b'.', b',', text) else { return number(text) };
    if text[at] == b'.' {
        return Err(format!(
            "{} has a point, and other weights have a decimal comma: write all of them with a decimal point",
            excerpt(text)
        )
        .into());
    }
    let mut text = text.to_vec();
    text[at] = b'.';
    number(&text)
}

/// Whether a text is a number with a decimal comma, or with one of thousands.
pub(super) fn is_decimal_comma(text: &[u8]) -> bool {
    decimals(text).is_some()
}

/// Whether a text is a number whose comma cannot be one of thousands.
pub(super) fn is_surely_decimal_comma(text: &[u8]) -> bool {
    decimals(text)
        .is_some_and(|(whole, part)| part.len() != 3 || whole.len() > 3 || whole[0] == b'0')
}

/// The digits before a comma and behind it.
fn decimals(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let comma = memchr::memchr(b',', text)?;
    let (whole, part) = (&text[..comma], &text[comma + 1..]);
    let whole = whole.strip_prefix(b"-").unwrap_or(whole);
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    (digits(whole) && digits(part)).then_some((whole, part))
}

/// The column of this name, or of this number from 1, or what is wrong where there is none.
pub(super) fn place(asked: &str, names: &[String]) -> std::result::Result<usize, String> {
    columns::find(asked, names, names.len()).map_err(|why| {
        let columns: Vec<String> = names.iter().map(|name| excerpt(name.as_bytes())).collect();
        format!("{why} of weights; the columns are {}", columns.join(", "))
    })
}

/// The message for a column of weights that has an end of the edges.
pub(super) fn is_an_end(name: &str) -> String {
    format!("the column `{name}` is an end of the edges, and no weight")
}

/// A graph with the weights of its entries, where these are read.
pub(super) fn weighted(graph: Graph, weights: Option<Vec<f64>>) -> Result<Graph> {
    match weights {
        Some(weights) => graph.with_weights(weights),
        None => Ok(graph),
    }
}

/// Refuses names of weights in a format that has one place for them, which is called `weight`.
pub(super) fn check_name(input: &OpenFile, also: &str) -> Result<()> {
    match &input.options.weight {
        Some(asked) if ![also, "weight", "3"].contains(&&**asked) => Err(input.error(format!(
            "there is no column `{asked}` of weights: in this format they are called `weight`"
        ))),
        _ => Ok(()),
    }
}

/// The error of a file of a format whose weights are not read.
pub(super) fn not_read(name: &str, format: super::Format) -> Error {
    let message = format!(
        "weights are read of tables of text, Parquet and Arrow, of Matrix Market, METIS, DIMACS, .npz, GraphML, GML, \
             Pajek and JSON files, and this is a file of the format `{format}`: write its edges with their weights as CSV"
    );
    super::input::error(name, message)
}
