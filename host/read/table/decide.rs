//! How a text table is read, decided from its beginning by four rules: [`decide`] is a function of bytes and options alone.
//!
//! 1. The delimiter is a tab, a comma, a semicolon, a pipe or blanks: what cuts the lines best ([`super::cut::choose`]).
//! 2. The first line names the columns if it has no number where all others have one, or has the names of the two ends of an
//!    edge ([`header::find`]).
//! 3. The ends are the columns with these names, else the first two ([`columns::choose`]).
//! 4. Ids are integers if those of the beginning are, else names ([`id_kind`]).
//!
//! A text that is no table of edges is refused ([`shape::check`]).

use std::collections::HashSet;

use super::super::id_kind::IdKind;
use super::super::input::{
    Fault, ends_line, excerpt, is_blank, lines, lines_from, next_line, skip_blanks, text_start,
    words,
};
use super::super::weights::{self, is_decimal_comma};
use super::super::{Format, Options, columns, end_names};
use super::cut::{self, SampledRow, TableCut, plain_start};
use super::dropped::DroppedLines;
use super::fields::{Delimiter, Field};
use super::id::IdNotation;
use super::{HEAD, encoding, header, id, is_missing, shape};
use crate::graph::Reading;
use crate::{Message, hint};

/// The kind of the ids, as was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// Numbers. Unless `padded`, one with leading zeros is a fault: it may be a name.
    Integers { padded: bool },
    /// Any text. Where `strict`, words for missing values are faults.
    Names { strict: bool },
}

impl Default for Ids {
    fn default() -> Ids {
        Ids::Integers { padded: true }
    }
}

/// A column of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WeightColumn {
    pub(super) place: usize,
    /// Whether some of the numbers have a decimal comma.
    pub(super) has_comma: bool,
}

impl WeightColumn {
    /// The number in this column of a row, if it has the column.
    pub(super) fn number(self, field: Option<&Field>) -> Result<f64, Message> {
        let missing = || format!("there is no weight in column {}", self.place + 1);
        let text = &field.ok_or_else(missing)?.text;
        if self.has_comma { weights::number_with_comma(text) } else { weights::number(text) }
    }
}

/// The decision on how a text table is read.
#[derive(Debug, Default)]
pub(super) struct TableDecision {
    /// Where the first line of data begins.
    pub(super) start: usize,
    pub(super) delimiter: Delimiter,
    /// The places of the two columns.
    pub(super) places: [usize; 2],
    /// The number of columns that each line must have; `None` where lines may differ.
    pub(super) columns: Option<usize>,
    pub(super) ids: Ids,
    /// Whether what stands behind the two ends is not looked at, quotes among it.
    pub(super) is_forced: bool,
    /// The column with the weights.
    pub(super) weight: Option<WeightColumn>,
    /// Whether a row of which an end is missing is left out.
    pub(super) skip_missing: bool,
    /// The names of two kinds of vertices, where equal ids of the two columns are different ones.
    pub(super) kinds: Option<[String; 2]>,
    /// The decisions, to be reported.
    pub(super) reading: Reading,
    /// The lines that were left out meanwhile.
    pub(super) dropped: DroppedLines,
}

impl TableDecision {
    pub(super) fn has_names(&self) -> bool {
        matches!(self.ids, Ids::Names { .. })
    }

    /// How the table was read, with what was left out of it.
    pub(super) fn told(&self) -> Reading {
        let mut reading = self.reading.clone();
        reading.warnings.extend(self.dropped.warnings());
        reading
    }
}

/// Where the first line begins behind some that are left out.
pub(super) fn behind_lines(text: &[u8], lines: u64) -> usize {
    let lines = usize::try_from(lines).unwrap_or(usize::MAX);
    lines_from(text, text_start(text)).nth(lines).map_or(text.len(), |(at, _)| at)
}

/// The delimiter that the first line names as Excel does: `sep=;`.
fn excel_delimiter(text: &[u8]) -> Option<u8> {
    let is_named = text.get(..4)?.eq_ignore_ascii_case(b"sep=");
    let byte = *text.get(4)?;
    (is_named && text.get(5).is_none_or(|&b| ends_line(b))).then_some(byte)
}

