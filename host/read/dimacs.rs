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

use super::Format;
use super::ids::MOST_VERTICES;
use super::input::{excerpt, lines_from, next_line, too_many, words};
use super::number::whole;
use super::numbered::{NumberedFormat, NumberedHead};
use super::open_file::OpenFile;
use crate::{Message, Result, hint};

/// The format.
pub(super) static DIMACS: NumberedFormat = NumberedFormat {
    format: Format::Dimacs,
    called: "DIMACS",
    begins,
    head,
    declares: "line `p`",
    needs: "lines with edges are `a u v`, `e u v` or `u v`, of vertices",
    has_letters: true,
    weights: "capacity",
};

/// Comments and a line `p` tell it, unless the extension says another format.
fn begins(head: &[u8], named: Option<Format>) -> bool {
    let is_open = named.is_none_or(|format| format == Format::EdgeList);
    is_open && matches!(problem(head), Some((_, line)) if fields(line).is_some())
}

/// The kinds of PACE's hypergraphs and hitting sets.
const HYPERGRAPHS: [&[u8]; 4] = [b"htd", b"hs", b"hgr", b"ghw"];

/// The place of the line of the problem, which is the first that is no comment, and the line.
fn problem(text: &[u8]) -> Option<(usize, &[u8])> {
    let is_comment = |line: &[u8]| matches!(line, [] | [b'c'] | [b'c', b' ' | b'\t', ..]);
    let first = lines_from(text, 0).find(|(_, line)| !is_comment(line));
    first.filter(|(_, line)| matches!(line, [b'p', b' ' | b'\t', ..]))
}

/// The kind, the number of vertices and the number of edges of a line `p`.
fn fields(line: &[u8]) -> Option<(&[u8], u64, u64)> {
    match words(line).collect::<Vec<_>>()[..] {
        [b"p", kind, vertices, edges] => Some((kind, whole(vertices)?, whole(edges)?)),
        _ => None,
    }
}

/// Reads the comments and the line `p`.
fn head(input: &OpenFile) -> Result<NumberedHead> {
    let text = input.content();
    let found = problem(text);
    let Some((at, (kind, vertices, edges))) =
        found.and_then(|(at, line)| Some((at, fields(line)?)))
    else {
        let at = found.or_else(|| input.first_line(0)).map_or(0, |(at, _)| at);
        let message = format!(
            "{} is no whole line `p`: a DIMACS file begins with comments, `c …`, and the line `p KIND vertices edges`",
            excerpt(text[at..next_line(text, at)].trim_ascii_end())
        );
        return Err(input.at_line_of(at, Message::from(message).with_hint(hint::NAME_FORMAT)));
    };
    if HYPERGRAPHS.contains(&kind) {
        let message = "the line `p` is that of a hypergraph, whose lines are edges of any number of vertices and begin with the edge's number: \
                       write a list of the pairs that are to be counted";
        return Err(input.at_line_of(at, message));
    }
    if vertices > MOST_VERTICES {
        return Err(input.at_line_of(at, too_many(vertices)));
    }
    // A colouring may have each edge twice, or have counted both directions.
    let is_exact = !matches!(kind, b"edge" | b"col");
    Ok(NumberedHead {
        vertices,
        entries: edges,
        is_exact,
        // A tree decomposition is of a graph without directions.
        is_mirrored: !is_exact || kind == b"tw",
        at,
        body: next_line(text, at),
        ..NumberedHead::default()
    })
}
