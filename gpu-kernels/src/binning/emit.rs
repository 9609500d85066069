use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, thread, warp};

use super::queue::{Pusher, SegmentTiles, push_arrays, tiles_of};
use super::segment::Segment;
use super::team::{BlockTeam, TaskParts, WarpTeam, is_for_a_warp, parts_of};
use super::{Counter, MOST_THRESHOLD, TOTALS};
use crate::primitives::block_add_to;

/// Threads in a block of [`bin_emit`].
pub const EMIT_BLOCK: u32 = 256;

const WARPS: u32 = EMIT_BLOCK / warp::SIZE;

/// Bytes of shared memory of a block.
pub const EMIT_SHARED_BYTES: u32 = WARPS * 8 + 8;

/// What [`bin_emit`] counts of each level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Buckets with an edge or a candidate.
    Created,
    /// Buckets with edges or candidates, and not both.
    Pruned,
    /// Buckets left to the tail.
    Tail,
    /// Buckets at full depth, where every candidate is a match.
    Complete,
    /// Candidates of the level's segments.
    Candidates,
    /// Candidates in pruned buckets.
    CandidatesPruned,
    /// Candidates left to the tail.
    CandidatesTail,
    /// Edges of the level's segments.
    Edges,
    /// Edges left to the tail.
    EdgesTail,
}

impl Figure {
    /// How many figures a level has.
    pub const COUNT: u64 = 9;
}

