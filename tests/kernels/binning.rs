//! A level of binning on lists of any shape, each of its kernels against sequential loops.

use std::fmt;

use anyhow::{Result, ensure};
use tribin_device::launch::{Buffer, Shape};
use tribin_device::memory::U64x2;
use tribin_kernels::binning::{
    BlockTeam, COUNT_BLOCK, COUNT_SHARED_BYTES, Counter, EMIT_BLOCK, EMIT_SHARED_BYTES, Figure,
    SCAN_BLOCK, SCAN_SHARED_BYTES, SCAN_TILE, SCATTER_BLOCK, SCATTER_SHARED_BYTES, Segment,
    TAIL_BLOCK, TAIL_SHARED_BYTES, TAIL_WARPS, TAIL_WARPS_SHARED_BYTES, TILE, TOTALS, Team,
    WarpTeam, bin_count, bin_emit, bin_scan, bin_scatter, bin_tail, bin_tail_warps, counter,
};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

/// What a level starts with.
#[derive(Clone)]
struct Level {
    name: &'static str,
    keys: Vec<u64>,
    segments: Vec<Segment>,
    shift: u32,
    bits: u32,
    blocks: u32,
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Level { name, keys, segments, bits, blocks, .. } = self;
        let (keys, segments) = (keys.len(), segments.len());
        write!(f, "{name}: {keys} keys, {segments} segments, {bits} bits, {blocks} blocks")
    }
}

const LEVEL: u32 = 1;
const LEVELS: u32 = 3;

impl Level {
    /// Segments with so many edges and candidates, gaps between them; the digits are drawn by `digit`.
    fn of(
        name: &'static str,
        sides: &[(u32, u32)],
        (shift, bits): (u32, u32),
        mut digit: impl FnMut(&mut fastrand::Rng) -> u64,
    ) -> Level {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut keys = Vec::new();
        let mut segments = Vec::new();
        for &(edges, candidates) in sides {
            let mut side = |len: u32| {
                keys.extend((0..rng.u64(0..5)).map(|_| u64::MAX));
                let at = keys.len() as u32;
                for _ in 0..len {
                    let rest = rng.u64(..) & !(((1 << bits) - 1) << shift);
                    keys.push(rest | digit(&mut rng) << shift);
                }
                at
            };
            let (edges_at, candidates_at) = (side(edges), side(candidates));
            segments.push(Segment { edges_at, edges, candidates_at, candidates });
        }
        Level { name, keys, segments, shift, bits, blocks: 2 }
    }

    fn digit(&self, key: u64) -> usize {
        (key >> self.shift) as usize % (1 << self.bits)
    }

    fn side(&self, at: u32, len: u32) -> &[u64] {
        &self.keys[at as usize..(at + len) as usize]
    }

    /// Both sides of every segment, in the order of the matrix.
    fn sides(&self) -> impl Iterator<Item = &[u64]> {
        self.segments.iter().flat_map(|s| {
            [self.side(s.edges_at, s.edges), self.side(s.candidates_at, s.candidates)]
        })
    }

    /// How many of the keys are in each bucket.
    fn digit_counts(&self, keys: &[u64]) -> Vec<u32> {
        let mut counts = vec![0; 1 << self.bits];
        keys.iter().for_each(|key| counts[self.digit(*key)] += 1);
        counts
    }

    fn matrix(&self) -> Vec<u32> {
        let mut matrix = Vec::new();
        for side in self.sides() {
            let tiles: Vec<_> =
                side.chunks(TILE as usize).map(|tile| self.digit_counts(tile)).collect();
            for bucket in 0..1 << self.bits {
                matrix.extend(tiles.iter().map(|counts| counts[bucket]));
            }
        }
        matrix
    }

    fn scanned(&self) -> Vec<u32> {
        let mut sum = 0;
        self.matrix()
            .into_iter()
            .map(|count| {
                sum += count;
                sum
            })
            .collect()
    }

