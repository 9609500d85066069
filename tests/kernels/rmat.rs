use anyhow::Result;
use proptest::prelude::*;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::rmat::{
    APART, BLOCK, GAMMA, NOWHERE, first_of_places, mix, rmat_entries, shuffle_keys, shuffled_ids,
};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

/// The numbers of a stream, one after the other.
fn draws(state: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |number: u64| mix(state.wrapping_add(GAMMA.wrapping_mul(number))))
}

/// The place that each place is exchanged with.
fn exchanged_with(n: u64, state: u64) -> Vec<u64> {
    let mut with: Vec<u64> = (0..n)
        .rev()
        .zip(draws(state))
        .map(|(place, draw)| ((u128::from(draw) * u128::from(place + 1)) >> 64) as u64)
        .collect();
    with.reverse();
    with
}

/// Ids that are shuffled, one exchange after the other.
#[derive(Debug)]
struct Shuffle {
    n: u64,
    state: u64,
    shape: Shape,
}

impl Case for Shuffle {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Shuffle { n, state, shape } = self;
        let with = exchanged_with(n, state);
        let pairs = |(place, &with): (usize, &u64)| with << 32 | place as u64;
        let mut expected: Vec<u64> = with.iter().enumerate().map(pairs).collect();
        let mut keys = Buffer::from_host(device, &vec![7u64; n as usize])?;
        let mut first = Buffer::from_host(device, &vec![7u32; n as usize])?;
        shuffle_keys(device, shape, keys.view_mut(), first.view_mut(), state, n)?;
        ensure_holds("keys", device, &keys, &expected)?;
        ensure_holds("first", device, &first, &vec![NOWHERE; n as usize])?;

        expected.sort_unstable();
        let keys = Buffer::from_host(device, &expected)?;
        first_of_places(device, shape, keys.view(), first.view_mut(), n)?;
        let first_of = |place: u64| {
            let later = (place + 1..n).find(|&other| with[other as usize] == place);
            later.map_or(NOWHERE, |other| other as u32)
        };
        let expected: Vec<u32> = (0..n).map(first_of).collect();
        ensure_holds("first", device, &first, &expected)?;

        let mut expected: Vec<u32> = (0..n as u32).collect();
        (1..n as usize).rev().for_each(|place| expected.swap(place, with[place] as usize));
        let mut ids = Buffer::from_host(device, &vec![7u32; n as usize])?;
        shuffled_ids(device, shape, keys.view(), first.view(), ids.view_mut(), n)?;
        ensure_holds("ids", device, &ids, &expected)
    }
}

#[test]
fn ids_are_shuffled_as_one_exchange_after_the_other_does() {
    let kernel = Kernel::named("shuffle_keys, first_of_places and shuffled_ids");
    for n in [1, 2, 3, 31, 64, 257, 1_000] {
        for shape in striding_shapes(n, BLOCK) {
            kernel.everywhere([Shuffle { n, state: n, shape }]);
        }
    }
    let drawn = (1u64..500, any::<u64>(), 1u32..4, 1u32..9).prop_map(|(n, state, grid, warps)| {
        Shuffle { n, state, shape: Shape::new(grid, warps * 32) }
    });
    kernel.drawn(24, drawn);
    let shape = Shape::new(200, BLOCK);
    kernel.on_gpu(|| vec![Shuffle { n: 20_001, state: 5, shape }]);
}

/// Entries of a graph from a number on.
#[derive(Debug)]
struct Entries {
    base: u64,
    /// Where the quadrants b, c and d begin.
    starts: [u64; 3],
    scale: u32,
    number: u64,
    m: u64,
    shape: Shape,
}

impl Entries {
    /// The id of each place, which is any function of it here.
    fn ids(&self) -> Vec<u32> {
        (0..1u32 << self.scale).map(|place| place.wrapping_mul(0x9e37_79b1)).collect()
    }

    /// The definition, level by level.
    fn place(&self, number: u64) -> [usize; 2] {
        let state = draws(self.base ^ number.wrapping_mul(APART)).next();
        let draws = draws(state.expect("streams have no end")).take(self.scale as usize);
        draws.fold([0, 0], |[row, column], draw| {
            let quadrant = self.starts.iter().filter(|&&start| draw >= start).count();
            [2 * row + quadrant / 2, 2 * column + quadrant % 2]
        })
    }
}

impl Case for Entries {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Entries { base, starts: [b, c, d], scale, number, m, shape } = self;
        let ids = self.ids();
        let entry = |number| {
            let [u, v] = self.place(number).map(|place| u64::from(ids[place]));
            u | v << 32
        };
        let expected: Vec<u64> = (number..number + m).map(entry).collect();
        let mut entries = Buffer::from_host(device, &vec![7u64; m as usize])?;
        let ids = Buffer::from_host(device, &ids)?;
        let to = entries.view_mut();
        rmat_entries(device, shape, ids.view(), to, base, b, c, d, number, m, scale)?;
        ensure_holds("entries", device, &entries, &expected)
    }
}

/// Shares of 64 bits, as the quadrants of Graph500 have them.
const STARTS: [u64; 3] = [u64::MAX / 100 * 57, u64::MAX / 100 * 76, u64::MAX / 100 * 95];

#[test]
fn entries_fall_into_quadrants_level_by_level() {
    let kernel = Kernel::named("rmat_entries");
    for (scale, number) in [(0, 0), (1, 5), (7, 1 << 40), (12, u64::MAX - 2_000)] {
        for m in [0, 1, 33, 257] {
            for shape in striding_shapes(m, BLOCK) {
                kernel.everywhere([Entries { base: 9, starts: STARTS, scale, number, m, shape }]);
            }
        }
    }
    let quadrants = [any::<u64>(), any::<u64>(), any::<u64>()];
    let drawn = (any::<u64>(), quadrants, 0u32..10, 0u64..1 << 50, 0u64..500, 1u32..4);
    let drawn = drawn.prop_map(|(base, mut starts, scale, number, m, grid)| {
        starts.sort_unstable();
        Entries { base, starts, scale, number, m, shape: Shape::new(grid, 64) }
    });
    kernel.drawn(24, drawn);
    let shape = Shape::new(200, BLOCK);
    kernel.on_gpu(|| {
        vec![Entries { base: 3, starts: STARTS, scale: 16, number: 7, m: 300_007, shape }]
    });
}
