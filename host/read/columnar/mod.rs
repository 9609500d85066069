//! Tables of typed columns, Parquet and Arrow: from two of their columns to a graph, and from a third to its weights.
//!
//! The crates `parquet` and `arrow-ipc` decode; what they make are arrays of Arrow, whatever the format. A table has
//! parts (row groups, record batches) that are decoded side by side, and of each part the chosen columns alone, some
//! rows at a time. The crates believe what a file says of itself, so its lengths are compared with the file's and
//! with the limit of decompressed bytes before they are asked, and where they panic on damaged bytes it becomes an
//! error.
//!
//! | values of a column | are |
//! | --- | --- |
//! | integers of 8 to 64 bits, signed or not; decimals of 128 bits without digits behind the point | integers |
//! | floats and doubles | integers, if all are whole and below 2⁵³: what pandas makes of integers where one is missing |
//! | text, and bytes that are text | names |
//! | binary of fixed length | names of hexadecimal digits, of 16 bytes as UUIDs are written |
//!
//! Weights are integers, decimals without digits behind the point, floats and doubles. A missing value is an error.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "arrow")]
mod batches;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod values;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrow_array::ArrayRef;
#[cfg(feature = "arrow")]
use arrow_array::RecordBatch;

#[cfg(feature = "arrow")]
pub use self::batches::from_record_batches;
pub(super) use self::reader::ColumnarFormat;
use self::values::{Bad, Role};
use super::columns::{self, ChosenColumns};
use super::contain::contained;
use super::entries::LARGEST;
use super::format::Format;
use super::in_order::in_order;
use super::input::Fault;
use super::memory::{self, NoMemory};
use super::names::{self, NameBlock};
use super::open_file::OpenFile;
use super::source::RegularFile;
use super::table::header;
use super::{IdKind, Options, ids, input, weights};
use crate::error::Place;
use crate::graph::{Block, EdgeSink, Reading};
use crate::{Error, Graph, Message, Result, hint};
use tribin_base::par;

/// Rows that are decoded at a time: few enough for the columns to stay in a cache.
const BATCH: usize = 1 << 14;

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TableColumn {
    /// The column's name. In Parquet, those of structs that it is in come before, with points between them.
    name: String,
    kind: ColumnKind,
}

/// The kind of the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ColumnKind {
    Integer,
    /// Floating-point numbers, which may be whole.
    Float,
    Text,
    /// The column holds nothing: every value is missing.
    Nothing,
    /// No ids; the type's name.
    Other(String),
}

/// A table in parts, and what is known of it before values are decoded.
struct ColumnarHead<'a> {
    file: &'a RegularFile<'a>,
    /// The format's name, for example `Parquet`.
    called: &'static str,
    columns: Vec<TableColumn>,
    /// The number of rows that each part announces.
    rows: Vec<u64>,
}

impl<'a> ColumnarHead<'a> {
    /// The head of a table of which nothing is known yet.
    fn of(file: &'a RegularFile<'a>, called: &'static str) -> ColumnarHead<'a> {
        ColumnarHead { file, called, columns: Vec::new(), rows: Vec::new() }
    }

    /// The number of all rows.
    fn all(&self) -> u64 {
        self.rows.iter().fold(0, |all, &rows| all.saturating_add(rows))
    }

    fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    fn error(&self, message: impl Into<Message>) -> Error {
        input::error(&self.file.name, message)
    }

    /// The error of a file whose parts do not fit together.
    fn damaged(&self, why: &str) -> Error {
        damaged(&self.file.name, why)
    }

    /// What a decoder of another crate makes of the file's bytes.
    fn decoded<T, E: std::fmt::Display>(
        &self,
        decode: impl FnOnce() -> std::result::Result<T, E>,
    ) -> Result<T> {
        contained(decode).map_err(|why| self.damaged(&why))
    }

    /// Bytes from a place on; an error where not all of them are there.
    fn read(&self, at: u64, len: u64) -> Result<Vec<u8>> {
        if at.checked_add(len).is_none_or(|end| end > self.file.len()) {
            return Err(self.damaged(&format!("{len} bytes at byte {at} are not there")));
        }
        let zeroed = memory::zeroed(usize::try_from(len).unwrap_or(usize::MAX));
        let mut bytes = zeroed.map_err(|refused| input::no_memory(&self.file.name, refused))?;
        self.file.read_at(&mut bytes, at)?;
        self.file.meter.add(bytes.len());
        Ok(bytes)
    }

    /// The number of 32 bits at a place.
    fn number(&self, at: u64) -> Result<u64> {
        let bytes = self.read(at, 4)?;
        Ok(bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes).into()))
    }
}

