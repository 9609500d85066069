//! A folder of scratch files: one of its own for each count, gone when the count ends, however it ends.
//!
//! | end | who removes the folder |
//! | --- | --- |
//! | a result, an error, a panic | the folder's owner, as it is dropped |
//! | SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1 and others that end a process | the thread that waits for signals (`control/unfinished.rs`) |
//! | SIGKILL, a crash of the machine | the next count in the same place |
//!
//! The owner holds a lock on a file in the folder. Where nobody holds it the owner is gone, so that the folder
//! can be removed. The folder gets its name after the lock is held: nobody sees it without.
//!
//! Files consist of records. The place and the checksum of each are kept in memory, so that a record that was
//! damaged, or is of another file, is an error.

use std::fs::{self, File, TryLockError};
use std::hash::BuildHasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Pod;
use foldhash::quality::FixedState;

use crate::control::{Unfinished, memory, registered, remove_folder};
use crate::{Error, Message, Result, hint};

/// What the names of all scratch folders begin with.
const PREFIX: &str = "tribin-scratch-";

/// The file whose lock says that the owner is alive.
const LOCK: &str = "lock";

/// A folder of scratch files.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Held until the folder is gone.
    _lock: File,
    _unfinished: Unfinished,
    /// Bytes of all files.
    bytes: AtomicU64,
    most_bytes: AtomicU64,
    #[cfg(test)]
    faults: super::tests::Faults,
}

/// A part of a scratch file that is written and read as one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    offset: u64,
    checksum: u64,
    bytes: u32,
}

impl Record {
    /// The number of its elements, which are of this kind.
    pub fn elements<T>(&self) -> usize {
        self.bytes as usize / size_of::<T>()
    }
}

/// A scratch file. No handle is kept: there may be more files than a process may have open.
#[derive(Debug)]
pub(super) struct ScratchFile<'s> {
    scratch: &'s Scratch,
    path: PathBuf,
    len: AtomicU64,
}

impl Scratch {
    /// A new folder in `place`, from which the folders of processes that were killed are removed first.
    ///
    /// # Errors
    /// Where `place` is no folder that files can be made in.
    pub fn new(place: &Path) -> Result<Scratch> {
        remove_stale(place);
        let failed = |source: io::Error| {
            let message = match source.kind() {
                io::ErrorKind::NotFound => "there is no such folder for scratch files".into(),
                io::ErrorKind::NotADirectory => "this is no folder for scratch files".into(),
                _ => format!("scratch files cannot be made here: {source}"),
            };
            let message = Message::from(message).with_hint(hint::SCRATCH).with_source(source);
            Error::Input { file: place.display().to_string(), message }
        };
        let (made, unfinished) = registered(|| make(place)).map_err(failed)?;
        Ok(Scratch {
            folder: made.folder,
            _lock: made.lock,
            _unfinished: unfinished,
            bytes: AtomicU64::new(0),
            most_bytes: AtomicU64::new(0),
            #[cfg(test)]
            faults: super::tests::Faults::none(),
        })
    }

    /// A new folder in `place`, of which the operation with number `at` of all that it asks of the system fails, counted from 0.
    #[cfg(test)]
    pub fn failing(place: &Path, at: u64, kind: io::ErrorKind) -> Scratch {
        let mut scratch = Scratch::new(place).unwrap();
        scratch.faults = super::tests::Faults::at(at, kind);
        scratch
    }

