//! The rows of a sample, and the delimiter that cuts them best.

use super::super::end_names;
use super::super::input::{lines_from, next_line, skip_blanks, words};
use super::super::weights::is_decimal_comma;
use super::fields::{self, BadQuote, Delimiter, Field};
use super::id::{IdNotation, look};

/// Rows that are looked at.
const MOST_ROWS: usize = 4096;

/// A row of the sample.
pub(super) struct SampledRow<'a> {
    pub(super) at: usize,
    pub(super) fields: Vec<Field<'a>>,
    /// The line, without its end.
    pub(super) line: &'a [u8],
    /// Where the next line begins.
    pub(super) next: usize,
}

impl SampledRow<'_> {
    pub(super) fn look(&self, place: usize) -> IdNotation {
        self.fields.get(place).map_or(IdNotation::Missing, |field| look(&field.text))
    }

    pub(super) fn text(&self, place: usize) -> &[u8] {
        self.fields.get(place).map_or(b"", |field| &field.text)
    }

    pub(super) fn string(&self, place: usize) -> String {
        String::from_utf8_lossy(self.text(place)).into_owned()
    }

    /// The texts of all columns.
    pub(super) fn strings(&self) -> Vec<String> {
        (0..self.fields.len()).map(|place| self.string(place)).collect()
    }

    /// Whether the first two columns hold integers.
    pub(super) fn begins_with_integers(&self) -> bool {
        self.is_integer(0) && self.is_integer(1)
    }

    /// Whether a column holds an integer.
    pub(super) fn is_integer(&self, place: usize) -> bool {
        matches!(
            self.look(place),
            IdNotation::Integer(_) | IdNotation::Padded(_) | IdNotation::Whole(_)
        )
    }
}

/// The rows of a sample, cut at one delimiter.
pub(super) struct TableCut<'a> {
    pub(super) delimiter: Delimiter,
    pub(super) rows: Vec<SampledRow<'a>>,
    /// The number of columns that most rows have.
    pub(super) columns: usize,
    /// The last of the lines before the rows that begin as comments do, cut behind its marks, and whether no blank stands behind
    /// these.
    pub(super) comment: Option<(SampledRow<'a>, bool)>,
    /// The first line below the first row that begins as a comment does and is a mark alone, or where as many as a third of
    /// the rows begin so.
    pub(super) marked: Option<usize>,
    /// Whether a delimiter ends all rows but the first.
    pub(super) is_open: bool,
    /// Whether the rows are all of the text.
    pub(super) is_whole: bool,
    pub(super) bad_quote: Option<(usize, BadQuote)>,
}

/// The delimiter that cuts the rows best, and the rows; `None` where there are no rows, or no delimiter cuts them.
///
/// What cuts a header with the names of two ends goes before all else. Then one that leaves integers in the first two columns goes before
/// one that does not, one that leaves as many columns in each line before one that does not, and a tab, a comma, a semicolon and a pipe
/// before blanks. Tabs between which all quotes are letters cut the rows where they alone leave as many columns in each line.
pub(super) fn choose(
    text: &[u8],
    start: usize,
    whole: bool,
    asked: Option<Delimiter>,
) -> Option<TableCut<'_>> {
    const CANDIDATES: [Delimiter; 5] = [
        Delimiter::Byte(b'\t'),
        Delimiter::Byte(b','),
        Delimiter::Byte(b';'),
        Delimiter::Byte(b'|'),
        Delimiter::Blanks,
    ];
    if let Some(delimiter) = asked {
        return cut(text, start, whole, delimiter);
    }
    // Blanks stand before a dictionary, as networkx.write_edgelist writes one in each line.
    let has_dictionary = |row: &SampledRow| {
        row.fields.len() == 3 && row.text(2).starts_with(b"{") && row.line.ends_with(b"}")
    };
    let blanks = cut(text, start, whole, Delimiter::Blanks);
    if blanks.as_ref().is_some_and(|cut| cut.rows.iter().all(has_dictionary)) {
        return blanks;
    }
    let cuts = CANDIDATES.into_iter().filter_map(|delimiter| cut(text, start, whole, delimiter));
    let cuts: Vec<TableCut> = cuts.collect();
    // Such a comma stands in a table that another byte cuts.
    let has_commas = cuts.iter().any(TableCut::has_commas);
    let score =
        |cut: &TableCut| (cut.score(!has_commas), cut.is_even_with_header(), !cut.parts_quotes());
    // Tabs that end lines cut nothing.
    let is_tab = |cut: &TableCut| cut.delimiter == Delimiter::Byte(b'\t');
    let trails = |cut: &TableCut| is_tab(cut) && end_rows(&cut.rows);
    let has_tabs = cuts.iter().any(|cut| is_tab(cut) && cut.bad_quote.is_none());
    let cuts = cuts.into_iter().rev().filter(|cut| cut.columns > 1 + usize::from(trails(cut)));
    // Of several that are as good, the first candidate.
    let best = cuts.max_by_key(score);
    if has_tabs || best.as_ref().is_some_and(TableCut::is_even) {
        return best;
    }
    let bare = cut(text, start, whole, Delimiter::BareTabs);
    bare.filter(|cut| cut.columns > 1 && cut.is_even()).or(best)
}

