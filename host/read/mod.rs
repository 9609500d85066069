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
//! **Memory.** An uncompressed file is mapped, a compressed one is decompressed as a whole. What is
//! allocated is in proportion to the content, whatever numbers stand in a header: 8 bytes for each
//! edge, and 32 more while ids of 64 bits are compacted. The map is read while the file is open: a file must not be shortened while it is being read, since
//! the operating system then ends the process.

mod compression;
mod edge_list;
mod entries;
mod format;
mod ids;
mod input;
mod inspect;
mod matrix_market;
mod metis;
mod npy;
mod npz;
mod number;
mod pairs;
mod progress;
mod sg;
mod source;

#[cfg(test)]
mod oracle;

use std::path::Path;

pub use compression::Compression;
pub use format::{Format, ToldBy};
pub use inspect::{Entries, Inspection, inspect};
pub use progress::Progress;

use crate::{Graph, Result};
use input::Input;
use progress::Meter;

/// How to read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The format; `None` tells it by first bytes and extension.
    pub format: Option<Format>,
    /// Told how many bytes of the file were consumed since the last call.
    pub progress: Option<Progress>,
}

/// Bytes of text that one task parses: large against a task's overhead, small against a cache.
const CHUNK: usize = 1 << 20;

/// Reads a file, or standard input where `path` is `-`. Parsing runs on the current rayon pool, in
/// time linear in the file's size (times a logarithm where ids must be compacted).
///
/// # Errors
/// One message with file and line (text) or byte (binary). Of several faults the first in the file
/// is named, whatever the number of threads.
pub fn open(path: &Path, options: &Options) -> Result<Graph> {
    let name = path.display().to_string();
    let bytes = source::load(path)?;
    from_bytes(&name, &bytes, options)
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
    let meter = Meter::new(options.progress.as_ref(), bytes.len() as u64);
    let named = options.format.or_else(|| Format::of_name(name).map(|(format, _)| format));
    let compression = Compression::tell(name, bytes, named);
    let content;
    let (content, meter) = match compression {
        Compression::None => (bytes, meter),
        _ => {
            content = compression::decompress(name, bytes, compression, &meter)?;
            (&content[..], Meter::new(None, 0))
        }
    };
    let (format, _) = Format::tell(name, content, options.format);
    let graph = parse(format, &Input { name, content, chunk: CHUNK, meter: &meter })?;
    meter.finish();
    Ok(graph)
}

fn parse(format: Format, input: &Input) -> Result<Graph> {
    match format {
        Format::EdgeList => edge_list::parse(input),
        Format::MatrixMarket => matrix_market::parse(input),
        Format::Metis => metis::parse(input),
        Format::Pairs => pairs::parse(input),
        Format::Npy => npy::parse(input),
        Format::Npz => npz::parse(input),
        Format::Sg => sg::parse(input),
    }
}
