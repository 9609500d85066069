use anyhow::{Result, ensure};
use proptest::prelude::*;
use testkit::devices::entries_on;
use testkit::effort;
use tribin_kernels::row_bins::{
    BINS_BLOCK, BINS_SHARED_BYTES, FOUND, GAPS_BLOCK, GAPS_SHARED_BYTES, GROUPS_BLOCK, MOST_BINS,
    MOST_OF_SLOT, MOST_RANKS, NEXT, ROWS_BLOCK, ROWS_SHARED_BYTES, SORTED_BLOCK, SPLIT_BLOCK,
    SPLIT_SHARED_BYTES, SPLIT_TILE, TOO_LARGE, bins_of_groups, bins_of_starts, close_gaps,
    groups_shared_bytes, orient_to_groups, rows_of_bins, split_keys, starts_of_groups,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::{UNTOUCHED, key_of};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

/// `n` pairs of ranks below `ranks`, with some self-loops and some pairs again; by chance, by larger rank, or near each other.
fn pairs(n: usize, ranks: u32, pattern: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut pairs: Vec<[u32; 2]> = (0..n)
        .map(|_| {
            let u = random.u32(..ranks);
            let v = if pattern % 3 == 2 {
                u.saturating_sub(random.u32(..4))
            } else {
                random.u32(..ranks)
            };
            [u, v]
        })
        .collect();
    for i in 0..n / 7 {
        pairs[n - 1 - i] = [pairs[i][1], pairs[i][0]];
    }
    if pattern % 3 == 1 {
        pairs.sort_unstable_by_key(|&[u, v]| u.max(v));
    }
    pairs
}

#[derive(Debug)]
struct OrientToGroups {
    edges: Vec<[u32; 2]>,
    ranks: u32,
    rank_bits: u32,
    shift: u32,
    grid: u32,
}

impl Case for OrientToGroups {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let OrientToGroups { ranks, rank_bits, shift, .. } = *self;
        let edges = entries_on(device, &self.edges)?;
        let m = edges.len();
        let groups = (1u32 << rank_bits).div_ceil(1 << shift);
        let by_id: Vec<u32> = (0..ranks).collect();
        let turned: Vec<u32> = by_id.iter().rev().copied().collect();
        for rank_of in [&by_id, &turned] {
            let expected: Vec<u64> = self
                .edges
                .iter()
                .map(|edge| key_of(edge.map(|v| rank_of[v as usize]), rank_bits))
                .collect();
            // The kernel adds to what is there.
            let mut counts: Vec<u32> = (0..groups).map(|group| group % 3).collect();
            let mut counted = Buffer::from_host(device, &counts)?;
            for edge in self.edges.iter().filter(|[u, v]| u != v) {
                let [u, v] = edge.map(|v| rank_of[v as usize]);
                counts[(u.max(v) >> shift) as usize] += 1;
            }
            let is_by_id = std::ptr::eq(rank_of, &by_id);
            let rank = Buffer::from_host(device, if is_by_id { &[] } else { &rank_of[..] })?;
            let mut keys = Buffer::from_host(device, &vec![7u64; self.edges.len()])?;
            orient_to_groups(
                device,
                Shape::new(self.grid, GROUPS_BLOCK).shared(groups_shared_bytes(groups)),
                edges.view(),
                rank.view(),
                keys.view_mut(),
                counted.view_mut(),
                m,
                rank_bits,
                shift,
                groups,
                u32::from(is_by_id),
            )?;
            ensure_holds("keys", device, &keys, &expected)?;
            ensure_holds("counts", device, &counted, &counts)?;
        }
        Ok(())
    }
}

#[test]
fn orient_to_groups_counts_the_keys_of_each_group() {
    let kernel = Kernel::named("orient_to_groups");
    for (n, ranks, rank_bits, shift, grid) in [
        (0, 1, 1, 0, 1),
        (1, 2, 1, 1, 1),
        (33, 5, 3, 1, 2),
        (1_030, 60, 6, 0, 1),
        (3_000, 900, 11, 4, 2),
    ] {
        for pattern in 0..3 {
            let edges = pairs(n, ranks, pattern, n as u64);
            kernel.everywhere([OrientToGroups { edges, ranks, rank_bits, shift, grid }]);
        }
    }
    kernel.on_gpu(|| {
        let edges = pairs(3_000_000, 1 << 20, 0, 1);
        vec![OrientToGroups { edges, ranks: 1 << 20, rank_bits: 20, shift: 6, grid: 264 }]
    });
}