/// The beginning of a text.
#[derive(Clone, Copy)]
pub(super) struct TextHead<'a> {
    pub(super) text: &'a [u8],
    /// Whether it is all of the text.
    pub(super) is_whole: bool,
    /// About how many lines the whole text has.
    pub(super) lines: u64,
}

/// Decides how the text of this name is read that begins so.
///
/// # Errors
/// For what cannot be read, or could be read in several ways.
pub(super) fn decide(
    name: &str,
    beginning: TextHead,
    options: &Options,
) -> Result<TableDecision, Fault> {
    let TextHead { text: head, is_whole: whole, .. } = beginning;
    let names = options.ids == IdKind::Names;
    if let Some((at, message)) = encoding::check(head, options.delimiter.as_deref(), names) {
        return Err(Fault::Line(at, message));
    }
    let mut start = behind_lines(head, options.skip);
    // The last line may have no end. A part that has its header alone may be left out whole.
    let lines = lines(head) + usize::from(head.last().is_some_and(|&byte| !ends_line(byte)));
    if options.skip > lines as u64 {
        let message = format!("nothing is left behind the first {} lines", options.skip);
        return Err(Fault::line(
            start,
            Message::from(message).with_hint(" (`--skip N` leaves out the first N lines)"),
        ));
    }
    let mut asked = options.delimiter.as_deref().map(Delimiter::of);
    if let Some(byte) = excel_delimiter(&head[start..]) {
        asked = asked.or(Some(Delimiter::Byte(byte)));
        start = next_line(head, start + 5);
    }
    match cut::choose(head, start, whole, asked) {
        Some(cut) => of_rows(name, options, beginning, start, &cut),
        None => nothing(name, head, start, asked, options),
    }
}

/// The decision on a text in which nothing can be cut: comments alone are a graph without edges. Where the format is said, a line is an
/// edge whatever stands behind its ends, a quote too that nothing closes.
fn nothing(
    name: &str,
    head: &[u8],
    start: usize,
    asked: Option<Delimiter>,
    options: &Options,
) -> Result<TableDecision, Fault> {
    let is_tag = cut::long_comments(&head[start..]) < head.len() - start;
    let start = plain_start(head, start);
    let at = skip_blanks(head, start);
    let shown = head[at..next_line(head, at)].trim_ascii();
    let lines_are_edges = options.format == Some(Format::EdgeList)
        && options.columns.is_none()
        && options.ids != IdKind::Names
        && !options.bipartite
        && !options.skip_missing;
    if shown.is_empty() || lines_are_edges && shown.contains(&b'"') {
        let delimiter = asked.unwrap_or_default();
        let weight = weight_column(options, (None, None), &[]);
        return Ok(TableDecision {
            start,
            delimiter,
            is_forced: true,
            weight: weight.map_err(|message| Fault::Line(start, message))?,
            reading: Reading {
                table: delimiter.table(&named(delimiter, options)),
                columns: Some(["1", "2"].map(String::from)),
                ids: "integers",
                warnings: (is_tag && shown.is_empty()).then(|| TAGS.into()).into_iter().collect(),
                ..Reading::default()
            },
            places: [0, 1],
            ..TableDecision::default()
        });
    }
    if shape::has_brackets(shown) {
        return Err(Fault::line(at, shape::BRACKETS));
    }
    if shown.windows(2).any(|bytes| bytes == br#"\""#) {
        return Err(Fault::line(at, ESCAPED));
    }
    let message = match end_names::end_folder(name) {
        Some(folder) => columns::in_folder(folder),
        None => {
            let message = format!(
                "only one column, {}: each line needs the two ends of an edge",
                excerpt(shown)
            );
            // Lines that blanks cut, some into more words than others, may be lists of neighbours.
            let mut lines = head[start..].split(|&byte| ends_line(byte));
            let are_lists = lines.any(|line| words(line).count() > 1);
            Message::from(message).with_hint(if are_lists {
                hint::NO_TABLE
            } else {
                hint::DELIMITER
            })
        }
    };
    Err(Fault::Line(at, message))
}

