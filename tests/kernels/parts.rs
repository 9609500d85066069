use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_kernels::parts::{
    BLOCK, MOST_PARTS, TAILS_TILE, TILE, add_words, pack_rows, part_keys, part_lengths,
    raise_words, tails_of_rows,
};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_primitives::prefix_sums::{self, prefix_sums_64};

use crate::contents::{Content, UNTOUCHED, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

/// Pairs of ranks as keys; equal ranks are a self-loop.
#[derive(Debug)]
struct Parted {
    edges: Content<[u32; 2]>,
    rank_bits: u32,
    /// The first rank of each part.
    first_rank: Vec<u32>,
    shape: Shape,
}

impl Parted {
    fn keys(&self) -> Vec<u64> {
        let no_edge = u64::MAX >> (64 - 2 * self.rank_bits);
        let key = |&[u, v]: &[u32; 2]| match u == v {
            true => no_edge,
            false => u64::from(u.max(v)) << self.rank_bits | u64::from(u.min(v)),
        };
        self.edges.iter().map(key).collect()
    }

    /// The keys of each part, sorted.
    fn expected(&self) -> Vec<Vec<u64>> {
        let mut parts = vec![Vec::new(); self.first_rank.len()];
        for (edge, key) in self.edges.iter().zip(self.keys()) {
            if edge[0] != edge[1] {
                let tail = edge[0].max(edge[1]);
                let part = self.first_rank.iter().rposition(|&first| first <= tail);
                parts[part.expect("the first part has rank 0")].push(key);
            }
        }
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts
    }
}

#[derive(Debug)]
struct PartKeys(Parted);

impl Case for PartKeys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let PartKeys(case) = self;
        let (keys, parts) = (case.keys(), case.expected());
        let m = keys.len() as u64;
        // A free word before each part.
        let (mut starts, mut end) = (Vec::new(), 0);
        for part in &parts {
            starts.push(end + 1);
            end += 1 + part.len() as u64;
        }
        let keys = Buffer::from_host(device, &keys)?;
        let first_rank = Buffer::from_host(device, &case.first_rank)?;
        let mut cursors = Buffer::from_host(device, &starts)?;
        let mut parted = Buffer::from_host(device, &vec![u64::MAX; end as usize + 1])?;
        part_keys(
            device,
            case.shape,
            keys.view(),
            first_rank.view(),
            cursors.view_mut(),
            parted.view_mut(),
            m,
            case.rank_bits,
            case.first_rank.len() as u32,
        )?;
        let ends: Vec<u64> =
            starts.iter().zip(&parts).map(|(start, part)| start + part.len() as u64).collect();
        ensure_holds("cursors", device, &cursors, &ends)?;
        let mut found = parted.to_vec(device)?;
        let mut expected = Vec::new();
        for ((start, end), part) in starts.iter().zip(&ends).zip(parts) {
            found[*start as usize..*end as usize].sort_unstable();
            expected.push(u64::MAX);
            expected.extend(part);
        }
        expected.push(u64::MAX);
        ensure!(found == expected, "{found:?}, expected {expected:?}");
        Ok(())
    }
}

fn pairs(m: usize, ranks: u32, seed: u64) -> Content<[u32; 2]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let edges = (0..m).map(|_| [rng.u32(..ranks), rng.u32(..ranks)]).collect();
    Content::new(format!("{m} pairs below {ranks}, seed {seed}"), edges)
}

/// Parts of as many ranks as each other.
fn even(parts: u32, ranks: u32) -> Vec<u32> {
    (0..parts).map(|part| (u64::from(part) * u64::from(ranks) / u64::from(parts)) as u32).collect()
}

/// Few and many parts, parts without a rank, ranks that fill their bits, one tail for all keys.
fn parted() -> Vec<Parted> {
    let mut cases = Vec::new();
    for m in sizes_around(&[32, TILE as usize, 3 * TILE as usize]) {
        for (parts, ranks, rank_bits) in
            [(1, 2, 1), (2, 50, 6), (3, 64, 6), (5, 4, 32), (8, 1_000, 20), (MOST_PARTS, 90, 7)]
        {
            for shape in [Shape::new(1, 32), Shape::new(3, 64), Shape::new(2, BLOCK)] {
                let edges = pairs(m, ranks, u64::from(parts));
                let first_rank = even(parts, ranks);
                cases.push(Parted { edges, rank_bits, first_rank, shape });
            }
        }
        let shape = Shape::new(2, BLOCK);
        for first_rank in [vec![0, 77], vec![0, 0, 77, 78], vec![0, 70, 78, 78]] {
            let hub: Vec<_> = (0..m as u32).map(|head| [head % 77, 77]).collect();
            let edges = Content::new(format!("one tail, {m} keys"), hub);
            cases.push(Parted { edges, rank_bits: 7, first_rank, shape });
        }
        let edges = Content::new("highest ranks", vec![[u32::MAX, u32::MAX - 1]; m]);
        let first_rank = vec![0, 9, u32::MAX - 1, u32::MAX];
        cases.push(Parted { edges, rank_bits: 32, first_rank, shape });
    }
    cases
}

