//! Matrix Market coordinate files: the adjacency matrix of a graph.
//!
//! Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR
//! 5935, 1996. Every stored entry is an edge, an explicit zero too. Values are read where weights are asked for.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::entries::{self, Fault, Rule, TextPieces};
use super::format::{About, FileOnDisk, Format, Reader};
use super::input::{
    FileContent, ends_line, excerpt, next_line, not_square, skip_blanks, text_start, token, words,
};
use super::inspect::{Content, Entries};
use super::number::whole;
use super::table::is_mark;
use super::{Options, weights};
use crate::graph::{EdgeSink, EntryIds, Reading, Visited};
use crate::{Graph, Hint, Message, Result};

/// What the head of the file declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MatrixMarketHead {
    /// Rows, and columns: vertices.
    vertices: u64,
    /// Stored entries.
    entries: u64,
    /// Where the size line begins.
    size_line: usize,
    /// Where the first entry's line begins.
    body: usize,
    banner: Banner,
}

/// What the first line declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Banner {
    /// Whether values are real numbers.
    real: bool,
    /// Whether an entry stands for the one across the diagonal, too.
    mirrored: bool,
    /// Whether the entry across the diagonal has the same value.
    symmetric: bool,
    /// Whether the line lacks one `%`.
    is_short: bool,
}

/// The format.
pub(super) struct MatrixMarket;

impl Reader for MatrixMarket {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(Format::MatrixMarket) }
    }

    fn begins(&self, head: &[u8], _: Option<Format>) -> bool {
        let text = &head[text_start(head)..];
        let begins = |banner: &[u8]| {
            text.get(..banner.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(banner))
        };
        begins(b"%%MatrixMarket") || begins(b"%MatrixMarket matrix") && has_size_line(text)
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, Entries)> {
        let head = head(&content.input)?;
        Ok((Some(head.vertices), Entries::Declared(head.entries)))
    }

    fn parse(&self, input: &FileContent, options: &Options) -> Result<Graph> {
        let head = head(input)?;
        let file = input.file();
        head.graph(input, TextPieces::of_file(&file, head.body, input.chunk, input.meter), options)
    }

    fn stream(&self, from: &FileOnDisk, chunk: usize) -> Result<Option<Graph>> {
        let FileOnDisk { file, head: begin, options, meter, .. } = *from;
        let Some(head) = head_on_disk(from) else { return Ok(None) };
        let pieces = TextPieces::of_file(file, head.body, chunk, meter);
        head.graph(&FileContent::new(file.name(), begin, meter), pieces, options).map(Some)
    }

    fn visit(
        &self,
        from: &FileOnDisk,
        piece: usize,
        sink: &dyn EdgeSink,
    ) -> Result<Option<Visited>> {
        let FileOnDisk { file, head: begin, meter, .. } = *from;
        let Some(head) = head_on_disk(from) else { return Ok(None) };
        let zeros = AtomicU64::new(0);
        let pieces = TextPieces::of_file(file, head.body, piece, meter);
        let found = pieces.visit(head.rule(&zeros, false), sink)?;
        head.check(&FileContent::new(file.name(), begin, meter), found)?;
        let ids = EntryIds::FromOne { declared: Some(head.vertices) };
        let (reading, both_directions) = (head.reading(zeros), head.banner.mirrored);
        Ok(Some(Visited { ids, reading, both_directions, as_a_whole: false }))
    }
}

/// Whether the first line that is no comment is a size line. Network Repository has edge lists, too, that begin with a
/// banner of one `%`, and whose sizes are a comment.
fn has_size_line(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| ends_line(byte)).map(<[u8]>::trim_ascii);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
    let sizes: Vec<Option<u64>> = words(line.unwrap_or_default()).map(whole).collect();
    matches!(sizes[..], [Some(rows), Some(columns), Some(_)] if rows == columns)
}

