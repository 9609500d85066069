//! A report's file: whole under its name, or not there.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::standard_output;
use crate::control::{Unfinished, registered};
use crate::{Error, Result};

/// The name of standard output. A file of that name is `./-`.
const STANDARD_OUTPUT: &str = "-";

/// The file that a report will go to. Nothing stands under the name until [`write`](Self::write) has written
/// all of it: a run that is killed or meets a full disk before leaves what was there before.
#[derive(Debug)]
pub struct OutputFile {
    /// The file as the user named it, for messages.
    named: PathBuf,
    target: OutputPlace,
}

#[derive(Debug)]
enum OutputPlace {
    /// A file, made beside its final place and renamed into it.
    File { folder: PathBuf, path: PathBuf },
    /// Standard output, which the process has already: what is written follows what is there.
    Output,
    /// Standard error.
    Error,
    /// A device, a pipe, …: what is there is written to, never replaced.
    Special,
}

impl OutputFile {
    /// Checks that a file can be made there, so that a long count does not end in an error that was
    /// foreseeable. `-` is standard output.
    ///
    /// # Errors
    /// [`Error::Input`] where the folder is not there, or the file has several names (hard links), of which
    /// only one would be replaced; else the system's reason.
    pub fn new(path: impl Into<PathBuf>) -> Result<OutputFile> {
        let named = path.into();
        let target = target(&named)?;
        Ok(OutputFile { named, target })
    }

    /// Refuses files that this one would replace, or be replaced by: those that are read, and those that are
    /// written to as well.
    ///
    /// # Errors
    /// [`Error::Usage`] for the first of `others` that is this file, whatever it is called.
    pub fn refuse_as<'a>(
        &self,
        others: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    ) -> Result<()> {
        let OutputPlace::File { path, .. } = &self.target else { return Ok(()) };
        for other in others {
            let other = other.as_ref();
            if is_same(path, other) {
                return Err(Error::Usage(
                    format!(
                        "{} would replace {}, which this command needs: write to another file",
                        self.name(),
                        other.display()
                    )
                    .into(),
                ));
            }
        }
        Ok(())
    }

    /// Writes the whole report, which replaces a file that was there before.
    ///
    /// # Errors
    /// The system's reason; what was there before is then untouched.
    pub fn write(&self, report: &[u8]) -> Result<()> {
        self.write_with(|file| file.write_all(report))
    }

    /// Writes what `write` writes, in pieces of any size, and puts it in place once `write` has
    /// returned. What was there before is replaced; its permissions are kept.
    ///
    /// # Errors
    /// The first of `write` and the system; what was there before is then untouched. An [`Error`] in an
    /// [`io::Error`] is passed on as it is.
    pub fn write_with<T>(
        &self,
        write: impl FnOnce(&mut Destination) -> io::Result<T>,
    ) -> Result<T> {
        let written = match &self.target {
            OutputPlace::File { folder, path } => replace(folder, path, write),
            OutputPlace::Output => {
                standard_output().and_then(|mut output| through(&mut output, write))
            }
            OutputPlace::Error => through(&mut io::stderr(), write),
            OutputPlace::Special => fs::OpenOptions::new()
                .append(true)
                .open(&self.named)
                .and_then(|mut file| through(&mut file, write)),
        };
        written.map_err(|source| match source.downcast::<Error>() {
            Ok(error) => error,
            Err(source) => Error::Io { path: self.name().into(), source },
        })
    }

    /// The file as the user named it, and `standard output` for `-`.
    pub fn name(&self) -> String {
        match self.named.to_str() {
            Some(STANDARD_OUTPUT) => "standard output".into(),
            _ => self.named.display().to_string(),
        }
    }

    /// Whether the file is standard output, by whichever name.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.target, OutputPlace::Output)
    }

    /// Whether a file is made. Standard output, pipes and devices are only written to.
    pub fn is_file(&self) -> bool {
        matches!(self.target, OutputPlace::File { .. })
    }

    /// Refuses a second output that goes to standard output as well: nobody could tell the two apart.
    ///
    /// # Errors
    /// [`Error::Usage`] if both do.
    pub fn refuse_both_to_standard_output(&self, other: &OutputFile) -> Result<()> {
        if self.is_standard_output() && other.is_standard_output() {
            let message = "two outputs go to standard output: write one of them to a file";
            return Err(Error::Usage(message.into()));
        }
        Ok(())
    }
}

