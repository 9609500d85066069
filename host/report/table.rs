//! Tables: rows of whole numbers, doubles and names, as text, NumPy arrays or Parquet files.
//!
//! | format | extension | header | numbers |
//! | --- | --- | --- | --- |
//! | [`TableFormat::Csv`] | `.csv` | a line of column names | whole, with all digits; doubles with the fewest digits that read back the same |
//! | [`TableFormat::Tsv`] | `.tsv`, `.txt` | the same | as in CSV |
//! | [`TableFormat::Npy`] | `.npy` | shape (rows, columns) of `<i8`; with columns of several kinds, shape (rows,) of records with named fields | little-endian |
//! | [`TableFormat::Parquet`] | `.parquet` | the column names | `INT64` and `DOUBLE`, none missing |
//! | [`TableFormat::Arrow`] | `.feather`, `.arrow` | the column names | `Int64` and `Float64`, none missing |
//!
//! Text may be compressed: `.csv.gz`, `.tsv.zst`, …
//!
//! Whole numbers are signed, so that differences of columns are what they should be. Where a vertex id needs all
//! 64 bits, the columns of vertices alone are unsigned.
//!
//! Names stand as they are; in text between quotes where a reader could split them (RFC 4180), in Parquet as
//! `STRING`, in Arrow as `Utf8`. NumPy's arrays have no place for them.
//!
//! Rows come in blocks. Blocks are made and encoded side by side and written in their order; while some
//! are written, the next are made, so that memory is that of a few blocks whatever the table's length.

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod columnar;
mod npy;
mod text;

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::str::FromStr;

pub use npy::npy_header;

use super::Destination;
use super::compressed::{member, through};
use crate::read::{Compression, Format, left_out};
use tribin_base::features;

use crate::{Error, Message, Result, VertexIds, hint};
use tribin_base::par;

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Columns separated by commas.
    Csv,
    /// Columns separated by tabs.
    Tsv,
    /// A NumPy array.
    Npy,
    /// An Apache Parquet file, uncompressed.
    Parquet,
    /// An Apache Arrow IPC file, which Feather's second version is too.
    Arrow,
}

/// The format and the compression that a table is written in: a pure decision, by its name or what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableTarget {
    format: TableFormat,
    compression: Compression,
}

/// The extensions of tables, for messages.
const EXTENSIONS: &str =
    ".csv, .tsv, .txt (each also with .gz or .zst), .npy, .parquet, .feather or .arrow";

impl TableTarget {
    /// Tabs, uncompressed: what goes to a terminal.
    pub const TEXT: TableTarget =
        TableTarget { format: TableFormat::Tsv, compression: Compression::None };

    /// The target that a file's extensions name.
    ///
    /// # Errors
    /// [`Error::Usage`] for other extensions, and for formats that were not built in.
    pub fn of_name(name: &str) -> Result<TableTarget> {
        let refuse = |what: String| Err(Error::Usage(format!("{name}: {what}").into()));
        let unknown = || {
            let what = format!("the extension says how a table is written: use {EXTENSIONS}");
            let message = Message::from(format!("{name}: {what}"));
            Err(Error::Usage(message.with_hint(hint::NAME_OUTPUT_FORMAT)))
        };
        let (stem, compression) = Compression::of_name(name);
        let stem = stem.rsplit(['/', '\\']).next().unwrap_or(stem);
        let extension = match stem.rsplit_once('.') {
            Some((base, extension)) if !base.is_empty() => extension.to_ascii_lowercase(),
            _ => String::new(),
        };
        let (format, missing) = match extension.as_str() {
            "csv" => (TableFormat::Csv, None),
            "tsv" | "txt" => (TableFormat::Tsv, None),
            "npy" => (TableFormat::Npy, None),
            "parquet" => (TableFormat::Parquet, (!cfg!(feature = "parquet")).then_some("parquet")),
            "feather" | "arrow" => {
                (TableFormat::Arrow, (!cfg!(feature = "arrow")).then_some("arrow"))
            }
            _ => return unknown(),
        };
        if let Some(feature) = missing {
            let missing = features::missing(feature, &format!(".{extension} tables need"));
            return refuse(format!("{missing}; .csv, .tsv and .npy need none"));
        }
        if compression != Compression::None
            && !matches!(format, TableFormat::Csv | TableFormat::Tsv)
        {
            return refuse(format!("of tables only text is compressed: use {EXTENSIONS}"));
        }
        if !compression.is_written() {
            return refuse(format!(
                "files compressed with {compression} are read and not written: use .gz or .zst"
            ));
        }
        match left_out(Format::EdgeList, compression) {
            Some(message) => refuse(message),
            None => Ok(TableTarget { format, compression }),
        }
    }