#[derive(Debug)]
struct BinsOfGroups {
    counts: Vec<u32>,
    shift: u32,
    ranks: u32,
    capacity: u32,
    window: u32,
}

/// What [`bins_of_groups`] finds, in order.
struct Bins {
    of_group: Vec<u16>,
    first_key: Vec<u32>,
    first_rank: Vec<u32>,
    next: Vec<u32>,
    found: Vec<u32>,
}

impl BinsOfGroups {
    fn run<D: TestDevice>(&self, device: &D) -> Result<Bins> {
        let bounds = vec![UNTOUCHED; MOST_BINS as usize + 1];
        let counts = Buffer::from_host(device, &self.counts)?;
        let mut of_group = Buffer::from_host(device, &vec![0u16; self.counts.len()])?;
        let mut first_key = Buffer::from_host(device, &bounds)?;
        let mut first_rank = Buffer::from_host(device, &bounds)?;
        let mut next = Buffer::from_host(device, &vec![UNTOUCHED; NEXT as usize])?;
        let mut found = Buffer::zeroed(device, FOUND)?;
        bins_of_groups(
            device,
            Shape::new(1, BINS_BLOCK).shared(BINS_SHARED_BYTES),
            counts.view(),
            of_group.view_mut(),
            first_key.view_mut(),
            first_rank.view_mut(),
            next.view_mut(),
            found.view_mut(),
            self.counts.len() as u32,
            self.shift,
            self.ranks,
            self.capacity,
            self.window,
        )?;
        Ok(Bins {
            of_group: of_group.to_vec(device)?,
            first_key: first_key.to_vec(device)?,
            first_rank: first_rank.to_vec(device)?,
            next: next.to_vec(device)?,
            found: found.to_vec(device)?,
        })
    }
}

impl Case for BinsOfGroups {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let bins = self.run(device)?;
        let Bins { first_key, next, found, .. } = &bins;
        let all = ..=found[0] as usize;
        ensure!(next[all] == first_key[all], "the next place of each bin");
        self.ensure_bins(&bins)
    }
}

impl BinsOfGroups {
    /// What holds of the bins of groups, whoever makes them.
    fn ensure_bins(&self, bins: &Bins) -> Result<()> {
        let Bins { of_group, first_key, first_rank, found, .. } = bins;
        let bins = found[0] as usize;
        let largest = self.counts.iter().max().copied().unwrap_or(0);
        let total: u32 = self.counts.iter().sum();
        ensure!((1..=MOST_BINS as usize).contains(&bins), "{bins} bins");
        ensure!(largest < self.capacity || found[1] == 1, "a group is too large");
        ensure!(of_group.is_sorted() && usize::from(of_group[of_group.len() - 1]) == bins - 1);
        ensure!(first_key[0] == 0 && first_key[bins] == total, "keys of all bins");
        ensure!(first_rank[0] == 0 && first_rank[bins] == self.ranks, "ranks of all bins");
        for bin in 0..bins {
            let of_bin = |group: &usize| usize::from(of_group[*group]) == bin;
            let groups: Vec<usize> = (0..of_group.len()).filter(of_bin).collect();
            let keys: u32 = groups.iter().map(|&group| self.counts[group]).sum();
            ensure!(first_key[bin + 1] - first_key[bin] == keys, "keys of bin {bin}");
            let first = groups.first().map(|&group| ((group as u32) << self.shift).min(self.ranks));
            ensure!(first.is_none_or(|first| first_rank[bin] == first), "ranks of bin {bin}");
            ensure!(first_rank[bin] <= first_rank[bin + 1], "ranks of bin {bin} ascend");
            if found[1] == 0 {
                ensure!(keys <= self.capacity, "{keys} keys in bin {bin}");
                ensure!(
                    groups.len() <= self.window as usize,
                    "{} groups in bin {bin}",
                    groups.len()
                );
            }
        }
        Ok(())
    }
}

