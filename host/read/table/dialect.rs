//! How a text table is read, decided from its beginning: [`decide`] is a function of bytes and options alone.

use super::super::adjacency::multiline;
use super::super::edge_list::is_pair;
use super::super::id_kind::IdKind;
use super::super::input::{
    ends_line, excerpt, is_blank, lines, next_line, skip_blanks, text_start,
};
use super::super::{Format, Options, columns, weights};
use super::comments::{names_start, plain_start};
use super::cut::{Cut, Row, choose_cut};
use super::ends::{are_integers, check_columns, choose_columns, sample, uneven};
use super::fields::{Delimiter, Field};
use super::id::{Look, look};
use super::id_choice::choose_ids;
use super::shape::{self, Lines};
use super::{HEAD, dictionary, encoding, header};
use crate::graph::Reading;
use crate::{Hint, Message};

/// What ids are, as was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// Numbers. Unless `padded`, one with leading zeros is a fault: it may be a name.
    Integers { padded: bool },
    /// Any text. Where `strict`, words for missing values are faults.
    Names { strict: bool },
}

/// A long line with more columns names them. With fewer it may be an edge that has long names.
const MANY_COLUMNS: usize = 64;

/// A column of weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WeightColumn {
    pub(super) place: usize,
    pub(super) form: WeightForm,
}

/// What a column of weights holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WeightForm {
    /// Numbers, if with decimals behind a point.
    Point,
    /// Numbers, some of them with a decimal comma.
    Comma,
    /// Dictionaries, as NetworkX writes them, in which weights have this name.
    Dictionary(String),
}

impl WeightColumn {
    /// The column at a place, of which these are the first rows.
    fn new(place: usize, rows: &[Row], asked: &str) -> WeightColumn {
        let has_comma = |row: &Row| weights::is_surely_decimal_comma(row.text(place));
        let form = if dictionary::has_dictionaries(rows, place) {
            WeightForm::Dictionary(asked.to_owned())
        } else if rows.iter().any(has_comma) {
            WeightForm::Comma
        } else {
            WeightForm::Point
        };
        WeightColumn { place, form }
    }
}

/// How a text table is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Where the first line of data begins.
    pub(super) start: usize,
    pub(super) delimiter: Delimiter,
    /// Whether nothing else stands between columns: the caller says so, or the first line names them.
    pub(super) is_told: bool,
    /// The places of the two columns.
    pub(super) places: [usize; 2],
    /// The number of columns that each line must have; `None` where lines may differ.
    pub(super) columns: Option<usize>,
    pub(super) ids: Ids,
    /// Whether fields may stand between quotes, and integers may have a fraction of zeros.
    pub(super) dressed: bool,
    /// Whether any field stands between quotes.
    pub(super) quotes: bool,
    /// The number of columns that most lines have: a line of names that begins as comments do has as many.
    pub(super) width: usize,
    /// The column with the weights.
    pub(super) weight: Option<WeightColumn>,
    /// What to report; `None` for a plain list of integers.
    pub(super) reading: Option<Reading>,
}

impl Decision {
    /// The reader of plain lists: two integers, then anything.
    fn plain(start: usize) -> Decision {
        Decision {
            start,
            delimiter: Delimiter::BlanksOrComma,
            is_told: false,
            places: [0, 1],
            columns: None,
            ids: Ids::Integers { padded: true },
            dressed: false,
            quotes: false,
            width: 2,
            weight: None,
            reading: None,
        }
    }

    /// The names of the two columns, where the first line has them.
    pub(super) fn header(&self) -> Option<&[String; 2]> {
        self.reading.as_ref().filter(|reading| reading.header)?.columns.as_ref()
    }

    /// The decision with the weights that are asked for: in a text without names, in the column with a number, as the `cut`
    /// has it.
    fn with_weight(self, options: &Options, cut: Option<&Cut>) -> Result<Decision, Problem> {
        let at = self.start;
        let rows: &[Row] = cut.map_or(&[], |cut| &cut.rows);
        let weight = weight_column(options, (None, None), self.places, rows)
            .map_err(|message| Problem { at, message })?;
        if weight.is_none() {
            return Ok(self);
        }
        let delimiter = cut.map_or(self.delimiter, |cut| cut.delimiter);
        Ok(Decision { weight, delimiter, ..self })
    }

    pub(crate) fn columns(&self) -> Option<usize> {
        self.columns
    }

