//! Whether the first line of a text table names its columns.

use super::super::input::{BYTE_ORDER_MARK, excerpt};
use super::super::{Options, end_names};
use super::cut::{Cut, Row};
use super::fields::{BadQuote, Delimiter};
use crate::{Hint, Message};

/// The names of the columns, and a whole sentence why.
pub(super) struct Header {
    pub(super) names: Vec<String>,
    pub(super) reason: String,
    /// Whether the first row has them, and not a line that begins as a comment does.
    pub(super) is_row: bool,
    /// What may be wrong with it.
    pub(super) warning: Option<String>,
}

/// Finds the names of the columns in the first row, or in the comment before it.
///
/// # Errors
/// Where the first line may be a header or an edge.
pub(super) fn find(cut: &Cut, options: &Options) -> Result<Option<Header>, Message> {
    let first = names_of(&cut.rows[0], cut.columns);
    let header = |names: Vec<String>, reason: &str| {
        Ok(Some(Header { names, reason: reason.into(), is_row: true, warning: None }))
    };
    match options.header {
        Some(true) => return header(first, "The first line was said to name the columns."),
        Some(false) => return Ok(None),
        None => {}
    }
    if let Some(reason) = of_row(&first, cut)? {
        return header(first, &reason);
    }
    Ok(of_comment(cut))
}

/// The texts of a first row. R writes no name for the names of the rows.
fn names_of(row: &Row, columns: usize) -> Vec<String> {
    let mut names: Vec<String> =
        row.fields.iter().map(|field| String::from_utf8_lossy(&field.text).into_owned()).collect();
    if names.len() > 1 && names.len() + 1 == columns {
        names.insert(0, String::new());
    }
    names
}

/// Why the first row names the columns, if it does.
fn of_row(names: &[String], cut: &Cut) -> Result<Option<String>, Message> {
    if names.len() < cut.columns || names.iter().any(|name| is_number(name.trim().as_bytes())) {
        // Columns that have numbers for names stand behind an index that has none: so pandas writes them.
        let counts = || names[1..].iter().zip(0u64..).all(|(name, n)| name.trim().parse() == Ok(n));
        let is_index =
            cut.rows[0].fields.len() == cut.columns && names[0].trim().is_empty() && counts();
        let reason = "The first line counts the columns behind one that has no name.";
        return Ok((is_index && cut.columns > 2).then(|| reason.into()));
    }
    // A vertex that is called by signs alone is no name of a column.
    if !names.iter().all(|name| name.trim().is_empty() || name.chars().any(char::is_alphanumeric)) {
        return Ok(None);
    }
    // Tables that were put one after the other have their header again.
    let is_again = |row: &&Row| {
        let texts = row
            .fields
            .iter()
            .map(|field| field.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&field.text));
        texts.eq(names.iter().map(String::as_bytes))
    };
    let rest = || cut.rows[1..].iter().filter(|row| !is_again(row));
    if rest().next().is_none() {
        return Ok(end_names::ends(names)
            .filter(|ends| !are_weak(names, *ends))
            .map(|_| ENDS.into()));
    }
    if names[0].trim().is_empty() && rest().all(|row| !row.text(0).is_empty()) {
        let is_vertex = |row: &Row| {
            row.fields
                .iter()
                .any(|field| !field.text.is_empty() && *field.text == *names[1].trim().as_bytes())
        };
        if cut.columns == 2 && rest().any(is_vertex) {
            let message = "the first line has no name for the first column, and another of its names comes again below it: it \
                           may name the columns, or be an edge of which one end is missing";
            return Err(Message::from(message).with_hint(Hint::Header));
        }
        return Ok(Some(
            "The first line has no name for the first column, which has values.".into(),
        ));
    }
    let are_numbers = |place: &usize| rest().all(|row| is_number(row.text(*place)));
    if (0..cut.columns).any(|place| !names[place].trim().is_empty() && are_numbers(&place)) {
        let reason =
            "The first line names the columns: it has no number where all other lines have one.";
        return Ok(Some(reason.into()));
    }
    let Some(ends) = end_names::ends(names) else { return Ok(None) };
    let own = ends.map(|place| names[place].trim());
    let pairs = || {
        rest().map(|row| ends.map(|place| String::from_utf8_lossy(row.text(place)).into_owned()))
    };
    // `user1,user2` above `user3,user4`: names that are numbered are of one kind.
    let are_alike = |pair: [String; 2]| {
        pair.iter().zip(own).any(|(id, name)| without_numbers(id) == without_numbers(name))
    };
    let are_numbered = own.iter().all(|name| name.contains(|c: char| c.is_ascii_digit()));
    if are_numbered && pairs().any(are_alike) {
        return Ok(None);
    }
    let come_again = pairs().any(|pair| pair.iter().any(|id| own.contains(&id.trim())));
    match (come_again, are_weak(names, ends)) {
        (false, _) => Ok(Some(ENDS.into())),
        // Letters are vertices more often than names of columns.
        (true, true) => Ok(None),
        (true, false) => {
            let message = format!(
                "the first line has the words of the two ends of an edge, {} and {}, and one of them comes again below it: it may \
                 name the columns, or be an edge",
                excerpt(own[0].as_bytes()),
                excerpt(own[1].as_bytes())
            );
            Err(Message::from(message).with_hint(Hint::Header))
        }
    }
}

