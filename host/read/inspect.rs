//! A look at a file's head: what reading it would mean.

use std::path::Path;

use super::compression::Compression;
use super::format::{self, Format, ToldBy};
use super::input;
use super::open_file::OpenFile;
use super::{Options, Source, source};
use crate::Result;

/// The facts that the head of a file tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// The file as the user named it.
    pub name: String,
    /// The file's format.
    pub format: Format,
    /// What decided on the format.
    pub told_by: ToldBy,
    /// The file's compression; not known before standard input is read.
    pub compression: Option<Compression>,
    /// The file's size in bytes; not known for standard input.
    pub bytes: Option<u64>,
    /// The number of vertices, where the format declares it.
    pub vertices: Option<u64>,
    /// The number of entries that [`crate::Graph::edges`] would have.
    pub entries: Entries,
}

/// A number of entries before the file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entries {
    /// What the header declares, or the size of the file gives.
    Declared(u64),
    /// Extrapolated from the head of the file, a few per cent off as a rule.
    Estimated(u64),
    /// Standard input, and formats that say so at their end.
    Unknown,
}

/// How large a graph is, before its file is read.
pub(super) struct DeclaredSize {
    /// The number of vertices, where the format declares it.
    pub(super) vertices: Option<u64>,
    pub(super) entries: Entries,
}

/// Reads the first 256 KiB of a file and says what they tell, without parsing the rest; of archives all. Standard
/// input (`-`) is left untouched. Of several files that are one graph the figures are sums, and the format is the
/// first one's.
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// use tribin::read::{self, Entries, Format};
///
/// let seen = read::inspect("tests/data/karate.mtx", &read::Options::default())?;
/// assert_eq!((seen.format, seen.vertices), (Format::MatrixMarket, Some(34)));
/// assert_eq!(seen.entries, Entries::Declared(78));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// A file that cannot be opened, is empty or has a malformed header. Faults further down are not
/// seen.
pub fn inspect(source: impl Into<Source>, options: &Options) -> Result<Inspection> {
    let source = source.into();
    let mut all: Option<Inspection> = None;
    for path in source.files()? {
        let next = file(&path, options)?;
        all = Some(match all {
            None => next,
            Some(all) => all.and(&next),
        });
    }
    let name = source.name().display().to_string();
    all.map(|all| Inspection { name: name.clone(), ..all })
        .ok_or_else(|| input::error(&name, "no files were named"))
}

impl Inspection {
    /// The facts of two files that are one graph.
    fn and(self, other: &Inspection) -> Inspection {
        let sum =
            |one: Option<u64>, other: Option<u64>| one.zip(other).map(|(a, b)| a.saturating_add(b));
        Inspection {
            bytes: sum(self.bytes, other.bytes),
            vertices: self.vertices.zip(other.vertices).map(|(one, other)| one.max(other)),
            entries: match (self.entries, other.entries) {
                (Entries::Declared(one), Entries::Declared(other)) => {
                    Entries::Declared(one.saturating_add(other))
                }
                (Entries::Unknown, _) | (_, Entries::Unknown) => Entries::Unknown,
                (
                    Entries::Declared(one) | Entries::Estimated(one),
                    Entries::Declared(other) | Entries::Estimated(other),
                ) => Entries::Estimated(one.saturating_add(other)),
            },
            ..self
        }
    }
}

fn file(path: &Path, options: &Options) -> Result<Inspection> {
    let name = source::name(path);
    if source::is_standard_input(path) {
        let (format, told_by) = format::tell(&name, b"", options.format);
        let (vertices, entries, compression, bytes) = (None, Entries::Unknown, None, None);
        return Ok(Inspection { name, format, told_by, compression, bytes, vertices, entries });
    }
    let options = &Options { progress: None, ..options.clone() };
    let open = OpenFile::of(source::regular(path, &options.cancel)?, options)?;
    let (compression, bytes) = (Some(open.compression), Some(open.file.len()));
    let open = if open.is_archive { open.unpacked()? } else { open };
    let (reader, told_by) = open.reader()?;
    let DeclaredSize { vertices, entries } = reader.sizes(&open.content())?;
    let format = reader.about().format;
    Ok(Inspection { name, format, told_by, compression, bytes, vertices, entries })
}

/// `value` for `part` of `whole`, extrapolated to all of it.
pub(super) fn scale(value: u64, whole: u64, part: u64) -> u64 {
    // Below 2^64 for any file that a disk holds; saturated otherwise.
    let scaled = u128::from(value) * u128::from(whole) / u128::from(part.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}
