//! A line of a table, cut into fields.
//!
//! Quotes are those of RFC 4180: a field that begins with `"` ends at the next single `"`, and `""` within it is
//! one quote. In other fields quotes are letters. Blanks around fields are none of theirs.

use std::borrow::Cow;

use super::super::input::{ends_line, excerpt, is_blank, skip_blanks};
use crate::{Message, hint};

/// The delimiter between fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Delimiter {
    /// One byte: a comma, a tab, a semicolon, …
    Byte(u8),
    /// A tab where programs write no quotes around fields: there they are letters.
    BareTabs,
    /// Any number of blanks and tabs.
    #[default]
    Blanks,
}

/// The byte that stands for a delimiter of several characters in the text that is cut: ASCII's own separator of fields.
pub(super) const SEPARATOR: u8 = 0x1f;

impl Delimiter {
    /// The delimiter that a caller names.
    pub(super) fn of(text: &str) -> Delimiter {
        match text.as_bytes() {
            b" " => Delimiter::Blanks,
            [byte] => Delimiter::Byte(*byte),
            _ => Delimiter::Byte(SEPARATOR),
        }
    }

    /// The character that a caller would name; a blank for any number of blanks and tabs.
    pub(super) fn char(self) -> char {
        match self {
            Delimiter::Byte(byte) => char::from(byte),
            Delimiter::BareTabs => '\t',
            Delimiter::Blanks => ' ',
        }
    }

    /// The name of the delimiter, and what a table is called by it, for messages.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Delimiter::Byte(b'\t') => ("tabs", "columns separated by tabs"),
            Delimiter::BareTabs => ("tabs", "columns separated by tabs, quotes are letters"),
            Delimiter::Byte(b',') => ("`,`", "CSV"),
            Delimiter::Byte(b';') => ("`;`", "CSV with semicolons"),
            Delimiter::Byte(b'|') => ("`|`", "columns separated by pipes"),
            Delimiter::Byte(_) => ("the delimiter", ""),
            Delimiter::Blanks => ("blanks", "columns separated by blanks"),
        }
    }

    pub(super) fn shown(self) -> &'static str {
        self.names().0
    }

    /// What a table is called whose delimiter a caller would name so.
    pub(super) fn table(self, named: &str) -> String {
        match self.names().1 {
            "" => format!("columns separated by {}", excerpt(named.as_bytes())),
            called => called.into(),
        }
    }

    #[inline(always)]
    pub(super) fn is(self, byte: u8) -> bool {
        match self {
            Delimiter::Byte(delimiter) => byte == delimiter,
            Delimiter::BareTabs => byte == b'\t',
            Delimiter::Blanks => is_blank(byte),
        }
    }

    /// Whether a tab ends each column, an empty one too.
    pub(super) fn is_tab(self) -> bool {
        matches!(self, Delimiter::Byte(b'\t') | Delimiter::BareTabs)
    }

    /// Whether a blank belongs to no field wherever it stands beside one.
    #[inline(always)]
    fn pads(self, byte: u8) -> bool {
        is_blank(byte) && (self == Delimiter::Blanks || !self.is(byte))
    }
}

/// Whether nothing stands on the line at `at` but what stands between columns: a blank line, and an empty row of a
/// spreadsheet.
pub(crate) fn is_empty_row(text: &[u8], at: usize, delimiter: Delimiter) -> bool {
    let rest = &text[at..];
    let is_nothing = |&&byte: &&u8| is_blank(byte) || delimiter.is(byte);
    rest.get(rest.iter().take_while(is_nothing).count()).is_none_or(|&byte| ends_line(byte))
}

/// A field: its text without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    pub(super) quoted: bool,
}

/// The reason why a field has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadQuote {
    /// The line ends within quotes.
    Open,
    /// Something stands between the closing quote and the delimiter.
    Behind,
}