    /// Where the files are.
    #[cfg(test)]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes that the files took together at the most.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes.load(Relaxed)
    }

    /// A file of this name, without a record yet.
    pub(super) fn file(&self, name: String) -> ScratchFile<'_> {
        ScratchFile { scratch: self, path: self.folder.join(name), len: AtomicU64::new(0) }
    }

    fn ask<T>(&self, path: &Path, operation: impl FnOnce() -> io::Result<T>) -> Result<T> {
        #[cfg(test)]
        self.faults.next().map_err(|error| self.failed(path, error))?;
        operation().map_err(|error| self.failed(path, error))
    }

    fn failed(&self, path: &Path, source: io::Error) -> Error {
        if source.kind() == io::ErrorKind::FileTooLarge {
            let message = Message::from(
                "no file may grow to the size of this scratch file: raise the limit on the size of files (`ulimit -f`)",
            );
            let file = path.display().to_string();
            return Error::Input { file, message: message.with_source(source) };
        }
        if !matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            return Error::Io { path: path.to_owned(), source };
        }
        let free = super::disk::free(&self.folder);
        let free = free.map_or(String::new(), |free| format!(", {free} are free now"));
        let message = Message::from(format!(
            "there is no room for more scratch files: they take {} bytes{free}",
            self.bytes.load(Relaxed)
        ));
        let message = message.with_hint(hint::SCRATCH).with_source(source);
        Error::Input { file: self.folder.display().to_string(), message }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = remove_folder(&self.folder) {
            tracing::warn!("{}: scratch files are left: {error}", self.folder.display());
        }
    }
}

/// A folder and its lock.
struct LockedFolder {
    folder: PathBuf,
    lock: File,
}

impl AsRef<Path> for LockedFolder {
    fn as_ref(&self) -> &Path {
        &self.folder
    }
}

fn make(place: &Path) -> io::Result<LockedFolder> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        // A process before this one may have had its number.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos() as u64);
        let number = NUMBER.fetch_add(1, Relaxed);
        let name = format!("{}-{now:x}-{number}", std::process::id());
        let folder = place.join(format!("{PREFIX}{name}"));
        let hidden = place.join(format!(".{PREFIX}{name}"));
        match fs::create_dir(&hidden) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            made => made?,
        }
        let lock = File::create(hidden.join(LOCK)).and_then(|lock| {
            // Where the file system has no locks, nobody takes the folder for that of a killed process.
            let _ = lock.try_lock();
            fs::rename(&hidden, &folder).map(|()| lock)
        });
        match lock {
            Ok(lock) => return Ok(LockedFolder { folder, lock }),
            Err(error) => {
                let _ = remove_folder(&hidden);
                return Err(error);
            }
        }
    }
}

/// Removes the folders of processes that ended without removing theirs.
fn remove_stale(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let folder = entry.path();
        let Ok(lock) = File::options().write(true).open(folder.join(LOCK)) else { continue };
        let shown = folder.display();
        match lock.try_lock() {
            Ok(()) => match remove_folder(&folder) {
                Ok(()) => tracing::warn!("{shown}: scratch files of a killed process were removed"),
                Err(error) => {
                    tracing::warn!("{shown}: scratch files of a killed process are left: {error}");
                }
            },
            // Somebody is counting.
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => tracing::warn!(
                "{shown}: whether these scratch files are in use is not known ({error}): remove them if \
                 no tribin is running"
            ),
        }
    }
}

/// The checksum of a record's bytes.
fn checksum(bytes: &[u8]) -> u64 {
    FixedState::default().hash_one(bytes)
}

impl<'s> ScratchFile<'s> {
    /// Writes a record behind the others. Any threads may do so at the same time.
    ///
    /// # Errors
    /// What the system reports.
    ///
    /// # Panics
    /// If it has 4 GiB or more.
    pub fn append<T: Pod>(&self, content: &[T]) -> Result<Record> {
        let content: &[u8] = bytemuck::cast_slice(content);
        let bytes = u32::try_from(content.len()).expect("a record of less than 4 GiB");
        let record = self.write_at(self.len.fetch_add(bytes.into(), Relaxed), content)?;
        let all = self.scratch.bytes.fetch_add(bytes.into(), Relaxed) + u64::from(bytes);
        self.scratch.most_bytes.fetch_max(all, Relaxed);
        Ok(record)
    }

