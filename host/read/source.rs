//! Where the bytes come from: files are read piece by piece at any place, pipes to their end.
//!
//! Files are not mapped: one that is shortened meanwhile would end the process, and one that is written to
//! would change under the parser.

use std::borrow::Cow;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;

#[cfg(feature = "remote")]
use super::far::Object;
use super::memory::{self, Stopped};
use super::progress::Meter;
use super::{HEAD, input};
use crate::control;
#[cfg(not(feature = "remote"))]
use crate::features;
use crate::{Cancel, Error, Result};
use tribin_base::par;

/// Bytes that one task reads.
const PIECE: usize = 4 << 20;

/// A regular file, or an object on a server, that is read while nobody should write to it; or bytes in memory.
pub(super) struct RegularFile<'a> {
    place: FileStorage<'a>,
    /// The source as the user named it.
    pub(super) name: String,
    len: u64,
    /// Stops whoever reads it.
    pub(super) cancel: Cancel,
    /// Counts what was consumed of it.
    pub(super) meter: Meter,
}

/// The place of the bytes of a file.
enum FileStorage<'a> {
    Memory(Cow<'a, [u8]>),
    Here(File, Option<SystemTime>),
    #[cfg(feature = "remote")]
    Far(Box<Object>),
}

/// The message for a file that is another one than when it was opened.
pub(super) const CHANGED: &str =
    "the file was changed while it was read: wait until it is written, or read a copy";

/// Whether `path` means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether `path` is the address of a file on a server.
pub(super) fn is_far(path: &Path) -> bool {
    let scheme = path.to_str().and_then(|path| path.split_once("://")).unwrap_or_default().0;
    ["https", "http", "s3", "gs", "az"].iter().any(|far| scheme.eq_ignore_ascii_case(far))
}

/// Whether `path` is the address of an object in a store.
pub(super) fn is_in_store(path: &Path) -> bool {
    is_far(path) && !path.to_string_lossy().to_ascii_lowercase().starts_with("http")
}

/// What messages call a path, and what tells its format: an address without its query, which may hold a secret.
pub(super) fn name(path: &Path) -> String {
    let name = path.display().to_string();
    match is_far(path) && !is_in_store(path) {
        true => name.split(['?', '#']).next().unwrap_or_default().into(),
        false => name,
    }
}

/// Opens a file on a server.
#[cfg(feature = "remote")]
fn far(path: &Path, cancel: &Cancel) -> Result<RegularFile<'static>> {
    let object = Object::open(path, cancel)?;
    let (len, cancel) = (object.len(), cancel.clone());
    let (place, meter) = (FileStorage::Far(Box::new(object)), Meter::default());
    Ok(RegularFile { place, name: name(path), len, cancel, meter })
}

#[cfg(not(feature = "remote"))]
fn far(path: &Path, _: &Cancel) -> Result<RegularFile<'static>> {
    let missing = features::missing("remote", "URLs need");
    Err(input::error(&name(path), format!("{missing}; or fetch the file and name the copy")))
}

/// Whether a path leads to what is read once, from its front to its end: standard input, a pipe or a device.
fn is_read_once(path: &Path) -> bool {
    is_standard_input(path) || (!is_far(path) && is_special(path))
}

/// Whether a path leads to a pipe, a socket or a device.
pub(super) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Opens `path` where it can be read at any place, any number of times; `None` for folders, pipes and devices, where a
/// server answers no ranges, and for empty files.
pub(super) fn at_any_place(path: &Path, cancel: &Cancel) -> Result<Option<RegularFile<'static>>> {
    if is_read_once(path) || path.is_dir() {
        return Ok(None);
    }
    Ok(Some(open(path, cancel)?).filter(|file| file.has_ranges() && file.len > 0))
}

/// The length of a file; `None` where it is no file, or cannot be opened.
pub(super) fn len(path: &Path) -> Option<u64> {
    if is_far(path) {
        return far(path, &Cancel::new()).ok().map(|file| file.len);
    }
    fs::metadata(path).ok().filter(Metadata::is_file).map(|about| about.len())
}

/// A file that can be looked at without consuming it, perhaps an empty one.
pub(super) fn regular(path: &Path, cancel: &Cancel) -> Result<RegularFile<'static>> {
    match is_read_once(path) {
        false => open(path, cancel),
        true => Err(input::error(
            &path.display().to_string(),
            "this is no regular file: its head cannot be looked at without consuming it",
        )),
    }
}

/// Opens `path`; standard input where it is `-`. A file is read until `cancel` says to stop. What is read once is read here.
pub(super) fn open(path: &Path, cancel: &Cancel) -> Result<RegularFile<'static>> {
    let shown = name(path);
    if is_standard_input(path) {
        if control::is_input_closed() {
            return Err(input::error(&shown, "standard input is closed"));
        }
        return whole(io::stdin().lock(), path);
    }
    if is_far(path) {
        return far(path, cancel);
    }
    let file = File::open(path).map_err(|error| failed(path, error))?;
    let about = file.metadata().map_err(|error| failed(path, error))?;
    if about.is_dir() {
        return Err(input::error(&shown, "this is a directory: name a graph file in it"));
    }
    // Regular files of length 0 may be the kernel's (/proc) and have content all the same.
    if !about.is_file() || about.len() == 0 {
        return whole(file, path);
    }
    let (place, len) = (FileStorage::Here(file, about.modified().ok()), about.len());
    Ok(RegularFile { place, name: shown, len, cancel: cancel.clone(), meter: Meter::default() })
}

