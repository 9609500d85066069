//! How a reader says what is wrong with a file, and the lines and words of a text.

use super::ids::MOST_VERTICES;
pub(super) use super::memory::none_for as no_memory;
use super::memory::{self, NoMemory};
use super::source::CHANGED;
use crate::{Error, Message, Result};

/// The reason why a file is not read.
#[derive(Debug)]
pub(super) enum Fault {
    /// The line that holds this byte is not as it should be.
    Line(usize, Message),
    /// A value of a column, counted among those that are read, is none at this row of those that were asked for.
    #[cfg_attr(not(any(feature = "arrow", feature = "parquet")), allow(dead_code))]
    Value(usize, usize, Message),
    /// A quoted field does not end in its line: the text has to be read in one piece.
    OpenQuote,
    /// There are more lines than there is room for.
    NoRoom,
    NoMemory(NoMemory),
    Error(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Error(error)
    }
}

impl From<NoMemory> for Fault {
    fn from(refused: NoMemory) -> Fault {
        Fault::NoMemory(refused)
    }
}

impl Fault {
    /// A line that is not as it should be.
    #[cold]
    pub(super) fn line(at: usize, message: impl Into<Message>) -> Fault {
        Fault::Line(at, message.into())
    }

    /// This fault, of the line at a byte if it is of a line.
    pub(super) fn at(self, at: usize) -> Fault {
        if let Fault::Line(_, message) = self { Fault::Line(at, message) } else { self }
    }

    /// The error of the file of this name, where nobody knows the line.
    pub(super) fn of(self, name: &str) -> Error {
        match self {
            Fault::Line(_, message) | Fault::Value(.., message) => error(name, message),
            Fault::NoMemory(refused) => no_memory(name, refused),
            Fault::Error(error) => error.of(name),
            // What needs one piece gets it, and what needs more room: the file is not what it was.
            Fault::OpenQuote | Fault::NoRoom => error(name, CHANGED),
        }
    }
}

/// What editors put at the beginning of a text, and no name begins with.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where a text begins, behind a byte order mark if it has one.
pub(super) fn text_start(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// An error of the input as a whole.
pub(super) fn error(name: &str, message: impl Into<Message>) -> Error {
    Error::of_input(name, message)
}

/// An error of a file with the option that helps, which goes before that of the error.
pub(super) fn hinted(error: Error, hint: &str) -> Error {
    match error {
        Error::Malformed { file, place, message } => {
            Error::Malformed { file, place, message: message.with_hint(hint) }
        }
        Error::Input { file, message } => Error::Input { file, message: message.with_hint(hint) },
        other => other,
    }
}

/// The error of a file without a single byte.
pub(super) fn empty(name: &str) -> Error {
    error(
        name,
        "the file is empty (0 bytes): a graph without edges is a file with only a comment line; \
         check that writing the file succeeded",
    )
}

/// The first characters of `bytes` between backquotes, made safe to print.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let head = &bytes[..bytes.len().min(4 * SHOWN)];
    // Quotes are no danger in a message; control characters are.
    let shown = |c: char| match c {
        '\'' | '"' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    let characters = head.utf8_chunks().flat_map(|part| {
        let invalid = part.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        part.valid().chars().map(shown).chain(invalid)
    });
    let mut characters: Vec<String> = characters.take(SHOWN + 1).collect();
    let is_cut = characters.len() > SHOWN || head.len() < bytes.len();
    characters.truncate(SHOWN);
    format!("`{}{}`", characters.concat(), if is_cut { "…" } else { "" })
}

/// `bytes` from `at` to the next blank, comma or line end.
pub(super) fn token(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at.min(bytes.len())..];
    let end = rest.iter().position(|&b| is_blank(b) || b == b',' || ends_line(b));
    &rest[..end.unwrap_or(rest.len())]
}

