//! Numbers that are no list of edges, although they look like one: other formats without their extension, told
//! by arithmetic that a list of edges hardly ever passes.

use std::collections::HashSet;

use super::super::columns;
use super::super::format::Format;
use super::super::input::{ends_line, is_blank, next_line};
use super::super::number::number;
use super::super::weights::is_decimal_comma;
use super::cut::Row;
use super::id::{Look, is_missing, look};
use crate::{Hint, Message};

/// What was looked at: lines of integers, an empty one for an empty line. Comments are left out.
pub(super) struct Lines {
    lines: Vec<Vec<u64>>,
    /// Whether a number behind the second of a line is none of them, for which a 0 stands.
    decimals: bool,
    /// Whether these are all lines of the file.
    whole: bool,
}

/// Lines that are looked at. Smaller graphs pass more of the checks, and larger ones are told by fewer lines.
const MOST_LINES: usize = 1 << 14;

/// Numbers of a line that are looked at.
const MOST_NUMBERS: usize = 1 << 16;

impl Lines {
    /// The lines from `start` on; `None` where there is anything but integers, and behind the second of a line numbers,
    /// between blanks, commas and colons.
    pub(super) fn of(text: &[u8], start: usize, whole: bool) -> Option<Lines> {
        let separates = |byte: u8| is_blank(byte) || byte == b',' || byte == b':';
        let (mut lines, mut at) = (Vec::new(), start);
        let (mut numbers, mut decimals) = (0, false);
        while at < text.len() && lines.len() < MOST_LINES && numbers < MOST_NUMBERS {
            let end = next_line(text, at);
            if !whole && end == text.len() {
                return Some(Lines { lines, decimals, whole: false });
            }
            let line = text[at..end].trim_ascii();
            at = end;
            if matches!(line.first(), Some(b'#' | b'%')) || line.starts_with(b"//") {
                continue;
            }
            let mut found = Vec::new();
            for part in line.split(|&b| is_blank(b)).filter(|part| !part.is_empty()) {
                // Of numbers with decimal commas the two parts are no columns.
                if found.len() >= 2 && is_decimal_comma(part) {
                    found.push(0);
                    decimals = true;
                    continue;
                }
                for word in part.split(|&b| separates(b)).filter(|word| !word.is_empty()) {
                    match number(word, 0) {
                        Ok((value, end)) if end == word.len() => found.push(value),
                        _ if found.len() >= 2 && is_number(word) => {
                            found.push(0);
                            decimals = true;
                        }
                        _ => return None,
                    }
                }
            }
            numbers += found.len();
            lines.push(found);
        }
        let whole = whole && at >= text.len();
        while whole && lines.last().is_some_and(Vec::is_empty) && !text.ends_with(b"\n\n") {
            lines.pop();
        }
        Some(Lines { lines, decimals, whole })
    }

    /// The format that fits better than a list of edges.
    pub(super) fn told(&self) -> Option<Message> {
        let rows: Vec<&[u64]> =
            self.lines.iter().map(Vec::as_slice).filter(|line| !line.is_empty()).collect();
        let [first, rest @ ..] = &rows[..] else { return None };
        if self.decimals {
            return matrix_market(first, rest, self.whole, true);
        }
        let ragged = rows.iter().any(|row| row.len() != rows[rows.len() - 1].len());
        self.metis(ragged)
            .or_else(|| matrix_market(first, rest, self.whole, false))
            .or_else(|| adjacency_lists(&rows, ragged, self.whole))
            .or_else(|| matrix(&rows, self.whole))
            .or_else(|| counted(first, rest, self.whole))
    }

