//! What is no table of edges, although it can be cut at a delimiter: lists of neighbours, matrices, sizes above a list, and edges
//! with signs around them.
//!
//! Rows with the same number of columns are a table unless they are a matrix beyond doubt. Rows that differ are none.

use std::collections::HashSet;

use super::super::format::Format;
use super::super::input::{excerpt, is_blank};
use super::super::weights::is_decimal_comma;
use super::cut::{Cut, Row};
use super::fields::Delimiter;
use super::id::{Look, is_missing, look};
use crate::{Hint, Message};

/// What is wrong, and at which byte.
type ShapeFault = Option<(usize, Message)>;

/// Columns from which on rows that all are numbers may be those of a matrix: fewer are ends and attributes.
const WIDE: usize = 4;

/// What a text is that is no table of edges, by its rows. `names` are those of the columns, where a header has them.
pub(super) fn told(cut: &Cut, names: Option<&[String]>) -> ShapeFault {
    signs(cut).or_else(|| matrix(cut, names)).or_else(|| match names {
        Some(_) => None,
        None => sizes(cut).or_else(|| neighbours(cut)),
    })
}

/// Signs around what would be edges, in one of the first lines: one of them may open what all edges stand in.
fn signs(cut: &Cut) -> ShapeFault {
    let is_rule = |line: &[u8]| {
        line.len() > 2 && line.contains(&b'-') && line.iter().all(|byte| b"+-=|: ".contains(byte))
    };
    cut.rows.iter().take(3).find_map(|row| {
        if has_tuples(row.line) {
            return Some((row.at, TUPLES.into()));
        }
        if is_rule(row.line) {
            let message = "this line draws a table, as psql, mysql and Markdown do: write the table as CSV, for example with `\\copy … \
                           TO FILE CSV` in psql";
            return Some((row.at, message.into()));
        }
        let what = match row.line {
            [b'(', .., b')'] | [b'(', .., b')', b','] => "parentheses around each edge",
            [b'[', .., b']'] | [b'[', .., b']', b','] => "brackets around each edge",
            [b'{', .., b'}'] | [b'{', .., b'}', b','] if holds_columns(row.line) => "braces around each edge",
            _ => return None,
        };
        let message = format!(
            "this looks like {what}: take them away, one edge a line and its ends side by side"
        );
        Some((row.at, message.into()))
    })
}

/// A matrix, perhaps with names of its columns and of its rows, and a few long lines of numbers.
fn matrix(cut: &Cut, names: Option<&[String]>) -> ShapeFault {
    let rows = &cut.rows[usize::from(names.is_some_and(|names| {
        names.len() == cut.rows[0].fields.len() || names.len() == cut.columns
    }))..];
    let first = rows.first()?;
    let is_even = rows.iter().all(|row| row.fields.len() == cut.columns);
    let at = cut.rows[0].at;
    let own: Vec<&[u8]> = rows.iter().map(|row| row.text(0)).collect();
    // The names of the columns are those of the rows, or of most of them.
    let are_those = |names: &[String]| {
        // Columns that are numbered behind an index are those of any table.
        if names[1..].iter().all(|name| is_number(name.trim().as_bytes())) {
            return false;
        }
        let behind: HashSet<&[u8]> = names[1..].iter().map(|name| name.trim().as_bytes()).collect();
        let known = own.iter().filter(|name| behind.contains(name.trim_ascii())).count();
        known > 1 && 2 * known >= own.len().max(behind.len())
    };
    if is_even && names.is_some_and(are_those) {
        return Some((at, dense(cut.columns - 1)));
    }
    if let Some(side) = square(cut) {
        return Some((at, dense(side)));
    }
    let are_numbers =
        || rows.iter().all(|row| row.fields.iter().all(|field| is_number(&field.text)));
    if names.is_some() || cut.columns < WIDE || !is_even || !are_numbers() {
        return None;
    }
    // Many more columns than rows are two lines of ends, or all edges in one.
    if cut.is_whole && cut.columns >= 4 * rows.len() && (rows.len() == 1 || cut.columns >= 2 * WIDE)
    {
        let message = format!(
            "there are {} columns of numbers, and {} {}: if these are two lines of ends, or all edges in one, write one edge a \
             line, for example with numpy.savetxt(FILE, numpy.loadtxt(FILE).reshape(2, -1).T, fmt=\"%d\")",
            cut.columns,
            rows.len(),
            if rows.len() == 1 { "row" } else { "rows" }
        );
        let proposed = ["1", "2"].map(String::from);
        return Some((first.at, Message::from(message).with_hint(Hint::Columns { proposed })));
    }
    None
}

