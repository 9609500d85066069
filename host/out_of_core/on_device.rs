//! Rows that go from the scratch files to a device, which has memory for a part of them.

use std::ops::Range;

use super::no_memory;
use super::rows::RowFile;
use crate::Result;
use crate::control::memory;
use tribin_base::par;
use tribin_parts::{HostRows, RowSource};
use tribin_plan::row_parts::RowCounts;

/// Rows in a scratch file, chunk by chunk.
pub(super) struct ScratchRows<'r, 's> {
    rows: &'r RowFile<'s>,
    /// Rows and edges before each chunk, and all of them.
    before: Vec<RowCounts>,
}

impl<'r, 's> ScratchRows<'r, 's> {
    pub fn new(rows: &'r RowFile<'s>) -> ScratchRows<'r, 's> {
        let mut all = RowCounts { rows: 0, edges: 0 };
        let mut before = vec![all];
        for chunk in &*rows.chunks {
            all.rows += u64::from(chunk.rows);
            all.edges += u64::from(chunk.heads);
            before.push(all);
        }
        ScratchRows { rows, before }
    }
}

impl RowSource for ScratchRows<'_, '_> {
    fn units(&self) -> usize {
        self.rows.chunks.len()
    }

    fn before(&self, unit: usize) -> RowCounts {
        self.before[unit]
    }

    fn largest_unit(&self) -> RowCounts {
        let chunks = &self.rows.chunks;
        let rows = chunks.iter().map(|chunk| chunk.rows).max().unwrap_or(0);
        let edges = chunks.iter().map(|chunk| chunk.heads).max().unwrap_or(0);
        RowCounts { rows: rows.into(), edges: edges.into() }
    }

    fn wedges(&self) -> u64 {
        self.rows.wedges()
    }

    fn rows(&self, units: Range<usize>, base: u64) -> Result<HostRows<'_>> {
        let first = self.before[units.start].edges - base;
        let rows = self.rows.part(units)?;
        let mut starts: Vec<u32> = memory::zeroed(rows.offsets.len()).map_err(no_memory)?;
        par::fill(&mut starts, |row| (first + rows.offsets[row]) as u32);
        Ok(HostRows { starts, heads: rows.heads.into() })
    }
}
