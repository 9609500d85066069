//! Lines that end with a dictionary of Python's, as NetworkX's `write_edgelist` writes them: `u v {'weight': 3}`.
//!
//! NetworkX puts nothing between quotes. So commas, quotes and tabs are letters of names.

use super::super::edge_list::is_pair;
use super::super::input::{ends_line, excerpt, next_line, skip_blanks};
use super::super::weights;
use super::comments::is_mark;
use super::cut::Row;
use super::shape::has_tuples;
use crate::{Hint, Message};

/// Lines that are looked at.
const MOST_LINES: usize = 4096;

/// What stands before the dictionaries of the first lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// Names with one blank between the two.
    OneBlank,
    /// Names of which those of this line have blanks in them.
    MoreBlanks { at: usize, end: usize },
    /// Integers alone, or lines that end otherwise.
    Others,
}

/// Looks at the lines from `start` on. The last is cut off where this is not the `whole` text.
pub(super) fn look(text: &[u8], start: usize, whole: bool) -> Lines {
    let (mut at, mut lines, mut has_names) = (start, 0, false);
    let mut more = None;
    while at < text.len() && lines < MOST_LINES {
        let next = next_line(text, at);
        if !whole && next >= text.len() {
            break;
        }
        let line = text[at..next].trim_ascii_end();
        let from = at;
        at = next;
        if line.is_empty() || is_mark(&text[skip_blanks(text, from)..]) {
            continue;
        }
        let Some(ends) = before(line) else { return Lines::Others };
        lines += 1;
        if is_pair(text, from) {
            continue;
        }
        has_names = true;
        match memchr::memchr_iter(b' ', ends).count() {
            0 => return Lines::Others,
            1 => {}
            _ if more.is_none() => more = Some((from, from + line.len())),
            _ => {}
        }
    }
    match more {
        _ if !has_names => Lines::Others,
        Some((at, end)) => Lines::MoreBlanks { at, end },
        None => Lines::OneBlank,
    }
}

/// What stands before the blank and the dictionary that a line ends with; `None` where it ends otherwise, and where another byte
/// than that blank stands between columns.
fn before(line: &[u8]) -> Option<&[u8]> {
    let open = memchr::memchr(b'{', line)?;
    let (ends, dictionary) = (line[..open].strip_suffix(b" ")?, &line[open..]);
    let is_other = ends.last().is_none_or(|byte| b",;|\t ".contains(byte)) || has_tuples(line);
    (is_dictionary(dictionary) && !is_other).then_some(ends)
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

/// What to say of a line whose names have blanks in them.
pub(super) fn blanks_in_names(line: &[u8]) -> Message {
    let end = line.iter().position(|&byte| ends_line(byte)).unwrap_or(line.len());
    let message = format!(
        "{} has more than one blank before its dictionary, so that it does not say where a name ends: write the graph with \
         networkx.write_edgelist(graph, FILE, delimiter=\"\\t\"), and say that tabs stand between columns",
        excerpt(&line[..end])
    );
    Message::from(message).with_hint(Hint::Delimiter)
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
    fn lines_are_told_by_what_is_before_the_dictionary() {
        for (text, expected) in [
            ("a,b c,d {}\n\"x\" y {'w': 1, 'at': {'x': 2}}\n", Lines::OneBlank),
            ("# c\n\na b {}", Lines::OneBlank),
            ("1 2 {}\na\tb 2 {}\n", Lines::OneBlank),
            ("a b {}\nNew York b {}\n", Lines::MoreBlanks { at: 7, end: 20 }),
            ("1 2 {}\n2 3 {}\n", Lines::Others),
            ("a b {}\na b\n", Lines::Others),
            ("a b\tc\t{}\n", Lines::Others),
            ("New York, Rome, {'w': 1}\n", Lines::Others),
            ("a b {c}\n", Lines::Others),
            ("{a b} c {}\n", Lines::Others),
            ("(0, 0) (0, 1) {}\n", Lines::Others),
            ("{\"source\": 1, \"target\": {\"x\": 1}}\n", Lines::Others),
            ("a,b,{\"x\": 1, \"y\": {\"z\": 2}}\n", Lines::Others),
            ("", Lines::Others),
        ] {
            assert_eq!(look(text.as_bytes(), 0, true), expected, "{text:?}");
        }
        assert_eq!(look(b"a b {}\nc d e", 0, false), Lines::OneBlank);
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