const ENDS: &str =
    "The first line names the columns: its words are those of the two ends of an edge.";

/// Whether the names of two ends are so short that vertices may have them.
fn are_weak(names: &[String], ends: [usize; 2]) -> bool {
    ends.iter().all(|&place| names[place].trim().len() <= 2)
}

/// A name with one digit in the place of each number.
fn without_numbers(name: &str) -> String {
    let mut kept = String::new();
    for c in name.trim().chars() {
        let c = if c.is_ascii_digit() { '0' } else { c };
        if c != '0' || !kept.ends_with('0') {
            kept.push(c);
        }
    }
    kept
}

/// The names in the last line before the first row that begins as a comment does. It has a name for each column, and none is
/// a number. Between blanks they are words of a sentence, unless two are those of the ends of an edge, or there are two and no
/// blank is behind the mark.
fn of_comment(cut: &Cut) -> Option<Header> {
    let (row, is_bare) = cut.comment.as_ref()?;
    let names = names_of(row, 0);
    let are_names =
        names.len() == cut.columns && !names.iter().any(|name| is_number(name.trim().as_bytes()));
    let are_ends = end_names::ends(&names).is_some();
    let is_cut = matches!(cut.delimiter, Delimiter::Byte(_)) || (*is_bare && cut.columns == 2);
    if !are_names || !(are_ends || is_cut) {
        return None;
    }
    let warning = (!are_ends).then(|| {
        format!(
            "the line {} begins as a comment does and has as many columns as the lines below it: it was taken for their names",
            excerpt(row.line)
        )
    });
    Some(Header { names, reason: "A comment names the columns.".into(), is_row: false, warning })
}

/// Whether a text is a number of any kind.
fn is_number(text: &[u8]) -> bool {
    let is_float = || str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
    !super::is_missing(text) && is_float()
}

/// A warning of a first row among names that may be a header: its names do not come again.
pub(super) fn doubtful(rows: &[Row], places: [usize; 2]) -> Option<String> {
    let [first, rest @ ..] = rows else { return None };
    let own = places.map(|place| first.text(place));
    let comes_again = |row: &Row| places.iter().any(|&place| own.contains(&row.text(place)));
    (rest.len() >= 3 && own[0] != own[1] && !rest.iter().any(comes_again)).then(|| {
        format!(
            "the first line, {}, was read as an edge, and its names do not come again in the lines that were looked at: if \
             it names the columns, say `--header yes`",
            excerpt(first.line)
        )
    })
}

/// What to say of a table that tribin wrote and that holds no edges. `sample` has the first values of its columns.
pub(crate) fn own_table(names: &[String], sample: &[Vec<String>]) -> Option<Message> {
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    if names.starts_with(&["vertex", "degree", "triangles"]) {
        return Some(
            "this is a table of vertices, as `tribin local` writes it: its rows are no edges; read the graph \
             that it was made of"
                .into(),
        );
    }
    let numbers = |place: usize| -> Option<Vec<u64>> {
        sample.get(place)?.iter().map(|value| value.parse().ok()).collect()
    };
    if names != ["u", "v", "w"] {
        return None;
    }
    // A third column may hold weights: of a triangle it is a vertex, called by a name or a larger number.
    let ascending = match (numbers(0), numbers(1), numbers(2)) {
        (Some(u), Some(v), Some(w)) => {
            u.len() > 1 && u.iter().zip(&v).zip(&w).all(|((u, v), w)| u < v && v < w)
        }
        _ => false,
    };
    let named = sample.get(2).is_some_and(|w| {
        !w.is_empty() && w.iter().all(|w| !w.is_empty() && w.parse::<f64>().is_err())
    });
    if ascending || named {
        let message = "this is a list of triangles, as `tribin list` writes it: its rows are no edges; read \
                       the graph that it was made of";
        let proposed = ["u", "v"].map(String::from);
        return Some(Message::from(message).with_hint(Hint::Columns { proposed }));
    }
    None
}

/// What to say of quotes that do not match.
pub(super) fn quote(bad: BadQuote) -> Message {
    let message = match bad {
        BadQuote::Open => "a quote is opened here and never closed",
        BadQuote::Behind => {
            "something stands between a closing quote and the end of its column: a quote within quotes is \
             written twice"
        }
    };
    Message::from(message).with_hint(Hint::Delimiter)
}
