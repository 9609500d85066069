//! Clean: the entries of each bucket become sorted rows without duplicates, and go to the file of rows.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::distribute::Bucket;
use super::no_memory;
use super::pile::{Pile, append_records};
use super::rows::{Chunk, ROWS};
use super::scratch::{Record, Scratch, ScratchFile};
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{DOWN, Summary, UP};
use crate::plan::{CHUNK_WEDGES, Sizes};
use tribin_cpu::prepare::bucket::direction_bits;
use tribin_cpu::prepare::rows::{
    BucketRows, Dropped, degree_figures, gather, sort_and_dedup, take_off,
};

/// Turns buckets into rows, and takes the figures. `degrees` counts entries at each rank, modulo 2³²; each duplicate
/// is taken off at both its ends. Edges keep their directions where there are `directions`, which every edge has beside its own.
pub(super) fn clean(
    buckets: Vec<Bucket<'_>>,
    (degrees, directions): (&[AtomicU32], Option<u8>),
    (scratch, sizes): (&Scratch, &Sizes),
    context: &Context,
) -> Result<(Vec<Chunk>, Summary)> {
    let file = scratch.file(ROWS.into());
    let chunks = Mutex::new(Vec::new());
    let (duplicates, reciprocal) = (AtomicU64::new(0), AtomicU64::new(0));
    context.work().begin(buckets.len() as u64);
    workers::each(
        buckets.len(),
        context,
        || Ok(Vec::new()),
        |content, index| {
            let Bucket { tails, entries } = &buckets[index];
            let cleaned =
                sorted(tails.clone(), entries, sizes.bucket_entries, (degrees, directions))?;
            let CleanBucket { rows, directions, dropped } = cleaned;
            duplicates.fetch_add(dropped.duplicates, Relaxed);
            reciprocal.fetch_add(dropped.reciprocal, Relaxed);
            entries.file.remove()?;
            let written = write((&rows, &directions), &file, sizes, content)?;
            let mut chunks = chunks.lock().unwrap_or_else(PoisonError::into_inner);
            memory::reserve(&mut chunks, written.len()).map_err(no_memory)?;
            chunks.extend(written);
            Ok(())
        },
    )?;
    let mut chunks = chunks.into_inner().unwrap_or_else(PoisonError::into_inner);
    chunks.sort_unstable_by_key(|chunk: &Chunk| chunk.first);
    let mut figures = degree_figures(degrees);
    figures.edges = chunks.iter().map(|chunk| u64::from(chunk.heads)).sum();
    figures.duplicates_dropped = duplicates.into_inner();
    let told_apart = direction_bits(degrees.len()) > 0 || figures.duplicates_dropped == 0;
    figures.reciprocal_dropped = told_apart.then_some(reciprocal.into_inner());
    Ok((chunks, figures))
}

/// A bucket without duplicates.
struct CleanBucket {
    rows: BucketRows,
    /// The directions of each edge, where these are kept.
    directions: Vec<u8>,
    dropped: Dropped,
}

/// The rows of a bucket, their directions, and the duplicates that were dropped. At most `most` entries are in memory at a time, or those
/// that are different and half as many more.
fn sorted(
    tails: Range<u32>,
    entries: &Pile,
    most: u64,
    (degrees, directions): (&[AtomicU32], Option<u8>),
) -> Result<CleanBucket> {
    let most = most.max(1 << 10);
    let mut words: Vec<u64> = Vec::new();
    let records = entries.take_records();
    let (mut repeated, mut rest) = (0, &records[..]);
    while !rest.is_empty() {
        let room = most.saturating_sub(words.len() as u64).max(most / 2);
        let mut taken = 0;
        let portion = rest.iter().take_while(|record| {
            let first = taken == 0;
            taken += record.elements::<u64>() as u64;
            first || taken <= room
        });
        let (portion, others) = rest.split_at(portion.count());
        let more = portion.iter().map(Record::elements::<u64>).sum();
        memory::reserve_exact(&mut words, more).map_err(no_memory)?;
        append_records(&entries.file, portion, &mut words)?;
        rest = others;
        // More entries than the tails can have heads, in all but the lowest ranks: many are duplicates.
        if portion.len() < records.len() {
            words.sort_unstable();
            repeated += drop_repeated(&mut words, degrees);
        }
    }
    let mut rows = gather(tails, std::iter::once(&words[..]))?;
    drop(words);
    let mut of_edges = Vec::new();
    if directions.is_some() {
        memory::reserve_exact(&mut of_edges, rows.heads.len()).map_err(no_memory)?;
    }
    let keep = |row: &[u32]| {
        let Some(of_all) = directions else { return };
        let direction = |entry: &u32| if entry & 1 == 1 { DOWN } else { UP };
        let edges = row.chunk_by(|entry, next| entry >> 1 == next >> 1);
        of_edges.extend(edges.map(|entries| {
            entries.iter().fold(of_all, |directions, entry| directions | direction(entry))
        }));
    };
    let bits = direction_bits(degrees.len());
    let mut dropped = sort_and_dedup(&mut rows, bits, keep, take_off(degrees));
    dropped.duplicates += repeated;
    Ok(CleanBucket { rows, directions: of_edges, dropped })
}

/// Drops words that are equal to the one before, off the degrees of both their ends as well.
fn drop_repeated(words: &mut Vec<u64>, degrees: &[AtomicU32]) -> u64 {
    let (before, bits) = (words.len(), direction_bits(degrees.len()));
    let mut take_off = take_off(degrees);
    words.dedup_by(|word, other| {
        let same = word == other;
        if same {
            take_off((*word >> 32) as u32, *word as u32 >> bits);
        }
        same
    });
    (before - words.len()) as u64
}

/// Writes rows chunk by chunk: the lengths of a chunk's rows, and then their heads; and behind them their directions, where there are
/// some.
fn write(
    (rows, directions): (&BucketRows, &[u8]),
    file: &ScratchFile,
    sizes: &Sizes,
    content: &mut Vec<u32>,
) -> Result<Vec<Chunk>> {
    let mut chunks = Vec::new();
    let BucketRows { tails, ends, heads } = rows;
    let (mut row, mut begin) = (0, 0);
    while row < ends.len() {
        let (first, from) = (row, begin);
        let (mut wedges, mut longest) = (0u64, 0);
        content.clear();
        while row < ends.len()
            && begin - from < sizes.chunk_heads
            && row - first < sizes.chunk_rows
            && wedges < CHUNK_WEDGES
        {
            let length = ends[row] - begin;
            content.push(length as u32);
            longest = longest.max(length as u32);
            wedges += (length * length.saturating_sub(1) / 2) as u64;
            begin = ends[row];
            row += 1;
        }
        content.extend_from_slice(&heads[from..begin]);
        let record = file.append(content)?;
        let directions = directions.get(from..begin).map(|own| file.append(own)).transpose()?;
        chunks.push(Chunk {
            first: tails.start + first as u32,
            rows: (row - first) as u32,
            heads: (begin - from) as u32,
            longest,
            wedges,
            record,
            directions,
        });
    }
    Ok(chunks)
}