    /// METIS: `n m`, and a line of neighbours for each vertex, each edge at both ends.
    fn metis(&self, ragged: bool) -> Option<Message> {
        let head = self.lines.iter().position(|line| !line.is_empty())?;
        let [n, m, ref more @ ..] = self.lines[head][..] else { return None };
        let rows = &self.lines[head + 1..];
        let plain = more.is_empty() || (more.len() == 1 && more[0] == 0);
        let blank = |row: &Vec<u64>| row.is_empty();
        let vertices = rows.len() - rows.iter().rev().take_while(|row| blank(row)).count();
        if n < 3 || m == 0 || (vertices as u64) > n || more.len() > 2 || rows.is_empty() {
            return None;
        }
        let entries: u64 = rows.iter().map(|row| row.len() as u64).sum();
        let is = if plain {
            let inside = rows
                .iter()
                .zip(1..)
                .all(|(row, v)| row.iter().all(|&id| id >= 1 && id <= n && id != v));
            let fits = match self.whole {
                true => Some(entries) == m.checked_mul(2) && rows.len() as u64 >= n,
                false => entries <= m.saturating_mul(2) && ragged,
            };
            inside && fits && self.symmetric(rows, 1)
        } else {
            // Weights stand between the neighbours.
            [1, 10, 11, 100, 101, 110, 111].contains(&more[0])
                && ragged
                && self.whole
                && rows.len() as u64 >= n
        };
        is.then(|| {
            Message::from(format!(
                "this looks like a METIS graph: {n} vertices and {m} edges by its first line, and a line \
                 of neighbours for each vertex"
            ))
            .with_hint(Hint::Format(Format::Metis))
        })
    }

    /// Whether row v lists w wherever row w lists v; rows that were not looked at are taken on trust.
    fn symmetric(&self, rows: &[Vec<u64>], first: u64) -> bool {
        let entries: HashSet<(u64, u64)> = rows
            .iter()
            .zip(first..)
            .flat_map(|(row, v)| row.iter().map(move |&w| (v, w)))
            .collect();
        let seen = rows.len() as u64 + first;
        entries.iter().all(|&(v, w)| w >= seen || entries.contains(&(w, v)))
    }
}

/// Matrix Market without its banner: `rows columns entries`, and the entries. Of a part of a file their third column tells
/// only if it has `decimals`.
fn matrix_market(first: &[u64], rest: &[&[u64]], whole: bool, decimals: bool) -> Option<Message> {
    let &[n, columns, entries] = first else { return None };
    let fits = match whole {
        true => entries == rest.len() as u64,
        false => entries > rest.len() as u64,
    };
    let two = rest.first()?.len();
    let inside =
        rest.iter().all(|row| row.len() == two && row.iter().take(2).all(|&id| id >= 1 && id <= n));
    (n == columns && fits && inside && (2..=3).contains(&two) && (whole || decimals || two == 2)).then(|| {
        Message::from(format!(
            "this looks like a Matrix Market file without its first line: {n} rows and columns and \
             {entries} entries; put `%%MatrixMarket matrix coordinate real general` before it, or leave \
             the line of sizes out"
        ))
        .with_hint(Hint::SkipLines)
    })
}

/// A vertex and its neighbours a line.
fn adjacency_lists(rows: &[&[u64]], ragged: bool, whole: bool) -> Option<Message> {
    let mut own = HashSet::new();
    if rows.len() < 3 || !rows.iter().all(|row| own.insert(row[0])) {
        return None;
    }
    let entries: HashSet<(u64, u64)> =
        rows.iter().flat_map(|row| row[1..].iter().map(|&w| (row[0], w))).collect();
    let symmetric = || entries.iter().all(|&(v, w)| entries.contains(&(w, v)));
    let is = if ragged {
        // Two or three columns are edges of which some have a weight.
        let known = entries.iter().filter(|(_, w)| own.contains(w)).count();
        let short = rows.iter().any(|row| row.len() == 1);
        let long = rows.iter().any(|row| row.len() > 3);
        short || (long && (!whole || 2 * known >= entries.len())) || (whole && symmetric())
    } else {
        rows[0].len() > 2 && whole && symmetric()
    };
    is.then(are_lists)
}