kernel!(
    /// Decides over every bucket of level `level`: pruned where a side is empty; at the last level a
    /// match for each candidate, added to `totals`; left to the tail where a side has at most
    /// `threshold` keys; or a segment of the next level.
    ///
    /// `matrix` is the level's after `bin_scan`. The level's queue is `parts_before` and `segments`, the
    /// next level's `next_parts` and `next_segments`, the tail's for blocks `tail_parts` and
    /// `tail_segments`, and the tail's for warps `warp_parts` and `warp_segments`; the places of their
    /// counters are those of [`Counter`]. Bit `b` of `alive`, 32 a word, says whether bucket `b` is
    /// moved: segment times buckets plus bucket. `figures[level * 9 ..]` grow by the [`Figure`]s.
    #[requires(
        |shape| level < levels, counters.len() >= Counter::number(levels), bits >= 1, bits <= 8,
        threshold <= MOST_THRESHOLD, totals.len() >= TOTALS, figures.len() >= u64::from(levels) * Figure::COUNT,
        shape.block.x == EMIT_BLOCK, shape.shared_bytes >= EMIT_SHARED_BYTES,
    )]
    pub unsafe fn bin_emit(
        parts_before: In<u32>,
        segments: In<U64x2>,
        matrix: In<u32>,
        counters: InOut<u64>,
        next_parts: InOut<u32>,
        next_segments: InOut<U64x2>,
        tail_parts: InOut<u32>,
        tail_segments: InOut<U64x2>,
        warp_parts: InOut<u32>,
        warp_segments: InOut<U64x2>,
        alive: InOut<u32>,
        totals: InOut<u64>,
        figures: InOut<u64>,
        level: u32,
        levels: u32,
        bits: u32,
        threshold: u32,
    ) {
        let thread = thread::thread_idx_x();
        let (scan, base) = push_arrays(0, WARPS);
        let next = Pusher {
            parts_before: next_parts,
            segments: next_segments,
            counters,
            counter: Counter::Level.at(level + 1, levels),
        };
        let tail = Pusher {
            parts_before: tail_parts,
            segments: tail_segments,
            counters,
            counter: Counter::Tail.at(level, levels),
        };
        let warps = Pusher {
            parts_before: warp_parts,
            segments: warp_segments,
            counters,
            counter: Counter::TailWarps.at(level, levels),
        };
        let entries = counters.get(u64::from(level)) >> 32;
        let pairs = entries << bits;
        let (mut created, mut pruned, mut small, mut complete) = (0u64, 0u64, 0u64, 0u64);
        let (mut candidates, mut candidates_pruned, mut candidates_small) = (0u64, 0u64, 0u64);
        let (mut edges, mut edges_small, mut matches) = (0u64, 0u64, 0u64);
        let begin = u64::from(thread::block_idx_x()) * u64::from(EMIT_BLOCK);
        for block_start in thread::strided(begin..pairs, thread::grid_size()) {
            let pair = block_start + u64::from(thread);
            let bucket = if pair < pairs {
                bucket_of(parts_before, segments, matrix, pair, bits)
            } else {
                Segment { edges_at: 0, edges: 0, candidates_at: 0, candidates: 0 }
            };
            let both = bucket.edges > 0 && bucket.candidates > 0;
            let either = bucket.edges > 0 || bucket.candidates > 0;
            let last = level + 1 == levels;
            let ends = both && last;
            let is_small = bucket.edges <= threshold || bucket.candidates <= threshold;
            let in_tail = both && !last && is_small;
            let goes_on = both && !last && !is_small;

            created += u64::from(either);
            pruned += u64::from(either && !both);
            small += u64::from(in_tail);
            complete += u64::from(ends);
            edges += u64::from(bucket.edges);
            candidates += u64::from(bucket.candidates);
            if !both {
                candidates_pruned += u64::from(bucket.candidates);
            }
            if in_tail {
                candidates_small += u64::from(bucket.candidates);
                edges_small += u64::from(bucket.edges);
            }
            if ends {
                // The bucket is one key, and E has no key twice.
                matches += u64::from(bucket.candidates);
            }

            let moved = warp::warp_vote_ballot(warp::ALL, in_tail || goes_on);
            if warp::lane_id() == 0 && pair < pairs {
                alive.set(pair / u64::from(warp::SIZE), moved);
            }
            // At most 16 tables of a threshold's keys by 2²² chunks of all keys.
            let (mut block_parts, mut warp_parts) = (0, 0);
            if in_tail && is_for_a_warp(bucket) {
                let TaskParts { tables, chunks } = parts_of::<WarpTeam>(bucket);
                warp_parts = tables * chunks;
            } else if in_tail {
                let TaskParts { tables, chunks } = parts_of::<BlockTeam>(bucket);
                block_parts = tables * chunks;
            }
            tail.push(scan, base, bucket, block_parts);
            warps.push(scan, base, bucket, warp_parts);
            next.push(scan, base, bucket, if goes_on { bucket.tiles() } else { 0 });
        }
        let at = u64::from(level) * Figure::COUNT;
        block_add_to(figures, at + Figure::Created as u64, created);
        block_add_to(figures, at + Figure::Pruned as u64, pruned);
        block_add_to(figures, at + Figure::Tail as u64, small);
        block_add_to(figures, at + Figure::Complete as u64, complete);
        block_add_to(figures, at + Figure::Candidates as u64, candidates);
        block_add_to(figures, at + Figure::CandidatesPruned as u64, candidates_pruned);
        block_add_to(figures, at + Figure::CandidatesTail as u64, candidates_small);
        block_add_to(figures, at + Figure::Edges as u64, edges);
        block_add_to(figures, at + Figure::EdgesTail as u64, edges_small);
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, matches);
    }
);

/// Where bucket `pair` of the level goes to, and how much is in it.
#[inline(always)]
fn bucket_of(
    parts_before: In<u32>,
    segments: In<U64x2>,
    matrix: In<u32>,
    pair: u64,
    bits: u32,
) -> Segment {
    let index = pair >> bits;
    let bucket = pair & ((1 << bits) - 1);
    let segment = Segment::unpack(segments.get(index));
    let SegmentTiles { edges: edge_tiles, candidates: candidate_tiles } = tiles_of(segment);
    let edge_counts = u64::from(parts_before.get(index)) << bits;
    let candidate_counts = edge_counts + (u64::from(edge_tiles) << bits);
    let first_edge = edge_counts + bucket * u64::from(edge_tiles);
    let first_candidate = candidate_counts + bucket * u64::from(candidate_tiles);
    let edges_at = sum_before(matrix, first_edge);
    let candidates_at = sum_before(matrix, first_candidate);
    Segment {
        edges_at,
        edges: matrix.get(first_edge + u64::from(edge_tiles) - 1) - edges_at,
        candidates_at,
        candidates: matrix.get(first_candidate + u64::from(candidate_tiles) - 1) - candidates_at,
    }
}

#[inline(always)]
fn sum_before(matrix: In<u32>, index: u64) -> u32 {
    if index == 0 { 0 } else { matrix.get(index - 1) }
}
