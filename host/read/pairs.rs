//! Raw pairs: little-endian `u32`, two for each edge, nothing else.

use rayon::prelude::*;

use super::ids;
use super::input::Input;
use crate::{Graph, Result};

/// Bytes of one edge.
pub(super) const PAIR: usize = 8;

/// Edges that one task copies.
const BLOCK: usize = 1 << 17;

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let bytes = input.content;
    let whole = bytes.len() / PAIR * PAIR;
    if whole != bytes.len() {
        return Err(input.at_byte(
            whole,
            format!(
                "{} bytes are left over after the last whole pair: a .bin file holds two \
                 little-endian 32-bit ids for each edge; the file is cut off or of another format \
                 (name it with `--format`)",
                bytes.len() - whole
            ),
        ));
    }
    let mut edges = vec![[0u32; 2]; bytes.len() / PAIR];
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
    ids::graph(input, edges, u64::from(max), None)
}