    /// The buckets of all segments, as ranges of the keys after the move.
    fn buckets(&self) -> Vec<Segment> {
        let mut place = 0;
        let mut buckets = Vec::new();
        for segment in &self.segments {
            let mut ranges = [segment.edges, segment.candidates].into_iter();
            let mut side = |at: u32| -> Vec<(u32, u32)> {
                let side = self.side(at, ranges.next().unwrap());
                let range = |len| {
                    let at = place;
                    place += len;
                    (at, len)
                };
                self.digit_counts(side).into_iter().map(range).collect()
            };
            let (edges, candidates) = (side(segment.edges_at), side(segment.candidates_at));
            buckets.extend(edges.iter().zip(&candidates).map(
                |(&(edges_at, edges), &(candidates_at, candidates))| Segment {
                    edges_at,
                    edges,
                    candidates_at,
                    candidates,
                },
            ));
        }
        buckets
    }

    /// Counters and queue on a device.
    fn upload<D: TestDevice>(&self, device: &D) -> Result<Queue<D>> {
        let tiles: Vec<u32> = self.segments.iter().map(|segment| segment.tiles()).collect();
        let mut queue = Queue::of(device, &self.segments, &tiles)?;
        let mut counters = vec![0; Counter::number(LEVELS) as usize];
        counters[Counter::Level.at(LEVEL, LEVELS) as usize] =
            counter(tiles.len() as u32, tiles.iter().sum());
        queue.counters = Buffer::from_host(device, &counters)?;
        Ok(queue)
    }
}

struct Queue<D: TestDevice> {
    parts_before: Buffer<u32, D>,
    segments: Buffer<U64x2, D>,
    counters: Buffer<u64, D>,
}

impl<D: TestDevice> Queue<D> {
    /// Entries with so many parts each; no counters.
    fn of(device: &D, entries: &[Segment], parts: &[u32]) -> Result<Queue<D>> {
        let before: Vec<u32> = (0..parts.len()).map(|i| parts[..i].iter().sum()).collect();
        let words: Vec<u64> = entries.iter().flat_map(|entry| entry.pack().0).collect();
        let mut segments = Buffer::uninitialized(device, entries.len() as u64)?;
        segments.upload_bytes(device, 0, bytemuck::cast_slice(&words))?;
        Ok(Queue {
            parts_before: Buffer::from_host(device, &before)?,
            segments,
            counters: Buffer::zeroed(device, 1)?,
        })
    }

    fn empty(device: &D, entries: u64) -> Result<Queue<D>> {
        Ok(Queue {
            parts_before: Buffer::uninitialized(device, entries)?,
            segments: Buffer::uninitialized(device, entries)?,
            counters: Buffer::zeroed(device, 1)?,
        })
    }
}

fn levels() -> Vec<Level> {
    let uniform = |bits: u32| move |rng: &mut fastrand::Rng| rng.u64(..) >> (64 - bits);
    let mut levels = vec![
        Level::of("one segment", &[(18_000, 5000)], (8, 8), uniform(8)),
        Level::of("one bucket", &[(TILE + 1, 4096)], (56, 8), |_| 200),
        Level::of("a few buckets", &[(5, 4095), (4100, 1)], (3, 3), |rng| rng.u64(0..2) * 5),
        Level::of("one bit", &[(100, 70), (1, 1), (33, 300)], (0, 1), uniform(1)),
    ];
    let many: Vec<(u32, u32)> = (0..60).map(|i| (1 + i % 40, 1 + i * 7 % 90)).collect();
    levels.push(Level::of("many segments", &many, (20, 5), uniform(5)));
    let skewed = |rng: &mut fastrand::Rng| rng.u64(0..256) * rng.u64(0..256) / 256;
    levels.push(Level::of("skewed", &[(4000, 6000), (300, 2)], (16, 8), skewed));
    // More blocks than tiles, and a block alone.
    levels.extend(levels.clone().into_iter().take(3).map(|level| Level { blocks: 9, ..level }));
    levels[2].blocks = 1;
    levels
}

/// Lists that only a GPU has time for.
fn large() -> Vec<Level> {
    let uniform = |rng: &mut fastrand::Rng| rng.u64(0..256);
    let many: Vec<(u32, u32)> = (0..9000).map(|i| (1 + i % 500, 1 + i * 7 % 900)).collect();
    vec![
        Level {
            blocks: 300,
            ..Level::of("two giant sides", &[(900_001, 3_000_000)], (9, 8), uniform)
        },
        Level { blocks: 300, ..Level::of("thousands of segments", &many, (9, 8), uniform) },
    ]
}

