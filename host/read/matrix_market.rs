//! Matrix Market coordinate files: the adjacency matrix of a graph.
//!
//! Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR
//! 5935, 1996. Every stored entry is an edge, an explicit zero too. Values are read where weights are asked for.

use super::Format;
use super::input::{excerpt, lines_from, next_line, not_square, text_start, words};
use super::number::whole;
use super::numbered::{NumberedFormat, NumberedHead};
use super::open_file::OpenFile;
use crate::{Message, Result, hint};

/// The format.
pub(super) static MATRIX_MARKET: NumberedFormat = NumberedFormat {
    format: Format::MatrixMarket,
    called: "Matrix Market",
    begins,
    head,
    declares: "size line",
    needs: "each entry needs a row and a column",
    has_letters: false,
    weights: "value",
};

fn begins(head: &[u8], _: Option<Format>) -> bool {
    let text = &head[text_start(head)..];
    let begins = |banner: &[u8]| {
        text.get(..banner.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(banner))
    };
    begins(b"%%MatrixMarket") || begins(b"%MatrixMarket matrix") && has_size_line(text)
}

/// Whether the first line that is no comment is a size line. Network Repository has edge lists, too, that begin with a
/// banner of one `%`, and whose sizes are a comment.
fn has_size_line(text: &[u8]) -> bool {
    let mut lines = lines_from(text, 0);
    let line = lines.find(|(_, line)| !line.is_empty() && !line.starts_with(b"%"));
    let sizes: Vec<Option<u64>> = words(line.unwrap_or_default().1).map(whole).collect();
    matches!(sizes[..], [Some(rows), Some(columns), Some(_)] if rows == columns)
}

/// Reads banner and size line.
fn head(input: &OpenFile) -> Result<NumberedHead> {
    let text = input.content();
    let of_banner = banner(input)?;
    let Some((at, line)) = input.first_line(next_line(text, 0)) else {
        let why = "the file ends before the size line `rows columns entries`: it is cut off, fetch it again";
        return Err(input.at_line_of(text.len(), why));
    };
    let body = next_line(text, at);
    let sizes: Vec<Option<u64>> = words(line).map(whole).collect();
    let message = match sizes[..] {
        [Some(rows), Some(columns), Some(entries)] if rows == columns => {
            return Ok(NumberedHead { vertices: rows, entries, at, body, ..of_banner });
        }
        [Some(rows), Some(columns), Some(_)] => not_square(rows, columns),
        _ => format!(
            "{} is not the size line: three integers are expected, `rows columns entries`",
            excerpt(line)
        ),
    };
    Err(input.at_line_of(at, message))
}

const NO_NUMBERS: &str =
    "the matrix has no values that are real numbers: its entries have no weights";

const SKEW: &str = "the matrix is skew-symmetric: an edge has a weight in one direction and its negative in the other, write both as a \
                    general matrix";

/// What the banner says.
fn banner(input: &OpenFile) -> Result<NumberedHead> {
    // SciPy writes the fourth of unsigned values.
    const FIELDS: [&str; 5] = ["pattern", "integer", "real", "unsigned-integer", "complex"];
    const SYMMETRIES: [&str; 4] = ["general", "symmetric", "skew-symmetric", "hermitian"];
    let text = input.content();
    let line = &text[text_start(text)..next_line(text, 0)];
    let lower = String::from_utf8_lossy(line).to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    let problem: Message = match words[..] {
        ["%%matrixmarket" | "%matrixmarket", "matrix", "array", ..] => {
            "an `array` file is a dense matrix, not a graph: write the matrix in `coordinate` form"
                .into()
        }
        ["%%matrixmarket" | "%matrixmarket", "matrix", "coordinate", field, symmetry] => {
            if FIELDS.contains(&field) && SYMMETRIES.contains(&symmetry) {
                let is_real = matches!(field, "integer" | "unsigned-integer" | "real");
                let is_short = words[0] == "%matrixmarket";
                return Ok(NumberedHead {
                    is_exact: true,
                    is_mirrored: symmetry != "general",
                    counts_zeros: is_real,
                    no_weights: match symmetry {
                        _ if !is_real => Some(NO_NUMBERS),
                        "skew-symmetric" => Some(SKEW),
                        _ => None,
                    },
                    note: is_short.then_some("the banner begins with one `%`, as Network Repository writes it, and was read as if it had two"),
                    ..NumberedHead::default()
                });
            }
            format!(
                "the banner ends with {}: the field is one of {}, and the symmetry one of {}",
                excerpt(format!("{field} {symmetry}").as_bytes()),
                FIELDS.join(", "),
                SYMMETRIES.join(", ")
            )
            .into()
        }
        _ => Message::from(format!(
            "{} is not the banner of a Matrix Market file: the first line must be \
             `%%MatrixMarket matrix coordinate FIELD SYMMETRY`",
            excerpt(line.trim_ascii_end())
        ))
        .with_hint(hint::EDGE_LIST_FORMAT),
    };
    Err(input.at_line_of(0, problem))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Options;
    use super::super::format::Reader as _;
    use super::super::oracle;
    use super::*;

    proptest! {
        /// Chunks of any size give the entries, or the error, of a parser that reads line by line.
        #[test]
        fn chunks_as_line_by_line(
            lines in prop::collection::vec(oracle::edge_list_line(' '), 0..20),
            size in prop_oneof![1 => 0u64..300, 3 => Just(1 << 20)],
            surplus in -1i64..4,
            chunk in 1usize..80,
            piece in 1usize..300,
        ) {
            let body = lines.concat();
            let entries = oracle::edge_list(&body, ' ').map_or(lines.len(), |edges| edges.len());
            let entries = entries.saturating_add_signed(surplus as isize);
            let head =
                format!("%%MatrixMarket matrix coordinate real general\n{size} {size} {entries}\n");
            let text = [head.as_bytes(), &body].concat();
            let streamed = oracle::with_file(&text, |file| {
                oracle::in_pieces(&MATRIX_MARKET, file, piece, &Options::default())
            });
            if let Ok(Some(graph)) = streamed {
                let edges = oracle::entries(&body, size, entries);
                prop_assert_eq!(Ok(oracle::original_edges(&graph)), edges);
            }
            let options = Options::default();
            let parsed = oracle::with_chunk(&text, chunk, &options, |input| MATRIX_MARKET.parse(input));
            match (parsed, oracle::entries(&body, size, entries)) {
                (Ok(graph), Ok(edges)) => {
                    prop_assert_eq!(oracle::original_edges(&graph), edges);
                }
                (Err(error), Err(line)) => {
                    // Line 0 of the body is the size line, line 2 of the file.
                    let place = format!("test:{}: ", line + 2);
                    prop_assert!(error.to_string().starts_with(&place), "{error}, {place}");
                }
                (parsed, edges) => prop_assert!(false, "{parsed:?}, oracle {edges:?}"),
            }
        }
    }
}
