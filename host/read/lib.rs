//! Read: a file of any supported format becomes a [`Graph`].
//!
//! | format | extensions | ids | what is an edge |
//! | --- | --- | --- | --- |
//! | [`Format::EdgeList`] | `.txt` `.el` `.tsv` `.csv` `.edgelist` `.edges`, anything unknown | as they stand, to 2⁶⁴-1 | the first two columns of each line |
//! | [`Format::MatrixMarket`] | `.mtx` | from 1 | each stored entry of a square coordinate matrix, an explicit zero too |
//! | [`Format::Metis`] | `.graph` `.metis` | from 1 | each edge once, although the file lists it twice |
//! | [`Format::Pairs`] | `.bin` | as they stand, to 2³²-1 | two little-endian `u32` |
//! | [`Format::Npy`] | `.npy` | as they stand, to 2⁶³-1 or 2⁶⁴-1 | each row of an integer array of shape (m, 2), or column of (2, m) |
//! | [`Format::Npz`] | `.npz` | from 0 | each stored entry of a square CSR or CSC matrix, as `scipy.sparse.save_npz` writes it |
//! | [`Format::Sg`] | `.sg` | from 0 | each edge once, although an undirected file lists it twice |
//! | [`Format::Dimacs`] | `.gr` `.col` `.clq` `.dimacs` | from 1 | each line `a u v`, `e u v` or `u v` |
//! | [`Format::Adjacency`] | `.adjlist` | as they stand, to 2⁶⁴-1 | each neighbour in a vertex's line |
//! | [`Format::GraphMl`] | `.graphml` | integers or names | each `edge` |
//! | [`Format::Gml`] | `.gml` | integers or names | each `edge [ … ]` |
//! | [`Format::Pajek`] | `.net` `.paj` | from 1, or labels | each edge and arc |
//! | [`Format::Json`] | `.json` `.jsonl` `.ndjson` `.cyjs` | integers or names | each link, pair of ids or neighbour |
//! | [`Format::Parquet`] | `.parquet` `.pq` | integers or names | two columns of each row |
//! | [`Format::Arrow`] | `.arrow` `.feather` `.ipc` `.arrows` | integers or names | two columns of each row |
//!
//! How the format is told: [`Options::format`] first, then the first bytes (`%%MatrixMarket`,
//! `\x93NUMPY`, `PAR1`, `ARROW1`, the line `p` of DIMACS, what GraphML, GML, Pajek and JSON begin with), then the extension. Any format may be compressed with
//! gzip, zstd, bzip2 or xz, of several members too; this is told by the first bytes, then by the extension. A
//! tar or zip archive may hold one graph; documents beside it do no harm. Several files are one graph where a
//! folder is named, or [`Source::merged`] says so.
//!
//! **Edge lists** are tables: their delimiter, header, columns and kind of ids are decided from the first 256 KiB,
//! unless [`Options`] say them, and [`Graph::reading`] says what was decided. Blank lines and lines that begin with
//! `#`, `%` or `//` are skipped, and a byte order mark is accepted. Where integers stand in the first two columns
//! and nothing has to be decided, columns after the second are ignored.
//!
//! **Lines** of every text format end with a line feed, a carriage return, or both in this order.
//!
//! **Directions and weights.** An entry leads from its first vertex to its second. Where a file says that its edges
//! have no direction ([`Graph::has_both_directions`]), an entry stands for both. Weights are read where
//! [`Options::weight`] names their column, of tables of text, Parquet and Arrow, and of Matrix Market, METIS, DIMACS
//! and `.npz` files; a text is then in memory as a whole.
//!
//! **Vertices.** A vertex keeps its id where per-vertex arrays would be of reasonable length. Where
//! the largest id is 2³²-1 or more, or the number of vertex indexes exceeds 8 × entries + 2²⁰, the
//! ids that occur are sorted and numbered from 0, and [`crate::VertexIds::Table`] leads back. More
//! than 2³²-2 vertices are an error.
//!
//! **Memory.** Edge lists, Matrix Market, DIMACS and METIS files, raw pairs, Parquet and Arrow files that are not compressed as a whole
//! are read piece by piece; other files, what is compressed and standard input are in memory as a whole. What is allocated
//! beside is in proportion to the content, whatever numbers stand in a header: 8 bytes for each edge, and up
//! to 16 more for each while ids of 64 bits are numbered; altogether at most six times the content. Where that
//! much is not there, reading ends with an error. So it does where compressed data decompress to more than
//! [`Options::decompressed_limit`]. Of Parquet and Arrow files, whose encodings make many rows of few bytes, the
//! edges count towards that limit, and so does each of their pages and columns that are compressed; what the footer
//! describes takes up to 512 bytes for each of its bytes.
//!
//! **Servers.** With the feature `remote` a path may be an address of `https://`, `http://`, `s3://`, `gs://` or `az://`. Of Parquet
//! files the footer and the chosen columns are fetched, and Arrow files batch by batch. Edge lists, Matrix Market and DIMACS files are fetched
//! in ranges, piece by piece, and all else as a whole. Credentials are those that the crate `object_store` finds in the environment.
//!
//! **Changes.** A file that is written to while it is read is an error, as far as its length or its time of
//! modification tells.

