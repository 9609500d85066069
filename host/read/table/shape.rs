//! What is no table of edges, although it can be cut at a delimiter: matrices, lists of neighbours, sizes above a list, lines
//! in brackets, lines that divide the text.
//!
//! Rows with the same number of columns are a table unless they are something else beyond doubt. Rows that differ are none.

use std::collections::HashSet;

use super::super::input::{Fault, excerpt, is_blank, lines_from, next_line, text_start, words};
use super::super::{columns, end_names, overlap};
use super::cut::{SampledRow, TableCut, is_mark};
use super::decide::is_number;
use super::fields::{Delimiter, Field};
use super::id::{IdNotation, look};
use crate::{Message, hint};

/// Columns from which on rows may be those of a matrix, or lists: fewer are ends and attributes.
const WIDE: usize = 4;

/// Rows from the top in which signs are looked for: one of them may open what all edges stand in.
const LOOKED_AT: usize = 3;

/// Refuses a text whose first line says, as KONECT writes it, that the two columns have ids of their own.
pub(super) fn check_kind(text: &[u8], start: usize) -> Result<(), Fault> {
    let line = &text[start..next_line(text, start)];
    if !matches!(words(line).collect::<Vec<_>>()[..], [b"%", b"bip", _, ..]) {
        return Ok(());
    }
    let message = "the first line says that the graph is bipartite: an id in the first column is another vertex than the same \
                   id in the second";
    let columns = ["1", "2"].map(String::from);
    let message = Message::from(message).with_hint(columns::of_one_kind(columns));
    Err(Fault::Line(start, message))
}

/// Whether a comment before the first row says that edges have no direction, as KONECT and SNAP write it.
pub(super) fn are_undirected(text: &[u8]) -> bool {
    let comments = lines_from(text, text_start(text)).take_while(|(_, line)| is_mark(line));
    comments.into_iter().any(|(_, line)| {
        line.starts_with(b"# Undirected graph")
            || matches!(words(line).collect::<Vec<_>>()[..], [b"%", b"sym", ..])
    })
}

/// Refuses what is no table of edges. `rows` are those below a header with `names`, and have that many columns. The whole text has about
/// as many `lines`.
pub(super) fn check(
    cut: &TableCut,
    lines: u64,
    (rows, columns): (&[SampledRow], usize),
    names: Option<&[String]>,
) -> Result<(), Fault> {
    let problem = |at, message: Message| Err(Fault::Line(at, message));
    let at = cut.rows[0].at;
    if let Some(at) = cut.marked {
        let message = "lines between the others begin with a mark, as where vertices and edges are divided in the Trivial Graph \
                       Format, LGL and others";
        return problem(at, no_table(message));
    }
    let mut begin = cut.rows.iter().take(LOOKED_AT);
    if let Some(row) = begin.find(|row| has_brackets(row.line) || is_dictionary(row.text(1))) {
        return problem(row.at, BRACKETS.into());
    }
    if let Some(row) = cut.rows.iter().take(LOOKED_AT).find(|row| is_rule(row.line)) {
        let message =
            "this line draws a table, as psql, mysql and Markdown do: write the table as CSV";
        return problem(row.at, message.into());
    }
    if names.is_some_and(|names| names.len() != columns) {
        return problem(at, uneven(cut, &cut.rows[0]));
    }
    // Letters may be the names of a matrix's columns.
    let are_words = |names: &[String]| {
        end_names::ends(names).is_some_and(|ends| ends.iter().any(|&at| names[at].trim().len() > 2))
    };
    let is_long = rows.len() == 1 && integers(&rows[0]).is_some();
    let is_wide = columns > rows.len() && columns >= 2 * WIDE;
    if names.is_none() && columns >= WIDE && (is_long || is_wide) {
        let message = format!(
            "there are {columns} columns and fewer rows, as in lists, a matrix or an array of shape (2, m), whose columns are edges: \
             write a pair in each line, with numpy.savetxt(FILE, edges.T, fmt='%d')"
        );
        return problem(at, no_table(&message));
    }
    let side = side(rows, columns, cut.is_whole);
    if let Some(side) = side.filter(|_| !names.is_some_and(are_words)) {
        let message = format!(
            "this looks like an adjacency matrix with all of its zeros, in {side} columns: write it as a sparse one, with \
             scipy.sparse.save_npz"
        );
        return problem(at, Message::from(message).with_hint(hint::EDGE_LIST_FORMAT));
    }
    let what = match names {
        _ if have_colons(cut) => LISTS,
        None if has_sizes(cut, lines) => {
            "the first line looks like sizes, as in METIS graphs and Matrix Market files: as many lines follow as it says"
        }
        None if are_lists(cut) => LISTS,
        _ => return Ok(()),
    };
    problem(at, no_table(what))
}