/// The same from keys that are sorted by their groups.
#[derive(Debug)]
struct BinsOfStarts(BinsOfGroups);

impl Case for BinsOfStarts {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let BinsOfGroups { counts, shift, ranks, capacity, window } = &self.0;
        let (rank_bits, groups) = (25, counts.len() as u32);
        // Groups before the first have no keys.
        let all = 1 << rank_bits;
        let first_group = [0, 1, 3]
            .into_iter()
            .rfind(|&first| u64::from(first + groups) << shift <= all)
            .unwrap_or(0);
        let first_rank_of_all = first_group << shift;
        let mut random = fastrand::Rng::with_seed(groups.into());
        let mut keys = Vec::new();
        let mut starts = vec![0];
        for (group, &count) in counts.iter().enumerate() {
            let group = u64::from(first_group) + group as u64;
            let tail = |in_group: u64| group << shift | in_group;
            let key =
                |_| tail(random.u64(..1 << shift)) << rank_bits | random.u64(..1 << rank_bits);
            keys.extend((0..count).map(key));
            starts.push(keys.len() as u32);
        }
        // Self-loops.
        keys.extend([key_of([0, 0], rank_bits); 3]);
        let keys_of_groups = Buffer::from_host(device, &keys)?;
        let mut found_starts = Buffer::from_host(device, &vec![UNTOUCHED; starts.len() + 1])?;
        // The kernel raises what is there.
        let mut largest = Buffer::from_host(device, &[1])?;
        let shape = Shape::new(2, SORTED_BLOCK);
        starts_of_groups(
            device,
            shape,
            keys_of_groups.view(),
            found_starts.view_mut(),
            largest.view_mut(),
            keys.len() as u64,
            rank_bits,
            *shift,
            first_group,
            groups,
        )?;
        let expected = [&starts[..], &[UNTOUCHED]].concat();
        ensure_holds("starts", device, &found_starts, &expected)?;
        let most = counts.iter().max().copied().unwrap_or(0).max(1);
        ensure_holds("largest", device, &largest, &[most])?;
        let bounds = vec![UNTOUCHED; MOST_BINS as usize + 1];
        let mut first_key = Buffer::from_host(device, &bounds)?;
        let mut first_rank = Buffer::from_host(device, &bounds)?;
        let mut found = Buffer::zeroed(device, FOUND)?;
        bins_of_starts(
            device,
            shape,
            found_starts.view(),
            largest.view(),
            first_key.view_mut(),
            first_rank.view_mut(),
            found.view_mut(),
            first_group,
            groups,
            *shift,
            first_rank_of_all + *ranks,
            *capacity,
            *window,
            MOST_BINS,
        )?;
        let [first_key, mut first_rank, found] =
            [first_key.to_vec(device)?, first_rank.to_vec(device)?, found.to_vec(device)?];
        first_rank[..=found[0] as usize].iter_mut().for_each(|rank| *rank -= first_rank_of_all);
        let starts_of_bins = &first_rank[..found[0] as usize];
        let of_group = |group: u32| {
            let rank = (group << shift).min(*ranks);
            starts_of_bins.partition_point(|&first| first <= rank) as u16 - 1
        };
        let of_group = (0..groups).map(of_group).collect();
        self.0.ensure_bins(&Bins { of_group, first_key, first_rank, next: Vec::new(), found })
    }
}

#[test]
fn bins_of_starts_are_those_of_groups() {
    let kernel = Kernel::named("starts_of_groups and bins_of_starts");
    for (groups, most, capacity, window) in [
        (1, 0, 1, 1),
        (1, 9, 10, 1),
        (7, 3, 8, 2),
        (600, 5, 20, 64),
        (1_100, 30, 99, 3),
        (90, 9, 5, 7),
    ] {
        let mut random = fastrand::Rng::with_seed(groups);
        let counts: Vec<u32> = (0..groups).map(|_| random.u32(..=most)).collect();
        let (shift, ranks) = (2, 4 * groups as u32);
        let groups = BinsOfGroups { counts, shift, ranks, capacity, window };
        kernel.everywhere([BinsOfStarts(groups)]);
    }
}