#![cfg_attr(not(feature = "archives"), allow(dead_code, unused_imports))]

mod adjacency;
mod archive;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod columnar;
mod columns;
mod compression;
mod contain;
mod delimiter;
mod dimacs;
mod end_names;
mod entries;
#[cfg(feature = "remote")]
mod far;
mod file_edges;
mod files;
mod format;
mod gml;
#[cfg(feature = "formats")]
mod graphml;
mod id_kind;
mod in_order;
mod input;
mod inspect;
#[cfg(feature = "formats")]
mod json;
mod listing;
mod matrix_market;
mod members;
mod merge;
mod metis;
mod names;
mod npy;
#[cfg(feature = "archives")]
mod npz;
mod number;
mod numbered;
mod open_file;
mod overlap;
mod pairs;
mod pajek;
mod progress;
mod recognise;
mod rows;
mod sample;
mod sg;
mod source;
mod table;
mod weights;

#[cfg(test)]
#[path = "oracle_tests.rs"]
mod oracle;

use std::path::Path;

#[cfg(feature = "arrow")]
pub use columnar::from_record_batches;
pub use columns::Columns;
pub use compression::Compression;
pub use compression::left_out;
pub use contain::is_contained;
pub use delimiter::delimiter;
pub use file_edges::FileEdges;
pub use files::{Source, matching};
pub use format::{Format, ToldBy, of_name as format_of_name};
pub use id_kind::IdKind;
pub use inspect::{Foretold, Inspection, inspect};
pub use progress::Progress;
pub use sample::{SMALL, sample};
pub use source::is_standard_input;

pub use table::is_missing;

use tribin_base::control::{self, memory};
use tribin_base::{Cancel, Error, Message, Result, hint};
use tribin_base::{error, features};
use tribin_graph::{self as graph, Duplicates, Graph, VertexIds, ids};

use format::Reader;
use open_file::OpenFile;
use source::RegularFile;

/// The options of reading.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The format; `None` tells it by first bytes and extension.
    pub format: Option<Format>,
    /// Told how many bytes of the file were consumed since the last call.
    pub progress: Option<Progress>,
    /// Stops the reading, which then ends with [`Error::Cancelled`]. A
    /// `Session` puts its own token here.
    pub cancel: Cancel,
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
    /// Lines of a text table that are left out at its beginning.
    pub skip: u64,
    /// The delimiter between the columns of a text table, as [`delimiter`] takes it: a comma, a tab, a semicolon, a pipe, any
    /// other characters, or a blank for any number of blanks and tabs; `None` finds out.
    pub delimiter: Option<String>,
    /// Whether a row of a table that has nothing, or a word for nothing, where an end of its edge is expected is left out, and
    /// counted in the warnings. Else it is an error, which names the line.
    pub skip_missing: bool,
    /// Whether the two columns of a table have ids of their own, as of users and films. An id in one column is then another
    /// vertex than the same id in the other. A vertex is called by the name of its column, a colon and the id.
    pub bipartite: bool,
    /// The column of the weights, by its name or its number from 1. In formats that have one place for weights
    /// (Matrix Market, METIS, DIMACS, `.npz`) it is called `weight`, and so is the third column of a text without names.
    /// `None` reads none.
    pub weight: Option<String>,
    /// What becomes of the weights of entries that are one edge.
    pub duplicates: Duplicates,
}