fn drawn() -> impl Strategy<Value = Parted> {
    let edges = prop::collection::vec(prop::array::uniform2(0u32..40), 0..900);
    let others = prop::collection::vec(0u32..42, 0..MOST_PARTS as usize);
    (edges, others, 1u32..4, 1u32..5).prop_map(|(edges, mut first_rank, grid, warps)| {
        first_rank.push(0);
        first_rank.sort_unstable();
        let edges = Content::new("drawn", edges);
        Parted { edges, rank_bits: 6, first_rank, shape: Shape::new(grid, warps * 32) }
    })
}

#[test]
fn part_keys_brings_every_key_to_its_part() {
    let kernel = Kernel::named("part_keys");
    kernel.everywhere(parted().into_iter().map(PartKeys));
    kernel.drawn(24, drawn().prop_map(PartKeys));
}

/// The lengths of rows; some ranks have none.
#[derive(Debug, Clone)]
struct Lengths {
    lengths: Content<u32>,
    shape: Shape,
}

impl Lengths {
    /// Where each row begins, and where the last one ends.
    fn starts(&self) -> Vec<u64> {
        let mut starts = vec![0];
        for &length in self.lengths.iter() {
            starts.push(starts[starts.len() - 1] + u64::from(length));
        }
        starts
    }
}

/// The rows of a part: the first, and how many.
#[derive(Debug)]
struct PartLengths(Lengths, [u64; 2]);

impl Case for PartLengths {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let PartLengths(case, [first, count]) = self;
        let row = |(r, &len): (usize, &u32)| {
            let start = 3 * r as u64;
            if len == 0 { 0 } else { start | (start + u64::from(len)) << 32 }
        };
        let rows: Vec<u64> = case.lengths.iter().enumerate().map(row).collect();
        let rows = Buffer::from_host(device, &rows)?;
        let mut lengths = Buffer::from_host(device, &vec![UNTOUCHED; *count as usize + 2])?;
        part_lengths(device, case.shape, rows.view(), lengths.view_mut(), *first, *count)?;
        let mut expected = case.lengths[*first as usize..(first + count) as usize].to_vec();
        expected.extend([UNTOUCHED; 2]);
        ensure_holds("lengths", device, &lengths, &expected)
    }
}

#[derive(Debug)]
struct RowStarts(Lengths);

impl Case for RowStarts {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let RowStarts(case) = self;
        let n = case.lengths.len() as u64;
        let mut expected = case.starts();
        expected.push(u64::MAX);
        let lengths = Buffer::from_host(device, &case.lengths)?;
        let mut starts = Buffer::from_host(device, &vec![u64::MAX; expected.len()])?;
        let tiles = (n + 1).div_ceil(u64::from(prefix_sums::TILE));
        let mut words = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        prefix_sums_64(
            device,
            Shape::new(tiles as u32, prefix_sums::BLOCK).shared(prefix_sums::SHARED_BYTES),
            lengths.view(),
            starts.view_mut(),
            words.view_mut(),
            ticket.view_mut(),
            n,
        )?;
        ensure_holds("starts", device, &starts, &expected)?;
        ensure_holds("ticket", device, &ticket, &[tiles as u32])
    }
}

#[derive(Debug)]
struct TailsOfRows(Lengths);

impl Case for TailsOfRows {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let TailsOfRows(case) = self;
        // The rows may be some of a larger graph.
        let (first, base) = (case.lengths.len() as u32 % 5, 1 << 40 | 3);
        let rows = (first..).zip(case.lengths.iter());
        let mut expected: Vec<u32> =
            rows.flat_map(|(row, &len)| std::iter::repeat_n(row, len as usize)).collect();
        expected.extend([UNTOUCHED; 2]);
        let starts: Vec<u64> = case.starts().into_iter().map(|start| base + start).collect();
        let starts = Buffer::from_host(device, &starts)?;
        let mut tails = Buffer::from_host(device, &vec![UNTOUCHED; expected.len()])?;
        let n = case.lengths.len() as u64;
        tails_of_rows(device, case.shape, starts.view(), tails.view_mut(), first.into(), n)?;
        ensure_holds("tails", device, &tails, &expected)
    }
}

#[derive(Debug)]
struct PackRows(Lengths);

impl Case for PackRows {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let PackRows(case) = self;
        let n = case.lengths.len();
        let starts = case.starts();
        let row = |ends: &[u64]| if ends[0] == ends[1] { 0 } else { ends[0] | ends[1] << 32 };
        let mut expected: Vec<u64> = starts.windows(2).map(row).collect();
        expected.push(u64::MAX);
        let starts = Buffer::from_host(device, &starts)?;
        let mut rows = Buffer::from_host(device, &vec![u64::MAX; n + 1])?;
        pack_rows(device, case.shape, starts.view(), rows.view_mut(), n as u64)?;
        ensure_holds("rows", device, &rows, &expected)
    }
}

