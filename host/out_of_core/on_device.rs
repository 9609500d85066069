//! Triangles found by a device that has memory for a part of the rows, which come from the scratch files.

use std::ops::Range;

use super::rows::RowFile;
use super::{FoundOnDisk, no_memory};
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
        for chunk in rows.chunks {
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

/// Runs a task over the rows on a device, a part at a time, and takes what it found out of the rest that it says.
pub(super) fn find<T>(
    device: &dyn PartsOnDevice,
    rows: &RowFile,
    (task, on_edges): (Task, &mut dyn EdgeNumbers),
    sizes: &Sizes,
    context: &Context,
    take: impl FnOnce(&mut FoundInParts) -> T,
) -> Result<FoundOnDisk<T>> {
    let chunks = Chunks::new(rows);
    let mut told = device.find_in_parts(&chunks, task, on_edges, sizes.piece_on_host(), context)?;
    let found = take(&mut told);
    Ok(FoundOnDisk { found, parts: told.parts, on_device: Some(told) })
}
