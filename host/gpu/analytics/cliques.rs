//! Cliques of four vertices and more on the GPU (docs/analytics.md).
//!
//! Rows go to blocks by their length: a warp is enough for a short one, and many of these run at a time; the bits of a long one take
//! the shared memory of a whole multiprocessor, and all its warps search them. Rows whose bits no shared memory holds have them in
//! global memory.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::cliques::{
    self, CONTROL_BYTES, TOTALS, cliques_in_global, cliques_in_shared, rows_of_length,
    shared_bytes, words_of_block,
};
use tribin_kernels::edge_support::{self, longest_row};

use super::ROUNDING;
use crate::device_graph::DeviceGraph;

/// Rows that are searched in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The most heads of a row.
    pub longest: u32,
    /// Warps of a block.
    pub warps: u32,
}

/// The classes of rows whose bits are in shared memory. Blocks of the last take 217,000 bytes for cliques of 12: one is on a
/// multiprocessor, with 16 warps.
pub const CLASSES: [Class; 4] = [
    Class { longest: 32, warps: 1 },
    Class { longest: 128, warps: 2 },
    Class { longest: 512, warps: 4 },
    Class { longest: 1024, warps: 16 },
];

/// Warps of a block whose bits are in global memory.
const GLOBAL_WARPS: u32 = 16;

/// Warps for each multiprocessor: rows differ in their cliques, and who is done early takes others.
const WARPS: u32 = 128;

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// Bytes of device memory that the list of rows takes, and what is beside it.
fn memory_of_list(ranks: u64) -> u64 {
    4 * ranks + 4 * ROUNDING
}

/// The number of cliques of `k` vertices, from 4 to 12, in `free` bytes beside the graph; `None` where these are too few. Exact: the sum has 128 bits, and what is added to it has fewer than 97.
///
/// O(m · d^(k - 2)) work at worst, where d is the longest row. Device memory: 4 bytes a rank, and for rows of more than 1,024 heads as many
/// blocks' bits as fit, of 16 warps each, up to one for each multiprocessor.
///
/// # Errors
/// What the device reports.
pub fn count<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    k: u32,
    free: u64,
) -> Result<Option<u128>, D::Error> {
    count_in(device, graph, k, &CLASSES, free)
}

/// [`count`] with these classes, each of longer rows than the one before.
///
/// # Errors
/// As [`count`].
pub fn count_in<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    k: u32,
    classes: &[Class],
    free: u64,
) -> Result<Option<u128>, D::Error> {
    let ranks = graph.rows.len() / 2;
    if graph.edges == 0 {
        return Ok(Some(0));
    }
    let Some(free) = free.checked_sub(memory_of_list(ranks)) else { return Ok(None) };
    let strided = Shape::cover(ranks, edge_support::BLOCK, device.multiprocessors() * BLOCKS);
    let mut longest = Buffer::<u32, D>::zeroed(device, 1)?;
    longest_row(device, strided, graph.rows.view().cast(), longest.view_mut(), ranks)?;
    let longest = longest.to_vec(device)?[0];
    let mut list = Buffer::<u32, D>::uninitialized(device, ranks)?;
    let mut totals = Buffer::<u64, D>::zeroed(device, TOTALS)?;

    let most = u64::from(device.most_shared_bytes());
    let fits = |class: &&Class| shared_bytes(class.longest, k, class.warps) <= most;
    // A row of fewer has too few heads for a clique.
    let mut least = k - 1;
    for class in classes.iter().filter(fits) {
        if least > longest || least > class.longest {
            continue;
        }
        let n = list_rows(device, graph, &mut list, (least, class.longest))?;
        least = class.longest + 1;
        if n == 0 {
            continue;
        }
        let blocks = n.min(u64::from(device.multiprocessors() * (WARPS / class.warps).max(1)));
        let shape = Shape::new(blocks as u32, 32 * class.warps);
        cliques_in_shared(
            device,
            shape.shared(shared_bytes(class.longest, k, class.warps) as u32),
            graph.heads.view(),
            graph.rows.view().cast(),
            list.view(),
            Buffer::<u32, D>::zeroed(device, 1)?.view_mut(),
            totals.view_mut(),
            k,
            class.longest,
            n,
        )?;
    }
    if least <= longest {
        let n = list_rows(device, graph, &mut list, (least, longest))?;
        let words = words_of_block(longest, k, GLOBAL_WARPS);
        let blocks = (free / (4 * words)).min(n).min(device.multiprocessors().into());
        if blocks == 0 {
            return Ok(None);
        }
        cliques_in_global(
            device,
            Shape::new(blocks as u32, 32 * GLOBAL_WARPS).shared(CONTROL_BYTES),
            graph.heads.view(),
            graph.rows.view().cast(),
            list.view(),
            Buffer::<u32, D>::zeroed(device, 1)?.view_mut(),
            totals.view_mut(),
            Buffer::<u32, D>::uninitialized(device, blocks * words)?.view_mut(),
            k,
            longest,
            n,
        )?;
    }
    let totals = totals.to_vec(device)?;
    Ok(Some(u128::from(totals[0]) + (u128::from(totals[1]) << 32)))
}