#[test]
fn bins_of_groups_fit_the_shared_memory() {
    let kernel = Kernel::named("bins_of_groups");
    let drawn = |groups: usize, most: u32, seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..groups).map(|_| random.u32(..=most)).collect::<Vec<u32>>()
    };
    for (groups, most, capacity, window) in [
        (1, 0, 1, 1),
        (1, 9, 10, 1),
        (7, 3, 8, 2),
        (1_024, 5, 20, 64),
        (2_048, 30, 99, 3),
        (16_384, 9, 900, 8_192),
    ] {
        let (counts, shift) = (drawn(groups, most, groups as u64), 2);
        let ranks = 4 * groups as u32 - 3;
        kernel.everywhere([BinsOfGroups { counts, shift, ranks, capacity, window }]);
    }
    // Ranks end long before the groups do; a group that is too large; more bins than there may be.
    let too_many = vec![3; 16_384];
    let cases = [(drawn(64, 3, 1), 5, 10), (vec![1, 12, 1], 12, 12), (too_many, 4 * 16_384, 4)];
    for (counts, ranks, capacity) in cases {
        let case = BinsOfGroups { counts, shift: 2, ranks, capacity, window: 64 };
        kernel.everywhere([case]);
    }
}

#[derive(Debug)]
struct SplitKeys {
    edges: Vec<[u32; 2]>,
    rank_bits: u32,
    shift: u32,
    capacity: u32,
}

impl Case for SplitKeys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let SplitKeys { rank_bits, shift, capacity, .. } = *self;
        let keys: Vec<u64> = self.edges.iter().map(|&edge| key_of(edge, rank_bits)).collect();
        let mut counts = vec![0; 1 << (rank_bits - shift)];
        for [u, v] in self.edges.iter().filter(|[u, v]| u != v) {
            counts[(u.max(v) >> shift) as usize] += 1;
        }
        let bins = BinsOfGroups { counts, shift, ranks: 1 << rank_bits, capacity, window: 1 << 14 };
        let Bins { of_group, first_key, found, .. } = bins.run(device)?;
        let n = keys.len() as u64;
        let device_keys = Buffer::from_host(device, &keys)?;
        let mut split = Buffer::from_host(device, &vec![7u64; keys.len()])?;
        let mut next = first_key.clone();
        next.resize(NEXT as usize, 0);
        let mut next = Buffer::from_host(device, &next)?;
        split_keys(
            device,
            Shape::new((keys.len() as u32).div_ceil(SPLIT_TILE).max(1), SPLIT_BLOCK)
                .shared(SPLIT_SHARED_BYTES),
            device_keys.view(),
            split.view_mut(),
            Buffer::from_host(device, &of_group)?.view(),
            next.view_mut(),
            Buffer::from_host(device, &found)?.view(),
            n,
            rank_bits,
            shift,
        )?;
        // The bins one after the other, and the self-loops last: as keys in order are, bin by bin.
        let (mut split, mut expected) = (split.to_vec(device)?, keys);
        expected.sort_unstable();
        let bins = found[0] as usize;
        let bounds = first_key[..=bins].iter().map(|&key| key as usize).chain([split.len()]);
        let bounds: Vec<usize> = bounds.collect();
        for bin in bounds.windows(2) {
            split[bin[0]..bin[1]].sort_unstable();
        }
        ensure!(split == expected, "the keys are not in their bins");
        Ok(())
    }
}

#[test]
fn split_keys_puts_the_keys_of_a_bin_side_by_side() {
    let kernel = Kernel::named("split_keys");
    let tile = SPLIT_TILE as usize;
    for (n, rank_bits, shift, capacity) in [
        (0, 3, 0, 5),
        (1, 3, 0, 5),
        (100, 4, 1, 60),
        (tile - 1, 9, 0, 90),
        (tile, 13, 0, 12),
        (tile + 1, 14, 1, 40),
        (2 * tile + 77, 13, 0, 9),
    ] {
        for pattern in 0..3 {
            let edges = pairs(n, 1 << rank_bits, pattern, n as u64);
            kernel.everywhere([SplitKeys { edges, rank_bits, shift, capacity }]);
        }
    }
    kernel.on_gpu(|| {
        let edges = pairs(2_000_000, 1 << 20, 0, 1);
        vec![SplitKeys { edges, rank_bits: 20, shift: 6, capacity: 9_000 }]
    });
}

