//! A level to run kernels on.

use std::fmt;

use anyhow::Result;
use tribin_kernels::binning::{Counter, Segment, TILE, counter};
use warpwise_device::launch::Buffer;
use warpwise_device::memory::U64x2;

use crate::devices::TestDevice;

/// What a level starts with.
#[derive(Clone)]
pub struct Level {
    pub name: &'static str,
    pub keys: Vec<u64>,
    pub segments: Vec<Segment>,
    pub shift: u32,
    pub bits: u32,
    pub blocks: u32,
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Level { name, keys, segments, bits, blocks, .. } = self;
        let (keys, segments) = (keys.len(), segments.len());
        write!(f, "{name}: {keys} keys, {segments} segments, {bits} bits, {blocks} blocks")
    }
}

pub const LEVEL: u32 = 1;
pub const LEVELS: u32 = 3;

impl Level {
    /// Segments with the numbers of edges and candidates of `sides`, gaps between them; the digits are drawn by `digit`.
    pub fn of(
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

    pub fn digit(&self, key: u64) -> usize {
        (key >> self.shift) as usize % (1 << self.bits)
    }

    pub fn side(&self, at: u32, len: u32) -> &[u64] {
        &self.keys[at as usize..(at + len) as usize]
    }

    /// Both sides of every segment, in the order of the matrix.
    pub fn sides(&self) -> impl Iterator<Item = &[u64]> {
        self.segments.iter().flat_map(|s| {
            [self.side(s.edges_at, s.edges), self.side(s.candidates_at, s.candidates)]
        })
    }

    /// How many of the keys are in each bucket.
    pub fn digit_counts(&self, keys: &[u64]) -> Vec<u32> {
        let mut counts = vec![0; 1 << self.bits];
        keys.iter().for_each(|key| counts[self.digit(*key)] += 1);
        counts
    }

    pub fn matrix(&self) -> Vec<u32> {
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

    pub fn scanned(&self) -> Vec<u32> {
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
    pub fn buckets(&self) -> Vec<Segment> {
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
    pub fn upload<D: TestDevice>(&self, device: &D) -> Result<Queue<D>> {
        let tiles: Vec<u32> = self.segments.iter().map(|segment| segment.tiles()).collect();
        let mut queue = Queue::of(device, &self.segments, &tiles)?;
        let mut counters = vec![0; Counter::number(LEVELS) as usize];
        counters[Counter::Level.at(LEVEL, LEVELS) as usize] =
            counter(tiles.len() as u32, tiles.iter().sum());
        queue.counters = Buffer::from_host(device, &counters)?;
        Ok(queue)
    }
}

pub struct Queue<D: TestDevice> {
    pub parts_before: Buffer<u32, D>,
    pub segments: Buffer<U64x2, D>,
    pub counters: Buffer<u64, D>,
}

impl<D: TestDevice> Queue<D> {
    /// Entries with `parts` parts each; no counters.
    pub fn of(device: &D, entries: &[Segment], parts: &[u32]) -> Result<Queue<D>> {
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

    pub fn empty(device: &D, entries: u64) -> Result<Queue<D>> {
        Ok(Queue {
            parts_before: Buffer::uninitialized(device, entries)?,
            segments: Buffer::uninitialized(device, entries)?,
            counters: Buffer::zeroed(device, 1)?,
        })
    }
}

pub fn levels() -> Vec<Level> {
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
pub fn large() -> Vec<Level> {
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