/// The words of a line, between blanks.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether a column ends before byte `at`, where blanks stand between columns.
#[inline(always)]
pub(super) fn ends_word(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&byte| is_blank(byte) || ends_line(byte))
}

/// The message for a header that announces more vertices than can be counted.
pub(super) fn too_many(vertices: u64) -> String {
    format!(
        "the header announces {vertices} vertices: at most {MOST_VERTICES} (2^32-2) can be counted"
    )
}

/// The message for a matrix that has another number of rows than of columns.
pub(super) fn not_square(rows: u64, columns: u64) -> String {
    format!(
        "the matrix is not square ({rows} rows, {columns} columns), so it is no graph's adjacency matrix"
    )
}

/// One list of parts that follow one another.
pub(super) fn concat<T>(parts: Vec<Vec<T>>) -> Result<Vec<T>, NoMemory> {
    let mut all = memory::with_capacity(parts.iter().map(Vec::len).sum())?;
    parts.into_iter().for_each(|part| all.extend(part));
    Ok(all)
}

/// What separates columns, beside a comma.
#[inline(always)]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a line ends at this byte. A line ends with a line feed, a carriage return, or both in this
/// order.
#[inline(always)]
pub(super) fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The number of lines that end in `bytes`.
pub(super) fn lines(bytes: &[u8]) -> usize {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    // Most files have no carriage return, which is found out fast.
    let Some(first) = memchr::memchr(b'\r', bytes) else { return feeds };
    let rest = &bytes[first..];
    let returns = memchr::memchr_iter(b'\r', rest).count();
    let both = rest.windows(2).filter(|pair| pair == b"\r\n").count();
    feeds + returns - both
}

/// The first position from `at` on that holds no blank.
#[inline]
pub(super) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_blank(bytes[at]) {
        at += 1;
    }
    at
}

/// The start of the line after the one that holds `at`.
#[inline]
pub(super) fn next_line(bytes: &[u8], at: usize) -> usize {
    // Most lines end with what is read of them.
    if bytes.get(at) == Some(&b'\n') {
        return at + 1;
    }
    match memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        None => bytes.len(),
        Some(i) => {
            let end = at + i;
            end + 1 + usize::from(bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n'))
        }
    }
}

/// The lines of a text from `at` on without blanks around them, each with the place where it begins.
pub(super) fn lines_from(text: &[u8], mut at: usize) -> impl Iterator<Item = (usize, &[u8])> {
    std::iter::from_fn(move || {
        let from = at;
        at = next_line(text, from);
        (from < text.len()).then(|| (from, text[from..at].trim_ascii()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(b"abc"), "`abc`");
        assert_eq!(excerpt(b"it's"), "`it's`");
        assert_eq!(excerpt(b"a\x1b[31m\xff\0"), "`a\\u{1b}[31m\\xff\\0`");
        assert_eq!(excerpt(&[b'x'; 32]), format!("`{}`", "x".repeat(32)));
        assert_eq!(excerpt(&[b'x'; 33]), format!("`{}…`", "x".repeat(32)));
        assert_eq!(excerpt(&[0xff; 4000]), format!("`{}…`", "\\xff".repeat(32)));
        assert_eq!(excerpt("é".repeat(33).as_bytes()), format!("`{}…`", "é".repeat(32)));
    }

    #[test]
    fn a_line_ends_with_either_byte_or_both() {
        for (text, ended) in [
            (&b""[..], 0),
            (b"a", 0),
            (b"a\n", 1),
            (b"a\r", 1),
            (b"a\r\n", 1),
            (b"\n\r", 2),
            (b"\r\r\n\n", 3),
            (b"a\nb\rc\r\n\r\nd", 4),
        ] {
            assert_eq!(lines(text), ended, "{text:?}");
            let mut at = 0;
            for _ in 0..ended {
                at = next_line(text, at);
            }
            assert!(!text[at..].iter().any(|&b| ends_line(b)), "{text:?}");
        }
    }
}