/// Whether nothing but numbers stand in a row.
pub(super) fn are_numbers(row: &SampledRow) -> bool {
    row.fields.iter().all(|field| is_number(&field.text))
}

/// Whether a line draws a frame.
fn is_rule(line: &[u8]) -> bool {
    let is_box = |letter: char| ('\u{2500}'..='\u{257f}').contains(&letter);
    let is_drawn = |letter: char| is_box(letter) || "+-=|: ".contains(letter);
    let text = str::from_utf8(line).unwrap_or_default();
    line.len() > 2 && text.contains(|c| c == '-' || is_box(c)) && text.chars().all(is_drawn)
}

/// What to say of brackets.
pub(crate) const BRACKETS: &str = "the line begins with a bracket, and what stands between columns is within it: take the brackets \
                                   away, or number vertices that are tuples, with networkx.convert_node_labels_to_integers";

/// Whether an end is a dictionary, as in multi-line lists of neighbours.
fn is_dictionary(end: &[u8]) -> bool {
    end == b"{}" || end.starts_with(b"{'")
}

/// Whether a line begins with brackets around several values: an edge, or a vertex that is a tuple. In YAML a dash is before them.
/// Programs write one UUID between braces.
pub(crate) fn has_brackets(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"- ").unwrap_or(line);
    let end = line.iter().position(|byte| b")]}".contains(byte)).unwrap_or(line.len());
    line.first().is_some_and(|byte| b"([{".contains(byte))
        && line[..end].iter().any(|&byte| is_blank(byte) || byte == b',' || byte == b';')
}

/// The side of a square, perhaps with the names of its rows before them, that is symmetric, has two values alone, or is of many
/// numbers. Of a text of which the beginning is looked at, fewer rows than columns are enough where there are many columns.
fn side(rows: &[SampledRow], columns: usize, is_whole: bool) -> Option<usize> {
    const MANY: usize = 64;
    let is_square = rows.len() == columns && columns >= 2 * WIDE;
    // Numbers may stand above the columns.
    let rows = &rows[usize::from(rows.len() == columns + 1)..];
    let is_even = rows.iter().all(|row| row.fields.len() == columns);
    let index = columns.wrapping_sub(rows.len());
    if !is_whole && is_even && columns >= MANY && rows.len() < columns {
        return Some(columns);
    }
    if !is_whole || !is_even || index > 1 || columns < WIDE {
        return None;
    }
    let side = columns - index;
    let is_symmetric =
        || (0..side).all(|i| (0..i).all(|j| rows[i].text(j + index) == rows[j].text(i + index)));
    let values = || rows.iter().flat_map(|row| &row.fields[index..]).map(|field| &field.text);
    let are_sure = || is_square && rows.iter().all(are_numbers);
    (are_sure() || is_symmetric() || values().collect::<HashSet<_>>().len() <= 2).then_some(side)
}

/// Whether a first line of sizes, vertices, edges or both, stands above the edges, as other programs write them.
fn has_sizes(cut: &TableCut, lines: u64) -> bool {
    // What follows two ends may be anything, and a list of neighbours may be short.
    let ends = |row: &SampledRow| -> Option<Vec<u64>> {
        (0..row.fields.len().min(2)).map(|place| row.look(place).value()).collect()
    };
    let [first, rest @ ..] = &cut.rows[..] else { return false };
    let (Some(sizes), Some(lists)) =
        (ends(first), rest.iter().map(ends).collect::<Option<Vec<_>>>())
    else {
        return false;
    };
    let largest = lists.into_iter().flatten().max().unwrap_or(0);
    let most = sizes[0];
    // Some write the edges before the vertices.
    let are_turned = || sizes.last().is_some_and(|n| (largest..=2 * largest).contains(n));
    if cut.is_whole && rest.len() >= MANY_LINES && most == rest.len() as u64 && are_turned() {
        return true;
    }
    if !cut.is_whole {
        // No id that was looked at is larger than the vertices, the edges are clearly more, and about as many lines follow.
        return rest.len() >= MANY_ROWS
            && largest <= most
            && sizes
                .last()
                .is_some_and(|&m| m / 8 * 7 > most && (lines / 2..=2 * lines).contains(&m));
    }
    // A matrix has as many rows as columns, and its entries stand behind them.
    let of_matrix = first
        .look(2)
        .value()
        .filter(|_| first.fields.len() == 3 && sizes.iter().all(|&n| n == most));
    let counts = || sizes.last().copied().into_iter().chain(of_matrix);
    let entries: usize = rest.iter().map(|row| row.fields.len()).sum();
    let is_number_of_lines = counts().any(|count| count == rest.len() as u64);
    let are_counted =
        is_number_of_lines || counts().any(|count| count.checked_mul(2) == Some(entries as u64));
    // Some vertices may have no edges, but not most, unless many lines are as many as is said.
    let is_likely = most / 2 <= largest || (rest.len() >= MANY_LINES && is_number_of_lines);
    rest.len() > 2
        && are_counted
        && (sizes.len() == 1 || largest <= most)
        && is_likely
        && most / 64 <= rest.len() as u64
}

