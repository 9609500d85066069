//! DIMACS: graphs of the implementation challenges on shortest paths, colouring, cliques and flows, and of PACE.
//!
//! | line | meaning |
//! | --- | --- |
//! | `c …` | a comment |
//! | `p KIND n m` | the number of vertices, which are called 1 to n, and of the lines that hold edges |
//! | `a u v …` | an arc, with a weight or a capacity that is read where weights are asked for |
//! | `e u v …` | an edge |
//! | `u v` | an edge, as PACE writes it |
//! | `n …`, `d …`, `v …`, `x …` | what is said of vertices; not kept |

use super::entries::{self, Fault, Rule, TextPieces};
use super::format::{About, Format, Reader};
use super::ids::MOST_VERTICES;
use super::input::{
    FileContent, ends_line, ends_word, excerpt, next_line, skip_blanks, token, too_many, words,
};
use super::inspect::{Content, Entries};
use super::number::whole;
use super::{Options, recognise, weights};
use crate::{Graph, Hint, Message, Result};

/// What the line `p` declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DimacsHead {
    vertices: u64,
    /// Lines that hold edges.
    edges: u64,
    /// Whether the number of edges is always that of the lines. Files of colourings may have each edge twice,
    /// or have counted both directions.
    exact: bool,
    at: usize,
    body: usize,
}

/// The format.
pub(super) struct Dimacs;

impl Reader for Dimacs {
    fn about(&self) -> About {
        About { has_weights: true, ..About::of(Format::Dimacs) }
    }

    /// Comments and a line `p` tell it, unless the extension says another format.
    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        let is_open = named.is_none_or(|format| format == Format::EdgeList);
        is_open && matches!(problem(head), Some((_, line)) if fields(line).is_some())
    }

    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        recognise::refuse_binary(name, content, &recognise::GALOIS)
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, Entries)> {
        let head = head(&content.input)?;
        Ok((Some(head.vertices), Entries::Declared(head.edges)))
    }

    fn parse(&self, input: &FileContent, options: &Options) -> Result<Graph> {
        let head = head(input)?;
        let file = input.file();
        let pieces = TextPieces::of_file(&file, head.body, input.chunk, input.meter);
        if let Some(asked) = &options.weight {
            weights::check_name(input, asked, "capacity")?;
        }
        let body = Body { vertices: head.vertices, is_weighted: options.weight.is_some() };
        let graph = pieces.graph(body, Some(head.vertices))?;
        let entries = graph.edges().len() as u64;
        let fits = entries == head.edges
            || !head.exact
                && (head.edges.checked_mul(2) == Some(entries) || 2 * entries == head.edges);
        if !fits {
            return Err(input.at_line_of(
                head.at,
                format!(
                    "the line `p` announces {} edges and {entries} lines hold one: the file is cut off or \
                     damaged, fetch it again or correct the line",
                    head.edges
                ),
            ));
        }
        Ok(if head.exact { graph } else { graph.with_both_directions() })
    }
}

/// The kinds of PACE's hypergraphs and hitting sets.
const HYPERGRAPHS: [&[u8]; 4] = [b"htd", b"hs", b"hgr", b"ghw"];

/// The place of the line of the problem, which is the first that is no comment, and the line.
fn problem(text: &[u8]) -> Option<(usize, &[u8])> {
    let mut at = 0;
    while at < text.len() {
        let next = next_line(text, at);
        let line = text[at..next].trim_ascii();
        match line {
            [] | [b'c'] | [b'c', b' ' | b'\t', ..] => at = next,
            [b'p', b' ' | b'\t', ..] => return Some((at, line)),
            _ => return None,
        }
    }
    None
}

/// The kind, the number of vertices and the number of edges of a line `p`.
fn fields(line: &[u8]) -> Option<(&[u8], u64, u64)> {
    match words(line).collect::<Vec<_>>()[..] {
        [b"p", kind, vertices, edges] => Some((kind, whole(vertices)?, whole(edges)?)),
        _ => None,
    }
}

/// Reads the comments and the line `p`.
fn head(input: &FileContent) -> Result<DimacsHead> {
    let text = input.content;
    let found = problem(text);
    let Some((at, (kind, vertices, edges))) =
        found.and_then(|(at, line)| Some((at, fields(line)?)))
    else {
        let first = || text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
        let at = found.map_or_else(first, |(at, _)| at);
        let message = format!(
            "{} is no whole line `p`: a DIMACS file begins with comments, `c …`, and the line `p KIND vertices edges`",
            excerpt(text[at..next_line(text, at)].trim_ascii_end())
        );
        return Err(input.at_line_of(at, Message::from(message).with_hint(Hint::NameFormat)));
    };
    if HYPERGRAPHS.contains(&kind) {
        let message = "the line `p` is that of a hypergraph, whose lines are edges of any number of vertices and begin with the edge's number: \
                       write a list of the pairs that are to be counted";
        return Err(input.at_line_of(at, message));
    }
    if vertices > MOST_VERTICES {
        return Err(input.at_line_of(at, too_many(vertices)));
    }
    let exact = !matches!(kind, b"edge" | b"col");
    Ok(DimacsHead { vertices, edges, exact, at, body: next_line(text, at) })
}

/// The lines after `p`.
#[derive(Clone, Copy)]
struct Body {
    vertices: u64,
    is_weighted: bool,
}

impl Rule for Body {
    fn line(
        self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> std::result::Result<usize, Fault> {
        let first = skip_blanks(text, at);
        let tagged = ends_word(text, first + 1);
        let from = match text.get(first) {
            Some(b'a' | b'e') if tagged => first + 1,
            Some(b'0'..=b'9' | b'-') => first,
            None => return Ok(first),
            Some(b'c' | b'n' | b'd' | b'v' | b'x') if tagged => return Ok(next_line(text, first)),
            Some(&byte) if ends_line(byte) => return Ok(next_line(text, first)),
            Some(_) => {
                let found = excerpt(token(text, first));
                let message = format!(
                    "{found} begins no line of a DIMACS file: lines with edges are `a u v` or `e u v`, \
                     comments begin with `c`"
                );
                return Err(Fault::line(first, message));
            }
        };
        let vertex = |at: usize| {
            entries::vertex(text, at, self.vertices).map_err(|at| {
                let found = excerpt(token(text, at));
                let message = format!(
                    "{found} is no vertex, of which a line has two: the line `p` allows 1 to {}",
                    self.vertices
                );
                Fault::line(first, message)
            })
        };
        let (u, at) = vertex(from)?;
        let (v, end) = vertex(at)?;
        let weight = match self.is_weighted {
            true => weights::number(token(text, skip_blanks(text, end)))
                .map_err(|message| Fault::line(first, message))?,
            false => 1.0,
        };
        found(u, v, weight);
        Ok(next_line(text, first))
    }

    fn is_weighted(self) -> bool {
        self.is_weighted
    }
}
