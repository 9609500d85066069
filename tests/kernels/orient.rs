use anyhow::Result;
use proptest::prelude::*;
use testkit::devices::entries_on;
use tribin_kernels::orient::{BLOCK, orient_edges, shared_bytes};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_primitives::radix_sort::{DIGIT_BITS, WIDE_DIGIT_BITS};

use crate::contents::{Content, EdgePattern, any_edges, key_of, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

#[derive(Debug)]
struct OrientEdges {
    edges: Content<[u32; 2]>,
    /// How many of the edges the kernel is to take.
    m: usize,
    /// Distinct, below 2^`rank_bits`.
    ranks: Content<u32>,
    rank_bits: u32,
    /// The first bit of the sort.
    shift: u32,
    passes: u32,
    digit_bits: u32,
    /// Its shared memory follows from the passes.
    shape: Shape,
}

impl Case for OrientEdges {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        self.check_ranked(device, &self.ranks, false)?;
        // As there are at least as many ranks as vertices, ids have no more bits.
        let ids: Vec<u32> = (0..self.ranks.len() as u32).collect();
        self.check_ranked(device, &ids, true)
    }
}

impl OrientEdges {
    fn check_ranked<D: TestDevice>(&self, device: &D, ranks: &[u32], by_id: bool) -> Result<()> {
        const UNTOUCHED: u64 = 0xabab_abab_abab_abab;
        let mut expected = vec![UNTOUCHED; self.edges.len()];
        // The kernel adds to what is there.
        let mut expected_counts: Vec<u32> =
            (0..self.passes << self.digit_bits).map(|slot| slot % 5).collect();
        let mut keys = Buffer::from_host(device, &expected)?;
        let mut histograms = Buffer::from_host(device, &expected_counts)?;
        for (&[u, v], expected) in self.edges[..self.m].iter().zip(&mut expected) {
            let key = key_of([u, v].map(|vertex| ranks[vertex as usize]), self.rank_bits);
            *expected = key;
            for pass in 0..self.passes {
                let rest = u128::from(key) >> (self.shift + pass * self.digit_bits);
                let digit = rest as u32 % (1 << self.digit_bits);
                expected_counts[((pass << self.digit_bits) + digit) as usize] += 1;
            }
        }
        let edges = entries_on(device, &self.edges)?;
        let ranks = Buffer::from_host(device, if by_id { &[] } else { ranks })?;
        orient_edges(
            device,
            self.shape.shared(shared_bytes(self.passes, self.digit_bits)),
            edges.view(),
            ranks.view(),
            keys.view_mut(),
            histograms.view_mut(),
            self.m as u64,
            self.rank_bits,
            self.shift,
            self.passes,
            self.digit_bits,
            u32::from(by_id),
        )?;
        ensure_holds("keys", device, &keys, &expected)?;
        ensure_holds("histograms", device, &histograms, &expected_counts)
    }
}

/// Most vertices of a case.
const VERTICES: u64 = 70;

/// How many vertices have ranks of `rank_bits` bits, and their ranks: from both ends of the range.
fn ranks(rank_bits: u32, seed: u64) -> Content<u32> {
    let bound = 1u64 << rank_bits;
    let from_both_ends = |i| if i % 2 == 0 { i / 2 } else { bound - 1 - i / 2 };
    let mut ranks: Vec<u32> = (0..bound.min(VERTICES)).map(|i| from_both_ends(i) as u32).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut ranks);
    Content::new(format!("ranks({seed:#x})"), ranks)
}

/// The passes that keys of two ranks need from bit `shift` on.
fn least_passes(rank_bits: u32, shift: u32, digit_bits: u32) -> u32 {
    (2 * rank_bits - shift).div_ceil(digit_bits)
}

fn patterns(m: usize, spare: usize, rank_bits: u32, shape: Shape) -> Vec<OrientEdges> {
    let case = |pattern: EdgePattern| {
        let ranks = ranks(rank_bits, m as u64);
        let edges = pattern.edges(m + spare, ranks.len() as u32, m as u64);
        // All bits, or the larger rank's, or some.
        let shift = [0, rank_bits, m as u32 % (2 * rank_bits)][m % 3];
        let digit_bits = [DIGIT_BITS, WIDE_DIGIT_BITS][m / 3 % 2];
        let passes = least_passes(rank_bits, shift, digit_bits);
        OrientEdges { edges, m, ranks, rank_bits, shift, passes, digit_bits, shape }
    };
    EdgePattern::ALL.into_iter().map(case).collect()
}

#[test]
fn orient_edges_makes_keys_and_counts_their_digits() {
    let kernel = Kernel::named("orient_edges");
    for m in sizes_around(&[BLOCK as usize, 2 * BLOCK as usize]) {
        for shape in striding_shapes(m as u64, BLOCK) {
            kernel.everywhere(patterns(m, 0, 12, shape).into_iter().step_by(2));
        }
        kernel.everywhere(patterns(m, 3, 7, Shape::new(2, 96)).into_iter().step_by(3));
    }
    for rank_bits in 1..=32 {
        kernel.everywhere(patterns(150, 1, rank_bits, Shape::new(2, 64)));
    }
    let edges = (1u32..=32).prop_flat_map(|rank_bits| {
        let vertices = (1u64 << rank_bits).min(VERTICES) as u32;
        let sort = (0..2 * rank_bits, DIGIT_BITS..=WIDE_DIGIT_BITS);
        let sort = sort.prop_flat_map(move |(shift, digit_bits)| {
            let passes = least_passes(rank_bits, shift, digit_bits)..=8;
            (Just(shift), passes, Just(digit_bits))
        });
        (any_edges(vertices, 500), Just(rank_bits), sort, any::<u64>())
    });
    let drawn = (edges, 0usize..4, 1u32..4, 1u32..600);
    let drawn = drawn.prop_map(
        |((edges, rank_bits, (shift, passes, digit_bits), seed), spare, grid, block)| {
            let m = edges.len().saturating_sub(spare);
            let ranks = ranks(rank_bits, seed);
            let shape = Shape::new(grid, block);
            OrientEdges { edges, m, ranks, rank_bits, shift, passes, digit_bits, shape }
        },
    );
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| patterns(1_000_003, 5, 29, Shape::new(500, BLOCK)));
}
