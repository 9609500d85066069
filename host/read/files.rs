//! Which files are a graph: one, those of a folder, those that a pattern matches, or several that were named.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::{input, members, source};
use crate::graph::Reading;
use crate::{Error, Result};

/// The source of a graph: a file, standard input (`-`), a folder of files that are one graph, a pattern such
/// as `parts/*.csv` whose files are one graph, or several of these merged.
///
/// A path is a source by itself:
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// use tribin::read::{self, Options, Source};
///
/// let karate = "tests/data/karate.mtx";
/// let one = read::open(karate, &Options::default())?;
/// let twice = read::open(Source::merged([karate, karate]), &Options::default())?;
/// assert_eq!(twice.edges().len(), 2 * one.edges().len());
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// **Folders.** All files in a folder and the folders in it are parts of one graph, in the order of their paths.
/// Left out are hidden files, editors' backups, files whose names begin with `_` (`_SUCCESS`), checksums, documents, empty
/// files, pipes, sockets and devices. Tables of Delta, Iceberg and Hudi are refused: their logs say which of the files are
/// no part of them any more.
/// Where a folder is what SuiteSparse, KONECT or OGB publish, the graph is one of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: PathBuf,
    /// The parts that were named, where there are several.
    parts: Vec<PathBuf>,
}

impl<P: AsRef<Path>> From<P> for Source {
    fn from(path: P) -> Source {
        Source { name: path.as_ref().to_owned(), parts: Vec::new() }
    }
}

impl Source {
    /// Several files, folders or patterns that are one graph.
    pub fn merged<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Source {
        let parts: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        let name = match &parts[..] {
            [] => PathBuf::new(),
            [only] => only.clone(),
            [first, others @ ..] => {
                let mut name = first.clone().into_os_string();
                name.push(format!(" and {} more", others.len()));
                name.into()
            }
        };
        Source { name, parts }
    }

    /// What messages call the graph: the path, or the first of several and how many more there are. An address is without its query,
    /// which may hold a secret.
    pub fn name(&self) -> String {
        source::name(&self.name)
    }

    /// The sum of the files' sizes; `None` where one is no file.
    pub fn bytes(&self) -> Option<u64> {
        self.files().ok()?.iter().map(|path| source::len(path)).sum()
    }

    /// The files, at least one.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.found()?.files)
    }

    /// The files, and those of folders that are left out.
    pub(super) fn found(&self) -> Result<FoundFiles> {
        let parts = match &self.parts[..] {
            [] => std::slice::from_ref(&self.name),
            parts => parts,
        };
        if parts.len() > 1 && parts.iter().any(|path| source::is_standard_input(path)) {
            let message = "standard input (`-`) is a graph of its own, and is not merged with others: write it to a file first";
            return Err(Error::Usage(message.into()));
        }
        let mut found = FoundFiles::default();
        parts.iter().try_for_each(|path| found.add(path))?;
        // What a program leaves where it had nothing to write. One alone is an error of its own.
        if found.files.len() > 1 {
            let is_empty = |path: &PathBuf| {
                fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() == 0)
            };
            let (empty, others): (Vec<PathBuf>, Vec<PathBuf>) =
                found.files.into_iter().partition(is_empty);
            found.files = if others.is_empty() { empty } else { others };
        }
        Ok(found)
    }
}

/// The files that are a graph, and the names of those in folders that are left out although somebody may miss them.
#[derive(Default)]
pub(super) struct FoundFiles {
    pub(super) files: Vec<PathBuf>,
    left_out: Vec<String>,
}

impl FoundFiles {
    /// Adds the files that a path leads to.
    fn add(&mut self, path: &Path) -> Result<()> {
        #[cfg(feature = "remote")]
        if source::is_in_store(path) && path.to_string_lossy().ends_with('/') {
            return self.add_folder(path, super::far::list(path)?);
        }
        for path in matching(path)? {
            if path.is_dir() && !source::is_standard_input(&path) {
                let mut files = Vec::new();
                walk(&path, "", 0, &mut files)?;
                self.add_folder(&path, files)?;
            } else {
                // What is wrong with it is said by whoever opens it.
                self.files.push(path);
            }
        }
        Ok(())
    }

    /// Adds the files that are the graph, of all files of a folder by their names in it.
    fn add_folder(&mut self, path: &Path, mut files: Vec<(String, PathBuf)>) -> Result<()> {
        refuse_table(path, &files)?;
        let missed = files.iter().map(|(name, _)| name).filter(|name| members::may_be_missed(name));
        self.left_out.extend(missed.cloned());
        // With the folders that it is in.
        let is_left_out = |name: &str| {
            let folders = name.match_indices('/').map(|(end, _)| &name[..end]);
            folders.chain([name]).any(members::is_beside)
        };
        files.retain(|(name, _)| !is_left_out(name));
        files.sort();
        if files.is_empty() {
            let why = "the folder holds no graph: it has no files but documents, checksums and hidden ones";
            return Err(error(path, why));
        }
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        match members::by_layout(&names) {
            Some(at) => {
                self.files.push(files.swap_remove(at).1);
                self.left_out.extend(files.into_iter().map(|(name, _)| name));
            }
            None => self.files.extend(files.into_iter().map(|(_, path)| path)),
        }
        Ok(())
    }

