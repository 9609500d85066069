//! How a text table is read, decided from its beginning: [`decide`] is a function of bytes and options alone.

use std::collections::HashSet;

use super::super::columns::{self, Chosen};
use super::super::id_kind::IdKind;
use super::super::input::{ends_line, excerpt, lines, next_line, skip_blanks};
use super::super::{Format, Options};
use super::fields::{self, BadQuote, Delimiter, Field};
use super::id::{Look, is_missing, look};
use super::shape::{self, Lines};
use super::{encoding, header};
use crate::graph::Reading;
use crate::{Hint, Message};

/// What ids are, as was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Ids {
    /// Numbers. Unless `padded`, one with leading zeros is a fault: it may be a name.
    Integers { padded: bool },
    /// Any text. Where `strict`, words for missing values are faults.
    Names { strict: bool },
}

/// How a text table is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Decision {
    /// Where the first line of data begins.
    pub(super) start: usize,
    pub(super) delimiter: Delimiter,
    /// The places of the two columns.
    pub(super) places: [usize; 2],
    /// The number of columns that each line must have; `None` where lines may differ.
    pub(super) columns: Option<usize>,
    pub(super) ids: Ids,
    /// Whether fields may stand between quotes, and integers may have a fraction of zeros.
    pub(super) dressed: bool,
    /// Whether any field stands between quotes.
    pub(super) quotes: bool,
    /// What to report; `None` for a plain list of integers.
    pub(super) reading: Option<Reading>,
}

impl Decision {
    /// The reader of plain lists: two integers, then anything.
    fn plain(start: usize) -> Decision {
        Decision {
            start,
            delimiter: Delimiter::BlanksOrComma,
            places: [0, 1],
            columns: None,
            ids: Ids::Integers { padded: true },
            dressed: false,
            quotes: false,
            reading: None,
        }
    }

    pub(in super::super) fn columns(&self) -> Option<usize> {
        self.columns
    }

    pub(in super::super) fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    pub(in super::super) fn ids(&self) -> Ids {
        self.ids
    }

    /// Whether the fastest reader reads it: integers in the first two columns.
    pub(super) fn is_plain(&self) -> bool {
        let simple = match self.delimiter {
            Delimiter::Byte(b',' | b'\t') | Delimiter::Blanks | Delimiter::BlanksOrComma => true,
            Delimiter::Byte(_) => false,
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

/// Rows that are looked at.
const MOST_ROWS: usize = 4096;

/// Whether a comment begins here, where ids are integers.
pub(super) fn is_mark(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b'#' | b'%')) || rest.starts_with(b"//")
}

/// Whether the line at `at` is a comment, where ids are names and might begin as comments do: it is unless
/// something other than a blank follows the mark, and the line has all columns. Between blanks the second
/// field has to begin with the mark as well, as a list of hashtags does.
pub(super) fn is_comment(text: &[u8], at: usize, delimiter: Delimiter, columns: usize) -> bool {
    let rest = &text[at..];
    if !is_mark(rest) {
        return false;
    }
    let mark = if rest[0] == b'/' { 2 } else { 1 };
    match rest.get(mark) {
        None | Some(b' ' | b'\t' | b'\n' | b'\r' | b'!' | b'#' | b'%') => return true,
        Some(_) => {}
    }
    match fields::split(text, at, delimiter, false) {
        Ok((found, _)) if found.len() == columns => match delimiter {
            Delimiter::Byte(_) => false,
            _ => !found[1].text.starts_with(&rest[..mark]),
        },
        _ => true,
    }
}

/// A row of the sample.
struct Row<'a> {
    at: usize,
    fields: Vec<Field<'a>>,
    /// Where the next line begins.
    next: usize,
}

impl Row<'_> {
    fn look(&self, place: usize) -> Look {
        self.fields.get(place).map_or(Look::Missing, |field| look(&field.text))
    }

    fn text(&self, place: usize) -> &[u8] {
        self.fields.get(place).map_or(b"", |field| &field.text)
    }
}

/// The rows of a sample, cut at one delimiter.
struct Cut<'a> {
    delimiter: Delimiter,
    rows: Vec<Row<'a>>,
    /// The number of columns that most rows have.
    columns: usize,
    /// Comments that might be rows of names.
    hashed: bool,
    bad_quote: Option<(usize, BadQuote)>,
}

