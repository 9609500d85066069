//! Adjacency lists: a vertex and its neighbours a line, as `networkx.write_adjlist` writes them.
//!
//! Every neighbour is an entry. NetworkX lists an edge once, others list it at both ends, where the second is a
//! duplicate. A line of one vertex is a vertex without neighbours of its own.

use super::edge_list::is_negative;
use super::input::{Input, ends_line, excerpt, is_blank, next_line, token};
use super::lines::{self, Fault, Lines};
use super::number::{NotNumber, number};
use crate::{Graph, Hint, Message, Result};

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let start = if input.content.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    lines::read(input, start, &Lists)?.graph(input.name, None)
}

struct Lists;

fn separates(byte: u8) -> bool {
    is_blank(byte) || byte == b','
}

impl Lines for Lists {
    fn room(&self, text: &[u8]) -> usize {
        // Every entry has a byte that separates it from the one before, and one digit at least.
        text.iter().filter(|&&byte| separates(byte)).count().min(text.len() / 2)
    }

    fn read(
        &self,
        text: &[u8],
        mut at: usize,
        mut found: impl FnMut(u64, u64),
    ) -> std::result::Result<u64, Fault> {
        let mut max = 0;
        while at < text.len() {
            let mut from = None;
            loop {
                while text.get(at).is_some_and(|&byte| separates(byte)) {
                    at += 1;
                }
                match text.get(at) {
                    None => break,
                    Some(&byte) if ends_line(byte) || byte == b'#' => break,
                    Some(b'%') if from.is_none() => break,
                    Some(_) => {}
                }
                let (id, end) = vertex(text, at)?;
                max = max.max(id);
                match from {
                    None => from = Some(id),
                    Some(from) => found(from, id),
                }
                at = end;
            }
            at = next_line(text, at);
        }
        Ok(max)
    }
}

/// A vertex, and where it ends.
fn vertex(text: &[u8], at: usize) -> std::result::Result<(u64, usize), Fault> {
    let found = token(text, at);
    let ends = |end: usize| text.get(end).is_none_or(|&b| separates(b) || ends_line(b));
    let message: Message = match number(text, at) {
        Ok((id, end)) if ends(end) => return Ok((id, end)),
        Err(NotNumber::TooLarge) => format!(
            "the vertex id {} is too large: ids go up to 2^64-1 (18446744073709551615), renumber the vertices",
            excerpt(found)
        )
        .into(),
        _ if found.starts_with(b"{") => {
            "`{` begins attributes: this is a multi-line adjacency list or a list of edges; write the graph \
             with networkx.write_adjlist or write_edgelist(…, data=False)"
                .into()
        }
        _ if is_negative(found) => format!(
            "the vertex id {} is negative: ids are integers from 0 to 2^64-1, renumber the vertices",
            excerpt(found)
        )
        .into(),
        _ => Message::from(format!(
            "{} is not a vertex id: each line is a vertex and its neighbours, separated by blanks, tabs or \
             commas",
            excerpt(found)
        ))
        .with_hint(Hint::CommentOrFormat),
    };
    Err(Fault { at, message })
}