const ESCAPED: &str = "a backslash stands before a quote: write a quote within quotes twice, as Spark does with \
                       `option(\"escape\", \"\\\"\")`";

const TAGS: &str =
    "there are no edges: each line begins as a comment does, some without a blank behind the mark";

/// The word for a delimiter: that of the caller, else the character.
fn named(delimiter: Delimiter, options: &Options) -> String {
    options.delimiter.clone().unwrap_or_else(|| delimiter.char().into())
}

/// Decides by the rows of a beginning.
fn of_rows(
    name: &str,
    options: &Options,
    TextHead { text: head, is_whole: whole, lines }: TextHead,
    start: usize,
    cut: &TableCut,
) -> Result<TableDecision, Fault> {
    let forced = options.format == Some(Format::EdgeList);
    let is_free = forced || options.columns.is_some();
    let first = &cut.rows[0];
    let problem = |message: Message| Fault::Line(first.at, message);
    // Each line is an edge then, whatever follows its first two columns.
    let is_edge = forced && (first.begins_with_integers() || options.ids == IdKind::Integers);
    if let Some((at, bad)) = cut.bad_quote.filter(|_| !is_edge) {
        return Err(Fault::Line(at, bad.message()));
    }
    // The table goes on behind what is looked at, and its first line as well.
    if !whole && first.next >= head.len() && cut.columns > 2 && !shape::are_numbers(first) {
        let message = format!("the first line is longer than the {HEAD} bytes that are looked at");
        return Err(problem(Message::from(message).with_hint(hint::NO_TABLE)));
    }
    let found = header::find(cut, options).map_err(problem)?;
    let has_header = found.as_ref().is_some_and(|header| header.is_row);
    let rows = &cut.rows[usize::from(has_header)..];
    let mut warnings = Vec::new();
    let names = found.map(|header| header.names);
    let columns = if is_edge { cut.columns.max(2) } else { cut.columns };
    if !is_free {
        if !options.bipartite {
            shape::check_kind(head, start)?;
        }
        shape::check(cut, lines, (rows, columns), names.as_deref())?;
    }
    let sample = sample(rows, columns);
    if let (Some(names), None) = (&names, &options.columns)
        && let Some(message) = header::own_table(names, &sample)
    {
        return Err(problem(message));
    }
    let weight = weight_column(options, (names.as_deref(), Some(columns)), rows);
    let weight = weight.map_err(problem)?;
    let table = columns::TableColumns {
        columns,
        header: names.as_deref(),
        // Each line is an edge, whatever stands in it, where the format is said.
        sample: if forced { &[] } else { &sample },
        is_whole: cut.is_whole && rows.len() <= VALUES,
        folder: end_names::end_folder(name).filter(|_| !is_edge),
        no_ids: &[],
        weight: weight.map(|weight| weight.place),
        bipartite: options.bipartite,
        is_text: true,
    };
    let chosen = columns::choose(options.columns.as_ref(), table).map_err(problem)?;
    let places = chosen.places;
    let mut reasons = vec![];
    if let Some(WeightColumn { place, .. }) = weight {
        let called = names.as_ref().map_or((place + 1).to_string(), |names| names[place].clone());
        reasons.push(format!("The weights are in column {called}."));
    }
    reasons
        .push(format!("Columns {} and {}: {}.", chosen.names[0], chosen.names[1], chosen.reason));
    warnings.extend(chosen.warning);
    let ids = match options.bipartite {
        true => Ids::Names { strict: true },
        false if is_edge && places == [0, 1] && options.ids == IdKind::Auto => Ids::default(),
        false => id_kind(head, rows, places, options, &mut warnings),
    };
    let is_names = matches!(ids, Ids::Names { .. });
    let is_ragged = is_free || shape::is_ragged(cut, rows, is_names, &mut warnings)?;
    warnings.extend(lists_in_fields(rows, places).filter(|_| !is_edge));
    warnings.extend(unseen(rows, places).filter(|_| is_names));
    if is_names && !has_header && options.header.is_none() {
        warnings.extend(header::doubtful(rows, places));
    }
    let delimiter = named(cut.delimiter, options);
    let last = places[0].max(places[1]);
    let first_edge = rows.iter().find(|row| row.fields.len() > last);
    let shown = |row: &SampledRow| places.map(|place| row.string(place));
    Ok(TableDecision {
        start: if has_header { first.next } else { first.at },
        delimiter: cut.delimiter,
        places,
        columns: (!is_ragged).then_some(columns),
        ids,
        is_forced: forced && !is_names,
        weight,
        skip_missing: options.skip_missing,
        kinds: options.bipartite.then(|| chosen.names.clone()),
        reading: Reading {
            table: cut.delimiter.table(&delimiter),
            header: names.is_some(),
            delimiter: Some(delimiter),
            columns: Some(chosen.names),
            of_columns: (names.is_none() && columns > 2).then_some(columns),
            ids: if is_names { "names" } else { "integers" },
            first_edge: first_edge.map(shown),
            reasons,
            warnings,
        },
        dropped: DroppedLines::default(),
    })
}