/// Decides how the text is read that begins with `head`, which is all of it where `whole` is set.
///
/// # Errors
/// For what cannot be read, or could be read in several ways.
pub(super) fn decide(head: &[u8], whole: bool, options: &Options) -> Result<Decision, Problem> {
    if let Some((at, message)) = encoding::check(head) {
        return Err(Problem { at, message });
    }
    let mut start = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    for _ in 0..options.skip {
        if start >= head.len() {
            break;
        }
        start = next_line(head, start);
    }
    let mut asked = options.delimiter.map(|c| match c {
        ' ' => Delimiter::Blanks,
        // It was checked that it is ASCII.
        c => Delimiter::Byte(c as u8),
    });
    let mut reasons = Vec::new();
    // Excel's way to name the delimiter.
    if head[start..].get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"sep="))
        && let Some(&byte) = head.get(start + 4)
        && head.get(start + 5).is_none_or(|&b| ends_line(b))
    {
        asked = asked.or(Some(Delimiter::Byte(byte)));
        start = next_line(head, start + 5);
        reasons.push(format!(
            "The first line says that `{}` stands between columns.",
            char::from(byte)
        ));
    }
    let cut = choose_cut(head, start, whole, asked);
    let forced = options.format == Some(Format::EdgeList);
    let asked_for = asked.is_some()
        || options.columns.is_some()
        || options.header.is_some()
        || options.ids != IdKind::Auto;
    if !forced && options.columns.is_none() && options.header != Some(true) {
        let body = cut.as_ref().and_then(|cut| cut.rows.first()).map_or(start, |row| row.at);
        if let Some(message) = Lines::of(head, body, whole).and_then(|lines| lines.told()) {
            return Err(Problem { at: body, message });
        }
    }
    let Some(cut) = cut else {
        return Ok(Decision { start: plain_start(head, start), ..Decision::plain(start) });
    };
    if let Some((at, bad)) = cut.bad_quote {
        return Err(Problem { at, message: header::quote(bad) });
    }
    let comment =
        header::of_comment(head, start, cut.rows.first().map(|row| row.at), cut.delimiter);
    let first = &cut.rows[0];
    if let Some(what) = shape::decorated(&head[first.at..first.next]) {
        let message = format!(
            "this looks like {what}: take them away, one edge a line and its ends side by side"
        );
        return Err(Problem { at: first.at, message: message.into() });
    }
    let found = header::find(&texts(first), &cut_view(&cut), cut.columns, options);
    let has_header = found.is_header;
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
        names = Some(header);
    } else if let Some(header) = comment.filter(|header| header.len() == columns) {
        reasons.push("A comment names the columns.".into());
        names = Some(header);
    }
    if let (Some(names), None) = (&names, &options.columns)
        && let Some(message) = header::own_table(names, &sample(rows, columns))
    {
        return Err(Problem { at: first.at, message });
    }
    let columns_sample = sample(rows, columns);
    let chosen = choose_columns(options, names.as_deref(), has_header, columns, &columns_sample)
        .map_err(|message| Problem { at: first.at, message })?;
    // What was not there is a fault of its line.
    let mut notes: Vec<String> = chosen.note.iter().cloned().collect();
    let ids = choose_ids(head, rows, &cut, &chosen, options, &mut reasons, &mut notes)?;
    let is_names = matches!(ids, Ids::Names { .. });
    if options.columns.is_none() && !forced {
        check_columns(head, rows, columns, &cut, is_names)?;
    }
    let ragged = options.columns.is_some() || forced;
    let mut data = rows.first().map_or(first.next, |row| row.at);
    if is_names && cut.hashed && !has_header {
        data = names_start(head, start, cut.delimiter, columns);
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
    let dressed = rows.iter().any(|row| {
        chosen.places.iter().any(|&place| {
            row.fields.get(place).is_some_and(|field| field.quoted)
                || matches!(row.look(place), Look::Whole(_))
        }) || row
            .fields
            .iter()
            .take(chosen.places[0].max(chosen.places[1]))
            .any(|field| field.quoted)
    });
    let mut decision = Decision {
        start: data,
        delimiter: cut.delimiter,
        places: chosen.places,
        columns: (!ragged).then_some(columns),
        ids,
        dressed: dressed || is_names,
        quotes: rows.iter().any(|row| row.fields.iter().any(|field| field.quoted)),
        reading: None,
    };
    let unusual =
        has_header || !decision.is_plain() || asked_for || !notes.is_empty() || options.skip > 0;
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
            ids: if is_names { "names" } else { "integers" },
            reasons,
            notes,
        });
    }
    Ok(decision)
}