/// Reads all that comes.
fn whole(mut from: impl Read, path: &Path) -> Result<RegularFile<'static>> {
    let (shown, mut bytes) = (path.display().to_string(), Vec::new());
    memory::read_to_end(&mut from, &mut bytes, u64::MAX).map_err(|stopped| match stopped {
        Stopped::Io(error) => failed(path, error),
        Stopped::NoMemory(refused) => input::no_memory(&shown, refused),
        Stopped::TooLong => unreachable!("any length is allowed"),
    })?;
    Ok(RegularFile::memory(&shown, bytes))
}

impl<'a> RegularFile<'a> {
    /// A content in memory.
    pub(super) fn memory(name: &str, bytes: impl Into<Cow<'a, [u8]>>) -> RegularFile<'a> {
        let bytes = bytes.into();
        let len = bytes.len() as u64;
        RegularFile {
            place: FileStorage::Memory(bytes),
            name: name.into(),
            len,
            cancel: Cancel::new(),
            meter: Meter::default(),
        }
    }

    /// Takes bytes in memory for the content.
    pub(super) fn hold(&mut self, bytes: Vec<u8>) {
        self.len = bytes.len() as u64;
        self.place = FileStorage::Memory(bytes.into());
    }

    /// The content, where it is in memory.
    pub(super) fn in_memory(&self) -> Option<&[u8]> {
        if let FileStorage::Memory(bytes) = &self.place { Some(bytes) } else { None }
    }

    /// Whether the file is on a server.
    pub(super) fn is_far(&self) -> bool {
        !matches!(self.place, FileStorage::Here(..) | FileStorage::Memory(_))
    }

    /// Whether pieces of it can be read, without all before them.
    pub(super) fn has_ranges(&self) -> bool {
        match &self.place {
            FileStorage::Here(..) | FileStorage::Memory(_) => true,
            #[cfg(feature = "remote")]
            FileStorage::Far(object) => object.has_ranges(),
        }
    }

    /// The file's length when it was opened.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Fills `bytes` from `offset` on.
    pub(super) fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        self.cancel.check()?;
        match &self.place {
            FileStorage::Memory(all) => {
                bytes.copy_from_slice(&all[offset as usize..][..bytes.len()]);
                Ok(())
            }
            FileStorage::Here(file, _) => {
                file.read_exact_at(bytes, offset).map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => self.changed(),
                    _ => Error::Io { path: self.name.clone().into(), source: error },
                })
            }
            #[cfg(feature = "remote")]
            FileStorage::Far(object) => object.read_at(bytes, offset, &self.cancel),
        }
    }

    /// Fills `bytes` from `offset` on, for a reader that goes from the front to the end: of a file on a server, what follows is
    /// fetched meanwhile.
    pub(super) fn read_on(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        match &self.place {
            FileStorage::Here(..) | FileStorage::Memory(_) => self.read_at(bytes, offset),
            #[cfg(feature = "remote")]
            FileStorage::Far(object) => object.read_on(bytes, offset, &self.cancel),
        }
    }

    /// Up to `most` bytes from the front; fewer where a server answers no ranges.
    pub(super) fn head(&self, most: u64) -> Result<Vec<u8>> {
        let most = if self.has_ranges() { most } else { most.min(HEAD) };
        // At most `most`, which is small.
        let mut head = vec![0; self.len.min(most) as usize];
        self.read_at(&mut head, 0)?;
        Ok(head)
    }

    /// All of the content, read on the current rayon pool. What comes from a server is counted: to fetch it takes longer than to
    /// parse it.
    pub(super) fn whole(&self) -> Result<Vec<u8>> {
        #[cfg(feature = "remote")]
        if let FileStorage::Far(object) = &self.place
            && !object.has_ranges()
        {
            return object.whole(&self.cancel);
        }
        let zeroed = memory::zeroed(usize::try_from(self.len).unwrap_or(usize::MAX));
        let mut bytes = zeroed.map_err(|refused| input::no_memory(&self.name, refused))?;
        let pieces = bytes.chunks_mut(PIECE).enumerate();
        if self.is_far() {
            for (piece, bytes) in pieces {
                self.read_on(bytes, (piece * PIECE) as u64)?;
                self.meter.add(bytes.len());
            }
        } else {
            par::try_for_each(pieces, |(piece, bytes)| {
                self.read_at(bytes, (piece * PIECE) as u64)
            })?;
        }
        self.check_unchanged()?;
        Ok(bytes)
    }

    /// Refuses what was read of a file that was written to meanwhile: half of it may be old.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        // Each answer of a server was compared with the first.
        let FileStorage::Here(file, modified) = &self.place else { return Ok(()) };
        let about = file.metadata().map_err(|error| failed(Path::new(&self.name), error))?;
        match about.len() == self.len && about.modified().ok() == *modified {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    fn changed(&self) -> Error {
        input::error(&self.name, CHANGED)
    }
}

/// Reads a file from the front on. An error of the file is in the `io::Error`.
pub(super) struct FromFront<'a> {
    pub(super) file: &'a RegularFile<'a>,
    /// Where the reading is.
    pub(super) place: &'a AtomicU64,
}

impl Read for FromFront<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let at = self.place.load(Relaxed);
        let len = (to.len() as u64).min(self.file.len - at) as usize;
        self.file.read_on(&mut to[..len], at).map_err(io::Error::other)?;
        self.place.store(at + len as u64, Relaxed);
        self.file.meter.add(len);
        Ok(len)
    }
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
            let file = open(&path, &Cancel::new()).unwrap();
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
