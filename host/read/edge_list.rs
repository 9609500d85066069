//! Lists of two integers a line: what SNAP, GraphChallenge, KONECT and most others publish.

use std::ops::Range as Span;

use super::entries::{Fault, FaultKind, Line, Range, Rule, count_tail, line, two};
use super::input::{ends_line, excerpt, is_blank, next_line, skip_blanks};
use super::table::comments::is_mark;
use super::table::dialect::{Decision, Ids};
use super::table::dropped::Dropped;
use super::table::fields::{self, Delimiter};
use super::table::is_missing;
use super::weights::is_decimal_comma;
use crate::{Hint, Message};

const ALL: Range = Range { first: 0, last: u64::MAX };

/// What every line must look like.
const WANTED: &str = "each line needs two vertex ids separated by a blank, a tab or a comma";

/// Integers in the first two columns, without quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain<'a> {
    /// The number of columns that each line must have; 0 for any.
    columns: usize,
    delimiter: Delimiter,
    /// The byte that stands between columns, where it is known that nothing else does.
    known: Option<u8>,
    /// Whether leading zeros mean nothing.
    padded: bool,
    dropped: &'a Dropped<'a>,
}

impl<'a> Plain<'a> {
    pub(super) fn new(decision: &Decision, dropped: &'a Dropped<'a>) -> Plain<'a> {
        Plain {
            columns: decision.columns().unwrap_or(0),
            delimiter: decision.delimiter(),
            known: decision.known_delimiter(),
            padded: decision.ids() == Ids::Integers { padded: true },
            dropped,
        }
    }

    /// Any line that is not as most are.
    fn any(self, text: &[u8], at: usize) -> Result<Line, Fault> {
        if fields::is_empty_row(text, at, self.delimiter) {
            return Ok((None, next_line(text, skip_blanks(text, at))));
        }
        let first = skip_blanks(text, at);
        if is_mark(&text[first..]) {
            self.dropped.comment();
            return Ok((None, next_line(text, first)));
        }
        let (pair, next) = match line(text, at, ALL) {
            Err(Fault { kind: FaultKind::NotNumber, .. }) if self.is_header(text, at) => {
                return Ok((None, next_line(text, at)));
            }
            found => found?,
        };
        if pair.is_none() {
            return Ok((pair, next));
        }
        let ids = ids_of(text, at);
        // What is said to be an edge list has its ends in front, whatever stands between them.
        let is_mixed = self.columns > 0 && !matches!(self.delimiter, Delimiter::Byte(_));
        if are_cut_twice(text, &ids) || (is_mixed && have_bare_comma(text, &ids)) {
            return Err(Fault { at: ids[0].start, kind: FaultKind::CutTwice });
        }
        for id in &ids {
            if !self.padded && id.len() > 1 && text[id.start] == b'0' {
                return Err(Fault { at: id.start, kind: FaultKind::Padded });
            }
        }
        if let Delimiter::Byte(byte) = self.delimiter {
            self.check_cut(byte, text, at..next, &ids)?;
        }
        self.tail(text, at, ids[1].end, next)?;
        Ok((pair, next))
    }

    /// Whether a line has the names of the columns once more.
    fn is_header(self, text: &[u8], at: usize) -> bool {
        let fields = fields::split(text, at, self.delimiter, false);
        fields.is_ok_and(|(fields, _)| match &fields[..] {
            [first, second, ..] => self.dropped.is_header([&first.text, &second.text]),
            _ => false,
        })
    }

    /// Checks that a line with these ids is cut at one byte. A line without that byte may be cut at blanks in a list where
    /// lines may differ.
    fn check_cut(
        self,
        byte: u8,
        text: &[u8],
        line: Span<usize>,
        [first, second]: &[Span<usize>; 2],
    ) -> Result<(), Fault> {
        let cuts = |place: Span<usize>| text[place].iter().filter(|&&b| b == byte).count();
        if self.known.is_none() && cuts(line.clone()) == 0 {
            return Ok(());
        }
        let fault = |at| Err(Fault { at, kind: FaultKind::NotNumber });
        if cuts(line.start..first.start) > 0 {
            return fault(line.start);
        }
        let between = first.end..second.start;
        match cuts(between.clone()) {
            0 if cuts(line) == 0 => {
                return Err(Fault { at: first.start, kind: FaultKind::OneColumn });
            }
            0 => return fault(first.start),
            1 => {}
            _ => {
                return fault(
                    between.start + 1 + text[between].iter().take_while(|&&b| b != byte).count(),
                );
            }
        }
        let behind = skip_pads(text, second.end, byte);
        match text.get(behind) {
            Some(&b) if b != byte && !ends_line(b) => fault(second.start),
            _ => Ok(()),
        }
    }

    /// Checks what stands between the second id and the next line.
    #[inline(always)]
    fn tail(self, text: &[u8], at: usize, end: usize, next: usize) -> Result<(), Fault> {
        if self.columns == 0 {
            return Ok(());
        }
        if memchr::memchr(b'"', &text[end..next]).is_some() {
            // Quotes are looked at by the reader of rows.
            return Err(Fault { at, kind: FaultKind::OpenQuote });
        }
        let columns = 1 + count_tail(text, end, next, self.delimiter);
        // Some lines may have a weight and others none.
        let weights = (2..=3).contains(&columns) && (2..=3).contains(&self.columns);
        match weights || columns == self.columns {
            true => Ok(()),
            false => Err(Fault { at, kind: FaultKind::Columns(columns) }),
        }
    }
}