    /// Writes a record anew, in its place.
    ///
    /// # Errors
    /// What the system reports.
    ///
    /// # Panics
    /// If it has another length than before.
    pub fn rewrite<T: Pod>(&self, record: Record, content: &[T]) -> Result<Record> {
        let content: &[u8] = bytemuck::cast_slice(content);
        assert_eq!(content.len(), record.bytes as usize);
        self.write_at(record.offset, content)
    }

    fn write_at(&self, offset: u64, content: &[u8]) -> Result<Record> {
        self.scratch.ask(&self.path, || {
            let mut file =
                File::options().create(true).truncate(false).write(true).open(&self.path)?;
            file.seek(SeekFrom::Start(offset))?;
            file.write_all(content)
        })?;
        Ok(Record { offset, checksum: checksum(content), bytes: content.len() as u32 })
    }

    /// Reads a record into a vector, which is as long as the record then.
    ///
    /// # Errors
    /// What the system reports, where there is no memory, and where the record is not what was written.
    pub fn read<T: Pod>(&self, record: Record, content: &mut Vec<T>) -> Result<()> {
        let len = record.elements::<T>();
        content.clear();
        memory::reserve_exact(content, len).map_err(|refused| self.error(refused.to_string()))?;
        content.resize(len, T::zeroed());
        self.read_exactly(record, content)
    }

