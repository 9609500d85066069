//! Lines of numbers that hold any number of entries each, in parallel: what DIMACS files and adjacency lists
//! share.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::entries::{LARGEST, close_gaps};
use super::ids;
use super::input::{Input, split};
use super::memory::{self, NoMemory};
use crate::{Error, Graph, Message, Result};

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
    let text = input.content;
    let chunks = split(text, start, input.chunk);
    let no_memory = |refused: NoMemory| input.no_memory(refused);
    // Upper bounds of the chunks' entries let every chunk write to its final place.
    let rooms: Vec<usize> =
        chunks.par_iter().map(|chunk| lines.room(&text[chunk.clone()])).collect();
    let mut edges = memory::zeroed::<[u32; 2]>(rooms.iter().sum()).map_err(no_memory)?;
    let mut slots = Vec::with_capacity(chunks.len());
    let mut rest = &mut edges[..];
    for &room in &rooms {
        let (slot, after) = rest.split_at_mut(room);
        slots.push(slot);
        rest = after;
    }
    let too_wide = AtomicBool::new(false);
    let first_bad = AtomicUsize::new(usize::MAX);
    let results: Vec<std::result::Result<(usize, u64), Fault>> = chunks
        .par_iter()
        .zip(slots)
        .enumerate()
        .map(|(index, (chunk, slot))| {
            // A chunk after a bad one cannot hold the first fault.
            let over = first_bad.load(Relaxed) < index || input.meter.is_cancelled();
            if too_wide.load(Relaxed) || over {
                return Ok((0, 0));
            }
            let mut entries = 0;
            let read = lines.read(&text[..chunk.end], chunk.start, |u, v| {
                slot[entries] = [u as u32, v as u32];
                entries += 1;
            });
            match read {
                Ok(max) if max > LARGEST => too_wide.store(true, Relaxed),
                Ok(_) => {}
                Err(_) => drop(first_bad.fetch_min(index, Relaxed)),
            }
            input.meter.add(chunk.len());
            read.map(|max| (entries, max))
        })
        .collect();
    if too_wide.into_inner() {
        drop(edges);
        return wide(input, start, lines).map(Found::Wide);
    }
    let found = results.into_iter().collect::<std::result::Result<Vec<_>, Fault>>();
    let found = found.map_err(|fault| explain(input, fault))?;
    let max = close_gaps(&mut edges, found.into_iter().zip(rooms));
    Ok(Found::Edges(edges, max))
}

/// The same with vertices of 64 bits.
fn wide(input: &Input, start: usize, lines: &impl Lines) -> Result<Vec<Vec<[u64; 2]>>> {
    let text = input.content;
    let parts: Vec<Result<Vec<[u64; 2]>>> = split(text, start, input.chunk)
        .into_par_iter()
        .map(|chunk| {
            let room = lines.room(&text[chunk.clone()]);
            let mut part =
                memory::with_capacity(room).map_err(|refused| input.no_memory(refused))?;
            let read = lines.read(&text[..chunk.end], chunk.start, |u, v| part.push([u, v]));
            read.map_err(|fault| explain(input, fault))?;
            part.shrink_to_fit();
            Ok(part)
        })
        .collect();
    parts.into_iter().collect()
}

fn explain(input: &Input, fault: Fault) -> Error {
    input.at_line_of(fault.at, fault.message)
}