/// Values of each column that are compared.
const VALUES: usize = 1024;

/// The first values of each column.
fn sample(rows: &[SampledRow], columns: usize) -> Vec<Vec<String>> {
    let rows = || rows.iter().take(VALUES).filter(|row| row.fields.len() == columns);
    let value = |row: &SampledRow, place: usize| match row.look(place) {
        IdNotation::Whole(id) => id.to_string(),
        _ => row.string(place),
    };
    (0..columns).map(|place| rows().map(|row| value(row, place)).collect()).collect()
}

/// What the ids of the chosen columns are: integers if those that are looked at are, else names. One id among many that is no integer,
/// or one line of them, is a fault of its line.
fn id_kind(
    text: &[u8],
    rows: &[SampledRow],
    places: [usize; 2],
    options: &Options,
    warnings: &mut Vec<String>,
) -> Ids {
    /// The least share of words that makes names of all ids: one word of this many.
    const LEAST: usize = 20;
    match options.ids {
        IdKind::Integers => return Ids::default(),
        IdKind::Names => return Ids::Names { strict: false },
        IdKind::Auto => {}
    }
    let last = places[0].max(places[1]);
    let looks: Vec<(&SampledRow, &[u8], IdNotation)> = rows
        .iter()
        .filter(|row| row.fields.len() > last)
        .flat_map(|row| places.map(|place| (row, row.text(place), row.look(place))))
        .filter(|(.., look)| *look != IdNotation::Missing)
        .collect();
    let is_whole =
        |(.., look): &(&SampledRow, &[u8], IdNotation)| matches!(look, IdNotation::Whole(_));
    let is_word = |(.., look): &&(&SampledRow, &[u8], IdNotation)| {
        !matches!(look, IdNotation::Integer(_) | IdNotation::Whole(_))
    };
    let words: Vec<&(&SampledRow, &[u8], IdNotation)> = looks.iter().filter(is_word).collect();
    let Some(&&(row, shown, found)) = words.first() else { return Ids::Integers { padded: false } };
    let is_padded = matches!(found, IdNotation::Padded(_));
    // Signs, fractions and exponents among integers are numbers that are no ids.
    let is_odd_number = |(_, text, look): &&(&SampledRow, &[u8], IdNotation)| {
        let is_sign = |byte: &u8| byte.is_ascii_punctuation() || byte.is_ascii_whitespace();
        let bare = text.iter().copied().filter(|byte| !is_sign(byte));
        *look == IdNotation::TooLarge
            || is_number(text)
            || matches!(id::look(&bare.collect::<Vec<u8>>()), IdNotation::Integer(_))
    };
    // A line that comes again among integers, with the names of two ends, is the header of a part.
    let has_ends =
        |row: &SampledRow| end_names::ends(&places.map(|place| row.string(place))).is_some();
    let are_headers = words.len() < looks.len() && words.iter().all(|(row, ..)| has_ends(row));
    let are_few =
        words.iter().all(|(other, ..)| other.at == row.at) || LEAST * words.len() < looks.len();
    let are_most_integers = 2 * words.len() <= looks.len();
    let is_fault = are_few || words.iter().any(is_odd_number);
    // Several integers in each end: the reader of integers has the words for it. Telephone numbers are names. They have signs, or the user
    // names the delimiter.
    let is_several = |text: &[u8]| {
        text.iter().any(|&byte| is_blank(byte))
            && text.iter().all(|&byte| byte.is_ascii_digit() || is_blank(byte))
    };
    let are_several =
        options.delimiter.is_none() && words.iter().all(|(_, text, _)| is_several(text));
    let are_faults = are_headers || are_several || (are_most_integers && !is_padded && is_fault);
    if looks.iter().any(is_whole) || are_faults {
        return Ids::Integers { padded: false };
    }
    if are_most_integers || is_padded {
        let (shown, line) = (excerpt(shown), 1 + lines(&text[..row.at]));
        let why = match is_padded {
            true => "has a leading zero, which an integer would lose",
            false => "is no integer",
        };
        warnings.push(format!(
            "ids are names, although most are integers: {shown} on line {line} {why}"
        ));
    }
    Ids::Names { strict: true }
}

