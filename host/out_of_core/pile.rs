//! Records of one kind in a scratch file of their own, which any threads add to.

use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;

use super::no_memory;
use super::scratch::{Record, ScratchFile};
use crate::Result;
use crate::control::memory;

/// A file, and where its records are, each with the number of its elements.
pub(super) struct Pile<'s> {
    file: ScratchFile<'s>,
    records: Mutex<Vec<(Record, u32)>>,
}

impl<'s> Pile<'s> {
    /// Nothing, in a file that is made with the first record.
    pub fn new(file: ScratchFile<'s>) -> Pile<'s> {
        Pile { file, records: Mutex::default() }
    }

    /// Writes a record.
    pub fn append<T: Pod>(&self, elements: &[T]) -> Result<()> {
        let record = self.file.append(elements)?;
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.try_reserve(1).map_err(|_| no_memory(size_of::<Record>() as u64))?;
        records.push((record, elements.len() as u32));
        Ok(())
    }

    /// The file, and its records.
    pub fn into_records(self) -> (ScratchFile<'s>, Vec<(Record, u32)>) {
        (self.file, self.records.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// All elements, in the order of their records; the file goes.
    pub fn take<T: Pod>(self) -> Result<Vec<T>> {
        let (file, records) = self.into_records();
        let len = records.iter().map(|&(_, len)| len as usize).sum();
        let mut all: Vec<T> =
            memory::with_capacity(len).map_err(|refused| no_memory(refused.bytes))?;
        for &(record, len) in &records {
            let at = all.len();
            all.resize(at + len as usize, T::zeroed());
            file.read_exactly(record, &mut all[at..])?;
        }
        file.remove()?;
        Ok(all)
    }
}
