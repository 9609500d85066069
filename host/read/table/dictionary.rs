//! Lines that end with a dictionary of Python's, as NetworkX's `write_edgelist` writes them: `u v {'weight': 3}`.

use super::super::edge_list::is_pair;
use super::super::input::{excerpt, next_line, skip_blanks};
use super::super::weights;
use super::comments::is_mark;
use super::cut::Row;
use super::fields::Delimiter;
use super::shape::has_tuples;
use crate::Message;

/// Lines that are looked at.
const MOST_LINES: usize = 4096;

/// What stands between columns where every line from `start` on ends with a blank and a dictionary: one blank before names, whose
/// letters commas, quotes and tabs are then, as NetworkX puts nothing between quotes. The last line is cut off where this is not
/// the `whole` text.
pub(super) fn delimiter(text: &[u8], start: usize, whole: bool) -> Option<Delimiter> {
    let (mut at, mut lines, mut has_names) = (start, 0, false);
    while at < text.len() && lines < MOST_LINES {
        let next = next_line(text, at);
        if !whole && next >= text.len() {
            break;
        }
        let line = text[at..next].trim_ascii_end();
        let is_comment = is_mark(&text[skip_blanks(text, at)..]);
        at = next;
        if line.is_empty() || is_comment {
            continue;
        }
        let open = memchr::memchr(b'{', line)?;
        let is_behind_blank =
            line[..open].strip_suffix(b" ").is_some_and(|ends| !ends.ends_with(b","));
        if !is_behind_blank || !is_dictionary(&line[open..]) || has_tuples(line) {
            return None;
        }
        has_names |= !is_pair(line, 0);
        lines += 1;
    }
    (lines > 0).then_some(if has_names { Delimiter::Byte(b' ') } else { Delimiter::Blanks })
}

/// Whether a text looks like a dictionary as Python prints it.
fn is_dictionary(text: &[u8]) -> bool {
    text.starts_with(b"{")
        && text.ends_with(b"}")
        && (text == b"{}" || memchr::memmem::find(text, b": ").is_some())
}

/// Whether a column holds dictionaries.
pub(super) fn has_dictionaries(rows: &[Row], place: usize) -> bool {
    !rows.is_empty() && rows.iter().all(|row| is_dictionary(row.text(place).trim_ascii()))
}

/// The weight of this name in a dictionary.
pub(super) fn weight(dictionary: &[u8], name: &str) -> Result<f64, Message> {
    let found = value(dictionary.trim_ascii(), name.trim().as_bytes());
    found.and_then(|text| weights::number(text).ok()).ok_or_else(|| {
        format!(
            "{} has no number called `{}`: write the graph with networkx.write_weighted_edgelist, or with \
             write_edgelist(…, data=[\"{}\"])",
            excerpt(dictionary),
            name.trim(),
            name.trim()
        )
        .into()
    })
}

/// The text of a value that has a name without a quote or a backslash.
fn value<'a>(dictionary: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = dictionary.strip_prefix(b"{")?.strip_suffix(b"}")?;
    loop {
        let key = item(rest, b':')?;
        let (of_key, behind) = (rest[..key].trim_ascii(), &rest[key + 1..]);
        let end = item(behind, b',').unwrap_or(behind.len());
        let is_named = |quote: &u8| {
            let bare = of_key.strip_prefix(&[*quote]).and_then(|key| key.strip_suffix(&[*quote]));
            bare == Some(name)
        };
        if b"'\"".iter().any(is_named) {
            return Some(behind[..end].trim_ascii());
        }
        rest = behind.get(end + 1..)?;
    }
}

/// Where this byte stands first that is in no string and between no brackets.
fn item(text: &[u8], wanted: u8) -> Option<usize> {
    let (mut depth, mut quote, mut at) = (0usize, None, 0);
    while let Some(&byte) = text.get(at) {
        match (byte, quote) {
            (b'\\', Some(_)) => at += 1,
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'\'' | b'"', None) => quote = Some(byte),
            (byte, None) if byte == wanted && depth == 0 => return Some(at),
            (b'{' | b'[' | b'(', None) => depth += 1,
            (b'}' | b']' | b')', None) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_their_dictionaries() {
        let (blank, blanks) = (Some(Delimiter::Byte(b' ')), Some(Delimiter::Blanks));
        for (text, expected) in [
            ("a,b c,d {}\n\"x\" y {'w': 1, 'at': {'x': 2}}\n", blank),
            ("# c\n\na b {}", blank),
            ("1 2 {}\n2 3 {}\n", blanks),
            ("a b {}\na b\n", None),
            ("New York, Rome, {'w': 1}\n", None),
            ("a b {c}\n", None),
            ("(0, 0) (0, 1) {}\n", None),
            ("{\"source\": 1, \"target\": {\"x\": 1}}\n", None),
            ("a,b,{\"x\": 1, \"y\": {\"z\": 2}}\n", None),
            ("", None),
        ] {
            assert_eq!(delimiter(text.as_bytes(), 0, true), expected, "{text:?}");
        }
        assert_eq!(delimiter(b"a b {}\nc d e", 0, false), blank);
    }

    #[test]
    fn weights_are_numbers_of_their_name() {
        for (text, expected) in [
            ("{'w': 3}", Some(3.0)),
            ("{'w': -2.5e1}", Some(-25.0)),
            ("{'a': 'w', 'w': 4}", Some(4.0)),
            ("{'a': {'w': 1}, 'b': [1, 'w: 2,'], \"w\": 5.0, 'c': 6}", Some(5.0)),
            ("{'it\\'s, w': 1, 'w': 2}", Some(2.0)),
            ("{}", None),
            ("{'ww': 3}", None),
            ("{'w': None}", None),
            ("{'w': '3'}", None),
            ("{'w': inf}", None),
            ("{'w': np.float64(3.0)}", None),
        ] {
            assert_eq!(weight(text.as_bytes(), "w").ok(), expected, "{text}");
        }
    }
}