/// Whether a line begins with two integers.
pub(super) fn is_pair(text: &[u8], at: usize) -> bool {
    line(text, at, ALL).is_ok_and(|(pair, _)| pair.is_some())
}

/// Where the two ids of a line are that holds an entry.
fn ids_of(text: &[u8], at: usize) -> [Span<usize>; 2] {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = skip_blanks(text, at);
    let end = start + digits(start);
    let second = end + separator(&text[end..]).len();
    [start..end, second..second + digits(second)]
}

/// What stands between two columns, at the beginning of a text.
fn separator(text: &[u8]) -> &[u8] {
    &text[..text.iter().take_while(|byte| b" \t,".contains(byte)).count()]
}

/// The first position from `at` on that holds no blank that pads columns between which a byte stands.
fn skip_pads(text: &[u8], at: usize, byte: u8) -> usize {
    at + text[at..].iter().take_while(|&&b| is_blank(b) && b != byte).count()
}

/// Whether a line holds an entry that would be cut within numbers with decimal commas: `1,0\t2,0` and `1,0 2,0` are no
/// vertices 1 and 0.
pub(super) fn is_cut_twice(text: &[u8], at: usize) -> bool {
    is_pair(text, at) && are_cut_twice(text, &ids_of(text, at))
}

/// Whether an entry would be cut within numbers with decimal commas, in a line that has its ids at these places. Either a tab
/// is on one side of the second and a comma on the other. Or the second is the end of a number with a decimal comma, and
/// another such number follows.
fn are_cut_twice(text: &[u8], [first, second]: &[Span<usize>; 2]) -> bool {
    let (between, tail) = (&text[first.end..second.start], &text[second.end..]);
    let behind = separator(tail);
    let next = &tail[behind.len()..];
    let next =
        &next[..next.iter().position(|&b| is_blank(b) || ends_line(b)).unwrap_or(next.len())];
    match between {
        _ if next.is_empty() => false,
        between if between.contains(&b',') => {
            let tab = behind.contains(&b'\t') && !behind.contains(&b',');
            tab || (between == b"," && behind.starts_with(b" ") && is_decimal_comma(next))
        }
        // A tab behind the second id is the delimiter, whatever follows it.
        between if between.contains(&b'\t') => behind.iter().find(|&&b| b != b' ') == Some(&b','),
        _ => false,
    }
}

/// Whether a comma without a blank stands on one side of a line's second id, and blanks alone on the other. Such a comma may be
/// that of a decimal number: `0,5 1 2` may be the weight 0.5 and the vertices 1 and 2.
fn have_bare_comma(text: &[u8], [first, second]: &[Span<usize>; 2]) -> bool {
    let (between, tail) = (&text[first.end..second.start], &text[second.end..]);
    let behind = separator(tail);
    let is_last = tail.get(behind.len()).is_none_or(|&byte| ends_line(byte));
    let are_blanks = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(|&byte| is_blank(byte));
    !is_last && ((between == b"," && are_blanks(behind)) || (are_blanks(between) && behind == b","))
}

