//! OrientedGraph edges grouped by ranges of their tails.

use std::ops::Range;

use super::ranking::Ranking;
use crate::control::{Context, memory, prefetch};
use crate::{Error, Result};
use tribin_base::par::{self, Spare};

/// Edges that one task relabels and groups: its two copies stay in a core's second-level cache.
const CHUNK: usize = 1 << 16;

/// Edges that a bucket should hold, so that it stays in a core's second-level cache.
const BUCKET: u64 = 1 << 16;

/// The most buckets: a chunk's pieces stay a few cache lines long.
const MAX_BUCKETS: u64 = 1 << 11;

/// The most blocks of ranks; a bucket is a range of blocks.
const MAX_BLOCKS: usize = 1 << 12;

/// The most ranks of which a head leaves a bit of its 32 free.
const MOST_WITH_DIRECTION: usize = 1 << 31;

/// Bits of a head's 32 that are free for the direction of its entry, in a graph with this many ranks.
pub fn direction_bits(ranks: usize) -> u32 {
    u32::from(ranks <= MOST_WITH_DIRECTION)
}

/// OrientedGraph edges, self-loops gone, duplicates still there, grouped into buckets by their tail.
///
/// The edge `tail → head` has `head < tail` and is the word `tail << 32 | head << d | direction`, where d is
/// [`direction_bits`](Self::direction_bits) and the direction is whether the entry named its tail first.
pub struct EdgeBuckets {
    /// The grouped words of one chunk of edges after another, each chunk at a multiple of its size.
    words: Vec<u64>,
    /// Per chunk: where in it each bucket starts; one more entry than buckets.
    starts: Vec<Vec<u32>>,
    /// The tails of each bucket.
    tails: Vec<Range<u32>>,
    chunk: usize,
    direction_bits: u32,
}

impl EdgeBuckets {
    /// Number of buckets. Their ranges of tails follow one another and cover all ranks.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.tails.len()
    }

    /// The ranks whose rows the bucket holds.
    pub fn tails(&self, bucket: usize) -> Range<u32> {
        self.tails[bucket].clone()
    }

    /// 1 where the lowest bit of a word is its entry's direction; 0 where heads take all 32 bits.
    pub fn direction_bits(&self) -> u32 {
        self.direction_bits
    }

    /// The bucket's edges, in pieces.
    pub fn pieces(&self, bucket: usize) -> impl Iterator<Item = &[u64]> + Clone {
        self.words.chunks(self.chunk).zip(&self.starts).map(move |(words, starts)| {
            &words[starts[bucket] as usize..starts[bucket + 1] as usize]
        })
    }
}

/// Relabels every edge by rank, points it at its lower rank, and groups the edges by tail.
/// O(m + n) work, 8 bytes for each entry of `edges`.
pub(super) fn group_by_tail(
    edges: &[[u32; 2]],
    ranking: &Ranking,
    context: &Context,
) -> Result<EdgeBuckets> {
    let direction_bits = direction_bits(ranking.rank_of_vertex.len());
    group_in_chunks(edges, ranking, CHUNK, BUCKET, direction_bits, context)
}

