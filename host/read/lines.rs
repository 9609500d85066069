//! Lines of numbers that hold any number of entries each, in parallel: what DIMACS files and adjacency lists
//! share.

use super::entries::{Parsed, parse_chunks};
use super::ids;
use super::input::{Input, split};
use super::memory;
use crate::{Error, Graph, Message, Result};
use tribin_base::par;

/// What is wrong with a line, and where.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: Message,
}

/// How lines become entries.
pub(super) trait Lines: Sync {
    /// An upper bound of the entries in some lines.
    fn room(&self, text: &[u8]) -> usize;

    /// Reads the lines from `at` to the end of `text`, and calls `found` with each entry. Returns the largest
    /// vertex that was met, without entries too.
    fn read(
        &self,
        text: &[u8],
        at: usize,
        found: impl FnMut(u64, u64),
    ) -> std::result::Result<u64, Fault>;
}

/// The entries of some lines.
pub(super) enum Found {
    /// In the file's order, and the largest vertex.
    Edges(Vec<[u32; 2]>, u64),
    /// With vertices of 64 bits, in parts that follow one another.
    Wide(Vec<Vec<[u64; 2]>>),
}

impl Found {
    pub(super) fn entries(&self) -> usize {
        match self {
            Found::Edges(edges, _) => edges.len(),
            Found::Wide(parts) => parts.iter().map(Vec::len).sum(),
        }
    }

    /// The graph of the entries. A format that declares its vertices calls them `first` and up.
    pub(super) fn graph(self, name: &str, declared: Option<u64>) -> Result<Graph> {
        match self {
            Found::Edges(edges, max) => ids::graph(name, edges, max, declared),
            Found::Wide(parts) => ids::wide(name, parts, u64::from(declared.is_some())),
        }
    }
}

/// Reads the lines from `start` to the end. The first fault in the file is returned.
pub(super) fn read(input: &Input, start: usize, lines: &impl Lines) -> Result<Found> {
    let parsed = parse_chunks(
        input,
        start,
        |text| lines.room(text),
        |text, at, slot| {
            let mut entries = 0;
            let max = lines.read(text, at, |u, v| {
                slot[entries] = [u as u32, v as u32];
                entries += 1;
            })?;
            Ok((entries, max))
        },
    );
    let parsed = parsed.map_err(|refused| input.no_memory(refused))?;
    match parsed.map_err(|fault| explain(input, fault))? {
        Parsed::Edges(edges, max) => Ok(Found::Edges(edges, max)),
        Parsed::TooWide => wide(input, start, lines).map(Found::Wide),
    }
}

/// Reads the lines from `start` to the end with vertices of 64 bits.
fn wide(input: &Input, start: usize, lines: &impl Lines) -> Result<Vec<Vec<[u64; 2]>>> {
    let text = input.content;
    par::try_map(split(text, start, input.chunk), |chunk| {
        let room = lines.room(&text[chunk.clone()]);
        let mut part = memory::with_capacity(room).map_err(|refused| input.no_memory(refused))?;
        let read = lines.read(&text[..chunk.end], chunk.start, |u, v| part.push([u, v]));
        read.map_err(|fault| explain(input, fault))?;
        part.shrink_to_fit();
        Ok(part)
    })
}

fn explain(input: &Input, fault: Fault) -> Error {
    input.at_line_of(fault.at, fault.message)
}
