//! Clean on the CPU: rows sorted, duplicates dropped, figures taken.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::bucket::EdgeBuckets;
use super::sort::RowSort;
use crate::Result;
use crate::control::Context;
use crate::control::memory::{self, NoMemory};
use crate::graph::{OrientedGraph, Summary};
use tribin_base::par;

/// The rows of one bucket.
pub struct BucketRows {
    /// The ranks whose rows these are.
    pub tails: Range<u32>,
    /// Where each row ends in `heads`.
    pub ends: Vec<usize>,
    /// The rows, one after another. Until they are sorted, heads with the direction of their entry, as in [`EdgeBuckets`].
    pub heads: Vec<u32>,
}

/// Entries of a bucket that were dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// All duplicates that were dropped.
    pub duplicates: u64,
    /// The first of each edge in its other direction; 0 without directions.
    pub reciprocal: u64,
}

/// Turns grouped edges into sorted rows without duplicates, and takes the figures.
///
/// `degree_of_rank` counts entries, duplicates included, modulo 2³². Every duplicate that is
/// dropped is taken off at both its ends; a simple degree is below 2³², so the difference is exact.
pub fn rows(
    buckets: EdgeBuckets,
    vertex_of_rank: Vec<u32>,
    degree_of_rank: Vec<u32>,
    self_loops: u64,
    context: &Context,
) -> Result<(OrientedGraph, Summary)> {
    let ranks = vertex_of_rank.len();
    let degrees: Vec<AtomicU32> = degree_of_rank.into_iter().map(AtomicU32::new).collect();
    let direction_bits = buckets.direction_bits();
    let (duplicates, reciprocal) = (AtomicU64::new(0), AtomicU64::new(0));
    let cleaned = par::try_map(0..buckets.len(), |bucket| -> Result<BucketRows> {
        context.cancel().check()?;
        let mut rows = gather(buckets.tails(bucket), buckets.pieces(bucket))?;
        context.work().add(rows.heads.len() as u64);
        let dropped = sort_and_dedup(&mut rows, direction_bits, |_| (), take_off(&degrees));
        duplicates.fetch_add(dropped.duplicates, Relaxed);
        reciprocal.fetch_add(dropped.reciprocal, Relaxed);
        Ok(rows)
    })?;
    drop(buckets);

    let (offsets, heads) = concatenate(&cleaned, ranks)?;
    let mut figures = degree_figures(&degrees);
    figures.edges = heads.len() as u64;
    figures.self_loops_dropped = self_loops;
    figures.duplicates_dropped = duplicates.into_inner();
    let told_apart = direction_bits > 0 || figures.duplicates_dropped == 0;
    figures.reciprocal_dropped = told_apart.then_some(reciprocal.into_inner());
    // SAFETY: the rows were sorted and their duplicates dropped here, and heads are ranks below their tails'.
    Ok((unsafe { OrientedGraph::of_rows(offsets, heads, vertex_of_rank) }, figures))
}

/// Brings a bucket's edges, which come in pieces, into rows, by a counting sort.
pub fn gather<'a>(
    tails: Range<u32>,
    pieces: impl Iterator<Item = &'a [u64]> + Clone,
) -> Result<BucketRows, NoMemory> {
    let row = |word: u64| ((word >> 32) as u32 - tails.start) as usize;
    let mut ends: Vec<usize> = memory::zeroed(tails.len())?;
    for piece in pieces.clone() {
        for &word in piece {
            ends[row(word)] += 1;
        }
    }
    let mut total = 0;
    for end in &mut ends {
        // For now the row's start; it moves to the end as the row fills.
        total += std::mem::replace(end, total);
    }
    let mut heads: Vec<u32> = memory::zeroed(total)?;
    for piece in pieces {
        for &word in piece {
            let end = &mut ends[row(word)];
            heads[*end] = word as u32;
            *end += 1;
        }
    }
    Ok(BucketRows { tails, ends, heads })
}

