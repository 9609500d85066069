//! Orient: every entry becomes a pair of ranks, and goes to the bucket of its tail.

use std::ops::Range;
use std::sync::Arc;

use super::kept::Looped;
use super::pile::{Pile, PileBuffers};
use super::scratch::Scratch;
use super::spill::Segment;
use super::workers;
use crate::Result;
use crate::control::Context;
use crate::plan::{Sizes, block_bits};
use tribin_base::par;
use tribin_cpu::prepare::bucket::{cut_blocks, direction_bits};
use tribin_cpu::prepare::ranking::DegreesByRank;

/// The entries of consecutive tails, as words of [`EdgeBuckets`](tribin_cpu::prepare::bucket::EdgeBuckets): self-loops gone, duplicates
/// still there.
pub(super) struct Bucket<'s> {
    /// The ranks of the tails.
    pub tails: Range<u32>,
    pub entries: Pile<'s>,
}

/// Distributes the entries of all segments, which go as they are read. `ranks` has the rank of each vertex, of which
/// the first `connected` can have edges. Vertices with a self-loop are marked in `looped`.
pub(super) fn distribute<'s>(
    segments: Vec<Arc<Segment<'s>>>,
    (ranks, by_rank, connected): (&[u32], &DegreesByRank, u32),
    looped: Option<&Looped>,
    (scratch, sizes): (&'s Scratch, &Sizes),
    context: &Context,
) -> Result<Vec<Bucket<'s>>> {
    let ranks_in_all = connected as usize;
    let block_bits = block_bits(connected);
    let mut block_sizes = vec![0u64; ranks_in_all.div_ceil(1 << block_bits)];
    for (rank, degree) in (0..connected).zip(by_rank.from(0)) {
        // A row has at most as many heads as its degree, and at most one at each lower rank.
        block_sizes[(rank >> block_bits) as usize] += u64::from(degree.min(rank));
    }
    let (tails, bucket_of_block) =
        cut_blocks(&block_sizes, 1 << block_bits, ranks_in_all, sizes.bucket_entries);
    let piles: Vec<Pile> = (0..tails.len())
        .map(|number| Pile::new(scratch.file(format!("bucket-{number}"))))
        .collect();
    let direction_bits = direction_bits(ranks_in_all);
    let bucket_of = |tail: u32| bucket_of_block[(tail >> block_bits) as usize] as usize;

    context.work().begin(segments.len() as u64);
    let buffers = workers::each(
        segments.len(),
        context,
        || Ok((PileBuffers::new(&piles, sizes.bucket_buffer)?, Vec::<[u32; 2]>::new())),
        |(buffers, entries), index| {
            let segment = &segments[index];
            for (record, _) in segment.records() {
                segment.file.read(record, entries)?;
                for &[u, v] in &*entries {
                    if u == v {
                        if let Some(looped) = looped {
                            looped.mark(u);
                        }
                        continue;
                    }
                    let (u, v) = (ranks[u as usize], ranks[v as usize]);
                    let (tail, head) = (u.max(v), u.min(v));
                    let head = head << direction_bits | u32::from(u == tail) & direction_bits;
                    buffers.push(bucket_of(tail), u64::from(tail) << 32 | u64::from(head))?;
                }
            }
            segment.file.remove()
        },
    )?;
    par::try_for_each(buffers, |(buffers, _)| buffers.finish())?;
    Ok(tails.into_iter().zip(piles).map(|(tails, entries)| Bucket { tails, entries }).collect())
}
