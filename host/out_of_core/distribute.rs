//! Orient: every entry becomes a pair of ranks, and goes to the bucket of its tail.

use std::ops::Range;
use std::sync::Arc;

use super::degrees;
use super::kept::Looped;
use super::no_memory;
use super::pile::Pile;
use super::scratch::Scratch;
use super::spill::Segment;
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::plan::Sizes;
use crate::prepare::cpu::bucket::cut_blocks;
use crate::prepare::cpu::ranking::DegreesByRank;

/// Blocks of ranks at most; a bucket is a range of blocks. The table of their buckets stays in a core's cache.
const MOST_BLOCKS: usize = 1 << 20;

/// The entries of consecutive tails, as words `tail << 32 | head`: self-loops gone, duplicates still there.
pub(super) struct Bucket<'s> {
    /// The ranks of the tails.
    pub tails: Range<u32>,
    pub entries: Pile<'s>,
}

/// Distributes the entries of all segments, which go as they are read. `ranks` has the rank of each vertex, of which
/// the first `connected` can have edges. Vertices with a self-loop are marked in `looped`.
pub(super) fn distribute<'s>(
    segments: Vec<Arc<Segment<'s>>>,
    (ranks, by_rank, connected): (&[Vec<u32>], &DegreesByRank, u32),
    looped: Option<&Looped>,
    (scratch, sizes): (&'s Scratch, &Sizes),
    context: &Context,
) -> Result<Vec<Bucket<'s>>> {
    let ranks_in_all = connected as usize;
    let block_bits = ranks_in_all.div_ceil(MOST_BLOCKS).next_power_of_two().ilog2();
    let mut block_sizes = vec![0u64; ranks_in_all.div_ceil(1 << block_bits)];
    for (rank, degree) in (0..connected).zip(by_rank.from(0)) {
        // A row has at most as many heads as its degree, and at most one at each lower rank.
        block_sizes[(rank >> block_bits) as usize] += u64::from(degree.min(rank));
    }
    let (tails, bucket_of_block) =
        cut_blocks(&block_sizes, 1 << block_bits, ranks_in_all, sizes.bucket_entries);
    let buckets: Vec<Bucket> = (0..)
        .zip(tails)
        .map(|(number, tails): (u32, _)| Bucket {
            tails,
            entries: Pile::new(scratch.file(format!("bucket-{number}"))),
        })
        .collect();
    let words = (sizes.bucket_buffer / size_of::<u64>()).max(1);
    let bucket_of = |tail: u32| bucket_of_block[(tail >> block_bits) as usize] as usize;

    context.work().begin(segments.len() as u64);
    workers::each(
        segments.len(),
        context,
        || {
            let buffer =
                |_| memory::with_capacity::<u64>(words).map_err(|refused| no_memory(refused.bytes));
            let buffers = (0..buckets.len()).map(buffer).collect::<Result<Vec<Vec<u64>>>>()?;
            Ok((buffers, Vec::<[u32; 2]>::new()))
        },
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
                    let (u, v) = (degrees::of(ranks, u), degrees::of(ranks, v));
                    let (tail, head) = (u.max(v), u.min(v));
                    let bucket = bucket_of(tail);
                    let buffer = &mut buffers[bucket];
                    buffer.push(u64::from(tail) << 32 | u64::from(head));
                    if buffer.len() >= words {
                        buckets[bucket].entries.append(buffer)?;
                        buffer.clear();
                    }
                }
            }
            segment.file.remove()
        },
        |(buffers, _)| {
            let full = buckets.iter().zip(&buffers).filter(|(_, buffer)| !buffer.is_empty());
            full.into_iter().try_for_each(|(bucket, buffer)| bucket.entries.append(buffer))
        },
    )?;
    Ok(buckets)
}
