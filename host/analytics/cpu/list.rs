//! Every triangle once.

use crate::graph::RowRange;
use tribin_cpu::forward::Sink;

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
