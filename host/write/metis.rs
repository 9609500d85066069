//! METIS adjacency lists.

use std::io;

use super::Adjacency;
use super::entries::push_number;
use super::stream::MemberSink;

pub(super) fn write(graph: &Adjacency, to: &mut MemberSink) -> io::Result<()> {
    to.part(format!("{} {}\n", graph.vertices(), graph.edges()).into_bytes())?;
    to.rows(graph, |_, row, text| {
        for &neighbour in row {
            push_number(text, u64::from(neighbour) + 1);
            // Behind the last one too: GAP's reader drops a number that a line ends with.
            text.push(b' ');
        }
        text.push(b'\n');
    })
}
