//! The rows of a sample, and the delimiter that cuts them best.

use super::super::end_names;
use super::super::input::{next_line, skip_blanks};
use super::super::weights::is_decimal_comma;
use super::comments::{is_mark, is_spaced};
use super::fields::{self, BadQuote, Delimiter, Field};
use super::id::{Look, look};

/// Rows that are looked at.
const MOST_ROWS: usize = 4096;

/// A row of the sample.
pub(super) struct Row<'a> {
    pub(super) at: usize,
    pub(super) fields: Vec<Field<'a>>,
    /// The line, without its end.
    pub(super) line: &'a [u8],
    /// Where the next line begins.
    pub(super) next: usize,
}

impl Row<'_> {
    pub(super) fn look(&self, place: usize) -> Look {
        self.fields.get(place).map_or(Look::Missing, |field| look(&field.text))
    }

    pub(super) fn text(&self, place: usize) -> &[u8] {
        self.fields.get(place).map_or(b"", |field| &field.text)
    }

    /// Whether the first two columns hold integers.
    pub(super) fn begins_with_integers(&self) -> bool {
        self.is_integer(0) && self.is_integer(1)
    }

    /// Whether a column holds an integer.
    pub(super) fn is_integer(&self, place: usize) -> bool {
        matches!(self.look(place), Look::Integer(_) | Look::Padded(_) | Look::Whole(_))
    }
}

/// The rows of a sample, cut at one delimiter.
pub(super) struct Cut<'a> {
    pub(super) delimiter: Delimiter,
    pub(super) rows: Vec<Row<'a>>,
    /// The number of columns that most rows have.
    pub(super) columns: usize,
    /// The last of the lines before the rows that begin as comments do, cut behind its marks, and whether no blank stands behind
    /// these.
    pub(super) comment: Option<(Row<'a>, bool)>,
    /// Lines below the first row that begin as comments do, with a blank behind the mark, and the first that is a mark alone.
    pub(super) marked: usize,
    pub(super) bare_mark: Option<usize>,
    /// Whether these are all rows of the text.
    pub(super) is_whole: bool,
    pub(super) bad_quote: Option<(usize, BadQuote)>,
}

/// The delimiter that cuts the rows best, and the rows; `None` where there are no rows, or no delimiter cuts
/// them.
///
/// A tab, a comma, a semicolon and a pipe go before blanks. One of them that leaves integers in the first two columns goes before one
/// that does not, and one that leaves as many columns in each line before one that does not.
pub(super) fn choose_cut(
    text: &[u8],
    start: usize,
    whole: bool,
    asked: Option<Delimiter>,
) -> Option<Cut<'_>> {
    if let Some(delimiter) = asked {
        return cut(text, start, whole, delimiter);
    }
    const CANDIDATES: [Delimiter; 5] = [
        Delimiter::Byte(b'\t'),
        Delimiter::Byte(b','),
        Delimiter::Byte(b';'),
        Delimiter::Byte(b'|'),
        Delimiter::Blanks,
    ];
    let cuts = CANDIDATES.map(|delimiter| cut(text, start, whole, delimiter));
    // A comma that is the point of a decimal number stands in a table that another byte cuts.
    let has_points = |cut: &Cut| {
        let fields = cut.rows.iter().skip(1).flat_map(|row| &row.fields);
        cut.columns > 1
            && cut.is_even()
            && fields.into_iter().any(|field| is_decimal_comma(&field.text))
    };
    let ends_have_points = |cut: &Cut| {
        let rows = &cut.rows[usize::from(cut.rows.len() > 1)..];
        cut.is_even()
            && rows.iter().all(|row| [0, 1].iter().all(|&place| is_decimal_comma(row.text(place))))
    };
    let decimal_commas = [0, 2].iter().any(|&i| cuts[i].as_ref().is_some_and(has_points))
        || cuts[4].as_ref().is_some_and(ends_have_points);
    let scored = cuts.into_iter().flatten().zip(0i8..).filter_map(|(cut, rank)| {
        // A header that may have one column less than the rows is worse evidence than one that has them all.
        let even = u8::from(cut.is_even())
            + u8::from(cut.is_even() && cut.rows[0].fields.len() == cut.columns);
        // What cuts a header with the names of two ends, and every row as it does, is the delimiter. A byte is it even where some
        // rows are faults.
        let told = match cut.delimiter {
            Delimiter::Byte(_) if cut.rows[0].fields.len() == cut.columns && cut.names_ends() => 2,
            Delimiter::Blanks if even == 2 && cut.names_ends() => 1,
            _ => 0u8,
        };
        let points = !(cut.delimiter == Delimiter::Byte(b',') && decimal_commas);
        let score = (told, cut.starts_with_integers(), points, even, !cut.parts_quotes(), -rank);
        (cut.columns >= 2 && cut.is_mostly_cut()).then_some((score, cut))
    });
    scored.max_by_key(|(score, _)| *score).map(|(_, cut)| cut)
}