/// The error of the file of this name, whose parts do not fit together.
fn damaged(name: &str, why: &str) -> Error {
    input::error(name, format!("the file is cut off or damaged ({why}): fetch or write it again"))
}

/// A table whose parts can be decoded.
trait ColumnarTable: Sync {
    fn head(&self) -> &ColumnarHead<'_>;

    /// The values of some columns in a part, [`BATCH`] rows at a time.
    fn arrays(&self, part: usize, columns: &[usize]) -> Result<Arrays<'_>>;
}

/// Values of some columns, of some rows at a time, as they are decoded.
type Arrays<'a> = Box<dyn Iterator<Item = Result<Vec<ArrayRef>, Fault>> + Send + 'a>;

/// The rows of a batch, some at a time.
#[cfg(feature = "arrow")]
fn slices<'a>(batch: RecordBatch) -> Arrays<'a> {
    let rows = par::blocks(batch.num_rows(), BATCH);
    Box::new(rows.map(move |rows| Ok(batch.slice(rows.start, rows.len()).columns().to_vec())))
}

fn open<'a>(format: Format, input: &'a OpenFile<'_>) -> Result<Box<dyn ColumnarTable + 'a>> {
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => Ok(Box::new(parquet::ParquetFile::open(input)?)),
        #[cfg(feature = "arrow")]
        Format::Arrow => Ok(Box::new(arrow::ArrowFile::open(input)?)),
        other => unreachable!("{other} is no table of columns, or left out"),
    }
}

/// The column with the weights that are asked for, by its name or its number from 1.
fn weight_place(head: &ColumnarHead, options: &Options) -> Result<Option<usize>> {
    let Some(asked) = &options.weight else { return Ok(None) };
    let names = head.names();
    let place = weights::place(asked, &names).map_err(|message| head.error(message))?;
    let what = match &head.columns[place].kind {
        ColumnKind::Integer | ColumnKind::Float | ColumnKind::Nothing => return Ok(Some(place)),
        ColumnKind::Text => "texts: weights are numbers".into(),
        ColumnKind::Other(what) => {
            format!("values of the type {what}: weights are integers or floats")
        }
    };
    Err(head.error(format!("the column `{}` holds {what}", names[place])))
}

/// The two columns of a table, from what is known of all. The column of the weights is none of them.
fn choose(head: &ColumnarHead, options: &Options, weight: Option<usize>) -> Result<ChosenColumns> {
    let columns = &head.columns;
    let header = head.names();
    let no_ids: Vec<usize> = (0..columns.len())
        .filter(|&place| !matches!(columns[place].kind, ColumnKind::Integer | ColumnKind::Text))
        .collect();
    let folder = super::end_names::end_folder(&head.file.name);
    let known = columns::TableColumns {
        folder,
        weight,
        no_ids: &no_ids,
        ..columns::TableColumns::of_header(&header)
    };
    let chosen =
        columns::choose(options.columns.as_ref(), known).map_err(|message| head.error(message))?;
    for place in chosen.places {
        let name = &header[place];
        if let ColumnKind::Other(what) = &columns[place].kind {
            let message =
                format!("the column `{name}` holds values of the type {what}, which are no ids");
            return Err(head.error(match proposal(columns) {
                Some(proposed) => Message::from(message).with_hint(columns::name_two(proposed)),
                None => format!("{message}: write two columns with an id in each row").into(),
            }));
        }
    }
    Ok(chosen)
}