#[derive(Debug)]
struct Count(Level);

impl Case for Count {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let level = &self.0;
        let expected = level.matrix();
        let queue = level.upload(device)?;
        let keys = Buffer::from_host(device, &level.keys)?;
        let mut matrix = Buffer::uninitialized(device, expected.len() as u64)?;
        bin_count(
            device,
            Shape::new(level.blocks, COUNT_BLOCK).shared(COUNT_SHARED_BYTES),
            keys.view(),
            queue.parts_before.view(),
            queue.segments.view(),
            queue.counters.view(),
            matrix.view_mut(),
            LEVEL,
            level.shift,
            level.bits,
        )?;
        ensure_holds("matrix", device, &matrix, &expected)
    }
}

#[derive(Debug)]
struct Scan(Level);

impl Case for Scan {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let level = &self.0;
        let queue = level.upload(device)?;
        let mut matrix = Buffer::from_host(device, &level.matrix())?;
        let tiles = matrix.len().div_ceil(u64::from(SCAN_TILE));
        // Words of the level before.
        let mut words = Buffer::from_host(device, &vec![(2 << 32) + 77; tiles as usize])?;
        bin_scan(
            device,
            Shape::new(level.blocks, SCAN_BLOCK).shared(SCAN_SHARED_BYTES),
            queue.counters.view(),
            matrix.view_mut(),
            words.view_mut(),
            Buffer::zeroed(device, u64::from(LEVELS))?.view_mut(),
            LEVEL,
            level.bits,
        )?;
        ensure_holds("sums", device, &matrix, &level.scanned())
    }
}

#[derive(Debug)]
struct Emit {
    level: Level,
    threshold: u32,
    is_last: bool,
}

/// What becomes of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Fate {
    Pruned,
    Complete,
    Tail,
    TailWarps,
    GoesOn,
}

impl Emit {
    fn fate(&self, bucket: &Segment) -> Fate {
        let (less, more) =
            (bucket.edges.min(bucket.candidates), bucket.edges.max(bucket.candidates));
        match () {
            () if less == 0 => Fate::Pruned,
            () if self.is_last => Fate::Complete,
            () if less <= self.threshold && less <= 256 => Fate::TailWarps,
            () if less <= self.threshold => Fate::Tail,
            () => {
                assert!(more > 0);
                Fate::GoesOn
            }
        }
    }

    fn parts(fate: Fate, bucket: &Segment) -> u32 {
        let (less, more) =
            (bucket.edges.min(bucket.candidates), bucket.edges.max(bucket.candidates));
        match fate {
            Fate::GoesOn => less.div_ceil(TILE) + more.div_ceil(TILE),
            Fate::Tail => less.div_ceil(BlockTeam::TABLE_KEYS) * more.div_ceil(BlockTeam::CHUNK),
            Fate::TailWarps => less.div_ceil(WarpTeam::TABLE_KEYS) * more.div_ceil(WarpTeam::CHUNK),
            Fate::Pruned | Fate::Complete => unreachable!("in no queue"),
        }
    }

    /// The queue holds the buckets with this fate, in any order, and the parts before each.
    fn ensure_queue<D: TestDevice>(
        &self,
        device: &D,
        queue: &Queue<D>,
        counter: u64,
        fate: Fate,
    ) -> Result<()> {
        let mut expected: Vec<Segment> =
            self.level.buckets().into_iter().filter(|bucket| self.fate(bucket) == fate).collect();
        let (entries, parts) = ((counter >> 32) as usize, counter as u32);
        ensure!(entries == expected.len(), "{fate:?}: {entries}, expected {}", expected.len());
        let mut words = vec![0u32; entries];
        queue.parts_before.download(device, 0, &mut words)?;
        let mut found = Vec::new();
        let mut before = 0;
        for (index, parts_before) in words.into_iter().enumerate() {
            let packed = read_segment(device, &queue.segments, index)?;
            ensure!(parts_before == before, "{fate:?} {index}: {parts_before} parts before");
            before += Emit::parts(fate, &packed);
            found.push(packed);
        }
        ensure!(before == parts, "{fate:?}: {parts} parts, expected {before}");
        let place = |segment: &Segment| (segment.edges_at, segment.candidates_at);
        expected.sort_by_key(place);
        found.sort_by_key(place);
        ensure!(found == expected, "{fate:?}: {found:?}, expected {expected:?}");
        Ok(())
    }
}