/// A vertex and its neighbours a line, where vertices are names, or stand between semicolons. These are `all` rows of a text or its first.
///
/// A colon stands behind the vertex of each line, or the lines differ in length, perhaps filled up with empty columns, or each edge is at both
/// ends.
pub(super) fn lists_of_names(rows: &[Row], all: bool) -> Option<Message> {
    fn ids<'a>(row: &'a Row) -> Vec<&'a [u8]> {
        let mut ids: Vec<&[u8]> = row.fields.iter().map(|field| field.text.trim_ascii()).collect();
        while ids.last().is_some_and(|id| id.is_empty()) {
            ids.pop();
        }
        ids
    }
    let mut lists: Vec<Vec<&[u8]>> = rows.iter().map(ids).filter(|list| !list.is_empty()).collect();
    let colon = lists.iter().all(|list| list[0].len() > 1 && list[0].ends_with(b":"));
    if colon {
        // What stands between neighbours may be another byte than what stands behind the vertex.
        for list in &mut lists {
            let neighbours = list.split_off(1);
            list[0] = &list[0][..list[0].len() - 1];
            let parts =
                neighbours.into_iter().flat_map(|ids| ids.split(|byte| b",; \t".contains(byte)));
            list.extend(parts.filter(|id| !id.is_empty()));
        }
    }
    let own: HashSet<&[u8]> = lists.iter().map(|list| list[0]).collect();
    if lists.len() < 3 || own.len() < lists.len() {
        return None;
    }
    let entries: HashSet<(&[u8], &[u8])> =
        lists.iter().flat_map(|list| list[1..].iter().map(|&w| (list[0], w))).collect();
    let known = entries.iter().filter(|(_, w)| own.contains(w)).count();
    let longest = lists.iter().map(Vec::len).max()?;
    let is_ragged = lists.iter().any(|list| list.len() != longest);
    let is = if colon || is_ragged {
        (colon || longest > 3) && 2 * known >= entries.len()
    } else {
        longest > 2 && all && entries.iter().all(|&(v, w)| entries.contains(&(w, v)))
    };
    is.then(are_lists)
}

/// What to say of adjacency lists.
fn are_lists() -> Message {
    Message::from(
        "these look like adjacency lists: each line begins with another vertex, and its neighbours \
         follow",
    )
    .with_hint(Hint::FormatOrEdgeList(Format::Adjacency))
}

/// The matrix itself, all of its zeros too.
fn matrix(rows: &[&[u64]], whole: bool) -> Option<Message> {
    let columns = rows[0].len();
    let bits = rows.iter().all(|row| row.len() == columns && row.iter().all(|&value| value <= 1));
    let is = columns > 2
        && bits
        && if whole { rows.len() == columns } else { rows.len() > 3 || columns > 8 };
    is.then(|| dense(columns))
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

/// A matrix of any numbers, perhaps with names of its columns and of its rows: a square of four columns or more. Where
/// these are not `all` rows of a text, they are fewer than their many columns.
pub(super) fn numbers(rows: &[Row], all: bool) -> Option<Message> {
    let last = rows.last()?;
    // With a row of names and without one, with a column of names and without.
    for names in [1, 0] {
        for index in [1, 0] {
            let columns = last.fields.len().saturating_sub(index);
            let body = &rows[names.min(rows.len())..];
            let is_square = match all {
                true => {
                    body.len() == columns && (columns > 3 || is_symmetric(body, columns, index))
                }
                false => columns > 63 && body.len() < columns,
            };
            let is_row = |row: &Row| {
                row.fields.len() == columns + index
                    && row.fields[index..].iter().all(|field| is_number(&field.text))
            };
            let header = (names == 1).then(|| &rows[0]);
            if is_square
                && !body.is_empty()
                && header.is_none_or(|row| are_names_of_columns(row, columns, index))
                && body.iter().all(is_row)
                && (index == 0 || are_names_of_rows(body, header, columns))
            {
                return Some(dense(columns));
            }
        }
    }
    None
}

/// Whether three rows with names are those of a symmetric matrix, of which few numbers tell too little.
fn is_symmetric(body: &[Row], columns: usize, index: usize) -> bool {
    let value = |row: usize, column: usize| body[row].text(column + index);
    columns == 3
        && index == 1
        && (0..columns).all(|row| (0..row).all(|column| value(row, column) == value(column, row)))
}

/// Whether a first row has the names of a matrix's columns, and perhaps one of the column of names.
fn are_names_of_columns(row: &Row, columns: usize, index: usize) -> bool {
    if row.fields.len() != columns && row.fields.len() != columns + index {
        return false;
    }
    let names = &row.fields[row.fields.len() - columns..];
    if names.iter().all(|name| is_number(&name.text)) {
        return count(names.iter().map(|name| &*name.text));
    }
    // A table of edges has names, too. One letter is no name of an end, if others have no meaning.
    let names: Vec<String> =
        row.fields.iter().map(|name| String::from_utf8_lossy(&name.text).into_owned()).collect();
    !columns::are_edges(&names)
}

/// Whether a first column has the names of a matrix's rows: they count, or are those of its columns, or each is another one
/// below a name that says nothing. Without a header they are words, each another one.
fn are_names_of_rows(body: &[Row], header: Option<&Row>, columns: usize) -> bool {
    if count(body.iter().map(|row| row.text(0))) {
        return true;
    }
    let mut own = HashSet::new();
    let mut are_own = || body.iter().all(|row| own.insert(row.text(0)));
    let Some(header) = header else {
        return body.iter().all(|row| !is_number(row.text(0))) && are_own();
    };
    let names = &header.fields[header.fields.len() - columns..];
    let same = || names.iter().zip(body).all(|(name, row)| *name.text == *row.text(0));
    let unnamed = header.fields.len() == columns || header.text(0).trim_ascii().is_empty();
    same() || (unnamed && are_own())
}

/// Whether texts are 0, 1, 2, … or 1, 2, 3, …
fn count<'a>(mut texts: impl Iterator<Item = &'a [u8]>) -> bool {
    let value = |text: &[u8]| match look(text) {
        Look::Integer(value) | Look::Whole(value) => Some(value),
        _ => None,
    };
    let Some(first) = texts.next().and_then(value).filter(|&first| first <= 1) else {
        return false;
    };
    texts.zip(first + 1..).all(|(text, number)| value(text) == Some(number))
}

