//! The rows of a sample, and the delimiter that cuts them best.

use super::super::columns;
use super::super::edge_list::is_cut_twice;
use super::super::input::{next_line, skip_blanks};
use super::super::weights::is_decimal_comma;
use super::comments::{is_comment, is_mark};
use super::fields::{self, BadQuote, Delimiter, Field};
use super::id::{Look, look};

/// Rows that are looked at.
const MOST_ROWS: usize = 4096;

/// A row of the sample.
pub(super) struct Row<'a> {
    pub(super) at: usize,
    pub(super) fields: Vec<Field<'a>>,
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
}

/// The rows of a sample, cut at one delimiter.
pub(super) struct Cut<'a> {
    pub(super) delimiter: Delimiter,
    pub(super) rows: Vec<Row<'a>>,
    /// The number of columns that most rows have.
    pub(super) columns: usize,
    /// Comments that might be rows of names.
    pub(super) hashed: bool,
    /// Whether these are all rows of the sample.
    pub(super) is_whole: bool,
    pub(super) bad_quote: Option<(usize, BadQuote)>,
}

/// The delimiter that cuts the rows best, and the rows; `None` where there are no rows, or no delimiter cuts
/// them.
pub(super) fn choose_cut(
    text: &[u8],
    start: usize,
    whole: bool,
    asked: Option<Delimiter>,
) -> Option<Cut<'_>> {
    if let Some(delimiter) = asked {
        let found = cut(text, start, whole, delimiter)?;
        return Some(found);
    }
    const CANDIDATES: [Delimiter; 6] = [
        Delimiter::Byte(b'\t'),
        Delimiter::Byte(b','),
        Delimiter::Byte(b';'),
        Delimiter::Byte(b'|'),
        Delimiter::Blanks,
        Delimiter::BlanksOrComma,
    ];
    let cuts = CANDIDATES.map(|delimiter| cut(text, start, whole, delimiter));
    // A comma that is the point of a decimal number stands between digits, in a table cut by semicolons or tabs.
    let decimal_commas = [0, 2].into_iter().any(|i| {
        cuts[i].as_ref().is_some_and(|cut| {
            cut.columns > 1
                && cut.is_even()
                && cut
                    .rows
                    .iter()
                    .skip(1)
                    .any(|row| row.fields.iter().any(|field| is_decimal_comma(&field.text)))
        })
    });
    // Between blanks a comma of a table is as likely, unless both ends of every row have one.
    let decimal_commas = decimal_commas
        || cuts[4].as_ref().is_some_and(|cut| {
            let rows = &cut.rows[usize::from(cut.rows.len() > 1)..];
            let is = |row: &Row| [0, 1].iter().all(|&place| is_decimal_comma(row.text(place)));
            cut.is_even() && rows.iter().all(is)
        });
    // Where every line has as many tabs, and not as many integers, a column is empty in some.
    let told_by_tabs = matches!(&cuts, [Some(tabs), .., Some(blanks), _]
        if tabs.columns > 2 && tabs.is_even() && !blanks.is_even() && tabs.has_integers_and_gaps());
    // A line that a byte leaves whole, where that byte cuts the names of two ends or nearly all lines, is a fault of its own:
    // a footer has blanks, and would change the delimiter of all lines.
    let mut stray = cuts[..4].iter().flatten().filter(|cut| cut.has_stray_lines()).peekable();
    let strays_are_few = stray.peek().is_some();
    let names_are_cut = stray.any(|cut| cut.names_ends() && cut.is_first_whole());
    let scored = cuts.into_iter().flatten().zip(0i8..).filter_map(|(cut, rank)| {
        let comma = cut.delimiter == Delimiter::Byte(b',');
        // A header that may have one column less than the rows is worse evidence than one that has them all.
        let even = u8::from(cut.is_even()) + u8::from(cut.is_even() && cut.is_first_whole());
        // Numbers with decimal commas are not cut at these.
        if cut.delimiter == Delimiter::BlanksOrComma
            && cut.rows.iter().any(|row| is_cut_twice(text, row.at))
        {
            return None;
        }
        // What cuts a header with the names of two ends, and every row as it does, is the delimiter, whatever words of
        // the rows begin with.
        let told = even == 2 && cut.delimiter != Delimiter::BlanksOrComma && cut.names_ends();
        let points = !(comma && decimal_commas);
        let at_blanks = matches!(cut.delimiter, Delimiter::Blanks | Delimiter::BlanksOrComma);
        if at_blanks && (names_are_cut || (strays_are_few && !told && !cut.starts_with_integers()))
        {
            return None;
        }
        let integers = match cut.delimiter {
            Delimiter::Byte(b'\t') => told_by_tabs || cut.starts_with_integers(),
            Delimiter::Byte(_) | Delimiter::OneBlank => cut.starts_with_integers(),
            Delimiter::Blanks | Delimiter::BlanksOrComma => {
                !told_by_tabs && cut.starts_with_integers()
            }
        };
        let score = (told, integers, points, even, !cut.parts_quotes(), -rank);
        (cut.columns >= 2 && cut.is_mostly_cut()).then_some((score, cut))
    });
    scored.max_by_key(|(score, _)| *score).map(|(_, cut)| cut)
}