fn read_segment<D: TestDevice>(
    device: &D,
    segments: &Buffer<U64x2, D>,
    index: usize,
) -> Result<Segment> {
    let mut words = [0u64; 2];
    let address = segments.view().slice(index as u64, 1).address();
    // SAFETY: the slice is one element, of two words.
    unsafe { device.download(address, bytemuck::cast_slice_mut(&mut words)) }?;
    Ok(Segment::unpack(U64x2(words)))
}

impl Case for Emit {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Emit { level, threshold, is_last } = self;
        let buckets = level.buckets();
        let levels = if *is_last { LEVEL + 1 } else { LEVELS };
        let mut queue = level.upload(device)?;
        let matrix = Buffer::from_host(device, &level.scanned())?;
        let room = buckets.len() as u64;
        let mut next = Queue::empty(device, room)?;
        let mut tail = Queue::empty(device, room)?;
        let mut warps = Queue::empty(device, room)?;
        let mut alive = Buffer::uninitialized(device, room.div_ceil(32))?;
        let mut totals = Buffer::zeroed(device, TOTALS)?;
        let mut figures = Buffer::zeroed(device, u64::from(levels) * Figure::COUNT)?;
        bin_emit(
            device,
            Shape::new(level.blocks, EMIT_BLOCK).shared(EMIT_SHARED_BYTES),
            queue.parts_before.view(),
            queue.segments.view(),
            matrix.view(),
            queue.counters.view_mut(),
            next.parts_before.view_mut(),
            next.segments.view_mut(),
            tail.parts_before.view_mut(),
            tail.segments.view_mut(),
            warps.parts_before.view_mut(),
            warps.segments.view_mut(),
            alive.view_mut(),
            totals.view_mut(),
            figures.view_mut(),
            LEVEL,
            levels,
            level.bits,
            *threshold,
        )?;

        let counters = queue.counters.to_vec(device)?;
        let counter = |of: Counter, level| counters[of.at(level, levels) as usize];
        self.ensure_queue(device, &next, counter(Counter::Level, LEVEL + 1), Fate::GoesOn)?;
        self.ensure_queue(device, &tail, counter(Counter::Tail, LEVEL), Fate::Tail)?;
        self.ensure_queue(device, &warps, counter(Counter::TailWarps, LEVEL), Fate::TailWarps)?;

        let fates: Vec<Fate> = buckets.iter().map(|bucket| self.fate(bucket)).collect();
        let mut words = vec![0u32; fates.len().div_ceil(32)];
        for (index, fate) in fates.iter().enumerate() {
            words[index / 32] |= u32::from(*fate > Fate::Complete) << (index % 32);
        }
        ensure_holds("alive", device, &alive, &words)?;

        let sum = |of: fn(&Segment) -> u64, fates_that: &dyn Fn(Fate) -> bool| -> u64 {
            buckets
                .iter()
                .zip(&fates)
                .filter(|(_, fate)| fates_that(**fate))
                .map(|(b, _)| of(b))
                .sum()
        };
        let one = |b: &Segment| u64::from(b.edges + b.candidates > 0);
        let edges = |b: &Segment| u64::from(b.edges);
        let candidates = |b: &Segment| u64::from(b.candidates);
        let in_tail = |fate| fate == Fate::Tail || fate == Fate::TailWarps;
        let matches = sum(candidates, &|fate| fate == Fate::Complete);
        let mut expected = vec![0; figures.len() as usize];
        for (figure, value) in [
            (Figure::Created, sum(one, &|_| true)),
            (Figure::Pruned, sum(one, &|fate| fate == Fate::Pruned)),
            (Figure::Tail, sum(one, &in_tail)),
            (Figure::Complete, sum(one, &|fate| fate == Fate::Complete)),
            (Figure::Candidates, sum(candidates, &|_| true)),
            (Figure::CandidatesPruned, sum(candidates, &|fate| fate == Fate::Pruned)),
            (Figure::CandidatesTail, sum(candidates, &in_tail)),
            (Figure::Edges, sum(edges, &|_| true)),
            (Figure::EdgesTail, sum(edges, &in_tail)),
        ] {
            expected[(u64::from(LEVEL) * Figure::COUNT + figure as u64) as usize] = value;
        }
        ensure_holds("figures", device, &figures, &expected)?;
        let total: u64 = totals.to_vec(device)?.iter().sum();
        ensure!(total == matches, "{total} matches, expected {matches}");
        Ok(())
    }
}