/// Whether a text is a number, perhaps with a decimal comma, or says that one is missing.
pub(super) fn is_number(text: &[u8]) -> bool {
    let is_float = || str::from_utf8(text).is_ok_and(|text| text.trim().parse::<f64>().is_ok());
    is_missing(text) || is_float() || is_decimal_comma(text)
}

/// What to say of a list whose first line, as KONECT writes it, says that the two columns have ids of their own.
pub(super) fn bipartite(text: &[u8]) -> Option<Message> {
    let line = &text[..next_line(text, 0)];
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is = words.next() == Some(b"%") && words.next() == Some(b"bip") && words.next().is_some();
    is.then(|| {
        Message::from(
            "the first line says that the graph is bipartite: an id in the first column is another vertex than the same \
             id in the second, and only columns that are asked for are read as if it were one",
        )
        .with_hint(Hint::Columns { proposed: ["1", "2"].map(String::from) })
    })
}

/// A list of edges after a line `n m`.
fn counted(first: &[u64], rest: &[&[u64]], whole: bool) -> Option<Message> {
    let &[n, m] = first else { return None };
    let largest = rest.iter().flat_map(|row| row.iter().take(2)).copied().max()?;
    let is = whole && m == rest.len() as u64 && largest <= n && m >= n && m > 2;
    is.then(|| {
        Message::from(format!(
            "the first line looks like `vertices edges`: {m} lines follow, and no id in them is above {n}"
        ))
        .with_hint(Hint::SkipOrEdgeList)
    })
}

/// The line `#` of the Trivial Graph Format: every line before it begins with another id.
pub(super) fn trivial_graph_format(text: &[u8]) -> Option<usize> {
    let (mut seen, mut at) = (HashSet::new(), 0);
    while at < text.len() {
        let end = next_line(text, at);
        let line = text[at..end].trim_ascii();
        if line == b"#" {
            return (seen.len() > 1 && end < text.len()).then_some(at);
        }
        let id = line.split(|&b| is_blank(b)).next().unwrap_or_default();
        if id.is_empty() || id[0] == b'#' || id[0] == b'%' || !seen.insert(id) {
            return None;
        }
        at = end;
    }
    None
}