    pub(crate) fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// The byte that stands between columns, where it is known that nothing else does.
    pub(crate) fn known_delimiter(&self) -> Option<u8> {
        match self.delimiter {
            Delimiter::Byte(byte) if self.is_told => Some(byte),
            _ => None,
        }
    }

    pub(crate) fn ids(&self) -> Ids {
        self.ids
    }

    /// Whether the fastest reader reads it: integers in the first two columns.
    pub(super) fn is_plain(&self) -> bool {
        let simple = match self.delimiter {
            Delimiter::Byte(b',' | b'\t') | Delimiter::Blanks | Delimiter::BlanksOrComma => true,
            Delimiter::Byte(_) | Delimiter::OneBlank => false,
        };
        simple
            && self.places == [0, 1]
            && !self.dressed
            && !self.quotes
            && matches!(self.ids, Ids::Integers { .. })
    }
}

/// What is wrong, and at which byte.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) at: usize,
    pub(super) message: Message,
}

/// Where the first line begins behind some that are left out.
pub(super) fn behind_lines(text: &[u8], lines: u64) -> usize {
    let mut at = text_start(text);
    for _ in 0..lines {
        if at >= text.len() {
            break;
        }
        at = next_line(text, at);
    }
    at
}

/// The delimiter that the first line names as Excel does: `sep=;`.
fn excel_delimiter(text: &[u8]) -> Option<u8> {
    let is_named = text.get(..4)?.eq_ignore_ascii_case(b"sep=");
    let byte = *text.get(4)?;
    (is_named && text.get(5).is_none_or(|&b| ends_line(b))).then_some(byte)
}

/// Refuses what looks like a text of another format than a table. The text begins at `start`, and behind comments at `body`.
fn other_format(
    head: &[u8],
    (start, body): (usize, usize),
    whole: bool,
    cut: Option<&Cut>,
    options: &Options,
) -> Result<(), Problem> {
    let text = &head[start..];
    if options.columns.is_none() && options.header != Some(true) {
        let at = cut.and_then(|cut| cut.rows.first()).map_or(start, |row| row.at);
        if let Some(message) = Lines::of(head, at, whole).and_then(|lines| lines.told()) {
            return Err(Problem { at, message });
        }
    }
    if options.columns.is_none()
        && let Some(message) = shape::bipartite(text)
    {
        return Err(Problem { at: start, message });
    }
    if multiline::is_multiline(text) {
        let message = Message::from(
            "this looks like a multi-line adjacency list: a vertex and the number of its neighbours on a line, and as \
             many lines of neighbours and attributes below it",
        );
        return Err(Problem {
            at: body,
            message: message.with_hint(Hint::Format(Format::Adjacency)),
        });
    }
    if shape::is_lgl(text) {
        let message = "this looks like LGL, the format of Large Graph Layout: a vertex behind each `#`, and its \
                       neighbours on the lines below it; write a list of edges, for example with igraph's \
                       write_ncol";
        return Err(Problem { at: start, message: message.into() });
    }
    if let Some(at) = shape::trivial_graph_format(text) {
        let message = "this looks like the Trivial Graph Format, its vertices before a line `#` and its edges \
                       behind it: leave the lines up to that one out";
        let message = Message::from(message).with_hint(Hint::SkipLines);
        return Err(Problem { at: start + at, message });
    }
    Ok(())
}

/// Whether the first line goes on behind the head, and is no edge: it names the columns, or has many.
fn is_cut_off_names(head: &[u8], cut: &Cut, has_header: bool, options: &Options) -> bool {
    let first = &cut.rows[0];
    first.next >= head.len()
        && !head.last().is_some_and(|&byte| ends_line(byte))
        && !is_pair(head, first.at)
        && (has_header || (options.header.is_none() && cut.columns > MANY_COLUMNS))
        && shape::numbers(&cut.rows, false).is_none()
}

/// Whether an end of an edge stands between quotes or has a fraction of zeros, or what is before it stands between quotes.
fn is_dressed(row: &Row, places: [usize; 2]) -> bool {
    let is_quoted = |field: Option<&Field>| field.is_some_and(|field| field.quoted);
    let of_ends = places.iter().any(|&place| {
        is_quoted(row.fields.get(place)) || matches!(row.look(place), Look::Whole(_))
    });
    of_ends || row.fields.iter().take(places[0].max(places[1])).any(|field| field.quoted)
}

