use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::forward::{self, TOTALS};
use tribin_kernels::narrow_bloom_filters::{
    BLOCK, bit, filter_merge, narrow_bloom_filters, rows_log2,
};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{self, Rows};

/// The highest bits of the 32 of a product, as many as number 2^`bits_log2`.
fn bit_of(vertex: u32, bits_log2: u32) -> u32 {
    (u64::from(vertex) * 0x9e37_79b1 % (1 << 32) / (1 << (32 - bits_log2))) as u32
}

#[test]
fn a_vertex_has_one_of_the_bits() {
    let mut rng = fastrand::Rng::with_seed(1);
    for bits_log2 in WIDTHS {
        let around = (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, !(1 << bit)]);
        let drawn = (0..10_000).map(|_| rng.u32(..));
        for vertex in around.chain(drawn) {
            assert_eq!(bit(vertex, bits_log2), bit_of(vertex, bits_log2), "{vertex}");
        }
        // Neighbours in the order of the ranks have different bits as often as vertices that are far apart.
        let mean = 1 << (16 - bits_log2);
        for step in [1, 8, 64, 1 << 16] {
            let mut found = vec![0; 1 << bits_log2];
            (0..1 << 16).for_each(|i| found[bit(i * step, bits_log2) as usize] += 1);
            let even = mean * 19 / 20..mean * 21 / 20;
            assert!(found.iter().all(|found| even.contains(found)), "{step}: {found:?}");
        }
    }
}

/// 8, 16 and 32 bits.
const WIDTHS: [u32; 3] = [3, 4, 5];

/// The bits of each row, one by one.
fn filters_of(graph: &Rows, bits_log2: u32) -> Vec<u32> {
    let with = |bits, &vertex: &u32| bits | 1 << bit_of(vertex, bits_log2);
    (0..graph.rows.len() as u32).map(|r| graph.row(r).iter().fold(0, with)).collect()
}

/// The words of these filters, the first in the lowest bits, with zeros behind the last.
fn words_of(filters: &[u32], bits_log2: u32) -> Vec<u32> {
    let join = |word: u64, &filter: &u32| word << (1 << bits_log2) | u64::from(filter);
    let word = |filters: &[u32]| filters.iter().rev().fold(0, join) as u32;
    filters.chunks(32 >> bits_log2).map(word).collect()
}

#[derive(Debug)]
struct Make {
    graph: Rows,
    /// How many of the rows the kernel is to take.
    n: usize,
    bits_log2: u32,
    shape: Shape,
}

impl Case for Make {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u32 = 0xabab_abab;
        let &Make { ref graph, n, bits_log2, shape } = self;
        let mut expected = words_of(&filters_of(graph, bits_log2)[..n], bits_log2);
        let words = expected.len();
        expected.extend([UNTOUCHED; 2]);
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut made = Buffer::from_host(device, &vec![UNTOUCHED; words + 2])?;
        let (heads, rows) = (heads.view(), rows.view());
        narrow_bloom_filters(device, shape, heads, rows, made.view_mut(), n as u64, bits_log2)?;
        ensure_holds("filters", device, &made, &expected)
    }
}

/// What the filters are that a count goes by.
#[derive(Debug, Clone, Copy)]
enum Bits {
    /// Those of the rows: all triangles are found.
    Made,
    /// Any at all: an edge is merged if its head's filter has the bit of an entry before it.
    Drawn(u64),
}

#[derive(Debug)]
struct Filter {
    graph: Rows,
    bits: Bits,
    bits_log2: u32,
    shape: Shape,
}

impl Filter {
    /// Triangles by looking up all vertices of the edges that are to be merged.
    fn expected(&self, filters: &[u32]) -> u64 {
        let graph = &self.graph;
        let merged = |&place: &u32| {
            let (u, a) = (graph.tails[place as usize], graph.heads[place as usize]);
            let mut before = graph.row(u).iter().filter(|&&w| w < a);
            before.any(|&w| filters[a as usize] >> bit_of(w, self.bits_log2) & 1 == 1)
        };
        (0..graph.tails.len() as u32).filter(merged).map(|place| graph.closed(place)).sum()
    }
}

