//! Read: a file of any supported format becomes a [`Graph`].
//!
//! | format | extensions | ids | what is an edge |
//! | --- | --- | --- | --- |
//! | [`Format::EdgeList`] | `.txt` `.el` `.tsv` `.csv` `.edgelist` `.edges`, anything unknown | as they stand, to 2⁶⁴-1 | the first two columns of each line |
//! | [`Format::MatrixMarket`] | `.mtx` | from 1 | each stored entry of a square coordinate matrix, an explicit zero too |
//! | [`Format::Metis`] | `.graph` `.metis` | from 1 | each edge once, although the file lists it twice |
//! | [`Format::Pairs`] | `.bin` | as they stand, to 2³²-1 | two little-endian `u32` |
//! | [`Format::Npy`] | `.npy` | as they stand, to 2⁶³-1 or 2⁶⁴-1 | each row of an integer array of shape (m, 2) |
//! | [`Format::Npz`] | `.npz` | from 0 | each stored entry of a square CSR or CSC matrix, as `scipy.sparse.save_npz` writes it |
//! | [`Format::Sg`] | `.sg` | from 0 | each edge once, although an undirected file lists it twice |
//!
//! How the format is told: [`Options::format`] first, then the first bytes (`%%MatrixMarket`,
//! `\x93NUMPY`), then the extension. Any format may be compressed with gzip (also of several
//! members) or zstd; this is told by the first bytes, then by `.gz`, `.zst` or `.zstd`.
//!
//! **Edge lists.** Columns are separated by blanks, tabs or one comma. Blank lines and lines that
//! begin with `#`, `%` or `//` are skipped, columns after the second are ignored, a byte order mark
//! is accepted.
//!
//! **Lines** of every text format end with a line feed, a carriage return, or both in this order.
//!
//! **Vertices.** A vertex keeps its id where per-vertex arrays would be of reasonable length. Where
//! the largest id is 2³²-1 or more, or the number of vertex indexes exceeds 8 × entries + 2²⁰, the
//! ids that occur are sorted and numbered from 0, and [`crate::VertexIds::Table`] leads back. More
//! than 2³²-2 vertices are an error.
//!
//! **Memory.** Edge lists, Matrix Market files and raw pairs that are not compressed are read piece by
//! piece; other files, what is compressed and standard input are in memory as a whole. What is allocated
//! beside is in proportion to the content, whatever numbers stand in a header: 8 bytes for each edge, and up
//! to 16 more for each while ids of 64 bits are numbered; altogether at most six times the content. Where that
//! much is not there, reading ends with an error. So it does where compressed data decompress to more than
//! [`Options::decompressed_limit`].
//!
//! **Changes.** A file that is written to while it is read is an error, as far as its length or its time of
//! modification tells.

mod columns;
mod compression;
mod edge_list;
mod entries;
mod format;
mod id_kind;
mod ids;
mod in_memory;
mod input;
mod inspect;
mod matrix_market;
mod memory;
mod metis;
mod names;
mod npy;
#[cfg(feature = "formats")]
mod npz;
mod number;
mod pairs;
mod progress;
mod rows;
mod sg;
mod source;

impl Graph {
    /// Reads a file, its format told by its extension and first bytes (see [`crate::read`]).
    ///
    /// # Errors
    /// One message with file and line for whatever is wrong with it.
    pub fn open(path: impl AsRef<Path>) -> Result<Graph> {
        open(path.as_ref(), &Options::default())
    }
}

#[cfg(test)]
mod oracle;

use std::path::Path;

pub use columns::Columns;
pub use compression::Compression;
pub(crate) use compression::left_out;
pub use format::{Format, ToldBy};
pub use id_kind::IdKind;
pub use inspect::{Entries, Inspection, inspect};
pub use progress::Progress;

use crate::{Error, Graph, Hint, Result};
use input::Input;
use progress::Meter;
use source::{RegularFile, Source};

/// How to read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The format; `None` tells it by first bytes and extension.
    pub format: Option<Format>,
    /// Told how many bytes of the file were consumed since the last call.
    pub progress: Option<Progress>,
    /// The largest number of bytes that compressed data, and the parts of a .npz archive together, may
    /// decompress to. `None` takes half of the memory that is free when reading begins: what the system, the
    /// control group and the limit of the process's address space leave, as far as the system says.
    pub decompressed_limit: Option<u64>,
    /// The columns of a table that are the ends of an edge; `None` chooses them.
    pub columns: Option<Columns>,
    /// Whether the first line of a text table names the columns; `None` finds out.
    pub header: Option<bool>,
    /// What ids are.
    pub ids: IdKind,
    /// Lines of a text that are left out at its beginning, or rows of another table.
    pub skip: u64,
    /// What stands between the columns of a text table: a comma, a tab, a semicolon, a pipe, any other ASCII
    /// character, or a blank for any number of blanks and tabs; `None` finds out.
    pub delimiter: Option<char>,
}

impl Options {
    fn most_decompressed(&self) -> u64 {
        let half = || memory::available().map_or(u64::MAX, |bytes| bytes / 2);
        self.decompressed_limit.unwrap_or_else(half)
    }
}

