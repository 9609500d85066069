use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::byte_signatures::{BLOCK, ROWS, bit, byte_signatures, filter_merge};
use tribin_kernels::forward::{self, TOTALS};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{self, Rows};

/// The highest three of the 32 bits of a product.
fn bit_of(vertex: u32) -> u32 {
    (u64::from(vertex) * 0x9e37_79b1 % (1 << 32) / (1 << 29)) as u32
}

#[test]
fn a_vertex_has_one_of_eight_bits() {
    let mut rng = fastrand::Rng::with_seed(1);
    let around = (0..32).flat_map(|bit| [(1u32 << bit) - 1, 1 << bit, !(1 << bit)]);
    let drawn = (0..10_000).map(|_| rng.u32(..));
    for vertex in around.chain(drawn) {
        assert_eq!(bit(vertex), bit_of(vertex), "{vertex}");
    }
    // Neighbours in the order of the ranks have different bits as often as vertices that are far apart.
    for step in [1, 8, 64, 1 << 16] {
        let mut found = [0; 8];
        (0..1 << 16).for_each(|i| found[bit(i * step) as usize] += 1);
        assert!(found.iter().all(|found| (8_000..8_400).contains(found)), "{step}: {found:?}");
    }
}

/// A byte for each row, bit by bit.
fn bytes_of(graph: &Rows) -> Vec<u8> {
    let byte = |r| graph.row(r).iter().fold(0, |bits, &vertex| bits | 1 << bit_of(vertex));
    (0..graph.rows.len() as u32).map(byte).collect()
}

/// The words of these bytes, the first in the lowest, with zeros behind the last.
fn words_of(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    bytes.chunks(ROWS as usize).map(word).collect()
}

#[derive(Debug)]
struct Make {
    graph: Rows,
    /// How many of the rows the kernel is to take.
    n: usize,
    shape: Shape,
}

impl Case for Make {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u32 = 0xabab_abab;
        let Make { graph, n, shape } = self;
        let mut expected = words_of(&bytes_of(graph)[..*n]);
        let words = expected.len();
        expected.extend([UNTOUCHED; 2]);
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut made = Buffer::from_host(device, &vec![UNTOUCHED; words + 2])?;
        byte_signatures(device, *shape, heads.view(), rows.view(), made.view_mut(), *n as u64)?;
        ensure_holds("signatures", device, &made, &expected)
    }
}

/// What the bytes are that a count goes by.
#[derive(Debug, Clone, Copy)]
enum Bytes {
    /// Those of the rows: all triangles are found.
    Made,
    /// Any at all: an edge is merged if the byte of its head has the bit of an entry before it.
    Drawn(u64),
}

#[derive(Debug)]
struct Filter {
    graph: Rows,
    bytes: Bytes,
    shape: Shape,
}

impl Filter {
    /// Triangles by looking up all vertices of the edges that are to be merged.
    fn expected(&self, bytes: &[u8]) -> u64 {
        let graph = &self.graph;
        let merged = |&place: &u32| {
            let (u, a) = (graph.tails[place as usize], graph.heads[place as usize]);
            let mut before = graph.row(u).iter().filter(|&&w| w < a);
            before.any(|&w| bytes[a as usize] >> bit_of(w) & 1 == 1)
        };
        (0..graph.tails.len() as u32).filter(merged).map(|place| graph.closed(place)).sum()
    }
}

