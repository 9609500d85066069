use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_kernels::figures::{
    BLOCK, FIGURES, MAX_DEGREE, PARTS, VERTICES, WEDGES_HIGH, WEDGES_LOW, graph_figures,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{Content, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, striding_shapes};

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
        let mut figures = Buffer::zeroed(device, PARTS * FIGURES)?;
        graph_figures(device, self.shape, degrees.view(), figures.view_mut(), self.n as u64)?;
        let mut found = [0; FIGURES as usize];
        for part in figures.to_vec(device)?.chunks_exact(FIGURES as usize) {
            for figure in [VERTICES, WEDGES_LOW, WEDGES_HIGH].map(|figure| figure as usize) {
                found[figure] += part[figure];
            }
            let largest = &mut found[MAX_DEGREE as usize];
            *largest = (*largest).max(part[MAX_DEGREE as usize]);
        }
        ensure!(found == expected, "{found:?}, expected {expected:?}");
        Ok(())
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
}
