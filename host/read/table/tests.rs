//! Lines of two integers, read in chunks and pieces of any size.

use proptest::prelude::*;

use super::super::format::Reader;
use super::super::source::RegularFile;
use super::super::{Format, IdKind, Options, from_bytes, oracle};
use super::TextTable;
use crate::{Graph, Result};

/// Lines may differ where the format is asked for.
fn asked(delimiter: char) -> Options {
    Options {
        format: Some(Format::EdgeList),
        ids: IdKind::Integers,
        header: Some(false),
        delimiter: Some(delimiter.into()),
        ..Options::default()
    }
}

fn parse(text: &[u8], chunk: usize) -> Result<Graph> {
    oracle::with_chunk(text, chunk, &asked(' '), |input| TextTable.parse(input))
}

fn stream(file: RegularFile, piece: usize, delimiter: char) -> Result<Option<Graph>> {
    oracle::in_pieces(&TextTable, file, piece, &asked(delimiter))
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
        let parsed = oracle::with_chunk(&text, chunk, &options, |input| TextTable.parse(input));
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

    /// Pieces of any size give what the whole file gives.
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
        let graph = parse(text, chunk).unwrap();
        assert_eq!(graph.edges(), [[1, 2], [3, 4], [5, 6], [7, 8]], "chunk {chunk}");
    }
}

#[test]
fn the_first_fault_is_named_even_if_a_later_chunk_holds_a_wide_id() {
    let text = b"1 2\n3\n4 99999999999\n5 x\n";
    for chunk in 1..30 {
        let message = parse(text, chunk).unwrap_err().to_string();
        assert!(message.starts_with("test:2: `3` has 1 column between blanks"), "{message}");
    }
}

#[test]
fn a_table_of_names_without_rows_has_weights_if_they_are_asked_for() {
    let read = |text: &str, weight: Option<&str>| {
        let options = Options {
            ids: IdKind::Names,
            skip_missing: true,
            weight: weight.map(String::from),
            ..Options::default()
        };
        let graph = from_bytes("a.csv", text.as_bytes(), &options).unwrap();
        graph.weights().map(<[f64]>::to_vec)
    };
    for text in ["source,target,w\n", "source,target,w\n-,a,1\n"] {
        assert_eq!(read(text, Some("w")), Some(vec![]), "{text}");
        assert_eq!(read(text, None), None, "{text}");
    }
    assert_eq!(read("source,target,w\na,b,2\n", Some("w")), Some(vec![2.0]));
}
