//! Whether the first line of a text table names its columns.

use std::collections::HashSet;

use super::super::input::{BYTE_ORDER_MARK, excerpt};
use super::super::{Options, columns, end_names, overlap};
use super::cut::{SampledRow, TableCut};
use super::decide;
use super::fields::Delimiter;
use super::id::IdNotation;
use crate::{Message, hint};

/// The names of the columns.
pub(super) struct Header {
    pub(super) names: Vec<String>,
    /// Whether the first row has them, and not a line that begins as a comment does.
    pub(super) is_row: bool,
}

/// Finds the names of the columns in the first row, or in the comment before it.
///
/// # Errors
/// Where the first line may be a header or an edge.
pub(super) fn find(cut: &TableCut, options: &Options) -> Result<Option<Header>, Message> {
    let mut names = cut.rows[0].strings();
    if names.len() > 1 && names.len() + 1 == cut.columns {
        let place = if has_row_names(&names, &cut.rows[1..]) { 0 } else { names.len() };
        names.insert(place, String::new());
    }
    let is_row = match options.header {
        Some(false) => return Ok(None),
        Some(true) => true,
        None => is_asked_for(&names, options) || names_columns(&names, cut)?,
    };
    Ok(if is_row { Some(Header { names, is_row }) } else { of_comment(cut) })
}

/// Whether a header that is one name short lacks that of the first column, which has the names of the rows, and not that of the last
/// one. R writes no name above the names of the rows, which differ. What stands in columns before the ends may be anything.
///
/// The reading whose ends share more values is the likely one, unless it pairs integers with something else. Numbers of rows are among
/// small ids by chance, so that it says little how many values they share.
fn has_row_names(names: &[String], rows: &[SampledRow]) -> bool {
    let ends = end_names::ends(names).unwrap_or([0, 1]);
    let behind = ends.map(|place| place + 1);
    let values = |place: usize| rows.iter().map(|row| row.text(place)).collect::<HashSet<_>>();
    let is_copy =
        |[one, other]: [usize; 2]| rows.iter().all(|row| row.text(one) == row.text(other));
    // A column and its copy are the numbers of the rows.
    let share = |[one, other]: [usize; 2]| match is_copy([one, other]) {
        true => 0.0,
        false => overlap::share(&values(one), &values(other)),
    };
    let are_integers =
        |place: usize| rows.iter().all(|row| matches!(row.look(place), IdNotation::Integer(_)));
    let are_like = |[one, other]: [usize; 2]| are_integers(one) == are_integers(other);
    let [shared, shared_behind] = [ends, behind].map(share);
    let says_little = are_integers(0) && (shared_behind > 0.0 || shared < overlap::MUCH);
    (!ends.contains(&0) || values(0).len() == rows.len())
        && are_like(behind) >= are_like(ends)
        && (shared_behind >= shared || says_little)
}

/// Whether a column is asked for by a name that stands in the first row.
fn is_asked_for(names: &[String], options: &Options) -> bool {
    let is_name =
        |asked: &String| asked.parse::<usize>().is_err() && columns::find(asked, names, 0).is_ok();
    options.columns.as_ref().is_some_and(|columns| columns.names().iter().any(is_name))
}

/// Whether the first row names the columns.
fn names_columns(names: &[String], cut: &TableCut) -> Result<bool, Message> {
    if names.len() < cut.columns || names.iter().any(|name| is_number(name.trim().as_bytes())) {
        // Columns that have numbers for names stand behind an index that has none: so pandas writes them.
        let mut counted = names[1..].iter().zip(0u64..);
        let is_index = cut.rows[0].fields.len() == cut.columns && names[0].trim().is_empty();
        return Ok(is_index
            && names.len() > 2
            && counted.all(|(name, n)| name.trim().parse() == Ok(n)));
    }
    // Tables that were put one after the other have their header again.
    let is_again = |row: &&SampledRow| {
        row.fields.iter().map(|field| &*field.text).eq(names.iter().map(String::as_bytes))
            || row.line.starts_with(BYTE_ORDER_MARK)
    };
    let rest: Vec<&SampledRow> = cut.rows[1..].iter().filter(|row| !is_again(row)).collect();
    let comes_again =
        |name: &str| rest.iter().any(|row| row.strings().iter().any(|id| id.trim() == name.trim()));
    // An index has no name, unless this is an edge of which one end is missing.
    let is_nameless = names[0].trim().is_empty() && !(names.len() == 2 && comes_again(&names[1]));
    let has_index = is_nameless && rest.iter().all(|row| !row.text(0).is_empty());
    let are_numbers = |place: usize| rest.iter().all(|row| is_number(row.text(place)));
    // `NA` above numbers is a weight that is not known.
    let is_name = |name: &str| !super::is_missing(name.trim().as_bytes());
    let named_numbers = (0..cut.columns).any(|place| is_name(&names[place]) && are_numbers(place));
    if cut.is_open || (!rest.is_empty() && (has_index || named_numbers)) {
        return Ok(true);
    }
    let Some(ends) = end_names::ends(names) else { return Ok(false) };
    let own = ends.map(|place| names[place].trim());
    // `user1@x.org,user2@x.org` above `user3@x.org,user4@x.org`: names that are numbered are of one kind.
    let [one, other] = own.map(numberless);
    let is_alike = |row: &&SampledRow| ends.iter().any(|&at| numberless(&row.string(at)) == one);
    if one == other && rest.iter().any(is_alike) {
        return Ok(false);
    }
    // Letters are vertices more often than names of columns.
    let are_letters = own.iter().all(|name| name.len() <= 2);
    let come_again =
        rest.iter().any(|row| ends.iter().any(|&at| own.contains(&row.string(at).trim())));
    if !come_again || are_letters {
        return Ok(!(come_again || are_letters && rest.is_empty()));
    }
    let message = format!(
        "the first line has the words of the two ends of an edge, {} and {}, and one of them comes again below it: it may \
         name the columns, or be an edge",
        excerpt(own[0].as_bytes()),
        excerpt(own[1].as_bytes())
    );
    Err(Message::from(message).with_hint(" (say `--header yes` or `--header no`)"))
}