#[derive(Debug)]
struct RowsOfBins {
    /// Pairs of different ranks.
    edges: Vec<[u32; 2]>,
    rank_bits: u32,
    /// The first rank of each bin, and the number of ranks.
    first_rank: Vec<u32>,
    by: By,
    grid: u32,
}

/// The kernel that makes rows.
#[derive(Debug, Clone, Copy, PartialEq)]
enum By {
    /// `rows_of_bins_32`.
    Narrow,
    /// `rows_of_bins_64`.
    Wide,
}

impl RowsOfBins {
    /// Bins of `of_bin` ranks each; the last may have fewer.
    fn with_bins(
        edges: Vec<[u32; 2]>,
        rank_bits: u32,
        ranks: u32,
        of_bin: u32,
        by: By,
    ) -> RowsOfBins {
        let first_rank = (0..ranks).step_by(of_bin as usize).chain([ranks]).collect();
        RowsOfBins { edges, rank_bits, first_rank, by, grid: 2 }
    }
}

impl Case for RowsOfBins {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let rank_bits = self.rank_bits;
        let bins = self.first_rank.len() - 1;
        let ranks = self.first_rank[bins];
        let ends = |edge: &[u32; 2]| [edge[0].max(edge[1]), edge[0].min(edge[1])];
        let of_bin = |bin: usize| {
            let of_bin = self.first_rank[bin]..self.first_rank[bin + 1];
            self.edges.iter().map(ends).filter(move |[tail, _]| of_bin.contains(tail))
        };
        let mut keys = Vec::new();
        let mut first_key = vec![0];
        for bin in 0..bins {
            keys.extend(of_bin(bin).map(|edge| key_of(edge, rank_bits)));
            first_key.push(keys.len() as u32);
        }
        let padded = |bounds: &[u32]| {
            let mut bounds = bounds.to_vec();
            bounds.resize(MOST_BINS as usize + 1, UNTOUCHED);
            Buffer::from_host(device, &bounds)
        };
        let (first_keys, first_ranks) = (padded(&first_key)?, padded(&self.first_rank)?);
        let found = Buffer::from_host(device, &[bins as u32, 0])?;
        let n = keys.len();
        let device_keys = Buffer::from_host(device, &keys)?;
        let untouched = vec![UNTOUCHED; n];
        let mut tails = Buffer::from_host(device, &untouched)?;
        let mut heads_of_edges = Buffer::from_host(device, &untouched)?;
        let mut rows = Buffer::from_host(device, &vec![UNTOUCHED; 2 * ranks as usize])?;
        let mut kept_of_bin = Buffer::from_host(device, &vec![UNTOUCHED; MOST_BINS as usize])?;
        let mut kept = Buffer::zeroed(device, 1)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let shape = Shape::new(self.grid, ROWS_BLOCK).shared(ROWS_SHARED_BYTES);
        let kernel = match self.by {
            By::Narrow => rows_of_bins::<32, D>,
            By::Wide => rows_of_bins::<64, D>,
        };
        kernel(
            device,
            shape,
            device_keys.view(),
            first_keys.view(),
            first_ranks.view(),
            found.view(),
            tails.view_mut(),
            heads_of_edges.view_mut(),
            rows.view_mut(),
            kept_of_bin.view_mut(),
            kept.view_mut(),
            ticket.view_mut(),
            rank_bits,
        )?;
        let heads = heads_of_edges;
        // Distinct edges of all bins, and for each bin those and then the repeated ones.
        let (mut edges, mut by_bin, mut of_bins) = (Vec::new(), Vec::new(), Vec::new());
        for bin in 0..bins {
            let mut all: Vec<[u32; 2]> = of_bin(bin).collect();
            all.sort_unstable();
            let mut distinct = all.clone();
            distinct.dedup();
            let repeated = all.chunk_by(|a, b| a == b).flat_map(|same| &same[1..]);
            by_bin.extend(distinct.iter().chain(repeated).copied());
            of_bins.push(distinct.len() as u32);
            edges.extend(distinct);
        }
        ensure!(kept.to_vec(device)? == [edges.len() as u64], "edges of all bins");
        ensure!(kept_of_bin.to_vec(device)?[..bins] == of_bins[..], "edges of each bin");
        let [all_tails, all_heads] = [&tails, &heads].map(|ends| ends.to_vec(device));
        let written: Vec<[u32; 2]> =
            all_tails?.into_iter().zip(all_heads?).map(|(tail, head)| [tail, head]).collect();
        ensure!(written == by_bin, "the edges of each bin, and those that repeat");