/// Lines that are not by chance as many as a first line says.
const MANY_LINES: usize = 8;

/// Rows of which no id is larger than a first number by chance.
const MANY_ROWS: usize = 1024;

/// The integers of a row, if it holds nothing else.
fn integers(row: &SampledRow) -> Option<Vec<u64>> {
    row.fields.iter().map(|field| look(&field.text).value()).collect()
}

/// What to say of lists of neighbours.
const LISTS: &str = "these look like adjacency lists: each line begins with another vertex, and its neighbours follow";

/// Whether a colon stands behind the first field of each line.
fn have_colons(cut: &TableCut) -> bool {
    let has_colon = |row: &SampledRow| {
        let first = row.text(0).split(|&b| is_blank(b)).next().unwrap_or_default();
        first.len() > 1 && first.ends_with(b":") && first.len() < row.line.len()
    };
    cut.rows.len() > 1 && cut.rows.iter().all(has_colon)
}

/// Whether each line is a vertex and its neighbours. Rows are as long as each other, or filled up. No two begin with the same value. Either
/// each edge stands at both of its ends, or every other column has about the values of the first.
fn are_lists(cut: &TableCut) -> bool {
    let own: HashSet<&[u8]> = cut.rows.iter().map(|row| row.text(0)).collect();
    let entries: HashSet<(&[u8], &[u8])> = cut
        .rows
        .iter()
        .flat_map(|row| row.fields.iter().skip(1).map(move |field| (row.text(0), &*field.text)))
        .filter(|(_, to)| !to.is_empty())
        .collect();
    let are_both = || entries.iter().all(|&(v, w)| entries.contains(&(w, v)));
    let values = |place: usize| cut.rows.iter().map(|row| row.text(place)).collect();
    let is_of_ends = |place: usize| overlap::share(&own, &values(place)) >= overlap::MUCH;
    let are_near = || own.len() >= overlap::SURE && (1..cut.columns).all(is_of_ends);
    cut.columns >= WIDE
        && own.len() == cut.rows.len()
        && own.len() > 2
        && (cut.is_whole && are_both() || are_near())
}

/// Whether rows may have different numbers of columns: a list of integers may have a weight on some of its lines.
pub(super) fn is_ragged(
    cut: &TableCut,
    rows: &[SampledRow],
    is_names: bool,
    warnings: &mut Vec<String>,
) -> Result<bool, Fault> {
    let Some(row) = rows.iter().find(|row| row.fields.len() != cut.columns) else {
        return Ok(false);
    };
    // A first line that alone has more columns, by two at least, is a title: one more may be a weight.
    let is_title = rows.len() > 2
        && row.at == rows[0].at
        && row.fields.len() > cut.columns + 1
        && rows[1..].iter().all(|row| row.fields.len() == cut.columns);
    let is_attribute =
        |field: &Field| matches!(look(&field.text), IdNotation::Other | IdNotation::Whole(_));
    let attributes = rows.iter().any(|row| row.fields.iter().skip(2).any(is_attribute));
    let are_weights = rows.iter().all(|row| row.fields.len() <= 3);
    if is_title
        || is_names
        || !(attributes || are_weights)
        || rows.iter().any(|row| row.fields.len() < 2)
    {
        return Err(Fault::Line(row.at, uneven(cut, row)));
    }
    warnings.push(
        "some lines have more columns than others: the first two of each were read, as of edges of which some have a weight or \
         attributes; adjacency lists have another format"
            .into(),
    );
    // Integers may have one weight.
    Ok(!are_weights)
}

/// What to say of a row that has another number of columns than the others.
fn uneven(cut: &TableCut, row: &SampledRow) -> Message {
    let is_first = row.at == cut.rows[0].at;
    let expected = format!("most lines have {}", cut.columns);
    uneven_line(cut.delimiter, row.line, (row.fields.len(), &expected), is_first)
}

/// What to say of a line that has another number of columns than is expected.
pub(super) fn uneven_line(
    delimiter: Delimiter,
    line: &[u8],
    (found, expected): (usize, &str),
    is_first: bool,
) -> Message {
    let counted = if found == 1 { "1 column".to_owned() } else { format!("{found} columns") };
    let message = format!(
        "{} has {counted} between {}, and {expected}",
        excerpt(line.trim_ascii()),
        delimiter.shown(),
    );
    // Between blanks it may be a vertex without neighbours.
    match found < 2 && delimiter != Delimiter::Blanks && !is_first {
        true => format!("{message}: leave it out if it is a footer or a note").into(),
        false => no_table(&message),
    }
}

/// A message with what helps where lines are no edges.
fn no_table(problem: &str) -> Message {
    Message::from(problem).with_hint(hint::NO_TABLE)
}
