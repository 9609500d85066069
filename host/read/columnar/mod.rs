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
//! | integers of 8 to 64 bits, signed or not; decimals without digits behind the point | integers |
//! | floats and doubles | integers, if all are whole and below 2⁵³: what pandas makes of integers where one is missing |
//! | text, and bytes that are text | names |
//! | binary of fixed length | names of hexadecimal digits; UUIDs as they are written |
//!
//! Weights are integers, decimals without digits behind the point, floats and doubles. A missing value is an error.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "arrow")]
mod batches;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod stored;
mod values;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrow_array::{Array, ArrayRef};

#[cfg(feature = "arrow")]
pub use self::batches::from_record_batches;
pub(super) use self::reader::Columns;
pub(super) use self::stored::Stored;
use self::values::{Bad, Known, Names, Role};
use super::columns::{self, ChosenColumns};
use super::contain;
use super::entries::LARGEST;
use super::format::Format;
use super::in_order::in_order;
use super::memory::{self, NoMemory};
use super::merge::NAMES_ASKED;
use super::names::{self, Pairs, Refused};
use super::table::header;
use super::{IdKind, Options, ids, input, weights};
use crate::error::Place;
use crate::graph::{Block, EdgeSink, EntryIds, Reading, Visited};
use crate::{Error, Graph, Hint, Message, Result};
use tribin_base::par;

/// Rows that are decoded at a time: few enough for the columns to stay in a cache.
const BATCH: usize = 1 << 14;

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    /// The column's name; those of structs that it is in come before, with points between them.
    name: String,
    kind: Kind,
    /// Whether the values are UUIDs.
    uuid: bool,
}

/// What the values of a column are.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Integer,
    /// Floating-point numbers, which may be whole.
    Float,
    Text,
    /// Nothing: every value is missing.
    Nothing,
    /// No ids; the type's name.
    Other(String),
}

/// A table in parts.
trait Table: Sync {
    fn stored(&self) -> &Stored<'_>;

    /// The format's name, for example `Parquet`.
    fn called(&self) -> &'static str;

    fn columns(&self) -> &[Column];

    /// The number of rows that each part announces.
    fn rows(&self) -> &[u64];

    /// The values of a column in a part, from its first row on.
    fn arrays(&self, part: usize, column: usize) -> Result<Arrays<'_>>;
}

/// Values of a column, some rows at a time, as they are decoded.
type Arrays<'a> = Box<dyn Iterator<Item = Result<ArrayRef, Fault>> + Send + 'a>;

/// The rows of an array, some at a time.
fn slices<'a>(array: ArrayRef) -> Arrays<'a> {
    let rows = par::blocks(array.len(), BATCH);
    Box::new(rows.map(move |rows| Ok(array.slice(rows.start, rows.len()))))
}

/// Runs a decoder of another crate on bytes that may be anything. It answers many damaged files with an error, and
/// panics on some.
fn contained<T, E: std::fmt::Display>(
    decode: impl FnOnce() -> std::result::Result<T, E>,
) -> std::result::Result<T, String> {
    match contain::contained(decode) {
        Some(result) => result.map_err(|error| {
            // One line, whatever stands in it, without the names of the crate's errors.
            let text = error.to_string().replace(char::is_control, " ");
            let prefixes = ["Parquet argument error: ", "Parquet error: ", "Ipc error: "];
            let why = prefixes.iter().fold(&text[..], |why, prefix| why.trim_start_matches(prefix));
            why.chars().take(200).collect()
        }),
        None => Err("its values cannot be decoded".into()),
    }
}

/// Why there are no values.
#[derive(Debug)]
enum Fault {
    /// A value at a row of what was asked for that cannot be what its column is for; the place of the column among
    /// those that are read.
    Value(usize, usize, Message),
    Error(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Error(error)
    }
}

/// Reads a table. `limit` is the largest number of bytes that its edges may take.
pub(super) fn parse(
    format: Format,
    stored: Stored,
    options: &Options,
    limit: u64,
) -> Result<Graph> {
    let table = open(format, stored, limit)?;
    let rows = KeptRows::of(&*table, options.skip);
    let graph = graph(&*table, options, rows, limit)?;
    table.stored().check_unchanged()?;
    Ok(graph)
}