impl BadQuote {
    /// The message for the quote.
    pub(super) fn message(self) -> Message {
        let message = match self {
            BadQuote::Open => "a quote is opened here and never closed",
            BadQuote::Behind => {
                "something stands between a closing quote and the end of its column: a quote within quotes is \
                 written twice"
            }
        };
        Message::from(message).with_hint(hint::DELIMITER)
    }
}

/// The field that begins at `at`, and where the delimiter or the line's end is behind it.
#[inline]
fn field(
    text: &[u8],
    at: usize,
    delimiter: Delimiter,
    over_lines: bool,
) -> Result<(Field<'_>, usize), BadQuote> {
    let mut start = at;
    while start < text.len() && delimiter.pads(text[start]) {
        start += 1;
    }
    if text.get(start) == Some(&b'"') && delimiter != Delimiter::BareTabs {
        return quoted(text, start, delimiter, over_lines);
    }
    // NetworkX's attributes: a dictionary that ends the line, and is one field.
    let is_dictionary = delimiter == Delimiter::Blanks && text.get(start) == Some(&b'{');
    let rest = &text[start..];
    let ends = |&byte: &u8| ends_line(byte) || (!is_dictionary && delimiter.is(byte));
    let after = start + rest.iter().position(ends).unwrap_or(rest.len());
    let mut end = after;
    while end > start && delimiter.pads(text[end - 1]) {
        end -= 1;
    }
    Ok((Field { text: Cow::Borrowed(&text[start..end]), quoted: false }, after))
}

#[cold]
fn quoted(
    text: &[u8],
    start: usize,
    delimiter: Delimiter,
    over_lines: bool,
) -> Result<(Field<'_>, usize), BadQuote> {
    let mut own: Option<Vec<u8>> = None;
    let mut from = start + 1;
    loop {
        let rest = &text[from..];
        let close = memchr::memchr(b'"', rest).ok_or(BadQuote::Open)?;
        if !over_lines && memchr::memchr2(b'\n', b'\r', &rest[..close]).is_some() {
            return Err(BadQuote::Open);
        }
        let end = from + close;
        if text.get(end + 1) == Some(&b'"') {
            own.get_or_insert_default().extend_from_slice(&text[from..=end]);
            from = end + 2;
            continue;
        }
        let text_of_field = match own {
            Some(mut own) => {
                own.extend_from_slice(&text[from..end]);
                Cow::Owned(own)
            }
            None => Cow::Borrowed(&text[from..end]),
        };
        let mut after = end + 1;
        // Where blanks stand between columns, they are behind the field.
        while after < text.len()
            && delimiter.pads(text[after])
            && matches!(delimiter, Delimiter::Byte(_))
        {
            after += 1;
        }
        return match text.get(after) {
            Some(&byte) if !delimiter.is(byte) && !ends_line(byte) => Err(BadQuote::Behind),
            _ => Ok((Field { text: text_of_field, quoted: true }, after)),
        };
    }
}

/// The fields of a line, one after the other.
pub(super) struct Fields<'a> {
    text: &'a [u8],
    delimiter: Delimiter,
    over_lines: bool,
    /// Where the next field begins; `None` behind the last one.
    next: Option<usize>,
    /// Where the one before ends.
    pub(super) end: usize,
}

impl<'a> Fields<'a> {
    /// The fields from the one on that begins at `at`. Where `over_lines` is set, quoted fields may hold line ends.
    #[inline]
    pub(super) fn of(
        text: &'a [u8],
        at: usize,
        delimiter: Delimiter,
        over_lines: bool,
    ) -> Fields<'a> {
        Fields { text, delimiter, over_lines, next: Some(at), end: at }
    }

    /// The fields behind one that ends at `end`.
    #[inline]
    pub(super) fn behind(
        text: &'a [u8],
        end: usize,
        delimiter: Delimiter,
        over_lines: bool,
    ) -> Fields<'a> {
        let mut fields = Fields::of(text, end, delimiter, over_lines);
        fields.ended(end);
        fields
    }

    /// A field ended at `end`: there the next one is behind it, if there is one.
    #[inline]
    fn ended(&mut self, end: usize) {
        self.end = end;
        self.next = match self.delimiter {
            Delimiter::Byte(_) | Delimiter::BareTabs => {
                let is_behind = self.text.get(end).is_some_and(|&byte| self.delimiter.is(byte));
                is_behind.then_some(end + 1)
            }
            Delimiter::Blanks => {
                let at = skip_blanks(self.text, end);
                let is_field = self.text.get(at).is_some_and(|&byte| !ends_line(byte));
                (is_field && at > end).then_some(at)
            }
        };
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, BadQuote>;

    #[inline]
    fn next(&mut self) -> Option<Result<Field<'a>, BadQuote>> {
        let at = self.next.take()?;
        let found = field(self.text, at, self.delimiter, self.over_lines);
        Some(found.map(|(field, end)| {
            self.ended(end);
            field
        }))
    }
}