#[derive(Debug)]
struct Scatter {
    level: Level,
    /// One bucket in so many is left behind.
    pruned: u32,
}

impl Case for Scatter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Scatter { level, pruned } = self;
        let is_alive = |index: usize| !(index as u32 + 1).is_multiple_of(*pruned);
        let buckets = level.buckets();
        let mut alive = vec![0u32; buckets.len().div_ceil(32)];
        for index in (0..buckets.len()).filter(|index| is_alive(*index)) {
            alive[index / 32] |= 1 << (index % 32);
        }
        // What is not moved keeps what the other half held.
        const NOTHING: u64 = 0x5555_5555_5555_5555;
        let mut expected = vec![NOTHING; level.keys.len()];
        for (index, segment) in level.segments.iter().enumerate() {
            let first = index << level.bits;
            let mut move_side = |side: &[u64], at: fn(&Segment) -> u32| {
                let mut places: Vec<u32> =
                    buckets[first..].iter().take(1 << level.bits).map(at).collect();
                for key in side {
                    let place = &mut places[level.digit(*key)];
                    if is_alive(first + level.digit(*key)) {
                        expected[*place as usize] = *key;
                    }
                    *place += 1;
                }
            };
            move_side(level.side(segment.edges_at, segment.edges), |bucket| bucket.edges_at);
            move_side(level.side(segment.candidates_at, segment.candidates), |bucket| {
                bucket.candidates_at
            });
        }
        let queue = level.upload(device)?;
        let keys = Buffer::from_host(device, &level.keys)?;
        let mut binned = Buffer::from_host(device, &vec![NOTHING; level.keys.len()])?;
        bin_scatter(
            device,
            Shape::new(level.blocks, SCATTER_BLOCK).shared(SCATTER_SHARED_BYTES),
            keys.view(),
            binned.view_mut(),
            queue.parts_before.view(),
            queue.segments.view(),
            queue.counters.view(),
            Buffer::from_host(device, &level.scanned())?.view(),
            Buffer::from_host(device, &alive)?.view(),
            LEVEL,
            level.shift,
            level.bits,
        )?;
        ensure_holds("binned", device, &binned, &expected)
    }
}

#[test]
fn the_matrix_counts_every_tile() {
    let kernel = Kernel::named("bin_count");
    kernel
        .everywhere(levels().into_iter().map(Count))
        .on_gpu(|| large().into_iter().map(Count).collect());
    kernel.report();
}

#[test]
fn the_scan_of_a_matrix() {
    let kernel = Kernel::named("bin_scan");
    kernel
        .everywhere(levels().into_iter().map(Scan))
        .on_gpu(|| large().into_iter().map(Scan).collect());
    kernel.report();
}

#[test]
fn every_bucket_has_its_fate() {
    let kernel = Kernel::named("bin_emit");
    let cases = |levels: Vec<Level>| -> Vec<Emit> {
        let options =
            [(0, false), (3, false), (20, false), (3000, false), (65_536, false), (3, true)];
        levels
            .into_iter()
            .flat_map(|level| {
                options.map(|(threshold, is_last)| Emit {
                    level: level.clone(),
                    threshold,
                    is_last,
                })
            })
            .collect()
    };
    kernel.everywhere(cases(levels()));
    kernel.on_gpu(|| cases(large()[..1].to_vec()));
    kernel.report();
}

#[test]
fn buckets_that_go_on_are_moved_in_order() {
    let kernel = Kernel::named("bin_scatter");
    let cases = |levels: Vec<Level>| -> Vec<Scatter> {
        let cases = |level: Level| {
            [1, 2, 5, u32::MAX].map(|pruned| Scatter { level: level.clone(), pruned })
        };
        levels.into_iter().flat_map(cases).collect()
    };
    kernel.everywhere(cases(levels()));
    kernel.on_gpu(|| cases(large()));
    kernel.report();
}

