//! Where a table's bytes are: in memory, or in a file of which pieces are read.

use std::borrow::Cow;

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

    /// Reads `len` bytes from place `at` into the front of a buffer that was used before, which grows if it is too short.
    #[cfg(feature = "parquet")]
    pub(super) fn read_into(&self, at: u64, len: usize, buffer: &mut Vec<u8>) -> Result<()> {
        if at.checked_add(len as u64).is_none_or(|end| end > self.len()) {
            return Err(self.damaged(&format!("{len} bytes at byte {at} are not there")));
        }
        if buffer.len() < len {
            *buffer =
                memory::zeroed(len).map_err(|refused| input::no_memory(self.name, refused))?;
        }
        match self.bytes {
            // Within what is in memory.
            Bytes::Memory(bytes) => buffer[..len].copy_from_slice(&bytes[at as usize..][..len]),
            Bytes::File(file) => file.read_at(&mut buffer[..len], at)?,
        }
        self.meter.add(len);
        Ok(())
    }

    /// Bytes from a place on; an error where not all of them are there.
    pub(super) fn read(&self, at: u64, len: u64) -> Result<Cow<'a, [u8]>> {
        if at.checked_add(len).is_none_or(|end| end > self.len()) {
            return Err(self.damaged(&format!("{len} bytes at byte {at} are not there")));
        }
        let no_memory = |refused| input::no_memory(self.name, refused);
        let bytes = match self.bytes {
            // Within what is in memory, so that both fit.
            Bytes::Memory(bytes) => Cow::Borrowed(&bytes[at as usize..(at + len) as usize]),
            Bytes::File(file) => {
                let room = usize::try_from(len).unwrap_or(usize::MAX);
                let mut bytes = memory::zeroed(room).map_err(no_memory)?;
                file.read_at(&mut bytes, at)?;
                Cow::Owned(bytes)
            }
        };
        self.meter.add(bytes.len());
        Ok(bytes)
    }

    pub(super) fn check_unchanged(&self) -> Result<()> {
        match self.bytes {
            Bytes::Memory(_) => Ok(()),
            Bytes::File(file) => file.check_unchanged(),
        }
    }

    /// The error of a file whose parts do not fit together.
    pub(super) fn damaged(&self, why: &str) -> Error {
        input::error(
            self.name,
            format!("the file is cut off or damaged ({why}): fetch or write it again"),
        )
    }
}
