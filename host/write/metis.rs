//! METIS adjacency lists.

use std::io::{self, Write};

use super::Adjacency;
use super::stream::{part, stream};
use crate::read::Compression;

/// Vertices of a block.
const BLOCK: u64 = 1 << 12;

pub(super) fn write(
    graph: &Adjacency,
    compression: Compression,
    file: &mut (dyn Write + Send),
) -> io::Result<()> {
    let head = format!("{} {}\n", graph.vertices(), graph.edges());
    part(head.into_bytes(), compression, file)?;
    stream(graph.vertices().div_ceil(BLOCK), compression, file, |block| {
        let mut text = Vec::new();
        let mut number = itoa::Buffer::new();
        for v in block * BLOCK..graph.vertices().min((block + 1) * BLOCK) {
            for &neighbour in graph.row(v as u32) {
                text.extend_from_slice(number.format(u64::from(neighbour) + 1).as_bytes());
                // Behind the last one too: GAP's reader drops a number that a line ends with.
                text.push(b' ');
            }
            text.push(b'\n');
        }
        text
    })
}
