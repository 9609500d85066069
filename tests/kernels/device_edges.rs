use anyhow::Result;
use proptest::prelude::*;
use tribin_kernels::device_edges::{BLOCK, pack_edges_32, pack_edges_64};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{Content, KeyPattern, any_keys, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

/// Two columns in one array of numbers: pairs side by side where `step` is 2, with gaps where it is more, and one
/// after the other where it is 1.
#[derive(Debug)]
struct Pack {
    numbers: Content<u64>,
    wide: bool,
    step: usize,
    shape: Shape,
}

impl Case for Pack {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let m = self.numbers.len() / self.step.max(2);
        // The first place of each column.
        let places = if self.step == 1 { [0, m] } else { [0, 1] };
        let ends = |i: usize| places.map(|place| self.numbers[place + i * self.step]);
        let cut = |id: u64| if self.wide { id } else { id & 0xffff_ffff };
        let expected: Vec<u64> =
            (0..m).map(|i| ends(i).map(|id| id & 0xffff_ffff)).map(|[u, v]| u | v << 32).collect();
        let largest = (0..m).flat_map(ends).map(cut).max().unwrap_or(0);
        let mut edges = Buffer::zeroed(device, m as u64)?;
        let mut found = Buffer::from_host(device, &[0u64])?;
        let (to, found_mut) = (edges.view_mut(), found.view_mut());
        let (step, entries) = (self.step as u64, m as u64);
        let first = places.map(|place| (place as u64).min(self.numbers.len() as u64));
        if self.wide {
            let ids = Buffer::from_host(device, &self.numbers)?;
            let [u, v] = first.map(|first| ids.view().slice(first, ids.len() - first));
            pack_edges_64(device, self.shape, u, v, to, found_mut, step, step, entries)?;
        } else {
            let narrow: Vec<u32> = self.numbers.iter().map(|&id| id as u32).collect();
            let ids = Buffer::from_host(device, &narrow)?;
            let [u, v] = first.map(|first| ids.view().slice(first, ids.len() - first));
            pack_edges_32(device, self.shape, u, v, to, found_mut, step, step, entries)?;
        }
        ensure_holds("edges", device, &edges, &expected)?;
        ensure_holds("largest", device, &found, &[largest])
    }
}

fn packs(m: usize, wide: bool, shape: Shape) -> Vec<Pack> {
    let case = |(pattern, step): (KeyPattern, usize)| {
        let numbers = pattern.keys(m * step.max(2), m as u64);
        Pack { numbers, wide, step, shape }
    };
    let steps = [1, 2, 5];
    KeyPattern::ALL
        .into_iter()
        .flat_map(|pattern| steps.map(|step| (pattern, step)))
        .map(case)
        .collect()
}

fn check(name: &'static str, wide: bool) {
    let kernel = Kernel::named(name);
    for m in sizes_around(&[BLOCK as usize]) {
        for shape in striding_shapes(m as u64, BLOCK) {
            kernel.everywhere(packs(m, wide, shape));
        }
    }
    let drawn = (any_keys(300), 1usize..4, 1u32..4, 1u32..9);
    let drawn = drawn.prop_map(move |(numbers, step, grid, warps)| Pack {
        numbers,
        wide,
        step,
        shape: Shape::new(grid, warps * 32),
    });
    kernel.drawn(24, drawn);
    kernel.on_gpu(|| packs(300_007, wide, Shape::new(200, BLOCK)));
}

#[test]
fn pack_edges_32_packs_what_a_loop_packs() {
    check("pack_edges_32", false);
}

#[test]
fn pack_edges_64_packs_what_a_loop_packs() {
    check("pack_edges_64", true);
}
