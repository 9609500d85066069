//! Adjacency lists: a vertex and its neighbours a line, as `networkx.write_adjlist` writes them.
//!
//! Every neighbour is an entry. NetworkX lists an edge once, others list it at both ends, where the second is a
//! duplicate. A line of one vertex is a vertex without neighbours of its own. Ids are integers, or names if most at
//! the beginning are no integers.

use super::edge_list::is_negative;
use super::input::{Input, ends_line, excerpt, is_blank, next_line, split, token};
use super::lines::{self, Fault, Lines};
use super::number::{NotNumber, number};
use super::{IdKind, Options, names};
use crate::graph::Reading;
use crate::{Graph, Hint, Message, Result};

pub(super) fn parse(input: &Input, options: &Options) -> Result<Graph> {
    let start = if input.content.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let by_name = match options.ids {
        IdKind::Names => true,
        IdKind::Integers => false,
        IdKind::Auto => has_names(&input.content[start..]),
    };
    match by_name {
        true => by_names(input, start),
        false => lines::read(input, start, &Lists)?.graph(input.name, None),
    }
}

/// Bytes that show whether ids are names.
const SAMPLE: usize = 1 << 16;

/// Whether most ids at the beginning are no integers. A few that are none are faults.
fn has_names(text: &[u8]) -> bool {
    let text = &text[..text.len().min(SAMPLE)];
    let (mut all, mut integers) = (0u32, 0u32);
    each_line(text, 0, |_, ids: &[&[u8]]| {
        all += ids.len() as u32;
        let integer = |id: &&&[u8]| matches!(number(id, 0), Ok((_, end)) if end == id.len());
        integers += ids.iter().filter(integer).count() as u32;
        Ok::<(), ()>(())
    })
    .is_ok()
        && 2 * integers < all
}

/// Calls `found` with the ids of each line that has any, and where the line begins.
fn each_line<'a, E>(
    text: &'a [u8],
    mut at: usize,
    mut found: impl FnMut(usize, &[&'a [u8]]) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut ids = Vec::new();
    while at < text.len() {
        let next = next_line(text, at);
        let line = &text[at..next];
        // `#` begins a comment, after ids too.
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        ids.clear();
        if line.trim_ascii_start().first() != Some(&b'%') {
            let parts = line.split(|&byte| separates(byte) || ends_line(byte));
            ids.extend(parts.filter(|id| !id.is_empty()));
        }
        if !ids.is_empty() {
            found(at, &ids)?;
        }
        at = next;
    }
    Ok(())
}

/// The graph of lists whose ids are names.
fn by_names(input: &Input, start: usize) -> Result<Graph> {
    let chunks = split(input.content, start, input.chunk);
    // Chunks are of a mebibyte, so that their number fits.
    let graph = names::graph(input.name, chunks.len() as u32, &|index, pairs| {
        let chunk = &chunks[index as usize];
        let text = &input.content[..chunk.end];
        let refused = |refused| names::error(input.name, refused);
        input.meter.add(chunk.len());
        each_line(text, chunk.start, |at, ids| {
            if ids.iter().any(|id| id.starts_with(b"{")) {
                return Err(input.at_line_of(at, ATTRIBUTES));
            }
            let from = pairs.number(ids[0]).map_err(refused)?;
            ids[1..].iter().try_for_each(|id| {
                let to = pairs.number(id).map_err(refused)?;
                pairs.push_numbers([from, to]).map_err(refused)
            })
        })
    })?;
    let reading =
        Reading { table: "adjacency list".into(), ids: IdKind::Names.name(), ..Reading::default() };
    Ok(graph.with_reading(Some(reading)))
}

const ATTRIBUTES: &str = "`{` begins attributes: this is a multi-line adjacency list or a list of edges; write the \
                          graph with networkx.write_adjlist or write_edgelist(…, data=False)";

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
        _ if found.starts_with(b"{") => ATTRIBUTES.into(),
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
        .with_hint(Hint::NamesAsIds),
    };
    Err(Fault { at, message })
}
