//! Forward counting on the GPU: the two rows of every edge merged in place (paper 004, section III-C).

use std::ops::Range;

use tribin_kernels::forward::{BLOCK, BLOCKS_PER_MULTIPROCESSOR, forward_merge, merge_or_search};
use warpwise_device::launch::{Device, Shape};

use crate::device_graph::DeviceGraph;
use crate::methods::method::Method;
use crate::methods::totals;
use crate::plan::counting::CountShape;

/// The launch of a kernel that merges the rows of `edges` edges, a thread an edge: the fastest on every graph of docs/measured.md, or
/// within 2% of it.
pub fn launch_shape<D: Device>(device: &D, edges: u64) -> Shape {
    Shape::cover(edges, BLOCK, device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR)
}

impl Method for CountShape {
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        _: &mut D::Event,
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            let Range { start, end } = edges;
            let shape = launch_shape(device, end - start);
            let (oriented, pairs) = (graph.oriented(), graph.head_pairs());
            if self.search {
                merge_or_search(device, shape, oriented, pairs, totals, start, end)
            } else {
                forward_merge(device, shape, oriented, pairs, totals, start, end)
            }
        })
    }
}
