//! Numbers of triangles on edges, in scratch files.

use std::ops::Range;
use std::sync::OnceLock;

use super::no_memory;
use super::rows::RowFile;
use super::scratch::{Record, Scratch, ScratchFile};
use crate::Result;
use crate::control::memory;
use tribin_parts::EdgeNumbers;

/// A number for each edge, in records of the chunks of its rows. Any threads may write them, in any order.
pub(super) struct EdgeNumberFile<'s> {
    file: ScratchFile<'s>,
    records: Vec<OnceLock<Record>>,
}

impl<'s> EdgeNumberFile<'s> {
    /// No numbers yet, which count as zeros.
    pub fn none(file: ScratchFile<'s>, rows: &RowFile) -> EdgeNumberFile<'s> {
        EdgeNumberFile { file, records: rows.chunks.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The numbers of a chunk's edges, in memory that is used again: zeros where none were written.
    pub fn read(&self, rows: &RowFile, chunk: usize, numbers: &mut Vec<u32>) -> Result<()> {
        if let Some(&record) = self.records[chunk].get() {
            return self.file.read(record, numbers);
        }
        let heads = rows.chunks[chunk].heads as usize;
        numbers.clear();
        memory::reserve_exact(numbers, heads).map_err(no_memory)?;
        numbers.resize(heads, 0);
        Ok(())
    }

    /// Writes the numbers of a chunk's edges, once.
    pub fn write(&self, chunk: usize, numbers: &[u32]) -> Result<()> {
        let record = self.file.append(numbers)?;
        assert!(self.records[chunk].set(record).is_ok(), "numbers of a chunk once");
        Ok(())
    }

    /// Takes the file away.
    pub fn remove(self) -> Result<()> {
        self.file.remove()
    }
}

/// Numbers of triangles in scratch files. The rows behind a part have theirs there until their own part is through.
pub(super) struct NumberFiles<'r, 's> {
    rows: &'r RowFile<'r>,
    scratch: &'s Scratch,
    /// The names of the files begin so: where a device fails, the CPU begins anew under other names.
    name: &'static str,
    /// Numbers of the parts that are through.
    pub whole: EdgeNumberFile<'s>,
    /// What the parts before this one added to the rows behind them.
    pub so_far: EdgeNumberFile<'s>,
    /// What the parts up to and with this one added to the rows behind them.
    pub past: EdgeNumberFile<'s>,
    parts: u64,
}

impl<'r, 's> NumberFiles<'r, 's> {
    pub fn new(rows: &'r RowFile<'r>, scratch: &'s Scratch, name: &'static str) -> Self {
        let none = |end: &str| EdgeNumberFile::none(scratch.file(format!("{name}{end}")), rows);
        let (whole, so_far, past) = (none(""), none("-0"), none("-1"));
        NumberFiles { rows, scratch, name, whole, so_far, past, parts: 1 }
    }

    /// The numbers of all edges, once all parts are through.
    pub fn finish(self) -> Result<EdgeNumberFile<'s>> {
        self.so_far.remove()?;
        Ok(self.whole)
    }

    /// Writes the numbers of each chunk, with what the parts before this one added.
    fn write(&self, to: &EdgeNumberFile, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        let (mut rest, mut sums) = (numbers, Vec::new());
        for index in units {
            self.so_far.read(self.rows, index, &mut sums)?;
            let (own, others) = rest.split_at(sums.len());
            sums.iter_mut().zip(own).for_each(|(sum, number)| *sum += number);
            rest = others;
            to.write(index, &sums)?;
        }
        Ok(())
    }
}

impl EdgeNumbers for NumberFiles<'_, '_> {
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        self.write(&self.past, units, numbers)
    }

    fn finish(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        self.write(&self.whole, units, numbers)
    }

    fn end_part(&mut self) -> Result<()> {
        self.parts += 1;
        let file = self.scratch.file(format!("{}-{}", self.name, self.parts));
        let past = std::mem::replace(&mut self.past, EdgeNumberFile::none(file, self.rows));
        std::mem::replace(&mut self.so_far, past).remove()
    }
}