/// The side of a square of numbers that is symmetric, or has zeros and ones alone. Names may stand above it and before it. Of a
/// text of which the beginning is looked at, fewer rows than columns are enough where there are many columns.
fn square(cut: &Cut) -> Option<usize> {
    const MANY: usize = 64;
    [(1, 1), (1, 0), (0, 1), (0, 0)].into_iter().find_map(|(names, index)| {
        let body = &cut.rows[names.min(cut.rows.len())..];
        let side = cut.columns.saturating_sub(index);
        let is_row = |row: &Row| {
            row.fields.len() == cut.columns
                && row.fields[index..].iter().all(|field| is_number(&field.text))
        };
        let is_symmetric = || {
            (0..side).all(|i| (0..i).all(|j| body[i].text(j + index) == body[j].text(i + index)))
        };
        let are_bits = || {
            let mut fields = body.iter().flat_map(|row| &row.fields[index..]);
            fields.all(|field| matches!(look(&field.text), Look::Integer(0 | 1)))
        };
        let is = match cut.is_whole {
            true => {
                side >= WIDE
                    && body.len() == side
                    && body.iter().all(is_row)
                    && (is_symmetric() || are_bits())
            }
            false => {
                index == 0
                    && side >= MANY
                    && body.len() < side
                    && !body.is_empty()
                    && body.iter().all(is_row)
            }
        };
        is.then_some(side)
    })
}

/// A first line of sizes above the edges: vertices, edges or both, as other programs write them.
fn sizes(cut: &Cut) -> ShapeFault {
    let [first, rest @ ..] = &cut.rows[..] else { return None };
    let numbers = integers(first)?;
    let lists: Vec<Vec<u64>> = rest.iter().map(integers).collect::<Option<_>>()?;
    let entries: usize = lists.iter().map(Vec::len).sum();
    let largest = lists.iter().flat_map(|list| list.iter().take(2)).copied().max()?;
    let (&most, &last) = (numbers.first()?, numbers.last()?);
    let fits = largest <= most || (numbers.len() == 1 && lists.iter().all(|list| list.len() > 1));
    if let [vertices, edges] = numbers[..]
        && cut.is_whole
        && Some(entries as u64) == edges.checked_mul(2)
        && vertices > 2
        && largest <= vertices
        && lists.iter().flatten().all(|&id| id >= 1)
        && is_symmetric(&lists, 1)
    {
        let message = format!(
            "this looks like a METIS graph: {vertices} vertices and {edges} edges by its first line, and a line of neighbours for \
             each vertex"
        );
        return Some((first.at, Message::from(message).with_hint(Hint::Format(Format::Metis))));
    }
    let is_counted =
        cut.is_whole && rest.len() > 2 && last == rest.len() as u64 && numbers.len() <= 3;
    let is_first = numbers.len() < 3 || numbers[0] == numbers[1];
    // Some vertices may have no edges, but not most.
    let fits = fits && most / 2 <= largest && most / 64 <= rest.len() as u64;
    (is_counted && fits && is_first && (numbers.len() == 1 || most >= largest)).then(|| {
        let message = format!(
            "the first line looks like sizes, `vertices edges` or those of a Matrix Market file without its first line: {last} lines \
             follow, as it says, and no id in them is above {most}"
        );
        (first.at, Message::from(message).with_hint(Hint::SkipOrEdgeList))
    })
}

/// Whether row v lists w wherever row w lists v; the first row is called `first`, and vertices without a row are taken on trust.
fn is_symmetric(lists: &[Vec<u64>], first: u64) -> bool {
    let row = |v: u64| usize::try_from(v - first).ok().and_then(|place| lists.get(place));
    lists.iter().zip(first..).all(|(list, v)| {
        list.iter().all(|&w| w != v && row(w).is_none_or(|list| list.contains(&v)))
    })
}

