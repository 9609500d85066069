//! Algorithm 2 on one batch of candidates after another.

use tribin_kernels::binning::{
    BlockTeam, COUNT_BLOCK, COUNT_SHARED_BYTES, Counter, EMIT_BLOCK, EMIT_SHARED_BYTES, Figure,
    SCAN_BLOCK, SCAN_SHARED_BYTES, SCATTER_BLOCK, SCATTER_SHARED_BYTES, Segment, TAIL_BLOCK,
    TAIL_SHARED_BYTES, TAIL_WARPS, TAIL_WARPS_SHARED_BYTES, TOTALS, WarpTeam, bin_count, bin_emit,
    bin_scan, bin_scatter, bin_tail, bin_tail_warps, counter, is_for_a_warp, parts_of,
};
use tribin_kernels::wedges::{GENERATE_BLOCK, GENERATE_TILE, candidate_keys};
use warpwise_device::launch::{Buffer, Device, Shape};
use warpwise_device::memory::U64x2;
use warpwise_device::warp;

use super::options::RadixOptions;
use super::plan::{Digit, RadixPlan};
use tribin_gpu::device_graph::DeviceGraph;

/// Blocks a multiprocessor: as many as its registers and threads let run at a time, or more.
const BLOCKS: u32 = 8;

/// Blocks a multiprocessor of the count and of the scatter: as many as registers let run.
const COUNT_BLOCKS: u32 = 5;
const SCATTER_BLOCKS: u32 = 3;

/// Blocks a multiprocessor of the tail, and of its warps: as many as registers let run.
const TAIL_BLOCKS: u32 = 2;
const TAIL_WARPS_BLOCKS: u32 = 5;

/// Blocks a multiprocessor of what ends with additions to a few common words.
const EMIT_BLOCKS: u32 = 4;

/// The rows that the candidates are made from.
#[derive(Clone, Copy)]
pub(super) struct CandidateSource<'g, D: Device> {
    pub graph: &'g DeviceGraph<D>,
    /// Inclusive sums of the rows' wedges.
    pub ends: &'g Buffer<u64, D>,
    pub vertices: u64,
    pub vertex_bits: u32,
}

/// The sums over all batches.
pub(super) struct BatchSums {
    pub matches: u64,
    /// The figures of each level, one level's after the other.
    pub figures: Vec<u64>,
    /// Seconds of generation.
    pub generate: f64,
    /// Seconds of intersection.
    pub intersect: f64,
}

/// A queue of segments in device memory.
struct Queue<D: Device> {
    parts_before: Buffer<u32, D>,
    segments: Buffer<U64x2, D>,
}

impl<D: Device> Queue<D> {
    fn new(device: &D, entries: u64) -> Result<Self, D::Error> {
        Ok(Queue {
            parts_before: Buffer::uninitialized(device, entries)?,
            segments: Buffer::uninitialized(device, entries)?,
        })
    }

    /// Makes `segment` the first entry.
    fn put(&mut self, device: &D, segment: Segment) -> Result<(), D::Error> {
        self.parts_before.upload(device, 0, &[0])?;
        let U64x2(words) = segment.pack();
        self.segments.upload_bytes(device, 0, bytemuck::cast_slice(&words))
    }
}

/// The memory of the batches, and the sums over those that are done.
pub(super) struct Batches<'g, D: Device> {
    input: CandidateSource<'g, D>,
    plan: RadixPlan,
    order: u32,
    /// The double buffer.
    keys: [Buffer<u64, D>; 2],
    /// The queue of a level and that of the next.
    queues: [Queue<D>; 2],
    tail: Queue<D>,
    tail_warps: Queue<D>,
    matrix: Buffer<u32, D>,
    words: Buffer<u64, D>,
    alive: Buffer<u32, D>,
    counters: Buffer<u64, D>,
    tickets: Buffer<u32, D>,
    totals: Buffer<u64, D>,
    figures: Buffer<u64, D>,
    /// The events before the generation, between, and after the intersection of each batch.
    marks: Vec<[D::Event; 3]>,
}