/// Whether a text is a number, perhaps with a decimal comma, or says that one is missing.
pub(super) fn is_number(text: &[u8]) -> bool {
    let is_float = || str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok());
    is_missing(text) || is_float() || is_decimal_comma(text)
}

/// A warning of ends that are lists: `b@x.org, c@x.org`, `[2, 3]`, and `B,C` where `B` and `C` stand in the first column.
fn lists_in_fields(rows: &[SampledRow], places: [usize; 2]) -> Option<String> {
    let firsts: HashSet<&[u8]> = rows.iter().map(|row| row.text(places[0])).collect();
    let is_list = |text: &[u8]| match text {
        [b'[', inner @ .., b']'] => inner.contains(&b','),
        text => {
            let parts = || text.split(|byte| b",;|".contains(byte)).map(<[u8]>::trim_ascii);
            let blank_apart = || text.split(|&byte| byte == b' ');
            parts().filter(|part| part.contains(&b'@')).count() > 1
                || (parts().count() > 1 && parts().all(|part| firsts.contains(part)))
                || (blank_apart().count() > 1 && blank_apart().all(|part| firsts.contains(part)))
        }
    };
    let mut ends = rows.iter().flat_map(|row| places.map(|place| row.text(place)));
    let found = ends.find(|text| is_list(text))?;
    Some(format!(
        "{} looks like a list of vertices, and was read as the name of one: write a line for each edge",
        excerpt(found)
    ))
}

/// A warning of a name that begins or ends with a character that is not seen: without it the name is another vertex.
fn unseen(rows: &[SampledRow], places: [usize; 2]) -> Option<String> {
    const UNSEEN: &str = "\u{200b}\u{200e}\u{200f}\u{2060}\u{feff}";
    let is_unseen = |c: char| !c.is_ascii() && (c.is_whitespace() || UNSEEN.contains(c));
    let mut ends = rows.iter().flat_map(|row| places.map(|place| row.string(place)));
    let found = ends.find(|end| end.starts_with(is_unseen) || end.ends_with(is_unseen))?;
    Some(format!(
        "{} begins or ends with a character that is not seen, and is another vertex than without it",
        excerpt(found.as_bytes())
    ))
}

/// The column with the weights that are asked for, in a table with these `names` if it has some, and with that many `columns` if
/// their number is known. These are the first `rows`.
fn weight_column(
    options: &Options,
    (names, columns): (Option<&[String]>, Option<usize>),
    rows: &[SampledRow],
) -> Result<Option<WeightColumn>, Message> {
    let Some(asked) = &options.weight else { return Ok(None) };
    let place = match names {
        Some(names) => weights::place(asked, names)?,
        None if asked == "weight" && columns.is_none_or(|all| all == 3) => 2,
        None => columns::find(asked, &[], columns.unwrap_or(usize::MAX)).map_err(|why| {
            let most = columns.map_or_else(String::new, |columns| format!(" to {columns}"));
            format!("{why} of weights: the columns have no names, give a number from 1{most}")
        })?,
    };
    let has_comma = rows.iter().any(|row| weights::is_surely_decimal_comma(row.text(place)));
    Ok(Some(WeightColumn { place, has_comma }))
}
