//! Whether the first line of a text table names its columns.

use super::super::Options;
use super::super::columns;
use super::super::input::{BYTE_ORDER_MARK, excerpt, next_line, skip_blanks};
use super::comments::is_mark;
use super::ends::is_alone;
use super::fields::{self, BadQuote, Delimiter};
use super::id::{Look, look};
use super::moment;
use crate::{Hint, Message};

/// The rows behind the first.
pub(super) struct View<'a> {
    pub(super) delimiter: Delimiter,
    pub(super) rest: Vec<Vec<&'a [u8]>>,
}

/// Whether there is a header, and a whole sentence why.
pub(super) struct Found {
    pub(super) is_header: bool,
    pub(super) reason: String,
}

/// Decides by the first line and the rows behind it.
///
/// # Errors
/// Where the first line may be either.
pub(super) fn find(
    first: &[String],
    view: &View,
    columns: usize,
    options: &Options,
) -> Result<Found, Message> {
    let found = |is_header: bool, reason: &str| Ok(Found { is_header, reason: reason.to_owned() });
    if let Some(header) = options.header {
        return found(header, "The first line was said to name the columns.");
    }
    if view.delimiter == Delimiter::OneBlank {
        // A dictionary ends the first line, too.
        return found(false, "");
    }
    let integer = |text: &[u8]| {
        matches!(look(text), Look::Integer(_) | Look::Padded(_) | Look::Whole(_) | Look::TooLarge)
    };
    let number = |text: &[u8]| {
        integer(text) || std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok())
    };
    let shift = usize::from(first.len() + 1 == columns);
    // Tables that were put one after the other have their header again.
    let again = |row: &&Vec<&[u8]>| {
        let texts = row.iter().map(|text| text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
        texts.eq(first.iter().map(String::as_bytes))
    };
    let of_rest = |place: usize, is: &dyn Fn(&[u8]) -> bool| {
        let mut rest = view.rest.iter().filter(|row| !again(row)).peekable();
        rest.peek().is_some() && rest.all(|row| row.get(place + shift).is_some_and(|text| is(text)))
    };
    let empty_or_word =
        |name: &String| name.trim().is_empty() || name.chars().any(char::is_alphanumeric);
    let has_digit = |name: &String| name.chars().any(|c| c.is_ascii_digit());
    // One name beside the names of rows, as R writes a table, would leave one column for two ends.
    if !first.iter().all(empty_or_word) || (shift == 1 && first.len() < 2 && has_digit(&first[0])) {
        return found(false, "");
    }
    // A number would be an odd name of a column, beside an index that has none.
    // Several numbers in what is one column by the delimiter of other lines are no name either.
    let holds_numbers = |name: &&String| {
        let words = name.split(|c: char| c.is_whitespace() || ",;|".contains(c));
        words.filter(|word| !word.is_empty()).any(|word| number(word.as_bytes()))
            && (number(name.trim().as_bytes()) || first.len() < columns)
    };
    let numbers = first.iter().filter(holds_numbers).count();
    let unnamed = first.first().is_some_and(|name| name.trim().is_empty());
    if unnamed && of_rest(0, &|text| !text.is_empty()) && first.len() == columns {
        let is_named = |text: &[u8]| first[1..].iter().any(|name| name.trim().as_bytes() == text);
        let mut rest = view.rest.iter().filter(|row| !again(row));
        // Of more columns others are the ends, whose vertices may be called as the columns are.
        if columns == 2 && rest.any(|row| row.iter().any(|text| !text.is_empty() && is_named(text)))
        {
            let message = "the first line has no name for the first column, and another of its names comes again below it: it \
                           may name the columns, or be an edge of which one end is missing";
            return Err(Message::from(message).with_hint(Hint::Header));
        }
        // A tab before numbers may be what moves a line to the right. Before the numbers from 0 on it stands behind
        // an index without a name: so pandas writes columns that have no names.
        let counted =
            || first[1..].iter().zip(0u64..).all(|(name, n)| name.trim().parse() == Ok(n));
        if view.delimiter == Delimiter::Byte(b'\t') && numbers > 0 && !counted() {
            let message = "the first line begins with a tab and has numbers: it may name the columns behind an index \
                           that has no name, or be moved to the right";
            return Err(Message::from(message).with_hint(Hint::Header));
        }
        return found(true, "The first line has no name for the first column, which has values.");
    }
    if numbers > 0 {
        return found(false, "");
    }
    for place in 0..first.len() {
        if of_rest(place, &integer) || of_rest(place, &number) {
            return found(
                true,
                "The first line names the columns: it has no number where all other lines have one.",
            );
        }
    }
    let is_moment = |text: &[u8]| std::str::from_utf8(text).is_ok_and(moment::is_moment);
    for (place, name) in first.iter().enumerate() {
        if of_rest(place, &is_moment) && !moment::is_moment(name) {
            return found(
                true,
                "The first line names the columns: it has no date or time where all other lines have one.",
            );
        }
    }
    let Some([a, b]) = columns::ends(first) else { return found(false, "") };
    // A name that ends with the end of a line is another one than that without.
    let is_plain = |name: &String| name.trim_matches(' ') == name.trim();
    if ![a, b].iter().all(|&place| is_plain(&first[place])) {
        return found(false, "");
    }
    let weak = [a, b].iter().all(|&place| first[place].trim().len() <= 2);
    let pair =
        |row: &Vec<&'_ [u8]>| [a, b].map(|p| row.get(p + shift).map_or(Vec::new(), |t| t.to_vec()));
    let names = [a, b].map(|place| first[place].trim().as_bytes().to_vec());
    let rest = || view.rest.iter().filter(|row| !again(row));
    let is_name = |id: &Vec<u8>| names.iter().any(|name| name == id.trim_ascii());
    // `user1,user2` above `user3,user4`: names that are numbered are of one kind.
    let numbered = [a, b].iter().all(|&place| has_digit(&first[place]));
    let is_alike = |row: &Vec<&[u8]>| {
        pair(row).iter().zip(&names).any(|(id, name)| without_numbers(id) == without_numbers(name))
    };
    if numbered && rest().any(is_alike) {
        return found(false, "");
    }
    let are_ids = rest().any(|row| pair(row).iter().any(is_name));
    if are_ids && !weak && !numbered {
        let message = format!(
            "the first line has the words of the two ends of an edge, {} and {}, and one of them comes again below it: it may \
             name the columns, or be an edge",
            excerpt(&names[0]),
            excerpt(&names[1])
        );
        return Err(Message::from(message).with_hint(Hint::Header));
    }
    // Letters are vertices more often than names of columns.
    if are_ids || (weak && view.rest.is_empty()) {
        return found(false, "");
    }
    found(true, "The first line names the columns: its words are those of the two ends of an edge.")
}

