//! The most similar vertices of each on the GPU (docs/analytics.md).
//!
//! Ranks go to blocks by the number of paths of two steps from them. Those with few have their sums in a table in shared memory. Those with
//! more than any table holds have a sum for each of as many ranks as shared memory has room for, a slice of all ranks after the other. So no
//! rank is skipped, and memory does not grow with the number of pairs.

use std::ops::Range;

use tribin_analytics::cpu::similar::{SimilarPair, TwoSteps, WantedPairs};
use tribin_base::par;
use tribin_kernels::similar::{
    MOST, Wanted, control_bytes, similar_in_shared, similar_in_slices, slice_bytes, table_bytes,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::ROUNDING;

/// A similarity of two vertices as the kernels reckon it.
#[derive(Clone, Copy)]
pub struct SimilarityMeasure<'a> {
    /// The kernels' number of the measure.
    pub measure: u32,
    /// What a common neighbour of this degree adds, above 0 for two neighbours or more.
    pub weight: &'a (dyn Fn(u32) -> f64 + Sync),
    /// Whether `weight` gives no whole numbers, so that sums depend on their order.
    pub is_ordered: bool,
}

/// Ranks whose sums are in a table of 2^`bits` places in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableClass {
    /// Half of the places may be taken.
    pub bits: u32,
    /// Warps of a block.
    pub warps: u32,
}

impl TableClass {
    /// The most paths of a rank: each leads to a rank of its own at most.
    fn most_paths(self) -> u64 {
        1 << (self.bits - 1)
    }
}

/// The classes of ranks with few paths. One block of the last is on a multiprocessor of an H100, and none on an A100, which has less shared
/// memory.
pub const CLASSES: [TableClass; 4] = [
    TableClass { bits: 7, warps: 1 },
    TableClass { bits: 10, warps: 2 },
    TableClass { bits: 12, warps: 8 },
    TableClass { bits: 14, warps: 16 },
];

/// Warps of a block with a sum for each rank of a slice. One such block is on a multiprocessor.
const SLICE_WARPS: u32 = 32;

/// Most doubles of a slice, where shared memory has room.
const SLICE: u32 = 1 << 16;

/// Warps of tables for each multiprocessor.
const WARPS: u32 = 64;

/// Bytes of what is found of the vertices that are searched at a time.
const BATCH_BYTES: u64 = 1 << 27;

/// A graph whose pairs are compared on a device.
pub struct SimilarSearch<'g, D: Device> {
    graph: &'g TwoSteps,
    wanted: Wanted,
    classes: Vec<TableClass>,
    /// Paths of two steps from each rank.
    paths: Vec<u64>,
    neighbours: Buffer<u32, D>,
    rows: Buffer<u64, D>,
    vertices: Buffer<u32, D>,
    weights: Buffer<f64, D>,
    /// Doubles of a slice.
    slice: u32,
    /// Vertices that are searched at a time.
    at_a_time: usize,
}

