//! A look at a file's head: what reading it would mean.

use std::path::Path;

use super::compression::{Compression, decompress_head, may_be_raw};
use super::format::{Format, ToldBy};
use super::input::{self, Input};
use super::progress::Meter;
use super::{Options, dimacs, matrix_market, metis, npy, pairs, refuse_others, sg, source};
use crate::Result;

/// What the head of a file tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// The file as the user named it.
    pub name: String,
    /// Its format.
    pub format: Format,
    /// What decided on the format.
    pub told_by: ToldBy,
    /// Its compression; not known before standard input is read.
    pub compression: Option<Compression>,
    /// Its size in bytes; not known for standard input.
    pub bytes: Option<u64>,
    /// The number of vertices, where the format declares it.
    pub vertices: Option<u64>,
    /// The number of entries that [`crate::Graph::edges`] would have.
    pub entries: Entries,
}

/// A number of entries before the file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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

/// Reads the first 256 KiB of a file and says what they tell, without parsing the rest. Standard
/// input (`-`) is left untouched.
///
/// # Errors
/// A file that cannot be opened, is empty or has a malformed header. Faults further down are not
/// seen.
pub fn inspect(path: &Path, options: &Options) -> Result<Inspection> {
    let name = path.display().to_string();
    if source::is_standard_input(path) {
        let (format, told_by) = Format::tell(&name, b"", options.format);
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
    let (head, bytes) = source::head(path, HEAD)?;
    if head.is_empty() {
        return Err(input::empty(&name));
    }
    let named = options.format.or_else(|| Format::of_name(&name).map(|(format, _)| format));
    let mut compression = Compression::tell(&name, &head, named);
    let content = match decompress_head(&name, &head, compression, 16 * HEAD) {
        // Raw pairs that begin as compressed data do by chance.
        Err(_) if options.format.is_some() && may_be_raw(&name, named) => {
            compression = Compression::None;
            head.clone()
        }
        content => content?,
    };
    let (format, told_by) = Format::tell(&name, &content, options.format);
    refuse_others(&name, &content, format, options)?;
    let meter = Meter::new(None, 0);
    let input = Input::new(&name, &content, &meter);
    // Bytes of content in the whole file, if they are as compressible as the head.
    let size = match compression {
        Compression::None => bytes,
        _ => scale(content.len() as u64, bytes, head.len() as u64),
    };
    let (vertices, entries) = match format {
        Format::MatrixMarket => {
            let head = matrix_market::head(&input)?;
            (Some(head.vertices), Entries::Declared(head.entries))
        }
        Format::Metis => {
            let head = metis::head(&input)?;
            (Some(head.vertices), Entries::Declared(head.edges))
        }
        Format::Npy => (None, Entries::Declared(npy::head(&input)?.rows)),
        // What an archive holds stands at its end.
        Format::Npz => (None, Entries::Unknown),
        Format::Sg => {
            let head = sg::head(&input)?;
            (Some(head.vertices), Entries::Declared(head.edges()))
        }
        Format::Dimacs => {
            let head = dimacs::head(&input)?;
            (Some(head.vertices), Entries::Declared(head.edges))
        }
        Format::Adjacency => (None, Entries::Unknown),
        Format::Parquet | Format::Arrow => (None, rows(path, format, options)?),
        Format::Pairs if compression == Compression::None => {
            (None, Entries::Declared(size / pairs::PAIR as u64))
        }
        Format::Pairs => (None, Entries::Estimated(size / pairs::PAIR as u64)),
        Format::EdgeList => {
            // Whole lines only, if there are any.
            let end = memchr::memrchr2(b'\n', b'\r', &content);
            let whole = end.map_or(content.len(), |at| at + 1);
            let lines = input::lines(&content).max(1);
            (None, Entries::Estimated(scale(lines as u64, size, whole as u64)))
        }
    };
    let compression = Some(compression);
    Ok(Inspection { name, format, told_by, compression, bytes: Some(bytes), vertices, entries })
}

/// The number of rows of a table of columns, which stands at its end.
fn rows(path: &Path, format: Format, options: &Options) -> Result<Entries> {
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    if super::left_out(format, Compression::None).is_none()
        && let source::Source::File(file) = source::open(path)?
    {
        let meter = Meter::new(None, 0);
        let stored = super::columnar::Stored::file(&file, &meter);
        return super::columnar::rows(format, stored, options.most_decompressed())
            .map(Entries::Declared);
    }
    let _ = (path, format, options);
    Ok(Entries::Unknown)
}

/// `value` for `part` of `whole`, extrapolated to all of it.
fn scale(value: u64, whole: u64, part: u64) -> u64 {
    // Below 2^64 for any file that a disk holds; saturated otherwise.
    let scaled = u128::from(value) * u128::from(whole) / u128::from(part.max(1));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}