    /// How the files were read, with a note of those that were left out.
    pub(super) fn noted(&self, reading: Option<Reading>) -> Option<Reading> {
        const SHOWN: usize = 3;
        let mut names = self.left_out.clone();
        names.sort();
        let more = names.split_off(names.len().min(SHOWN)).len();
        let note = match (names.join(", "), more) {
            (shown, _) if shown.is_empty() => return reading,
            (shown, 0) => shown,
            (shown, more) => format!("{shown} and {more} more"),
        };
        let table = reading.as_ref().map_or("one file", |reading| &reading.table);
        let table = format!("{table} (left out: {note})");
        Some(Reading { table, ..reading.unwrap_or_default() })
    }
}

fn error(path: &Path, message: impl Into<crate::Message>) -> Error {
    input::error(&path.display().to_string(), message)
}

/// Whether a path has what makes it a pattern.
fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains(['*', '?', '[']))
}

/// The pattern of a path, whose folders that are there have no pattern in their names.
fn pattern(path: &Path) -> String {
    let whole = path.to_string_lossy();
    let there = path.ancestors().skip(1).find(|folder| folder.is_dir());
    let literal = there.unwrap_or(Path::new("")).to_string_lossy();
    match whole.strip_prefix(&*literal) {
        Some(rest) => format!("{}{rest}", glob::Pattern::escape(&literal)),
        None => whole.into_owned(),
    }
}

/// The paths that a pattern such as `parts/*.csv` matches, in the order of the paths, as a shell would have it. A path that
/// is no pattern, or under which there is a file, is its own only match. Folders that are there are taken as they are called.
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// # use std::path::Path;
/// let found = tribin::read::matching(Path::new("tests/data/kara*.mtx"))?;
/// assert_eq!(found, [Path::new("tests/data/karate.mtx")]);
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// For a pattern that is malformed, or that matches nothing.
pub fn matching(path: &Path) -> Result<Vec<PathBuf>> {
    if source::is_in_store(path) && is_pattern(path) {
        let message = "patterns match files of this machine alone: name a folder, which ends with `/`, or each object";
        return Err(error(path, message));
    }
    if !is_pattern(path) || source::is_far(path) || path.exists() {
        return Ok(vec![path.to_owned()]);
    }
    let matches = glob::glob(&pattern(path)).map_err(|wrong| {
        error(path, format!("there is no such file, and it is no pattern of files: {}", wrong.msg))
    })?;
    let mut found = Vec::new();
    for path in matches {
        let path = path.map_err(|failed| Error::Io {
            path: failed.path().to_owned(),
            source: failed.into(),
        })?;
        let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        // To open a pipe may take until somebody writes to it.
        if !members::is_beside(&name) && !source::is_special(&path) {
            found.push(path);
        }
    }
    match found.is_empty() {
        true => Err(error(path, "no file matches this pattern: check the path")),
        false => Ok(found),
    }
}

/// Folders within folders that are followed.
const MOST_NESTED: u32 = 32;

/// Refuses a folder whose files are a table that has a log: which of them hold its rows stands there alone.
fn refuse_table(folder: &Path, files: &[(String, PathBuf)]) -> Result<()> {
    let has = |log: &str, end: &str| {
        let is_of = |name: &str| format!("/{name}").contains(log) && name.ends_with(end);
        files.iter().any(|(name, _)| is_of(name))
    };
    let table = match () {
        () if has("/_delta_log/", "") => "Delta",
        () if has("/.hoodie/", "") => "Hudi",
        () if has("/metadata/", ".metadata.json") => "Iceberg",
        () => return Ok(()),
    };
    let message = format!(
        "this is a table of {table}, whose log says which of the files hold its rows: write the rows to Parquet, with Spark or with \
         Polars (`read_delta`, `scan_iceberg`), and read what comes out"
    );
    Err(error(folder, message))
}

