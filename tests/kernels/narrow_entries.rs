use anyhow::Result;
use proptest::prelude::*;
use tribin_kernels::narrow_entries::{
    BLOCK, GROUP, LEAST_BITS, MOST_BITS, group_words, widen_entries,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{Content, KeyPattern, any_keys, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

/// Entries of ids with `bits` bits, behind `first` others.
#[derive(Debug)]
struct Widen {
    numbers: Content<u64>,
    bits: u32,
    first: u64,
    shape: Shape,
}

impl Widen {
    fn entries(&self) -> Vec<u64> {
        let id = |number: u64| number & ((1 << self.bits) - 1);
        self.numbers.iter().map(|&number| id(number) | id(number >> 32) << 32).collect()
    }
}

/// Entries with `bits` bits an id, put down bit by bit.
fn narrow(entries: &[u64], bits: u32) -> Vec<u32> {
    let mut words = Vec::new();
    for group in entries.chunks(GROUP as usize) {
        let mut of_group = vec![0u32; group_words(bits) as usize];
        for (j, &entry) in group.iter().enumerate() {
            let number = (entry & 0xffff_ffff) | (entry >> 32) << bits;
            of_group[j] = number as u32;
            let (mut start, mut bit) = (GROUP as usize, 32);
            for plane in [16, 8, 4, 2].map(|plane| plane * ((2 * bits as usize - 32) / plane % 2)) {
                for of_plane in 0..plane {
                    let (word, shift) = (j % (32 * plane), j / (32 * plane) * plane + of_plane);
                    of_group[start + word] |= ((number >> bit & 1) as u32) << shift;
                    bit += 1;
                }
                start += 32 * plane;
            }
        }
        words.extend(of_group);
    }
    words
}

impl Case for Widen {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let entries = self.entries();
        let before = vec![7; self.first as usize];
        let expected = [before.clone(), entries.clone()].concat();
        let mut to = Buffer::from_host(device, &[before, vec![u64::MAX; entries.len()]].concat())?;
        let narrow = Buffer::from_host(device, &narrow(&entries, self.bits))?;
        let m = expected.len() as u64;
        widen_entries(device, self.shape, narrow.view(), to.view_mut(), self.bits, self.first, m)?;
        ensure_holds("entries", device, &to, &expected)
    }
}

fn cases(m: usize, shape: Shape) -> Vec<Widen> {
    let case = |pattern: KeyPattern, bits, first| Widen {
        numbers: pattern.keys(m, m as u64),
        bits,
        first,
        shape,
    };
    let bits = [LEAST_BITS, LEAST_BITS + 1, 22, 28, MOST_BITS];
    KeyPattern::ALL
        .into_iter()
        .zip(bits.into_iter().cycle())
        .flat_map(|(pattern, bits)| [0, 3].map(|first| case(pattern, bits, first)))
        .collect()
}

#[test]
fn widen_entries_undoes_what_narrows_them() {
    let kernel = Kernel::named("widen_entries");
    for m in sizes_around(&[BLOCK as usize, GROUP as usize]) {
        for shape in striding_shapes(m as u64, BLOCK) {
            kernel.everywhere(cases(m, shape));
        }
    }
    let drawn = (any_keys(3_000), LEAST_BITS..=MOST_BITS, 0u64..9, 1u32..4, 1u32..9);
    let drawn = drawn.prop_map(|(numbers, bits, first, grid, warps)| Widen {
        numbers,
        bits,
        first,
        shape: Shape::new(grid, warps * 32),
    });
    kernel.drawn(24, drawn);
    kernel.on_gpu(|| cases(300_007, Shape::new(200, BLOCK)));
}
