//! A look at a file's head: what reading it would mean.

use std::path::Path;

use super::compression::{Compression, decompress_head, may_be_raw};
use super::format::{self, Format, ToldBy};
use super::input::{self, Input};
use super::progress::Meter;
use super::{Options, Source, archive, reader_of, source, unpack};
use crate::Result;

/// What the head of a file tells.
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

/// Bytes of the file that are looked at.
const HEAD: u64 = 1 << 18;

/// Bytes that the first block of bzip2 data may take.
const BLOCK: u64 = 1 << 20;

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
    /// What two files tell that are one graph.
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

/// What is known of a file's content.
#[cfg_attr(not(any(feature = "arrow", feature = "parquet")), allow(dead_code))]
pub(super) struct Content<'a> {
    pub(super) input: Input<'a>,
    /// Bytes of the whole content; an estimate where it is compressed.
    pub(super) size: u64,
    pub(super) exact: bool,
    /// The file, where the content is not compressed.
    pub(super) path: Option<&'a Path>,
    /// Whether nothing of the content is left out.
    pub(super) whole: bool,
}

fn file(path: &Path, options: &Options) -> Result<Inspection> {
    let name = source::name(path);
    if source::is_standard_input(path) {
        let (format, told_by) = format::tell(&name, b"", options.format);
        return Ok(Inspection {
            name,
            format,
            told_by,
            compression: None,
            bytes: None,
            vertices: None,
            entries: Entries::Unknown,
        });
    }
    let (mut head, bytes) = source::head(path, HEAD)?;
    if head.is_empty() {
        return Err(input::empty(&name));
    }
    let named = format::named(&name, options);
    let mut compression = Compression::tell(&name, &head, named);
    if compression == Compression::Bzip2 {
        head = source::head(path, BLOCK)?.0;
    }
    let content = match decompress_head(&name, &head, compression, 16 * HEAD) {
        // Raw pairs that begin as compressed data do by chance.
        Err(_) if options.format.is_some() && may_be_raw(&name, named) => {
            compression = Compression::None;
            head.clone()
        }
        content => content?,
    };
    let meter = Meter::new(None, 0);
    let told = |label: &str, content: Content| -> Result<Inspection> {
        let (reader, told_by) = reader_of(label, content.input.content, options)?;
        let (vertices, entries) = reader.sizes(&content, options)?;
        let format = reader.about().format;
        let (name, compression, bytes) = (name.clone(), Some(compression), Some(bytes));
        Ok(Inspection { name, format, told_by, compression, bytes, vertices, entries })
    };
    if archive::tell(&name, &content, format::is_raw(named)).is_some() {
        let whole = match source::open(path, &options.cancel)? {
            source::Source::Content(bytes) => bytes,
            source::Source::File(file) => file.whole(&meter)?,
        };
        let unpacked = unpack::unpack(&name, &whole, options, &meter)?;
        let label = &unpacked.label;
        let input = Input::new(label, &unpacked.content, &meter);
        let size = unpacked.content.len() as u64;
        return told(label, Content { input, size, exact: true, path: None, whole: true });
    }
    // Bytes of content in the whole file, if they are as compressible as the head.
    let size = match compression {
        Compression::None => bytes,
        _ => scale(content.len() as u64, bytes, head.len() as u64),
    };
    let exact = compression == Compression::None;
    let input = Input::new(&name, &content, &meter);
    told(&name, Content { input, size, exact, path: Some(path).filter(|_| exact), whole: false })
}

/// `value` for `part` of `whole`, extrapolated to all of it.
pub(super) fn scale(value: u64, whole: u64, part: u64) -> u64 {
    // Below 2^64 for any file that a disk holds; saturated otherwise.
    let scaled = u128::from(value) * u128::from(whole) / u128::from(part.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}
