//! The list of a bundle's files, which its scripts read.

use std::fmt;

use anyhow::{Result, bail};

/// What a file of a bundle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Text,
    Script,
    /// What the executables are packed into.
    Archive,
    Command,
    Test,
    /// A test that launches kernels.
    KernelTest,
    Bench,
    Data,
    /// A file of the project.
    Repository,
}

impl Kind {
    /// Whether files of this kind are in the archive instead of the folder.
    pub fn is_packed(self) -> bool {
        matches!(self, Self::Command | Self::Test | Self::KernelTest | Self::Bench)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Text => "text",
            Self::Script => "script",
            Self::Archive => "archive",
            Self::Command => "command",
            Self::Test => "test",
            Self::KernelTest => "kernel-test",
            Self::Bench => "bench",
            Self::Data => "data",
            Self::Repository => "repository",
        })
    }
}

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub kind: Kind,
    /// Bytes of the file itself, also where it is packed.
    pub bytes: u64,
    /// Tests: the folder below `repository` in which they run.
    pub folder: Option<String>,
    /// Below the bundle, with `/`.
    pub path: String,
}

impl Entry {
    pub fn new(kind: Kind, path: &str) -> Self {
        Self { kind, bytes: 0, folder: None, path: path.to_owned() }
    }
}

/// The manifest: kind, bytes, folder (`-` for none) and path, in the order of kinds and paths.
pub fn text(entries: &[Entry]) -> String {
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by_key(|entry| (entry.kind, &entry.path));
    let row = |entry: &&Entry| {
        let folder = entry.folder.as_deref().unwrap_or("-");
        format!("{}\t{}\t{folder}\t{}\n", entry.kind, entry.bytes, entry.path)
    };
    entries.iter().map(row).collect()
}

/// The entries that are files of the folder.
pub fn files(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    entries.iter().filter(|entry| !entry.kind.is_packed())
}

/// Kind, files and bytes, for each kind that there is.
pub fn totals(entries: &[Entry]) -> Vec<(Kind, usize, u64)> {
    let mut kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
    kinds.sort();
    kinds.dedup();
    let total = |kind| {
        let of_kind = || entries.iter().filter(|entry| entry.kind == kind);
        (kind, of_kind().count(), of_kind().map(|entry| entry.bytes).sum())
    };
    kinds.into_iter().map(total).collect()
}

/// # Errors
/// The folder has `limit` bytes or more: the total, and the largest files.
pub fn check_size(entries: &[Entry], limit: u64) -> Result<()> {
    let total: u64 = files(entries).map(|entry| entry.bytes).sum();
    if total < limit {
        return Ok(());
    }
    let mut largest: Vec<_> = files(entries).collect();
    largest.sort_by_key(|entry| std::cmp::Reverse(entry.bytes));
    let largest: Vec<_> =
        largest.iter().take(5).map(|e| format!("{} ({} bytes)", e.path, e.bytes)).collect();
    bail!(
        "the bundle has {total} bytes and must have less than {limit}; the largest files: {}",
        largest.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: Kind, bytes: u64, path: &str) -> Entry {
        Entry { bytes, ..Entry::new(kind, path) }
    }

    #[test]
    fn a_manifest_has_one_sorted_row_a_file() {
        let mut test = entry(Kind::Test, 7, "tests/device.lib");
        test.folder = Some("gpu/device".into());
        let entries = [
            entry(Kind::Data, 3, "shared/data/b"),
            test,
            entry(Kind::Data, 30, "shared/data/a"),
            entry(Kind::KernelTest, 1, "tests/kernels"),
        ];
        assert_eq!(
            text(&entries),
            "test\t7\tgpu/device\ttests/device.lib\nkernel-test\t1\t-\ttests/kernels\n\
             data\t30\t-\tshared/data/a\ndata\t3\t-\tshared/data/b\n"
        );
        assert_eq!(
            totals(&entries),
            [(Kind::Test, 1, 7), (Kind::KernelTest, 1, 1), (Kind::Data, 2, 33)]
        );
    }

    #[test]
    fn the_limit_itself_is_too_large() {
        let entries = [
            entry(Kind::Bench, 100, "benches/a"),
            entry(Kind::KernelTest, 100, "tests/b"),
            entry(Kind::Test, 100, "tests/a"),
            entry(Kind::Command, 100, "bin/a"),
            entry(Kind::Repository, 10, "repository/a"),
            entry(Kind::Archive, 49, "a.tar.xz"),
            entry(Kind::Data, 1, "data"),
        ];
        assert!(check_size(&entries, 61).is_ok());
        assert_eq!(
            check_size(&entries, 60).unwrap_err().to_string(),
            "the bundle has 60 bytes and must have less than 60; the largest files: a.tar.xz (49 \
             bytes), repository/a (10 bytes), data (1 bytes)"
        );
    }
}