/// A vertex and its neighbours a line: a colon behind each first field, rows of different lengths, or each edge at both ends of
/// rows that are all as long.
fn neighbours(cut: &Cut) -> ShapeFault {
    let at = cut.rows[0].at;
    let message = || {
        let message = "these look like adjacency lists: each line begins with another vertex, and its neighbours follow";
        Message::from(message).with_hint(Hint::FormatOrEdgeList(Format::Adjacency))
    };
    let has_colon = |row: &Row| {
        let first = row.line.split(|&b| is_blank(b)).next().unwrap_or_default();
        first.len() > 1 && first.ends_with(b":") && first.len() < row.line.len()
    };
    if cut.rows.len() > 1 && cut.rows.iter().all(has_colon) {
        return Some((at, message()));
    }
    let longest = cut.rows.iter().map(|row| row.fields.len()).max()?;
    let own: HashSet<&[u8]> = cut.rows.iter().map(|row| row.text(0)).collect();
    // Two or three columns are edges of which some have a weight, unless a vertex has no neighbours.
    let is_short = cut.rows.iter().any(|row| row.fields.len() == 1);
    if own.len() < cut.rows.len()
        || cut.rows.len() < 3
        || (longest < WIDE && !(is_short && longest > 2))
    {
        return None;
    }
    let is_ragged = cut.rows.iter().any(|row| row.fields.len() != longest);
    let entries: HashSet<(&[u8], &[u8])> = cut
        .rows
        .iter()
        .flat_map(|row| row.fields[1..].iter().map(|field| (row.text(0), &*field.text)))
        .filter(|(_, w)| !w.is_empty())
        .collect();
    let known = entries.iter().filter(|(_, w)| own.contains(w)).count();
    let is_symmetric = || entries.iter().all(|&(v, w)| entries.contains(&(w, v)));
    let is_filled_up =
        cut.rows.iter().any(|row| row.fields.iter().any(|field| field.text.is_empty()));
    let is = match is_ragged || is_filled_up {
        true => 2 * known >= entries.len(),
        false => cut.is_whole && is_symmetric(),
    };
    is.then(|| (at, message()))
}

/// What to say of a row that has another number of columns than the others.
pub(super) fn uneven(
    cut_at: Delimiter,
    row: &[u8],
    found: usize,
    columns: usize,
    place: Place,
) -> Message {
    let counted = |n: usize| if n == 1 { "1 column".to_owned() } else { format!("{n} columns") };
    let what = match place {
        Place::First => "if it is a title or a count, leave it out",
        Place::Last => {
            "if it is a footer, leave it out; adjacency lists and METIS graphs have other formats"
        }
        Place::Midst => "adjacency lists and METIS graphs have other formats",
    };
    let message = Message::from(format!(
        "{} has {} between {}, and other lines have {}: {what}",
        excerpt(row.trim_ascii()),
        counted(found),
        between(cut_at),
        counted(columns)
    ));
    match place {
        Place::First => message.with_hint(Hint::SkipLines),
        Place::Last | Place::Midst => {
            message.with_hint(Hint::Columns { proposed: ["1", "2"].map(String::from) })
        }
    }
}

/// Where a line stands in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    First,
    Midst,
    Last,
}

/// What stands between columns, for a message.
pub(super) fn between(delimiter: Delimiter) -> String {
    match delimiter {
        Delimiter::Byte(b'\t') => "tabs".to_owned(),
        Delimiter::Byte(byte) if byte != b' ' => format!("`{}`", char::from(byte)),
        _ => "blanks".to_owned(),
    }
}

/// What to say of a matrix.
fn dense(columns: usize) -> Message {
    Message::from(format!(
        "this looks like an adjacency matrix with all of its zeros, in {columns} columns: write it as a \
         sparse one, for example with scipy.sparse.save_npz(\"graph.npz\", \
         scipy.sparse.csr_matrix(numpy.loadtxt(FILE)))"
    ))
    .with_hint(Hint::EdgeListFormat)
}

/// The integers of a row, if it holds nothing else.
fn integers(row: &Row) -> Option<Vec<u64>> {
    let value = |text: &[u8]| match look(text) {
        Look::Integer(value) | Look::Padded(value) => Some(value),
        _ => None,
    };
    row.fields.iter().map(|field| value(&field.text)).collect()
}

/// Whether a text is a number, perhaps with a decimal comma, or says that one is missing.
pub(super) fn is_number(text: &[u8]) -> bool {
    let is_float = || str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok());
    is_missing(text) || is_float() || is_decimal_comma(text)
}

/// Whether a line has vertices that are tuples, as NetworkX writes those of lattices: `(0, 0) (0, 1)`.
pub(crate) fn has_tuples(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some(end) = line.iter().position(|&byte| byte == b')') else { return false };
    let (tuple, rest) = line.split_at(end);
    let next = rest[1..].trim_ascii_start();
    tuple.starts_with(b"(")
        && tuple.contains(&b',')
        && next.len() + 1 < rest.len()
        && next.starts_with(b"(")
}

/// What to say of it.
pub(crate) const TUPLES: &str = "the vertices are tuples, as NetworkX writes those of lattices, and hold what stands between columns: number them before \
     the graph is written, with networkx.convert_node_labels_to_integers";

/// Whether the first braces of a line have several columns between them. Programs write one UUID between braces.
fn holds_columns(line: &[u8]) -> bool {
    let end = line.iter().position(|&byte| byte == b'}').unwrap_or(line.len());
    line[..end].iter().any(|&byte| is_blank(byte) || byte == b',' || byte == b';')
}