/// The first values of a table with the names of a list of triangles, as tribin writes it. A value that is none is found again
/// where all are read.
fn sample(table: &dyn ColumnarTable, names: &[String]) -> Result<Vec<Vec<String>>> {
    let part = table.head().rows.iter().position(|&rows| rows > 0);
    let Some(part) = part.filter(|_| names == ["u", "v", "w"]) else { return Ok(Vec::new()) };
    let Some(Ok(arrays)) = table.arrays(part, &[0, 1, 2])?.next() else { return Ok(Vec::new()) };
    Ok(arrays.iter().map(values::strings).collect::<Result<_, _>>().unwrap_or_default())
}

/// Two columns that could be meant, if two hold ids.
fn proposal(columns: &[TableColumn]) -> Option<[String; 2]> {
    let mut ids = columns
        .iter()
        .filter(|column| !matches!(column.kind, ColumnKind::Other(_) | ColumnKind::Nothing));
    Some([ids.next()?.name.clone(), ids.next()?.name.clone()])
}

/// Reads a table. `limit` is the largest number of bytes that its edges may take.
fn graph(table: &dyn ColumnarTable, options: &Options, limit: u64) -> Result<Graph, Fault> {
    let (work, by_name, reading) = work(table, options)?;
    let rows = work.head.all();
    if rows.saturating_mul(size_of::<[u32; 2]>() as u64) > limit {
        let message =
            format!("the file announces {rows} rows, whose edges take more than {limit} bytes");
        let message = Message::from(message).with_hint(hint::DECOMPRESSED_LIMIT);
        return Err(work.head.error(message).into());
    }
    let graph = if by_name { work.names()? } else { work.integers()? };
    work.head.file.check_unchanged()?;
    Ok(graph.with_reading(Some(reading)))
}

/// The columns of a table that are read, whether as names, and the report on that.
fn work<'a>(
    table: &'a dyn ColumnarTable,
    options: &Options,
) -> Result<(EdgeColumns<'a>, bool, Reading)> {
    let head = table.head();
    if options.columns.is_none()
        && let names = head.names()
        && let Some(message) = header::own_table(&names, &sample(table, &names)?)
    {
        return Err(head.error(message));
    }
    let weight = weight_place(head, options)?;
    let chosen = choose(head, options, weight)?;
    let kinds = chosen.places.map(|place| &head.columns[place].kind);
    if options.ids == IdKind::Auto {
        check_kinds(head, &chosen)?;
    }
    let text = kinds.iter().position(|kind| **kind == ColumnKind::Text);
    let (by_name, reason) = match (options.ids, text) {
        (IdKind::Names, _) => (true, "ids are names because that was asked for".into()),
        (IdKind::Integers, _) => (false, "ids are integers because that was asked for".into()),
        (IdKind::Auto, Some(end)) => {
            (true, format!("ids are names because the column `{}` holds text", chosen.names[end]))
        }
        (IdKind::Auto, None) => {
            (false, "ids are integers because both columns hold numbers".into())
        }
    };
    let [one, other] = &chosen.names;
    let mut reasons = vec![format!("columns {one} and {other}: {}", chosen.reason), reason];
    if let Some(place) = weight {
        reasons.push(format!("The weights are in column {}.", head.columns[place].name));
    }
    let columns = chosen.places.into_iter().chain(weight).collect();
    let work = EdgeColumns { table, head, columns };
    let reading = Reading {
        table: head.called.into(),
        header: true,
        ids: if by_name { IdKind::Names.name() } else { IdKind::Integers.name() },
        reasons,
        warnings: chosen.warning.into_iter().collect(),
        columns: Some(chosen.names),
        ..Reading::default()
    };
    Ok((work, by_name, reading))
}