impl Cut<'_> {
    /// Whether the first two columns hold integers, a first line left aside. Between bytes some may be missing.
    fn starts_with_integers(&self) -> bool {
        let rows = if self.rows.len() > 1 { &self.rows[1..] } else { &self.rows };
        let may_lack = matches!(self.delimiter, Delimiter::Byte(_)) && self.is_even();
        [0, 1].iter().all(|&place| {
            let is = |row: &Row| row.is_integer(place) || (may_lack && row.text(place).is_empty());
            rows.iter().all(is) && rows.iter().any(|row| row.is_integer(place))
        })
    }

    /// Whether the first row has the names of the two ends of an edge.
    fn names_ends(&self) -> bool {
        let names = self.rows[0].fields.iter().map(|field| String::from_utf8_lossy(&field.text));
        end_names::ends(&names.map(|name| name.into_owned()).collect::<Vec<_>>()).is_some()
    }

    /// Whether every row has the same number of columns; a header may have one less, but two at least.
    fn is_even(&self) -> bool {
        let rest = self.rows[1..].iter().all(|row| row.fields.len() == self.columns);
        let first = self.rows[0].fields.len();
        rest && (first == self.columns || (first > 1 && first + 1 == self.columns))
            && self.bad_quote.is_none()
    }

    /// Whether a field has a quote without another: then rows are likely to be cut within quotes.
    fn parts_quotes(&self) -> bool {
        let mut fields = self.rows.iter().flat_map(|row| &row.fields);
        fields.any(|field| !field.quoted && memchr::memchr_iter(b'"', &field.text).count() % 2 == 1)
    }

    /// Whether at least half of the rows are cut at all.
    fn is_mostly_cut(&self) -> bool {
        2 * self.rows.iter().filter(|row| row.fields.len() > 1).count() >= self.rows.len()
    }
}

/// Cuts the rows of the sample; `None` where there are none.
fn cut(text: &[u8], start: usize, whole: bool, delimiter: Delimiter) -> Option<Cut<'_>> {
    let (mut rows, mut marked, mut at) = (Vec::<Row>::new(), Vec::<Row>::new(), start);
    let (mut bad_quote, mut below, mut bare_mark) = (None, 0, None);
    while at < text.len() && rows.len() < MOST_ROWS && marked.len() < MOST_ROWS {
        let first = skip_blanks(text, at);
        if first >= text.len() {
            break;
        }
        if fields::is_empty_row(text, first, delimiter) {
            at = next_line(text, first);
            continue;
        }
        let line = if delimiter == Delimiter::Byte(b'\t') { at } else { first };
        let is_marked = is_mark(&text[first..]);
        let (fields, end) = match fields::split(text, line, delimiter, !is_marked) {
            Ok(found) => found,
            Err(_) if is_marked => (Vec::new(), first),
            Err(bad) => {
                if whole || bad == BadQuote::Behind {
                    bad_quote = Some((at, bad));
                }
                break;
            }
        };
        let next = next_line(text, end);
        // The last line may go on behind the head.
        if !whole && next >= text.len() && !rows.is_empty() {
            break;
        }
        let row = Row { at, fields, line: text[at..next].trim_ascii(), next };
        at = next;
        if !is_marked {
            rows.push(row);
            continue;
        }
        if !rows.is_empty() && is_spaced(row.line) {
            below += 1;
            bare_mark = bare_mark.or((row.line == b"#").then_some(row.at));
        }
        marked.push(row);
    }
    // Names may begin as comments do, as hashtags do: then several lines do, and no blank is behind the mark.
    let is_tag = |row: &Row| {
        let all = matches!(delimiter, Delimiter::Byte(_))
            || row.fields.iter().all(|field| is_mark(&field.text));
        let is_mark_alone = row.fields.first().is_some_and(|field| is_spaced(&field.text));
        row.fields.len() > 1 && all && !is_mark_alone && !is_spaced(row.line)
    };
    let tags = || marked.iter().filter(|row| is_tag(row)).map(|row| row.fields.len());
    let body = rows.get(1..).unwrap_or_default();
    let columns = match body {
        [] => most_common(tags()),
        body => most_common(body.iter().map(|row| row.fields.len())),
    };
    let of_names = body.is_empty() || !body.iter().all(Row::begins_with_integers);
    if tags().filter(|&fields| fields == columns).count() > 1 && of_names {
        let (found, others) =
            marked.into_iter().partition(|row| is_tag(row) && row.fields.len() == columns);
        (rows, marked) = ([found, rows].into_iter().flatten().collect(), others);
        rows.sort_by_key(|row| row.at);
    }
    // Below the first row a line that may be a comment says nothing of the columns.
    marked.retain(|row| rows.first().is_none_or(|first| row.at < first.at));
    let columns = match &rows[..] {
        // Of two rows the longer one says more.
        [one, other] => one.fields.len().max(other.fields.len()),
        rows => {
            most_common(rows.iter().skip(usize::from(rows.len() > 1)).map(|row| row.fields.len()))
        }
    };
    let comment = marked.pop().and_then(|row| {
        // Comments that were made comments once more have several marks.
        let mut from = skip_blanks(text, row.at);
        while let at = skip_blanks(text, from)
            && text.get(at).is_some_and(|byte| b"#%/".contains(byte))
        {
            from = at + 1;
        }
        let from =
            if matches!(delimiter, Delimiter::Byte(_)) { from } else { skip_blanks(text, from) };
        let (fields, _) = fields::split(text, from, delimiter, false).ok()?;
        Some((Row { fields, ..row }, !is_spaced(row.line)))
    });
    let is_whole = skip_blanks(text, at) >= text.len();
    (!rows.is_empty()).then_some(Cut {
        delimiter,
        rows,
        columns,
        comment,
        marked: below,
        bare_mark,
        is_whole,
        bad_quote,
    })
}

fn most_common(lengths: impl Iterator<Item = usize>) -> usize {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for length in lengths {
        match counts.iter_mut().find(|(other, _)| *other == length) {
            Some((_, count)) => *count += 1,
            None => counts.push((length, 1)),
        }
    }
    // Of two that are equally common, the first.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(0, |(length, _)| *length)
}
