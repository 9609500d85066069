//! A look at a file's head: what reading it would mean.

use std::path::Path;

use super::compression::Compression;
use super::format::{self, Format, ToldBy};
use super::input;
use super::open_file::OpenFile;
use super::{Options, Source, source};
use crate::Result;
use crate::graph::Reading;

/// The facts that the head of a file tells.
#[derive(Debug, Clone, PartialEq)]
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
    /// The size of the graph; `None` for standard input and for formats that say it at their end.
    pub size: Option<Foretold>,
}

/// The size of a graph before all of its file is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Foretold {
    /// The number of entries that [`crate::Graph::edges`] would have.
    pub entries: u64,
    /// The number of vertex indexes; `None` where the head of the file does not say it.
    pub vertices: Option<u64>,
    /// How far off the number of entries may be, as a share of it; 0 where it is exact.
    pub error: f64,
    /// Whether the figures are estimated from a part of the file.
    pub is_sampled: bool,
    /// Whether ids are numbered anew, because they have wide gaps or are names.
    pub is_numbered: bool,
    /// How the part of a table that was looked at was read.
    pub reading: Option<Reading>,
}

impl Foretold {
    /// The size that a header declares, or that follows from the size of the file.
    pub fn declared(entries: u64, vertices: Option<u64>) -> Foretold {
        Foretold { entries, vertices, ..Foretold::default() }
    }

    /// A size that is extrapolated from the head of a file, or guessed.
    pub fn estimated(entries: u64, vertices: Option<u64>) -> Foretold {
        // Lines get longer behind the head, as a rule.
        Foretold { entries, vertices, error: 0.1, is_sampled: true, ..Foretold::default() }
    }

    /// The number of vertices. Where nothing says it, they are few beside the entries, as a rule.
    pub fn likely_vertices(&self) -> u64 {
        self.vertices.unwrap_or(self.entries / 4)
    }

    /// The size of two files that are one graph.
    pub(super) fn and(self, other: &Foretold) -> Foretold {
        Foretold {
            entries: self.entries.saturating_add(other.entries),
            vertices: self.vertices.zip(other.vertices).map(|(one, other)| one.max(other)),
            error: self.error.max(other.error),
            is_sampled: self.is_sampled || other.is_sampled,
            is_numbered: self.is_numbered || other.is_numbered,
            ..self
        }
    }
}

/// Reads the first 256 KiB of a file and says what they tell, without parsing the rest; of archives all. Standard
/// input (`-`) is left untouched. Of several files that are one graph the figures are sums, and the format is the
/// first one's.
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// use tribin::read::{self, Format};
///
/// let seen = read::inspect("tests/data/karate.mtx", &read::Options::default())?;
/// let size = seen.size.unwrap_or_default();
/// assert_eq!((seen.format, size.entries, size.vertices), (Format::MatrixMarket, 78, Some(34)));
/// # Ok::<(), tribin::Error>(())
/// ```
///
/// # Errors
/// A file that cannot be opened, is empty or has a malformed header. Faults further down are not
/// seen.
pub fn inspect(source: impl Into<Source>, options: &Options) -> Result<Inspection> {
    let source = source.into();
    let files = source.files()?;
    let each = files.iter().map(|path| file(path, options)).collect::<Result<Vec<_>>>()?;
    let all = each.into_iter().reduce(|all, next| Inspection {
        bytes: all.bytes.zip(next.bytes).map(|(one, other)| one.saturating_add(other)),
        size: all.size.zip(next.size).map(|(one, other)| one.and(&other)),
        ..all
    });
    let name = source.name();
    all.map(|all| Inspection { name: name.clone(), ..all })
        .ok_or_else(|| input::error(&name, "no files were named"))
}

fn file(path: &Path, options: &Options) -> Result<Inspection> {
    let name = source::name(path);
    if source::is_standard_input(path) {
        let (format, told_by) = format::tell(&name, b"", options.format);
        let (compression, bytes, size) = (None, None, None);
        return Ok(Inspection { name, format, told_by, compression, bytes, size });
    }
    let options = &Options { progress: None, ..options.clone() };
    let open = OpenFile::of(source::regular(path, &options.cancel)?, options)?;
    let (compression, bytes) = (Some(open.compression), Some(open.file.len()));
    let open = if open.is_archive { open.unpacked()? } else { open };
    let (reader, told_by) = open.reader()?;
    let size = reader.sizes(&open)?;
    let format = reader.about().format;
    Ok(Inspection { name, format, told_by, compression, bytes, size })
}

/// `value` for `part` of `whole`, extrapolated to all of it.
pub(super) fn scale(value: u64, whole: u64, part: u64) -> u64 {
    // Below 2^64 for any file that a disk holds; saturated otherwise.
    let scaled = u128::from(value) * u128::from(whole) / u128::from(part.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}