/// The graph of some rows of a table, those that parts spread through it begin with; and the number of all its rows.
pub(super) fn sample(
    format: Format,
    stored: Stored,
    options: &Options,
    limit: u64,
) -> Result<(Graph, u64)> {
    let table = open(format, stored, limit)?;
    let rows = KeptRows::of(&*table, options.skip);
    let all = rows.all();
    Ok((graph(&*table, options, rows.sampled(), limit)?, all))
}

/// The number of rows that a table announces.
pub(super) fn rows(format: Format, stored: Stored, limit: u64) -> Result<u64> {
    Ok(open(format, stored, limit)?.rows().iter().fold(0, |all, &rows| all.saturating_add(rows)))
}

fn open<'a>(format: Format, stored: Stored<'a>, limit: u64) -> Result<Box<dyn Table + 'a>> {
    let _ = limit;
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => Ok(Box::new(parquet::File::open(stored, limit)?)),
        #[cfg(feature = "arrow")]
        Format::Arrow => Ok(Box::new(arrow::File::open(stored, limit)?)),
        other => unreachable!("{other} is no table of columns, or left out"),
    }
}

/// The column with the weights that are asked for, by its name or its number from 1.
fn weight_place(table: &dyn Table, options: &Options) -> Result<Option<usize>> {
    let Some(asked) = &options.weight else { return Ok(None) };
    let columns = table.columns();
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let place = weights::place(asked, &names);
    let fault = |message: String| input::error(table.stored().name(), message);
    let Some(place) = place else {
        return Err(fault(weights::no_column(asked, &names)));
    };
    match &columns[place].kind {
        Kind::Integer | Kind::Float | Kind::Nothing => Ok(Some(place)),
        Kind::Text => {
            Err(fault(format!("the column `{}` holds texts: weights are numbers", names[place])))
        }
        Kind::Other(what) => Err(fault(format!(
            "the column `{}` holds values of the type {what}: weights are integers or floats",
            names[place]
        ))),
    }
}

/// The two columns of a table, from what is known of all. The column of the weights is none of them.
fn choose(table: &dyn Table, options: &Options, weight: Option<usize>) -> Result<ChosenColumns> {
    let columns = table.columns();
    let name = table.stored().name();
    let header: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let no_ids: Vec<usize> = (0..columns.len())
        .filter(|&place| !matches!(columns[place].kind, Kind::Integer | Kind::Text))
        .collect();
    let folder = super::end_names::end_folder(name);
    let known =
        columns::Table { folder, weight, no_ids: &no_ids, ..columns::Table::of_header(&header) };
    let chosen = columns::choose(options.columns.as_ref(), known)
        .map_err(|message| input::error(name, message))?;
    for place in chosen.places {
        if weight == Some(place) {
            return Err(input::error(name, weights::is_an_end(&columns[place].name)));
        }
        if let Kind::Other(what) = &columns[place].kind {
            let message = format!(
                "the column `{}` holds values of the type {what}, which are no ids",
                columns[place].name
            );
            let message = match proposal(columns) {
                Some(proposed) => Message::from(message).with_hint(Hint::Columns { proposed }),
                None => format!("{message}: write two columns with an id in each row").into(),
            };
            return Err(input::error(name, message));
        }
    }
    Ok(chosen)
}

/// What to say of a table that tribin wrote and that holds no edges.
fn own_table(table: &dyn Table) -> Result<Option<Message>> {
    const VALUES: usize = 256;
    let names: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
    if !matches!(names.first().map(String::as_str), Some("vertex" | "u")) || names.len() < 3 {
        return Ok(None);
    }
    let mut sample = Vec::new();
    let some = names.len().min(3);
    if let Some(part) = table.rows().iter().position(|&rows| rows > 0) {
        for column in 0..some {
            // A value that is none is found again where all are read.
            let Some(Ok(array)) = table.arrays(part, column)?.next() else { return Ok(None) };
            let array = array.slice(0, array.len().min(VALUES));
            match values::strings(&array, table.columns()[column].uuid) {
                Ok(texts) => sample.push(texts),
                Err(_) => return Ok(None),
            }
        }
    }
    Ok(header::own_table(&names, &sample))
}

