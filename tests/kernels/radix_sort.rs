use anyhow::Result;
use proptest::prelude::*;
use proptest::sample::select;
use testkit::effort;
use tribin_kernels::primitives::{LookbackState, TileWords};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_primitives::radix_sort::{
    DIGIT_BITS, HISTOGRAM_BLOCK, OFFSETS_SHARED_BYTES, SCATTER_BLOCK, SortPasses, TILE,
    WIDE_DIGIT_BITS, radix_histogram, radix_offsets, radix_scatter, scatter_shared_bytes, sort_by,
};

use crate::contents::{Content, KeyPattern, any_keys, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

const UNTOUCHED: u64 = 0xabab_abab_abab_abab;

/// The digit of `key` at bit `shift`, which may be past the key's end.
fn digit(key: u64, shift: u32, digit_bits: u32) -> usize {
    (u128::from(key) / (1 << shift) % (1 << digit_bits)) as usize
}

#[derive(Debug)]
struct RadixHistogram {
    keys: Content<u64>,
    /// How many of the keys the kernel is to count.
    n: usize,
    shift: u32,
    of: SortPasses,
    /// Its shared memory follows from the passes.
    shape: Shape,
}

impl Case for RadixHistogram {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        // The kernel adds to what is there.
        let SortPasses { passes, digit_bits } = self.of;
        let mut expected: Vec<u32> = (0..passes << digit_bits).map(|slot| slot % 5).collect();
        let mut histograms = Buffer::from_host(device, &expected)?;
        for pass in 0..passes {
            for &key in &self.keys[..self.n] {
                let of_pass = digit(key, self.shift + pass * digit_bits, digit_bits);
                expected[((pass as usize) << digit_bits) + of_pass] += 1;
            }
        }
        let keys = Buffer::from_host(device, &self.keys)?;
        radix_histogram(
            device,
            self.shape.shared((passes << digit_bits) * 4),
            keys.view(),
            histograms.view_mut(),
            self.n as u64,
            self.shift,
            passes,
            digit_bits,
        )?;
        ensure_holds("histograms", device, &histograms, &expected)
    }
}

#[test]
fn radix_histogram_counts_digits() {
    let kernel = Kernel::named("radix_histogram");
    let patterns = |n: usize, spare, shift, passes, shape| {
        let case = move |pattern: KeyPattern| {
            let keys = pattern.keys(n + spare, n as u64);
            let of = [SortPasses::narrow(passes), SortPasses::wide(passes)][n % 2];
            RadixHistogram { keys, n, shift, of, shape }
        };
        KeyPattern::ALL.map(case)
    };
    for n in sizes_around(&[HISTOGRAM_BLOCK as usize, 2 * HISTOGRAM_BLOCK as usize]) {
        for shape in striding_shapes(n as u64, HISTOGRAM_BLOCK) {
            kernel.everywhere(patterns(n, 0, 0, 3, shape).into_iter().step_by(3));
        }
        kernel.everywhere(patterns(n, 3, 13, 2, Shape::new(2, 96)).into_iter().step_by(2));
    }
    for (shift, passes) in [(0, 1), (0, 8), (32, 1), (32, 4), (3, 7), (60, 1), (60, 2), (63, 8)] {
        kernel.everywhere(patterns(300, 0, shift, passes, Shape::new(2, 128)));
    }
    let of =
        prop_oneof![(1u32..=8).prop_map(SortPasses::narrow), (1u32..=7).prop_map(SortPasses::wide)];
    let drawn = (any_keys(900), 0usize..4, 0u32..64, of, 1u32..4, 1u32..600);
    let drawn = drawn.prop_map(|(keys, spare, shift, of, grid, block)| {
        let n = keys.len().saturating_sub(spare);
        RadixHistogram { keys, n, shift, of, shape: Shape::new(grid, block) }
    });
    kernel.drawn(32, drawn);
    kernel.on_gpu(|| {
        let mut cases = patterns(1_000_003, 5, 0, 8, Shape::new(500, HISTOGRAM_BLOCK))
            .into_iter()
            .collect::<Vec<_>>();
        cases.extend(patterns(1_000_003, 5, 32, 1, Shape::new(3, HISTOGRAM_BLOCK)));
        cases
    });
}

