//! Reports for machines.

use serde::Serialize;

/// One object on one line, with a newline after it: several make JSON Lines.
///
/// ```
/// use tribin::report::json;
/// use tribin::{Graph, Options, Session};
///
/// let count = Session::open(Options::default())?.count(&Graph::from_edges(vec![[0, 1]]))?;
/// let line = json::line(&count);
/// assert!(line.starts_with('{') && line.ends_with("}\n"));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Panics
/// If the value has map keys that are no strings: no report has.
pub fn line(report: &impl Serialize) -> String {
    let mut text = serde_json::to_string(report).expect("reports are structs of plain values");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribin_graph::Graph;
    use tribin_session::{Options, Session};

    #[test]
    fn wedges_past_64_bits_keep_all_their_digits() {
        let session = Session::open(Options::default()).unwrap();
        let mut count = session.count(&Graph::default()).unwrap();
        count.wedges = (1 << 90) + 1;
        let text = line(&count);
        assert!(text.contains(",\"wedges\":1237940039285380274899124225,"), "{text}");
        assert!(text.ends_with("}}\n"), "{text}");
        assert_eq!(text.matches('\n').count(), 1);
    }
}