/// The names in the last line before the first row that begins as a comment does. It has a name for each column, and none is
/// a number. Between blanks they are words of a sentence, unless two are those of the ends of an edge, or there are two and no
/// blank is behind the mark.
fn of_comment(cut: &TableCut) -> Option<Header> {
    let (row, is_bare) = cut.comment.as_ref()?;
    let names = row.strings();
    let are_names =
        names.len() == cut.columns && !names.iter().any(|name| is_number(name.trim().as_bytes()));
    let are_ends = end_names::ends(&names).is_some();
    let is_cut = matches!(cut.delimiter, Delimiter::Byte(_)) || (*is_bare && cut.columns == 2);
    if !are_names || !(are_ends || is_cut) {
        return None;
    }
    Some(Header { names, is_row: false })
}

/// Whether a text is a number of any kind.
fn is_number(text: &[u8]) -> bool {
    !super::is_missing(text) && decide::is_number(text)
}

fn numberless(name: &str) -> String {
    name.trim().replace(|c: char| c.is_ascii_digit(), "")
}

/// A warning of a first row among names that may be a header: its names do not come again, and no others that are numbered as its
/// first one is.
pub(super) fn doubtful(rows: &[SampledRow], places: [usize; 2]) -> Option<String> {
    let [first, rest @ ..] = rows else { return None };
    let own = places.map(|place| first.text(place));
    let kind = numberless(&first.string(places[0]));
    let is_alike = |name: &str| !kind.is_empty() && numberless(name) == kind;
    let comes_again = |row: &SampledRow| {
        places.iter().any(|&at| own.contains(&row.text(at)) || is_alike(&row.string(at)))
    };
    (rest.len() >= 3 && own[0] != own[1] && !rest.iter().any(comes_again)).then(|| {
        format!(
            "the first line, {}, was read as an edge, and its names do not come again in the lines that were looked at: if \
             it names the columns, say `--header yes`",
            excerpt(first.line)
        )
    })
}

/// The message for a table that tribin wrote and that holds no edges. `sample` has the first values of its columns.
pub(crate) fn own_table(names: &[String], sample: &[Vec<String>]) -> Option<Message> {
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    // A third column may hold weights: of a triangle it is a vertex, called by a name or a larger number. One row of numbers is an edge.
    let number = |text: &String| text.parse::<f64>().ok();
    let ascends = |row: usize| match [0, 1, 2].map(|column| number(&sample[column][row])) {
        [Some(u), Some(v), Some(w)] => sample[2].len() > 1 && u < v && v < w && w.fract() == 0.0,
        [_, _, w] => w.is_none() && !sample[2][row].is_empty(),
    };
    let are_triangles = || match sample {
        [u, v, w] => !w.is_empty() && (0..u.len().min(v.len()).min(w.len())).all(ascends),
        _ => false,
    };
    let [what, command] = match names[..] {
        ["vertex", "degree", "triangles", ..] => ["table of vertices", "local"],
        ["u", "v", "w"] if are_triangles() => ["list of triangles", "list"],
        _ => return None,
    };
    let message = format!(
        "this is a {what}, as `tribin {command}` writes it: its rows are no edges; read the graph that it was made of"
    );
    Some(Message::from(message).with_hint(hint::NAME_COLUMNS))
}