impl Case for Filter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Filter { graph, bytes, shape } = self;
        let m = graph.tails.len() as u64;
        let bytes = match *bytes {
            Bytes::Made => bytes_of(graph),
            Bytes::Drawn(seed) => {
                let mut rng = fastrand::Rng::with_seed(seed);
                graph.rows.iter().map(|_| rng.u8(..) & rng.u8(..)).collect()
            }
        };
        let expected = self.expected(&bytes);
        if let Bytes::Made = self.bytes {
            let all: u64 = (0..m as u32).map(|place| graph.closed(place)).sum();
            ensure!(expected == all, "an oracle that contradicts itself");
        }
        // What stands behind the edges is not the kernel's: here, more of the last head.
        let mut heads = graph.heads.clone();
        heads.extend([heads.last().copied().unwrap_or(0); 3]);
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let signatures = Buffer::from_host(device, &words_of(&bytes))?;
        // The kernel adds to what is there.
        let before: Vec<u64> = (0..TOTALS).collect();
        let mut totals = Buffer::from_host(device, &before)?;
        filter_merge(
            device,
            *shape,
            tails.view(),
            heads.view(),
            rows.view(),
            signatures.view(),
            totals.view_mut(),
            m,
        )?;
        let found = totals.to_vec(device)?.iter().sum::<u64>() - before.iter().sum::<u64>();
        ensure!(found == expected, "{found} triangles, expected {expected}");
        Ok(())
    }
}

/// The shared ones, and rows of two or three entries, on both sides of a word's four.
fn graphs() -> Vec<Rows> {
    let strip = |ranks: u32| {
        let pairs = (2..ranks).flat_map(|v| [[v, v - 1], [v, v - 2], [v, v * 3 / 4]]);
        Rows::of_pairs(&pairs.filter(|[u, v]| u != v).collect::<Vec<_>>())
    };
    rows::graphs().into_iter().chain([4, 5, 7, 8, 9, 127, 128, 1_025].map(strip)).collect()
}

#[test]
fn byte_signatures_have_the_bits_of_their_entries() {
    let kernel = Kernel::named("byte_signatures");
    for graph in graphs() {
        let ranks = graph.rows.len();
        for n in [0, 1, ranks - 1, ranks] {
            for shape in striding_shapes(n.div_ceil(ROWS as usize) as u64, BLOCK) {
                kernel.everywhere([Make { graph: graph.clone(), n, shape }]);
            }
        }
    }
    let drawn = (1u32..300, 0u32..30, any::<u64>(), 1u32..6, 1u32..400);
    let drawn = drawn.prop_map(|(ranks, percent, seed, grid, block)| {
        let graph = Rows::random(ranks, percent, seed);
        Make { graph, n: ranks as usize, shape: Shape::new(grid, block) }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let graph = Rows::random(4_003, 1, 1);
        let shapes = striding_shapes(1_001, BLOCK).into_iter();
        shapes.map(|shape| Make { graph: graph.clone(), n: 4_003, shape }).collect()
    });
    kernel.report();
}

#[test]
fn filter_merge_counts_what_looking_up_counts() {
    let kernel = Kernel::named("filter_merge");
    let every_byte = [Bytes::Made, Bytes::Drawn(1), Bytes::Drawn(2)];
    for graph in graphs() {
        let m = graph.tails.len() as u64;
        for shape in striding_shapes(m, forward::BLOCK) {
            let case = |bytes| Filter { graph: graph.clone(), bytes, shape };
            kernel.everywhere(every_byte.map(case));
        }
    }
    // More blocks than there are words for totals.
    let graph = Rows::random(150, 12, 3);
    let shape = Shape::new(2 * TOTALS as u32 + 3, 32);
    kernel.everywhere(every_byte.map(|bytes| Filter { graph: graph.clone(), bytes, shape }));
    let bytes = prop_oneof![Just(Bytes::Made), any::<u64>().prop_map(Bytes::Drawn)];
    let drawn = (1u32..120, 0u32..34, any::<u64>(), bytes, 1u32..6, 1u32..5);
    let drawn = drawn.prop_map(|(ranks, percent, seed, bytes, grid, warps)| {
        let graph = Rows::random(ranks, percent, seed);
        Filter { graph, bytes, shape: Shape::new(grid, warps * 32) }
    });
    kernel.drawn(48, drawn);
    kernel.on_gpu(|| {
        let graph = Rows::random(3_000, 2, 1);
        let shape = Shape::new(5_000, forward::BLOCK);
        every_byte.map(|bytes| Filter { graph: graph.clone(), bytes, shape }).into()
    });
    kernel.report();
}
