//! How a text table is read, decided from its beginning by four rules: [`decide`] is a function of bytes and options alone.
//!
//! 1. The delimiter is a tab, a comma, a semicolon, a pipe or blanks: what cuts the lines best ([`choose_cut`]).
//! 2. The first line names the columns if it has no number where all others have one, or has the names of the two ends of an
//!    edge ([`header::find`]).
//! 3. The ends are the columns with these names, else the first two ([`columns::choose`]).
//! 4. Ids are integers if those of the beginning are, else names ([`choose_ids`]).

use super::super::adjacency::multiline;
use super::super::edge_list::is_pair;
use super::super::id_kind::IdKind;
use super::super::input::{
    ends_line, excerpt, is_blank, lines, next_line, skip_blanks, text_start,
};
use super::super::{Format, Missing, Options, columns, end_names, weights};
use super::comments::plain_start;
use super::cut::{Cut, Row, choose_cut};
use super::fields::{Delimiter, Field};
use super::header::Header;
use super::id::{Look, look};
use super::shape::Place;
use super::{HEAD, dictionary, encoding, header, id, shape};
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
    /// Whether any columns may follow the two ends.
    pub(super) is_forced: bool,
    /// The column with the weights.
    pub(super) weight: Option<WeightColumn>,
    /// What becomes of a row of which an end is missing.
    pub(super) missing: Missing,
    /// The names of two kinds of vertices, where equal ids of the two columns are different ones.
    pub(super) kinds: Option<[String; 2]>,
    /// What was decided, to be reported.
    pub(super) reading: Reading,
}

impl Decision {
    /// Two integers, then anything.
    fn plain(start: usize, delimiter: Delimiter, is_told: bool) -> Decision {
        Decision {
            start,
            delimiter,
            is_told,
            places: [0, 1],
            columns: None,
            ids: Ids::Integers { padded: true },
            dressed: false,
            is_forced: true,
            weight: None,
            missing: Missing::Error,
            kinds: None,
            reading: Reading {
                table: called(delimiter).into(),
                columns: Some(["1", "2"].map(String::from)),
                ids: "integers",
                ..Reading::default()
            },
        }
    }