/// Decides how the text of this name is read that begins with `head`, which is all of it where `whole` is set.
///
/// # Errors
/// For what cannot be read, or could be read in several ways.
pub(super) fn decide(
    name: &str,
    head: &[u8],
    whole: bool,
    options: &Options,
) -> Result<Decision, Problem> {
    if let Some((at, message)) =
        encoding::check(head, options.delimiter, options.ids == IdKind::Names)
    {
        return Err(Problem { at, message });
    }
    let mut start = behind_lines(head, options.skip);
    // The last line may have no end. A part that has its header alone may be left out whole.
    let lines = lines(head) + usize::from(head.last().is_some_and(|&byte| !ends_line(byte)));
    if options.skip > lines as u64 {
        let message = format!("nothing is left behind the first {} lines", options.skip);
        let message = Message::from(message).with_hint(Hint::SkipLines);
        return Err(Problem { at: start, message });
    }
    let mut asked = options.delimiter.map(|c| match c {
        ' ' => Delimiter::Blanks,
        // It was checked that it is ASCII.
        c => Delimiter::Byte(c as u8),
    });
    let mut reasons = Vec::new();
    if let Some(byte) = excel_delimiter(&head[start..]) {
        asked = asked.or(Some(Delimiter::Byte(byte)));
        start = next_line(head, start + 5);
        reasons.push(format!(
            "The first line says that `{}` stands between columns.",
            char::from(byte)
        ));
    }
    let mut between = asked;
    if asked.is_none() {
        match dictionary::look(head, start, whole) {
            dictionary::Lines::OneBlank => between = Some(Delimiter::OneBlank),
            dictionary::Lines::MoreBlanks { at, end } => {
                return Err(Problem { at, message: dictionary::blanks_in_names(&head[at..end]) });
            }
            dictionary::Lines::Others => {}
        }
    }
    let forced = options.format == Some(Format::EdgeList);
    let body = plain_start(head, start);
    let left_open = asked.is_none()
        && options.columns.is_none()
        && options.header != Some(true)
        && options.ids != IdKind::Names;
    let plain = options.header == Some(false) || body >= head.len() || is_pair(head, body);
    if forced && left_open && plain {
        // Each line is an edge, whatever follows its first two columns.
        let cut = options.weight.as_ref().and_then(|_| choose_cut(head, body, whole, None));
        return Decision { start: body, ..Decision::plain(start) }
            .with_weight(options, cut.as_ref());
    }
    let cut = choose_cut(head, start, whole, between);
    let asked_for = asked.is_some()
        || options.columns.is_some()
        || options.header.is_some()
        || options.ids != IdKind::Auto;
    if !forced {
        other_format(head, (start, body), whole, cut.as_ref(), options)?;
    }
    let Some(cut) = cut else {
        if let Some(problem) = uncut(head, start) {
            let folders = columns::ends_folders(name);
            return Err(match folders.first() {
                Some(folder) => Problem { message: columns::both_columns(folder), ..problem },
                None => problem,
            });
        }
        return Decision { start: plain_start(head, start), ..Decision::plain(start) }
            .with_weight(options, None);
    };
    if forced && cut.bad_quote.is_some() && options.ids != IdKind::Names {
        // Quotes behind the two ids are nothing, where each line is an edge whatever follows.
        return Decision { start: plain_start(head, start), ..Decision::plain(start) }
            .with_weight(options, None);
    }
    if let Some((at, bad)) = cut.bad_quote {
        return Err(Problem { at, message: header::quote(bad) });
    }
    let comment =
        header::of_comment(head, start, cut.rows.first().map(|row| row.at), cut.delimiter);
    let first = &cut.rows[0];
    if let Some(row) =
        cut.rows.iter().take(2).find(|row| shape::has_tuples(&head[row.at..row.next]))
    {
        return Err(Problem { at: row.at, message: shape::TUPLES.into() });
    }
    // The first line may open what all edges stand in, or name the columns.
    let decorated = |row: &Row| Some((row.at, shape::decorated(&head[row.at..row.next])?));
    if let Some((at, what)) = cut.rows.iter().take(2).find_map(decorated) {
        let message = format!(
            "this looks like {what}: take them away, one edge a line and its ends side by side"
        );
        return Err(Problem { at, message: message.into() });
    }
    let found = header::find(&texts(first), &cut_view(&cut), cut.columns, options)
        .map_err(|message| Problem { at: first.at, message })?;
    let has_header = found.is_header;
    if !forced
        && options.columns.is_none()
        && !has_header
        && !is_list_of_integers(&cut)
        && let Some(message) = shape::lists_of_names(&cut.rows, whole && cut.is_whole)
    {
        return Err(Problem { at: first.at, message });
    }
    if !whole && is_cut_off_names(head, &cut, has_header, options) {
        let message = format!(
            "the first line is longer than the {HEAD} bytes that are looked at: if it names the columns, leave it out \
             and name two of them by number, for example `1` and `2`"
        );
        return Err(Problem {
            at: first.at,
            message: Message::from(message).with_hint(Hint::SkipLines),
        });
    }
    let rows = &cut.rows[usize::from(has_header)..];
    let mut columns = cut.columns;
    let mut names: Option<Vec<String>> = None;
    if has_header {
        reasons.push(found.reason);
        let mut header = texts(first);
        // R writes no name for the names of the rows.
        if header.len() + 1 == columns {
            header.insert(0, String::new());
        }
        if rows.is_empty() {
            columns = header.len();
        }
        if header.len() != columns {
            if options.columns.is_none() && !forced {
                let message = uneven(head, first.at, header.len(), columns, cut.delimiter);
                return Err(Problem { at: first.at, message });
            }
            columns = columns.max(header.len());
            header.resize(columns, String::new());
        }
        names = Some(header);
    } else if let Some(comment) = comment.as_ref().filter(|found| found.names.len() == columns) {
        reasons.push("A comment names the columns.".into());
        names = Some(comment.names.clone());
    }
    if let (Some(names), None) = (&names, &options.columns)
        && let Some(message) = header::own_table(names, &sample(rows, columns))
    {
        return Err(Problem { at: first.at, message });
    }
    if !forced
        && options.columns.is_none()
        && let Some(message) = shape::numbers(&cut.rows, whole && cut.is_whole)
    {
        return Err(Problem { at: first.at, message });
    }
    let columns_sample = sample(rows, columns);
    let chosen =
        choose_columns((name, options), names.as_deref(), has_header, columns, &columns_sample)
            .map_err(|message| Problem { at: first.at, message })?;
    let weight = weight_column(options, (names.as_deref(), Some(columns)), chosen.places, rows)
        .map_err(|message| Problem { at: first.at, message })?;
    if let Some(&WeightColumn { place, .. }) = weight.as_ref() {
        let called = names.as_ref().map_or((place + 1).to_string(), |names| names[place].clone());
        reasons.push(format!("The weights are in column {called}."));
    }
    // What was not there is a fault of its line.
    let mut notes: Vec<String> = chosen.note.iter().cloned().collect();
    let ids = choose_ids(head, rows, &chosen, options, &mut reasons, &mut notes)?;
    let is_names = matches!(ids, Ids::Names { .. });
    let mut ragged = options.columns.is_some() || forced;
    if !ragged && check_columns(head, rows, columns, &cut, is_names)? {
        let weights = rows.iter().all(|row| row.fields.len() <= 3);
        notes.push(format!(
            "some lines have more columns than others: the first two of each were read, as of edges of \
             which some have {}; adjacency lists have another format",
            if weights { "a weight" } else { "attributes" }
        ));
        ragged = !weights;
    }
    let mut data = rows.first().map_or(first.next, |row| row.at);
    if is_names && cut.hashed {
        let pairs = || rows.iter().map(|row| chosen.places.map(|place| row.text(place)));
        let from = match &comment {
            _ if has_header => first.next,
            Some(comment) if comment.names_columns(columns, pairs()) => comment.next,
            _ => start,
        };
        data = names_start(head, from, cut.delimiter, columns);
    }
    if !has_header && !is_names {
        data = plain_start(head, start);
    }
    if is_names && !has_header {
        notes.extend(header::doubtful(
            rows.iter().map(|row| chosen.places.map(|p| row.text(p))),
            &head[first.at..first.next],
        ));
    }
    let dressed = rows.iter().any(|row| is_dressed(row, chosen.places));
    let mut decision = Decision {
        start: data,
        delimiter: cut.delimiter,
        is_told: asked.is_some() || has_header,
        places: chosen.places,
        columns: (!ragged).then_some(columns),
        ids,
        dressed: dressed || is_names,
        quotes: !forced && rows.iter().any(|row| row.fields.iter().any(|field| field.quoted)),
        width: columns,
        weight,
        reading: None,
    };
    let more_columns = !has_header && columns > 2;
    let unusual = has_header
        || !decision.is_plain()
        || asked_for
        || !notes.is_empty()
        || options.skip > 0
        || (more_columns && columns_sample[..3].iter().all(|column| are_integers(column)));
    if unusual {
        reasons.push(format!(
            "Columns {} and {}: {}.",
            chosen.names[0], chosen.names[1], chosen.reason
        ));
        decision.reading = Some(Reading {
            table: called(cut.delimiter).into(),
            header: has_header,
            delimiter: Some(cut.delimiter.char()),
            columns: Some(chosen.names),
            of_columns: more_columns.then_some(columns),
            ids: if is_names { "names" } else { "integers" },
            reasons,
            notes,
        });
    }
    Ok(decision)
}

