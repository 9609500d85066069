//! A report's file: whole under its name, or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Where a report will go. Nothing stands under the name until [`write`](Self::write) has written
/// all of it: a run that is killed or meets a full disk before leaves what was there before.
#[derive(Debug)]
pub struct OutputFile {
    /// As the user named it, for messages.
    named: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A file, made beside its final place and renamed into it.
    File { folder: PathBuf, path: PathBuf },
    /// A device, a pipe, …: what is there is written to, never replaced.
    Special,
}

impl OutputFile {
    /// Checks that a file can be made there, so that a long count does not end in an error that was
    /// foreseeable.
    ///
    /// # Errors
    /// The system's reason why not.
    pub fn new(path: impl Into<PathBuf>) -> Result<OutputFile> {
        let named = path.into();
        match target(&named) {
            Ok(target) => Ok(OutputFile { named, target }),
            Err(source) => Err(Error::Io { path: named, source }),
        }
    }

    /// Writes the whole report, which replaces a file that was there before.
    ///
    /// # Errors
    /// The system's reason; what was there before is then untouched.
    pub fn write(&self, report: &[u8]) -> Result<()> {
        self.write_with(|file| file.write_all(report))
    }

    /// Writes what `write` writes, in pieces of any size, and puts it in place once `write` has
    /// returned. What was there before is replaced.
    ///
    /// # Errors
    /// The first of `write` and the system; what was there before is then untouched.
    pub fn write_with<T>(
        &self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> Result<T> {
        let written = match &self.target {
            Target::File { folder, path } => replace(folder, path, write),
            Target::Special => {
                fs::OpenOptions::new().write(true).open(&self.named).and_then(|mut file| {
                    let written = write(&mut file)?;
                    file.flush()?;
                    Ok(written)
                })
            }
        };
        written.map_err(|source| Error::Io { path: self.named.clone(), source })
    }

    /// The file as the user named it.
    pub fn name(&self) -> String {
        self.named.display().to_string()
    }
}

fn target(named: &Path) -> io::Result<Target> {
    let path = match fs::metadata(named) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => return Ok(Target::Special),
        // Behind a symbolic link, the file that it leads to is replaced, not the link.
        Ok(_) => named.canonicalize()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => named.to_owned(),
        Err(error) => return Err(error),
    };
    if path.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    // A file without a name, or with one for a moment where the file system has no such thing.
    // Its error would name a file that the user never heard of.
    tempfile::tempfile_in(&folder).map_err(|error| io::Error::from(error.kind()))?;
    Ok(Target::File { folder, path })
}

/// Writes a file and moves it to its place.
fn replace<T>(
    folder: &Path,
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    #[cfg(target_os = "linux")]
    if let Ok(mut file) = nameless::create(folder) {
        let written = write(&mut file)?;
        file.sync_all()?;
        nameless::persist(&file, folder, path)?;
        return Ok(written);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tribin-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file's: the process's mask takes from it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // Removed when dropped: on every error.
    let mut file = builder.tempfile_in(folder)?;
    let written = write(&mut file)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(written)
}

/// Files that have no name while they are written: nothing is left of them, however the process ends.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, OFlags, linkat};

    /// A file in a folder. Not every file system has such files.
    pub(super) fn create(folder: &Path) -> io::Result<File> {
        let flags = OFlags::TMPFILE.bits() as i32;
        OpenOptions::new().write(true).custom_flags(flags).mode(0o666).open(folder)
    }

    /// Gives the file its name. Linking never replaces what is there, so the file gets a name of its
    /// own for a moment.
    pub(super) fn persist(file: &File, folder: &Path, path: &Path) -> io::Result<()> {
        let descriptor = format!("/proc/self/fd/{}", file.as_raw_fd());
        let linked = tempfile::Builder::new().prefix(".tribin-").make_in(folder, |name| {
            Ok(linkat(CWD, &descriptor, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
        })?;
        linked.into_temp_path().persist(path).map_err(|error| error.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_there_before_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let output = OutputFile::new(&path).unwrap();
        assert!(names(folder.path()).is_empty());
        output.write(b"first").unwrap();
        output.write(b"second").unwrap();
        assert_eq!(names(folder.path()), ["report"]);
        assert_eq!(fs::read(&path).unwrap(), b"second");
    }

    #[test]
    fn a_folder_and_a_missing_folder_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(OutputFile::new(folder.path()), Err(Error::Io { .. })));
        let path = folder.path().join("missing").join("report");
        let error = OutputFile::new(&path).unwrap_err();
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_behind_a_link_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        OutputFile::new(&link).unwrap().write(b"after").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"after");
    }

    #[test]
    fn a_failure_half_way_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "before").unwrap();
        let error = OutputFile::new(&path)
            .unwrap()
            .write_with(|file| -> io::Result<()> {
                file.write_all(b"half")?;
                Err(io::ErrorKind::StorageFull.into())
            })
            .unwrap_err();
        assert_eq!(error.to_string(), format!("{}: no storage space", path.display()));
        assert_eq!(names(folder.path()), ["report"]);
        assert_eq!(fs::read(&path).unwrap(), b"before");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_has_a_name_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        if nameless::create(folder.path()).is_err() {
            println!("skipped: the file system has no nameless files");
            return;
        }
        let path = folder.path().join("report");
        let output = OutputFile::new(&path).unwrap();
        output
            .write_with(|file| {
                file.write_all(b"half")?;
                assert!(names(folder.path()).is_empty());
                Ok(())
            })
            .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        let error = OutputFile::new(full).unwrap().write(b"report").unwrap_err();
        assert!(error.to_string().contains("No space left"), "{error}");
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
    }
}