/// The head of a file whose body is behind it; `None` where the file has to be parsed as a whole, which finds every
/// fault.
fn head_on_disk(from: &FileOnDisk) -> Option<MatrixMarketHead> {
    let input = FileContent::new(from.file.name(), from.head, from.meter);
    // A size line or a line end may go on behind what is looked at.
    head(&input).ok().filter(|head| head.body < from.head.len())
}

impl MatrixMarketHead {
    /// The graph of a file that begins with what `input` has, and of whose body these are the pieces.
    fn graph(self, input: &FileContent, pieces: TextPieces, options: &Options) -> Result<Graph> {
        let zeros = AtomicU64::new(0);
        let rule = self.rule(&zeros, options.weight.is_some());
        if let Some(asked) = &options.weight {
            self.check_weights(input, asked)?;
        }
        let graph = pieces.graph(rule, Some(self.vertices))?;
        self.check(input, graph.edges().len() as u64)?;
        let graph = if self.banner.mirrored { graph.with_both_directions() } else { graph };
        Ok(graph.with_reading(self.reading(zeros)))
    }

    /// Refuses another number of entries than the size line announces.
    fn check(self, input: &FileContent, found: u64) -> Result<()> {
        let why = match found.cmp(&self.entries) {
            Ordering::Equal => return Ok(()),
            Ordering::Less => "the file is cut off, fetch it again",
            Ordering::Greater => "correct the size line, or fetch the file again",
        };
        let announced = self.entries;
        let message = format!(
            "the size line announces {announced} entries and the file holds {found}: {why}"
        );
        Err(input.at_line_of(self.size_line, message))
    }

    /// Refuses to read values that are no weights of edges.
    fn check_weights(self, input: &FileContent, asked: &str) -> Result<()> {
        weights::check_name(input, asked, "value")?;
        let why = if !self.banner.real {
            "the matrix has no values that are real numbers: its entries have no weights"
        } else if self.banner.mirrored && !self.banner.symmetric {
            "the matrix is skew-symmetric: an edge has a weight in one direction and its negative in the other, write both as a \
             general matrix"
        } else {
            return Ok(());
        };
        Err(input.at_line_of(0, why))
    }

    /// How lines become entries. Those whose value is 0 are counted.
    fn rule(self, zeros: &AtomicU64, is_weighted: bool) -> Valued<'_> {
        Valued { head: self, zeros: self.banner.real.then_some(zeros), is_weighted }
    }

    /// What a user should know.
    fn reading(self, zeros: AtomicU64) -> Option<Reading> {
        let mut notes = Vec::new();
        if self.banner.is_short {
            notes.push("the banner begins with one `%`, as Network Repository writes it, and was read as if it had two".into());
        }
        notes.extend(zeros_note(zeros.into_inner()));
        let table = || Reading { table: "Matrix Market".into(), ..Reading::default() };
        (!notes.is_empty()).then(|| Reading { warnings: notes, ..table() })
    }
}

/// What a user should know of entries that are stored and have the value 0.
pub(super) fn zeros_note(zeros: u64) -> Option<String> {
    (zeros > 0)
        .then(|| format!("{zeros} stored entries have the value 0: they were taken as edges"))
}

/// The entries of a file, of which those whose value is 0 are counted where there are values.
#[derive(Clone, Copy)]
struct Valued<'a> {
    head: MatrixMarketHead,
    zeros: Option<&'a AtomicU64>,
    is_weighted: bool,
}

impl Valued<'_> {
    /// The fault of a line whose index at `at` is none.
    #[cold]
    fn no_index(self, text: &[u8], line: usize, at: usize) -> Fault {
        let (found, what) = match token(text, at) {
            [] => (token(text, line), "stands alone"),
            found => (found, "is no such index"),
        };
        let (found, vertices) = (excerpt(found), self.head.vertices);
        let message =
            format!("{found} {what}: each entry needs a row and a column from 1 to {vertices}");
        Fault::line(line, message)
    }
}

