use anyhow::Result;
use proptest::prelude::*;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::figures::{
    BLOCK, FIGURES, MAX_DEGREE, VERTICES, WEDGES_HIGH, WEDGES_LOW, graph_figures, oriented_wedges,
};

use crate::contents::{Content, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::Rows;

#[derive(Debug)]
struct GraphFigures {
    degrees: Content<u32>,
    /// How many of the degrees the kernel is to take.
    n: usize,
    shape: Shape,
}

impl Case for GraphFigures {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let taken = &self.degrees[..self.n];
        // No term is above 2⁶⁴, nor is the sum of the halves: 128 bits hold everything.
        let wedges: Vec<u128> =
            taken.iter().map(|&d| u128::from(d) * (u128::from(d).max(1) - 1) / 2).collect();
        let mut expected = [0; FIGURES as usize];
        expected[VERTICES as usize] = taken.iter().filter(|&&degree| degree != 0).count() as u64;
        expected[WEDGES_LOW as usize] = wedges.iter().map(|w| (w % (1 << 32)) as u64).sum();
        expected[WEDGES_HIGH as usize] = wedges.iter().map(|w| (w / (1 << 32)) as u64).sum();
        expected[MAX_DEGREE as usize] = taken.iter().copied().max().unwrap_or(0).into();

        let degrees = Buffer::from_host(device, &self.degrees)?;
        let mut figures = Buffer::zeroed(device, FIGURES)?;
        graph_figures(device, self.shape, degrees.view(), figures.view_mut(), self.n as u64)?;
        ensure_holds("figures", device, &figures, &expected)
    }
}

fn patterns(n: usize, spare: usize, shape: Shape) -> Vec<GraphFigures> {
    let all = n + spare;
    let mut rng = fastrand::Rng::with_seed(n as u64);
    let mut contents = vec![
        Content::new("isolated vertices", vec![0; all]),
        Content::new("degree 1", vec![1; all]),
        Content::new("the largest degree", vec![u32::MAX; all]),
        // d(d-1)/2 passes 2³² from 92682 on, and its low half is nearly full before.
        Content::new("around 2^32 wedges", (0..all).map(|i| 92_670 + i as u32 % 25).collect()),
        Content::new("descending from 2^32 - 1", (0..all).map(|i| u32::MAX - i as u32).collect()),
        Content::new("all magnitudes", (0..all).map(|_| rng.u32(..) >> rng.u32(..32)).collect()),
    ];
    for place in [0, n / 2, n.saturating_sub(1)] {
        if place < all {
            let mut degrees = vec![3; all];
            degrees[place] = 1 << 31 | 12_345;
            contents.push(Content::new(format!("largest at {place}"), degrees));
        }
    }
    contents.into_iter().map(|degrees| GraphFigures { degrees, n, shape }).collect()
}

#[test]
fn graph_figures_are_those_of_128_bit_sums() {
    let kernel = Kernel::named("graph_figures");
    for n in sizes_around(&[BLOCK as usize, 4 * BLOCK as usize]) {
        for shape in striding_shapes(n as u64, BLOCK) {
            kernel.everywhere(patterns(n, 0, shape));
        }
        kernel.everywhere(patterns(n, 2, Shape::new(2, 96)));
    }
    let degree = prop_oneof![any::<u32>(), 0u32..20, (0u32..10).prop_map(|less| u32::MAX - less)];
    let drawn = (prop::collection::vec(degree, 0..600), 0usize..3, 1u32..6, 1u32..9);
    kernel.drawn(
        32,
        drawn.prop_map(|(degrees, spare, grid, warps)| GraphFigures {
            n: degrees.len().saturating_sub(spare),
            degrees: Content::new("given", degrees),
            shape: Shape::new(grid, warps * 32),
        }),
    );
    kernel.on_gpu(|| patterns(1_000_003, 3, Shape::new(700, BLOCK)));
    kernel.report();
}

#[derive(Debug)]
struct OrientedWedges(Rows, Shape, u64);

impl Case for OrientedWedges {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let OrientedWedges(graph, shape, first) = self;
        let n = graph.rows.len();
        // One by one: the entries that stand before another in its row.
        let wedges =
            (0..n as u32).map(|r| (0..graph.row(r).len() as u64).sum::<u64>()).sum::<u64>();
        let rows = Buffer::from_host(device, &graph.rows)?;
        // The kernel adds to what is there.
        let mut found = Buffer::from_host(device, &[9, 5, 3])?;
        oriented_wedges(device, *shape, rows.view(), found.view_mut(), n as u64, *first)?;
        let first = graph.tails.iter().filter(|&&tail| u64::from(tail) < *first).count() as u64;
        let filled = (0..n as u32).filter(|&r| !graph.row(r).is_empty()).count() as u64;
        ensure_holds("wedges", device, &found, &[9 + wedges, 5 + first, 3 + filled])
    }
}

#[test]
fn oriented_wedges_are_the_pairs_of_the_rows() {
    let kernel = Kernel::named("oriented_wedges");
    for (ranks, percent) in [(1, 0), (33, 33), (257, 20), (300, 1)] {
        let graph = Rows::random(ranks, percent, u64::from(ranks));
        for shape in striding_shapes(u64::from(ranks), BLOCK) {
            for first in [0, 1, u64::from(ranks) - 1, u64::from(ranks), u64::MAX] {
                kernel.everywhere([OrientedWedges(graph.clone(), shape, first)]);
            }
        }
    }
    kernel.report();
}
