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
    records: Vec<Mutex<Option<Record>>>,
}

impl<'s> EdgeNumberFile<'s> {
    /// No numbers yet, which count as zeros.
    pub fn none(file: ScratchFile<'s>, rows: &RowFile) -> EdgeNumberFile<'s> {
        EdgeNumberFile { file, records: rows.chunks.iter().map(|_| Mutex::default()).collect() }
    }

    /// The numbers of a chunk's edges, in memory that is used again: zeros where none were written.
    pub fn read(&self, rows: &RowFile, chunk: usize, numbers: &mut Vec<u32>) -> Result<()> {
        if let Some(record) = *self.records[chunk].lock().unwrap_or_else(PoisonError::into_inner) {
            return self.file.read(record, numbers);
        }
        let heads = rows.chunks[chunk].heads as usize;
        numbers.clear();
        memory::reserve_exact(numbers, heads).map_err(no_memory)?;
        numbers.resize(heads, 0);
        Ok(())
    }

    /// Writes the numbers of a chunk's edges, in the place of those that were written before.
    pub fn write(&self, chunk: usize, numbers: &[u32]) -> Result<()> {
        let mut record = self.records[chunk].lock().unwrap_or_else(PoisonError::into_inner);
        *record = Some(match *record {
            Some(before) => self.file.rewrite(before, numbers)?,
            None => self.file.append(numbers)?,
        });
        Ok(())
    }

    /// Takes the file away.
    pub fn remove(self) -> Result<()> {
        self.file.remove()
    }
}

/// The sums of what a device finds on edges, in a scratch file.
pub(super) struct EdgeNumberSums<'a> {
    pub rows: &'a RowFile<'a>,
    pub file: &'a EdgeNumberFile<'a>,
}

impl EdgeNumbers for EdgeNumberSums<'_> {
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        let (mut rest, mut sums) = (numbers, Vec::new());
        for index in units {
            self.file.read(self.rows, index, &mut sums)?;
            let (own, others) = rest.split_at(sums.len());
            sums.iter_mut().zip(own).for_each(|(sum, number)| *sum += number);
            rest = others;
            self.file.write(index, &sums)?;
        }
        Ok(())
    }
}