impl TableCut<'_> {
    /// How good the delimiter is: first of all whether the first row has the names of two ends as it cuts it, then whether integers
    /// stand in the first two columns, and then whether this is not a comma that may stand within a column.
    fn score(&self, may_be_comma: bool) -> u8 {
        // A byte is it even where some rows are faults.
        let told = match self.delimiter {
            Delimiter::Blanks => u8::from(self.is_even_with_header() == 2),
            _ => 2 * u8::from(self.rows[0].fields.len() == self.columns),
        };
        let told = if end_names::ends(&self.rows[0].strings()).is_some() { told } else { 0 };
        let is_comma = self.delimiter == Delimiter::Byte(b',');
        let is_likely = u8::from(may_be_comma || !is_comma);
        4 * told + 2 * u8::from(self.starts_with_integers()) + is_likely
    }

    /// Whether commas stand within the columns: of decimal numbers, or between the two names of a person.
    fn has_commas(&self) -> bool {
        let rows = &self.rows[usize::from(self.rows.len() > 1)..];
        let is_decimal = |field: &Field| is_decimal_comma(&field.text);
        let is_person = |field: &Field| memchr::memmem::find(&field.text, b", ").is_some();
        let are_persons = |row: &SampledRow| row.fields[..2].iter().all(is_person);
        self.columns > 1
            && self.is_even()
            && match self.delimiter {
                Delimiter::Byte(b'\t' | b';' | b'|') => {
                    rows.iter().any(|row| row.fields.iter().any(is_decimal))
                        || rows.iter().all(are_persons)
                }
                Delimiter::Blanks => rows.iter().all(|row| row.fields[..2].iter().all(is_decimal)),
                Delimiter::Byte(_) | Delimiter::BareTabs => false,
            }
    }

    /// Whether the first two columns hold integers, a first line left aside. Between bytes some may be missing.
    fn starts_with_integers(&self) -> bool {
        let rows = if self.rows.len() > 1 { &self.rows[1..] } else { &self.rows };
        let may_lack = matches!(self.delimiter, Delimiter::Byte(_)) && self.is_even();
        [0, 1].iter().all(|&place| {
            let is = |row: &SampledRow| {
                row.is_integer(place) || (may_lack && row.text(place).is_empty())
            };
            rows.iter().all(is) && rows.iter().any(|row| row.is_integer(place))
        })
    }

    /// Whether every row has the same number of columns; a header may have one less, but two at least.
    fn is_even(&self) -> bool {
        let first = self.rows[0].fields.len();
        self.rows[1..].iter().all(|row| row.fields.len() == self.columns)
            && (first == self.columns || (first > 1 && first + 1 == self.columns))
            && self.bad_quote.is_none()
    }

    /// 2 for rows that all have the same number of columns, 1 where a header has one less, which is worse evidence, else 0.
    fn is_even_with_header(&self) -> u8 {
        let is_even = self.is_even();
        u8::from(is_even) + u8::from(is_even && self.rows[0].fields.len() == self.columns)
    }

    /// Whether a field has a quote without another: then rows are likely to be cut within quotes.
    fn parts_quotes(&self) -> bool {
        let mut fields = self.rows.iter().flat_map(|row| &row.fields);
        fields.any(|field| !field.quoted && memchr::memchr_iter(b'"', &field.text).count() % 2 == 1)
    }
}