/// Adds the files of a folder, with their paths in the one that was named. Of a folder that is left out its name alone is added.
fn walk(path: &Path, within: &str, depth: u32, files: &mut Vec<(String, PathBuf)>) -> Result<()> {
    let failed = |source| Error::Io { path: path.to_owned(), source };
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{within}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        match path.is_dir() {
            true if members::is_beside(&name) => files.push((format!("{name}/"), path)),
            true if depth == MOST_NESTED => {
                let why = "more than 32 folders are in each other: a link leads back";
                return Err(error(&path, why));
            }
            true => walk(&path, &format!("{name}/"), depth + 1, files)?,
            false if source::is_special(&path) => {}
            false => files.push((name, path)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_of(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "0 1\n").unwrap();
        }
        folder
    }

    fn found(source: impl Into<Source>, folder: &Path) -> Vec<String> {
        let files = source.into().files().unwrap();
        let within = |path: PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
        files.into_iter().map(within).collect()
    }

    #[test]
    fn folders_patterns_and_several() {
        let parts = [
            "kind=b/0.csv",
            "kind=a/1.csv",
            "kind=a/0.csv",
            "_SUCCESS",
            "kind=a/.0.csv.crc",
            "kind=b/0.csv~",
            "_logs/a",
        ];
        let folder = folder_of(&parts);
        let root = folder.path();
        let all = ["kind=a/0.csv", "kind=a/1.csv", "kind=b/0.csv"];
        assert_eq!(found(root, root), all);
        assert_eq!(found(root.join("*/0.csv"), root), [all[0], all[2]]);
        assert_eq!(found(root.join("*=a"), root), all[..2]);
        let some = Source::merged([root.join("kind=b"), root.join("kind=a/1.csv")]);
        assert_eq!(found(some.clone(), root), [all[2], all[1]]);
        assert!(some.name().ends_with("kind=b and 1 more"));
        let piped = Source::merged([root.join("kind=b"), "-".into()]).files().unwrap_err();
        assert!(matches!(piped, Error::Usage(_)), "{piped}");
        fs::write(root.join(all[1]), "").unwrap();
        assert_eq!(found(root, root), [all[0], all[2]]);
        let error = Source::from(root.join("*.mtx")).files().unwrap_err().to_string();
        assert!(error.ends_with("*.mtx: no file matches this pattern: check the path"), "{error}");
        let published = folder_of(&["raw/edge.csv.gz", "raw/num-node-list.csv.gz"]);
        assert_eq!(found(published.path(), published.path()), ["raw/edge.csv.gz"]);
        let odd = folder_of(&["dd[x]/a.csv", "dd[x]/b[1].csv", "ddx/c.csv"]);
        let root = odd.path();
        assert_eq!(found(root.join("dd[x]"), root), ["dd[x]/a.csv", "dd[x]/b[1].csv"]);
        assert_eq!(found(root.join("dd[x]/b[1].csv"), root), ["dd[x]/b[1].csv"]);
        assert_eq!(found(root.join("dd[x]/a*"), root), ["dd[x]/a.csv"]);
        assert_eq!(found(root.join("dd?/c.csv"), root), ["ddx/c.csv"]);
        let none = folder_of(&["README.md"]);
        let error = Source::from(none.path()).files().unwrap_err().to_string();
        assert!(error.contains("the folder holds no graph"), "{error}");
    }

    #[test]
    fn tables_with_a_log_are_refused() {
        for (log, table) in [
            ("_delta_log/00000000000000000000.json", "Delta"),
            (".hoodie/hoodie.properties", "Hudi"),
            ("metadata/v2.metadata.json", "Iceberg"),
        ] {
            let folder = folder_of(&["t/part-0.parquet", &format!("t/{log}"), "t/metadata/a.avro"]);
            for path in [folder.path().to_owned(), folder.path().join("t")] {
                let error = Source::from(path).files().unwrap_err().to_string();
                assert!(error.contains(&format!("table of {table}, whose log says")), "{error}");
            }
        }
        let folder = folder_of(&["part-0.csv", "metadata/notes.csv"]);
        let all = ["metadata/notes.csv", "part-0.csv"];
        assert_eq!(found(folder.path(), folder.path()), all);
    }

    /// To open a pipe that nobody writes to takes forever.
    #[cfg(unix)]
    #[test]
    fn pipes_and_sockets_in_folders_are_left_out() {
        let folder = folder_of(&["a.txt"]);
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("b.txt")).unwrap();
        let pipe = folder.path().join("c.txt");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("d.txt")).unwrap();
        assert_eq!(found(folder.path(), folder.path()), ["a.txt"]);
        assert_eq!(found(folder.path().join("*.txt"), folder.path()), ["a.txt"]);
        assert_eq!(found(&pipe, folder.path()), ["c.txt"]);
        fs::remove_file(folder.path().join("a.txt")).unwrap();
        let error = Source::from(folder.path()).files().unwrap_err().to_string();
        assert!(error.contains("the folder holds no graph"), "{error}");
    }

    /// A file may be called as a pattern is.
    #[test]
    fn a_file_goes_before_a_pattern() {
        let folder = folder_of(&["a[1].txt", "a1.txt"]);
        assert_eq!(found(folder.path().join("a[1].txt"), folder.path()), ["a[1].txt"]);
    }
}
