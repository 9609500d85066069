//! Cliques of four vertices and more on the GPU (docs/analytics.md).
//!
//! Rows go to blocks by their length: a warp is enough for a short one, and many of these run at a time; the bits of a long one take
//! the shared memory of a whole multiprocessor, and all its warps search them. Rows whose bits no shared memory holds have them in
//! global memory.

use tribin_kernels::cliques::{
    BY_PIVOTS, IN_GLOBAL, IN_SHARED, TOTALS, cliques_of_rows, goes_by_pivots, rows_of_length,
    scratch_words, shared_bytes, ways_len,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::{ROUNDING, longest_row, over};
use crate::device_graph::DeviceGraph;

/// Rows that are searched in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowClass {
    /// The most heads of a row.
    pub longest: u32,
    /// Warps of a block.
    pub warps: u32,
}

/// The classes of rows whose bits are in shared memory. A block of the last takes all of a multiprocessor's, with 16 warps, or for cliques
/// of eleven and more as many as fit.
pub const CLASSES: [RowClass; 4] = [
    RowClass { longest: 32, warps: 1 },
    RowClass { longest: 128, warps: 2 },
    RowClass { longest: 512, warps: 4 },
    RowClass { longest: 1024, warps: 16 },
];

/// Warps of a block whose bits are in global memory.
const GLOBAL_WARPS: u32 = 16;

/// Fewest warps of a block whose rows are long. Long rows are cut into slices where there are few of them.
const LONG_WARPS: u32 = 4;

/// Fewest vertices of a clique for which rows are cut into slices. A search for fewer takes about as long as making the row's bits.
const LEAST_SLICED: u32 = 5;

/// Warps for each multiprocessor: rows differ in their cliques, and who is done early takes others.
const WARPS: u32 = 128;

/// Slices of long rows for each multiprocessor, about, where rows are few.
const SLICES: u64 = 8;

/// Most slices of a row: each takes a matrix of all of the row's bits.
const MOST_SLICES: u64 = 16;

/// The number of cliques of `k` vertices, from 4 to 12, of the graph's share: those whose largest rank is in it. The search takes at most
/// `free` bytes beside the graph. `None` where these are too few, or where the number of all cliques might have more than 127 bits. Exact:
/// the sum has 128 bits.
///
/// O(m · d^(k - 2)) work at worst, where d is the longest row, and less where many heads of a row are all joined. Device memory: 4 bytes
/// a rank, 16 · k for each head of the longest row, and for rows of more than 1,024 heads as many blocks' bits as fit, of 16 warps each,
/// up to one for each multiprocessor.
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
    classes: &[RowClass],
    free: u64,
) -> Result<Option<u128>, D::Error> {
    if graph.edges == 0 {
        return Ok(Some(0));
    }
    let Some(mut search) = DeviceCliqueSearch::new(device, graph, k, free)? else {
        return Ok(None);
    };
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    if !search.run(classes, &mut totals)? {
        return Ok(None);
    }
    let pieces = totals.to_vec(device)?;
    Ok(Some(pieces.iter().rev().fold(0, |sum, &piece| (sum << 32) + u128::from(piece))))
}

/// A search of all rows of a graph.
struct DeviceCliqueSearch<'s, D: Device> {
    device: &'s D,
    graph: &'s DeviceGraph<D>,
    k: u32,
    /// Heads of the longest row.
    longest: u32,
    /// The binomial coefficients that the kernels look up.
    ways: Buffer<u64, D>,
    /// The ranks of the rows of a class.
    list: Buffer<u32, D>,
    /// Bytes of device memory beside these.
    free: u64,
}

