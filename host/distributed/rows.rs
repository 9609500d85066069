//! Rows: every entry goes to the rank that has its tail, is sorted there, and comes back to all as part of a row.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::control::{Context, memory};
use crate::graph::RowRange;
use crate::ranks::Ranks;
use crate::{Error, Result};
use tribin_base::par::{self, Spare};
use tribin_cpu::prepare::bucket::cut_blocks;
use tribin_cpu::prepare::rows::{BucketRows, gather as gather_bucket, sort_and_dedup};

/// The most ranks of which a head leaves a bit of its 32 free.
const MOST_WITH_DIRECTION: u32 = 1 << 31;

/// 1 where the lowest bit of a word is its entry's direction; 0 where heads take all 32 bits.
pub(super) fn direction_bits(bound: u32) -> u32 {
    u32::from(bound <= MOST_WITH_DIRECTION)
}

/// Turns entries into words `tail << 32 | head << d | direction`, d being `bits`, and sends each to the rank
/// (tail mod p). Returns this rank's, in any order.
pub(super) fn exchange(
    ranks: &Ranks,
    blocks: Vec<Vec<[u32; 2]>>,
    rank_of_vertex: &[u32],
    bits: u32,
    context: &Context,
) -> Result<Vec<u64>> {
    let p = ranks.ranks();
    let oriented = par::try_map(blocks, |block| {
        context.cancel().check()?;
        let word = |[u, v]: [u32; 2]| {
            let (u, v) = (rank_of_vertex[u as usize], rank_of_vertex[v as usize]);
            let direction = u64::from(u > v) & u64::from(bits);
            u64::from(u.max(v)) << 32 | u64::from(u.min(v)) << bits | direction
        };
        let mut sizes = vec![0usize; p as usize];
        for &ends in &block {
            let [u, v] = ends.map(|v| rank_of_vertex[v as usize]);
            sizes[(u.max(v) % p) as usize] += 1;
        }
        let mut words = sizes
            .into_iter()
            .map(|size| Ok(memory::with_capacity(size)?))
            .collect::<Result<Vec<Vec<u64>>>>()?;
        for ends in block {
            let word = word(ends);
            words[((word >> 32) as u32 % p) as usize].push(word);
        }
        Ok::<_, Error>(words)
    })?;
    let own_sizes: Vec<u64> = (0..p as usize)
        .map(|to| oriented.iter().map(|words| words[to].len() as u64).sum())
        .collect();
    let mut sizes = 0;
    let pieces: Vec<Vec<&[u8]>> =
        own_sizes.iter().map(|size| vec![bytes_of(std::slice::from_ref(size))]).collect();
    ranks.all_to_all(&pieces, |_, bytes| {
        let words = bytes.as_chunks::<8>().0;
        sizes += words.iter().map(|word| u64::from_le_bytes(*word)).sum::<u64>();
        Ok(())
    })?;
    let mut words: Vec<u64> = memory::with_capacity(sizes as usize)?;
    let pieces: Vec<Vec<&[u8]>> = (0..p as usize)
        .map(|to| oriented.iter().map(|words| bytes_of(&words[to])).collect())
        .collect();
    ranks.all_to_all(&pieces, |_, bytes| words_of(bytes, &mut words))?;
    let me = ranks.rank();
    debug_assert!(words.iter().all(|word| (word >> 32) as u32 % p == me));
    Ok(words)
}

/// This rank's rows.
pub(super) struct Cleaned {
    /// How long each is.
    pub lengths: Vec<u32>,
    /// The rows, one after another.
    pub heads: Vec<u32>,
    pub duplicates: u64,
    pub reciprocal: u64,
    /// By rank of vertex: how many duplicates named it.
    pub removed: Vec<u32>,
}

/// How many of `vertices` rows a rank has: those of the tails that are its number modulo the number of ranks.
fn rows_of(rank: u32, ranks: u32, vertices: usize) -> usize {
    (vertices + ranks as usize - 1 - rank as usize) / ranks as usize
}

