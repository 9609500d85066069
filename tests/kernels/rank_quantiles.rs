use anyhow::{Result, ensure};
use proptest::prelude::*;
use testkit::devices::entries_on;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::orient::BLOCK;
use tribin_kernels::rank_quantiles::{
    CELLS, KEYS_BLOCK, KEYS_SHARED_BYTES, MOST_RANKS, OCTAVES, QUANTILE_BITS, QUANTILES,
    TABLE_BLOCK, TABLE_SHARED_BYTES, VOLUMES_BLOCK, cell_of, first_rank_of_cell, first_ranks,
    keys_to_quantiles, orient_to_quantiles, quantile_table, rank_volumes, width_bits,
    without_quantiles,
};

use crate::contents::{UNTOUCHED, key_of};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

/// The cell of a rank, by its digits: those below 16 have one each, and others share the four highest digits and how many follow.
fn cell_by_digits(rank: u32) -> u32 {
    if rank < 16 {
        return rank;
    }
    let digits = format!("{rank:b}");
    let highest = u32::from_str_radix(&digits[..4], 2).unwrap();
    16 + (digits.len() as u32 - 5) * 8 + highest - 8
}

#[test]
fn cells_are_eighths_of_octaves() {
    let around = |rank: u64| rank.saturating_sub(2)..rank + 3;
    let near_eighths = (4..32).flat_map(|bits| (8..16).map(move |high| high << (bits - 3)));
    for rank in (0..5_000).chain(near_eighths.flat_map(around)) {
        let Ok(rank) = u32::try_from(rank) else { continue };
        let cell = cell_of(rank);
        assert_eq!(cell, cell_by_digits(rank), "{rank}");
        let first = u64::from(first_rank_of_cell(cell));
        let of_cell = first..first + (1 << width_bits(cell));
        assert!(cell < CELLS && of_cell.contains(&u64::from(rank)), "{rank}");
    }
    assert_eq!(cell_of(u32::MAX), CELLS - 1);
}

/// Degrees of ranks in descending order, of many hubs or of few.
fn degrees(ranks: u32, pattern: u32) -> Vec<u32> {
    let of = |rank: u32| match pattern % 4 {
        0 => 5,
        1 => 40_000 / (rank + 1),
        2 => (3_000.0 / f64::from(rank + 1).sqrt()) as u32,
        _ => {
            if rank < 3 {
                1 << 30
            } else {
                u32::from(rank < ranks / 2)
            }
        }
    };
    (0..ranks).map(of).collect()
}

#[derive(Debug)]
struct RankVolumes {
    degrees: Vec<u32>,
    grid: u32,
}

impl Case for RankVolumes {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        // The kernel adds to what is there.
        let mut expected: Vec<u64> = (0..u64::from(CELLS)).map(|cell| cell % 7).collect();
        let mut volumes = Buffer::from_host(device, &expected)?;
        for (rank, &degree) in self.degrees.iter().enumerate() {
            expected[cell_by_digits(rank as u32) as usize] += u64::from(degree);
        }
        let degrees = Buffer::from_host(device, &self.degrees)?;
        let shape = Shape::new(self.grid, VOLUMES_BLOCK);
        rank_volumes(device, shape, degrees.view(), volumes.view_mut(), degrees.len())?;
        ensure_holds("volumes", device, &volumes, &expected)
    }
}

#[test]
fn rank_volumes_sums_the_degrees_of_each_cell() {
    let kernel = Kernel::named("rank_volumes");
    for ranks in [0, 1, 17, 1_023, 8_193, 20_000] {
        for pattern in 0..4 {
            let case = RankVolumes { degrees: degrees(ranks, pattern), grid: 1 + pattern };
            kernel.everywhere([case]);
        }
    }
    kernel.on_gpu(|| vec![RankVolumes { degrees: degrees(3_000_001, 2), grid: 264 }]);
}

/// The quantiles of ranks.
struct Table {
    /// First quantile and number of quantiles, of each cell.
    cells: Vec<[u32; 2]>,
    heads: Vec<u32>,
    /// The first rank of each quantile.
    first: Vec<u32>,
}

