use anyhow::{Result, ensure};
use tribin_kernels::binning::KeyOrder;
use tribin_kernels::both_directions::{self, both_directions, shared_bytes};
use tribin_kernels::wedges::{
    ENDS_BLOCK, ENDS_SHARED_BYTES, ENDS_TILE, GENERATE_BLOCK, GENERATE_TILE, candidate_keys,
    wedge_ends,
};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_primitives::radix_sort::{DIGITS, SortPasses};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::Rows;

#[derive(Debug)]
struct BothDirections {
    edges: Vec<[u32; 2]>,
    vertex_bits: u32,
    shape: Shape,
}

impl Case for BothDirections {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let bits = self.vertex_bits;
        let SortPasses { passes, .. } = SortPasses::of_bits(2 * bits);
        let mut keys = Vec::new();
        for &[u, v] in &self.edges {
            let key = |tail: u32, head: u32| {
                if u == v {
                    u64::MAX >> (64 - 2 * bits)
                } else {
                    u64::from(tail) << bits | u64::from(head)
                }
            };
            keys.extend([key(u, v), key(v, u)]);
        }
        let mut histograms = vec![0u32; (passes * DIGITS) as usize];
        for (pass, key) in (0..passes).flat_map(|pass| keys.iter().map(move |key| (pass, key))) {
            histograms[(pass * DIGITS) as usize + (key >> (8 * pass)) as usize % 256] += 1;
        }
        let loops = self.edges.iter().filter(|[u, v]| u == v).count() as u64;

        let entries: Vec<u64> =
            self.edges.iter().map(|&[u, v]| u64::from(u) | u64::from(v) << 32).collect();
        let m = entries.len() as u64;
        let entries = Buffer::from_host(device, &entries)?;
        let mut found_keys = Buffer::uninitialized(device, 2 * m)?;
        let mut found_histograms = Buffer::zeroed(device, histograms.len() as u64)?;
        let mut found_loops = Buffer::zeroed(device, 1)?;
        both_directions(
            device,
            self.shape.shared(shared_bytes(passes)),
            entries.view(),
            found_keys.view_mut(),
            found_histograms.view_mut(),
            found_loops.view_mut(),
            m,
            bits,
            passes,
        )?;
        ensure_holds("keys", device, &found_keys, &keys)?;
        ensure_holds("histograms", device, &found_histograms, &histograms)?;
        ensure_holds("loops", device, &found_loops, &[loops])
    }
}

#[test]
fn both_directions_of_every_edge() {
    let kernel = Kernel::named("both_directions");
    for n in sizes_around(&[256]) {
        for (vertex_bits, seed) in [(1, 1), (9, 2), (16, 3), (32, 4)] {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut vertex = || rng.u32(..) >> (32 - vertex_bits);
            let edges: Vec<_> = (0..n).map(|_| [vertex(), vertex()]).collect();
            let shapes = striding_shapes(2 * n as u64, both_directions::BLOCK);
            for shape in [shapes[0], shapes[3], shapes[4]] {
                kernel.everywhere([BothDirections { edges: edges.clone(), vertex_bits, shape }]);
            }
        }
    }
}

/// Rows of these lengths side by side; vertices in a row ascend.
fn of_lengths(lengths: &[u32], seed: u64) -> Rows {
    let mut rng = fastrand::Rng::with_seed(seed);
    Rows::of_rows(lengths.iter().map(|&length| {
        let mut head = 0;
        let mut next = |_| {
            head += rng.u32(1..4);
            head
        };
        (0..length).map(&mut next).collect()
    }))
}

/// Where the wedges of each row end.
fn ends(graph: &Rows) -> Vec<u64> {
    let mut sum = 0;
    let mut end = |rank: u32| {
        let degree = graph.row(rank).len() as u64;
        sum += degree * degree.saturating_sub(1) / 2;
        sum
    };
    (0..graph.rows.len() as u32).map(&mut end).collect()
}

#[derive(Debug)]
struct WedgeEnds(Vec<u64>);

impl Case for WedgeEnds {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.0.len() as u64;
        let mut sum = 0u64;
        let expected: Vec<u64> = self
            .0
            .iter()
            .map(|row| {
                let degree = (row >> 32) - (row & 0xffff_ffff);
                sum += degree * degree.saturating_sub(1) / 2;
                sum
            })
            .collect();
        let tiles = n.div_ceil(u64::from(ENDS_TILE));
        let rows = Buffer::from_host(device, &self.0)?;
        let mut ends = Buffer::uninitialized(device, n)?;
        wedge_ends(
            device,
            Shape::new(tiles as u32, ENDS_BLOCK).shared(ENDS_SHARED_BYTES),
            rows.view(),
            ends.view_mut(),
            Buffer::zeroed(device, tiles)?.view_mut(),
            Buffer::zeroed(device, 1)?.view_mut(),
            n,
        )?;
        ensure_holds("ends", device, &ends, &expected)
    }
}

