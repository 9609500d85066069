//! A vertex and its neighbours a line.

use super::super::input::{Input, excerpt, is_blank, next_line, split};
use super::super::names;
use super::super::number::whole;
use super::super::table::{BRACKETS, has_brackets};
use super::each_line;
use crate::{Graph, Hint, Message, Result};

/// What the first line shows of how lines are written, which all others have to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListStyle {
    /// Whether a colon stands behind the vertex of a line.
    colon: bool,
    /// Whether lines may begin with a blank: if some do and the first does not, they may go on with the line before.
    indented: bool,
}

const ATTRIBUTES: &str = "`{` begins attributes, as in a list of edges or in a graph that was printed: write the graph \
                          with networkx.write_adjlist or write_edgelist(…, data=False)";

const INDENTED: &str = "this line begins with a blank and the first does not, so that it may be a vertex of its own or \
                        go on with the line before: take the blank away, or end lines that go on with a backslash";

const NO_COLON: &str =
    "no colon stands behind the vertex of this line, as it does on the first line";

impl ListStyle {
    /// What the first line of ids shows.
    pub(super) fn of(text: &[u8]) -> ListStyle {
        let mut form = ListStyle { colon: false, indented: false };
        // The first line ends the walk.
        let _ = each_line(text, 0, |at, ids| {
            form.indented = is_blank(text[at]);
            form.colon =
                ids[0].len() > 1 && ids[0].ends_with(b":") || ids.get(1) == Some(&&b":"[..]);
            Err(())
        });
        form
    }
}

/// The graph of lists, by what they call their vertices: integers, unless any name is one.
pub(super) fn read(input: &Input, start: usize, form: ListStyle, by_name: bool) -> Result<Graph> {
    let chunks = split(input.content, start, input.chunk);
    // Chunks are of a mebibyte, so that their number fits.
    names::graph(input.name, chunks.len() as u32, &|index, pairs| {
        let chunk = &chunks[index as usize];
        let text = &input.content[..chunk.end];
        let refused = |refused| names::error(input.name, refused);
        input.meter.add(chunk.len());
        each_line(text, chunk.start, |at, ids| {
            let fault = |message: &str| Err(input.at_line_of(at, message));
            if ids.iter().any(|id| id.starts_with(b"{")) {
                return fault(ATTRIBUTES);
            }
            if ids.iter().skip(1).any(|id| id.starts_with(b"["))
                || has_brackets(&text[at..next_line(text, at)])
            {
                return fault(BRACKETS);
            }
            if is_blank(text[at]) && !form.indented {
                return fault(INDENTED);
            }
            let (vertex, neighbours) = match (form.colon, ids) {
                (false, [vertex, neighbours @ ..]) => (*vertex, neighbours),
                (true, [vertex, b":", neighbours @ ..]) => (*vertex, neighbours),
                (true, [vertex, neighbours @ ..]) => match vertex.strip_suffix(b":") {
                    Some(vertex) => (vertex, neighbours),
                    None => return fault(NO_COLON),
                },
                (_, []) => return Ok(()),
            };
            let is_none = |id: &&&[u8]| !by_name && whole(id).is_none();
            if let Some(id) = [&vertex].into_iter().chain(neighbours).find(is_none) {
                let message = format!(
                    "{} is not a vertex id: each line is a vertex and its neighbours, which are integers from 0 to 2^64-1",
                    excerpt(id)
                );
                return Err(
                    input.at_line_of(at, Message::from(message).with_hint(Hint::NamesAsIds))
                );
            }
            let from = pairs.number(vertex).map_err(refused)?;
            neighbours.iter().try_for_each(|id| {
                let to = pairs.number(id).map_err(refused)?;
                pairs.push_numbers([from, to]).map_err(refused)
            })
        })
    })
}
