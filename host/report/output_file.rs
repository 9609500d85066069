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
        let written = match &self.target {
            Target::File { folder, path } => replace(folder, path, report),
            Target::Special => {
                fs::OpenOptions::new().write(true).open(&self.named).and_then(|mut file| {
                    file.write_all(report)?;
                    file.flush()
                })
            }
        };
        written.map_err(|source| Error::Io { path: self.named.clone(), source })
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

fn replace(folder: &Path, path: &Path, report: &[u8]) -> io::Result<()> {
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
    file.write_all(report)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