    /// Reads a record into a slice that is as long as the record.
    pub fn read_exactly<T: Pod>(&self, record: Record, content: &mut [T]) -> Result<()> {
        let content: &mut [u8] = bytemuck::cast_slice_mut(content);
        assert_eq!(content.len(), record.bytes as usize);
        let read = self.scratch.ask(&self.path, || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(record.offset))?;
            file.read_exact(content)
        });
        match read {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged(record))
            }
            Ok(()) if checksum(content) != record.checksum => Err(self.damaged(record)),
            read => read,
        }
    }

    /// Removes the file, once all of it was read.
    ///
    /// # Errors
    /// What the system reports.
    pub fn remove(&self) -> Result<()> {
        let len = self.len.swap(0, Relaxed);
        if len == 0 {
            return Ok(());
        }
        self.scratch.bytes.fetch_sub(len, Relaxed);
        self.scratch.ask(&self.path, || fs::remove_file(&self.path))
    }

    fn damaged(&self, record: Record) -> Error {
        self.error(format!(
            "the {} bytes from byte {} on are not what was written: the disk or its memory is faulty, or \
             another program wrote to the scratch file",
            record.bytes, record.offset
        ))
    }

    fn error(&self, message: String) -> Error {
        Error::Input { file: self.path.display().to_string(), message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(place: &Path) -> usize {
        fs::read_dir(place).unwrap().count()
    }

    #[test]
    fn records_come_back_and_the_folder_goes() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(place.path()).unwrap();
        let file = scratch.file("a".into());
        let first = file.append(&[1u32, 2, 3]).unwrap();
        let second = file.append(&[1u64 << 40]).unwrap();
        let (mut narrow, mut wide) = (vec![9u32; 7], Vec::<u64>::new());
        file.read(second, &mut wide).unwrap();
        file.read(first, &mut narrow).unwrap();
        assert_eq!((narrow, wide), (vec![1, 2, 3], vec![1 << 40]));
        let anew = file.rewrite(first, &[4u32, 5, 6]).unwrap();
        let mut narrow = Vec::<u32>::new();
        assert!(file.read(first, &mut narrow).is_err(), "the record as it was");
        file.read(anew, &mut narrow).unwrap();
        file.read(second, &mut Vec::<u64>::new()).unwrap();
        assert_eq!(narrow, [4, 5, 6]);
        assert_eq!(scratch.most_bytes(), 20);
        file.remove().unwrap();
        scratch.file("b".into()).append(&[7u32]).unwrap();
        assert_eq!(scratch.most_bytes(), 20);
        drop(scratch);
        assert_eq!(names(place.path()), 0);
    }

    #[test]
    fn a_record_that_was_damaged_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(place.path()).unwrap();
        let file = scratch.file("a".into());
        let record = file.append(&[0u32; 100]).unwrap();
        let mut content: Vec<u32> = Vec::new();
        let path = scratch.folder().join("a");
        for (offset, bit) in [(0, 1u8), (399, 128), (200, 16)] {
            let mut bytes = fs::read(&path).unwrap();
            bytes[offset] ^= bit;
            fs::write(&path, &bytes).unwrap();
            let error = file.read(record, &mut content).unwrap_err().to_string();
            assert!(
                error.contains("a: the 400 bytes from byte 0 on are not what was written"),
                "{error}"
            );
            bytes[offset] ^= bit;
            fs::write(&path, &bytes).unwrap();
        }
        file.read(record, &mut content).unwrap();
        fs::write(&path, [0; 399]).unwrap();
        assert!(file.read(record, &mut content).is_err());
    }

    #[test]
    fn folders_of_dead_processes_are_removed_and_those_of_others_are_not() {
        let place = tempfile::tempdir().unwrap();
        let living = Scratch::new(place.path()).unwrap();
        living.file("a".into()).append(&[1u32]).unwrap();
        let dead = place.path().join(format!("{PREFIX}1-2-3"));
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("a"), "much").unwrap();
        let other = place.path().join("tribin-results");
        fs::create_dir(&other).unwrap();
        let another = Scratch::new(place.path()).unwrap();
        assert!(!dead.exists() && other.exists());
        assert!(living.folder().join("a").exists() && another.folder().exists());
    }

    #[test]
    fn a_place_that_is_not_there_is_named() {
        let place = tempfile::tempdir().unwrap();
        let missing = place.path().join("missing");
        let error = Scratch::new(&missing).unwrap_err().to_string();
        let expected = format!("{}: there is no such folder for scratch files", missing.display());
        assert!(error.starts_with(&expected), "{error}");
    }

    #[cfg(unix)]
    const PLACE: &str = "TRIBIN_TEST_SCRATCH";

    /// What the test below starts in a process of its own, and ends.
    #[cfg(unix)]
    #[test]
    fn a_process_with_scratch_files() {
        let Some(place) = std::env::var_os(PLACE) else { return };
        crate::control::remove_on_signals();
        let scratch = Scratch::new(Path::new(&place)).unwrap();
        scratch.file("a".into()).append(&[1u32]).unwrap();
        println!("\nready");
        // Until it is killed.
        let _ = io::stdin().read_line(&mut String::new());
        drop(scratch);
    }

    #[cfg(unix)]
    #[test]
    fn a_signal_removes_the_folder_and_a_kill_leaves_it_to_the_next() {
        use std::io::{BufRead, BufReader};
        use std::process::Command;
        use testkit::signals::one_test;

        for (signal, left) in [
            ("-INT", 0),
            ("-TERM", 0),
            ("-QUIT", 0),
            ("-XCPU", 0),
            ("-USR1", 0),
            ("-USR2", 0),
            ("-ALRM", 0),
            ("-VTALRM", 0),
            ("-KILL", 1),
        ] {
            let place = tempfile::tempdir().unwrap();
            let test = "scratch::tests::a_process_with_scratch_files";
            let mut child = one_test(test).env(PLACE, place.path()).spawn().unwrap();
            // Open until the end: without it the child ends by itself.
            let _stdin = child.stdin.take();
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            assert!(lines.any(|line| line.unwrap() == "ready"));
            // While it lives, its folder is left alone.
            drop(Scratch::new(place.path()).unwrap());
            assert_eq!(names(place.path()), 1);
            let kill = [signal, &child.id().to_string()];
            assert!(Command::new("kill").args(kill).status().unwrap().success());
            assert!(!child.wait().unwrap().success());
            assert_eq!(names(place.path()), left, "{signal}");
            drop(Scratch::new(place.path()).unwrap());
            assert_eq!(names(place.path()), 0, "{signal}");
        }
    }
}