impl<'g, D: Device> Batches<'g, D> {
    pub fn new(
        device: &D,
        input: CandidateSource<'g, D>,
        plan: &RadixPlan,
        options: &RadixOptions,
    ) -> Result<Self, D::Error> {
        Ok(Batches {
            input,
            plan: *plan,
            order: options.key_order.number(),
            keys: [
                Buffer::uninitialized(device, plan.keys)?,
                Buffer::uninitialized(device, plan.keys)?,
            ],
            queues: [Queue::new(device, plan.segments)?, Queue::new(device, plan.segments)?],
            tail: Queue::new(device, plan.tasks)?,
            tail_warps: Queue::new(device, plan.warp_tasks)?,
            matrix: Buffer::uninitialized(device, plan.matrix())?,
            words: Buffer::uninitialized(device, plan.scan_tiles())?,
            alive: Buffer::uninitialized(device, plan.alive_words())?,
            counters: Buffer::uninitialized(device, Counter::number(plan.levels))?,
            tickets: Buffer::uninitialized(device, plan.levels.into())?,
            totals: Buffer::zeroed(device, TOTALS)?,
            figures: Buffer::zeroed(device, u64::from(plan.levels) * Figure::COUNT)?,
            marks: Vec::new(),
        })
    }

    /// Counts the matches of `count` wedges from `first` on.
    pub fn run(&mut self, device: &D, first: u64, count: u64) -> Result<(), D::Error> {
        let start = device.record()?;
        self.generate(device, first, count)?;
        let generated = device.record()?;
        self.intersect(device, count)?;
        self.marks.push([start, generated, device.record()?]);
        Ok(())
    }

    fn generate(&mut self, device: &D, first: u64, count: u64) -> Result<(), D::Error> {
        let CandidateSource { graph, ends, vertices, vertex_bits } = self.input;
        let most = device.multiprocessors() * BLOCKS;
        let tiles = count.max(graph.edges).div_ceil(u64::from(GENERATE_TILE));
        candidate_keys(
            device,
            Shape::new(tiles.min(u64::from(most)) as u32, GENERATE_BLOCK),
            graph.rows.view().cast(),
            graph.tails.view(),
            graph.heads.view(),
            ends.view(),
            self.keys[0].view_mut(),
            vertices,
            graph.edges,
            first,
            count,
            self.order,
            vertex_bits,
        )
    }

    fn intersect(&mut self, device: &D, count: u64) -> Result<(), D::Error> {
        let edges = self.input.graph.edges;
        let levels = self.plan.levels;
        let root = Segment {
            edges_at: 0,
            edges: edges as u32,
            candidates_at: edges as u32,
            candidates: count as u32,
        };
        let mut counters = vec![0; self.counters.len() as usize];
        if edges.min(count) <= u64::from(self.plan.threshold()) {
            let (queue, queue_counter, parts) = if is_for_a_warp(root) {
                (&mut self.tail_warps, Counter::TailWarps, parts_of::<WarpTeam>(root))
            } else {
                (&mut self.tail, Counter::Tail, parts_of::<BlockTeam>(root))
            };
            queue.put(device, root)?;
            counters[queue_counter.at(0, levels) as usize] =
                counter(1, parts.tables * parts.chunks);
            self.counters.upload(device, 0, &counters)?;
            return self.tail(device, 0, 0);
        }
        counters[Counter::Level.at(0, levels) as usize] = counter(1, root.tiles());
        self.counters.upload(device, 0, &counters)?;
        self.queues[0].put(device, root)?;
        self.words.fill_bytes(device, 0)?;
        self.tickets.fill_bytes(device, 0)?;
        (0..levels).try_for_each(|level| self.level(device, level))
    }