    /// The format.
    pub fn format(self) -> TableFormat {
        self.format
    }
}

impl FromStr for TableTarget {
    type Err = Error;

    /// Takes extensions: `csv`, `tsv.gz`, …
    fn from_str(extensions: &str) -> Result<TableTarget> {
        TableTarget::of_name(&format!("table.{extensions}")).map_err(|_| {
            Error::Usage(format!("`{extensions}` is no format of tables: use one of {EXTENSIONS}, without the dot").into())
        })
    }
}

/// A column's name and kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Whole numbers from -2⁶³ to 2⁶³ - 1.
    Whole(&'static str),
    /// Whole numbers from 0 to 2⁶⁴ - 1.
    Unsigned(&'static str),
    /// Doubles.
    Double(&'static str),
    /// Names.
    Text(&'static str),
}

impl Column {
    /// The column of vertices that are called by these ids.
    pub fn of_ids(name: &'static str, ids: &VertexIds) -> Column {
        match ids {
            VertexIds::Names(_) => Column::Text(name),
            VertexIds::Table(table) if table.last().is_some_and(|&id| id > i64::MAX as u64) => {
                Column::Unsigned(name)
            }
            _ => Column::Whole(name),
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Column::Whole(name)
            | Column::Unsigned(name)
            | Column::Double(name)
            | Column::Text(name) => name,
        }
    }
}

/// A column's values in a block of rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Values<'a> {
    /// Values of a [`Column::Whole`] or a [`Column::Unsigned`], of which none is negative.
    Whole(Vec<u64>),
    /// Values of a [`Column::Whole`], of which some may be negative.
    Signed(Vec<i64>),
    /// Values of a [`Column::Double`].
    Double(Vec<f64>),
    /// Values of a [`Column::Text`].
    Text(Vec<&'a str>),
}

impl<'a> Values<'a> {
    /// The ids or names of some vertices, for the column of [`Column::of_ids`].
    pub fn of_ids(ids: &'a VertexIds, vertices: impl IntoIterator<Item = u32>) -> Values<'a> {
        let vertices = vertices.into_iter();
        match ids {
            VertexIds::Names(names) => Values::Text(vertices.map(|v| names.get(v)).collect()),
            _ => Values::Whole(vertices.map(|v| ids.number(v)).collect()),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Values::Whole(values) => values.len(),
            Values::Signed(values) => values.len(),
            Values::Double(values) => values.len(),
            Values::Text(values) => values.len(),
        }
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Values::Whole(values) => values.truncate(rows),
            Values::Signed(values) => values.truncate(rows),
            Values::Double(values) => values.truncate(rows),
            Values::Text(values) => values.truncate(rows),
        }
    }
}

/// The record of a table that was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows.
    pub rows: u64,
    /// Bytes, the header's and footer's too.
    pub bytes: u64,
}

/// Takes some blocks of a table, and says whether more are wanted.
pub type TakeBlocks<'t, 'v> = dyn FnMut(Vec<Vec<Values<'v>>>) -> io::Result<bool> + Send + 't;

/// Hands all blocks of a table to whoever takes them.
pub type StreamBlocks<'t, 'v> = dyn FnMut(&mut TakeBlocks<'_, 'v>) -> io::Result<()> + Send + 't;

/// Makes the values of some blocks, side by side, for whoever [takes](TakeBlocks) them.
pub fn values_of_blocks<'v, T: Send>(
    blocks: Vec<T>,
    values: impl Fn(T) -> Vec<Values<'v>> + Sync,
) -> Vec<Vec<Values<'v>>> {
    par::map(blocks, values)
}

/// A table whose blocks come one after the other, from whoever finds them.
pub struct Table<'a, 'v> {
    /// The columns, from the left.
    pub columns: &'a [Column],
    /// The most rows: further ones are not taken.
    pub rows: u64,
    /// Hands all blocks over, in their order and some at a time, until no more are wanted. An error ends the table.
    pub stream: &'a mut StreamBlocks<'a, 'v>,
}

impl<'a, 'v> Table<'a, 'v> {
    /// Writes the table, on the current rayon pool. Memory: the values and bytes of the blocks that come together, and
    /// of 2²⁰ rows for Parquet. A NumPy array begins with the number of its rows: one that goes to a stream is in a temporary file first.
    ///
    /// # Errors
    /// The system's, those of the stream, and [`io::ErrorKind::InvalidInput`] for names in a NumPy array.
    ///
    /// # Panics
    /// If a block has not as many values for each column.
    pub fn write(mut self, target: TableTarget, to: &mut Destination) -> io::Result<Written> {
        let TableTarget { format, compression } = target;
        let names = self.columns.iter().find(|column| matches!(column, Column::Text(_)));
        if let Some(column) = names.filter(|_| format == TableFormat::Npy) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the column `{}` holds names, and an array of numbers has no place for them: use .csv, .tsv, \
                     .parquet or .feather",
                    column.name()
                ),
            ));
        }
        if format == TableFormat::Npy {
            return match to {
                Destination::File(file) => self.array(file),
                Destination::Stream(stream) => {
                    let mut file = tempfile::tempfile()?;
                    let written = self.array(&mut file)?;
                    file.rewind()?;
                    io::copy(&mut file, stream)?;
                    Ok(written)
                }
            };
        }
        let mut counted = ByteCounter { to, bytes: 0 };
        let rows = match format {
            TableFormat::Csv | TableFormat::Tsv => {
                let separator = if format == TableFormat::Csv { b',' } else { b'\t' };
                let text = text::Text::new(self.columns, separator);
                through(compression, &mut counted, |to, members| self.encode(to, &text, members))
            }
            #[cfg(feature = "arrow")]
            TableFormat::Arrow => columnar::arrow(&mut self, &mut counted),
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => columnar::parquet(&mut self, &mut counted),
            // An array was written before, and what this build lacks was refused.
            _ => Err(io::ErrorKind::Unsupported.into()),
        }?;
        Ok(Written { rows, bytes: counted.bytes })
    }

    /// Writes a NumPy array to a new file, and its header again once its rows are known.
    fn array(&mut self, file: &mut File) -> io::Result<Written> {
        let npy = npy::NpyTable { columns: self.columns };
        let rows = self.encode(file, &npy, Compression::None)?;
        let bytes = file.stream_position()?;
        file.rewind()?;
        file.write_all(&npy.header_of(rows))?;
        file.seek(SeekFrom::End(0))?;
        Ok(Written { rows, bytes })
    }

    /// Compresses members where it is asked to.
    fn encode(
        &mut self,
        to: &mut (dyn Write + Send),
        encoding: &impl Encoding,
        members: Compression,
    ) -> io::Result<u64> {
        to.write_all(&member(encoding.header(), members)?)?;
        self.batches(
            |block| member(encoding.encode(block), members),
            |encoded| encoded.into_iter().try_for_each(|bytes| to.write_all(&bytes?)),
        )
    }

    /// Passes the blocks on in their order, encoded. While some are consumed, the next are encoded.
    fn batches<T: Send>(
        &mut self,
        encode: impl Fn(&[Values<'v>]) -> T + Sync,
        mut consume: impl FnMut(Vec<T>) -> io::Result<()> + Send,
    ) -> io::Result<u64> {
        let Table { columns, rows: most, stream } = self;
        let (mut rows, mut ready) = (0, Vec::new());
        if *most > 0 {
            stream(&mut |mut made| {
                made.iter().for_each(|values| check(columns, values));
                rows += truncate(&mut made, *most - rows);
                let (written, encoded) = par::join(
                    || consume(std::mem::take(&mut ready)),
                    || par::map(&made, |block| encode(block)),
                );
                written?;
                ready = encoded;
                Ok(rows < *most)
            })?;
        }
        consume(ready)?;
        Ok(rows)
    }
}

/// Checks that a block has values for each column, all equally many.
fn check(columns: &[Column], values: &[Values]) {
    assert_eq!(values.len(), columns.len(), "values for each column");
    assert!(values.iter().all(|column| column.rows() == values[0].rows()), "equally many");
}

/// Keeps the first `most` rows of some blocks, and says how many there are.
fn truncate(blocks: &mut [Vec<Values>], most: u64) -> u64 {
    let mut rows = 0;
    for block in blocks {
        let kept = (most - rows).min(block[0].rows() as u64);
        // No more than a block's length, which is a `usize`.
        block.iter_mut().for_each(|values| values.truncate(kept as usize));
        rows += kept;
    }
    rows
}

/// A way in which blocks become bytes that follow one another.
trait Encoding: Sync {
    fn header(&self) -> Vec<u8>;
    fn encode(&self, block: &[Values]) -> Vec<u8>;
}

/// Counts the bytes on their way.
struct ByteCounter<'a> {
    to: &'a mut (dyn Write + Send),
    bytes: u64,
}

impl Write for ByteCounter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests;
