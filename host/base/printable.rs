//! Names that are safe to show.

use std::borrow::Cow;

/// A text without the characters that a terminal obeys, which are written out: a file's name may hold any,
/// and must neither colour a report nor end its line.
///
/// ```
/// assert_eq!(tribin::report::printable("a\u{1b}[31m\n.txt"), r"a\u{1b}[31m\n.txt");
/// assert_eq!(tribin::report::printable("it's é"), "it's é");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    // Those that have no shape of their own, and marks that turn the direction of writing around.
    let is_shown = |c: char| matches!(c, '\'' | '"' | '\\') || c.escape_debug().count() == 1;
    if text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_shown(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_debug()),
        }
    }
    Cow::Owned(shown)
}