#[derive(Debug)]
struct RadixOffsets {
    /// As many a pass as there are digits.
    counts: Content<u32>,
    digits: usize,
}

impl Case for RadixOffsets {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let passes = self.counts.len() / self.digits;
        let mut expected = Vec::new();
        for counts in self.counts.chunks(self.digits) {
            let mut before = 0;
            for count in counts {
                expected.push(before);
                before += count;
            }
        }
        let mut histograms = Buffer::from_host(device, &self.counts)?;
        let shape = Shape::new(passes as u32, self.digits as u32).shared(OFFSETS_SHARED_BYTES);
        radix_offsets(device, shape, histograms.view_mut())?;
        ensure_holds("histograms", device, &histograms, &expected)
    }
}

#[test]
fn radix_offsets_are_running_sums() {
    let kernel = Kernel::named("radix_offsets");
    // 512 counts below 2²³ - 1 stay below 2³², as the counts of fewer than 2³² keys do.
    let most = (1u32 << 23) - 1;
    for (passes, digits) in (1..=8u32).flat_map(|passes| [(passes, 256), (passes, 512)]) {
        let slots = passes * digits;
        let last = |slot: u32| if slot % digits == digits - 1 { u32::MAX } else { 0 };
        let first = |slot: u32| if slot.is_multiple_of(digits) { u32::MAX } else { 0 };
        let contents = [
            Content::new("no keys", vec![0; slots as usize]),
            Content::new("one of each", vec![1; slots as usize]),
            Content::new("nearly 2^32 keys", vec![most; slots as usize]),
            Content::new("the first digit only", (0..slots).map(first).collect()),
            Content::new("the last digit only", (0..slots).map(last).collect()),
            Content::new("ascending", (0..slots).collect()),
            Content::new("every other", (0..slots).map(|slot| slot % 2 * 1000).collect()),
        ];
        let digits = digits as usize;
        kernel.everywhere(contents.map(|counts| RadixOffsets { counts, digits }));
    }
    let drawn = (1usize..=8, select(&[256, 512][..])).prop_flat_map(move |(passes, digits)| {
        let counts = prop::collection::vec(prop_oneof![Just(0), 0..=most], passes * digits);
        (counts, Just(digits))
    });
    let drawn = drawn.prop_map(|(counts, digits)| RadixOffsets {
        counts: Content::new("given", counts),
        digits,
    });
    kernel.drawn(16, drawn);
}

/// Scatters of the same keys, one after another, on the same words and tickets.
#[derive(Debug)]
struct RadixScatter {
    keys: Content<u64>,
    /// How many of the keys the kernel is to take; not 0.
    n: usize,
    /// The digit that each pass sorts by.
    shifts: Vec<u32>,
    digit_bits: u32,
}

impl Case for RadixScatter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        match self.digit_bits {
            WIDE_DIGIT_BITS => self.check_digits::<WIDE_DIGIT_BITS, D>(device),
            _ => self.check_digits::<DIGIT_BITS, D>(device),
        }
    }
}

