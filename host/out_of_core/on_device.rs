//! Triangles found by a device that has memory for a part of the rows, which come from the scratch files.

use std::ops::Range;

use super::no_memory;
use super::rows::RowFile;
use super::scratch::Scratch;
use super::support::Numbers;
use crate::Result;
use crate::control::{Context, memory};
use crate::plan::{Sizes, Task};
use tribin_base::par;
use tribin_parts::{EdgeNumbers, FoundInParts, HostRows, PartsOnDevice, RowSource};

/// Rows in a scratch file, chunk by chunk.
struct Chunks<'r, 's> {
    rows: &'r RowFile<'s>,
    /// Rows and edges before each chunk, and all of them.
    before: Vec<(u64, u64)>,
}

impl<'r, 's> Chunks<'r, 's> {
    fn new(rows: &'r RowFile<'s>) -> Chunks<'r, 's> {
        let mut before = vec![(0, 0)];
        for chunk in &*rows.chunks {
            let (rows, edges) = before[before.len() - 1];
            before.push((rows + u64::from(chunk.rows), edges + u64::from(chunk.heads)));
        }
        Chunks { rows, before }
    }
}

impl RowSource for Chunks<'_, '_> {
    fn units(&self) -> usize {
        self.rows.chunks.len()
    }

    fn before(&self, unit: usize) -> (u64, u64) {
        self.before[unit]
    }

    fn largest_unit(&self) -> (u64, u64) {
        let chunks = &self.rows.chunks;
        let rows = chunks.iter().map(|chunk| chunk.rows).max().unwrap_or(0);
        let heads = chunks.iter().map(|chunk| chunk.heads).max().unwrap_or(0);
        (rows.into(), heads.into())
    }

    fn wedges(&self) -> u64 {
        self.rows.wedges()
    }

    fn rows(&self, units: Range<usize>, base: u64) -> Result<HostRows<'_>> {
        let first = self.before[units.start].1 - base;
        let rows = self.rows.part(units)?;
        let mut starts: Vec<u32> = memory::zeroed(rows.offsets.len()).map_err(no_memory)?;
        par::fill(&mut starts, |row| (first + rows.offsets[row]) as u32);
        Ok(HostRows { starts, heads: rows.heads.into() })
    }
}

/// Runs a task over the rows on a device, a part at a time.
fn find(
    (device, rows): (&dyn PartsOnDevice, &Chunks<'_, '_>),
    (task, on_edges): (Task, &mut dyn EdgeNumbers),
    sizes: &Sizes,
    context: &Context,
) -> Result<FoundInParts> {
    device.find_in_parts(rows, task, on_edges, sizes.piece_on_host(), context)
}

/// Triangles of the graph.
pub(super) fn count(
    device: &dyn PartsOnDevice,
    rows: &RowFile,
    sizes: &Sizes,
    context: &Context,
) -> Result<FoundInParts> {
    find((device, &Chunks::new(rows)), (Task::Count, &mut ()), sizes, context)
}

/// The triangles at each rank, and the number of parts.
pub(super) fn by_rank(
    device: &dyn PartsOnDevice,
    rows: &RowFile,
    sizes: &Sizes,
    context: &Context,
) -> Result<(Vec<u64>, u64)> {
    let found = find((device, &Chunks::new(rows)), (Task::AtVertices, &mut ()), sizes, context)?;
    Ok((found.at_ranks, found.parts))
}

/// The triangles on each edge, and the number of parts. The scratch files are those of
/// [`support`](super::support::support), under other names: where the device fails, the CPU begins anew.
pub(super) fn support<'s>(
    device: &dyn PartsOnDevice,
    rows: &RowFile,
    scratch: &'s Scratch,
    sizes: &Sizes,
    context: &Context,
) -> Result<(Numbers<'s>, u64)> {
    let chunks = Chunks::new(rows);
    let file = |part| scratch.file(format!("support-on-device-{part}"));
    let mut numbers = InFiles {
        rows,
        scratch,
        whole: Numbers::none(scratch.file("support-on-device".into()), 0),
        so_far: Numbers::none(file(0), 0),
        past: Numbers::none(file(1), 0),
        parts: 0,
        own: Vec::new(),
    };
    let found = find((device, &chunks), (Task::OnEdges, &mut numbers), sizes, context)?;
    // Rows without edges at the end have no part.
    let all = rows.chunks.len();
    numbers.finish(all..all, &[])?;
    let InFiles { whole, so_far, .. } = numbers;
    so_far.remove()?;
    Ok((whole, found.parts))
}

/// Numbers of triangles in scratch files. The rows behind a part have theirs there until their own part is through.
struct InFiles<'r, 's> {
    rows: &'r RowFile<'r>,
    scratch: &'s Scratch,
    /// Numbers of the parts that are through.
    whole: Numbers<'s>,
    /// What the parts before this one added to the rows behind them.
    so_far: Numbers<'s>,
    /// What the parts up to and with this one added to the rows behind them.
    past: Numbers<'s>,
    parts: u64,
    /// The numbers of a chunk.
    own: Vec<u32>,
}

impl InFiles<'_, '_> {
    /// Hands over the numbers of each chunk, with what the parts before this one added.
    fn each(
        &mut self,
        units: Range<usize>,
        numbers: &[u32],
        mut keep: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        let mut rest = numbers;
        for index in units {
            let chunk = &self.rows.chunks[index];
            self.so_far.of_chunk((index, chunk), &mut self.own)?;
            let (own, others) = rest.split_at(chunk.heads as usize);
            self.own.iter_mut().zip(own).for_each(|(sum, number)| *sum += number);
            rest = others;
            keep(self, index)?;
        }
        Ok(())
    }
}

impl EdgeNumbers for InFiles<'_, '_> {
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        self.each(units, numbers, |files, index| files.past.push(index, &files.own))
    }

    fn finish(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        // Rows without edges before the first part have none.
        for index in self.whole.end()..units.start {
            self.whole.push(index, &[])?;
        }
        self.each(units, numbers, |files, index| files.whole.push(index, &files.own))
    }

    fn end_part(&mut self) -> Result<()> {
        self.parts += 1;
        let file = self.scratch.file(format!("support-on-device-{}", self.parts + 1));
        let past = std::mem::replace(&mut self.past, Numbers::none(file, 0));
        std::mem::replace(&mut self.so_far, past).remove()
    }
}
