//! Edge lists: two ids a line. The reader of what SNAP, GraphChallenge, KONECT and most others publish.

use super::entries::{self, Fault, FaultKind, Parsed, Range};
use super::input::{Input, excerpt, token};
use super::{ids, input};
use crate::{Error, Graph, Result};

const ALL: Range = Range { first: 0, last: u64::MAX };

/// What every line must look like, and the two ways out.
const WANTED: &str = "each line needs two vertex ids separated by a blank, a tab or a comma (begin \
                      comment lines with `#`, or name another format with `--format`)";

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let start = leading_comments(input.content);
    match entries::parse::<u32>(input, start, ALL).map_err(|fault| explain(input, fault))? {
        Parsed::Edges(edges, max) => ids::graph(input, edges, max, None),
        Parsed::TooWide => match entries::parse::<u64>(input, start, ALL) {
            Ok(Parsed::Edges(edges, max)) => ids::graph(input, edges, max, None),
            Ok(Parsed::TooWide) => unreachable!("every id fits 64 bits"),
            Err(fault) => Err(explain(input, fault)),
        },
    }
}

/// Where the first line begins that is neither blank nor a comment. Skipping the header here leaves
/// no gap at the front of the edges, which would move all of them.
fn leading_comments(text: &[u8]) -> usize {
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
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

fn explain(input: &Input, fault: Fault) -> Error {
    let token = token(input.content, fault.at);
    let found = excerpt(token);
    let message = match fault.kind {
        FaultKind::NotNumber if is_negative(token) => format!(
            "the vertex id {found} is negative: ids are integers from 0 to 2^64-1, renumber the \
             vertices"
        ),
        FaultKind::NotNumber if token.is_empty() => {
            format!("a column is empty where a vertex id was expected: {WANTED}")
        }
        FaultKind::NotNumber => format!("{found} is not a vertex id: {WANTED}"),
        FaultKind::TooLarge => format!(
            "the vertex id {found} is too large: ids go up to 2^64-1 (18446744073709551615), \
             renumber the vertices"
        ),
        FaultKind::OneColumn => format!("only one column, {found}: {WANTED}"),
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