impl RadixScatter {
    fn check_digits<const BITS: u32, D: TestDevice>(&self, device: &D) -> Result<()> {
        let digits = 1 << BITS;
        let n = self.n as u64;
        let digit = |key, shift| digit(key, shift, BITS);
        let tiles = self.n.div_ceil(TILE as usize);
        let keys = Buffer::from_host(device, &self.keys)?;
        let mut words = Buffer::zeroed(device, (tiles * digits) as u64)?;
        let mut tickets = Buffer::zeroed(device, self.shifts.len() as u64)?;
        for (pass, &shift) in self.shifts.iter().enumerate() {
            let mut expected = self.keys[..self.n].to_vec();
            expected.sort_by_key(|&key| digit(key, shift));
            let offset = |d| expected.partition_point(|&key| digit(key, shift) < d) as u32;
            let offsets: Vec<u32> = (0..digits).map(offset).collect();
            let offsets = Buffer::from_host(device, &offsets)?;
            expected.resize(self.keys.len(), UNTOUCHED);
            let mut sorted = Buffer::from_host(device, &vec![UNTOUCHED; self.keys.len()])?;
            let shape = Shape::new(tiles as u32, SCATTER_BLOCK).shared(scatter_shared_bytes(BITS));
            radix_scatter::<BITS, D>(
                device,
                shape,
                keys.view(),
                sorted.view_mut(),
                offsets.view(),
                words.view_mut(),
                tickets.view_mut(),
                n,
                shift,
                pass as u32,
            )?;
            ensure_holds(&format!("pass {pass}: sorted"), device, &sorted, &expected)?;
            // Every tile has published its prefix: whoever looks back need not look further.
            let state = LookbackState::of_pass(pass as u32);
            let mut counts = vec![0; digits];
            let mut prefixes = Vec::new();
            for tile in self.keys[..self.n].chunks(TILE as usize) {
                tile.iter().for_each(|&key| counts[digit(key, shift)] += 1);
                prefixes.extend(counts.iter().map(|&count| state.prefix(count)));
            }
            ensure_holds(&format!("pass {pass}: words"), device, &words, &prefixes)?;
        }
        // No block has chosen its tile otherwise: blocks need not start in their order.
        ensure_holds("tickets", device, &tickets, &vec![tiles as u32; self.shifts.len()])
    }
}

/// Sizes around what a warp (512), a tile and several tiles hold.
fn scatter_sizes() -> Vec<usize> {
    let tile = TILE as usize;
    let mut sizes = sizes_around(&[SCATTER_BLOCK as usize, 512, tile, 2 * tile]);
    sizes.push(3 * tile + 7);
    sizes
}

#[test]
fn radix_scatter_sorts_by_one_digit_and_is_stable() {
    let kernel = Kernel::named("radix_scatter");
    for (i, n) in scatter_sizes().into_iter().skip(1).enumerate() {
        let case = |pattern: KeyPattern| RadixScatter {
            keys: pattern.keys(n + i % 3, n as u64),
            n,
            shifts: vec![0, 8, 29],
            digit_bits: DIGIT_BITS + (n / 3 % 2) as u32,
        };
        // A quick run takes a fourth of the patterns.
        kernel.everywhere(effort::some(KeyPattern::ALL.map(case), i, 4));
    }
    // Look-back over many tiles, and as many passes as a sort has at most.
    kernel.everywhere([RadixScatter {
        keys: KeyPattern::Skewed.keys(11 * TILE as usize + 1, 7),
        n: 11 * TILE as usize + 1,
        shifts: vec![48, 3],
        digit_bits: WIDE_DIGIT_BITS,
    }]);
    kernel.everywhere([RadixScatter {
        keys: KeyPattern::Random.keys(2 * TILE as usize + 5, 7),
        n: 2 * TILE as usize + 5,
        shifts: vec![56, 1, 40, 17, 32, 4, 24, 8],
        digit_bits: DIGIT_BITS,
    }]);
    let shifts = prop::collection::vec(0u32..=56, 1..4);
    let drawn = (any_keys(9000), 0usize..4, shifts, DIGIT_BITS..=WIDE_DIGIT_BITS);
    let drawn = drawn.prop_map(|(keys, spare, shifts, digit_bits)| {
        let keys = if keys.is_empty() { Content::new("one", vec![0]) } else { keys };
        RadixScatter { n: keys.len().saturating_sub(spare).max(1), keys, shifts, digit_bits }
    });
    kernel.drawn(12, drawn);
    kernel.on_gpu(|| {
        let sizes = [1_000_003, 300 * TILE as usize];
        let case = |pattern: KeyPattern, n: usize, digit_bits| RadixScatter {
            keys: pattern.keys(n + 3, n as u64),
            n,
            shifts: (0..64 / digit_bits).map(|pass| pass * digit_bits).collect(),
            digit_bits,
        };
        let all = sizes.iter().flat_map(|&n| KeyPattern::ALL.map(|pattern| (pattern, n)));
        let both = [DIGIT_BITS, WIDE_DIGIT_BITS];
        all.flat_map(|(pattern, n)| both.map(|bits| case(pattern, n, bits))).collect()
    });
}

