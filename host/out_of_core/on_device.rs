//! Rows that go from the scratch files to a device, which has memory for a part of them.

use std::ops::Range;

use super::no_memory;
use super::rows::RowFile;
use crate::Result;
use crate::control::memory;
use tribin_base::par;
use tribin_parts::{HostRows, RowSource};

/// Rows in a scratch file, chunk by chunk.
pub(super) struct Chunks<'r, 's> {
    rows: &'r RowFile<'s>,
    /// Rows and edges before each chunk, and all of them.
    before: Vec<(u64, u64)>,
}

impl<'r, 's> Chunks<'r, 's> {
    pub fn new(rows: &'r RowFile<'s>) -> Chunks<'r, 's> {
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