impl Cut<'_> {
    /// Whether the first two columns hold integers, a first line left aside.
    pub(super) fn starts_with_integers(&self) -> bool {
        let rows = if self.rows.len() > 1 { &self.rows[1..] } else { &self.rows };
        rows.iter().all(|row| {
            [0, 1].iter().all(|&place| {
                matches!(row.look(place), Look::Integer(_) | Look::Padded(_) | Look::Whole(_))
            })
        })
    }

    /// Whether the first two columns hold nothing but integers and gaps, a first line left aside, and both are there.
    fn has_integers_and_gaps(&self) -> bool {
        let rows = self.rows.get(1..).unwrap_or_default();
        let looks = || rows.iter().flat_map(|row| [0, 1].map(|place| (row, place)));
        let is_gap = |(row, place): (&Row, usize)| row.text(place).is_empty();
        let is_integer = |(row, place): (&Row, usize)| {
            matches!(row.look(place), Look::Integer(_) | Look::Padded(_) | Look::Whole(_))
        };
        looks().all(|at| is_gap(at) || is_integer(at))
            && looks().any(is_gap)
            && looks().any(is_integer)
    }

    /// Whether the first row has the names of the two ends of an edge.
    pub(super) fn names_ends(&self) -> bool {
        let names = self.rows[0].fields.iter().map(|field| String::from_utf8_lossy(&field.text));
        columns::ends(&names.map(|name| name.into_owned()).collect::<Vec<_>>()).is_some()
    }

    /// Whether every row has the same number of columns; a header may have one less.
    pub(super) fn is_even(&self) -> bool {
        let rest = self.rows[1..].iter().all(|row| row.fields.len() == self.columns);
        let first = self.rows[0].fields.len();
        rest && (first == self.columns || first + 1 == self.columns) && self.bad_quote.is_none()
    }

    /// Whether the first row has as many columns as most.
    fn is_first_whole(&self) -> bool {
        self.rows[0].fields.len() == self.columns
    }

    /// Whether a byte cuts all rows alike but for some that it leaves whole. These are few, unless the first row has the names
    /// of two ends.
    fn has_stray_lines(&self) -> bool {
        const LEAST: usize = 20;
        let of =
            |columns: usize| self.rows.iter().filter(|row| row.fields.len() == columns).count();
        let (cut, whole) = (of(self.columns), of(1));
        let few = cut > 1 && (whole == 1 || LEAST * whole <= self.rows.len());
        self.columns > 1
            && whole > 0
            && cut + whole == self.rows.len()
            && self.bad_quote.is_none()
            && (few || (cut > whole && self.is_first_whole() && self.names_ends()))
    }

    /// Whether a field has a quote without another: then rows are likely to be cut within quotes.
    fn parts_quotes(&self) -> bool {
        let mut fields = self.rows.iter().flat_map(|row| &row.fields);
        fields.any(|field| !field.quoted && memchr::memchr_iter(b'"', &field.text).count() % 2 == 1)
    }

    /// Whether at least half of the rows are cut at all.
    pub(super) fn is_mostly_cut(&self) -> bool {
        2 * self.rows.iter().filter(|row| row.fields.len() > 1).count() >= self.rows.len()
    }
}

/// Cuts the rows of the sample; `None` where there are none.
pub(super) fn cut(text: &[u8], start: usize, whole: bool, delimiter: Delimiter) -> Option<Cut<'_>> {
    let (mut rows, mut at) = (Vec::new(), start);
    let (mut hashed, mut bad_quote) = (Vec::new(), None);
    while at < text.len() && rows.len() < MOST_ROWS {
        let first = skip_blanks(text, at);
        let rest = &text[first..];
        if rest.is_empty() {
            break;
        }
        if fields::is_empty_row(text, first, delimiter) {
            at = next_line(text, first);
            continue;
        }
        let line = if delimiter.has_blanks_in_front() { at } else { first };
        let mark = is_mark(rest);
        match fields::split(text, line, delimiter, !mark) {
            Ok((fields, end)) => {
                let next = next_line(text, end);
                // The last line may go on behind the head.
                if !whole && next >= text.len() && !rows.is_empty() {
                    break;
                }
                let row = Row { at, fields, next };
                if !mark {
                    rows.push(row);
                } else if hashed.len() < MOST_ROWS {
                    hashed.push(row);
                }
                at = next;
            }
            Err(_) if mark => at = next_line(text, first),
            Err(bad) => {
                if whole || bad == BadQuote::Behind {
                    bad_quote = Some((at, bad));
                }
                break;
            }
        }
    }
    let tagged = |row: &Row| {
        row.fields.len() > 1
            && !is_comment(text, skip_blanks(text, row.at), delimiter, row.fields.len())
    };
    let alike = !hashed.is_empty()
        && rows.first().is_none_or(|row: &Row| row.fields.len() == hashed[0].fields.len());
    let tags = rows.len() < 2 && hashed.len() > 1 && alike && hashed.iter().all(tagged);
    let hashed = if tags {
        // Hashtags: no line but a header begins with anything else.
        rows.append(&mut hashed);
        rows.sort_by_key(|row| row.at);
        true
    } else {
        !hashed.is_empty()
    };
    if rows.is_empty() {
        return None;
    }
    let is_whole = skip_blanks(text, at) >= text.len();
    let columns =
        most_common(rows.iter().skip(usize::from(rows.len() > 1)).map(|row| row.fields.len()));
    Some(Cut { delimiter, rows, columns, hashed, is_whole, bad_quote })
}

pub(super) fn most_common(lengths: impl Iterator<Item = usize>) -> usize {
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