        let mut degrees: Vec<u32> = (0..ranks).map(|rank| rank % 3).collect();
        self.edges.iter().flatten().for_each(|&rank| degrees[rank as usize] += 1);
        let mut degree_of_rank = Buffer::from_host(device, &degrees)?;
        let mut degrees: Vec<u32> = (0..ranks).map(|rank| rank % 3).collect();
        edges.iter().flatten().for_each(|&rank| degrees[rank as usize] += 1);
        let untouched = vec![UNTOUCHED; edges.len()];
        let mut packed_tails = Buffer::from_host(device, &untouched)?;
        let mut packed_heads = Buffer::from_host(device, &untouched)?;
        close_gaps(
            device,
            Shape::new(self.grid, GAPS_BLOCK).shared(GAPS_SHARED_BYTES),
            tails.view(),
            heads.view(),
            first_keys.view(),
            first_ranks.view(),
            kept_of_bin.view(),
            found.view(),
            packed_tails.view_mut(),
            packed_heads.view_mut(),
            rows.view_mut(),
            degree_of_rank.view_mut(),
        )?;
        let column = |end: usize| edges.iter().map(|edge| edge[end]).collect::<Vec<u32>>();
        ensure_holds("tails", device, &packed_tails, &column(0))?;
        ensure_holds("heads", device, &packed_heads, &column(1))?;
        ensure_holds("degrees", device, &degree_of_rank, &degrees)?;
        let before = |rank: u32| edges.partition_point(|edge| edge[0] < rank) as u32;
        let bounds = (0..ranks).flat_map(|rank| [before(rank), before(rank + 1)]);
        ensure_holds("rows", device, &rows, &bounds.collect::<Vec<u32>>())
    }
}

/// Pairs of different ranks.
fn edges(n: usize, ranks: u32, pattern: u32, seed: u64) -> Vec<[u32; 2]> {
    let mut edges = pairs(n, ranks, pattern, seed);
    edges.retain(|[u, v]| u != v);
    edges
}

fn check_rows(name: &'static str, by: By) {
    let kernel = Kernel::named(name);
    let with_bins = move |edges, rank_bits, ranks, of_bin| {
        RowsOfBins::with_bins(edges, rank_bits, ranks, of_bin, by)
    };
    // No edges; bins of one rank; bins without any; more keys than threads.
    let sizes = [
        (0, 1, 2, 1),
        (1, 1, 2, 2),
        (90, 4, 13, 1),
        (200, 7, 100, 9),
        (2_500, 9, 500, 300),
        (6_000, 12, 4_000, 4_000),
    ];
    for (at, (n, rank_bits, ranks, of_bin)) in sizes.into_iter().enumerate() {
        // A quick run takes one of the patterns.
        for pattern in effort::some(0..3, at, 3) {
            let edges = edges(n, ranks, pattern, n as u64);
            kernel.everywhere([with_bins(edges, rank_bits, ranks, of_bin)]);
        }
    }
    // The first key of a bin is 0 less its first; an edge that repeats often; no edge repeats.
    let again = [vec![[5, 0]; 40], vec![[6, 0], [5, 1], [7, 6]]].concat();
    kernel.everywhere([with_bins(again, 3, 8, 5)]);
    let star: Vec<[u32; 2]> = (0..400).map(|rank| [400, rank]).collect();
    kernel.everywhere([with_bins(star, 9, 401, 401)]);
    // Long rows at the lowest of many ranks: more heads than a slot has keys.
    let long = (640..656).flat_map(|tail| (0..MOST_OF_SLOT + 88).map(move |head| [tail, head]));
    kernel.everywhere([with_bins(long.collect(), 20, 656, 16)]);
    kernel.drawn(
        16,
        (0usize..300, 2u32..80, 1u32..30, 0u32..3, any::<u64>()).prop_map(
            move |(n, ranks, of_bin, pattern, seed)| {
                with_bins(edges(n, ranks, pattern, seed), 8, ranks, of_bin)
            },
        ),
    );
    kernel.on_gpu(|| {
        let edges = edges(400_000, 1 << 17, 0, 1);
        vec![RowsOfBins { grid: 264, ..with_bins(edges, 17, 1 << 17, 1_024) }]
    });
}