    /// One level: from queue and keys of one parity to those of the other.
    fn level(&mut self, device: &D, level: u32) -> Result<(), D::Error> {
        let plan = self.plan;
        let Digit { shift, bits } = plan.digit(level, self.input.vertex_bits * 2);
        let multiprocessors = device.multiprocessors();
        let grid = |most: u64, blocks: u32| most.min(u64::from(multiprocessors * blocks)) as u32;
        let [even, odd] = &mut self.queues;
        let (queue, next) = if level.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let [even, odd] = &mut self.keys;
        let (keys, binned) = if level.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        bin_count(
            device,
            Shape::new(grid(plan.tiles, COUNT_BLOCKS), COUNT_BLOCK).shared(COUNT_SHARED_BYTES),
            keys.view(),
            queue.parts_before.view(),
            queue.segments.view(),
            self.counters.view(),
            self.matrix.view_mut(),
            level,
            shift,
            bits,
        )?;
        bin_scan(
            device,
            Shape::new(grid(plan.scan_tiles(), BLOCKS), SCAN_BLOCK).shared(SCAN_SHARED_BYTES),
            self.counters.view(),
            self.matrix.view_mut(),
            self.words.view_mut(),
            self.tickets.view_mut(),
            level,
            bits,
        )?;
        let emit_blocks = plan.buckets().div_ceil(u64::from(EMIT_BLOCK));
        bin_emit(
            device,
            Shape::new(grid(emit_blocks, EMIT_BLOCKS), EMIT_BLOCK).shared(EMIT_SHARED_BYTES),
            queue.parts_before.view(),
            queue.segments.view(),
            self.matrix.view(),
            self.counters.view_mut(),
            next.parts_before.view_mut(),
            next.segments.view_mut(),
            self.tail.parts_before.view_mut(),
            self.tail.segments.view_mut(),
            self.tail_warps.parts_before.view_mut(),
            self.tail_warps.segments.view_mut(),
            self.alive.view_mut(),
            self.totals.view_mut(),
            self.figures.view_mut(),
            level,
            plan.levels,
            bits,
            plan.threshold(),
        )?;
        if level + 1 == plan.levels {
            return Ok(());
        }
        bin_scatter(
            device,
            Shape::new(grid(plan.tiles, SCATTER_BLOCKS), SCATTER_BLOCK)
                .shared(SCATTER_SHARED_BYTES),
            keys.view(),
            binned.view_mut(),
            queue.parts_before.view(),
            queue.segments.view(),
            self.counters.view(),
            self.matrix.view(),
            self.alive.view(),
            level,
            shift,
            bits,
        )?;
        self.tail(device, level, (level as usize + 1) % 2)
    }

    /// The tail of a level, whose keys are in half `half`.
    fn tail(&mut self, device: &D, level: u32, half: usize) -> Result<(), D::Error> {
        let grid =
            |blocks: u64, most: u32| blocks.min(u64::from(device.multiprocessors() * most)) as u32;
        let RadixPlan { levels, parts, warp_parts, .. } = self.plan;
        bin_tail(
            device,
            Shape::new(grid(parts, TAIL_BLOCKS), TAIL_BLOCK).shared(TAIL_SHARED_BYTES),
            self.keys[half].view(),
            self.tail.parts_before.view(),
            self.tail.segments.view(),
            self.counters.view(),
            self.totals.view_mut(),
            Counter::Tail.at(level, levels) as u32,
        )?;
        let warp_blocks = warp_parts.div_ceil(u64::from(TAIL_WARPS));
        bin_tail_warps(
            device,
            Shape::new(grid(warp_blocks, TAIL_WARPS_BLOCKS), TAIL_WARPS * warp::SIZE)
                .shared(TAIL_WARPS_SHARED_BYTES),
            self.keys[half].view(),
            self.tail_warps.parts_before.view(),
            self.tail_warps.segments.view(),
            self.counters.view(),
            self.totals.view_mut(),
            Counter::TailWarps.at(level, levels) as u32,
        )
    }

    /// Waits for the batches.
    pub fn finish(self, device: &D) -> Result<BatchSums, D::Error> {
        // Each triangle has three wedges, fewer than 2⁴⁹ in all (`forward_merge` bounds the triangles).
        let matches = self.totals.to_vec(device)?.iter().sum();
        let figures = self.figures.to_vec(device)?;
        let mut sums = BatchSums { matches, figures, generate: 0.0, intersect: 0.0 };
        for [start, generated, end] in &self.marks {
            sums.generate += device.seconds_between(start, generated)?;
            sums.intersect += device.seconds_between(generated, end)?;
        }
        Ok(sums)
    }
}
