//! Reports for machines.

use serde::Serialize;

/// One object on one line, with a newline after it: several make JSON Lines.
///
/// # Panics
/// If the value has map keys that are no strings: no report has.
pub fn line(report: &impl Serialize) -> String {
    let mut text = serde_json::to_string(report).expect("reports are structs of plain values");
    text.push('\n');
    text
}