#[test]
fn rows_of_bins_32_and_close_gaps_leave_distinct_edges_in_order() {
    check_rows("rows_of_bins_32", By::Narrow);
}

#[test]
fn rows_of_bins_64_and_close_gaps_leave_distinct_edges_in_order() {
    check_rows("rows_of_bins_64", By::Wide);
    // High ranks: a row in the bin and a head do not fit 32 bits.
    let ranks = 1 << 21;
    let mut random = fastrand::Rng::with_seed(3);
    let mut high = |_| [random.u32(ranks - 8_000..ranks), random.u32(..ranks - 8_000)];
    let edges: Vec<[u32; 2]> = (0..3_000).map(&mut high).collect();
    let case = RowsOfBins::with_bins(edges, 21, ranks, MOST_RANKS, By::Wide);
    Kernel::named("rows_of_bins_64").everywhere([case]);
}

#[derive(Debug)]
struct TooLarge {
    /// How often the only edge of two is there.
    copies: u32,
    /// Whether the bins were found too large before.
    over: bool,
}

impl Case for TooLarge {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let TooLarge { copies, over } = *self;
        let keys = vec![key_of([1, 0], 4); copies as usize];
        let bounds = |last: u32| {
            let mut bounds = vec![0; MOST_BINS as usize + 1];
            bounds[1] = last;
            Buffer::from_host(device, &bounds)
        };
        let mut buffers = [copies, copies, 4, MOST_BINS, 1]
            .map(|len| Buffer::from_host(device, &vec![0u32; len as usize]).unwrap());
        let [tails, heads, rows, kept_of_bin, ticket] = buffers.each_mut().map(Buffer::view_mut);
        let mut kept = Buffer::zeroed(device, 1)?;
        let shape = Shape::new(1, ROWS_BLOCK).shared(ROWS_SHARED_BYTES);
        let keys = Buffer::from_host(device, &keys)?;
        let (first_key, first_rank) = (bounds(copies)?, bounds(2)?);
        let found = Buffer::from_host(device, &[1, u32::from(over)])?;
        let (keys, first_key, first_rank) = (keys.view(), first_key.view(), first_rank.view());
        let (found, kept_view) = (found.view(), kept.view_mut());
        rows_of_bins::<32, D>(
            device,
            shape,
            keys,
            first_key,
            first_rank,
            found,
            tails,
            heads,
            rows,
            kept_of_bin,
            kept_view,
            ticket,
            4,
        )?;
        let kept = kept.to_vec(device)?[0];
        let too_large = over || copies > MOST_OF_SLOT;
        ensure!((kept & TOO_LARGE != 0) == too_large, "{kept:x}");
        ensure!(too_large || kept == 1, "{kept}");
        Ok(())
    }
}

#[test]
fn rows_of_bins_says_what_is_too_large() {
    let most = MOST_OF_SLOT;
    let cases = [(1, false), (1, true), (most, false), (most + 1, false)];
    Kernel::named("rows_of_bins_32")
        .everywhere(cases.map(|(copies, over)| TooLarge { copies, over }));
}
