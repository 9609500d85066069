//! Lines of two integers a line, as SNAP, GraphChallenge, KONECT and most others publish them: what is said of a line that
//! is none.

use super::entries::{FaultKind, Range, line};
use super::input::excerpt;
use super::table::is_missing;
use crate::{Hint, Message};

const ALL: Range = Range { first: 0, last: u64::MAX };

/// What every line must look like.
const WANTED: &str = "each line needs two vertex ids separated by a blank, a tab or a comma";

/// Whether a line begins with two integers.
pub(super) fn is_pair(text: &[u8], at: usize) -> bool {
    line(text, at, ALL).is_ok_and(|(pair, _)| pair.is_some())
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
    fn asked(delimiter: char) -> Options {
        Options {
            format: Some(Format::EdgeList),
            ids: super::super::IdKind::Integers,
            header: Some(false),
            delimiter: Some(delimiter.into()),
            ..Options::default()
        }
    }

    fn parse(input: &Input) -> Result<Graph> {
        table::parse(input, &asked(' '))
    }

    fn stream(file: &RegularFile, piece: usize, delimiter: char) -> Result<Option<Graph>> {
        table::stream(file, &asked(delimiter), piece, &Meter::none())
    }

    proptest! {
        /// Chunks of any size give the edges, or the error, of a parser that reads line by line.
        #[test]
        fn chunks_as_line_by_line(
            (delimiter, lines) in oracle::edge_lists(),
            chunk in 1usize..80,
            newline_at_end in any::<bool>(),
        ) {
            let mut text = lines.concat();
            if !newline_at_end && text.last() == Some(&b'\n') {
                text.pop();
            }
            let options = asked(delimiter);
            let parsed = oracle::with_chunk(&text, chunk, |input| table::parse(input, &options));
            match (parsed, oracle::edge_list(&text, delimiter)) {
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
            (delimiter, lines) in oracle::edge_lists(),
            piece in 1usize..80,
            threads in 1usize..4,
        ) {
            let text = lines.concat();
            let pool = tribin_base::par::Pool::start(threads, "test").unwrap();
            let streamed = oracle::with_file(&text, |file| {
                pool.install(|| stream(file, piece, delimiter))
            });
            match (streamed, oracle::edge_list(&text, delimiter)) {
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
            oracle::with_file(text.as_bytes(), |file| stream(file, 1 << 12, ' ').unwrap().unwrap());
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