/// A name with one digit in the place of each number.
fn without_numbers(name: &[u8]) -> Vec<u8> {
    let mut kept: Vec<u8> =
        name.iter().map(|&byte| if byte.is_ascii_digit() { b'0' } else { byte }).collect();
    kept.dedup_by(|next, before| *next == b'0' && *before == b'0');
    kept
}

/// The names of the columns in the last comment before the first row, if it has names of two ends.
pub(super) fn of_comment(
    text: &[u8],
    start: usize,
    first_row: Option<usize>,
    delimiter: Delimiter,
) -> Option<Comment> {
    let (mut at, mut last) = (start, None);
    while at < first_row? {
        let first = skip_blanks(text, at);
        if is_mark(&text[first..]) {
            last = Some(first);
        }
        at = next_line(text, at);
    }
    let mut at = last?;
    let next = next_line(text, at);
    // Comments that were made comments once more have several marks.
    while text.get(at).is_some_and(|byte| b"#%/ \t".contains(byte)) {
        at += 1;
    }
    let (fields, _) = fields::split(text, skip_blanks(text, at), delimiter, false).ok()?;
    let names = fields.iter().map(|field| String::from_utf8_lossy(&field.text).into_owned());
    let names: Vec<String> = names.collect();
    // A comment with a number is an edge that was taken out.
    let is_edge = names.iter().any(|name| name.trim().parse::<f64>().is_ok());
    (!is_edge).then_some(Comment { names, next })
}

/// A comment that may name the columns.
pub(super) struct Comment {
    pub(super) names: Vec<String>,
    /// Where the line behind it begins.
    pub(super) next: usize,
}

impl Comment {
    /// Whether it names the columns, and is no row of names that begin as comments do. It does if it has the words of the two
    /// ends of an edge, which do not come again in rows with these ends.
    pub(super) fn names_columns<'a>(
        &self,
        columns: usize,
        rows: impl Iterator<Item = [&'a [u8]; 2]>,
    ) -> bool {
        let are_marked = self.names.iter().any(|name| is_mark(name.as_bytes()));
        let Some(ends) = columns::ends(&self.names) else { return false };
        let ends = ends.map(|place| self.names[place].as_bytes());
        let mut rows = rows.flatten();
        self.names.len() == columns && !are_marked && !rows.any(|name| ends.contains(&name))
    }
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

/// A note on a first line that may be a header, among names.
pub(super) fn doubtful<'a>(
    pairs: impl Iterator<Item = [&'a [u8]; 2]>,
    line: &[u8],
) -> Option<String> {
    is_alone(pairs).then(|| {
        format!(
            "the first line, {}, was read as an edge, and its names do not come again in the lines that \
             were looked at: if it names the columns, say that there is a header",
            excerpt(line.trim_ascii())
        )
    })
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