impl<'s, D: Device> DeviceCliqueSearch<'s, D> {
    /// `None` where there are too few free bytes, or numbers may have more than 128 bits.
    fn new(
        device: &'s D,
        graph: &'s DeviceGraph<D>,
        k: u32,
        free: u64,
    ) -> Result<Option<DeviceCliqueSearch<'s, D>>, D::Error> {
        let ranks = graph.rows.len() / 2;
        let Some(free) = free.checked_sub(4 * ranks + 5 * ROUNDING) else { return Ok(None) };
        let longest = longest_row(device, graph)?.to_vec(device)?[0];
        // Each row has at most as many cliques as choices of k - 1 heads.
        let bits = |i: u32| (f64::from(longest.saturating_sub(i)) / f64::from(i + 1)).log2();
        if (0..k - 1).map(bits).sum::<f64>() + (ranks as f64).log2() > 127.0 {
            return Ok(None);
        }
        let Some(free) = free.checked_sub(8 * ways_len(longest, k)) else { return Ok(None) };
        let ways = Buffer::from_host(device, &ways(longest, k))?;
        let list = Buffer::uninitialized(device, ranks)?;
        Ok(Some(DeviceCliqueSearch { device, graph, k, longest, ways, list, free }))
    }

    /// Searches all rows, and adds what it finds to the pieces of a sum; `false` where there is no room for the bits of a row.
    fn run(&mut self, classes: &[RowClass], totals: &mut Buffer<u64, D>) -> Result<bool, D::Error> {
        let (k, longest) = (self.k, self.longest);
        let most = u64::from(self.device.most_shared_bytes());
        let fitting = |class: &RowClass| {
            let fits = |warps: &u32| shared_bytes(IN_SHARED, class.longest, k, *warps) <= most;
            let warps = (1..=class.warps).rev().find(fits)?;
            Some(RowClass { warps, ..*class })
        };
        // A row of fewer has too few heads for a clique.
        let mut least = k - 1;
        for class in classes.iter().filter_map(fitting) {
            if least > longest || least > class.longest {
                continue;
            }
            let class = RowClass { longest: class.longest.min(longest), ..class };
            if !self.run_class(class, least, IN_SHARED, totals)? {
                return Ok(false);
            }
            least = class.longest + 1;
        }
        let last = RowClass { longest, warps: GLOBAL_WARPS };
        Ok(least > longest || self.run_class(last, least, IN_GLOBAL, totals)?)
    }

    /// Searches the rows of `least` heads and more that a class has; `false` where there is no room for the bits of one.
    fn run_class(
        &mut self,
        class: RowClass,
        least: u32,
        words_at: u32,
        totals: &mut Buffer<u64, D>,
    ) -> Result<bool, D::Error> {
        let RowClass { longest, warps } = class;
        let (device, graph, k) = (self.device, self.graph, self.k);
        let n = list_rows(device, graph, &mut self.list, least, longest)?;
        if n == 0 {
            return Ok(true);
        }
        let words = scratch_words(words_at, longest, k, warps);
        let shared = shared_bytes(words_at, longest, k, warps);
        let each = if words_at == IN_SHARED { u64::from(WARPS / warps).max(1) } else { 1 };
        let multiprocessors = u64::from(device.multiprocessors());
        let few = SLICES * multiprocessors / n;
        let are_sliced = warps >= LONG_WARPS && k >= LEAST_SLICED;
        let slices = if are_sliced { few.clamp(1, MOST_SLICES) as u32 } else { 1 };
        let mut blocks = (n * u64::from(slices)).min(multiprocessors * each);
        if words > 0 {
            blocks = blocks.min(self.free / (4 * words));
        }
        if blocks == 0 {
            return Ok(false);
        }
        let shape = Shape::new(blocks as u32, 32 * warps).shared(shared as u32);
        let heads = graph.heads.view().slice(0, graph.edges);
        let rows = graph.rows.view().cast();
        let (ways, list) = (self.ways.view(), self.list.view());
        let mut queue = Buffer::<u32, D>::zeroed(device, 1)?;
        let queue = queue.view_mut();
        let mut scratch = Buffer::<u32, D>::uninitialized(device, blocks * words)?;
        let scratch = scratch.view_mut();
        let by = if goes_by_pivots(k) { words_at + BY_PIVOTS } else { words_at };
        let count = match by {
            0 => cliques_of_rows::<0, D>,
            1 => cliques_of_rows::<1, D>,
            2 => cliques_of_rows::<2, D>,
            _ => cliques_of_rows::<3, D>,
        };
        let totals = totals.view_mut();
        count(
            device, shape, heads, rows, ways, list, queue, totals, scratch, k, longest, n, slices,
        )?;
        Ok(true)
    }
}

/// The ways to choose each number of things below k - 1 of each number up to `longest`, modulo 2¹²⁸, by Pascal's rule.
fn ways(longest: u32, k: u32) -> Vec<u64> {
    let mut row = vec![0u128; k as usize - 1];
    row[0] = 1;
    let mut ways = Vec::new();
    for _ in 0..=longest {
        ways.extend(row.iter().flat_map(|&ways| [ways as u64, (ways >> 64) as u64]));
        for chosen in (1..row.len()).rev() {
            row[chosen] = row[chosen].wrapping_add(row[chosen - 1]);
        }
    }
    ways
}

/// Lists the ranks of the graph's share whose rows have from `least` to `most` heads, and gives their number.
fn list_rows<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    list: &mut Buffer<u32, D>,
    least: u32,
    most: u32,
) -> Result<u64, D::Error> {
    let ranks = graph.rows.len() / 2;
    let [first, step] = [graph.share.number, graph.share.of].map(u64::from);
    let shape = over(device, ranks);
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
        first,
        step,
    )?;
    Ok(taken.to_vec(device)?[0])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::Metered;

    use super::*;
    use crate::control::Context;
    use crate::device_graph::upload_rows;
    use crate::graph::OrientedGraph;
    use tribin_cpu::cliques;
    use tribin_cpu::prepare::prepare;

    /// Rows of few heads are long here: they go to every class, and to global memory.
    const SMALL: [RowClass; 3] = [
        RowClass { longest: 4, warps: 1 },
        RowClass { longest: 7, warps: 2 },
        RowClass { longest: 33, warps: 3 },
    ];

    /// Checks that each way counts as the CPU does, and takes no more memory than it may.
    fn check(edges: &[[u32; 2]], vertices: usize, k: u32) {
        let oriented = prepare(edges, vertices).oriented;
        let context = Context::silent();
        let expected = cliques::count(&oriented, k, &context).unwrap();
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
            (clique(20), vec![4]),
            (clique(14), vec![5, 8, 12]),
            (clique(40).into_iter().filter(|[u, v]| u + 9 * v != 39).collect(), vec![6, 9]),
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