/// What [`quantile_table`] and [`first_ranks`] find.
fn table<D: TestDevice>(device: &D, degrees: &[u32], down: u32) -> Result<Table> {
    let mut volumes = vec![0; CELLS as usize];
    for (rank, &degree) in degrees.iter().enumerate() {
        volumes[cell_by_digits(rank as u32) as usize] += u64::from(degree);
    }
    let ranks = degrees.len() as u32;
    let volumes = Buffer::from_host(device, &volumes)?;
    let mut cells = Buffer::from_host(device, &vec![7u64; CELLS as usize])?;
    let mut heads = Buffer::from_host(device, &vec![UNTOUCHED; OCTAVES as usize])?;
    quantile_table(
        device,
        Shape::new(1, TABLE_BLOCK).shared(TABLE_SHARED_BYTES),
        volumes.view(),
        cells.view_mut(),
        heads.view_mut(),
        ranks,
        down,
    )?;
    let mut first = Buffer::from_host(device, &vec![UNTOUCHED; QUANTILES as usize + 2])?;
    first_ranks(device, Shape::new(3, 256), cells.view(), first.view_mut(), ranks)?;
    let mut first = first.to_vec(device)?;
    ensure!(first.pop() == Some(UNTOUCHED), "a word behind the first ranks");
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let cells = cells.to_vec(device)?.into_iter().map(halves).collect();
    Ok(Table { cells, heads: heads.to_vec(device)?, first })
}

#[derive(Debug)]
struct QuantileTable {
    degrees: Vec<u32>,
    down: u32,
}

impl Case for QuantileTable {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let QuantileTable { degrees, down } = self;
        let ranks = degrees.len() as u32;
        let Table { cells, heads, first } = table(device, degrees, *down)?;
        let mut volumes = vec![0u128; CELLS as usize];
        for (rank, &degree) in degrees.iter().enumerate() {
            volumes[cell_by_digits(rank as u32) as usize] += u128::from(degree);
        }
        volumes.iter_mut().for_each(|volume| *volume >>= down);
        let all: u128 = volumes.iter().sum();
        // Of each cell: the mean share of the volume that smaller ranks have, and the others.
        let mut before = 0;
        let keys = volumes.iter().map(|&volume| {
            let keys = volume * (2 * before + volume) / all.max(1) / 2;
            before += volume;
            keys
        });
        let keys: Vec<u128> = keys.collect();
        let below = |rank: u64| {
            let of = (0..CELLS).filter(|&cell| u64::from(first_rank_of_cell(cell)) < rank);
            of.map(|cell| (volumes[cell as usize] - keys[cell as usize]) as u32).sum::<u32>()
        };
        let expected = (0..OCTAVES).map(|octave| if octave == 0 { 0 } else { below(1 << octave) });
        ensure!(heads == expected.collect::<Vec<u32>>(), "heads below each octave: {heads:?}");
        let of_all: u128 = keys.iter().sum();
        let exists = |cell: u32| first_rank_of_cell(cell) < ranks;
        let width = |cell: u32| 1u32 << width_bits(cell);
        let least = |cell: u32| width(cell).div_ceil(MOST_RANKS);
        let rest =
            u128::from(QUANTILES - (0..CELLS).filter(|&c| exists(c)).map(least).sum::<u32>());
        let mut next = 0;
        for cell in 0..CELLS {
            let asked = (rest * keys[cell as usize] / of_all.max(1)) as u32;
            let quantiles = if exists(cell) { width(cell).min(least(cell) + asked) } else { 0 };
            ensure!(cells[cell as usize] == [next, quantiles], "cell {cell}");
            next += quantiles;
        }
        ensure!(next <= QUANTILES);
        // Quantiles are ranges of ranks, each of one cell and not too wide.
        ensure!(first[0] == 0 && first.is_sorted(), "first ranks ascend");
        ensure!(first[next as usize..].iter().all(|&rank| rank == ranks), "behind the last");
        for bounds in first[..=next as usize].windows(2).filter(|bounds| bounds[0] < bounds[1]) {
            ensure!(bounds[1] - bounds[0] <= MOST_RANKS, "{bounds:?}");
            ensure!(cell_by_digits(bounds[0]) == cell_by_digits(bounds[1] - 1), "{bounds:?}");
        }
        Ok(())
    }
}

#[test]
fn quantile_table_has_about_as_many_keys_in_each() {
    let kernel = Kernel::named("quantile_table and first_ranks");
    for ranks in [1, 2, 17, 300, 5_000, 70_000] {
        for pattern in 0..4 {
            for down in [2, 9] {
                kernel.everywhere([QuantileTable { degrees: degrees(ranks, pattern), down }]);
            }
        }
    }
    kernel.on_gpu(|| vec![QuantileTable { degrees: degrees(1 << 24, 1), down: 3 }]);
}

#[derive(Debug)]
struct KeysToQuantiles {
    edges: Vec<[u32; 2]>,
    ranks: u32,
    rank_bits: u32,
    pattern: u32,
    grid: u32,
}