/// Turns words into sorted rows without duplicates.
pub(super) fn clean(
    ranks: &Ranks,
    words: Vec<u64>,
    bits: u32,
    vertices: usize,
    context: &Context,
) -> Result<Cleaned> {
    let (p, me) = (ranks.ranks(), ranks.rank());
    let own_rows = rows_of(me, p, vertices);
    let zeros: Vec<u32> = memory::zeroed(vertices)?;
    // In the same memory, as below.
    let removed: Vec<AtomicU32> = zeros.into_iter().map(AtomicU32::new).collect();
    let (duplicates, reciprocal) = (AtomicU64::new(0), AtomicU64::new(0));
    let buckets = Buckets::new(words, p, own_rows)?;
    context.cancel().check()?;
    let cleaned = par::try_map(0..buckets.tails.len(), |bucket| -> Result<BucketRows> {
        context.cancel().check()?;
        let mut rows = gather_bucket(buckets.tails[bucket].clone(), buckets.pieces(bucket))?;
        let dropped = sort_and_dedup(&mut rows, bits, |row, head| {
            removed[(row * p + me) as usize].fetch_add(1, Relaxed);
            removed[head as usize].fetch_add(1, Relaxed);
        });
        duplicates.fetch_add(dropped.duplicates, Relaxed);
        reciprocal.fetch_add(dropped.reciprocal, Relaxed);
        Ok(rows)
    })?;
    drop(buckets);
    let mut lengths: Vec<u32> = memory::with_capacity(own_rows)?;
    let mut heads: Vec<u32> =
        memory::with_capacity(cleaned.iter().map(|rows| rows.heads.len()).sum())?;
    for rows in cleaned {
        let mut begin = 0;
        // A row is shorter than 2³², as its heads differ.
        lengths
            .extend(rows.ends.iter().map(|&end| (end - std::mem::replace(&mut begin, end)) as u32));
        heads.extend_from_slice(&rows.heads);
    }
    let removed = removed.into_iter().map(AtomicU32::into_inner).collect();
    let (duplicates, reciprocal) = (duplicates.into_inner(), reciprocal.into_inner());
    Ok(Cleaned { lengths, heads, duplicates, reciprocal, removed })
}

/// Words of a chunk, which one task groups: its two copies stay in a core's second-level cache.
const CHUNK: usize = 1 << 16;

/// Words of a bucket, about, for the same reason.
const BUCKET: u64 = 1 << 16;

/// The most buckets, and the most blocks of rows of which buckets are made.
const MOST_BUCKETS: u64 = 1 << 11;
const MOST_BLOCKS: usize = 1 << 12;

/// Words grouped by ranges of their rows: `row << 32` in place of `tail << 32`.
struct Buckets {
    /// The grouped words of one chunk after another.
    words: Vec<u64>,
    /// Per chunk: where in it each bucket starts; one more than buckets.
    starts: Vec<Vec<u32>>,
    /// The rows of each bucket.
    tails: Vec<Range<u32>>,
}

impl Buckets {
    fn new(words: Vec<u64>, ranks: u32, rows: usize) -> Result<Buckets> {
        let block_bits = rows.div_ceil(MOST_BLOCKS).next_power_of_two().ilog2();
        let blocks = rows.div_ceil(1 << block_bits);
        let row = |word: u64| (word >> 32) as u32 / ranks;
        let block = |word: u64| (row(word) >> block_bits) as usize;
        let none = || vec![0u64; blocks];
        let sums = Spare::new();
        par::for_each(words.chunks(CHUNK), |words| {
            sums.with(none, |sizes| words.iter().for_each(|&word| sizes[block(word)] += 1));
        });
        let mut sizes = none();
        for others in sums.into_values() {
            sizes.iter_mut().zip(others).for_each(|(size, other)| *size += other);
        }
        let most = BUCKET.max((words.len() as u64).div_ceil(MOST_BUCKETS));
        let (tails, bucket_of_block) = cut_blocks(&sizes, 1 << block_bits, rows, most);
        let bucket = |word: u64| bucket_of_block[block(word)] as usize;
        let mut grouped: Vec<u64> = memory::zeroed(words.len())?;
        let chunks = grouped.chunks_mut(CHUNK).zip(words.chunks(CHUNK));
        let starts = par::map(chunks, |(grouped, words)| {
            let mut starts = vec![0u32; tails.len() + 1];
            words.iter().for_each(|&word| starts[bucket(word)] += 1);
            let mut end = 0;
            for start in &mut starts {
                end += *start;
                *start = end;
            }
            // Each start stands at its bucket's end now and comes down to where it belongs.
            for &word in words.iter().rev() {
                let start = &mut starts[bucket(word)];
                *start -= 1;
                grouped[*start as usize] = u64::from(row(word)) << 32 | word & 0xffff_ffff;
            }
            starts
        });
        Ok(Buckets { words: grouped, starts, tails })
    }