impl Options {
    /// The most bytes that compressed data may decompress to.
    pub fn most_decompressed(&self) -> u64 {
        let half = || memory::available().map_or(u64::MAX, |bytes| bytes / 2);
        self.decompressed_limit.unwrap_or_else(half)
    }
}

/// Bytes of text that one task parses: large against a task's overhead, small against a cache.
const CHUNK: usize = 1 << 20;

/// Bytes from the front that a server is asked for first.
const HEAD: u64 = 1 << 16;

/// Reads a graph: a file, standard input where the path is `-`, or several files that are one graph
/// ([`Source`]). Parsing runs on the current rayon pool, in time linear in the file's size (times a logarithm
/// where ids must be compacted).
///
/// # Errors
/// One message with file and line (text), row (tables) or byte (binary). Of several faults the first in the file
/// is named, whatever the number of threads.
pub fn open(source: impl Into<Source>, options: &Options) -> Result<Graph> {
    let source = source.into();
    let name = source.name();
    let found = source.found()?;
    let read = match &found.files[..] {
        [only] => one(only, options).map(|graph| graph.with_name(name)),
        several => merge::read(&name, several, options, one),
    };
    // Work that was stopped on its way is no graph, whatever it looks like.
    options.cancel.check()?;
    let graph = read?.with_duplicates(options.duplicates);
    let reading = found.noted(graph.reading().cloned());
    let graph = graph.with_reading(reading);
    warn(graph.name(), graph.reading());
    Ok(graph)
}

/// Tells what is doubtful of how a file was read, in the program's log.
fn warn(name: &str, reading: Option<&graph::Reading>) {
    for warning in reading.map_or(&[][..], |reading| &reading.warnings) {
        tracing::warn!("{name}: {warning}");
    }
}

/// Reads one file.
fn one(path: &Path, options: &Options) -> Result<Graph> {
    let file = source::open(path, &options.cancel)?;
    let is_large = file.len() > CHUNK as u64 && file.has_ranges() && file.in_memory().is_none();
    let file = match is_large {
        true => OpenFile::of(file, options)?,
        false => OpenFile::unseen(file, options),
    };
    graph_of(file)
}

/// The graph of a file.
fn graph_of(file: OpenFile) -> Result<Graph> {
    if let Some(reader) = file.reader_in_place()? {
        return parsed(&file, reader);
    }
    let unpacked = file.unpacked()?;
    parsed(&unpacked, unpacked.reader()?.0)
}

fn parsed(file: &OpenFile, reader: &dyn Reader) -> Result<Graph> {
    let graph = reader.parse(file).map_err(|fault| file.fault(fault))?;
    file.options.cancel.check()?;
    file.file.meter.finish();
    Ok(graph)
}

/// Reads a graph from a file's content in memory. `name` stands in messages, and its extension tells
/// the format where [`Options::format`] and the first bytes do not.
///
/// # Errors
/// As [`open`].
pub fn from_bytes(name: &str, bytes: &[u8], options: &Options) -> Result<Graph> {
    let graph = graph_of(OpenFile::unseen(RegularFile::memory(name, bytes), options))?;
    // The file's name is the graph's, whatever its member is called.
    Ok(graph.with_name(name.into()).with_duplicates(options.duplicates))
}
