//! Forward counting on the GPU: the two rows of every edge merged in place (paper 004, section III-C).

use tribin_device::launch::{Device, Shape};
use tribin_kernels::forward::{BLOCK, BLOCKS_PER_MULTIPROCESSOR, forward_merge};

use crate::graph::DeviceGraph;
use crate::methods::method::{Method, Rates};
use crate::methods::totals;

/// How many threads count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountShape {
    /// Threads in a block.
    pub block: u32,
    /// Blocks for each multiprocessor.
    pub blocks_per_multiprocessor: u32,
}

impl Default for CountShape {
    /// The fastest on every graph of docs/measured.md, or within 2% of it.
    fn default() -> Self {
        CountShape { block: BLOCK, blocks_per_multiprocessor: BLOCKS_PER_MULTIPROCESSOR }
    }
}

impl CountShape {
    /// The shape for rows of usual lengths, or for long ones: their blocks have twice the threads.
    pub fn for_rows(long: bool) -> CountShape {
        let usual = CountShape::default();
        CountShape { block: if long { 2 * usual.block } else { usual.block }, ..usual }
    }

    /// The launch over so many edges.
    pub(crate) fn over<D: Device>(self, device: &D, edges: u64) -> Shape {
        let most = device.multiprocessors() * self.blocks_per_multiprocessor;
        Shape::cover(edges, self.block, most)
    }
}

impl Method for CountShape {
    const RATES: Rates = Rates { build: 0.0, count: 4.0e-12 };

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
        let m = graph.edges;
        totals::sum_of(device, m, |totals| {
            forward_merge(
                device,
                self.over(device, m),
                graph.tails.view(),
                graph.heads.view(),
                graph.rows.view().cast(),
                totals,
                m,
            )
        })
    }
}