/// What a table is called by its delimiter.
fn called(delimiter: Delimiter) -> &'static str {
    match delimiter {
        Delimiter::Byte(b',') => "CSV",
        Delimiter::Byte(b'\t') => "columns separated by tabs",
        Delimiter::Byte(b';') => "CSV with semicolons",
        Delimiter::Byte(b'|') => "columns separated by pipes",
        Delimiter::Byte(_) => "columns separated by a character",
        Delimiter::Blanks | Delimiter::BlanksOrComma => "columns separated by blanks",
    }
}

fn texts(row: &Row) -> Vec<String> {
    row.fields.iter().map(|field| String::from_utf8_lossy(&field.text).into_owned()).collect()
}

fn cut_view<'a>(cut: &'a Cut) -> header::View<'a> {
    let fields = cut.rows[1..].iter().map(|row| row.fields.iter().map(|f| &*f.text).collect());
    header::View { rest: fields.collect() }
}

/// The first values of each column.
fn sample(rows: &[Row], columns: usize) -> Vec<Vec<String>> {
    const VALUES: usize = 256;
    (0..columns)
        .map(|place| {
            let rows = rows.iter().take(VALUES).filter(|row| row.fields.len() == columns);
            rows.map(|row| String::from_utf8_lossy(row.text(place)).into_owned()).collect()
        })
        .collect()
}

/// The two columns. The names of a comment are advice, those of a header are the truth.
fn choose_columns(
    options: &Options,
    names: Option<&[String]>,
    has_header: bool,
    columns: usize,
    sample: &[Vec<String>],
) -> Result<Chosen, Message> {
    let asked = options.columns.as_ref();
    let with = |header| columns::choose(asked, columns::Table { columns, header, sample });
    if let (None, None, [first, second, third, ..]) = (asked, names, sample) {
        if !second.is_empty() && second.iter().all(|text| is_punctuation(text)) {
            return Ok(Chosen {
                places: [0, 2],
                names: ["1", "3"].map(String::from),
                reason: format!("the column between them is `{}` only", second[0]),
                note: None,
            });
        }
        if are_triples(first, second, third) {
            let message = format!(
                "the second column looks like the kind of each edge (`{}`), and the third like its other end",
                second[0]
            );
            let proposed = ["1", "3"].map(String::from);
            return Err(Message::from(message).with_hint(Hint::Columns { proposed }));
        }
    }
    match (names, has_header) {
        (Some(names), false) => with(Some(names)).or_else(|error| match asked {
            Some(_) => Err(error),
            None => with(None),
        }),
        (names, _) => with(names),
    }
}

