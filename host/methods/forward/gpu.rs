//! Forward counting on the GPU: the two rows of every edge merged in place (paper 004, section III-C).

use std::ops::Range;

use tribin_device::launch::{Device, Shape};
use tribin_kernels::forward::{BLOCK, BLOCKS_PER_MULTIPROCESSOR, forward_merge, merge_or_search};

use crate::device_graph::DeviceGraph;
use crate::methods::method::{Method, Rates};
use crate::methods::totals;

/// How many threads count, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountShape {
    /// Threads in a block.
    pub block: u32,
    /// Blocks for each multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// Whether an edge whose head has a much longer row than the edge has a prefix is searched, and not merged.
    pub search: bool,
}

impl Default for CountShape {
    /// The fastest on every graph of docs/measured.md, or within 2% of it.
    fn default() -> Self {
        CountShape {
            block: BLOCK,
            blocks_per_multiprocessor: BLOCKS_PER_MULTIPROCESSOR,
            search: false,
        }
    }
}

impl CountShape {
    /// The shape for rows of usual lengths, or for long ones: their blocks have twice the threads.
    pub fn for_rows(long: bool) -> CountShape {
        let usual = CountShape::default();
        CountShape { block: if long { 2 * usual.block } else { usual.block }, ..usual }
    }

    /// The launch over `edges` edges.
    pub(crate) fn over<D: Device>(self, device: &D, edges: u64) -> Shape {
        let most = device.multiprocessors() * self.blocks_per_multiprocessor;
        Shape::cover(edges, self.block, most)
    }
}

/// How long the merge takes.
pub const RATES: Rates = Rates { build: 0.0, count: 4.0e-12 };

impl Method for CountShape {
    const RATES: Rates = RATES;

    type Beside<D: Device> = ();

    fn bytes(&self, _: u64, _: u64) -> u64 {
        0
    }

    fn build<D: Device>(&self, _: &D, _: &DeviceGraph<D>) -> Result<(), D::Error> {
        Ok(())
    }

    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        (): &(),
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            let Range { start, end } = edges;
            let shape = self.over(device, end - start);
            let (tails, heads) = (graph.tails.view(), graph.heads.view());
            let (pairs, rows) = (graph.head_pairs(), graph.rows.view().cast());
            if self.search {
                merge_or_search(device, shape, tails, heads, pairs, rows, totals, start, end)
            } else {
                forward_merge(device, shape, tails, heads, pairs, rows, totals, start, end)
            }
        })
    }
}
