//! Rows: every entry goes to the rank that has its tail, is sorted there, and comes back to all as part of a row.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::control::{Context, memory};
use crate::graph::OrientedGraph;
use crate::ranks::Ranks;
use crate::{Error, Result};

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
    let oriented: Vec<Vec<Vec<u64>>> = blocks
        .into_par_iter()
        .map(|block| {
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
            Ok(words)
        })
        .collect::<Result<_>>()?;
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
    /// An edge each, ascending.
    pub words: Vec<u64>,
    pub duplicates: u64,
    pub reciprocal: u64,
    /// By rank of vertex: how many duplicates named it.
    pub removed: Vec<u32>,
}

/// Sorts words and drops duplicates.
pub(super) fn clean(
    mut words: Vec<u64>,
    bits: u32,
    ranks: usize,
    context: &Context,
) -> Result<Cleaned> {
    words.par_sort_unstable();
    context.cancel().check()?;
    let zeros: Vec<u32> = memory::zeroed(ranks)?;
    // In the same memory, as below.
    let removed: Vec<AtomicU32> = zeros.into_iter().map(AtomicU32::new).collect();
    let (duplicates, reciprocal) = (AtomicU64::new(0), AtomicU64::new(0));
    words.par_windows(2).for_each(|pair| {
        let [before, word] = *pair else { return };
        if before >> bits == word >> bits {
            duplicates.fetch_add(1, Relaxed);
            // The entries of an edge are sorted by their direction, which changes once at most.
            reciprocal.fetch_add(u64::from(before != word), Relaxed);
            removed[(word >> 32) as usize].fetch_add(1, Relaxed);
            removed[(word as u32 >> bits) as usize].fetch_add(1, Relaxed);
        }
    });
    words.dedup_by_key(|word| *word >> bits);
    words.shrink_to_fit();
    let removed = removed.into_iter().map(AtomicU32::into_inner).collect();
    let (duplicates, reciprocal) = (duplicates.into_inner(), reciprocal.into_inner());
    Ok(Cleaned { words, duplicates, reciprocal, removed })
}

/// Brings all rows to all ranks.
pub(super) fn gather(
    ranks: &Ranks,
    words: Vec<u64>,
    bits: u32,
    vertex_of_rank: Vec<u32>,
    context: &Context,
) -> Result<OrientedGraph> {
    let (p, me) = (ranks.ranks() as usize, ranks.rank() as usize);
    let n = vertex_of_rank.len();
    let rows_of = |rank: usize| (n + p - 1 - rank) / p;
    let mut lengths: Vec<u32> = memory::zeroed(rows_of(me))?;
    for &word in &words {
        lengths[(word >> 32) as usize / p] += 1;
    }
    let mut offsets: Vec<u64> = memory::zeroed(n + 1)?;
    let mut next: Vec<usize> = (0..p).collect();
    ranks.all_gather_into(bytes_of(&lengths), |from, bytes| {
        let tail = &mut next[from as usize];
        for length in bytes.as_chunks::<4>().0 {
            let offset = offsets.get_mut(*tail + 1).ok_or_else(|| wrong_length(from))?;
            *offset = u32::from_le_bytes(*length).into();
            *tail += p;
        }
        Ok(())
    })?;
    drop(lengths);
    for rank in 0..n {
        offsets[rank + 1] += offsets[rank];
    }
    context.cancel().check()?;
    let own: Vec<u32> = {
        let mut own = memory::with_capacity(words.len())?;
        own.extend(words.iter().map(|&word| word as u32 >> bits));
        own
    };
    drop(words);
    let mut heads: Vec<u32> = memory::zeroed(offsets[n] as usize)?;
    // The row that comes next from each rank, and how much of it has come.
    let mut next: Vec<(usize, usize)> = (0..p).map(|rank| (rank, 0)).collect();
    ranks.all_gather_into(bytes_of(&own), |from, bytes| {
        let (tail, at) = &mut next[from as usize];
        let mut rest = bytes.as_chunks::<4>().0;
        while !rest.is_empty() {
            let row = match offsets.get(*tail..*tail + 2) {
                Some(&[begin, end]) => begin as usize..end as usize,
                _ => return Err(wrong_length(from)),
            };
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
    Ok(OrientedGraph { offsets, heads, vertex_of_rank })
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
    let refused = |_| Error::from(memory::NoMemory { bytes: bytes.len() as u64 });
    to.try_reserve(bytes.len() / size_of::<T>()).map_err(refused)?;
    to.extend(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned::<T>));
    Ok(())
}

/// A copy of a block.
pub(super) fn copy<T: Copy>(block: &[T]) -> Result<Vec<T>> {
    let mut copied = memory::with_capacity(block.len())?;
    copied.extend_from_slice(block);
    Ok(copied)
}