impl Rule for Valued<'_> {
    #[inline(always)]
    fn line(
        self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> std::result::Result<usize, Fault> {
        let line = skip_blanks(text, at);
        let rest = &text[line..];
        if rest.first().is_none_or(|&byte| ends_line(byte)) || is_mark(rest) {
            return Ok(next_line(text, line));
        }
        let vertex = |at: usize| {
            let found = entries::vertex(text, at, self.head.vertices);
            found.map_err(|at| self.no_index(text, line, at))
        };
        let (u, end) = vertex(line)?;
        let (v, end) = vertex(end)?;
        let mut weight = 1.0;
        if let Some(zeros) = self.zeros {
            let value = token(text, skip_blanks(text, end));
            if self.is_weighted {
                weight = weights::number(value).map_err(|message| Fault::line(line, message))?;
            }
            if is_zero(value) {
                zeros.fetch_add(1, Relaxed);
            }
        }
        found(u, v, weight);
        Ok(next_line(text, end))
    }

    fn is_weighted(self) -> bool {
        self.is_weighted
    }

    fn restart(self) {
        if let Some(zeros) = self.zeros {
            zeros.store(0, Relaxed);
        }
    }
}

/// Whether a value is 0, however it is written.
fn is_zero(value: &[u8]) -> bool {
    if !value.first().is_some_and(|byte| b"+-.0".contains(byte)) {
        return false;
    }
    let end = value.iter().position(|byte| b"eEdD".contains(byte)).unwrap_or(value.len());
    let digits = &value[..end];
    digits.contains(&b'0') && digits.iter().all(|byte| b"+-.0".contains(byte))
}

/// Reads banner and size line.
fn head(input: &FileContent) -> Result<MatrixMarketHead> {
    let text = input.content;
    let banner = banner(input)?;
    let Some(at) = input.first_line(next_line(text, 0)) else {
        return Err(input.at_line_of(
            text.len(),
            "the file ends before the size line `rows columns entries`: it is cut off, fetch it again",
        ));
    };
    let body = next_line(text, at);
    let line = text[at..body].trim_ascii();
    let sizes: Vec<Option<u64>> = words(line).map(whole).collect();
    let message = match sizes[..] {
        [Some(rows), Some(columns), Some(entries)] if rows == columns => {
            return Ok(MatrixMarketHead { vertices: rows, entries, size_line: at, body, banner });
        }
        [Some(rows), Some(columns), Some(_)] => not_square(rows, columns),
        _ => format!(
            "{} is not the size line: three integers are expected, `rows columns entries`",
            excerpt(line)
        ),
    };
    Err(input.at_line_of(at, message))
}

fn banner(input: &FileContent) -> Result<Banner> {
    // SciPy writes the fourth of unsigned values.
    const FIELDS: [&str; 5] = ["pattern", "integer", "real", "unsigned-integer", "complex"];
    const SYMMETRIES: [&str; 4] = ["general", "symmetric", "skew-symmetric", "hermitian"];
    let text = input.content;
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
                return Ok(Banner {
                    is_short: words[0] == "%matrixmarket",
                    real: matches!(field, "integer" | "unsigned-integer" | "real"),
                    mirrored: symmetry != "general",
                    symmetric: symmetry == "symmetric"
                        || (symmetry == "hermitian" && field != "complex"),
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
        .with_hint(Hint::EdgeListFormat),
    };
    Err(input.at_line_of(0, problem))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::oracle;
    use super::super::progress::Meter;
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
                let (options, meter) = (Options::default(), Meter::none());
                let head = file.head(1 << 16).unwrap();
                MatrixMarket.stream(&oracle::on_disk(file, &head, &options, &meter), piece)
            });
            if let Ok(Some(graph)) = streamed {
                let edges = oracle::entries(&body, size, entries);
                prop_assert_eq!(Ok(oracle::original_edges(&graph)), edges);
            }
            match (oracle::with_chunk(&text, chunk, |input| MatrixMarket.parse(input, &Options::default())), oracle::entries(&body, size, entries)) {
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