/// Two columns that could be meant, if two hold ids.
fn proposal(columns: &[Column]) -> Option<[String; 2]> {
    let mut ids =
        columns.iter().filter(|column| !matches!(column.kind, Kind::Other(_) | Kind::Nothing));
    Some([ids.next()?.name.clone(), ids.next()?.name.clone()])
}

fn graph(table: &dyn Table, options: &Options, rows: KeptRows, limit: u64) -> Result<Graph> {
    let (work, by_name, reading) = work(table, options, rows)?;
    let name = table.stored().name();
    if work.rows.all().saturating_mul(size_of::<[u32; 2]>() as u64) > limit {
        return Err(input::error(
            name,
            Message::from(format!(
                "the file announces {} rows, whose edges take more than {limit} bytes",
                work.rows.all()
            ))
            .with_hint(Hint::DecompressedLimit),
        ));
    }
    let graph = if by_name { work.names()? } else { work.integers()? };
    let graph = match work.weight {
        Some(column) => graph.with_weights(work.weights(column)?)?,
        None => graph,
    };
    Ok(graph.with_reading(Some(reading)))
}

/// Hands the edges of a table to `sink`, in blocks of about `piece` bytes.
pub(super) fn visit(
    format: Format,
    stored: Stored,
    options: &Options,
    limit: u64,
    (piece, sink): (usize, &dyn EdgeSink),
) -> Result<Visited> {
    let table = open(format, stored, limit)?;
    let (work, by_name, reading) = work(&*table, options, KeptRows::of(&*table, options.skip))?;
    if by_name {
        work.visit_names(sink)?;
    } else {
        work.visit_integers(piece, sink)?;
    }
    table.stored().check_unchanged()?;
    let ids = if by_name { EntryIds::Names } else { EntryIds::AsTheyAre };
    Ok(Visited { reading: Some(reading), ids, ..Visited::default() })
}

