//! Which columns of a text are the ends of an edge, and whether all lines have them.

use std::collections::HashSet;

use super::super::columns::{self, ChosenColumns};
use super::super::input::{ends_line, excerpt};
use super::super::{Format, Options, weights};
use super::cut::{Cut, Row};
use super::dialect::Problem;
use super::dictionary;
use super::fields::{Delimiter, Field};
use super::id::{Look, is_missing, look};
use super::shape::{is_number, lists_of_names};
use crate::{Hint, Message};

/// The first values of each column.
pub(super) fn sample(rows: &[Row], columns: usize) -> Vec<Vec<String>> {
    const VALUES: usize = 256;
    (0..columns)
        .map(|place| {
            let rows = rows.iter().take(VALUES).filter(|row| row.fields.len() == columns);
            rows.map(|row| String::from_utf8_lossy(row.text(place)).into_owned()).collect()
        })
        .collect()
}

/// The two columns. The names of a comment are advice, those of a header are the truth.
pub(super) fn choose_columns(
    (file, options): (&str, &Options),
    names: Option<&[String]>,
    has_header: bool,
    columns: usize,
    sample: &[Vec<String>],
) -> Result<ChosenColumns, Message> {
    let asked = options.columns.as_ref();
    // Each line is an edge then, whatever stands in it.
    let forced = options.format == Some(Format::EdgeList);
    let folders = columns::ends_folders(file);
    let weight = options.weight.as_ref().zip(names);
    let weight = weight.and_then(|(asked, names)| weights::place(asked, names));
    let with = |header: Option<&[String]>| {
        let table = columns::Table { columns, header, sample, folders: &folders };
        match weight {
            Some(place) => columns::choose_with_weight(asked, table, place),
            None => columns::choose(asked, table),
        }
    };
    if let (None, None, [first, second, third, ..]) = (asked, names, sample) {
        if !second.is_empty() && second.iter().all(|text| is_punctuation(text)) {
            return Ok(ChosenColumns {
                places: [0, 2],
                names: ["1", "3"].map(String::from),
                reason: format!("the column between them is `{}` only", second[0]),
                note: None,
            });
        }
        if !forced && (are_triples(first, second, third) || are_words_between(sample)) {
            let message = format!(
                "the second column looks like the kind of each edge (`{}`), and the third like its other end",
                second[0]
            );
            let proposed = ["1", "3"].map(String::from);
            return Err(Message::from(message).with_hint(Hint::Columns { proposed }));
        }
    }
    if let (None, None, false, false) = (asked, names, has_header, forced) {
        misplaced(sample)?;
        // A first line that names the columns in words of its own says nothing of the others.
        if sample.iter().all(|column| column.len() > 3) {
            misplaced(&sample.iter().map(|column| column[1..].to_vec()).collect::<Vec<_>>())?;
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

/// Refuses the first two of three columns or more, where there is no header, if the first is the kind or the weight of
/// each edge and integers follow it, if every line has the same two, and if others have names in common and these have not.
fn misplaced(sample: &[Vec<String>]) -> Result<(), Message> {
    let [first, second, third, ..] = sample else { return Ok(()) };
    moments_as_ends(sample)?;
    let constant = |column: &[String]| column.windows(2).all(|two| two[0] == two[1]);
    let decimals = first.iter().all(|text| text.parse::<f64>().is_ok()) && !are_integers(first);
    let found: Vec<usize> =
        (0..sample.len()).filter(|&place| are_integers(&sample[place])).collect();
    let hint = |places: [usize; 2]| Hint::Columns {
        proposed: places.map(|place| (place + 1).to_string()),
    };
    if first.len() >= 3
        && (decimals || (constant(first) && !are_integers(first)))
        && found == [1, 2]
    {
        let what = if decimals { "decimal numbers" } else { "the same word in each line" };
        let message = format!("the first column holds {what}, and integers follow it");
        return Err(Message::from(message).with_hint(hint([1, 2])));
    }
    if let Some(message) = kinds_before(first, second, third) {
        return Err(message);
    }
    if first.len() < 3 {
        return Ok(());
    }
    if constant(first) && constant(second) {
        let message = format!(
            "the first two columns are {} and {} in each line",
            excerpt(first[0].as_bytes()),
            excerpt(second[0].as_bytes())
        );
        let others: Vec<usize> = (2..sample.len()).filter(|&at| !constant(&sample[at])).collect();
        let proposed = if let [one, other, ..] = others[..] { [one, other] } else { [0, 2] };
        return Err(Message::from(message).with_hint(hint(proposed)));
    }
    if begins_with_times(sample) {
        let message = format!(
            "column 1 never decreases ({}, …), as times do, and columns 2 and 3 have ids in common that it has not, and \
             there is no header",
            first[..3].join(", ")
        );
        let likely = ["2", "3"].map(String::from);
        return Err(Message::from(message).with_hint(Hint::OtherColumns { likely }));
    }
    names_in_common(sample)
}

/// Refuses the first two columns where they have no value in common, and the third has names in common with one of them. The ends of
/// edges have the vertices in common that are at the first end of one and at the second of another.
fn names_in_common(sample: &[Vec<String>]) -> Result<(), Message> {
    let [first, second, third, ..] = sample else { return Ok(()) };
    let in_common = |one: &[String], other: &[String]| set(one).intersection(&set(other)).count();
    let mostly_words = |column: &[String]| {
        let words = column.iter().filter(|text| !is_number(text.as_bytes()));
        2 * words.count() > column.len()
    };
    if !mostly_words(third) || in_common(first, second) > 0 {
        return Ok(());
    }
    for (place, column) in [(1, second), (0, first)] {
        if mostly_words(column) && in_common(column, third) > 1 {
            let message = format!(
                "columns 1 and 2 have no value in common, as the ends of edges have, columns {} and 3 have, and there is \
                 no header",
                place + 1
            );
            let likely = [place + 1, 3].map(|place| place.to_string());
            return Err(Message::from(message).with_hint(Hint::OtherColumns { likely }));
        }
    }
    Ok(())
}

/// Refuses a date or a time as one of the first two columns. Those of a graph of dates have some in common.
fn moments_as_ends(sample: &[Vec<String>]) -> Result<(), Message> {
    let are_moments = |place: &usize| columns::are_moments(&sample[*place]);
    let Some(place) = [0, 1].into_iter().find(are_moments) else { return Ok(()) };
    if are_moments(&(1 - place)) && !set(&sample[0]).is_disjoint(&set(&sample[1])) {
        return Ok(());
    }
    let message = format!(
        "column {} holds dates or times (`{}`), and there is no header",
        place + 1,
        sample[place][0]
    );
    let others: Vec<usize> = (0..sample.len()).filter(|place| !are_moments(place)).collect();
    let likely = if let [one, other, ..] = others[..] { [one, other] } else { [1, 2] };
    let likely = likely.map(|place| (place + 1).to_string());
    Err(Message::from(message).with_hint(Hint::OtherColumns { likely }))
}

/// What to say where the first of three columns is the kind of each edge: words before two columns of integers, or few
/// values, none of them an end, before two columns that share ends.
fn kinds_before(first: &[String], second: &[String], third: &[String]) -> Option<Message> {
    let words = are_words(first) && are_whole(second) && are_whole(third);
    let kinds = words && (repeat(first) || !set(second).is_disjoint(&set(third)));
    (kinds || are_triples(second, first, third)).then(|| {
        let message = format!(
            "the first column looks like the kind of each edge (`{}`), and the next two like its ends",
            first[0]
        );
        let proposed = ["2", "3"].map(String::from);
        Message::from(message).with_hint(Hint::Columns { proposed })
    })
}

/// Whether the second of three columns has words and stands between integers, as the kind of each edge does.
fn are_words_between(sample: &[Vec<String>]) -> bool {
    let [first, second, third, ..] = sample else { return false };
    are_words(second)
        && are_whole(first)
        && are_whole(third)
        && (repeat(second) || !set(first).is_disjoint(&set(third)))
}

/// Whether all values are integers, of any size and sign, perhaps with an exponent.
fn are_whole(column: &[String]) -> bool {
    let is_whole = |text: &String| {
        let value =
            text.parse::<f64>().is_ok_and(|value| value.is_finite() && value.fract() == 0.0);
        value && !text.contains('.')
    };
    are_integers(column) || (!column.is_empty() && column.iter().all(is_whole))
}

/// Whether no value is a number.
fn are_words(column: &[String]) -> bool {
    let is_word = |text: &String| !text.is_empty() && text.parse::<f64>().is_err();
    !column.is_empty() && column.iter().all(is_word)
}

/// Whether values come twice or more often on average.
fn repeat(column: &[String]) -> bool {
    column.len() >= 4 && 2 * set(column).len() <= column.len()
}

fn set(column: &[String]) -> HashSet<&str> {
    column.iter().map(String::as_str).collect()
}

/// Whether all values are integers.
pub(super) fn are_integers(column: &[String]) -> bool {
    let is_integer = |text: &String| {
        matches!(look(text.as_bytes()), Look::Integer(_) | Look::Padded(_) | Look::Whole(_))
    };
    !column.is_empty() && column.iter().all(is_integer)
}

/// Whether the first column has times and the next two the ends, as a list of contacts `t i j` has them. Such a column never
/// decreases. Its range has nothing in common with the two others, whose ranges are the same for the most part.
fn begins_with_times(sample: &[Vec<String>]) -> bool {
    let integers = |place: usize| -> Option<Vec<u64>> {
        sample.get(place)?.iter().map(|text| text.parse().ok()).collect()
    };
    let (Some(times), Some(one), Some(other)) = (integers(0), integers(1), integers(2)) else {
        return false;
    };
    let range = |column: &[u64]| Some((*column.iter().min()?, *column.iter().max()?));
    let (Some(time), Some(one), Some(other)) = (range(&times), range(&one), range(&other)) else {
        return false;
    };
    let extent = |(first, last): (u64, u64)| (u128::from(last) + 1).saturating_sub(first.into());
    let common = |a: (u64, u64), b: (u64, u64)| extent((a.0.max(b.0), a.1.min(b.1)));
    times.is_sorted()
        && time.0 < time.1
        && common(time, one) == 0
        && common(time, other) == 0
        && 2 * common(one, other) >= extent(one).max(extent(other))
}

/// Whether a text only joins two others, as an arrow does.
pub(super) fn is_punctuation(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// Whether the second of three columns is the kind of each edge: few values, none of them an end, while the first
/// and the third share ends.
pub(super) fn are_triples(first: &[String], second: &[String], third: &[String]) -> bool {
    let (starts, kinds, ends) = (set(first), set(second), set(third));
    let numbers = third.iter().all(|text| text.parse::<f64>().is_ok());
    !numbers
        && repeat(second)
        && kinds.is_disjoint(&starts)
        && kinds.is_disjoint(&ends)
        && !starts.is_disjoint(&ends)
}

/// Whether rows of the sample have different numbers of columns, in a list of integers whose other columns are
/// none: these are attributes, which some lines may lack.
pub(super) fn check_columns(
    text: &[u8],
    rows: &[Row],
    columns: usize,
    cut: &Cut,
    is_names: bool,
) -> Result<bool, Problem> {
    let Some(row) = rows.iter().find(|row| row.fields.len() != columns) else { return Ok(false) };
    // The readers have their own words for a line of one column.
    if row.fields.len() < 2 && !is_names {
        return Ok(false);
    }
    if row.at == rows[0].at && is_title(rows, columns) {
        let shown = excerpt(text[row.at..row.next].trim_ascii());
        let message = format!(
            "the first line, {shown}, has {} columns, and each of the others that were looked at has {columns}: if it \
             is a title, leave it out",
            row.fields.len()
        );
        return Err(Problem {
            at: row.at,
            message: Message::from(message).with_hint(Hint::SkipLines),
        });
    }
    let attribute = |field: &Field| matches!(look(&field.text), Look::Other | Look::Whole(_));
    let attributes = rows.iter().any(|row| row.fields.iter().skip(2).any(attribute));
    let plain = !matches!(cut.delimiter, Delimiter::Byte(byte) if byte != b',' && byte != b'\t');
    let weights = plain && rows.iter().all(|row| row.fields.len() <= 3);
    if !is_names && (attributes || weights) && rows.iter().all(|row| row.fields.len() >= 2) {
        return Ok(true);
    }
    let lists = matches!(cut.delimiter, Delimiter::Byte(b'\t' | b',' | b';'))
        || matches!(cut.delimiter, Delimiter::Blanks | Delimiter::BlanksOrComma);
    if lists && let Some(message) = lists_of_names(rows, false) {
        return Err(Problem { at: row.at, message });
    }
    Err(Problem {
        at: row.at,
        message: uneven(text, row.at, row.fields.len(), columns, cut.delimiter),
    })
}

/// Whether the first line alone has more columns than the others, by two at least: one more may be a weight, and
/// braces begin the attributes that NetworkX writes.
fn is_title(rows: &[Row], columns: usize) -> bool {
    let [first, rest @ ..] = rows else { return false };
    rest.len() > 1
        && first.fields.len() > columns + 1
        && rest.iter().all(|row| row.fields.len() == columns)
        && !first.text(2).starts_with(b"{")
}

/// What stands between columns, for a message.
pub(super) fn between(delimiter: Delimiter) -> String {
    match delimiter {
        Delimiter::Byte(b'\t') => "tabs".to_owned(),
        Delimiter::Byte(byte) => format!("`{}`", char::from(byte)),
        _ => "blanks".to_owned(),
    }
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
    if delimiter == Delimiter::OneBlank {
        return dictionary::blanks_in_names(line);
    }
    let between = between(delimiter);
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