/// All fields of the line at `at`, and where it ends.
pub(crate) fn split(
    text: &[u8],
    at: usize,
    delimiter: Delimiter,
    over_lines: bool,
) -> Result<(Vec<Field<'_>>, usize), BadQuote> {
    let at = if delimiter == Delimiter::Blanks { skip_blanks(text, at) } else { at };
    let mut fields = Fields::of(text, at, delimiter, over_lines);
    let all = fields.by_ref().collect::<Result<_, _>>()?;
    Ok((all, skip_blanks(text, fields.end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str, delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
        let (fields, end) = split(line.as_bytes(), 0, delimiter, true)?;
        assert!(line.as_bytes().get(end).is_none_or(|&b| ends_line(b)), "{line:?} ends at {end}");
        Ok(fields.iter().map(|f| String::from_utf8(f.text.to_vec()).unwrap()).collect())
    }

    #[test]
    fn empty_rows_have_no_letter() {
        let comma = Delimiter::Byte(b',');
        for (line, delimiter, expected) in [
            ("", comma, true),
            (",\n1", comma, true),
            (" , ,\t,\r\n", comma, true),
            (",,1", comma, false),
            (",\"\",", comma, false),
            (";;", comma, false),
            (";;", Delimiter::Byte(b';'), true),
            ("\t\t\n", Delimiter::Byte(b'\t'), true),
            (",", Delimiter::Blanks, false),
        ] {
            assert_eq!(is_empty_row(line.as_bytes(), 0, delimiter), expected, "{line:?}");
        }
    }

    #[test]
    fn fields_and_quotes() {
        const COMMA: Delimiter = Delimiter::Byte(b',');
        const TAB: Delimiter = Delimiter::Byte(b'\t');
        for (line, delimiter, expected) in [
            ("a,b\n", COMMA, &["a", "b"][..]),
            (" a , b c ,\r\n", COMMA, &["a", "b c", ""]),
            ("\"a,\"\"b\"\"\" , c", COMMA, &["a,\"b\"", "c"]),
            ("\"a\nb\",c\nd", COMMA, &["a\nb", "c"]),
            ("a\"b,c", COMMA, &["a\"b", "c"]),
            ("", COMMA, &[""]),
            ("a b\tc", TAB, &["a b", "c"]),
            ("\t\t", TAB, &["", "", ""]),
            ("\"a\" b\t\"c\"\t\t\"d", Delimiter::BareTabs, &["\"a\" b", "\"c\"", "", "\"d"]),
            ("  a \t b  \n", Delimiter::Blanks, &["a", "b"]),
            ("\"a b\" c", Delimiter::Blanks, &["a b", "c"]),
            ("0 1 {'w': 1, 'b c': 2}\n", Delimiter::Blanks, &["0", "1", "{'w': 1, 'b c': 2}"]),
        ] {
            assert_eq!(texts(line, delimiter).unwrap(), expected, "{line:?}");
        }
        assert_eq!(texts("\"a,b", COMMA), Err(BadQuote::Open));
        assert_eq!(texts("\"a\"b,c", COMMA), Err(BadQuote::Behind));
        assert!(split(b"\"a\nb\",c", 0, COMMA, false).is_err());
    }
}