/// Sorts every row, which `sorted` sees then, and drops its duplicates, of which `drop` is told the tail and the head; returns how many
/// there were. The entries of an edge are sorted by their direction, which changes once at most.
pub fn sort_and_dedup(
    rows: &mut BucketRows,
    direction_bits: u32,
    mut sorted: impl FnMut(&[u32]),
    mut drop: impl FnMut(u32, u32),
) -> Dropped {
    let BucketRows { tails, ends, heads } = rows;
    let sort = RowSort::new();
    let mut start = 0;
    let mut kept = 0;
    let mut reciprocal = 0;
    let total = heads.len();
    for (tail, end) in tails.clone().zip(ends) {
        let row = &mut heads[start..*end];
        sort.sort(row);
        sorted(row);
        if !has_duplicates(row, direction_bits) {
            row.iter_mut().for_each(|head| *head >>= direction_bits);
            let length = row.len();
            if kept < start {
                heads.copy_within(start..*end, kept);
            }
            start = *end;
            kept += length;
            *end = kept;
            continue;
        }
        let first = kept;
        let mut before = 0;
        for i in start..*end {
            let entry = heads[i];
            let head = entry >> direction_bits;
            if kept > first && heads[kept - 1] == head {
                reciprocal += u64::from(entry != before);
                drop(tail, head);
            } else {
                heads[kept] = head;
                kept += 1;
            }
            before = entry;
        }
        start = *end;
        *end = kept;
    }
    heads.truncate(kept);
    Dropped { duplicates: (total - kept) as u64, reciprocal }
}

/// Whether a sorted row has an edge twice. Looks at all of it: a loop without an early end is one over vectors.
fn has_duplicates(row: &[u32], direction_bits: u32) -> bool {
    let Some((_, later)) = row.split_first() else { return false };
    let same = |(a, b): (&u32, &u32)| u32::from((a ^ b) >> direction_bits == 0);
    row.iter().zip(later).map(same).sum::<u32>() > 0
}

/// Takes a duplicate off the degrees at both ends.
pub fn take_off(degrees: &[AtomicU32]) -> impl FnMut(u32, u32) {
    |tail, head| {
        degrees[tail as usize].fetch_sub(1, Relaxed);
        degrees[head as usize].fetch_sub(1, Relaxed);
    }
}

/// Puts the rows of all buckets one after another.
fn concatenate(cleaned: &[BucketRows], ranks: usize) -> Result<(Vec<u64>, Vec<u32>), NoMemory> {
    let mut heads: Vec<u32> = memory::zeroed(cleaned.iter().map(|rows| rows.heads.len()).sum())?;
    let mut offsets: Vec<u64> = memory::zeroed(ranks + 1)?;
    let mut rest_heads = heads.as_mut_slice();
    let mut rest_offsets = &mut offsets[1..];
    let mut base = 0;
    let mut places = Vec::with_capacity(cleaned.len());
    for rows in cleaned {
        places.push((
            base,
            rest_heads.split_off_mut(..rows.heads.len()).expect("as long as all rows"),
            rest_offsets.split_off_mut(..rows.ends.len()).expect("as long as all ranks"),
        ));
        base += rows.heads.len();
    }
    par::for_each(cleaned.iter().zip(places), |(rows, (base, heads, offsets))| {
        heads.copy_from_slice(&rows.heads);
        for (offset, end) in offsets.iter_mut().zip(&rows.ends) {
            *offset = (base + end) as u64;
        }
    });
    Ok((offsets, heads))
}

/// The figures that follow from the degrees of the simple graph.
pub fn degree_figures(degrees: &[AtomicU32]) -> Summary {
    let of_block = |degrees: &[AtomicU32]| {
        let mut figures = Summary::default();
        for degree in degrees {
            let degree = u64::from(degree.load(Relaxed));
            figures.vertices += u64::from(degree > 0);
            figures.wedges += u128::from(degree * degree.saturating_sub(1) / 2);
            figures.max_degree = figures.max_degree.max(degree);
        }
        figures
    };
    let mut figures = Summary::default();
    for block in par::map(degrees.chunks(par::BLOCK), of_block) {
        figures.vertices += block.vertices;
        figures.wedges += block.wedges;
        figures.max_degree = figures.max_degree.max(block.max_degree);
    }
    figures
}