/// The whole sort, as the host launches it.
#[derive(Debug)]
struct Sort {
    pattern: KeyPattern,
    n: usize,
    seed: u64,
    shift: u32,
    /// Bits of what is sorted by, from `shift` on.
    bits: u32,
    digit_bits: u32,
}

impl Sort {
    fn passes(&self) -> SortPasses {
        let (passes, digit_bits) = (self.bits.div_ceil(self.digit_bits), self.digit_bits);
        SortPasses { passes, digit_bits }
    }
}

impl Case for Sort {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let in_order = (1u128 << self.passes().bits()) - 1;
        // What is not sorted by tells equal keys apart.
        let mask = (in_order << self.shift) as u64;
        let tag = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let pattern = self.pattern.keys(self.n, self.seed);
        let keys: Vec<u64> =
            pattern.iter().enumerate().map(|(i, key)| key & mask | tag(i) & !mask).collect();
        let mut expected = keys.clone();
        expected.sort_by_key(|&key| u128::from(key) >> self.shift & in_order);

        let keys = Buffer::from_host(device, &keys)?;
        let sorted = sort_by(device, keys, self.shift, self.passes())?;
        ensure_holds("sorted", device, &sorted, &expected)
    }
}

/// Bits that the sort is used with (8 from 32: ranks; twice a rank's bits from 0: edges) and others.
const RANGES: [(u32, u32); 9] =
    [(32, 8), (0, 2), (0, 24), (0, 34), (0, 64), (3, 8), (13, 20), (29, 16), (56, 8)];

#[test]
fn the_sort_is_the_slices_stable_sort() {
    let kernel = Kernel::named("radix sort (its three kernels as launched by the host)");
    for (i, n) in scatter_sizes().into_iter().enumerate() {
        // A quick run takes every other range.
        for (j, &(shift, bits)) in effort::some(RANGES.iter().enumerate(), i, 2) {
            let pattern = KeyPattern::ALL[(i + j) % KeyPattern::ALL.len()];
            let digit_bits = DIGIT_BITS + (i + j) as u32 / 2 % 2;
            kernel.everywhere([Sort { pattern, n, seed: n as u64, shift, bits, digit_bits }]);
        }
    }
    let drawn = (select(&KeyPattern::ALL[..]), 0usize..9000, any::<u64>(), 0u32..64);
    let drawn =
        drawn.prop_flat_map(|drawn| (Just(drawn), 1..=64 - drawn.3, DIGIT_BITS..=WIDE_DIGIT_BITS));
    let drawn = drawn.prop_map(|((pattern, n, seed, shift), bits, digit_bits)| {
        // The last digit may reach past the key's end: `keys >> shift` fills it with zeros.
        Sort { pattern, n, seed, shift, bits: bits.min(32), digit_bits }
    });
    kernel.drawn(12, drawn);
    kernel.on_gpu(|| {
        let case = |pattern, &(shift, bits)| Sort {
            pattern,
            n: 1_000_003,
            seed: 1,
            shift,
            bits,
            digit_bits: DIGIT_BITS + shift % 2,
        };
        KeyPattern::ALL
            .into_iter()
            .flat_map(|pattern| RANGES.iter().map(move |range| case(pattern, range)))
            .collect()
    });
}
