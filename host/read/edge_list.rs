//! Edge lists: two ids a line. The reader of what SNAP, GraphChallenge, KONECT and most others publish.

use super::entries::{self, FaultKind, Parsed, Range, Stopped, Streamed};
use super::input::{Input, excerpt, token};
use super::progress::Meter;
use super::source::RegularFile;
use super::{ids, input};
use crate::{Error, Graph, Hint, Message, Result};

const ALL: Range = Range { first: 0, last: u64::MAX };

/// What every line must look like.
const WANTED: &str = "each line needs two vertex ids separated by a blank, a tab or a comma";

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let start = leading_comments(input.content);
    match entries::parse(input, start, ALL).map_err(|stopped| explain(input, stopped))? {
        Parsed::Edges(edges, max) => ids::graph(input.name, edges, max, None),
        Parsed::TooWide => {
            let parts = entries::parse_wide(input, start, ALL);
            ids::wide(input.name, parts.map_err(|stopped| explain(input, stopped))?, 0)
        }
    }
}

/// Reads a file piece by piece. `None` where it has to be parsed as a whole.
pub(super) fn stream(
    file: &RegularFile,
    head: &[u8],
    chunk: usize,
    meter: &Meter,
) -> Result<Option<Graph>> {
    // A comment that goes on behind the head is skipped with the other lines.
    let start = leading_comments(head);
    let start = if start < head.len() { start } else { byte_order_mark(head) };
    let name = file.name();
    match entries::stream(file, start as u64, ALL, chunk, meter)? {
        Streamed::Edges(edges, max) => ids::graph(name, edges, max, None).map(Some),
        Streamed::Fault { text, at } => {
            let lines_before = entries::lines_before(file, at)?;
            let input = Input { lines_before, ..Input::new(name, &text, meter) };
            // A byte order mark is a fault but where a text begins, as this piece now does.
            parse(&input).map(|_| None)
        }
        Streamed::Unusual => Ok(None),
    }
}

fn byte_order_mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// Where the first line begins that is neither blank nor a comment. Skipping the header here leaves
/// no gap at the front of the edges, which would move all of them.
fn leading_comments(text: &[u8]) -> usize {
    let mut at = byte_order_mark(text);
    loop {
        let rest = &text[input::skip_blanks(text, at)..];
        match rest.first() {
            Some(b'\n' | b'\r' | b'#' | b'%') => {}
            Some(b'/') if rest.starts_with(b"//") => {}
            _ => return at,
        }
        at = input::next_line(text, at);
    }
}

fn explain(input: &Input, stopped: Stopped) -> Error {
    let fault = match stopped {
        Stopped::Fault(fault) => fault,
        Stopped::NoMemory(refused) => return input.no_memory(refused),
    };
    let token = token(input.content, fault.at);
    let found = excerpt(token);
    let unwanted =
        |what: String| Message::from(format!("{what}: {WANTED}")).with_hint(Hint::CommentOrFormat);
    let message = match fault.kind {
        FaultKind::NotNumber if is_negative(token) => format!(
            "the vertex id {found} is negative: ids are integers from 0 to 2^64-1, renumber the \
             vertices"
        )
        .into(),
        FaultKind::NotNumber if token.is_empty() => {
            unwanted("a column is empty where a vertex id was expected".into())
        }
        FaultKind::NotNumber => unwanted(format!("{found} is not a vertex id")),
        FaultKind::TooLarge => format!(
            "the vertex id {found} is too large: ids go up to 2^64-1 (18446744073709551615), \
             renumber the vertices"
        )
        .into(),
        FaultKind::OneColumn => unwanted(format!("only one column, {found}")),
        FaultKind::OutOfRange => unreachable!("an edge list takes every 64-bit id"),
    };
    input.at_line_of(fault.at, message)
}

/// Whether a token is a minus sign and digits.
pub(super) fn is_negative(token: &[u8]) -> bool {
    token.len() > 1 && token[0] == b'-' && token[1..].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle;
    use super::*;

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
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let streamed = oracle::with_file(&text, |file| {
                let head = file.head(40).unwrap();
                pool.install(|| stream(file, &head, piece, &Meter::none()))
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
        let graph = oracle::with_file(text.as_bytes(), |file| {
            stream(file, b"1", 1 << 12, &Meter::none()).unwrap().unwrap()
        });
        assert_eq!(graph.edges().len(), (1 << 16) + (1 << 14));
        assert_eq!(oracle::original_edges(&graph)[1 << 15], [1, 2]);
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
