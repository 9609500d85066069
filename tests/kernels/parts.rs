use anyhow::Result;
use proptest::prelude::*;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::parts::{
    BLOCK, LAY_OUT_TILE, MOST_PARTS, SCAN_SHARED_BYTES, SCAN_TILE, TILE, add_words, lay_out_rows,
    pack_rows, part_keys, part_lengths, part_sizes, raise_words, row_starts,
};

use crate::contents::{Content, sizes_around};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};

const UNTOUCHED: u32 = 0xabab_abab;

/// Pairs of ranks as keys; equal ranks are a self-loop.
#[derive(Debug)]
struct Parted {
    edges: Content<[u32; 2]>,
    rank_bits: u32,
    parts: u32,
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
        let mut parts = vec![Vec::new(); self.parts as usize];
        for (edge, key) in self.edges.iter().zip(self.keys()) {
            if edge[0] != edge[1] {
                parts[(edge[0].max(edge[1]) % self.parts) as usize].push(key);
            }
        }
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts
    }
}

#[derive(Debug)]
struct PartSizes(Parted);

impl Case for PartSizes {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let PartSizes(case) = self;
        let (keys, parts) = (case.keys(), case.parts);
        let m = keys.len() as u64;
        let keys = Buffer::from_host(device, &keys)?;
        // The kernel adds to what is there, and to nothing behind it.
        let before: Vec<u64> = (7..7 + u64::from(parts) + 2).collect();
        let mut sizes = Buffer::from_host(device, &before)?;
        let view = sizes.view_mut();
        part_sizes(device, case.shape, keys.view(), view, m, case.rank_bits, parts)?;
        let lens = case.expected().into_iter().map(|part| part.len() as u64).chain([0; 2]);
        let expected: Vec<u64> = before.iter().zip(lens).map(|(a, b)| a + b).collect();
        ensure_holds("sizes", device, &sizes, &expected)
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
        let mut cursors = Buffer::from_host(device, &starts)?;
        let mut parted = Buffer::from_host(device, &vec![u64::MAX; end as usize + 1])?;
        part_keys(
            device,
            case.shape,
            keys.view(),
            cursors.view_mut(),
            parted.view_mut(),
            m,
            case.rank_bits,
            case.parts,
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
        anyhow::ensure!(found == expected, "{found:?}, expected {expected:?}");
        Ok(())
    }
}

fn pairs(m: usize, ranks: u32, seed: u64) -> Content<[u32; 2]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let edges = (0..m).map(|_| [rng.u32(..ranks), rng.u32(..ranks)]).collect();
    Content::new(format!("{m} pairs below {ranks}, seed {seed}"), edges)
}

/// Few and many parts, ranks that fill their bits, one tail for all keys.
fn parted() -> Vec<Parted> {
    let mut cases = Vec::new();
    for m in sizes_around(&[32, TILE as usize, 3 * TILE as usize]) {
        for (parts, ranks, rank_bits) in
            [(1, 2, 1), (2, 50, 6), (3, 64, 6), (5, 4, 32), (8, 1_000, 20), (MOST_PARTS, 90, 7)]
        {
            for shape in [Shape::new(1, 32), Shape::new(3, 64), Shape::new(2, BLOCK)] {
                let edges = pairs(m, ranks, u64::from(parts));
                cases.push(Parted { edges, rank_bits, parts, shape });
            }
        }
        let shape = Shape::new(2, BLOCK);
        let hub: Vec<_> = (0..m as u32).map(|head| [head % 77, 77]).collect();
        let hub = Content::new(format!("one tail, {m} keys"), hub);
        cases.push(Parted { edges: hub, rank_bits: 7, parts: 4, shape });
        let highest = Content::new("highest ranks", vec![[u32::MAX, u32::MAX - 1]; m]);
        cases.push(Parted { edges: highest, rank_bits: 32, parts: 7, shape });
    }
    cases
}

fn drawn() -> impl Strategy<Value = Parted> {
    let edges = prop::collection::vec(prop::array::uniform2(0u32..40), 0..900);
    (edges, 1u32..=MOST_PARTS, 1u32..4, 1u32..5).prop_map(|(edges, parts, grid, warps)| Parted {
        edges: Content::new("drawn", edges),
        rank_bits: 6,
        parts,
        shape: Shape::new(grid, warps * 32),
    })
}