/// Bytes of text that one task parses: large against a task's overhead, small against a cache.
const CHUNK: usize = 1 << 20;

/// Bytes from the front that tell compression and format, and hold the headers that most files have.
const HEAD: u64 = 1 << 16;

/// Reads a file, or standard input where `path` is `-`. Parsing runs on the current rayon pool, in
/// time linear in the file's size (times a logarithm where ids must be compacted).
///
/// # Errors
/// One message with file and line (text) or byte (binary). Of several faults the first in the file
/// is named, whatever the number of threads.
pub fn open(path: &Path, options: &Options) -> Result<Graph> {
    let name = path.display().to_string();
    let file = match source::open(path)? {
        Source::Content(bytes) => return from_bytes(&name, &bytes, options),
        Source::File(file) => file,
    };
    match stream(&file, options, CHUNK)? {
        Some(graph) => Ok(graph),
        None => from_bytes(&name, &file.whole()?, options),
    }
}

/// Reads a file of more than `chunk` bytes piece by piece, if it is of a format that can be. `None` where it
/// has to be read as a whole.
fn stream(file: &RegularFile, options: &Options, chunk: usize) -> Result<Option<Graph>> {
    if file.len() <= chunk as u64 {
        return Ok(None);
    }
    let head = file.head(HEAD)?;
    let named = options.format.or_else(|| Format::of_name(file.name()).map(|(format, _)| format));
    if Compression::tell(file.name(), &head, named) != Compression::None {
        return Ok(None);
    }
    let meter = Meter::new(options.progress.as_ref(), file.len());
    let graph = match Format::tell(file.name(), &head, options.format).0 {
        Format::EdgeList => edge_list::stream(file, &head, chunk, &meter)?,
        Format::MatrixMarket => matrix_market::stream(file, &head, chunk, &meter)?,
        Format::Pairs => pairs::stream(file, &meter)?,
        _ => None,
    };
    if graph.is_some() {
        meter.finish();
    }
    Ok(graph)
}

/// Reads a graph from a file's content in memory. `name` stands in messages, and its extension tells
/// the format where [`Options::format`] and the first bytes do not.
///
/// # Errors
/// As [`open`].
pub fn from_bytes(name: &str, bytes: &[u8], options: &Options) -> Result<Graph> {
    if bytes.is_empty() {
        return Err(input::empty(name));
    }
    let named = options.format.or_else(|| Format::of_name(name).map(|(format, _)| format));
    let limit = options.most_decompressed();
    let read = |content: &[u8], limit: u64, meter: &Meter| {
        let (format, _) = Format::tell(name, content, options.format);
        let input = Input { decompressed_limit: limit, ..Input::new(name, content, meter) };
        parse(format, &input)
    };
    let meter = || Meter::new(options.progress.as_ref(), bytes.len() as u64);
    let compression = Compression::tell(name, bytes, named);
    if compression != Compression::None {
        let meter = meter();
        match compression::decompress(name, bytes, compression, limit, &meter) {
            Ok(content) => {
                let left = limit - content.len() as u64;
                let graph = read(&content, left, &Meter::new(None, 0))?;
                meter.finish();
                return Ok(graph);
            }
            // Raw pairs that begin as compressed data do by chance.
            Err(failed) if failed.damaged && compression::may_be_raw(name, named) => {
                let doubt = options.format.is_none() && compression::is_likely(bytes, compression);
                if doubt || failed.content > LIKELY_RAW {
                    return Err(doubtful(failed.error));
                }
                tracing::warn!(
                    "{name} begins as {compression} data do and is none: read as raw pairs"
                );
            }
            Err(failed) => return Err(failed.error),
        }
    }
    let meter = meter();
    let graph = read(bytes, limit, &meter)?;
    meter.finish();
    Ok(graph)
}

/// Bytes that raw pairs may decompress to before they are found to be no compressed data.
const LIKELY_RAW: usize = 1 << 10;

/// Adds how raw pairs are read that were taken for compressed data.
fn doubtful(error: Error) -> Error {
    match error {
        Error::Malformed { file, place, message } => {
            Error::Malformed { file, place, message: message.with_hint(Hint::RawPairs) }
        }
        Error::Input { file, message } => {
            Error::Input { file, message: message.with_hint(Hint::RawPairs) }
        }
        other => other,
    }
}

fn parse(format: Format, input: &Input) -> Result<Graph> {
    match format {
        Format::EdgeList => edge_list::parse(input),
        Format::MatrixMarket => matrix_market::parse(input),
        Format::Metis => metis::parse(input),
        Format::Pairs => pairs::parse(input),
        Format::Npy => npy::parse(input),
        #[cfg(feature = "formats")]
        Format::Npz => npz::parse(input),
        #[cfg(not(feature = "formats"))]
        Format::Npz => {
            let message = left_out(format, Compression::None);
            Err(input.error(message.expect("the feature is left out")))
        }
        Format::Sg => sg::parse(input),
    }
}
