//! Triangles found on the CPU: the rows of one part are in memory, and those of all larger ranks come past it, chunk by chunk.
//!
//! A triangle is found in the part that has the row of its middle rank: where the row of its largest rank comes
//! past, or is in the part itself. Smaller ranks have no such row in the part, and are not read.
//!
//! A part's edges have counters in memory. The rows that come past it have theirs in a scratch file: each part adds there what it
//! found. An edge's number is whole once the part with its row was in memory.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::no_memory;
use super::past::{DiskWork, PartFinder, Past, each_part};
use super::support::EdgeNumberFile;
use crate::Result;
use crate::control::memory;
use crate::graph::RowRange;
use crate::plan::Task;
use tribin_analytics::cpu::support::{EdgeCounters, RankSink};
use tribin_base::par;
use tribin_cpu::forward::{Counter, RowSink};
use tribin_parts::FoundInParts;

/// Finds what a task wants: all triangles, those at each rank, or those on each edge, which are added to `file`. O(m^1.5) work.
/// Memory beside the rows of a part: 8 bytes a rank, or 4 for each edge of the part and a chunk more for each thread.
pub(super) fn find(work: DiskWork, task: Task, file: &EdgeNumberFile) -> Result<FoundInParts> {
    let DiskWork { rows, sizes, context, .. } = work;
    let triangles = AtomicU64::new(0);
    // A vertex of degree d has at most d(d-1)/2 triangles, which is below 2⁶³.
    let ranks = if task == Task::AtVertices { rows.ranks() } else { 0 };
    let at_ranks: Vec<AtomicU64> = memory::zeroed(ranks).map_err(no_memory)?;
    let parts = each_part(work, |past| {
        match task {
            Task::Count => {
                let counter = Counter::new(&past.held, rows.ranks(), sizes.hub_bytes);
                past.each(
                    || (),
                    |(), of, index| {
                        triangles.fetch_add(counter.count(of, rows.chunks[index].ranks()), Relaxed);
                        Ok(())
                    },
                )?;
            }
            Task::AtVertices => {
                let finder = PartFinder::new(&past.held, rows.ranks(), false, sizes.hub_bytes)?;
                let sinks = past.each(
                    || RankSink::new(&at_ranks),
                    |sink, of, index| finder.find(of, rows.chunks[index].ranks(), sink, context),
                )?;
                sinks.into_iter().for_each(RankSink::finish);
            }
            _ => on_edges(past, file)?,
        }
        Ok(true)
    })?;
    // In the same memory.
    let at_ranks = at_ranks.into_iter().map(AtomicU64::into_inner).collect();
    let triangles = triangles.into_inner();
    Ok(FoundInParts { triangles, at_ranks, parts, ..FoundInParts::default() })
}

/// Finds the triangles on each edge whose middle ranks are in a part.
///
/// An edge is on at most n - 2 triangles, which is below 2³²: no number overflows.
fn on_edges(past: &Past, file: &EdgeNumberFile) -> Result<()> {
    let Past { work: DiskWork { rows, sizes, context, .. }, held, .. } = past;
    let counters: Vec<AtomicU32> = memory::zeroed(held.heads.len()).map_err(no_memory)?;
    let finder = PartFinder::new(held, rows.ranks(), true, sizes.hub_bytes)?;
    past.each(Vec::new, |numbers, of, index| {
        let is_held = past.part.contains(&index);
        if !is_held {
            file.read(index, numbers)?;
        }
        let past = (!is_held).then_some(&mut numbers[..]);
        let mut sink = SupportSink { held: EdgeCounters::new(&counters), past };
        finder.find(of, rows.chunks[index].ranks(), &mut sink, context)?;
        if is_held { Ok(()) } else { file.write(index, numbers) }
    })?;
    par::try_for_each(past.part.clone(), |index| {
        context.cancel().check()?;
        let first = rows.chunks[index].first - held.first;
        let start = held.offsets[first as usize] as usize;
        file.add_to(index, &mut counters[start..].iter().map(|counter| counter.load(Relaxed)))
    })
}

/// Adds to the counters of the part's edges, and to the numbers of a chunk that comes past.
struct SupportSink<'a> {
    held: EdgeCounters<'a>,
    /// The numbers of the rows that are visited; `None` where these are rows of the part.
    past: Option<&'a mut [u32]>,
}

impl<'a> RowSink for SupportSink<'a> {
    type Thirds = EdgeCounters<'a>;

    #[inline(always)]
    fn thirds(&mut self) -> &mut EdgeCounters<'a> {
        &mut self.held
    }

    #[inline(always)]
    fn row(&mut self, tails: &RowRange, u: u32, counts: &[u32]) {
        let Some(numbers) = &mut self.past else { return self.held.row(tails, u, counts) };
        let numbers = numbers[tails.first_place(u)..].iter_mut();
        numbers.zip(counts).for_each(|(number, count)| *number += count);
    }
}