#[test]
fn part_sizes_counts_the_keys_of_each_part() {
    let kernel = Kernel::named("part_sizes");
    kernel.everywhere(parted().into_iter().map(PartSizes));
    kernel.drawn(24, drawn().prop_map(PartSizes));
    kernel.report();
}

#[test]
fn part_keys_brings_every_key_to_its_part() {
    let kernel = Kernel::named("part_keys");
    kernel.everywhere(parted().into_iter().map(PartKeys));
    kernel.drawn(24, drawn().prop_map(PartKeys));
    kernel.report();
}

/// The lengths of rows; some ranks have none.
#[derive(Debug)]
struct Lengths {
    lengths: Content<u32>,
    first: u64,
    step: u64,
    shape: Shape,
}

impl Lengths {
    fn ranks(&self) -> Vec<u64> {
        (self.first..self.lengths.len() as u64).step_by(self.step as usize).collect()
    }

    /// Where each row of some ranks begins, and where the last one ends.
    fn starts(&self, ranks: impl IntoIterator<Item = u64>) -> Vec<u64> {
        let mut starts = vec![0];
        for rank in ranks {
            starts.push(starts[starts.len() - 1] + u64::from(self.lengths[rank as usize]));
        }
        starts
    }
}

#[derive(Debug)]
struct PartLengths(Lengths);

impl Case for PartLengths {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let PartLengths(case) = self;
        let n = case.lengths.len();
        let row = |(r, &len): (usize, &u32)| {
            let start = 3 * r as u64;
            if len == 0 { 0 } else { start | (start + u64::from(len)) << 32 }
        };
        let rows: Vec<u64> = case.lengths.iter().enumerate().map(row).collect();
        let rows = Buffer::from_host(device, &rows)?;
        let mut expected = vec![UNTOUCHED; n + 2];
        let mut lengths = Buffer::from_host(device, &expected)?;
        let (first, step) = (case.first, case.step);
        part_lengths(device, case.shape, rows.view(), lengths.view_mut(), n as u64, first, step)?;
        for rank in case.ranks() {
            expected[rank as usize] = case.lengths[rank as usize];
        }
        ensure_holds("lengths", device, &lengths, &expected)
    }
}

#[derive(Debug)]
struct RowStarts(Lengths);

impl Case for RowStarts {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let RowStarts(case) = self;
        let ranks = case.ranks();
        let count = ranks.len() as u64;
        let mut expected = case.starts(ranks);
        expected.push(u64::MAX);
        let lengths = Buffer::from_host(device, &case.lengths)?;
        let mut starts = Buffer::from_host(device, &vec![u64::MAX; expected.len()])?;
        let tiles = (count + 1).div_ceil(u64::from(SCAN_TILE));
        let mut words = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        row_starts(
            device,
            Shape::new(tiles as u32, BLOCK).shared(SCAN_SHARED_BYTES),
            lengths.view(),
            starts.view_mut(),
            words.view_mut(),
            ticket.view_mut(),
            count,
            case.first,
            case.step,
        )?;
        ensure_holds("starts", device, &starts, &expected)?;
        ensure_holds("ticket", device, &ticket, &[tiles as u32])
    }
}

#[derive(Debug)]
struct LayOutRows(Lengths);