/// Whether a text is in the format of Large Graph Layout: lines `# vertex`, and below each a neighbour a line, with a
/// weight or without. A plain list may have comments of one word, too, but none that is a vertex.
pub(super) fn is_lgl(text: &[u8]) -> bool {
    let (mut vertices, mut neighbours) = (HashSet::new(), HashSet::new());
    let (mut at, mut alone) = (0, true);
    while at < text.len() && neighbours.len() < MOST_LINES {
        let end = next_line(text, at);
        let line = text[at..end].trim_ascii();
        at = end;
        let words: Vec<&[u8]> =
            line.split(|&b| is_blank(b)).filter(|word| !word.is_empty()).take(3).collect();
        match words[..] {
            [] => {}
            [b"#", vertex] => _ = vertices.insert(vertex),
            [neighbour, ref weight @ ..] if neighbour[0] != b'#' && weight.len() < 2 => {
                if vertices.is_empty() {
                    return false;
                }
                alone &= weight.is_empty();
                neighbours.insert(neighbour);
            }
            _ => return false,
        }
    }
    vertices.len() > 1
        && !neighbours.is_empty()
        && (alone || vertices.iter().any(|vertex| neighbours.contains(vertex)))
}

/// Whether a text holds lines that NetworkX, Python or a plain pen would write: `(0, 1)`, `0 -> 1`.
pub(super) fn decorated(line: &[u8]) -> Option<&'static str> {
    let line = line.trim_ascii();
    let line = &line[..line.iter().position(|&b| ends_line(b)).unwrap_or(line.len())];
    match line {
        [b'(', .., b')'] | [b'(', .., b')', b','] => Some("parentheses around each edge"),
        [b'[', .., b']'] | [b'[', .., b']', b','] => Some("brackets around each edge"),
        [b'{', .., b'}'] | [b'{', .., b'}', b','] if holds_columns(line) => {
            Some("braces around each edge")
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        Lines::of(text.as_bytes(), 0, true)?.told().map(|message| message.to_string())
    }

    #[test]
    fn other_formats_are_told() {
        for (text, what) in [
            ("4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", "METIS"),
            ("% c\n4 3\n2\n1 3\n2 4\n3\n", "METIS"),
            ("4 4\n2 4\n1 3\n2 4\n1 3\n", "METIS"),
            ("5 3\n2 3\n1 3\n1 2\n\n\n", "METIS"),
            ("4 4 4\n1 2\n2 3\n3 4\n1 4\n", "Matrix Market"),
            ("4 4 4\n1 2 1\n2 3 1\n3 4 1\n1 4 1\n", "Matrix Market"),
            ("4 4 4\n1 2 0.5\n2 3 1e-3\n3 4 -1\n1 4 1\n", "Matrix Market"),
            ("0 1 2 3\n1 2 3\n2 3\n3\n", "adjacency"),
            ("0: 1 2\n1: 0 2\n2: 0 1\n", "adjacency"),
            ("0 1 3\n1 0 2\n2 1 3\n3 2 0\n", "adjacency"),
            ("0 1 1\n1 0 1\n1 1 0\n", "adjacency matrix"),
            ("0,1,1\n1,0,0\n1,0,0\n", "adjacency matrix"),
            ("4 6\n1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n", "vertices edges"),
        ] {
            let found = told(text).unwrap_or_default();
            assert!(found.contains(what), "{text:?}: {found}");
        }
    }

    #[test]
    fn edges_are_not_told_as_something_else() {
        for text in [
            "",
            "0 1\n",
            "0 1\n1 2\n2 0\n",
            "3 2\n1 2\n1 3\n",
            "1 2\n2 1\n",
            "0 1 5\n1 2 7\n2 0 9\n",
            "0 1 1\n1 2 1\n2 0 1\n0 3 1\n",
            "1 2 3 4\n2 3 4 5\n1 3 1 1\n",
            "0 1\n1 0\n0 2\n2 0\n1 2\n2 1\n",
            "1 2 1\n1 3 1\n2 3\n",
            "0 1\n1 2 7\n2 0\n",
            "0 1 0.5\n1 0 0.5\n",
            "2 2 0.5\n1 2 0.5\n1 1 0.5\n",
            "18446744073709551615 18446744073709551614\n4 5\n5 6\n",
        ] {
            assert_eq!(told(text), None, "{text:?}");
        }
    }
}