/// Whether a text only joins two others, as an arrow does.
fn is_punctuation(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// Whether the second of three columns is the kind of each edge: few values, none of them an end, while the first
/// and the third share ends.
fn are_triples(first: &[String], second: &[String], third: &[String]) -> bool {
    let set = |column: &'_ [String]| column.iter().cloned().collect::<HashSet<String>>();
    let (starts, kinds, ends) = (set(first), set(second), set(third));
    let numbers = third.iter().all(|text| text.parse::<f64>().is_ok());
    !numbers
        && second.len() >= 4
        && 2 * kinds.len() <= second.len()
        && kinds.is_disjoint(&starts)
        && kinds.is_disjoint(&ends)
        && !starts.is_disjoint(&ends)
}

/// Where the first line begins that is neither blank nor a comment of integers.
fn plain_start(text: &[u8], mut at: usize) -> usize {
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

/// The same for names.
fn names_start(text: &[u8], mut at: usize, delimiter: Delimiter, columns: usize) -> usize {
    while at < text.len() {
        let first = skip_blanks(text, at);
        let blank = text.get(first).is_none_or(|&b| ends_line(b));
        if !blank && !is_comment(text, first, delimiter, columns) {
            return at;
        }
        at = next_line(text, at);
    }
    at
}

/// The delimiter that cuts the rows best, and the rows; `None` where there are no rows, or no delimiter cuts
/// them.
fn choose_cut(text: &[u8], start: usize, whole: bool, asked: Option<Delimiter>) -> Option<Cut<'_>> {
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
            cut.is_even()
                && cut
                    .rows
                    .iter()
                    .skip(1)
                    .any(|row| row.fields.iter().any(|field| is_decimal_comma(&field.text)))
        })
    });
    let scored = cuts.into_iter().flatten().zip(0i8..).filter_map(|(cut, rank)| {
        let comma = cut.delimiter == Delimiter::Byte(b',');
        let score = (cut.starts_with_integers(), !(comma && decimal_commas), cut.is_even(), -rank);
        (cut.columns >= 2 && cut.is_mostly_cut()).then_some((score, cut))
    });
    scored.max_by_key(|(score, _)| *score).map(|(_, cut)| cut)
}

fn is_decimal_comma(text: &[u8]) -> bool {
    let mut parts = text.split(|&b| b == b',');
    let (Some(whole), Some(part), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    digits(whole.strip_prefix(b"-").unwrap_or(whole)) && digits(part)
}

impl Cut<'_> {
    /// Whether the first two columns hold integers, a first line left aside.
    fn starts_with_integers(&self) -> bool {
        let rows = if self.rows.len() > 1 { &self.rows[1..] } else { &self.rows };
        rows.iter().all(|row| {
            [0, 1].iter().all(|&place| {
                matches!(row.look(place), Look::Integer(_) | Look::Padded(_) | Look::Whole(_))
            })
        })
    }

    /// Whether every row has the same number of columns; a header may have one less.
    fn is_even(&self) -> bool {
        let rest = self.rows[1..].iter().all(|row| row.fields.len() == self.columns);
        let first = self.rows[0].fields.len();
        rest && (first == self.columns || first + 1 == self.columns) && self.bad_quote.is_none()
    }

    /// Whether at least half of the rows are cut at all.
    fn is_mostly_cut(&self) -> bool {
        2 * self.rows.iter().filter(|row| row.fields.len() > 1).count() >= self.rows.len()
    }
}