fn lengths() -> Vec<Lengths> {
    let mut cases = Vec::new();
    for n in sizes_around(&[32, prefix_sums::TILE as usize]) {
        let mut rng = fastrand::Rng::with_seed(n as u64);
        let drawn: Vec<u32> = (0..n).map(|_| rng.u32(..20).saturating_sub(6)).collect();
        let long: Vec<u32> = (0..n).map(|r| if r == n / 2 { 300 } else { r as u32 % 2 }).collect();
        for (name, lengths) in [("drawn", drawn), ("one long row", long), ("none", vec![0; n])] {
            let lengths = Content::new(format!("{name} of {n}"), lengths);
            cases.push(Lengths { lengths, shape: Shape::new(2, BLOCK) });
        }
    }
    let lengths = Content::new("a few", vec![0, 3, 9, 0, 1]);
    for shape in striding_shapes(5, BLOCK) {
        cases.push(Lengths { lengths: lengths.clone(), shape });
    }
    // More empty rows than a warp looks at together, and rows that several warps write.
    let of = |r: u32| match r {
        150 | 151 => 2 * TAILS_TILE + 5,
        _ if r % 100 < 3 => r % 7,
        _ => 0,
    };
    for (name, rows) in [("far apart", 0..400), ("the last far apart", 0..301)] {
        let lengths = Content::new(name, rows.map(of).collect());
        for blocks in [1, 3] {
            cases.push(Lengths { lengths: lengths.clone(), shape: Shape::new(blocks, BLOCK) });
        }
    }
    cases
}

/// All rows, those from the middle on, and a few of them.
fn parts_of(case: Lengths) -> impl Iterator<Item = PartLengths> {
    let n = case.lengths.len() as u64;
    let parts = [[0, n], [n / 2, n - n / 2], [n / 3, n / 5], [n, 0]];
    parts.into_iter().map(move |part| PartLengths(case.clone(), part))
}

#[test]
fn part_lengths_writes_the_part_s_alone() {
    Kernel::named("part_lengths").everywhere(lengths().into_iter().flat_map(parts_of));
}

#[test]
fn prefix_sums_are_of_what_stands_before() {
    let kernel = Kernel::named("prefix_sums_64");
    kernel.everywhere(lengths().into_iter().map(RowStarts));
    // Sums past 32 bits.
    let lengths = Content::new("large", vec![u32::MAX; 3 * prefix_sums::TILE as usize + 5]);
    let shape = Shape::new(1, BLOCK);
    kernel.everywhere([RowStarts(Lengths { lengths, shape })]);
}

#[test]
fn tails_of_rows_names_the_row_of_every_entry() {
    Kernel::named("tails_of_rows").everywhere(lengths().into_iter().map(TailsOfRows));
}

#[test]
fn pack_rows_packs_both_ends_of_a_row() {
    Kernel::named("pack_rows").everywhere(lengths().into_iter().map(PackRows));
}

#[derive(Debug)]
struct Reduce {
    words: Content<[u32; 2]>,
    adds: bool,
    shape: Shape,
}

impl Case for Reduce {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.words.len() as u64;
        let column = |k: usize| self.words.iter().map(|pair| pair[k]).collect::<Vec<u32>>();
        let mut expected = column(0);
        for (sum, word) in expected.iter_mut().zip(column(1)) {
            *sum = if self.adds { sum.wrapping_add(word) } else { word.max(*sum) };
        }
        expected.push(UNTOUCHED);
        let mut into = column(0);
        into.push(UNTOUCHED);
        let mut into = Buffer::from_host(device, &into)?;
        let words = Buffer::from_host(device, &column(1))?;
        match self.adds {
            true => add_words(device, self.shape, words.view(), into.view_mut(), n)?,
            false => raise_words(device, self.shape, words.view(), into.view_mut(), n)?,
        }
        ensure_holds("words", device, &into, &expected)
    }
}

fn reductions(adds: bool) -> Vec<Reduce> {
    let mut cases = Vec::new();
    for n in sizes_around(&[BLOCK as usize]) {
        for shape in striding_shapes(n as u64, BLOCK) {
            let pair = |i: u32| [i.wrapping_mul(0x9e37_79b1), (!i).wrapping_mul(0x85eb_ca6b)];
            let words = Content::new(format!("{n} words"), (0..n as u32).map(pair).collect());
            cases.push(Reduce { words, adds, shape });
        }
    }
    cases
}

#[test]
fn add_words_adds_modulo_a_word() {
    Kernel::named("add_words").everywhere(reductions(true));
}

#[test]
fn raise_words_keeps_the_larger() {
    Kernel::named("raise_words").everywhere(reductions(false));
}
