//! Where the bytes come from: files are read piece by piece at any place, pipes to their end.
//!
//! Files are not mapped: one that is shortened meanwhile would end the process, and one that is written to
//! would change under the parser.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;

use super::memory::{self, Stopped};
use super::progress::Meter;
use super::{input, memory::NoMemory};
use crate::control;
use crate::{Cancel, Error, Result};
use tribin_base::par;

/// Bytes that one task reads.
const PIECE: usize = 4 << 20;

/// What a path leads to.
pub(super) enum Source {
    /// A regular file.
    File(RegularFile),
    /// The whole content of anything else.
    Content(Vec<u8>),
}

/// A regular file that is read while nobody should write to it.
pub(super) struct RegularFile {
    file: File,
    name: String,
    len: u64,
    modified: Option<SystemTime>,
    cancel: Cancel,
}

/// Whether `path` means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens `path`; standard input where it is `-`. A file is read until `cancel` says to stop.
pub(super) fn open(path: &Path, cancel: &Cancel) -> Result<Source> {
    if is_standard_input(path) {
        if control::is_input_closed() {
            return Err(input::error(&path.display().to_string(), "standard input is closed"));
        }
        return whole(io::stdin().lock(), path).map(Source::Content);
    }
    let (file, about) = file(path)?;
    // Regular files of length 0 may be the kernel's (/proc) and have content all the same.
    if !about.is_file() || about.len() == 0 {
        return whole(file, path).map(Source::Content);
    }
    let (len, modified) = (about.len(), about.modified().ok());
    let cancel = cancel.clone();
    Ok(Source::File(RegularFile { file, name: path.display().to_string(), len, modified, cancel }))
}

/// Up to `most` bytes from the front of a regular file, and its length.
pub(super) fn head(path: &Path, most: u64) -> Result<(Vec<u8>, u64)> {
    let (file, about) = file(path)?;
    if !about.is_file() {
        return Err(input::error(
            &path.display().to_string(),
            "this is no regular file: its head cannot be looked at without consuming it",
        ));
    }
    Ok((whole(file.take(most), path)?, about.len()))
}

fn file(path: &Path) -> Result<(File, Metadata)> {
    let file = File::open(path).map_err(|error| failed(path, error))?;
    let about = file.metadata().map_err(|error| failed(path, error))?;
    if about.is_dir() {
        return Err(input::error(
            &path.display().to_string(),
            "this is a directory: name a graph file in it",
        ));
    }
    Ok((file, about))
}

fn whole(mut from: impl Read, path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    memory::read_to_end(&mut from, &mut bytes, u64::MAX, |_| true).map_err(|stopped| {
        let name = path.display().to_string();
        match stopped {
            Stopped::Io(error) => failed(path, error),
            Stopped::NoMemory(refused) => input::error(&name, refused.to_string()),
            Stopped::TooLong => unreachable!("any length is allowed"),
        }
    })?;
    Ok(bytes)
}

impl RegularFile {
    /// The source as the user named it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The same file for a reader that cannot borrow it.
    #[cfg(feature = "parquet")]
    pub(super) fn again(&self) -> Result<RegularFile> {
        let failed = |source| Error::Io { path: self.name.clone().into(), source };
        let (name, cancel) = (self.name.clone(), self.cancel.clone());
        let file = self.file.try_clone().map_err(failed)?;
        Ok(RegularFile { file, name, len: self.len, modified: self.modified, cancel })
    }

