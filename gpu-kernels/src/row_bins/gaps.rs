use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use super::{BINS, FOUND, MOST_BINS};
use crate::primitives::{Scanned, block_scan_exclusive, warp_add_runs};

/// Threads in a block of [`close_gaps`].
pub const GAPS_BLOCK: u32 = 512;

/// Edges that a thread reads together.
const READS: usize = 4;

/// Bytes of shared memory of a block.
pub const GAPS_SHARED_BYTES: u32 = GAPS_BLOCK / warp::SIZE * 4;

kernel!(
    /// Writes the edges of all bins to `tails` and `heads` without the repeated ones behind each bin, and moves the bounds of
    /// their `rows`. Takes off `degree_of_rank` what the repeated ones had added. Any number of blocks.
    #[requires(
        |shape| all_tails.len() == all_heads.len(), tails.len() == heads.len(),
        first_key.len() > u64::from(MOST_BINS), first_rank.len() > u64::from(MOST_BINS),
        kept_of_bin.len() >= u64::from(MOST_BINS), found.len() >= FOUND, shape.block.x == GAPS_BLOCK,
        shape.shared_bytes >= GAPS_SHARED_BYTES,
    )]
    pub unsafe fn close_gaps(
        all_tails: In<u32>,
        all_heads: In<u32>,
        first_key: In<u32>,
        first_rank: In<u32>,
        kept_of_bin: In<u32>,
        found: In<u32>,
        tails: InOut<u32>,
        heads: InOut<u32>,
        rows: InOut<u32>,
        degree_of_rank: InOut<u32>,
    ) {
        let thread = thread::thread_idx_x();
        let sums = shared::array::<u32>(0, GAPS_BLOCK / warp::SIZE);
        let bins = found.get(BINS);
        // What the thread has seen of the bins before, each of which one thread looks at once.
        let (mut before, mut other) = (0, thread);
        for bin in thread::strided(thread::block_idx_x()..bins, thread::grid_dim_x()) {
            while other < bin {
                before += kept_of_bin.get(u64::from(other));
                other += GAPS_BLOCK;
            }
            let Scanned { all: start, .. } = block_scan_exclusive(sums, before);
            let kept = kept_of_bin.get(u64::from(bin));
            let first = first_key.get(u64::from(bin));
            for at in thread::strided(thread..kept, READS as u32 * GAPS_BLOCK) {
                let mut edges = [[0; 2]; READS];
                for i in 0..READS {
                    let place = at + i as u32 * GAPS_BLOCK;
                    if place < kept {
                        let place = u64::from(first + place);
                        edges[i] = [all_tails.get(place), all_heads.get(place)];
                    }
                }
                for i in 0..READS {
                    let place = at + i as u32 * GAPS_BLOCK;
                    if place < kept {
                        tails.set(u64::from(start + place), edges[i][0]);
                        heads.set(u64::from(start + place), edges[i][1]);
                    }
                }
            }
            let len = first_key.get(u64::from(bin) + 1) - first;
            // Whole warps go on together: they stand in order, and neighbours have one tail.
            let mut at = kept + thread;
            while at - warp::lane_id() < len {
                let (mut tail, mut head) = (0, 0);
                if at < len {
                    tail = all_tails.get(u64::from(first + at));
                    head = all_heads.get(u64::from(first + at));
                }
                warp_add_runs(degree_of_rank, tail, at < len, u32::MAX);
                warp_add_runs(degree_of_rank, head, at < len, u32::MAX);
                at += GAPS_BLOCK;
            }
            let less = first - start;
            let end = 2 * first_rank.get(u64::from(bin) + 1);
            let begin = 2 * first_rank.get(u64::from(bin)) + thread;
            for bound in thread::strided(begin..end, GAPS_BLOCK) {
                rows.set(u64::from(bound), rows.get(u64::from(bound)) - less);
            }
        }
    }
);