/// What is read of a table, whether as names, and what is said about that.
fn work<'a>(
    table: &'a dyn Table,
    options: &Options,
    rows: KeptRows,
) -> Result<(Work<'a>, bool, Reading)> {
    if options.columns.is_none()
        && let Some(message) = own_table(table)?
    {
        return Err(input::error(table.stored().name(), message));
    }
    if options.skip > rows.starts.last().copied().unwrap_or(0) {
        let message = format!("nothing is left behind the first {} rows", options.skip);
        let message = Message::from(message).with_hint(Hint::SkipLines);
        return Err(input::error(table.stored().name(), message));
    }
    let weight = weight_place(table, options)?;
    let chosen = choose(table, options, weight)?;
    let kinds = chosen.places.map(|place| &table.columns()[place].kind);
    if options.ids == IdKind::Auto {
        check_kinds(table, &chosen)?;
    }
    let text = kinds.iter().position(|kind| **kind == Kind::Text);
    let (by_name, reason) = match (options.ids, text) {
        (IdKind::Names, _) => (true, NAMES_ASKED.into()),
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
        reasons.push(format!("The weights are in column {}.", table.columns()[place].name));
    }
    let work = Work { table, columns: chosen.places, weight, rows };
    let reading = Reading {
        table: table.called().into(),
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
fn check_kinds(table: &dyn Table, chosen: &ChosenColumns) -> Result<()> {
    let columns = chosen.places.map(|place| &table.columns()[place]);
    let is_text = columns.map(|column| column.kind == Kind::Text);
    if is_text[0] == is_text[1] || columns.iter().any(|column| column.kind == Kind::Nothing) {
        return Ok(());
    }
    let [one, other] = columns.map(|column| match column.kind {
        Kind::Integer => "integers",
        Kind::Float => "floats",
        _ => "texts",
    });
    let [first, second] = &chosen.names;
    let message = format!(
        "the column `{first}` holds {one} and `{second}` holds {other}: both ends of an edge are of one kind, write both as \
         integers or both as texts"
    );
    let message = Message::from(message).with_hint(Hint::IntegersOrNames);
    Err(input::error(table.stored().name(), message))
}

/// Where the rows of each part are, after some were left out.
struct KeptRows {
    /// The first row of each part, and the end of the last.
    starts: Vec<u64>,
    skip: u64,
    /// One part of this many is read.
    every: usize,
    /// The rows that are read of a part at most, from its beginning on.
    most: u64,
}

/// Rows of a sample, and parts that they come from.
const SAMPLED_ROWS: u64 = 1 << 18;
const SAMPLED_PARTS: usize = 64;

impl KeptRows {
    fn of(table: &dyn Table, skip: u64) -> KeptRows {
        let mut starts = vec![0u64];
        let mut end = 0u64;
        for &rows in table.rows() {
            end = end.saturating_add(rows);
            starts.push(end);
        }
        KeptRows { starts, skip: skip.min(end), every: 1, most: u64::MAX }
    }

    /// A few of them, from all over the table.
    fn sampled(self) -> KeptRows {
        let every = self.parts().div_ceil(SAMPLED_PARTS).max(1);
        let parts = self.parts().div_ceil(every).max(1);
        KeptRows { every, most: (SAMPLED_ROWS / parts as u64).max(1), ..self }
    }

    fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows that are read.
    fn all(&self) -> u64 {
        (0..self.parts()).fold(0, |all, part| all.saturating_add(self.of_part(part)))
    }

    /// Where the rows of a part end that are read.
    fn end(&self, part: usize) -> u64 {
        let most = if part.is_multiple_of(self.every) { self.most } else { 0 };
        self.starts[part + 1].min(self.starts[part].max(self.skip).saturating_add(most))
    }

    /// The rows of a part that are read.
    fn of_part(&self, part: usize) -> u64 {
        self.end(part).saturating_sub(self.starts[part].max(self.skip))
    }
}

/// Two columns of a table, and perhaps one of weights.
struct Work<'a> {
    table: &'a dyn Table,
    columns: [usize; 2],
    weight: Option<usize>,
    rows: KeptRows,
}

impl Work<'_> {
    fn name(&self) -> &str {
        self.table.stored().name()
    }

    fn no_memory(&self, refused: NoMemory) -> Error {
        input::no_memory(self.name(), refused)
    }

    /// Decodes columns of a part, and calls `found` with some rows of all of them at a time.
    fn part(
        &self,
        part: usize,
        columns: &[usize],
        mut found: impl FnMut(&[ArrayRef]) -> Result<(), Fault>,
    ) -> Result<()> {
        if self.rows.of_part(part) == 0 {
            return Ok(());
        }
        let (from, to) = (self.rows.starts[part], self.rows.end(part));
        let explain = |at: u64, fault| match fault {
            Fault::Error(error) => error,
            Fault::Value(place, row, message) => {
                self.explain(at + row as u64, columns[place], message)
            }
        };
        let cursor = |&column| Ok(Cursor::new(self.table.arrays(part, column)?));
        let mut cursors = columns.iter().map(cursor).collect::<Result<Vec<_>>>()?;
        let mut at = from;
        while at < to {
            // Where there are fewer parts than threads, the columns are decoded side by side.
            let fill = |(place, cursor): (usize, &mut Cursor)| cursor.fill(place);
            let filled = match self.rows.parts() < par::threads() {
                true => par::map(cursors.iter_mut().enumerate(), fill),
                false => cursors.iter_mut().enumerate().map(fill).collect(),
            };
            first_fault(filled).map_err(|fault| explain(at, fault))?;
            let rows = cursors.iter().map(|cursor| cursor.left.len()).min().unwrap_or(0);
            let rows = rows.min((to - at).try_into().unwrap_or(usize::MAX));
            if rows == 0 {
                return Err(self.ends_early(from..to, at));
            }
            let mut some: Vec<ArrayRef> =
                cursors.iter_mut().map(|cursor| cursor.take(rows)).collect();
            // Rows that are left out may be in the same part as others.
            let skipped = (self.rows.skip.saturating_sub(at) as usize).min(rows);
            if skipped > 0 {
                some.iter_mut().for_each(|array| *array = array.slice(skipped, rows - skipped));
            }
            found(&some).map_err(|fault| explain(at + skipped as u64, fault))?;
            at += rows as u64;
        }
        Ok(())
    }

    /// What `add` makes of some columns, part by part.
    fn collect<T: Send>(
        &self,
        columns: &[usize],
        add: impl Fn(&[ArrayRef], &mut Vec<T>) -> Result<(), Fault> + Sync,
    ) -> Result<Vec<Vec<T>>> {
        par::try_map(0..self.rows.parts(), |part| {
            let mut found = Vec::new();
            self.part(part, columns, |arrays| {
                memory::reserve(&mut found, arrays[0].len())
                    .map_err(|refused| self.no_memory(refused))?;
                add(arrays, &mut found)
            })?;
            Ok(found)
        })
    }

    /// The weights of all rows, in their order.
    fn weights(&self, column: usize) -> Result<Vec<f64>> {
        let parts = self.collect(&[column], |arrays, weights| {
            let found = values::numbers(&arrays[0], Role::Weight).map_err(fault(0))?;
            weights.extend(found.iter().map(|&bits| f64::from_bits(bits)));
            Ok(())
        })?;
        let mut weights = memory::with_capacity(parts.iter().map(Vec::len).sum())
            .map_err(|refused| self.no_memory(refused))?;
        parts.into_iter().for_each(|part| weights.extend(part));
        Ok(weights)
    }

    /// An error of rows that are announced, where a column ends at row `at`.
    fn ends_early(&self, rows: Range<u64>, at: u64) -> Error {
        input::error(
            self.name(),
            format!(
                "the rows {} to {} are announced, and a column ends at row {at}: the file is cut off or \
                 damaged, write it again",
                rows.start,
                rows.end - 1
            ),
        )
    }

    /// An error at a row of the whole table.
    fn explain(&self, row: u64, column: usize, message: Message) -> Error {
        let column = &self.table.columns()[column].name;
        let message = message.map_problem(|problem| format!("{problem} in the column `{column}`"));
        Error::Malformed { file: self.name().into(), place: Place::Row(row), message }
    }

    /// The graph of names.
    fn names(&self) -> Result<Graph> {
        let read = |part: u32, pairs: &mut names::Pairs| self.names_of(part, pairs);
        names::graph(self.name(), self.rows.parts() as u32, &read)
    }

    /// Hands the edges between names over.
    fn visit_names(&self, sink: &dyn EdgeSink) -> Result<()> {
        let read = |part: u32, pairs: &mut names::Pairs| self.names_of(part, pairs);
        names::visit(self.name(), self.rows.parts() as u32, &read, sink)
    }

    /// The names of a part.
    fn names_of(&self, part: u32, pairs: &mut Pairs) -> Result<()> {
        let refused = |refused: Refused| Fault::Error(names::error(self.name(), refused));
        let mut known = [Known::default(), Known::default()];
        self.part(part as usize, &self.columns, |arrays| {
            let uuid = self.columns.map(|column| self.table.columns()[column].uuid);
            let texts = ends([0, 1].map(|end| values::spelled(&arrays[end], uuid[end])))?;
            let [one, other] = &mut known;
            let mut names = [Names::of(&texts[0], one), Names::of(&texts[1], other)];
            for row in 0..texts[0].len() {
                let [one, other] = &mut names;
                let numbers = [
                    one.number(row, pairs).map_err(refused)?,
                    other.number(row, pairs).map_err(refused)?,
                ];
                pairs.push_numbers(numbers).map_err(refused)?;
            }
            Ok(())
        })
    }

    /// Hands the edges between integers over in blocks of about `piece` bytes.
    fn visit_integers(&self, piece: usize, sink: &dyn EdgeSink) -> Result<()> {
        in_order(self.rows.parts(), |part, block: &mut Block| {
            block.clear();
            self.part(part, &self.columns, |arrays| {
                let reserved = block.reserve(arrays[0].len());
                reserved.map_err(|bytes| self.no_memory(NoMemory { bytes }))?;
                pairs(arrays, |u, v| block.push(u, v))?;
                if block.bytes() >= piece {
                    block.hand_to(sink)?;
                    block.clear();
                }
                Ok(())
            })?;
            block.hand_to(sink)
        })
    }

    /// The graph of integers.
    fn integers(&self) -> Result<Graph> {
        // No more than the limit, and touched as rows are decoded.
        let all = usize::try_from(self.rows.all()).unwrap_or(usize::MAX);
        let mut edges =
            memory::zeroed::<[u32; 2]>(all).map_err(|refused| self.no_memory(refused))?;
        let lengths = (0..self.rows.parts()).map(|part| self.rows.of_part(part) as usize);
        let slots = par::cut(&mut edges, lengths);
        let too_wide = AtomicBool::new(false);
        let largest = par::try_map(slots.into_iter().enumerate(), |(part, slot)| -> Result<u64> {
            let (mut max, mut places) = (0, slot.iter_mut());
            self.part(part, &self.columns, |arrays| {
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
                Ok(())
            })?;
            Ok(max)
        });
        if too_wide.into_inner() {
            return self.wide();
        }
        let max = largest?.into_iter().max().unwrap_or(0);
        ids::graph(self.name(), edges, max, None)
    }

    /// The graph of integers of 64 bits.
    fn wide(&self) -> Result<Graph> {
        let parts =
            self.collect(&self.columns, |arrays, edges| pairs(arrays, |u, v| edges.push([u, v])))?;
        ids::wide(self.name(), parts, 0)
    }
}

