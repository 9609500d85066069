//! Which lines are comments.
//!
//! Comments stand before the first row. Below it, a line that begins as a comment does is a row where ids are names, and is left
//! out and counted where they are integers, as it can be no edge.

use super::super::input::{next_line, skip_blanks};

/// Whether a comment may begin here.
pub(crate) fn is_mark(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b'#' | b'%')) || rest.starts_with(b"//")
}

/// Whether a blank or nothing stands behind the marks that a line begins with: then it is a comment whatever ids are.
pub(super) fn is_spaced(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|byte| b"#%/".contains(byte)).count();
    line.get(marks).is_none_or(|byte| b" \t\n\r!".contains(byte))
}

/// Where a long run of comments ends that a text begins with, each mark or several with a blank or a line end behind them,
/// so that no name begins so.
pub(super) fn long_comments(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let is_blank = matches!(rest[0], b'\n' | b'\r');
        if !(is_blank || (is_mark(rest) && is_spaced(rest))) {
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