    /// The length when it was opened.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Fills `bytes` from `offset` on.
    pub(super) fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        self.cancel.check()?;
        read_exact_at(&self.file, bytes, offset).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.changed(),
            _ => Error::Io { path: self.name.clone().into(), source: error },
        })
    }

    /// Up to `most` bytes from the front.
    pub(super) fn head(&self, most: u64) -> Result<Vec<u8>> {
        // At most `most`, which is small.
        let mut head = vec![0; self.len.min(most) as usize];
        self.read_at(&mut head, 0)?;
        Ok(head)
    }

    /// All of it, read on the current rayon pool.
    pub(super) fn whole(&self) -> Result<Vec<u8>> {
        let refused = |refused: NoMemory| input::error(&self.name, refused.to_string());
        let len = usize::try_from(self.len);
        let len = len.map_err(|_| refused(NoMemory { bytes: self.len }))?;
        let mut bytes = memory::zeroed(len).map_err(refused)?;
        par::try_for_each(bytes.chunks_mut(PIECE).enumerate(), |(piece, bytes)| {
            self.read_at(bytes, (piece * PIECE) as u64)
        })?;
        self.check_unchanged()?;
        Ok(bytes)
    }

    /// Reads it from the front on; `place` is where it is. An error of the file is in the `io::Error`.
    pub(super) fn reader<'a>(
        &'a self,
        place: &'a AtomicU64,
        meter: &'a Meter<'a>,
    ) -> impl Read + 'a {
        FromFront { file: self, place, meter }
    }

    /// Refuses what was read of a file that was written to meanwhile: half of it may be old.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        let path = Path::new(&self.name);
        let about = self.file.metadata().map_err(|error| failed(path, error))?;
        match about.len() == self.len && about.modified().ok() == self.modified {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    fn changed(&self) -> Error {
        input::error(
            &self.name,
            "the file was changed while it was read: wait until it is written, or read a copy",
        )
    }
}

/// Reads a file from the front on.
struct FromFront<'a> {
    file: &'a RegularFile,
    place: &'a AtomicU64,
    meter: &'a Meter<'a>,
}

impl Read for FromFront<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let at = self.place.load(Relaxed);
        let len = (to.len() as u64).min(self.file.len - at) as usize;
        self.file.read_at(&mut to[..len], at).map_err(io::Error::other)?;
        self.place.store(at + len as u64, Relaxed);
        self.meter.add(len);
        Ok(len)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

/// What the operating system refused, and what to do where that is plain.
fn failed(path: &Path, error: io::Error) -> Error {
    let name = path.display().to_string();
    match error.kind() {
        io::ErrorKind::NotFound => {
            input::error(&name, "no such file: check the path (`-` means standard input)")
        }
        io::ErrorKind::PermissionDenied => {
            input::error(&name, "permission denied: make the file readable for this user")
        }
        _ => Error::Io { path: path.into(), source: error },
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn refusals_say_what_to_do() {
        let failed = |kind: io::ErrorKind| failed(Path::new("a/b.txt"), kind.into()).to_string();
        assert_eq!(
            failed(io::ErrorKind::PermissionDenied),
            "a/b.txt: permission denied: make the file readable for this user"
        );
        assert_eq!(
            failed(io::ErrorKind::NotFound),
            "a/b.txt: no such file: check the path (`-` means standard input)"
        );
        assert_eq!(failed(io::ErrorKind::StorageFull), "a/b.txt: no storage space");
    }

    /// Shortened, a mapped file ended the process; rewritten, it made the parser panic.
    #[test]
    fn a_file_that_changes_while_it_is_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let begin = || {
            std::fs::write(&path, "1 2\n".repeat(1000)).unwrap();
            let Ok(Source::File(file)) = open(&path, &Cancel::new()) else {
                panic!("a regular file")
            };
            (file, File::options().write(true).open(&path).unwrap())
        };
        let expected = format!(
            "{}: the file was changed while it was read: wait until it is written, or read a copy",
            path.display()
        );
        let (file, writer) = begin();
        assert_eq!(file.whole().unwrap().len(), 4000);
        writer.set_len(100).unwrap();
        assert_eq!(file.whole().unwrap_err().to_string(), expected);

        let (file, mut writer) = begin();
        writer.write_all(b"33").unwrap();
        // As far from the last time as it takes to be another one, whatever the system's clock counts.
        writer.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(file.whole().unwrap_err().to_string(), expected);
    }
}
