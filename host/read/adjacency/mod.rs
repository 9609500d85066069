//! Adjacency lists: a vertex and its neighbours a line, as `networkx.write_adjlist` writes them.
//!
//! Every neighbour is an entry. NetworkX lists an edge once, others list it at both ends, where the second is a
//! duplicate. A vertex without neighbours of its own is one all the same. Ids are integers, or names if most at the
//! beginning are no integers.

mod lists;

use super::entries::LARGEST;
use super::format::{About, Format, Reader};
use super::input::{Input, ends_line, is_blank, next_line, text_start};
use super::number::whole;
use super::table::encoding;
use super::{IdKind, Options, ids};
use crate::graph::Reading;
use crate::{Graph, Result};
use lists::ListStyle;

/// The format.
pub(super) struct Adjacency;

impl Reader for Adjacency {
    fn about(&self) -> About {
        About { has_names: true, ..About::of(Format::Adjacency) }
    }

    fn parse(&self, input: &Input, options: &Options) -> Result<Graph> {
        let start = text_start(input.content);
        let text = &input.content[start..];
        let head = &text[..text.len().min(1 << 18)];
        if let Some((at, message)) = encoding::check(head, None, options.ids == IdKind::Names) {
            return Err(input.at_line_of(start + at, message));
        }
        let by_name = match options.ids {
            IdKind::Names => true,
            IdKind::Integers => false,
            IdKind::Auto => has_names(text),
        };
        let form = ListStyle::of(text);
        // What a line says depends on lines before it.
        let joined = text.contains(&b'\\');
        let input = &Input { chunk: if joined { usize::MAX } else { input.chunk }, ..*input };
        let graph = lists::read(input, start, form, by_name)?;
        if !by_name {
            return numbered(input, graph);
        }
        let reading = Reading {
            table: "adjacency list".into(),
            ids: IdKind::Names.name(),
            ..Reading::default()
        };
        Ok(graph.with_reading(Some(reading)))
    }
}

/// The graph of names that are integers, with these as ids.
fn numbered(input: &Input, graph: Graph) -> Result<Graph> {
    let names = (0..graph.vertex_bound() as u32).map(|v| graph.ids().id(v));
    let integers: Vec<u64> = names.filter_map(|id| whole(id.to_string().as_bytes())).collect();
    let max = integers.iter().copied().max().unwrap_or(0);
    let ends = graph.edges().iter().map(|ends| ends.map(|v| integers[v as usize]));
    match max <= LARGEST {
        true => {
            ids::graph(input.name, ends.map(|ends| ends.map(|id| id as u32)).collect(), max, None)
        }
        false => ids::wide(input.name, vec![ends.collect()], 0),
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
        let integer = |id: &&&[u8]| {
            let id = id.strip_suffix(b":").unwrap_or(id);
            whole(id).is_some()
        };
        integers += ids.iter().filter(integer).count() as u32;
        Ok::<(), ()>(())
    })
    .is_ok()
        && 2 * integers < all
}

/// Gephi writes semicolons.
fn separates(byte: u8) -> bool {
    is_blank(byte) || byte == b',' || byte == b';'
}

/// Calls `found` with the ids of each line that has any, and where the line begins. A backslash at its end joins a line
/// to the next.
fn each_line<'a, E>(
    text: &'a [u8],
    mut at: usize,
    mut found: impl FnMut(usize, &[&'a [u8]]) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut ids = Vec::new();
    while at < text.len() {
        let from = at;
        ids.clear();
        loop {
            let next = next_line(text, at);
            let line = &text[at..next];
            // `#` begins a comment, after ids too.
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
            if ids.is_empty() && line.trim_ascii_start().first() == Some(&b'%') {
                at = next;
                break;
            }
            let joined = line.trim_ascii_end().strip_suffix(b"\\").filter(|_| next < text.len());
            let parts = joined.unwrap_or(line).split(|&byte| separates(byte) || ends_line(byte));
            ids.extend(parts.filter(|id| !id.is_empty()));
            at = next;
            if joined.is_none() {
                break;
            }
        }
        if !ids.is_empty() {
            found(from, &ids)?;
        }
    }
    Ok(())
}
