//! Every triangle once.

use crate::Result;
use crate::control::Context;
use crate::graph::{OrientedGraph, RowRange};
use tribin_base::par;
use tribin_cpu::forward::{Piece, Sink, Visitor, pieces_of};

/// Wedges of a block: large against what starting one costs, small against memory.
const WEDGES: u64 = 1 << 16;

/// Takes triangles, some blocks at a time, and says whether more are wanted.
type TakeTriangles<'a> = dyn FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send + 'a;

/// Hands all triangles of a graph to `take` until it says `false`: vertex indexes, ascending in each triangle. The order of the blocks
/// and of the triangles in them depends on the graph and the device that prepared it alone.
///
/// O(m^1.5) work. Memory: at most 24 bytes an edge for the hubs' bits, 1.5 MB for each thread, 32 bytes a block, and 12 bytes for each
/// triangle of two blocks for each thread. A block has at most 2¹⁷ + √(2m) triangles.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled), and those of `take`.
pub fn each_triangle(
    graph: &OrientedGraph,
    context: &Context,
    take: &mut TakeTriangles<'_>,
) -> Result<()> {
    in_blocks(graph, WEDGES, context, take)
}

fn in_blocks(
    graph: &OrientedGraph,
    wedges: u64,
    context: &Context,
    take: &mut TakeTriangles<'_>,
) -> Result<()> {
    let visitor = Visitor::new(graph);
    let list = |piece: &Piece| {
        let mut sink = ListSink::default();
        visitor.visit(piece.clone(), &mut sink);
        sink.into_vertices(graph.vertex_of_rank())
    };
    for batch in pieces_of(graph, graph.ranks(), wedges).chunks(2 * par::threads()) {
        context.cancel().check()?;
        if !take(par::map(batch, list))? {
            break;
        }
    }
    Ok(())
}

/// Keeps each triangle as its ranks in descending order.
#[derive(Default)]
pub struct ListSink {
    row: Vec<u32>,
    u: u32,
    a: u32,
    found: Vec<[u32; 3]>,
}

impl ListSink {
    /// The triangles as vertices, ascending in each.
    pub fn into_vertices(mut self, vertex_of_rank: &[u32]) -> Vec<[u32; 3]> {
        for triangle in &mut self.found {
            *triangle = triangle.map(|rank| vertex_of_rank[rank as usize]);
            triangle.sort_unstable();
        }
        self.found
    }
}

impl Sink for ListSink {
    #[inline(always)]
    fn begin_row(&mut self, tails: &RowRange, u: u32) {
        self.u = u;
        self.row.clear();
        self.row.extend_from_slice(tails.row(u));
    }

    #[inline(always)]
    fn begin_edge(&mut self, _: &RowRange, _: usize, a: u32) {
        self.a = a;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, _: usize) {
        self.found.push([self.u, self.a, self.row[q]]);
    }

    #[inline(always)]
    fn end_row(&mut self, _: &RowRange, _: u32) {}
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use tribin_cpu::forward as forward_cpu;
    use tribin_cpu::prepare::prepare;

    #[test]
    fn blocks_of_any_size_list_the_same_in_the_same_order() {
        let mut edges: Vec<[u32; 2]> = (0..60).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        edges.extend((60..500).flat_map(|v| [[v, v - 1], [v, v * 7 % 60], [v, v * 11 % 60]]));
        let graph = prepare(&edges, 500).oriented;
        let list = |wedges| {
            let mut found = Vec::new();
            let mut take = |blocks: Vec<Vec<[u32; 3]>>| {
                found.extend(blocks.concat());
                Ok(true)
            };
            in_blocks(&graph, wedges, &Context::silent(), &mut take).unwrap();
            found
        };
        let whole = list(u64::MAX);
        assert_eq!(whole.len() as u64, forward_cpu::count(&graph));
        assert!(whole.iter().all(|[a, b, c]| a < b && b < c));
        assert_eq!(BTreeSet::from_iter(&whole).len(), whole.len());
        for wedges in [1, 10, 1000, WEDGES] {
            assert_eq!(list(wedges), whole);
        }
    }
}