/// The column with the weights that are asked for, in a table with these `names` if it has some, and with that many `columns` if
/// their number is known. These are the first `rows`.
fn weight_column(
    options: &Options,
    (names, columns): (Option<&[String]>, Option<usize>),
    ends: [usize; 2],
    rows: &[Row],
) -> Result<Option<WeightColumn>, Message> {
    let Some(asked) = &options.weight else { return Ok(None) };
    if names.is_none() && ends == [0, 1] && dictionary::has_dictionaries(rows, 2) {
        return Ok(Some(WeightColumn::new(2, rows, asked)));
    }
    let number = || {
        let number = asked.trim().parse::<usize>().ok().filter(|&number| number >= 1)?;
        columns.is_none_or(|columns| number <= columns).then(|| number - 1)
    };
    let third = || {
        let is_third = names.is_none() && asked == "weight" && columns.is_none_or(|all| all == 3);
        is_third.then_some(2)
    };
    let place = names.and_then(|names| weights::named(asked, names)).or_else(number).or_else(third);
    let place = place.ok_or_else(|| match names {
        Some(names) => Message::from(weights::no_column(asked, names)),
        None => Message::from(format!(
            "there is no column `{asked}` of weights: the columns have no names, give a number from 1{}",
            columns.map_or_else(String::new, |columns| format!(" to {columns}"))
        )),
    })?;
    match ends.contains(&place) {
        true => Err(format!("column {} is an end of the edges, and no weight", place + 1).into()),
        false => Ok(Some(WeightColumn::new(place, rows, asked))),
    }
}

