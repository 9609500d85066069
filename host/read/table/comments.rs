//! Which lines are comments.

use super::super::input::{next_line, skip_blanks};
use super::fields::{self, Delimiter};

/// Whether a comment begins here, where ids are integers.
pub(super) fn is_mark(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b'#' | b'%')) || rest.starts_with(b"//")
}

/// Whether the line at `at` is a comment, where ids are names and might begin as comments do: it is unless
/// something other than a blank follows the mark, or several marks, and the line has all columns. Between blanks the
/// second field has to begin with the mark as well, as a list of hashtags does.
pub(super) fn is_comment(text: &[u8], at: usize, delimiter: Delimiter, columns: usize) -> bool {
    let rest = &text[at..];
    if !is_mark(rest) {
        return false;
    }
    let mark = if rest[0] == b'/' { 2 } else { 1 };
    let marks = |field: &[u8]| {
        let more = field.get(mark..).unwrap_or_default();
        mark + more.iter().take_while(|byte| matches!(byte, b'#' | b'%')).count()
    };
    match rest.get(marks(rest)) {
        None | Some(b' ' | b'\t' | b'\n' | b'\r' | b'!') => return true,
        // A mark alone in its column is no name.
        Some(&byte) if delimiter == Delimiter::Byte(byte) => return true,
        Some(_) => {}
    }
    match fields::split(text, at, delimiter, false) {
        Ok((found, _)) if found.len() == columns => match delimiter {
            Delimiter::Byte(_) => false,
            _ => {
                let second = &found[1].text;
                !second.starts_with(&rest[..mark]) || marks(second) == second.len()
            }
        },
        _ => true,
    }
}

/// Where a long run of comments ends that a text begins with, each mark or several with a blank or a line end behind them,
/// so that no name begins so.
pub(super) fn long_comments(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let marks = rest.iter().take_while(|byte| matches!(byte, b'#' | b'%' | b'/')).count();
        let comment = match rest.get(marks) {
            Some(b'\n' | b'\r') if marks == 0 => true,
            Some(b' ' | b'\t' | b'\n' | b'\r') => is_mark(rest),
            _ => false,
        };
        if !comment {
            break;
        }
        at = next_line(text, at);
    }
    at
}

/// Where the first line begins that is neither blank nor a comment of integers.
pub(super) fn plain_start(text: &[u8], mut at: usize) -> usize {
    loop {
        let rest = &text[skip_blanks(text, at)..];
        match rest.first() {
            Some(b'\n' | b'\r') => {}
            Some(_) if is_mark(rest) => {}
            _ => return at,
        }
        at = next_line(text, at);
    }
}

/// Where the first line begins that is neither blank nor a comment of names.
pub(super) fn names_start(
    text: &[u8],
    mut at: usize,
    delimiter: Delimiter,
    columns: usize,
) -> usize {
    while at < text.len() {
        let first = skip_blanks(text, at);
        let is_empty = fields::is_empty_row(text, first, delimiter);
        if !is_empty && !is_comment(text, first, delimiter, columns) {
            return at;
        }
        at = next_line(text, at);
    }
    at
}
