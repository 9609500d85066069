//! Matrix Market coordinate files.

use std::io::{self, Write};

use super::Adjacency;
use super::stream::{part, stream};
use crate::read::Compression;

/// Vertices of a block.
const BLOCK: u64 = 1 << 12;

/// Writes the lower triangle of the adjacency matrix, row by row, numbered from 1. A symmetric file stores
/// one of the two entries of an edge; readers make the other, and add up those that stand twice.
pub(super) fn write(
    graph: &Adjacency,
    compression: Compression,
    file: &mut (dyn Write + Send),
) -> io::Result<()> {
    let (n, m) = (graph.vertices(), graph.edges());
    let head = format!("%%MatrixMarket matrix coordinate pattern symmetric\n{n} {n} {m}\n");
    part(head.into_bytes(), compression, file)?;
    stream(n.div_ceil(BLOCK), compression, file, |block| {
        let mut text = Vec::new();
        let mut numbers = [itoa::Buffer::new(), itoa::Buffer::new()];
        for v in block * BLOCK..n.min((block + 1) * BLOCK) {
            let [row, column] = &mut numbers;
            let row = row.format(v + 1);
            for &smaller in graph.row(v as u32).iter().take_while(|&&other| u64::from(other) < v) {
                text.extend_from_slice(row.as_bytes());
                text.push(b' ');
                text.extend_from_slice(column.format(u64::from(smaller) + 1).as_bytes());
                text.push(b'\n');
            }
        }
        text
    })
}