/// What an output is written to.
pub enum Destination<'d> {
    /// A new file, in which what was written may be written over.
    File(&'d mut fs::File),
    /// A stream, of which nothing comes back.
    Stream(&'d mut (dyn Write + Send)),
}

impl Write for Destination<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::File(file) => file.write(bytes),
            Destination::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::File(file) => file.flush(),
            Destination::Stream(stream) => stream.flush(),
        }
    }
}

fn through<T>(
    to: &mut (dyn Write + Send),
    write: impl FnOnce(&mut Destination) -> io::Result<T>,
) -> io::Result<T> {
    let written = write(&mut Destination::Stream(to))?;
    to.flush()?;
    Ok(written)
}

/// The kind of file that a path leads to.
fn target(named: &Path) -> Result<OutputPlace> {
    let failed = |source| Error::Io { path: named.to_owned(), source };
    let refuse = |message: String| Error::Input {
        file: named.display().to_string(),
        message: message.into(),
    };
    // Where such a name leads to a file, that is open already, and more than this may be written to it.
    match named.to_str() {
        Some(STANDARD_OUTPUT | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => {
            return Ok(OutputPlace::Output);
        }
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => {
            return Ok(OutputPlace::Error);
        }
        Some(name) if name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/") => {
            return Ok(OutputPlace::Special);
        }
        _ => {}
    }
    let path = match fs::metadata(named) {
        Ok(metadata) if metadata.is_dir() => {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        Ok(metadata) if !metadata.is_file() => return Ok(OutputPlace::Special),
        Ok(metadata) => {
            let names = metadata.nlink();
            if names > 1 {
                return Err(refuse(format!(
                    "the file has {names} names (hard links), and only this one would be replaced: \
                     remove it first, or write to another file"
                )));
            }
            // Behind a symbolic link, the file that it leads to is replaced, not the link.
            named.canonicalize().map_err(failed)?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            behind_links(named).map_err(failed)?
        }
        Err(error) => return Err(failed(error)),
    };
    if path.file_name().is_none() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let folder = folder_of(&path);
    if let Err(error) = fs::metadata(&folder)
        && error.kind() == io::ErrorKind::NotFound
    {
        return Err(refuse(format!(
            "there is no folder `{}`: make it, or write to another",
            folder.display()
        )));
    }
    match create(&folder) {
        Ok(_) => Ok(OutputPlace::File { folder, path }),
        // Its own text would name a file that the user never heard of.
        Err(error) => Err(failed(error.kind().into())),
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The path that a chain of symbolic links leads to, where nothing is yet.
fn behind_links(named: &Path) -> io::Result<PathBuf> {
    let mut path = named.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            // An absolute link replaces all of the path.
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether two paths are of one file; where it is not there yet, of one name in one folder.
fn is_same(path: &Path, other: &Path) -> bool {
    match (path.canonicalize(), other.canonicalize()) {
        (Ok(path), Ok(other)) => path == other,
        (Err(_), Err(_)) => {
            let Ok(other) = behind_links(other) else { return false };
            let place = |path: &Path| {
                let folder = folder_of(path).canonicalize().ok()?;
                Some(folder.join(path.file_name()?))
            };
            place(path).is_some_and(|path| place(&other) == Some(path))
        }
        _ => false,
    }
}

/// Writes a file and moves it to its place.
fn replace<T>(
    folder: &Path,
    path: &Path,
    write: impl FnOnce(&mut Destination) -> io::Result<T>,
) -> io::Result<T> {
    // Of what is replaced; anybody else's file is as any new one.
    let permissions = fs::metadata(path).ok().map(|metadata| metadata.permissions());
    let (mut file, _registered) = create(folder)?;
    let written = write(&mut Destination::File(file.as_file_mut()))?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(written)
}

/// A new file in a folder, which goes when it is dropped: on every error, and by the thread that waits for signals.
fn create(folder: &Path) -> io::Result<(tempfile::NamedTempFile, Unfinished)> {
    // As any new file's: the process's mask takes from it.
    let permissions = fs::Permissions::from_mode(0o666);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).permissions(permissions);
    registered(|| builder.tempfile_in(folder))
}

/// What the names of files begin with that are not whole yet.
const PREFIX: &str = ".tribin-";

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
    fn a_device_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        let error = OutputFile::new(full).unwrap().write(b"report").unwrap_err();
        assert!(error.to_string().contains("No space left"), "{error}");
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
    }
}