impl Case for LayOutRows {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let LayOutRows(case) = self;
        let ranks = case.ranks();
        let own = case.starts(ranks.iter().copied());
        let starts = case.starts(0..case.lengths.len() as u64);
        let all = starts[starts.len() - 1] as usize;
        let part: Vec<u32> = (0..own[own.len() - 1] as u32 + 3).map(|i| i * 7 + 1).collect();
        let (mut tails, mut heads) = (vec![UNTOUCHED; all + 2], vec![UNTOUCHED; all + 2]);
        let (device_tails, device_heads) = (tails.clone(), heads.clone());
        for (k, &rank) in ranks.iter().enumerate() {
            for (i, from) in (own[k]..own[k + 1]).enumerate() {
                let to = starts[rank as usize] as usize + i;
                (tails[to], heads[to]) = (rank as u32, part[from as usize]);
            }
        }
        let part = Buffer::from_host(device, &part)?;
        let own = Buffer::from_host(device, &own)?;
        let starts = Buffer::from_host(device, &starts)?;
        let mut device_tails = Buffer::from_host(device, &device_tails)?;
        let mut device_heads = Buffer::from_host(device, &device_heads)?;
        lay_out_rows(
            device,
            case.shape,
            part.view(),
            own.view(),
            starts.view(),
            device_tails.view_mut(),
            device_heads.view_mut(),
            ranks.len() as u64,
            case.first,
            case.step,
        )?;
        ensure_holds("tails", device, &device_tails, &tails)?;
        ensure_holds("heads", device, &device_heads, &heads)
    }
}

#[derive(Debug)]
struct PackRows(Lengths);

impl Case for PackRows {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let PackRows(case) = self;
        let n = case.lengths.len();
        let starts = case.starts(0..n as u64);
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
    for n in sizes_around(&[32, SCAN_TILE as usize]) {
        let mut rng = fastrand::Rng::with_seed(n as u64);
        let drawn: Vec<u32> = (0..n).map(|_| rng.u32(..20).saturating_sub(6)).collect();
        let long: Vec<u32> = (0..n).map(|r| if r == n / 2 { 300 } else { r as u32 % 2 }).collect();
        for (name, lengths) in [("drawn", drawn), ("one long row", long), ("none", vec![0; n])] {
            for (first, step) in [(0, 1), (0, 3), (2, 3), (7, 8), (40, 41)] {
                let lengths = Content::new(format!("{name} of {n}"), lengths.clone());
                let shape = Shape::new(2, BLOCK);
                cases.push(Lengths { lengths, first, step, shape });
            }
        }
    }
    let lengths = Content::new("a few", vec![0, 3, 9, 0, 1]);
    for shape in striding_shapes(5, BLOCK) {
        cases.push(Lengths { lengths: lengths.clone(), first: 1, step: 2, shape });
    }
    // More empty rows than a warp looks at together, and rows that several warps copy.
    let of = |r: u32| match r {
        150 | 151 => 2 * LAY_OUT_TILE + 5,
        _ if r % 100 < 3 => r % 7,
        _ => 0,
    };
    for (name, rows) in [("far apart", 0..400), ("the last far apart", 0..301)] {
        let lengths = Content::new(name, rows.map(of).collect());
        for (first, step) in [(0, 1), (1, 2)] {
            for blocks in [1, 3] {
                let (lengths, shape) = (lengths.clone(), Shape::new(blocks, BLOCK));
                cases.push(Lengths { lengths, first, step, shape });
            }
        }
    }
    cases
}

#[test]
fn part_lengths_writes_the_part_s_alone() {
    let kernel = Kernel::named("part_lengths");
    kernel.everywhere(lengths().into_iter().map(PartLengths)).report();
}

#[test]
fn row_starts_sums_what_stands_before() {
    let kernel = Kernel::named("row_starts");
    kernel.everywhere(lengths().into_iter().map(RowStarts));
    // Sums past 32 bits.
    let lengths = Content::new("large", vec![u32::MAX; 3 * SCAN_TILE as usize + 5]);
    let shape = Shape::new(1, BLOCK);
    kernel.everywhere([RowStarts(Lengths { lengths, first: 0, step: 1, shape })]);
    kernel.report();
}

#[test]
fn lay_out_rows_copies_rows_to_their_places() {
    let kernel = Kernel::named("lay_out_rows");
    kernel.everywhere(lengths().into_iter().map(LayOutRows)).report();
}

#[test]
fn pack_rows_packs_both_ends_of_a_row() {
    let kernel = Kernel::named("pack_rows");
    kernel.everywhere(lengths().into_iter().map(PackRows)).report();
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
    Kernel::named("add_words").everywhere(reductions(true)).report();
}

#[test]
fn raise_words_keeps_the_larger() {
    Kernel::named("raise_words").everywhere(reductions(false)).report();
}