/// Tasks of the tail, all for blocks or all for warps.
#[derive(Debug)]
struct Tail {
    level: Level,
    by_warps: bool,
}

impl Case for Tail {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Tail { level, by_warps } = self;
        let mut expected = 0;
        for segment in &level.segments {
            let edges: std::collections::HashSet<u64> =
                level.side(segment.edges_at, segment.edges).iter().copied().collect();
            let candidates = level.side(segment.candidates_at, segment.candidates);
            expected += candidates.iter().filter(|key| edges.contains(key)).count() as u64;
        }
        let fate = if *by_warps { Fate::TailWarps } else { Fate::Tail };
        let parts: Vec<u32> = level.segments.iter().map(|task| Emit::parts(fate, task)).collect();
        let mut queue = Queue::of(device, &level.segments, &parts)?;
        let counters = [0, 0, counter(parts.len() as u32, parts.iter().sum())];
        queue.counters = Buffer::from_host(device, &counters)?;
        let keys = Buffer::from_host(device, &level.keys)?;
        let mut totals = Buffer::zeroed(device, TOTALS)?;
        let (keys, before) = (keys.view(), queue.parts_before.view());
        let (segments, counters) = (queue.segments.view(), queue.counters.view());
        if *by_warps {
            let shape = Shape::new(level.blocks, TAIL_WARPS * 32).shared(TAIL_WARPS_SHARED_BYTES);
            bin_tail_warps(device, shape, keys, before, segments, counters, totals.view_mut(), 2)?;
        } else {
            let shape = Shape::new(level.blocks, TAIL_BLOCK).shared(TAIL_SHARED_BYTES);
            bin_tail(device, shape, keys, before, segments, counters, totals.view_mut(), 2)?;
        }
        let found: u64 = totals.to_vec(device)?.iter().sum();
        ensure!(found == expected, "{found} matches, expected {expected}");
        Ok(())
    }
}

/// Tasks whose edges are distinct and whose candidates are edges, repeated edges, or neither.
fn tasks(name: &'static str, sides: &[(u32, u32)], blocks: u32) -> Level {
    let mut level = Level { blocks, ..Level::of(name, sides, (0, 1), |_| 1) };
    for task in &level.segments {
        let first = u64::from(task.edges_at) << 20;
        for i in 0..u64::from(task.edges) {
            level.keys[task.edges_at as usize + i as usize] = first + (i * 37 << 3);
        }
        for i in 0..u64::from(task.candidates) {
            let near = i * i % (2 * u64::from(task.edges));
            level.keys[task.candidates_at as usize + i as usize] = first + (near * 37 << 2);
        }
    }
    level
}

#[test]
fn blocks_and_warps_intersect_what_is_left() {
    let (blocks, warps) = (Kernel::named("bin_tail"), Kernel::named("bin_tail_warps"));
    let tiny: Vec<(u32, u32)> = (0..70).map(|i| (1 + i % 5, 1 + i % 9 * (i % 40))).collect();
    let small = [
        tasks("one pair", &[(1, 1)], 1),
        tasks("tiny tasks", &tiny, 2),
        tasks("a full table of a warp", &[(256, 1025), (2000, 255), (40, 5000)], 3),
    ];
    for level in small {
        warps.everywhere([Tail { level, by_warps: true }]);
    }
    let several = [
        tasks("several tables", &[(4097, 9000), (300, 300)], 3),
        tasks("candidates in the table", &[(9000, 4096), (2, 5)], 1),
        tasks("tiny tasks", &tiny[..9], 2),
    ];
    for level in several {
        blocks.everywhere([Tail { level, by_warps: false }]);
    }
    let many: Vec<(u32, u32)> = (0..200_000).map(|i| (1 + i % 300, 1 + i % 9)).collect();
    warps.on_gpu(|| vec![Tail { level: tasks("many", &many, 700), by_warps: true }]);
    let large = [(60_000, 400_000), (500, 3_000_000), (5000, 257)];
    blocks.on_gpu(|| vec![Tail { level: tasks("large", &large, 264), by_warps: false }]);
    blocks.report();
    warps.report();
}