    /// The names of the two columns, where the first line has them.
    pub(super) fn header(&self) -> Option<&[String; 2]> {
        self.reading.columns.as_ref().filter(|_| self.reading.header)
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
        Ok(Decision { weight, ..self })
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

/// Refuses what looks like a text of another format than a table. Below comments the text begins at `body`.
fn other_format(head: &[u8], start: usize, cut: &Cut, options: &Options) -> Result<(), Problem> {
    let text = &head[start..];
    if options.columns.is_none() && !options.bipartite && is_bipartite(text) {
        let message = "the first line says that the graph is bipartite: an id in the first column is another vertex than the same \
                       id in the second";
        let columns = ["1", "2"].map(String::from);
        return Err(Problem {
            at: start,
            message: Message::from(message).with_hint(Hint::Bipartite { columns }),
        });
    }
    if multiline::is_multiline(text) {
        return Err(Problem { at: cut.rows[0].at, message: multiline::MESSAGE.into() });
    }
    if let Some(at) = cut.bare_mark {
        let message = "a line that is `#` alone divides the text, as vertices and edges of the Trivial Graph Format are \
                       divided: leave the lines up to that one out";
        return Err(Problem { at, message: Message::from(message).with_hint(Hint::SkipLines) });
    }
    if cut.marked > 1
        && 3 * cut.marked > cut.rows.len()
        && cut.delimiter == Delimiter::Blanks
        && !cut.rows.iter().all(|row| row.is_integer(0))
    {
        return Err(Problem { at: cut.rows[0].at, message: LGL.into() });
    }
    Ok(())
}

/// Whether the first line says, as KONECT writes it, that the two columns have ids of their own.
fn is_bipartite(text: &[u8]) -> bool {
    let line = &text[..next_line(text, 0)];
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next() == Some(b"%") && words.next() == Some(b"bip") && words.next().is_some()
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
    let names = options.ids == IdKind::Names;
    if let Some((at, message)) = encoding::check(head, options.delimiter.as_deref(), names) {
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
    let mut reasons = Vec::new();
    let mut asked = options.delimiter.as_deref().map(Delimiter::of);
    if let Some(byte) = excel_delimiter(&head[start..]) {
        asked = asked.or(Some(Delimiter::Byte(byte)));
        start = next_line(head, start + 5);
        reasons.push(format!(
            "The first line says that `{}` stands between columns.",
            char::from(byte)
        ));
    }
    let between = asked.or_else(|| dictionary::delimiter(head, start, whole));
    let cut = choose_cut(head, start, whole, between);
    if options.format == Some(Format::EdgeList)
        && options.columns.is_none()
        && options.header != Some(true)
        && !names
        && !options.bipartite
        && options.missing == Missing::Error
        && cut.as_ref().is_none_or(|cut| {
            cut.bad_quote.is_some()
                || options.header == Some(false)
                || cut.rows[0].begins_with_integers()
        })
    {
        // Each line is an edge, whatever follows its first two columns.
        let delimiter =
            cut.as_ref().map(|cut| cut.delimiter).or(asked).unwrap_or(Delimiter::Blanks);
        return Decision::plain(plain_start(head, start), delimiter, asked.is_some())
            .with_weight(options, cut.as_ref());
    }
    let Some(cut) = cut else { return nothing(name, head, start, options) };
    of_rows((name, options), head, (start, whole), &cut, (asked.is_some(), reasons))
}

/// What is made of a text in which nothing can be cut: comments alone are a graph without edges.
fn nothing(name: &str, head: &[u8], start: usize, options: &Options) -> Result<Decision, Problem> {
    let at = skip_blanks(head, plain_start(head, start));
    let line = &head[at..];
    let line = &line[..line.iter().position(|&b| ends_line(b)).unwrap_or(line.len())];
    let shown = line.trim_ascii();
    if shown.is_empty() {
        return Decision::plain(plain_start(head, start), Delimiter::Blanks, false)
            .with_weight(options, None);
    }
    let problem = |message: Message| Err(Problem { at, message });
    if shown.iter().all(|&b| is_blank(b) || b",;|".contains(&b)) {
        let message = "the line has delimiters and no values: each line needs two ids";
        return problem(Message::from(message).with_hint(Hint::SkipLines));
    }
    if let Some(folder) = end_names::end_folder(name) {
        return problem(columns::in_folder(folder, 1));
    }
    // Most lines are one column, and others are more.
    let rows = choose_cut(head, start, false, Some(Delimiter::Blanks));
    if let Some(cut) = rows {
        if cut.marked > 0 {
            return problem(LGL.into());
        }
        if let Some((at, message)) = shape::told(&cut, None) {
            return Err(Problem { at, message });
        }
    }
    let message = format!("only one column, {}, and an edge has two ends", excerpt(shown));
    problem(Message::from(message).with_hint(Hint::Delimiter))
}

/// What to say of lines with marks between the others.
const LGL: &str = "many lines between the others begin with a mark and a blank, as vertices of LGL, the format of Large Graph \
                   Layout, do: write a list of edges, for example with igraph's write_ncol";

/// Decides by the rows of a beginning.
fn of_rows(
    (name, options): (&str, &Options),
    head: &[u8],
    (start, whole): (usize, bool),
    cut: &Cut,
    (is_told, mut reasons): (bool, Vec<String>),
) -> Result<Decision, Problem> {
    let forced = options.format == Some(Format::EdgeList);
    let first = &cut.rows[0];
    let problem = |message: Message| Problem { at: first.at, message };
    if let Some((at, bad)) = cut.bad_quote {
        return Err(Problem { at, message: header::quote(bad) });
    }
    if !forced {
        other_format(head, start, cut, options)?;
    }
    // The table goes on behind what is looked at, and its first line as well.
    if !whole && first.next >= head.len() && cut.columns > 2 && !cut.rows[0].begins_with_integers()
    {
        let message = format!(
            "the first line is longer than the {HEAD} bytes that are looked at: if it names the columns, leave it out \
             and name two of them by number, for example `1` and `2`"
        );
        return Err(problem(Message::from(message).with_hint(Hint::SkipLines)));
    }
    let found = header::find(cut, options).map_err(problem)?;
    let has_header = found.as_ref().is_some_and(|header| header.is_row);
    let rows = &cut.rows[usize::from(has_header)..];
    let mut warnings = Vec::new();
    let names: Option<Vec<String>> = found.map(|Header { names, reason, warning, .. }| {
        reasons.push(reason);
        warnings.extend(warning);
        names
    });
    let columns = match &names {
        Some(names) if rows.is_empty() || options.columns.is_some() => cut.columns.max(names.len()),
        _ => cut.columns,
    };
    if let Some(names) = names
        .as_ref()
        .filter(|names| names.len() != columns && !forced && options.columns.is_none())
    {
        return Err(problem(shape::uneven(
            cut.delimiter,
            first.line,
            names.len(),
            columns,
            Place::First,
        )));
    }
    if !forced
        && options.columns.is_none()
        && let Some((at, message)) = shape::told(cut, names.as_deref())
    {
        return Err(Problem { at, message });
    }
    let sample = sample(rows, columns);
    if let (Some(names), None) = (&names, &options.columns)
        && let Some(message) = header::own_table(names, &sample)
    {
        return Err(problem(message));
    }
    let weight_place = options.weight.as_ref().zip(names.as_ref());
    let table = columns::Table {
        columns,
        header: names.as_deref(),
        // Each line is an edge, whatever stands in it, where the format is said.
        sample: if forced { &[] } else { &sample },
        is_whole: whole && cut.is_whole && rows.len() <= VALUES,
        folder: end_names::end_folder(name),
        no_ids: &[],
        weight: weight_place.and_then(|(asked, names)| weights::place(asked, names)),
        bipartite: options.bipartite,
    };
    let chosen = columns::choose(options.columns.as_ref(), table).map_err(problem)?;
    let weight = weight_column(options, (names.as_deref(), Some(columns)), chosen.places, rows)
        .map_err(problem)?;
    if let Some(&WeightColumn { place, .. }) = weight.as_ref() {
        let called = names.as_ref().map_or((place + 1).to_string(), |names| names[place].clone());
        reasons.push(format!("The weights are in column {called}."));
    }
    reasons
        .push(format!("Columns {} and {}: {}.", chosen.names[0], chosen.names[1], chosen.reason));
    warnings.extend(chosen.warning);
    let ids = if options.bipartite {
        Ids::Names { strict: true }
    } else {
        choose_ids(head, rows, chosen.places, options, &mut reasons, &mut warnings)?
    };
    let is_names = matches!(ids, Ids::Names { .. });
    let is_ragged =
        options.columns.is_some() || forced || is_ragged(cut, rows, is_names, &mut warnings)?;
    warnings.extend(lists_in_fields(rows, chosen.places));
    if is_names && !has_header && options.header.is_none() {
        warnings.extend(header::doubtful(rows, chosen.places));
    }
    let first_edge =
        rows.iter().find(|row| row.fields.len() > chosen.places[0].max(chosen.places[1]));
    let first_edge = first_edge.map(|row| {
        chosen.places.map(|place| String::from_utf8_lossy(row.text(place)).into_owned())
    });
    Ok(Decision {
        start: if has_header { first.next } else { first.at },
        delimiter: cut.delimiter,
        is_told: is_told || has_header,
        places: chosen.places,
        columns: (!is_ragged).then_some(columns),
        ids,
        dressed: is_names || rows.iter().any(|row| is_dressed(row, chosen.places)),
        is_forced: forced && !is_names,
        weight,
        missing: options.missing,
        kinds: options.bipartite.then(|| chosen.names.clone()),
        reading: Reading {
            table: called(cut.delimiter).into(),
            header: has_header,
            delimiter: Some(
                options.delimiter.clone().unwrap_or_else(|| cut.delimiter.char().into()),
            ),
            columns: Some(chosen.names),
            of_columns: (!has_header && columns > 2).then_some(columns),
            ids: if is_names { "names" } else { "integers" },
            first_edge,
            reasons,
            warnings,
        },
    })
}

/// Values of each column that are compared.
const VALUES: usize = 1024;

/// The first values of each column.
fn sample(rows: &[Row], columns: usize) -> Vec<Vec<String>> {
    (0..columns)
        .map(|place| {
            let rows = rows.iter().take(VALUES).filter(|row| row.fields.len() == columns);
            rows.map(|row| String::from_utf8_lossy(row.text(place)).into_owned()).collect()
        })
        .collect()
}

/// What the ids of the chosen columns are: integers if those that are looked at are, else names. One id among many that is no integer,
/// or one line of them, is a fault of its line.
fn choose_ids(
    text: &[u8],
    rows: &[Row],
    places: [usize; 2],
    options: &Options,
    reasons: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Ids, Problem> {
    /// The least share of words that makes names of all ids: one word of this many.
    const LEAST: usize = 20;
    match options.ids {
        IdKind::Integers => return Ok(Ids::Integers { padded: true }),
        IdKind::Names => return Ok(Ids::Names { strict: false }),
        IdKind::Auto => {}
    }
    let line = |row: &Row| 1 + lines(&text[..row.at]);
    let looks: Vec<(&Row, usize, Look)> = rows
        .iter()
        .filter(|row| row.fields.len() > places[0].max(places[1]))
        .flat_map(|row| places.map(|place| (row, place, row.look(place))))
        .filter(|(_, _, look)| *look != Look::Missing)
        .collect();
    let whole = looks.iter().find(|(_, _, look)| matches!(look, Look::Whole(_)));
    let is_word = |look: &Look| !matches!(look, Look::Integer(_) | Look::Whole(_));
    let words: Vec<&(&Row, usize, Look)> =
        looks.iter().filter(|(_, _, look)| is_word(look)).collect();
    let Some(&&(row, place, found)) = words.first() else {
        if whole.is_some() {
            reasons.push(
                "Ids are integers: those with a fraction have nothing but zeros in it.".into(),
            );
        }
        return Ok(Ids::Integers { padded: false });
    };
    let is_padded = matches!(found, Look::Padded(_));
    // Signs, fractions and exponents among integers are numbers that are no ids.
    let is_number = |&&(row, place, look): &&(&Row, usize, Look)| {
        let bare: Vec<u8> =
            row.text(place).iter().copied().filter(|byte| !byte.is_ascii_punctuation()).collect();
        look == Look::TooLarge
            || shape::is_number(row.text(place))
            || matches!(id::look(&bare), Look::Integer(_))
    };
    // Several integers between blanks, where another byte stands between columns.
    let is_several = |&&(row, place, _): &&(&Row, usize, Look)| {
        row.text(place).iter().any(|&byte| is_blank(byte)) && is_pair(row.text(place), 0)
    };
    let are_one_line = words.iter().all(|(other, ..)| other.line == row.line);
    let are_few = are_one_line || LEAST * words.len() < looks.len();
    // A line that comes again among integers, with the names of two ends, is the header of a part.
    let ends = places.map(|place| String::from_utf8_lossy(row.text(place)).into_owned());
    let are_headers = are_one_line && end_names::ends(&ends).is_some();
    let mostly_integers =
        2 * words.len() <= looks.len() || (are_headers && words.len() < looks.len());
    if words.iter().all(is_several)
        || (mostly_integers && !is_padded && (are_few || words.iter().any(is_number)))
    {
        // The reader of integers has the words for it.
        return Ok(Ids::Integers { padded: false });
    }
    let shown = excerpt(row.text(place));
    if let Some((at, at_place, _)) = whole {
        let message = format!(
            "{shown} on line {} is no integer, and {} could be one or a name",
            line(row),
            excerpt(at.text(*at_place))
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
    let reason = format!("{shown} on line {} {why}", line(row));
    if mostly_integers || is_padded {
        warnings.push(format!("ids are names, although most are integers: {reason}"));
    }
    reasons.push(format!("Ids are names: {reason}."));
    Ok(Ids::Names { strict: true })
}

/// Whether rows may have different numbers of columns: a list of integers may have a weight, or other attributes, on some of its lines.
fn is_ragged(
    cut: &Cut,
    rows: &[Row],
    is_names: bool,
    warnings: &mut Vec<String>,
) -> Result<bool, Problem> {
    let Some(row) = rows.iter().find(|row| row.fields.len() != cut.columns) else {
        return Ok(false);
    };
    let is_attribute = |field: &Field| matches!(look(&field.text), Look::Other | Look::Whole(_));
    let attributes = rows.iter().any(|row| row.fields.iter().skip(2).any(is_attribute));
    let weights = rows.iter().all(|row| row.fields.len() <= 3);
    let place = match row.at {
        at if at == rows[0].at
            && rows.len() > 2
            && !(2..cut.columns).contains(&row.fields.len()) =>
        {
            Place::First
        }
        at if cut.is_whole && rows.last().is_some_and(|last| last.at == at) => Place::Last,
        _ => Place::Midst,
    };
    // The reader of integers has its own words for a line that it cannot cut.
    if !is_names && row.fields.len() < 2 && place != Place::First && !row.line.starts_with(b"(") {
        return Ok(false);
    }
    // The first line alone has more columns, by two at least: one more may be a weight.
    let is_title = place == Place::First
        && row.fields.len() > cut.columns + 1
        && !row.text(2).starts_with(b"{")
        && rows[1..].iter().all(|row| row.fields.len() == cut.columns);
    let is_plain = matches!(cut.delimiter, Delimiter::Byte(b',' | b'\t') | Delimiter::Blanks);
    if is_title
        || is_names
        || !is_plain
        || !(attributes || weights)
        || rows.iter().any(|row| row.fields.len() < 2)
    {
        let message = shape::uneven(cut.delimiter, row.line, row.fields.len(), cut.columns, place);
        return Err(Problem { at: row.at, message });
    }
    warnings.push(format!(
        "some lines have more columns than others: the first two of each were read, as of edges of which some have {}; \
         adjacency lists have another format",
        if weights { "a weight" } else { "attributes" }
    ));
    // Integers may have one weight.
    Ok(!weights)
}

/// A warning of ends that are lists: `b@x.org, c@x.org`, `[2, 3]`.
fn lists_in_fields(rows: &[Row], places: [usize; 2]) -> Option<String> {
    let is_list = |text: &[u8]| match text {
        [b'[', inner @ .., b']'] => inner.contains(&b','),
        text => {
            text.split(|&b| b == b',' || b == b';').filter(|part| part.contains(&b'@')).count() > 1
        }
    };
    let found = rows.iter().find_map(|row| {
        places.map(|place| row.text(place)).into_iter().find(|text| is_list(text))
    })?;
    Some(format!(
        "{} looks like a list of vertices, and was read as the name of one: write a line for each edge",
        excerpt(found)
    ))
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

/// What a table is called by its delimiter.
fn called(delimiter: Delimiter) -> &'static str {
    match delimiter {
        Delimiter::Byte(b',') => "CSV",
        Delimiter::Byte(b'\t') => "columns separated by tabs",
        Delimiter::Byte(b';') => "CSV with semicolons",
        Delimiter::Byte(b'|') => "columns separated by pipes",
        Delimiter::Byte(_) => "columns separated by a character",
        Delimiter::Blanks => "columns separated by blanks",
    }
}