    /// A bucket's words, in pieces.
    fn pieces(&self, bucket: usize) -> impl Iterator<Item = &[u64]> + Clone {
        self.words.chunks(CHUNK).zip(&self.starts).map(move |(words, starts)| {
            &words[starts[bucket] as usize..starts[bucket + 1] as usize]
        })
    }
}

/// Brings the lengths of all rows to all ranks: where each row begins among all, and the last ends.
pub(super) fn offsets(ranks: &Ranks, lengths: &[u32], vertices: usize) -> Result<Vec<u64>> {
    let p = ranks.ranks() as usize;
    let mut offsets: Vec<u64> = memory::zeroed(vertices + 1)?;
    let mut next: Vec<usize> = (0..p).collect();
    ranks.all_gather_into(bytes_of(lengths), |from, bytes| {
        let tail = &mut next[from as usize];
        for length in bytes.as_chunks::<4>().0 {
            let offset = offsets.get_mut(*tail + 1).ok_or_else(|| wrong_length(from))?;
            *offset = u32::from_le_bytes(*length).into();
            *tail += p;
        }
        Ok(())
    })?;
    for rank in 0..vertices {
        offsets[rank + 1] += offsets[rank];
    }
    Ok(offsets)
}

/// This rank's rows, one after another, as if their tails were 0, 1, 2, …
pub(super) fn own(lengths: &[u32], heads: Vec<u32>) -> Result<RowRange> {
    let mut offsets: Vec<u64> = memory::zeroed(lengths.len() + 1)?;
    for (at, &length) in lengths.iter().enumerate() {
        offsets[at + 1] = offsets[at] + u64::from(length);
    }
    Ok(RowRange { first: 0, offsets, heads })
}

/// Brings the rows of some consecutive tails to all ranks: their heads.
pub(super) fn gather(
    ranks: &Ranks,
    offsets: &[u64],
    own: &RowRange,
    tails: Range<usize>,
) -> Result<Vec<u32>> {
    let p = ranks.ranks() as usize;
    // How many of a rank's rows have a smaller tail.
    let before = |rank: usize, tail: usize| (tail + p - 1 - rank) / p;
    let me = ranks.rank() as usize;
    let [begin, end] = [tails.start, tails.end].map(|tail| own.offsets[before(me, tail)] as usize);
    let base = offsets[tails.start];
    let mut heads: Vec<u32> = memory::zeroed((offsets[tails.end] - base) as usize)?;
    // The row that comes next from each rank, and how much of it has come.
    let mut next: Vec<(usize, usize)> =
        (0..p).map(|rank| (before(rank, tails.start) * p + rank, 0)).collect();
    ranks.all_gather_into(bytes_of(&own.heads[begin..end]), |from, bytes| {
        let (tail, at) = &mut next[from as usize];
        let mut rest = bytes.as_chunks::<4>().0;
        while !rest.is_empty() {
            if *tail >= tails.end {
                return Err(wrong_length(from));
            }
            let row = (offsets[*tail] - base) as usize..(offsets[*tail + 1] - base) as usize;
            let to = &mut heads[row.start + *at..row.end];
            let come = to.len().min(rest.len());
            for (to, head) in to.iter_mut().zip(&rest[..come]) {
                *to = u32::from_le_bytes(*head);
            }
            rest = &rest[come..];
            *at += come;
            if row.start + *at == row.end {
                (*tail, *at) = (*tail + p, 0);
            }
        }
        Ok(())
    })?;
    Ok(heads)
}

/// A rank that sent more than was agreed.
pub(super) fn wrong_length(rank: u32) -> Error {
    Error::Rank { rank, message: "it sent more than its share".into() }
}

/// Words as bytes, in the order that all ranks have.
pub(super) fn bytes_of<T: bytemuck::NoUninit>(words: &[T]) -> &[u8] {
    bytemuck::cast_slice(words)
}

/// Appends the words that some bytes are.
pub(super) fn words_of<T: bytemuck::AnyBitPattern>(bytes: &[u8], to: &mut Vec<T>) -> Result<()> {
    memory::reserve(to, bytes.len() / size_of::<T>())?;
    to.extend(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>));
    Ok(())
}
