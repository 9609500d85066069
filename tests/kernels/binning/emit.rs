use anyhow::{Result, ensure};
use tribin_kernels::binning::{
    BlockTeam, Counter, EMIT_BLOCK, EMIT_SHARED_BYTES, Figure, Segment, TILE, TOTALS, Team,
    WarpTeam, bin_emit,
};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::U64x2;

use super::level::{LEVEL, LEVELS, Level, Queue, large, levels};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

#[derive(Debug)]
pub struct Emit {
    level: Level,
    threshold: u32,
    is_last: bool,
}

/// What becomes of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Fate {
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

    pub fn parts(fate: Fate, bucket: &Segment) -> u32 {
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
}