fn group_in_chunks(
    edges: &[[u32; 2]],
    ranking: &Ranking,
    chunk: usize,
    bucket_size: u64,
    direction_bits: u32,
    context: &Context,
) -> Result<EdgeBuckets> {
    let ranks = ranking.rank_of_vertex.as_slice();
    let block_bits = ranks.len().div_ceil(MAX_BLOCKS).next_power_of_two().ilog2();
    let (tails, bucket_of_block) = cut(&ranking.degree_of_rank, block_bits, bucket_size);
    let bucket_of = |word: u64| bucket_of_block[(word >> 32 >> block_bits) as usize] as usize;

    let ahead = prefetch::steps_ahead(ranks);
    let mut words: Vec<u64> = memory::zeroed(edges.len())?;
    let group = |oriented: &mut Vec<u64>, words: &mut [u64], edges: &[[u32; 2]]| {
        let mut starts = vec![0u32; tails.len() + 1];
        oriented.clear();
        let mut loops = 0u32;
        oriented.extend(edges.iter().enumerate().map(|(i, &[u, v])| {
            if let Some(later) = edges.get(i.saturating_add(ahead)) {
                later.iter().for_each(|&v| prefetch::element(ranks, v as usize));
            }
            let (u, v) = (ranks[u as usize], ranks[v as usize]);
            loops += u32::from(u == v);
            let direction = u64::from(u > v) & u64::from(direction_bits);
            u64::from(u.max(v)) << 32 | u64::from(u.min(v)) << direction_bits | direction
        }));
        if loops > 0 {
            oriented.retain(|&word| (word >> 32) as u32 != word as u32 >> direction_bits);
        }
        for &word in &*oriented {
            starts[bucket_of(word)] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Each start stands at its bucket's end now and comes down to where it belongs.
        for &word in oriented.iter().rev() {
            let start = &mut starts[bucket_of(word)];
            *start -= 1;
            words[*start as usize] = word;
        }
        context.work().add(edges.len() as u64);
        starts
    };
    let buffers = Spare::new();
    let chunks = words.chunks_mut(chunk).zip(edges.chunks(chunk));
    let starts = par::try_map(chunks, |(words, edges)| {
        context.cancel().check()?;
        Ok::<_, Error>(buffers.with(Vec::new, |oriented| group(oriented, words, edges)))
    })?;
    Ok(EdgeBuckets { words, starts, tails, chunk, direction_bits })
}

/// Cuts the ranks into ranges of whole blocks with about `bucket_size` edges each. A rank has at
/// most as many edges as its degree, and at most one to each lower rank.
fn cut(degree_of_rank: &[u32], block_bits: u32, bucket_size: u64) -> (Vec<Range<u32>>, Vec<u16>) {
    let block = 1usize << block_bits;
    let sizes: Vec<u64> = par::map(degree_of_rank.chunks(block).enumerate(), |(index, degrees)| {
        let row = |(i, &degree): (usize, &u32)| u64::from(degree).min((index * block + i) as u64);
        degrees.iter().enumerate().map(row).sum()
    });
    let most = bucket_size.max(sizes.iter().sum::<u64>().div_ceil(MAX_BUCKETS));
    cut_blocks(&sizes, block, degree_of_rank.len(), most)
}

/// Cuts `ranks` ranks, in blocks of `block` with these sizes, into ranges of whole blocks with at most `most` of the
/// sizes' sum each, where a block alone is no larger. Gives the ranges, and the range of each block.
///
/// # Panics
/// If there are more than 2¹⁶ ranges.
pub fn cut_blocks(
    sizes: &[u64],
    block: usize,
    ranks: usize,
    most: u64,
) -> (Vec<Range<u32>>, Vec<u16>) {
    let mut tails: Vec<Range<u32>> = Vec::new();
    let mut bucket_of_block = Vec::with_capacity(sizes.len());
    let mut filled = 0;
    for (index, &size) in sizes.iter().enumerate() {
        let start = (index * block) as u32;
        let end = (start as usize + block).min(ranks) as u32;
        match tails.last_mut() {
            Some(tails) if filled + size <= most => {
                tails.end = end;
                filled += size;
            }
            _ => {
                tails.push(start..end);
                filled = size;
            }
        }
        bucket_of_block.push(u16::try_from(tails.len() - 1).expect("few ranges"));
    }
    (tails, bucket_of_block)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{degree, ranking};
    use super::*;

    proptest! {
        #[test]
        fn buckets_hold_every_proper_edge_once_at_its_tail(
            edges in prop::collection::vec(prop::array::uniform2(0u32..40), 0..300),
            chunk in 1usize..64,
            bucket_size in 1u64..64,
            direction_bits in 0u32..2,
        ) {
            let degrees = degree::count(&edges, 45, Context::silent().work()).unwrap().degrees;
            let ranking = ranking::by_descending_degree(&degrees).unwrap();
            let context = Context::silent();
            let buckets =
                group_in_chunks(&edges, &ranking, chunk, bucket_size, direction_bits, &context);
            let buckets = buckets.unwrap();

            let mut found = Vec::new();
            let mut next = 0;
            for bucket in 0..buckets.len() {
                let tails = buckets.tails(bucket);
                prop_assert_eq!(tails.start, next);
                next = tails.end;
                for &word in buckets.pieces(bucket).flatten() {
                    prop_assert!(tails.contains(&((word >> 32) as u32)));
                    let direction = word as u32 & direction_bits;
                    found.push([(word >> 32) as u32, word as u32 >> direction_bits, direction]);
                }
            }
            prop_assert_eq!(next, 45);

            let mut expected: Vec<[u32; 3]> = edges
                .iter()
                .map(|edge| edge.map(|v| ranking.rank_of_vertex[v as usize]))
                .filter(|[u, v]| u != v)
                .map(|[u, v]| [u.max(v), u.min(v), u32::from(u > v) & direction_bits])
                .collect();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