/// Lists the ranks whose rows have from `least` to `most` heads, and gives their number.
fn list_rows<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    list: &mut Buffer<u32, D>,
    (least, most): (u32, u32),
) -> Result<u64, D::Error> {
    let ranks = graph.rows.len() / 2;
    let shape = Shape::cover(ranks, cliques::BLOCK, device.multiprocessors() * BLOCKS);
    let mut taken = Buffer::<u64, D>::zeroed(device, 1)?;
    rows_of_length(
        device,
        shape,
        graph.rows.view().cast(),
        list.view_mut(),
        taken.view_mut(),
        least,
        most,
        ranks,
    )?;
    Ok(taken.to_vec(device)?[0])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tribin_device::emulated::{Config, Emulator};
    use tribin_device::launch::Metered;

    use super::*;
    use crate::control::Context;
    use crate::device_graph::upload_rows;
    use crate::graph::OrientedGraph;
    use tribin_cpu::cliques;
    use tribin_cpu::prepare::prepare;

    /// Rows of few heads are long here: they go to every class, and to global memory.
    const SMALL: [Class; 3] = [
        Class { longest: 4, warps: 1 },
        Class { longest: 7, warps: 2 },
        Class { longest: 33, warps: 3 },
    ];

    /// Checks that each way counts as the CPU does, and takes no more memory than it may.
    fn check(edges: &[[u32; 2]], vertices: usize, k: u32) {
        let oriented = prepare(edges, vertices).oriented;
        let expected = cliques::count(&oriented, k, &Context::silent()).unwrap();
        let device =
            Metered::new(Emulator::with(Config { multiprocessors: 2, ..Config::seeded(1) }));
        let graph = upload_rows(&device, &oriented).unwrap();
        let held = device.live_bytes();
        for classes in [&CLASSES[..], &SMALL, &[]] {
            device.reset_peak();
            let free = 1 << 22;
            let found = count_in(&device, &graph, k, classes, free).unwrap();
            assert_eq!(found, Some(expected), "k = {k}, {classes:?}");
            assert!(device.peak_bytes() - held <= free, "{} bytes", device.peak_bytes() - held);
        }
        if oriented.edges() > 0 {
            assert_eq!(count(&device, &graph, k, 0).unwrap(), None);
        }
    }

    #[test]
    fn graphs_of_each_sort_are_the_cpu_s() {
        let clique = |n: u32| (0..n).flat_map(|u| (0..u).map(move |v| [u, v])).collect::<Vec<_>>();
        let turan = clique(24).into_iter().filter(|[u, v]| u % 6 != v % 6).collect();
        let hub = (1..100u32).flat_map(|v| [[0, v], [v, v % 7], [v, v / 2], [v, v % 11]]);
        let mut random = fastrand::Rng::with_seed(5);
        let mut dense = clique(60);
        dense.retain(|_| random.u32(..3) == 0);
        for (edges, ks) in [
            (vec![], vec![4, 12]),
            (vec![[0, 1], [1, 2], [2, 0]], vec![4]),
            (clique(20), vec![4, 5]),
            (clique(14), vec![8, 12]),
            (turan, vec![4, 6, 7]),
            (hub.collect(), vec![4, 5]),
            (dense, vec![4, 6]),
        ] {
            ks.into_iter().for_each(|k| check(&edges, 100, k));
        }
    }

    /// A row that the shared memory of no block holds, with several words of bits for each lane.
    #[test]
    fn rows_of_more_words_than_lanes() {
        let (mut offsets, mut heads) = (vec![0], Vec::new());
        for rank in 0..1_101u32 {
            // Two cliques, far apart in the last row, which has all.
            let first = [0, 1_080].into_iter().find(|first| (*first..first + 12).contains(&rank));
            heads.extend(if rank == 1_100 { 0..rank } else { first.unwrap_or(rank)..rank });
            offsets.push(heads.len() as u64);
        }
        let oriented = OrientedGraph::new(offsets, heads, (0..1_101).collect()).unwrap();
        let device = Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) });
        let graph = upload_rows(&device, &oriented).unwrap();
        for (k, expected) in [(4, 2 * (220 + 495)), (5, 2 * (495 + 792)), (6, 2 * (792 + 924))] {
            assert_eq!(count(&device, &graph, k, 1 << 30).unwrap(), Some(expected));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_multigraph_is_the_cpu_s(
            edges in prop::collection::vec(prop::array::uniform2(0u32..24), 0..260),
            k in 4u32..9,
        ) {
            check(&edges, 24, k);
        }
    }
}
