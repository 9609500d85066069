//! Numbers of triangles on edges, in scratch files.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::no_memory;
use super::rows::RowFile;
use super::scratch::{Record, ScratchFile};
use crate::Result;
use crate::control::memory;
use tribin_parts::EdgeNumbers;

/// A number for each edge, in records of the chunks of its rows. Any threads may write them, in any order.
pub(super) struct EdgeNumberFile<'s> {
    file: ScratchFile<'s>,
    chunks: Vec<ChunkNumbers>,
}

/// The numbers of a chunk's edges.
struct ChunkNumbers {
    edges: u32,
    record: Mutex<Option<Record>>,
}

impl<'s> EdgeNumberFile<'s> {
    /// No numbers yet, which count as zeros.
    pub fn none(file: ScratchFile<'s>, rows: &RowFile) -> EdgeNumberFile<'s> {
        let chunks = rows.chunks.iter();
        let chunks = chunks.map(|of| ChunkNumbers { edges: of.heads, record: Mutex::default() });
        EdgeNumberFile { file, chunks: chunks.collect() }
    }

    /// The numbers of a chunk's edges, in memory that is used again: zeros where none were written.
    pub fn read(&self, chunk: usize, numbers: &mut Vec<u32>) -> Result<()> {
        let ChunkNumbers { edges, record } = &self.chunks[chunk];
        if let Some(record) = *record.lock().unwrap_or_else(PoisonError::into_inner) {
            return self.file.read(record, numbers);
        }
        let edges = *edges as usize;
        numbers.clear();
        memory::reserve_exact(numbers, edges).map_err(no_memory)?;
        numbers.resize(edges, 0);
        Ok(())
    }

    /// Writes the numbers of a chunk's edges, in the place of those that were written before.
    pub fn write(&self, chunk: usize, numbers: &[u32]) -> Result<()> {
        let mut record = self.chunks[chunk].record.lock().unwrap_or_else(PoisonError::into_inner);
        *record = Some(match *record {
            Some(before) => self.file.rewrite(before, numbers)?,
            None => self.file.append(numbers)?,
        });
        Ok(())
    }

    /// Adds a number to that of each edge of a chunk. Takes as many numbers as the chunk has edges.
    pub fn add_to(&self, chunk: usize, more: &mut impl Iterator<Item = u32>) -> Result<()> {
        let mut sums = Vec::new();
        self.read(chunk, &mut sums)?;
        sums.iter_mut().zip(more).for_each(|(sum, number)| *sum += number);
        self.write(chunk, &sums)
    }

    /// Takes the file away.
    pub fn remove(self) -> Result<()> {
        self.file.remove()
    }
}

impl EdgeNumbers for &EdgeNumberFile<'_> {
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        let mut numbers = numbers.iter().copied();
        units.into_iter().try_for_each(|chunk| self.add_to(chunk, &mut numbers))
    }
}
