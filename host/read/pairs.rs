//! Raw pairs: little-endian `u32`, two for each edge, nothing else.

use rayon::prelude::*;

use super::input::Input;
use super::progress::Meter;
use super::source::RegularFile;
use super::{ids, memory};
use crate::{Graph, Hint, Message, Result};

/// Bytes of one edge.
pub(super) const PAIR: usize = 8;

/// Edges that one task copies.
const BLOCK: usize = 1 << 17;

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let bytes = input.content;
    let mut edges = room(input, bytes.len())?;
    let max = edges
        .par_chunks_mut(BLOCK)
        .zip(bytes.par_chunks(BLOCK * PAIR))
        .map(|(edges, bytes)| {
            let mut max = 0;
            for (edge, pair) in edges.iter_mut().zip(bytes.as_chunks::<PAIR>().0) {
                let pair = u64::from_le_bytes(*pair);
                *edge = [pair as u32, (pair >> 32) as u32];
                max = max.max(edge[0]).max(edge[1]);
            }
            input.meter.add(bytes.len());
            max
        })
        .max()
        .unwrap_or(0);
    ids::graph(input.name, edges, u64::from(max), None)
}

/// Reads a file into its edges: no other copy of them is in memory.
pub(super) fn stream(file: &RegularFile, meter: &Meter) -> Result<Option<Graph>> {
    let input = Input::new(file.name(), b"", meter);
    // More than memory holds is refused as such.
    let mut edges = room(&input, usize::try_from(file.len()).unwrap_or(usize::MAX / PAIR * PAIR))?;
    let max = edges
        .par_chunks_mut(BLOCK)
        .enumerate()
        .map(|(block, edges)| -> Result<u32> {
            file.read_at(bytemuck::cast_slice_mut(edges), (block * BLOCK * PAIR) as u64)?;
            let mut max = 0;
            for id in edges.as_flattened_mut() {
                *id = u32::from_le(*id);
                max = max.max(*id);
            }
            meter.add(edges.len() * PAIR);
            Ok(max)
        })
        .try_reduce(|| 0, |a, b| Ok(a.max(b)))?;
    file.check_unchanged()?;
    ids::graph(input.name, edges, u64::from(max), None).map(Some)
}

/// Room for the edges of a file of `len` bytes.
fn room(input: &Input, len: usize) -> Result<Vec<[u32; 2]>> {
    let left = len % PAIR;
    if left > 0 {
        return Err(input.at_byte(
            len - left,
            Message::from(format!(
                "{left} bytes are left over after the last whole pair: a .bin file holds two \
                 little-endian 32-bit ids for each edge; the file is cut off or of another format"
            ))
            .with_hint(Hint::NameFormat),
        ));
    }
    memory::zeroed(len / PAIR).map_err(|refused| input.no_memory(refused))
}
