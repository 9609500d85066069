//! Where a table's bytes are: in memory, or in a file of which pieces are read.

#[cfg(feature = "parquet")]
use std::ops::Range;

use super::super::input;
use super::super::memory;
use super::super::progress::Meter;
use super::super::source::RegularFile;
use crate::{Error, Result};

/// A file's content at any place.
pub(crate) struct Stored<'a> {
    name: &'a str,
    bytes: Bytes<'a>,
    meter: &'a Meter<'a>,
}

enum Bytes<'a> {
    Memory(&'a [u8]),
    File(&'a RegularFile),
}

impl<'a> Stored<'a> {
    pub(crate) fn memory(name: &'a str, bytes: &'a [u8], meter: &'a Meter<'a>) -> Stored<'a> {
        Stored { name, bytes: Bytes::Memory(bytes), meter }
    }

    pub(crate) fn file(file: &'a RegularFile, meter: &'a Meter<'a>) -> Stored<'a> {
        Stored { name: file.name(), bytes: Bytes::File(file), meter }
    }

    pub(super) fn name(&self) -> &'a str {
        self.name
    }

    pub(super) fn len(&self) -> u64 {
        match self.bytes {
            Bytes::Memory(bytes) => bytes.len() as u64,
            Bytes::File(file) => file.len(),
        }
    }

    /// Bytes from a place on; an error where not all of them are there.
    pub(super) fn read(&self, at: u64, len: u64) -> Result<Vec<u8>> {
        self.check(at, len)?;
        let mut bytes = memory::zeroed(usize::try_from(len).unwrap_or(usize::MAX))
            .map_err(|refused| input::no_memory(self.name, refused))?;
        self.read_into(at, &mut bytes)?;
        Ok(bytes)
    }

    fn check(&self, at: u64, len: u64) -> Result<()> {
        match at.checked_add(len) {
            Some(end) if end <= self.len() => Ok(()),
            _ => Err(self.damaged(&format!("{len} bytes at byte {at} are not there"))),
        }
    }

    /// Fills `bytes` from a place on; an error where not all of them are there.
    pub(super) fn read_into(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        self.check(at, bytes.len() as u64)?;
        match self.bytes {
            Bytes::Memory(all) => bytes.copy_from_slice(&all[at as usize..][..bytes.len()]),
            Bytes::File(file) => file.read_at(bytes, at)?,
        }
        self.meter.add(bytes.len());
        Ok(())
    }

    /// The number of 32 bits at a place.
    pub(super) fn number(&self, at: u64) -> Result<u64> {
        let mut bytes = [0; 4];
        self.read_into(at, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes).into())
    }

    /// What a reader of the crate `parquet` can hold, which borrows nothing: a file of its own, or a copy of the range.
    #[cfg(feature = "parquet")]
    pub(super) fn detached(&self, range: &Range<u64>) -> Result<Detached> {
        Ok(match self.bytes {
            // A column in one go: its pages would be asked for one by one.
            Bytes::File(file) if file.is_far() => {
                let len = (range.end - range.start) as usize;
                let mut bytes =
                    memory::zeroed(len).map_err(|refused| input::no_memory(self.name, refused))?;
                file.read_at(&mut bytes, range.start)?;
                Detached::Memory(range.start, bytes.into())
            }
            Bytes::File(file) => Detached::File(file.again()?),
            Bytes::Memory(bytes) => {
                let bytes = bytes.get(range.start as usize..range.end as usize).unwrap_or_default();
                Detached::Memory(range.start, bytes::Bytes::copy_from_slice(bytes))
            }
        })
    }

    /// Counts bytes that were read elsewhere as progress.
    #[cfg(feature = "parquet")]
    pub(super) fn count(&self, bytes: u64) {
        self.meter.add(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    pub(super) fn check_unchanged(&self) -> Result<()> {
        match self.bytes {
            Bytes::Memory(_) => Ok(()),
            Bytes::File(file) => file.check_unchanged(),
        }
    }

    /// The error of a file whose parts do not fit together.
    pub(super) fn damaged(&self, why: &str) -> Error {
        damaged(self.name, why)
    }
}

/// The error of a file whose parts do not fit together.
pub(super) fn damaged(name: &str, why: &str) -> Error {
    input::error(name, format!("the file is cut off or damaged ({why}): fetch or write it again"))
}

/// Bytes that are read without a borrow of where they are.
#[cfg(feature = "parquet")]
pub(super) enum Detached {
    File(RegularFile),
    /// Bytes from a place on.
    Memory(u64, bytes::Bytes),
}

#[cfg(feature = "parquet")]
impl Detached {
    /// Some bytes, of which the caller knows that they are there.
    pub(super) fn read(&self, at: u64, len: usize) -> Result<bytes::Bytes> {
        match self {
            Detached::Memory(start, bytes) => {
                let from = (at - start) as usize;
                Ok(bytes.slice(from..from + len))
            }
            Detached::File(file) => {
                let mut bytes = memory::zeroed(len)
                    .map_err(|refused| input::no_memory(file.name(), refused))?;
                file.read_at(&mut bytes, at)?;
                Ok(bytes.into())
            }
        }
    }
}
