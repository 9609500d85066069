//! Support: the triangles on every edge, part by part as in counting.
//!
//! A part's edges have counters in memory. The rows that come past it have theirs in a scratch file, which each part reads
//! and writes anew: what the part adds to them is known when they are past. An edge's number is whole once its own part
//! was the one in memory.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::no_memory;
use super::past::Finder;
use super::rows::{Chunk, RowFile};
use super::scratch::{Record, Scratch, ScratchFile};
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{RowRange, Rows};
use crate::plan::Sizes;
use tribin_base::par;
use tribin_cpu::forward::{RowSink, Sink, Thirds};

/// A number for each edge, in records of the chunks of its rows.
pub(super) struct Numbers<'s> {
    file: ScratchFile<'s>,
    /// The first chunk that has a record here.
    first: usize,
    records: Vec<Record>,
}

impl<'s> Numbers<'s> {
    pub fn none(file: ScratchFile<'s>, first: usize) -> Numbers<'s> {
        Numbers { file, first, records: Vec::new() }
    }

    /// The numbers of a chunk's edges, in memory that is used again.
    pub fn read(&self, chunk: usize, numbers: &mut Vec<u32>) -> Result<()> {
        self.file.read(self.records[chunk - self.first], numbers)
    }

    /// Takes the file away.
    pub fn remove(self) -> Result<()> {
        self.file.remove()
    }

    /// Adds the numbers of the chunk behind the last; the first of all may be any.
    pub fn push(&mut self, chunk: usize, numbers: &[u32]) -> Result<()> {
        if self.records.is_empty() {
            self.first = chunk;
        }
        assert_eq!(chunk, self.end(), "numbers of chunks in their order");
        memory::reserve(&mut self.records, 1).map_err(no_memory)?;
        self.records.push(self.file.append(numbers)?);
        Ok(())
    }

    /// One past the last chunk that has numbers.
    pub fn end(&self) -> usize {
        self.first + self.records.len()
    }

    /// The numbers of a chunk's edges: zeros, where there are none of any.
    pub fn of_chunk(&self, (index, chunk): (usize, &Chunk), numbers: &mut Vec<u32>) -> Result<()> {
        if !self.records.is_empty() {
            return self.read(index, numbers);
        }
        let heads = chunk.heads as usize;
        numbers.clear();
        memory::reserve_exact(numbers, heads).map_err(no_memory)?;
        numbers.resize(heads, 0);
        Ok(())
    }

    /// Adds records of the chunks behind the last, in any order.
    fn extend(&mut self, mut records: Vec<(usize, Record)>) {
        records.sort_unstable_by_key(|&(chunk, _)| chunk);
        self.records.extend(records.into_iter().map(|(_, record)| record));
    }
}

/// The triangles on each edge, and the number of parts. O(m^1.5) work; memory: 4 bytes for each edge of a part beside its
/// rows, and a chunk more for each thread. Scratch files: 12 bytes an edge at the most, and 4 of them are left.
///
/// An edge is on at most n - 2 triangles, which is below 2³²: no number overflows.
pub(super) fn support<'s>(
    rows: &RowFile,
    scratch: &'s Scratch,
    sizes: &Sizes,
    context: &Context,
) -> Result<(Numbers<'s>, u64)> {
    let ranks = rows.chunks.last().map_or(0, |chunk| chunk.ranks().end as usize);
    let parts = rows.parts(sizes.part_bytes);
    context.work().begin(parts.iter().map(|part| (rows.chunks.len() - part.start) as u64).sum());
    let mut whole = Numbers::none(scratch.file("support".into()), 0);
    let mut so_far = Numbers::none(scratch.file("support-0".into()), 0);
    for (number, part) in parts.iter().enumerate() {
        // What the part before took goes back, before this one takes as much.
        memory::give_back();
        let held = rows.part(part.clone())?;
        let zeros: Vec<u32> = memory::zeroed(held.heads.len()).map_err(no_memory)?;
        // In the same memory.
        let counters: Vec<AtomicU32> = zeros.into_iter().map(AtomicU32::new).collect();
        let finder = Finder::new(&held, ranks, true, sizes.hub_bytes)?;
        let mut past = Numbers::none(scratch.file(format!("support-{}", number + 1)), part.end);
        let written = Mutex::default();
        let visit = |of: &RowRange, tails: Range<u32>, own: Own<'_>| {
            finder.find(of, tails, &mut SupportSink::new(&counters, own), context)
        };
        workers::each(
            rows.chunks.len() - part.start,
            context,
            || Ok((RowRange::default(), Vec::new())),
            |(chunk, numbers), index| {
                let index = part.start + index;
                let tails = rows.chunks[index].ranks();
                if part.contains(&index) {
                    return visit(&held, tails, Own::Held);
                }
                rows.chunk(index, chunk)?;
                so_far.of_chunk((index, &rows.chunks[index]), numbers)?;
                visit(chunk, tails, Own::Past(&mut numbers[..]))?;
                keep(&written, (index, past.file.append(numbers)?))
            },
            |_| Ok(()),
        )?;
        past.extend(written.into_inner().unwrap_or_else(PoisonError::into_inner));
        let written = Mutex::default();
        par::try_for_each(part.clone(), |index| {
            context.cancel().check()?;
            let chunk = &rows.chunks[index];
            let mut numbers = Vec::new();
            so_far.of_chunk((index, chunk), &mut numbers)?;
            let start = held.offsets[(chunk.first - held.first) as usize] as usize;
            for (number, counter) in numbers.iter_mut().zip(&counters[start..]) {
                *number += counter.load(Relaxed);
            }
            keep(&written, (index, whole.file.append(&numbers)?))
        })?;
        whole.extend(written.into_inner().unwrap_or_else(PoisonError::into_inner));
        std::mem::replace(&mut so_far, past).remove()?;
    }
    Ok((whole, parts.len() as u64))
}