/// A value that cannot be what its column is for, of which the place is known.
fn fault(place: usize) -> impl Fn(Bad) -> Fault {
    move |(row, message)| Fault::Value(place, row, message)
}

/// The first fault by its row, of two in one row that of the first column.
fn first_fault(found: impl IntoIterator<Item = Result<(), Fault>>) -> Result<(), Fault> {
    let row = |fault: &Fault| if let Fault::Value(_, row, _) = fault { *row } else { 0 };
    found.into_iter().filter_map(Result::err).min_by_key(row).map_or(Ok(()), Err)
}

/// What was made of both ends, or the first fault in them.
fn ends<T>(found: [Result<T, Bad>; 2]) -> Result<[T; 2], Fault> {
    match found {
        [Ok(one), Ok(other)] => Ok([one, other]),
        [one, other] => {
            let faults = [one.map(drop).map_err(fault(0)), other.map(drop).map_err(fault(1))];
            Err(first_fault(faults).expect_err("one of them is"))
        }
    }
}

/// Calls `found` with the integers of both ends, row by row.
fn pairs(arrays: &[ArrayRef], mut found: impl FnMut(u64, u64)) -> Result<(), Fault> {
    let [one, other] = ends([0, 1].map(|end| values::numbers(&arrays[end], Role::End)))?;
    one.iter().zip(&other[..]).for_each(|(&u, &v)| found(u, v));
    Ok(())
}

/// A column of a part, and what was decoded of it and not yet taken.
struct Cursor<'a> {
    arrays: Arrays<'a>,
    left: ArrayRef,
}

impl<'a> Cursor<'a> {
    fn new(arrays: Arrays<'a>) -> Cursor<'a> {
        Cursor { arrays, left: arrow_array::new_empty_array(&arrow_schema::DataType::Null) }
    }

    /// Decodes some rows where none are left. A fault gets the column's place.
    fn fill(&mut self, place: usize) -> Result<(), Fault> {
        if self.left.is_empty()
            && let Some(array) = self.arrays.next()
        {
            self.left = array.map_err(|fault| match fault {
                Fault::Value(_, row, message) => Fault::Value(place, row, message),
                error => error,
            })?;
        }
        Ok(())
    }

    fn take(&mut self, rows: usize) -> ArrayRef {
        let taken = self.left.slice(0, rows);
        self.left = self.left.slice(rows, self.left.len() - rows);
        taken
    }
}
