//! Matrix Market coordinate files.

use std::io;

use super::Adjacency;
use super::entries::push_number;
use super::stream::MemberSink;

/// Writes the lower triangle of the adjacency matrix, row by row, numbered from 1. A symmetric file stores
/// one of the two entries of an edge; readers make the other, and add up those that stand twice.
pub(super) fn write(graph: &Adjacency, to: &mut MemberSink) -> io::Result<()> {
    let (n, m) = (graph.vertices(), graph.edges());
    let head = format!("%%MatrixMarket matrix coordinate pattern symmetric\n{n} {n} {m}\n");
    to.part(head.into_bytes())?;
    to.rows(graph, |v, row, text| {
        for &smaller in row.iter().take_while(|&&other| other < v) {
            push_number(text, u64::from(v) + 1);
            text.push(b' ');
            push_number(text, u64::from(smaller) + 1);
            text.push(b'\n');
        }
    })
}
