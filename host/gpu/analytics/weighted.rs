//! Sums of weights over triangles on the GPU (docs/engines.md).
//!
//! The numbers of the edges come from the host, and the sums go back, 8 bytes an edge each way.

use tribin_kernels::weighted_triangles::{
    BLOCK, LONG_BLOCK, LONG_SHARED_BYTES, weigh_long_rows, weigh_rows,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::ROUNDING;
use crate::device_graph::DeviceGraph;

/// Rows of at least as many entries, and lanes that take such a row, as a power of two. Shorter rows have no triangles.
const TEAMS: [(u32, u32); 3] = [(2, 2), (9, 3), (17, 5)];

/// Entries of the shortest row that a block takes.
const LONG: u32 = 257;

/// Blocks a multiprocessor of the kernel for rows of a warp or less: rows differ in their wedges, and who is done early
/// takes others.
const BLOCKS: u32 = 512;

/// Blocks a multiprocessor of the kernel for long rows, which also goes through all rows to find them.
const LONG_BLOCKS: u32 = 16;

/// Bytes of device memory that [`by_edge`] takes beside the graph.
pub fn memory_needed(edges: u64) -> u64 {
    16 * edges + ROUNDING
}

/// The sum at each place of the products of the numbers of the triangles' edges, over the triangles whose largest rank
/// is its tail. `numbers` has one by place.
///
/// O(m^1.5 log m) work; memory: [`memory_needed`]. Every GPU gives the same sums, each after at most as many roundings
/// as its row has entries, beside two for each product.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there is not a number for each edge.
pub fn by_edge<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    numbers: &[f64],
) -> Result<Vec<f64>, D::Error> {
    by_edge_with(device, graph, numbers, LONG)
}

/// The work of [`by_edge`], with blocks for rows of at least `long` entries.
fn by_edge_with<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    numbers: &[f64],
    long: u32,
) -> Result<Vec<f64>, D::Error> {
    let (m, ranks) = (graph.edges, graph.rows.len() / 2);
    assert_eq!(numbers.len() as u64, m, "a number for each edge");
    if m == 0 {
        return Ok(Vec::new());
    }
    let numbers = Buffer::from_host(device, numbers)?;
    let mut sums = Buffer::<f64, D>::zeroed(device, m)?;
    for (team, &(shortest, lanes_log2)) in TEAMS.iter().enumerate() {
        let longest = TEAMS.get(team + 1).map_or(long, |&(next, _)| next.min(long)) - 1;
        if shortest > longest {
            continue;
        }
        let most = device.multiprocessors() * BLOCKS;
        weigh_rows(
            device,
            Shape::cover(ranks << lanes_log2, BLOCK, most),
            graph.heads.view(),
            graph.rows.view().cast(),
            numbers.view(),
            sums.view_mut(),
            shortest,
            longest,
            lanes_log2,
            ranks,
            m,
        )?;
    }
    let blocks = ranks.min(u64::from(device.multiprocessors() * LONG_BLOCKS)) as u32;
    weigh_long_rows(
        device,
        Shape::new(blocks, LONG_BLOCK).shared(LONG_SHARED_BYTES),
        graph.heads.view(),
        graph.rows.view().cast(),
        numbers.view(),
        sums.view_mut(),
        long.max(2),
        ranks,
        m,
    )?;
    sums.to_vec(device)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::effort;
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::Metered;

    use super::*;
    use crate::Graph;
    use crate::control::Context;
    use crate::device_graph::upload_rows;
    use tribin_analytics::cpu::weighted;
    use tribin_cpu::prepare::prepare;

    /// The sums are the CPU's, whatever the length of the rows that blocks take, and take no more memory than was
    /// predicted. Numbers are sixteenths, so that sums are exact in any order.
    fn check(graph: &Graph, longs: &[u32]) {
        let oriented = prepare(graph.edges(), graph.vertex_bound()).oriented;
        let mut rng = fastrand::Rng::with_seed(7);
        let numbers: Vec<f64> =
            oriented.heads.iter().map(|_| f64::from(rng.i32(-3..40)) / 16.0).collect();
        let expected = weighted::by_edge(&oriented, &numbers, &Context::silent()).unwrap();
        for (number, &long) in longs.iter().enumerate() {
            if !effort::takes(number + graph.edges().len(), longs.len()) {
                continue;
            }
            let config = Config { multiprocessors: 1, ..Config::seeded(u64::from(long)) };
            let device = Metered::new(Emulator::with(config));
            let there = upload_rows(&device, &oriented).unwrap();
            let held = device.live_bytes();
            device.reset_peak();
            assert_eq!(by_edge_with(&device, &there, &numbers, long).unwrap(), expected);
            let (took, needed) = (device.peak_bytes() - held, memory_needed(oriented.edges()));
            assert!(took <= needed, "{took} bytes, and {needed} predicted");
        }
    }

    #[test]
    fn graphs_of_each_sort_are_the_cpu_s() {
        let hub = (1..400u32).flat_map(|v| [[0, v], [v, v % 7], [v, v / 2]]);
        let clique = (0..60u32).flat_map(|u| (0..u).map(move |v| [u, v]));
        for entries in [
            vec![],
            vec![[3, 3]],
            vec![[0, 1], [1, 2], [2, 0]],
            hub.clone().collect(),
            clique.clone().collect(),
            hub.chain(clique).collect(),
        ] {
            check(&Graph::from_edges(entries), &[2, 5, 9, 30, LONG]);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_multigraph_is_the_cpu_s(
            entries in prop::collection::vec(prop::array::uniform2(0u32..24), 0..200),
            long in 2u32..20,
        ) {
            check(&Graph::from_edges(entries), &[long]);
        }
    }
}