impl Rule for Plain<'_> {
    #[inline(always)]
    fn entry(self, text: &[u8], at: usize) -> Result<Line, Fault> {
        let Some(ids) = two(text, at) else { return self.any(text, at) };
        let zero = |at: usize| text[at] == b'0' && text.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !self.padded && (zero(at) || zero(ids.second)) {
            return self.any(text, at);
        }
        if self.known.is_some_and(|byte| byte != text[ids.second - 1]) {
            return self.any(text, at);
        }
        match text.get(ids.end) {
            Some(b'\n') if self.columns <= 3 => Ok((Some((ids.u, ids.v)), ids.end + 1)),
            Some(&behind @ (b' ' | b'\t' | b',')) => {
                if behind != text[ids.second - 1] {
                    return self.any(text, at);
                }
                let next = next_line(text, ids.end);
                self.tail(text, at, ids.end, next)?;
                Ok((Some((ids.u, ids.v)), next))
            }
            _ => self.any(text, at),
        }
    }

    fn restart(self) {
        self.dropped.restart();
    }
}

/// What to say of an id that is no integer, or is not there.
pub(super) fn message(kind: FaultKind, token: &[u8]) -> Message {
    let found = excerpt(token);
    let unwanted = |what: String| Message::from(format!("{what}: {WANTED}"));
    match kind {
        FaultKind::NotNumber if is_negative(token) => Message::from(format!(
            "the vertex id {found} is negative: ids are integers from 0 to 2^64-1, renumber the vertices"
        ))
        .with_hint(Hint::NamesAsIds),
        FaultKind::NotNumber if is_missing(token) => {
            let what = if token.is_empty() { "a column is empty" } else { "a value is missing" };
            let shown = if token.is_empty() { String::new() } else { format!(", {found},") };
            Message::from(format!("{what}{shown} where a vertex id was expected")).with_hint(Hint::Missing)
        }
        FaultKind::TooLarge => Message::from(format!(
            "the vertex id {found} is too large: ids go up to 2^64-1 (18446744073709551615), renumber the \
             vertices"
        ))
        .with_hint(Hint::NamesAsIds),
        FaultKind::OneColumn => {
            unwanted(format!("only one column, {found}")).with_hint(Hint::CommentOrFormat)
        }
        _ => unwanted(format!("{found} is not a vertex id")).with_hint(Hint::CommentOrNames),
    }
}