impl Case for Filter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Filter { ref graph, bits, bits_log2, shape } = self;
        let m = graph.tails.len() as u64;
        let filters = match bits {
            Bits::Made => filters_of(graph, bits_log2),
            Bits::Drawn(seed) => {
                let mut rng = fastrand::Rng::with_seed(seed);
                let all = u32::MAX >> (32 - (1 << bits_log2));
                graph.rows.iter().map(|_| rng.u32(..) & rng.u32(..) & all).collect()
            }
        };
        let expected = self.expected(&filters);
        if let Bits::Made = bits {
            let all: u64 = (0..m as u32).map(|place| graph.closed(place)).sum();
            ensure!(expected == all, "an oracle that contradicts itself");
        }
        // What stands behind the edges is not the kernel's: here, more of the last head.
        let mut heads = graph.heads.clone();
        heads.extend([heads.last().copied().unwrap_or(0); 3]);
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let filters = Buffer::from_host(device, &words_of(&filters, bits_log2))?;
        // The kernel adds to what is there.
        let before: Vec<u64> = (0..TOTALS).collect();
        let mut totals = Buffer::from_host(device, &before)?;
        // Two ranges of the edges.
        let cut = m / 3;
        for edges in [0..cut, cut..m] {
            filter_merge(
                device,
                shape,
                tails.view(),
                heads.view(),
                rows.view(),
                filters.view(),
                totals.view_mut(),
                edges.start,
                edges.end,
                bits_log2,
            )?;
        }
        let found = totals.to_vec(device)?.iter().sum::<u64>() - before.iter().sum::<u64>();
        ensure!(found == expected, "{found} triangles, expected {expected}");
        Ok(())
    }
}

/// The shared ones, and rows of two or three entries, on both sides of a word's rows.
fn graphs() -> Vec<Rows> {
    let strip = |ranks: u32| {
        let pairs = (2..ranks).flat_map(|v| [[v, v - 1], [v, v - 2], [v, v * 3 / 4]]);
        Rows::of_pairs(&pairs.filter(|[u, v]| u != v).collect::<Vec<_>>())
    };
    rows::graphs().into_iter().chain([4, 5, 7, 8, 9, 127, 128, 1_025].map(strip)).collect()
}

#[test]
fn narrow_bloom_filters_have_the_bits_of_their_entries() {
    let kernel = Kernel::named("narrow_bloom_filters");
    for (graph, bits_log2) in graphs().into_iter().flat_map(|g| WIDTHS.map(|w| (g.clone(), w))) {
        let ranks = graph.rows.len();
        for n in [0, 1, ranks - 1, ranks] {
            for shape in striding_shapes((n >> rows_log2(bits_log2)) as u64 + 1, BLOCK) {
                kernel.everywhere([Make { graph: graph.clone(), n, bits_log2, shape }]);
            }
        }
    }
    let drawn = (1u32..300, 0u32..30, any::<u64>(), 3u32..6, 1u32..6, 1u32..400);
    let drawn = drawn.prop_map(|(ranks, percent, seed, bits_log2, grid, block)| {
        let graph = Rows::random(ranks, percent, seed);
        Make { graph, n: ranks as usize, bits_log2, shape: Shape::new(grid, block) }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let graph = Rows::random(4_003, 1, 1);
        let shape = Shape::new(2, BLOCK);
        let case = |bits_log2| Make { graph: graph.clone(), n: 4_003, bits_log2, shape };
        WIDTHS.map(case).into()
    });
    kernel.report();
}

#[test]
fn filter_merge_counts_what_looking_up_counts() {
    let kernel = Kernel::named("filter_merge");
    let all_bits = [Bits::Made, Bits::Drawn(1), Bits::Drawn(2)];
    let cases = |graph: &Rows, shape: Shape| {
        let graph = graph.clone();
        all_bits.into_iter().flat_map(move |bits| {
            let graph = graph.clone();
            WIDTHS.map(|bits_log2| Filter { graph: graph.clone(), bits, bits_log2, shape })
        })
    };
    for graph in graphs() {
        for shape in striding_shapes(graph.tails.len() as u64, forward::BLOCK) {
            kernel.everywhere(cases(&graph, shape));
        }
    }
    let (graph, shape) = rows::more_blocks_than_totals();
    kernel.everywhere(cases(&graph, shape));
    let bits = prop_oneof![Just(Bits::Made), any::<u64>().prop_map(Bits::Drawn)];
    let drawn = (1u32..120, 0u32..34, any::<u64>(), bits, 3u32..6, 1u32..6, 1u32..5);
    let drawn = drawn.prop_map(|(ranks, percent, seed, bits, bits_log2, grid, warps)| {
        let graph = Rows::random(ranks, percent, seed);
        Filter { graph, bits, bits_log2, shape: Shape::new(grid, warps * 32) }
    });
    kernel.drawn(48, drawn);
    kernel.on_gpu(|| {
        let shape = Shape::new(5_000, forward::BLOCK);
        cases(&Rows::random(3_000, 2, 1), shape).collect()
    });
    kernel.report();
}