/// What is wrong with a first line that is one column, and no integer.
fn uncut(text: &[u8], start: usize) -> Option<Problem> {
    let at = skip_blanks(text, plain_start(text, start));
    let line = &text[at..];
    let line = &line[..line.iter().position(|&b| ends_line(b)).unwrap_or(line.len())];
    let shown = line.trim_ascii();
    let other = !shown.is_empty()
        && matches!(look(shown), Look::Other)
        && !shown.iter().any(|&b| b == b',' || is_blank(b));
    other.then(|| {
        let message = format!("only one column, {}, and an edge has two ends", excerpt(shown));
        Problem { at, message: Message::from(message).with_hint(Hint::Delimiter) }
    })
}

/// What a table is called by its delimiter.
fn called(delimiter: Delimiter) -> &'static str {
    match delimiter {
        Delimiter::Byte(b',') => "CSV",
        Delimiter::Byte(b'\t') => "columns separated by tabs",
        Delimiter::Byte(b';') => "CSV with semicolons",
        Delimiter::Byte(b'|') => "columns separated by pipes",
        Delimiter::Byte(_) => "columns separated by a character",
        Delimiter::Blanks | Delimiter::BlanksOrComma | Delimiter::OneBlank => {
            "columns separated by blanks"
        }
    }
}

/// Whether all that was looked at are integers between the bytes that [`Lines`] knows.
fn is_list_of_integers(cut: &Cut) -> bool {
    let is_known = !matches!(cut.delimiter, Delimiter::Byte(byte) if byte != b',' && byte != b'\t');
    let is_integer = |field: &Field| matches!(look(&field.text), Look::Integer(_));
    is_known && cut.rows.iter().all(|row| row.fields.iter().all(is_integer))
}

fn texts(row: &Row) -> Vec<String> {
    row.fields.iter().map(|field| String::from_utf8_lossy(&field.text).into_owned()).collect()
}

fn cut_view<'a>(cut: &'a Cut) -> header::View<'a> {
    let fields = cut.rows[1..].iter().map(|row| row.fields.iter().map(|f| &*f.text).collect());
    header::View { delimiter: cut.delimiter, rest: fields.collect() }
}