fn keep(written: &Mutex<Vec<(usize, Record)>>, record: (usize, Record)) -> Result<()> {
    let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
    memory::reserve(&mut written, 1).map_err(no_memory)?;
    written.push(record);
    Ok(())
}

/// Where the numbers of the rows are that are visited.
enum Own<'a> {
    /// With those of the part, whose rows they are.
    Held,
    /// In numbers of the chunk's own.
    Past(&'a mut [u32]),
}

struct SupportSink<'a> {
    held: PartCounters<'a>,
    own: Own<'a>,
    /// Triangles on the edges of the row that is being visited.
    in_row: Vec<u32>,
    /// The first edge of the row of the middle rank.
    at_edge: usize,
    p: usize,
}

impl<'a> SupportSink<'a> {
    fn new(held: &'a [AtomicU32], own: Own<'a>) -> SupportSink<'a> {
        SupportSink { held: PartCounters(held), own, in_row: Vec::new(), at_edge: 0, p: 0 }
    }
}

/// Counters of the edges of the part.
struct PartCounters<'a>(&'a [AtomicU32]);

impl Thirds for PartCounters<'_> {
    const WANTED: bool = true;

    #[inline(always)]
    fn add(&mut self, edge: usize) {
        self.0[edge].fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn lowest(&mut self) -> &mut [u8] {
        &mut []
    }

    fn carry(&mut self, _: usize) {
        unreachable!("no bits are apart")
    }
}

impl<'a> RowSink<RowRange> for SupportSink<'a> {
    type Thirds = PartCounters<'a>;

    #[inline(always)]
    fn thirds(&mut self) -> &mut PartCounters<'a> {
        &mut self.held
    }

    #[inline(always)]
    fn row(&mut self, tails: &RowRange, u: u32, counts: &[u32]) {
        let start = tails.first_place(u);
        match &mut self.own {
            Own::Held => {
                for (counter, &count) in self.held.0[start..].iter().zip(counts) {
                    if count > 0 {
                        counter.fetch_add(count, Relaxed);
                    }
                }
            }
            Own::Past(numbers) => {
                // The lengths of a chunk's rows stand before their heads.
                let start = start - tails.offsets[0] as usize;
                let numbers = numbers[start..].iter_mut();
                numbers.zip(counts).for_each(|(number, count)| *number += count);
            }
        }
    }
}

impl Sink<RowRange, RowRange> for SupportSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, tails: &RowRange, u: u32) {
        self.in_row.clear();
        self.in_row.resize(tails.row(u).len(), 0);
    }

    #[inline(always)]
    fn begin_edge(&mut self, heads: &RowRange, p: usize, a: u32) {
        self.at_edge = heads.first_place(a);
        self.p = p;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        self.in_row[q] += 1;
        self.in_row[self.p] += 1;
        self.held.add(self.at_edge + r);
    }

    #[inline(always)]
    fn end_row(&mut self, tails: &RowRange, u: u32) {
        let in_row = std::mem::take(&mut self.in_row);
        self.row(tails, u, &in_row);
        self.in_row = in_row;
    }
}
