//! Records of one kind in a scratch file of their own, which any threads add to; and what a thread has ready for many of
//! these files.

use std::sync::{Mutex, PoisonError};

use bytemuck::Pod;

use super::no_memory;
use super::scratch::{Record, ScratchFile};
use crate::Result;
use crate::control::memory;

/// A file, and where its records are.
pub(super) struct Pile<'s> {
    pub file: ScratchFile<'s>,
    records: Mutex<Vec<Record>>,
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
        memory::reserve(&mut records, 1).map_err(no_memory)?;
        records.push(record);
        Ok(())
    }

    /// The records, which the pile has no more.
    pub fn take_records(&self) -> Vec<Record> {
        std::mem::take(&mut self.records.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// All elements, in the order of their records; the file goes.
    pub fn take<T: Pod>(self) -> Result<Vec<T>> {
        let records = self.take_records();
        let len = records.iter().map(Record::elements::<T>).sum();
        let mut all: Vec<T> = memory::with_capacity(len).map_err(no_memory)?;
        append_records(&self.file, &records, &mut all)?;
        self.file.remove()?;
        Ok(all)
    }
}

/// Appends the elements of some records to those that are there.
pub(super) fn append_records<T: Pod>(
    file: &ScratchFile,
    records: &[Record],
    elements: &mut Vec<T>,
) -> Result<()> {
    for &record in records {
        let at = elements.len();
        elements.resize(at + record.elements::<T>(), T::zeroed());
        file.read_exactly(record, &mut elements[at..])?;
    }
    Ok(())
}

/// A thread's buffers, one for each pile. A full one becomes a record.
pub(super) struct PileBuffers<'p, 's, T> {
    piles: &'p [Pile<'s>],
    /// Elements of a buffer.
    room: usize,
    buffers: Vec<Vec<T>>,
}

impl<'p, 's, T: Pod> PileBuffers<'p, 's, T> {
    /// Empty buffers of `bytes` bytes each, or of one element.
    pub fn new(piles: &'p [Pile<'s>], bytes: usize) -> Result<PileBuffers<'p, 's, T>> {
        let room = (bytes / size_of::<T>()).max(1);
        let buffer = |_| memory::with_capacity(room).map_err(no_memory);
        let buffers = piles.iter().map(buffer).collect::<Result<_>>()?;
        Ok(PileBuffers { piles, room, buffers })
    }

    /// Adds an element to the pile with this number.
    #[inline]
    pub fn push(&mut self, pile: usize, element: T) -> Result<()> {
        let buffer = &mut self.buffers[pile];
        buffer.push(element);
        if buffer.len() >= self.room {
            self.piles[pile].append(buffer)?;
            buffer.clear();
        }
        Ok(())
    }

    /// Writes what is left in the buffers.
    pub fn finish(self) -> Result<()> {
        let filled = self.piles.iter().zip(&self.buffers).filter(|(_, buffer)| !buffer.is_empty());
        filled.into_iter().try_for_each(|(pile, buffer)| pile.append(buffer))
    }
}
