//! Serialized graphs of the GAP benchmark suite.
//!
//! Layout, all little-endian (Beamer, Asanović, Patterson, "The GAP Benchmark Suite", and what its
//! `converter` writes):
//!
//! | bytes | content |
//! | --- | --- |
//! | 1 | 1 if the graph is directed, else 0 |
//! | 8 | entries e: each edge of an undirected graph is two |
//! | 8 | vertices n |
//! | 8 (n + 1) | where each vertex's neighbours begin, and the end of the last's |
//! | 4 e | the neighbours |
//! | as the last two | directed graphs: the same of the incoming edges |
//!
//! Incoming edges repeat the outgoing ones and are not read. An undirected graph's edges are read
//! once; where a file that calls itself undirected does not list every edge twice, all of its entries
//! are, so that no edge is lost.

use super::format::{About, Format, Reader};
use super::ids::{self, MOST_VERTICES};
use super::input::{Fault, too_many};
use super::inspect::Foretold;
use super::open_file::OpenFile;
use super::rows;
use crate::{Graph, Message, Result, hint};

/// What the first bytes say, and where the rest is.
#[derive(Debug, Clone, Copy)]
struct SgHead {
    vertices: u64,
    directed: bool,
    entries: u64,
}

/// Bytes before the offsets.
const HEAD: usize = 17;

impl SgHead {
    /// Entries that the graph will have.
    fn edges(&self) -> u64 {
        if self.directed { self.entries } else { self.entries / 2 }
    }

    /// Bytes of the whole file.
    fn size(&self) -> u128 {
        let adjacency = 8 * (u128::from(self.vertices) + 1) + 4 * u128::from(self.entries);
        HEAD as u128 + if self.directed { 2 * adjacency } else { adjacency }
    }
}

/// Reads the fixed part of the file.
fn head(input: &OpenFile) -> Result<SgHead> {
    let bytes = input.content();
    let word = |at: usize| {
        bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u64::from_le_bytes(*word))
    };
    let (Some(entries), Some(vertices)) = (word(1), word(9)) else {
        let why = "the file ends inside its first 17 bytes: it is cut off, convert the graph again";
        return Err(input.at_byte(bytes.len(), why));
    };
    let directed = match bytes[0] {
        0 => false,
        1 => true,
        other => {
            let message = format!(
                "the first byte is {other}, and a GAP serialized graph begins with 0 or 1: it is of another format"
            );
            return Err(input.at_byte(0, Message::from(message).with_hint(hint::NAME_FORMAT)));
        }
    };
    if vertices > MOST_VERTICES {
        return Err(input.at_byte(9, too_many(vertices)));
    }
    Ok(SgHead { vertices, directed, entries })
}

/// The format.
pub(super) struct Sg;

impl Reader for Sg {
    fn about(&self) -> About {
        About::of(Format::Sg)
    }

    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        let head = head(input)?;
        Ok(Some(Foretold::declared(head.edges(), Some(head.vertices))))
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        let head = head(input)?;
        let bytes = input.content();
        if head.size() != bytes.len() as u128 {
            let message = format!(
                "{} entries and {} vertices take a file of {} bytes, and this one has {}: it is cut \
                 off or has weights (.wsg), convert the graph again",
                head.entries,
                head.vertices,
                head.size(),
                bytes.len()
            );
            return Err(input.at_byte(1, message).into());
        }
        // Both are below the file's length.
        let (n, entries) = (head.vertices as usize, head.entries as usize);
        let (offsets, rest) = bytes[HEAD..].split_at(8 * (n + 1));
        let (offsets, neighbours) =
            (offsets.as_chunks::<8>().0, rest[..4 * entries].as_chunks::<4>().0);
        let start = |row: usize| u64::from_le_bytes(offsets[row]);
        let column = |place: usize| u32::from_le_bytes(neighbours[place]).into();
        let read = rows::entries(n, start, (entries, column), |v, w| [v as u32, w as u32]);
        let whole = |edges: Vec<[u32; 2]>| match edges.len() == entries {
            true => Ok(edges),
            false => Err(format!("the rows end at entry {} of {entries}", edges.len())),
        };
        let edges = read?.and_then(whole).map_err(|why| {
            input.error(format!("{why}: the file is damaged, convert the graph again"))
        })?;
        let graph = |edges| ids::indexed(input.name(), edges, head.vertices);
        let graph = match head.directed {
            true => graph(edges)?,
            false => rows::listed_twice("GAP's serialized graph", edges, None, graph)?,
        };
        Ok(graph)
    }
}