/// Whether a token is a minus sign and digits.
pub(super) fn is_negative(token: &[u8]) -> bool {
    token.len() > 1 && token[0] == b'-' && token[1..].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::input::Input;
    use super::super::progress::Meter;
    use super::super::source::RegularFile;
    use super::super::{Format, Options, oracle, table};
    use crate::{Graph, Result};

    /// Lines may differ where the format is asked for.
    fn asked() -> Options {
        Options {
            format: Some(Format::EdgeList),
            ids: super::super::IdKind::Integers,
            header: Some(false),
            ..Options::default()
        }
    }

    fn parse(input: &Input) -> Result<Graph> {
        table::parse(input, &asked())
    }

    fn stream(file: &RegularFile, piece: usize) -> Result<Option<Graph>> {
        table::stream(file, &asked(), piece, &Meter::none())
    }

    proptest! {
        /// Chunks of any size give the edges, or the error, of a parser that reads line by line.
        #[test]
        fn chunks_as_line_by_line(
            lines in prop::collection::vec(oracle::edge_list_line(), 0..30),
            chunk in 1usize..80,
            newline_at_end in any::<bool>(),
        ) {
            let mut text = lines.concat();
            if !newline_at_end && text.last() == Some(&b'\n') {
                text.pop();
            }
            let parsed = oracle::with_chunk(&text, chunk, parse);
            match (parsed, oracle::edge_list(&text)) {
                (Ok(graph), Ok(edges)) => {
                    prop_assert_eq!(oracle::original_edges(&graph), edges);
                }
                (Err(error), Err(line)) => {
                    let message = error.to_string();
                    prop_assert!(message.starts_with(&format!("test:{line}: ")), "{message}, line {line}");
                }
                (parsed, edges) => prop_assert!(false, "{parsed:?}, oracle {edges:?}"),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        /// Pieces of any size give what the whole file gives, or leave it to that.
        #[test]
        fn pieces_as_line_by_line(
            lines in prop::collection::vec(oracle::edge_list_line(), 1..30),
            piece in 1usize..80,
            threads in 1usize..4,
        ) {
            let text = lines.concat();
            let pool = tribin_base::par::Pool::start(threads, "test").unwrap();
            let streamed = oracle::with_file(&text, |file| {
                pool.install(|| stream(file, piece))
            });
            match (streamed, oracle::edge_list(&text)) {
                (Ok(Some(graph)), Ok(edges)) => {
                    prop_assert_eq!(oracle::original_edges(&graph), edges);
                }
                (Ok(None), _) => {
                    let wide = text.split(|b| !b.is_ascii_digit()).any(|id| id.len() > 9);
                    let longest = text.split(|b| b"\r\n".contains(b)).map(<[u8]>::len).max();
                    prop_assert!(wide || longest.unwrap() + 2 >= piece, "why not?");
                }
                (Err(error), Err(line)) => {
                    let place = format!("test:{line}: ");
                    prop_assert!(error.to_string().contains(&place), "{error}, {place}");
                }
                (parsed, edges) => prop_assert!(false, "{parsed:?}, oracle {edges:?}"),
            }
        }
    }

    /// The samples see long lines only: the room for the entries is too small, and lines are counted.
    #[test]
    fn lines_that_get_shorter_where_nobody_looks() {
        let long = "1000000 2000000                                  \n".repeat(1 << 15);
        let text = format!("{long}{}{long}", "1 2\n".repeat(1 << 14));
        let graph =
            oracle::with_file(text.as_bytes(), |file| stream(file, 1 << 12).unwrap().unwrap());
        assert_eq!(graph.edges().len(), (1 << 16) + (1 << 14));
        assert_eq!(oracle::original_edges(&graph)[1 << 15], [1, 2]);
    }

    #[test]
    fn numbers_with_decimal_commas_are_told() {
        for (line, expected) in [
            ("1,0\t2,0", true),
            ("1\t2,0", true),
            ("1\t2 ,0", true),
            ("1,0 \t2", true),
            ("1,0 2,0", true),
            ("1,0  -2,5 7", true),
            ("1,2\t", false),
            ("1\t2,", false),
            ("1,2 3", false),
            ("1,2 3 4,5", false),
            ("1, 2 3,4", false),
            ("1,\t2,\t3", false),
            ("1,2\t,3", false),
            ("1\t2\t,3", false),
            ("1\t2\t3,5", false),
            ("1 2,3\t4", false),
            ("1\t2", false),
            ("a\t2,3", false),
        ] {
            assert_eq!(super::is_cut_twice(line.as_bytes(), 0), expected, "{line:?}");
            let line = format!("{line}\n");
            assert_eq!(super::is_cut_twice(line.as_bytes(), 0), expected, "{line:?}");
        }
    }

    #[test]
    fn gaps_between_chunks_are_closed_in_order() {
        let text = b"# a\n1 2\n\n3 4\n# b\n# c\n5 6\n//\n7 8";
        for chunk in 1..40 {
            let graph = oracle::with_chunk(text, chunk, parse).unwrap();
            assert_eq!(graph.edges(), [[1, 2], [3, 4], [5, 6], [7, 8]], "chunk {chunk}");
        }
    }

    #[test]
    fn the_first_fault_is_named_even_if_a_later_chunk_holds_a_wide_id() {
        let text = b"1 2\n3\n4 99999999999\n5 x\n";
        for chunk in 1..30 {
            let message = oracle::with_chunk(text, chunk, parse).unwrap_err().to_string();
            assert!(message.starts_with("test:2: only one column, `3`: "), "{message}");
        }
    }
}