/// Cuts the rows of the sample; `None` where there are none.
fn cut(text: &[u8], start: usize, whole: bool, delimiter: Delimiter) -> Option<Cut<'_>> {
    let (mut rows, mut at) = (Vec::new(), start);
    let (mut hashed, mut bad_quote) = (Vec::new(), None);
    while at < text.len() && rows.len() < MOST_ROWS {
        let first = skip_blanks(text, at);
        let rest = &text[first..];
        let Some(&byte) = rest.first() else { break };
        if ends_line(byte) {
            at = next_line(text, first);
            continue;
        }
        let line = if delimiter == Delimiter::Byte(b'\t') { at } else { first };
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
    if rows.is_empty() && hashed.len() > 1 && hashed.iter().all(tagged) {
        // Hashtags, not one line of which begins with anything else.
        rows.append(&mut hashed);
        hashed.extend(rows.pop());
    }
    let hashed = !hashed.is_empty();
    if rows.is_empty() {
        return None;
    }
    let columns =
        most_common(rows.iter().skip(usize::from(rows.len() > 1)).map(|row| row.fields.len()));
    Some(Cut { delimiter, rows, columns, hashed, bad_quote })
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

/// What the ids of the chosen columns are.
fn choose_ids(
    text: &[u8],
    rows: &[Row],
    cut: &Cut,
    chosen: &Chosen,
    options: &Options,
    reasons: &mut Vec<String>,
    notes: &mut Vec<String>,
) -> Result<Ids, Problem> {
    match options.ids {
        IdKind::Integers => return Ok(Ids::Integers { padded: true }),
        IdKind::Names => return Ok(Ids::Names { strict: false }),
        IdKind::Auto => {}
    }
    let (mut all, mut integers) = (0usize, 0usize);
    let mut whole = None;
    let mut other: Option<(&Row, usize, Look)> = None;
    for row in rows {
        // A row that is too short is a fault of its own.
        if row.fields.len() <= chosen.places[0].max(chosen.places[1]) {
            continue;
        }
        for place in chosen.places {
            all += 1;
            match row.look(place) {
                Look::Integer(_) => integers += 1,
                Look::Whole(_) => {
                    integers += 1;
                    whole = whole.or(Some((row, place)));
                }
                Look::Missing => {}
                found => other = other.or(Some((row, place, found))),
            }
        }
    }
    let line = |at: usize| 1 + lines(&text[..at]);
    let Some((row, place, found)) = other else {
        if whole.is_some() {
            reasons.push(
                "Ids are integers: those with a fraction have nothing but zeros in it.".into(),
            );
        }
        return Ok(Ids::Integers { padded: false });
    };
    let shown = excerpt(row.text(place));
    let most = 2 * integers > all;
    if let Some((at, at_place)) = whole {
        let message = format!(
            "{shown} on line {} is no integer, and {} could be one or a name",
            line(row.at),
            excerpt(at.text(at_place))
        );
        return Err(Problem {
            at: at.at,
            message: Message::from(message).with_hint(Hint::IntegersOrNames),
        });
    }
    let why = match found {
        Look::Padded(_) => "has a leading zero, which an integer would lose",
        Look::TooLarge => "is above 2^64-1",
        _ => "is no integer",
    };
    reasons.push(format!("Ids are names: {shown} on line {} {why}.", line(row.at)));
    if most || matches!(found, Look::Padded(_) | Look::TooLarge) {
        let share = if most {
            format!(", although most of the first {all} ids are integers")
        } else {
            String::new()
        };
        notes.push(format!("ids are names: {shown} on line {} {why}{share}", line(row.at)));
    }
    let _ = cut;
    Ok(Ids::Names { strict: true })
}

/// Every row of the sample has the same number of columns.
fn check_columns(
    text: &[u8],
    rows: &[Row],
    columns: usize,
    cut: &Cut,
    is_names: bool,
) -> Result<(), Problem> {
    let Some(row) = rows.iter().find(|row| row.fields.len() != columns) else { return Ok(()) };
    // The readers have their own words for a line of one column.
    if row.fields.len() < 2 && !is_names {
        return Ok(());
    }
    Err(Problem {
        at: row.at,
        message: uneven(text, row.at, row.fields.len(), columns, cut.delimiter),
    })
}

/// What to say of a line that has another number of columns than the others.
pub(super) fn uneven(
    text: &[u8],
    at: usize,
    found: usize,
    columns: usize,
    delimiter: Delimiter,
) -> Message {
    let counted = |n: usize| if n == 1 { "1 column".to_owned() } else { format!("{n} columns") };
    let line = &text[at..];
    let line = &line[..line.iter().position(|&b| ends_line(b)).unwrap_or(line.len())];
    let between = match delimiter {
        Delimiter::Byte(b'\t') => "tabs".to_owned(),
        Delimiter::Byte(byte) => format!("`{}`", char::from(byte)),
        _ => "blanks".to_owned(),
    };
    Message::from(format!(
        "{} has {} between {between}, and other lines have {}: adjacency lists and METIS graphs have other \
         formats, and two columns that are asked for are read from lines of any length",
        excerpt(line.trim_ascii()),
        counted(found),
        counted(columns)
    ))
    .with_hint(Hint::Columns { proposed: ["1", "2"].map(String::from) })
}

/// The first line whose ids do not come again, among names: it may be a header.
pub(super) fn is_alone<'a>(mut pairs: impl Iterator<Item = [&'a [u8]; 2]>) -> bool {
    let Some([first, second]) = pairs.next() else { return false };
    let mut rest = HashSet::new();
    let mut rows = 0;
    for pair in pairs {
        rows += 1;
        rest.extend(pair);
    }
    rows >= 3
        && first != second
        && !rest.contains(first)
        && !rest.contains(second)
        && !is_missing(first)
}