#[test]
fn wedges_of_rows_end_where_their_pairs_add_up() {
    let ends = Kernel::named("wedge_ends");
    for n in sizes_around(&[ENDS_TILE as usize]).into_iter().filter(|n| *n > 0) {
        let mut rng = fastrand::Rng::with_seed(n as u64);
        let graph = of_lengths(&(0..n).map(|_| rng.u32(0..5)).collect::<Vec<_>>(), 1);
        ends.everywhere([WedgeEnds(graph.rows.clone())]);
    }
    // Sums beyond 2³² in one row, and in many.
    let long = |degree: u64| 5 | (5 + degree) << 32;
    ends.everywhere([
        WedgeEnds(vec![long(u64::from(u32::MAX) - 5)]),
        WedgeEnds([vec![0; 1500], vec![long(1 << 20); 1100]].concat()),
    ]);
    ends.on_gpu(|| vec![WedgeEnds((0..1_000_003).map(|v| long(v % 777)).collect())]);
}

#[derive(Debug)]
struct Candidates {
    graph: Rows,
    order: KeyOrder,
    vertex_bits: u32,
    first: u64,
    count: u64,
    blocks: u32,
}

impl Case for Candidates {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Candidates { graph, order, vertex_bits, first, count, .. } = self;
        let n = graph.rows.len();
        // The key, bit by bit.
        let key = |u: u32, v: u32| -> u64 {
            let place = |bit: u32, is_first: bool| match order {
                KeyOrder::Concatenated => bit + if is_first { *vertex_bits } else { 0 },
                KeyOrder::Interleaved => 2 * bit + u32::from(is_first),
            };
            (0..*vertex_bits)
                .map(|b| {
                    u64::from(u >> b & 1) << place(b, true)
                        | u64::from(v >> b & 1) << place(b, false)
                })
                .sum()
        };
        let wedges = (0..n).flat_map(|v| {
            let row = graph.row(v as u32);
            (0..row.len()).flat_map(move |j| (0..j).map(move |i| (row[j], row[i])))
        });
        let mut expected: Vec<u64> =
            graph.tails.iter().zip(&graph.heads).map(|(&u, &v)| key(u, v)).collect();
        expected.extend(wedges.skip(*first as usize).take(*count as usize).map(|(u, v)| key(u, v)));
        let edges = graph.heads.len() as u64;
        ensure!(expected.len() as u64 == edges + count, "the case asks for more than there is");

        let (tails, heads, rows) = graph.on(device)?;
        let ends = Buffer::from_host(device, &ends(graph))?;
        let mut keys = Buffer::uninitialized(device, edges + count)?;
        candidate_keys(
            device,
            Shape::new(self.blocks, GENERATE_BLOCK),
            rows.view(),
            tails.view(),
            heads.view(),
            ends.view(),
            keys.view_mut(),
            n as u64,
            edges,
            *first,
            *count,
            order.number(),
            *vertex_bits,
        )?;
        ensure_holds("keys", device, &keys, &expected)
    }
}

#[test]
fn candidates_are_the_wedges_in_order() {
    let kernel = Kernel::named("candidate_keys");
    let shapes: [(&str, Vec<u32>); 4] = [
        ("a hub among leaves", [vec![1; 40], vec![150], vec![0; 33], vec![2; 5]].concat()),
        ("short rows", (0..700).map(|v| v % 7 % 4).collect()),
        ("rows around a warp", vec![31, 0, 32, 33, 1, 64]),
        ("one row", vec![3]),
    ];
    for (seed, (_, lengths)) in shapes.into_iter().enumerate() {
        let graph = of_lengths(&lengths, seed as u64);
        let all = *ends(&graph).last().unwrap();
        // All of it, a part that begins and ends within rows, one wedge, and the last.
        for (first, count) in [(0, all), (all / 3, all / 2), (all / 2, 1), (all - 1, 1)] {
            for order in [KeyOrder::Concatenated, KeyOrder::Interleaved] {
                for (blocks, vertex_bits) in [(1, 10), (3, 32)] {
                    let graph = graph.clone();
                    kernel.everywhere([Candidates {
                        graph,
                        order,
                        vertex_bits,
                        first,
                        count,
                        blocks,
                    }]);
                }
            }
        }
    }
    kernel.on_gpu(|| {
        let graph = of_lengths(&[3000, 0, 17, 900, 2, 2, 2, 5000].repeat(2), 9);
        let all = *ends(&graph).last().unwrap();
        let blocks = all.div_ceil(u64::from(GENERATE_TILE)).min(1000) as u32;
        let order = KeyOrder::Concatenated;
        vec![Candidates { graph, order, vertex_bits: 14, first: 1, count: all - 2, blocks }]
    });
}