impl Case for KeysToQuantiles {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let KeysToQuantiles { ranks, rank_bits, .. } = *self;
        let Table { cells, first, .. } = table(device, &degrees(ranks, self.pattern), 2)?;
        let cells = cells.iter().map(|&[first, count]| u64::from(count) << 32 | u64::from(first));
        let cells = Buffer::from_host(device, &cells.collect::<Vec<u64>>())?;
        let turned: Vec<u32> = (0..ranks).rev().collect();
        let edges = entries_on(device, &self.edges)?;
        let m = edges.len();
        for by_id in [true, false] {
            let rank_of = |vertex: u32| if by_id { vertex } else { turned[vertex as usize] };
            // The last quantile that does not begin behind the larger rank.
            let with_quantile = |edge: &[u32; 2]| {
                let [a, b] = edge.map(rank_of);
                let quantile = match a == b {
                    true => QUANTILES as usize,
                    false => first.partition_point(|&rank| rank <= a.max(b)) - 1,
                };
                (quantile as u64) << (2 * rank_bits) | key_of([a, b], rank_bits)
            };
            let expected: Vec<u64> = self.edges.iter().map(with_quantile).collect();
            let mut counts: Vec<u32> = (0..512).map(|slot| slot % 5).collect();
            let mut histograms = Buffer::from_host(device, &counts)?;
            for key in &expected {
                let quantile = (key >> (2 * rank_bits)) as usize;
                counts[quantile % 256] += 1;
                counts[256 + quantile / 256] += 1;
            }
            let mut keys = Buffer::from_host(device, &vec![7u64; self.edges.len()])?;
            let rank = Buffer::from_host(device, if by_id { &[] } else { &turned[..] })?;
            let shape = Shape::new(self.grid, KEYS_BLOCK).shared(KEYS_SHARED_BYTES);
            orient_to_quantiles(
                device,
                shape,
                edges.view(),
                rank.view(),
                cells.view(),
                keys.view_mut(),
                histograms.view_mut(),
                m,
                rank_bits,
                u32::from(by_id),
            )?;
            ensure_holds("keys of edges", device, &keys, &expected)?;
            ensure_holds("counts of edges", device, &histograms, &counts)?;
            without_quantiles(device, Shape::new(self.grid, BLOCK), keys.view_mut(), m, rank_bits)?;
            let plain = self.edges.iter().map(|edge| key_of(edge.map(rank_of), rank_bits));
            ensure_holds("keys without", device, &keys, &plain.collect::<Vec<u64>>())?;
            let mut histograms = Buffer::zeroed(device, 512)?;
            counts.iter_mut().zip(0..).for_each(|(count, slot)| *count -= slot % 5);
            keys_to_quantiles(
                device,
                shape,
                keys.view_mut(),
                cells.view(),
                histograms.view_mut(),
                m,
                rank_bits,
            )?;
            ensure_holds("keys of keys", device, &keys, &expected)?;
            ensure_holds("counts of keys", device, &histograms, &counts)?;
        }
        Ok(())
    }
}

fn edges(n: usize, ranks: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..n).map(|_| [random.u32(..ranks), random.u32(..ranks)]).collect()
}

#[test]
fn keys_have_the_quantile_of_their_larger_rank() {
    let kernel = Kernel::named("orient_to_quantiles, keys_to_quantiles and without_quantiles");
    let case = |n, ranks, rank_bits, pattern, grid| {
        let edges = edges(n, ranks, u64::from(pattern));
        KeysToQuantiles { edges, ranks, rank_bits, pattern, grid }
    };
    for (n, ranks, rank_bits) in
        [(0, 1, 1), (1, 2, 1), (33, 5, 3), (1_030, 60, 6), (2_000, 70_000, 17), (900, 9_000, 24)]
    {
        for pattern in 0..4 {
            kernel.everywhere([case(n, ranks, rank_bits, pattern, 1 + pattern)]);
        }
    }
    kernel.drawn(
        16,
        (0usize..300, 2u32..800, 10u32..24, 0u32..4)
            .prop_map(move |(n, ranks, bits, pattern)| case(n, ranks, bits, pattern, 2)),
    );
    kernel.on_gpu(|| vec![case(3_000_000, 1 << 20, 20, 1, 264)]);
}

#[test]
fn a_key_has_room_for_a_quantile() {
    use tribin_kernels::rank_quantiles::MOST_RANK_BITS;
    const { assert!(2 * MOST_RANK_BITS + QUANTILE_BITS <= u64::BITS) };
    // Every cell of as many ranks has at least one quantile for each of these.
    const { assert!((1 << MOST_RANK_BITS) / MOST_RANKS + CELLS <= QUANTILES) };
}