impl<'g, D: Device> SimilarSearch<'g, D> {
    /// A search in `free` bytes of device memory; `None` where these are too few, or where the CPU finds what is wanted: all pairs, those of
    /// one vertex, or more than 32 of each.
    ///
    /// Device memory: 8 bytes for each edge, 20 for each vertex, and 128 MiB at most of what is found.
    ///
    /// # Errors
    /// What the device reports.
    pub fn new(
        device: &D,
        graph: &'g TwoSteps,
        formula: SimilarityMeasure<'_>,
        wanted: &WantedPairs,
        free: u64,
    ) -> Result<Option<SimilarSearch<'g, D>>, D::Error> {
        SimilarSearch::in_classes(device, graph, formula, wanted, (&CLASSES, SLICE, free))
    }

    fn in_classes(
        device: &D,
        graph: &'g TwoSteps,
        formula: SimilarityMeasure<'_>,
        wanted: &WantedPairs,
        (classes, slice, free): (&[TableClass], u32, u64),
    ) -> Result<Option<SimilarSearch<'g, D>>, D::Error> {
        let WantedPairs { top, least, without_edges, vertex } = *wanted;
        let top = top.and_then(|top| u32::try_from(top).ok()).unwrap_or(0);
        let (offsets, neighbours) = graph.rows();
        if vertex.is_some() || !(1..=MOST).contains(&top) || neighbours.len() >= 1 << 32 {
            return Ok(None);
        }
        let (is_ordered, without_edges) = (formula.is_ordered.into(), without_edges.into());
        let wanted = Wanted { least, measure: formula.measure, top, is_ordered, without_edges };
        let most = device.most_shared_bytes();
        let fits = |class: &&TableClass| table_bytes(class.bits, class.warps) <= most;
        let classes: Vec<TableClass> = classes.iter().filter(fits).copied().collect();

        let ranks = offsets.len() - 1;
        let degree = |rank: usize| (offsets[rank + 1] - offsets[rank]) as u32;
        let paths = par::tabulate(ranks, |rank| {
            let row = &neighbours[offsets[rank]..offsets[rank + 1]];
            row.iter().map(|&by| u64::from(degree(by as usize))).sum()
        });
        let n = ranks as u64;
        let graph_bytes = 4 * neighbours.len() as u64 + 20 * n + 10 * ROUNDING;
        let Some(free) = free.checked_sub(graph_bytes) else { return Ok(None) };
        // A place in the list, a number, and the pairs.
        let of_vertex = 8 + 12 * u64::from(top);
        let at_a_time = (free.min(BATCH_BYTES) / 2 / of_vertex).min(n);
        if at_a_time == 0 && n > 0 {
            return Ok(None);
        }
        let slice = slice.min((most - control_bytes(SLICE_WARPS)) / 8);
        let row = |rank: usize| offsets[rank] as u64 | (offsets[rank + 1] as u64) << 32;
        Ok(Some(SimilarSearch {
            graph,
            wanted,
            classes,
            paths,
            neighbours: Buffer::from_host(device, neighbours)?,
            rows: Buffer::from_host(device, &par::tabulate(ranks, row))?,
            vertices: Buffer::from_host(device, graph.vertices())?,
            weights: Buffer::from_host(
                device,
                &par::tabulate(ranks, |rank| (formula.weight)(degree(rank))),
            )?,
            slice,
            at_a_time: at_a_time as usize,
        }))
    }

    /// Ranges of vertices that are searched at a time.
    pub fn batches(&self) -> impl Iterator<Item = Range<usize>> + use<D> {
        par::blocks(self.paths.len(), self.at_a_time.max(1))
    }

    /// Paths of two steps from some vertices.
    pub fn paths_of(&self, vertices: Range<usize>) -> u64 {
        let rank = |vertex: usize| self.graph.rank(vertex as u32) as usize;
        vertices.map(|vertex| self.paths[rank(vertex)]).sum()
    }

    /// The best pairs of each vertex of a batch, in blocks. Vertices ascend.
    ///
    /// # Errors
    /// What the device reports.
    pub fn find(
        &mut self,
        device: &D,
        vertices: Range<usize>,
    ) -> Result<Vec<Vec<SimilarPair>>, D::Error> {
        // Those with the most paths first: who is done early takes others.
        let paths = |rank: u32| self.paths[rank as usize];
        let key = |i: usize| {
            let rank = self.graph.rank((vertices.start + i) as u32);
            u64::from(!u32::try_from(paths(rank)).unwrap_or(u32::MAX)) << 32 | u64::from(rank)
        };
        let mut keys = par::tabulate(vertices.len(), key);
        par::sort_unstable(&mut keys);
        let mut ranks: Vec<u32> = keys.into_iter().map(|key| key as u32).collect();
        ranks.truncate(ranks.partition_point(|&rank| paths(rank) > 0));
        let (n, top) = (ranks.len() as u64, u64::from(self.wanted.top));
        let mut place_of = vec![u32::MAX; vertices.len()];
        for (place, &rank) in (0..).zip(&ranks) {
            place_of[self.graph.vertices()[rank as usize] as usize - vertices.start] = place;
        }
        let list = Buffer::from_host(device, &ranks)?;
        let mut numbers = Buffer::uninitialized(device, n)?;
        // Places of which nothing is found are copied back as well.
        let mut ends = Buffer::zeroed(device, n * top)?;
        let mut scores = Buffer::zeroed(device, n * top)?;
        // The last classes have the most paths.
        let mut start = 0;
        for class in (0..=self.classes.len()).rev() {
            let least = class.checked_sub(1).map_or(0, |below| self.classes[below].most_paths());
            let end = ranks.partition_point(|&rank| paths(rank) > least) as u64;
            let n = end - start;
            if n == 0 {
                continue;
            }
            let (neighbours, rows) = (self.neighbours.view(), self.rows.view());
            let (vertices, weights) = (self.vertices.view(), self.weights.view());
            let list = list.view().slice(start, n);
            let mut queue = Buffer::<u32, D>::zeroed(device, 1)?;
            let queue = queue.view_mut();
            let numbers = numbers.view_mut().slice(start, n);
            let ends = ends.view_mut().slice(start * top, n * top);
            let scores = scores.view_mut().slice(start * top, n * top);
            let wanted = self.wanted;
            match self.classes.get(class) {
                Some(&TableClass { bits, warps }) => {
                    let most = u64::from(device.multiprocessors() * (WARPS / warps).max(1));
                    let shape = Shape::new(n.min(most) as u32, 32 * warps);
                    similar_in_shared(
                        device,
                        shape.shared(table_bytes(bits, warps)),
                        neighbours,
                        rows,
                        vertices,
                        weights,
                        list,
                        queue,
                        numbers,
                        ends,
                        scores,
                        wanted,
                        bits,
                        n,
                    )?;
                }
                None => {
                    let shape =
                        Shape::new(n.min(device.multiprocessors().into()) as u32, 32 * SLICE_WARPS);
                    similar_in_slices(
                        device,
                        shape.shared(slice_bytes(self.slice, SLICE_WARPS)),
                        neighbours,
                        rows,
                        vertices,
                        weights,
                        list,
                        queue,
                        numbers,
                        ends,
                        scores,
                        wanted,
                        self.paths.len() as u32,
                        self.slice,
                        n,
                    )?;
                }
            }
            start = end;
        }
        let (numbers, ends, scores) =
            (numbers.to_vec(device)?, ends.to_vec(device)?, scores.to_vec(device)?);
        let top = top as usize;
        let first = vertices.start;
        Ok(par::map(place_of.chunks(par::BLOCK).enumerate(), |(block, places)| {
            let mut pairs = Vec::new();
            for (vertex, &place) in (first + block * par::BLOCK..).zip(places) {
                let Some(&number) = numbers.get(place as usize) else { continue };
                let at = place as usize * top;
                pairs.extend(
                    (at..at + number as usize).map(|at| SimilarPair {
                        ends: [vertex as u32, ends[at]],
                        score: scores[at],
                    }),
                );
            }
            pairs
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::effort;
    use tribin_analytics::cpu::similar::Measure;
    use tribin_kernels::similar::measures;
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::Metered;

    use super::*;
    use crate::control::Context;
    use tribin_cpu::prepare::prepare;

    /// Ranks of few paths are long here: they go to every class, and to global memory.
    const SMALL: [TableClass; 3] = [
        TableClass { bits: 4, warps: 1 },
        TableClass { bits: 5, warps: 2 },
        TableClass { bits: 7, warps: 3 },
    ];

    /// Checks that the device finds what the CPU finds, to the last bit, in no more memory than it may take.
    fn check(edges: &[[u32; 2]], vertices: usize, wanted: WantedPairs) {
        let graph = TwoSteps::new(&prepare(edges, vertices).oriented);
        let device =
            Metered::new(Emulator::with(Config { multiprocessors: 2, ..Config::seeded(1) }));
        let cosine = |common: u32, [u, v]: [u32; 2]| {
            f64::from(common) / (f64::from(u) * f64::from(v)).sqrt()
        };
        let one = |_: u32| 1.0;
        let logarithm = |degree: u32| 1.0 / f64::from(degree).ln();
        let ways: [(SimilarityMeasure<'_>, Measure<'_>); 2] = [
            (
                SimilarityMeasure { measure: measures::COSINE, weight: &one, is_ordered: false },
                Measure::Common(&cosine),
            ),
            (
                SimilarityMeasure { measure: measures::SUM, weight: &logarithm, is_ordered: true },
                Measure::Summed(|degree| 1.0 / f64::from(degree).ln()),
            ),
        ];
        for (formula, measure) in ways {
            let mut expected = Vec::new();
            let mut take = |blocks: Vec<Vec<SimilarPair>>| {
                expected.extend(blocks.into_iter().flatten());
                Ok(true)
            };
            graph.each_pair(wanted, measure, &Context::silent(), &mut take).unwrap();
            for (classes, slice) in [(&CLASSES[..], SLICE), (&SMALL, 16), (&[], 7)] {
                device.reset_peak();
                let held = device.live_bytes();
                let free = 1 << 20;
                let sizes = (classes, slice, free);
                let search = SimilarSearch::in_classes(&device, &graph, formula, &wanted, sizes);
                let mut search = search.unwrap().unwrap();
                // Several batches.
                search.at_a_time = search.at_a_time.min(40);
                let mut found = Vec::new();
                for batch in search.batches() {
                    found.extend(search.find(&device, batch).unwrap().concat());
                }
                assert_eq!(found, expected, "{wanted:?}, {classes:?}");
                let taken = device.peak_bytes() - held;
                assert!(taken <= free, "{taken} bytes");
            }
            let none = SimilarSearch::new(&device, &graph, formula, &wanted, 0).unwrap();
            assert!(none.is_none());
        }
    }

    fn wanted(top: usize) -> WantedPairs {
        WantedPairs { top: Some(top), ..WantedPairs::default() }
    }

    #[test]
    fn graphs_of_each_sort_are_the_cpu_s() {
        let star: Vec<[u32; 2]> = (1..90).flat_map(|v| [[0, v], [v, v % 7], [v, v / 2]]).collect();
        let wheel: Vec<[u32; 2]> = (1..40).flat_map(|v| [[0, v], [v, v % 39 + 1]]).collect();
        let graphs = [vec![], vec![[0, 1], [1, 2], [2, 0], [2, 3]], star, wheel];
        for (at, edges) in graphs.into_iter().enumerate() {
            let few = WantedPairs { least: 0.3, without_edges: true, ..wanted(1) };
            for wanted in effort::some([wanted(32), few], at, 2) {
                check(&edges, 90, wanted);
            }
        }
    }

    #[test]
    fn what_the_cpu_finds_alone_is_left_to_it() {
        let graph = TwoSteps::new(&prepare(&[[0, 1], [1, 2]], 3).oriented);
        let device = Emulator::new();
        let formula =
            SimilarityMeasure { measure: measures::JACCARD, weight: &|_| 1.0, is_ordered: false };
        let all = WantedPairs::default();
        let of_one = WantedPairs { vertex: Some(1), ..wanted(3) };
        for wanted in [all, of_one, wanted(0), wanted(33)] {
            let search = SimilarSearch::new(&device, &graph, formula, &wanted, 1 << 30).unwrap();
            assert!(search.is_none(), "{wanted:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(effort::cases(24)))]

        #[test]
        fn any_multigraph_is_the_cpu_s(
            edges in prop::collection::vec(prop::array::uniform2(0u32..24), 0..120),
            top in 1usize..12,
            least in prop::sample::select(vec![f64::NEG_INFINITY, 0.4]),
            without_edges in any::<bool>(),
        ) {
            check(&edges, 24, WantedPairs { least, without_edges, ..wanted(top) });
        }
    }
}
