//! A file's bytes: mapped where it is a regular file, read where it is a pipe.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use memmap2::{Advice, Mmap};

use super::input;
use crate::{Error, Result};

/// The bytes of a file.
pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// Whether `path` means standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of `path`, or of standard input where it is `-`.
pub(super) fn load(path: &Path) -> Result<Bytes> {
    if is_standard_input(path) {
        return whole(io::stdin().lock(), path).map(Bytes::Owned);
    }
    let (file, about) = open(path)?;
    // Regular files of length 0 may be the kernel's (/proc) and have content all the same.
    if about.is_file() && about.len() > 0 {
        map(&file).map(Bytes::Mapped).map_err(|error| failed(path, error))
    } else {
        whole(file, path).map(Bytes::Owned)
    }
}

/// Up to `most` bytes from the front of a regular file, and its length.
pub(super) fn head(path: &Path, most: u64) -> Result<(Vec<u8>, u64)> {
    let (file, about) = open(path)?;
    if !about.is_file() {
        return Err(input::error(
            &path.display().to_string(),
            "this is no regular file: its head cannot be looked at without consuming it",
        ));
    }
    Ok((whole(file.take(most), path)?, about.len()))
}

fn open(path: &Path) -> Result<(File, Metadata)> {
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
    from.read_to_end(&mut bytes).map_err(|error| failed(path, error))?;
    Ok(bytes)
}

fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read, as bytes of any value. Shortening the file meanwhile ends the
    // process with SIGBUS; changing it changes what is parsed. The module documentation says so.
    let map = unsafe { Mmap::map(file)? };
    // Only advice: reading works without it.
    let _ = map.advise(Advice::WillNeed);
    Ok(map)
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
}
