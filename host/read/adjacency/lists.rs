//! A vertex and its neighbours a line.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::entries::{Fault, Rule};
use super::super::input::{Input, ends_line, excerpt, is_blank, next_line, split, token};
use super::super::names;
use super::super::number::number;
use super::super::table::{BRACKETS, has_brackets};
use super::{continued, each_line, separates};
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

/// The graph of lists whose ids are names.
pub(super) fn by_names(input: &Input, start: usize, form: ListStyle) -> Result<Graph> {
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
            let from = pairs.number(vertex).map_err(refused)?;
            neighbours.iter().try_for_each(|id| {
                let to = pairs.number(id).map_err(refused)?;
                pairs.push_numbers([from, to]).map_err(refused)
            })
        })
    })
}

/// Lists of integers.
#[derive(Clone, Copy)]
pub(super) struct IntegerLists<'a> {
    pub(super) style: ListStyle,
    /// The largest vertex that begins a line: it may have no neighbours.
    pub(super) largest: &'a AtomicU64,
}

impl Rule for IntegerLists<'_> {
    fn room(self, text: &[u8]) -> usize {
        // Every entry has a byte that separates it from the one before, and one digit at least.
        let parts = |byte: u8| separates(byte) || byte == b':' || byte == b'\\';
        text.iter().filter(|&&byte| parts(byte)).count().min(text.len() / 2)
    }

    fn line(
        self,
        text: &[u8],
        mut at: usize,
        found: &mut impl FnMut(u64, u64),
    ) -> std::result::Result<usize, Fault> {
        let start = at;
        let mut from = None;
        loop {
            while text.get(at).is_some_and(|&byte| separates(byte)) {
                at += 1;
            }
            match text.get(at) {
                None => break,
                Some(&byte) if ends_line(byte) || byte == b'#' => break,
                Some(b'%') if from.is_none() => break,
                Some(b'\\') => {
                    if let Some(next) = continued(text, at) {
                        at = next;
                        continue;
                    }
                }
                Some(_) => {}
            }
            let first = from.is_none();
            if first && !self.style.indented && is_blank(text[start]) {
                return Err(Fault::line(start, INDENTED));
            }
            let (id, end) = vertex(text, at, first && self.style.colon)?;
            at = end;
            match from {
                None => from = Some(id),
                Some(from) => found(from, id),
            }
            if first && self.style.colon {
                while text.get(at).is_some_and(|&byte| is_blank(byte)) {
                    at += 1;
                }
                if text.get(at) != Some(&b':') {
                    return Err(Fault::line(start, NO_COLON));
                }
                at += 1;
            }
        }
        self.largest.fetch_max(from.unwrap_or(0), Relaxed);
        Ok(next_line(text, at))
    }
}

/// A vertex, and where it ends.
fn vertex(text: &[u8], at: usize, before_colon: bool) -> std::result::Result<(u64, usize), Fault> {
    let closes =
        |&b: &u8| separates(b) || ends_line(b) || (before_colon && b == b':') || b == b'\\';
    if let Ok((id, end)) = number(text, at)
        && text.get(end).is_none_or(closes)
    {
        return Ok((id, end));
    }
    let found = token(text, at);
    if found.starts_with(b"{") {
        return Err(Fault::line(at, ATTRIBUTES));
    }
    let message = Message::from(format!(
        "{} is not a vertex id: each line is a vertex and its neighbours, which are integers from 0 to 2^64-1",
        excerpt(found)
    ));
    Err(Fault::line(at, message.with_hint(Hint::NamesAsIds)))
}
