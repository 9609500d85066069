use anyhow::Result;
use testkit::devices::entries_on;
use tribin_kernels::adopt::{BLOCK, adopt_edges};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::Rows;

/// A graph's edges as a file has them: sorted, the larger or the smaller vertex first.
#[derive(Debug)]
struct Adopt {
    graph: Rows,
    upward: bool,
    shape: Shape,
}

impl Case for Adopt {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Adopt { graph, upward, shape } = self;
        let n = graph.rows.len() as u32;
        // Upward, ids count from the last rank.
        let id = |rank: u32| if *upward { n - 1 - rank } else { rank };
        let ends = graph.tails.iter().zip(&graph.heads);
        let mut edges: Vec<[u32; 2]> = ends.map(|(&tail, &head)| [id(tail), id(head)]).collect();
        edges.sort_unstable();
        let mut degrees = graph.degrees();
        if *upward {
            degrees.reverse();
        }
        let edges = entries_on(device, &edges)?;
        let m = edges.len();
        let degrees = Buffer::from_host(device, &degrees)?;
        let mut tails = Buffer::uninitialized(device, m)?;
        let mut heads = Buffer::uninitialized(device, m)?;
        let mut rows = Buffer::zeroed(device, 2 * u64::from(n))?;
        let mut degree_of_rank = Buffer::uninitialized(device, u64::from(n))?;
        adopt_edges(
            device,
            *shape,
            edges.view(),
            degrees.view(),
            tails.view_mut(),
            heads.view_mut(),
            rows.view_mut(),
            degree_of_rank.view_mut(),
            m,
            u64::from(n),
            u32::from(*upward),
        )?;
        let bounds: Vec<u32> =
            graph.rows.iter().flat_map(|&row| [row as u32, (row >> 32) as u32]).collect();
        ensure_holds("tails", device, &tails, &graph.tails)?;
        ensure_holds("heads", device, &heads, &graph.heads)?;
        ensure_holds("rows", device, &rows, &bounds)?;
        ensure_holds("degrees", device, &degree_of_rank, &graph.degrees())
    }
}

#[test]
fn adopt_edges_lays_out_the_rows_of_sorted_edges() {
    let kernel = Kernel::named("adopt_edges");
    for (ranks, percent) in [(1, 30), (2, 40), (33, 33), (70, 12), (257, 4), (300, 0)] {
        let graph = Rows::random(ranks, percent, u64::from(ranks));
        for shape in striding_shapes(graph.heads.len().max(1) as u64, BLOCK) {
            for upward in [false, true] {
                kernel.everywhere([Adopt { graph: graph.clone(), upward, shape }]);
            }
        }
    }
}