/// Refuses texts beside numbers: whether the text `1` and the number 1 are one vertex is not known.
fn check_kinds(head: &ColumnarHead, chosen: &ChosenColumns) -> Result<()> {
    let columns = chosen.places.map(|place| &head.columns[place]);
    let is_text = columns.map(|column| column.kind == ColumnKind::Text);
    if is_text[0] == is_text[1] || columns.iter().any(|column| column.kind == ColumnKind::Nothing) {
        return Ok(());
    }
    let [one, other] = columns.map(|column| match column.kind {
        ColumnKind::Integer => "integers",
        ColumnKind::Float => "floats",
        _ => "texts",
    });
    let [first, second] = &chosen.names;
    let message = format!(
        "the column `{first}` holds {one} and `{second}` holds {other}: both ends of an edge are of one kind, write both as \
         integers or both as texts"
    );
    let message = Message::from(message).with_hint(hint::INTEGERS_OR_NAMES);
    Err(head.error(message))
}

/// Two columns of a table, and perhaps one of weights.
struct EdgeColumns<'a> {
    table: &'a dyn ColumnarTable,
    head: &'a ColumnarHead<'a>,
    /// The two ends, and the weights where these are read.
    columns: Vec<usize>,
}

impl EdgeColumns<'_> {
    fn name(&self) -> &str {
        &self.head.file.name
    }

    /// Decodes the columns of a part, and calls `found` with some rows of all of them at a time.
    fn part(
        &self,
        part: usize,
        mut found: impl FnMut(&[ArrayRef]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let rows = self.head.rows[part];
        if rows == 0 {
            return Ok(());
        }
        let before =
            self.head.rows[..part].iter().fold(0, |all: u64, rows| all.saturating_add(*rows));
        let mut at = 0;
        for arrays in self.table.arrays(part, &self.columns)? {
            let found = arrays.and_then(|arrays| {
                found(&arrays)?;
                Ok(arrays[0].len() as u64)
            });
            at += found.map_err(|fault| match fault {
                Fault::Value(place, row, message) => {
                    self.explain(before + at + row as u64, self.columns[place], message).into()
                }
                fault => fault,
            })?;
        }
        if at != rows {
            let last = before + rows - 1;
            let why = format!("the rows {before} to {last} are announced, and {at} are there");
            return Err(self.head.damaged(&why).into());
        }
        Ok(())
    }

    /// Adds the weights of some rows, where these are read.
    fn weigh(arrays: &[ArrayRef], weights: &mut Vec<f64>) -> Result<(), Fault> {
        let Some(array) = arrays.get(2) else { return Ok(()) };
        let found = values::numbers(array, Role::Weight).map_err(fault(2))?;
        memory::reserve(weights, found.len())?;
        weights.extend(found.iter().map(|&bits| f64::from_bits(bits)));
        Ok(())
    }

    /// The graph with the weights of each part.
    fn weighted(&self, graph: Graph, parts: Vec<Vec<f64>>) -> Result<Graph, Fault> {
        let weights = (self.columns.len() > 2).then(|| input::concat(parts)).transpose()?;
        Ok(weights::weighted(graph, weights)?)
    }

    /// An error at a row of the whole table.
    fn explain(&self, row: u64, column: usize, message: Message) -> Error {
        let column = &self.head.columns[column].name;
        let message = message.map_problem(|problem| format!("{problem} in the column `{column}`"));
        Error::Malformed { file: self.name().into(), place: Place::Row(row), message }
    }

    /// The graph of names.
    fn names(&self) -> Result<Graph, Fault> {
        let is_weighted = self.columns.len() > 2;
        names::graph(self.name(), self.head.rows.len() as u32, is_weighted, &|part, block| {
            self.names_of(part, block)
        })
    }

    /// The names of a part, and the weights where these are read.
    fn names_of(&self, part: u32, block: &mut NameBlock) -> Result<(), Fault> {
        let mut weights = Vec::new();
        self.part(part as usize, |arrays| {
            let texts = both([0, 1].map(|end| values::spelled(&arrays[end])))?;
            let texts = [0, 1].map(|end| values::text(&texts[end]));
            weights.clear();
            Self::weigh(arrays, &mut weights)?;
            (0..arrays[0].len()).try_for_each(|row| {
                let ends = [texts[0](row), texts[1](row)];
                if let Some(end) = ends.iter().position(|end| end.is_empty()) {
                    return Err(fault(end)((
                        row,
                        "a text is empty where an id is expected".into(),
                    )));
                }
                block.push(ends, weights.get(row).copied())
            })
        })
    }

    /// Hands the edges between integers over in blocks of about `piece` bytes.
    fn visit_integers(&self, piece: usize, sink: &dyn EdgeSink) -> Result<(), Fault> {
        in_order(self.head.rows.len(), |part, block: &mut Block| {
            block.clear();
            self.part(part, |arrays| {
                block.reserve(arrays[0].len()).map_err(|bytes| NoMemory { bytes })?;
                pairs(arrays, |u, v| block.push(u, v))?;
                if block.bytes() >= piece {
                    block.hand_to(sink)?;
                    block.clear();
                }
                Ok(())
            })?;
            Ok(block.hand_to(sink)?)
        })
        .map(drop)
    }

    /// The graph of integers.
    fn integers(&self) -> Result<Graph, Fault> {
        // No more than the limit, and touched as rows are decoded.
        let all = usize::try_from(self.head.all()).unwrap_or(usize::MAX);
        let mut edges = memory::zeroed::<[u32; 2]>(all)?;
        let lengths = self.head.rows.iter().map(|&rows| rows as usize);
        let slots = par::cut(&mut edges, lengths);
        let too_wide = AtomicBool::new(false);
        let found =
            par::try_map(slots.into_iter().enumerate(), |(part, slot)| -> Result<_, Fault> {
                let (mut max, mut weights, mut places) = (0, Vec::new(), slot.iter_mut());
                self.part(part, |arrays| {
                    if too_wide.load(Relaxed) {
                        return Ok(());
                    }
                    // The shorter side comes last: what it does not pair with is not taken.
                    pairs(arrays, |u, v| {
                        max = max.max(u).max(v);
                        if let Some(place) = places.next() {
                            *place = [u as u32, v as u32];
                        }
                    })?;
                    too_wide.fetch_or(max > LARGEST, Relaxed);
                    Self::weigh(arrays, &mut weights)
                })?;
                Ok((max, weights))
            });
        if too_wide.into_inner() {
            return self.wide();
        }
        let (largest, weights): (Vec<u64>, _) = found?.into_iter().unzip();
        let max = largest.into_iter().max().unwrap_or(0);
        self.weighted(ids::graph(self.name(), edges, max, None)?, weights)
    }

    /// The graph of integers of 64 bits.
    fn wide(&self) -> Result<Graph, Fault> {
        let parts = par::try_map(0..self.head.rows.len(), |part| -> Result<_, Fault> {
            let (mut edges, mut weights) = (Vec::new(), Vec::new());
            self.part(part, |arrays| {
                memory::reserve(&mut edges, arrays[0].len())?;
                pairs(arrays, |u, v| edges.push([u, v]))?;
                Self::weigh(arrays, &mut weights)
            })?;
            Ok((edges, weights))
        })?;
        let (edges, weights) = parts.into_iter().unzip();
        self.weighted(ids::wide(self.name(), edges, None)?, weights)
    }
}

/// A value that cannot be what its column is for, of which the place is known.
fn fault(place: usize) -> impl Fn(Bad) -> Fault {
    move |(row, message)| Fault::Value(place, row, message)
}

/// The values made of both ends, or the first fault by its row, of two in one row that of the first column.
fn both<T>(made: [Result<T, Bad>; 2]) -> Result<[T; 2], Fault> {
    match made {
        [Ok(one), Ok(other)] => Ok([one, other]),
        [Err((first, _)), Err(bad)] if bad.0 < first => Err(fault(1)(bad)),
        [Err(bad), _] => Err(fault(0)(bad)),
        [_, Err(bad)] => Err(fault(1)(bad)),
    }
}

/// Calls `found` with the integers of both ends, row by row.
fn pairs(arrays: &[ArrayRef], mut found: impl FnMut(u64, u64)) -> Result<(), Fault> {
    let ends = both([0, 1].map(|end| values::numbers(&arrays[end], Role::End)))?;
    ends[0].iter().zip(&ends[1][..]).for_each(|(&u, &v)| found(u, v));
    Ok(())
}