/// Cuts the rows of the sample; `None` where there are none.
fn cut(text: &[u8], start: usize, whole: bool, delimiter: Delimiter) -> Option<TableCut<'_>> {
    let (mut rows, mut marked, mut at) =
        (Vec::<SampledRow>::new(), Vec::<SampledRow>::new(), start);
    let mut bad_quote = None;
    while at < text.len() && rows.len() < MOST_ROWS && marked.len() < MOST_ROWS {
        let first = skip_blanks(text, at);
        if first >= text.len() {
            break;
        }
        if fields::is_empty_row(text, first, delimiter) {
            at = next_line(text, first);
            continue;
        }
        let line = if delimiter.is_tab() { at } else { first };
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
        let row = SampledRow { at, fields, line: text[at..next].trim_ascii(), next };
        at = next;
        if is_marked { &mut marked } else { &mut rows }.push(row);
    }
    let is_whole = whole && skip_blanks(text, at) >= text.len();
    // Names may begin as comments do, as hashtags do: then several lines do, and no blank is behind the mark.
    let is_tag = |row: &SampledRow| {
        let all = matches!(delimiter, Delimiter::Byte(_))
            || row.fields.iter().all(|field| is_mark(&field.text));
        row.fields.len() > 1 && all && !is_spaced(row.text(0)) && !is_spaced(row.line)
    };
    let body = rows.get(1..).unwrap_or_default();
    let columns = match body {
        [] => most_common(marked.iter().filter(|row| is_tag(row))),
        body => most_common(body.iter()),
    };
    let is_row = |row: &SampledRow| is_tag(row) && row.fields.len() == columns;
    let are_names = body.is_empty() || !body.iter().all(SampledRow::begins_with_integers);
    if are_names && marked.iter().filter(|row| is_row(row)).count() > 1 {
        let (found, others) = marked.into_iter().partition(is_row);
        (rows, marked) = ([found, rows].into_iter().flatten().collect(), others);
        rows.sort_by_key(|row| row.at);
    }
    let first = rows.first()?.at;
    let (mut before, below): (Vec<SampledRow>, Vec<SampledRow>) =
        marked.into_iter().partition(|row| row.at < first);
    let spaced = || below.iter().filter(|row| is_spaced(row.line));
    let many = 1 < spaced().count() && rows.len() < 3 * spaced().count();
    let many = many && delimiter == Delimiter::Blanks && !rows.iter().all(|row| row.is_integer(0));
    // LGL names the first end of the edges that follow so.
    let names_end = |row: &SampledRow| {
        let name = words(row.line).nth(1).filter(|_| words(row.line).count() == 2);
        name.is_some_and(|name| rows.iter().any(|row| row.text(0) == name))
    };
    let are_ends =
        delimiter == Delimiter::Blanks && spaced().filter(|row| names_end(row)).count() > 1;
    let alone = spaced().find(|row| row.line == b"#" || many || are_ends);
    let columns = match &rows[..] {
        // Of two rows the longer one says more.
        [one, other] => one.fields.len().max(other.fields.len()),
        rows => most_common(rows.iter().skip(usize::from(rows.len() > 1))),
    };
    // A delimiter that ends all rows but the first says that this is a header.
    let first = rows[0].fields.len();
    let is_open = first > 1 && first + 1 == columns && end_rows(&rows[1..]);
    if is_open {
        rows[0].fields.push(Field { text: Default::default(), quoted: false });
    }
    let comment = before.pop().and_then(|row| {
        // Comments that were made comments once more have several marks.
        let marks: &[u8] = if delimiter == Delimiter::Blanks { b"#%/ \t" } else { b"#%/ " };
        let from = row.at + text[row.at..].iter().take_while(|byte| marks.contains(byte)).count();
        let (fields, _) = fields::split(text, from, delimiter, false).ok()?;
        Some((SampledRow { fields, ..row }, !is_spaced(row.line)))
    });
    let marked = alone.map(|row| row.at);
    Some(TableCut { delimiter, rows, columns, comment, marked, is_open, is_whole, bad_quote })
}

/// Whether nothing stands behind the last delimiter of each row.
fn end_rows(rows: &[SampledRow]) -> bool {
    let is_empty = |field: &Field| field.text.is_empty() && !field.quoted;
    rows.iter().all(|row| row.fields.last().is_some_and(is_empty))
}

/// The number of columns that most rows have; of two that are as common, that of the first row.
fn most_common<'a>(rows: impl Iterator<Item = &'a SampledRow<'a>>) -> usize {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for row in rows {
        let length = row.fields.len();
        match counts.iter_mut().find(|(other, _)| *other == length) {
            Some((_, count)) => *count += 1,
            None => counts.push((length, 1)),
        }
    }
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(0, |(length, _)| *length)
}

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
    first_line(text, 0, |rest| is_mark(rest) && is_spaced(rest))
}

/// Where the first line begins that is neither blank nor a comment of integers.
pub(super) fn plain_start(text: &[u8], at: usize) -> usize {
    first_line(text, at, |rest| is_mark(&rest[skip_blanks(rest, 0)..]))
}

/// Where the first line begins that is not blank, and no comment.
fn first_line(text: &[u8], at: usize, is_comment: impl Fn(&[u8]) -> bool) -> usize {
    let is_row = |&(at, line): &(usize, &[u8])| !line.is_empty() && !is_comment(&text[at..]);
    lines_from(text, at).find(is_row).map_or(text.len(), |(at, _)| at)
}
