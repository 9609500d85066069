//! Tables of typed columns, Parquet and Arrow: from two of their columns to a graph, and from a third to its weights.
//!
//! A table has parts (row groups, record batches) that are decoded side by side, and of each part the two
//! chosen columns alone, some rows at a time. What is allocated follows from what was decoded: no length that a
//! header announces is believed before the bytes behind it are there.
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
mod codec;
#[cfg(feature = "parquet")]
mod parquet;
mod stored;
#[cfg(feature = "parquet")]
mod thrift;
mod values;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[cfg(feature = "arrow")]
pub use self::batches::from_record_batches;
pub(super) use self::stored::Stored;
use self::values::{Role, Taken, Values};
use super::columns::{self, ChosenColumns};
use super::entries::LARGEST;
use super::format::Format;
use super::in_order::in_order;
use super::memory::{self, NoMemory};
use super::merge::NAMES_ASKED;
use super::names::{self, Refused};
use super::share::Share;
use super::table::header;
use super::{IdKind, Options, ids, weights};
use crate::error::Place;
use crate::graph::{Block, EdgeSink, EntryIds, Reading, Visited};
use crate::{Error, Graph, Hint, Message, Result};
use tribin_base::par;

/// Rows that are decoded at a time: few enough for both columns to stay in a cache.
const BATCH: usize = 1 << 14;

/// Bytes of edges that are believed for each byte of a file before they are decoded. Further ones, which
/// repetitions compress to almost nothing, get their memory when they come.
const BELIEVED: u64 = 32;

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    /// The column's name; those of structs that it is in come before, with points between them.
    name: String,
    kind: Kind,
}

/// What the values of a column are.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Integer,
    /// Floating-point numbers, which may be whole.
    Float,
    Text,
    /// Nothing: every value is missing.
    #[cfg(feature = "arrow")]
    Nothing,
    /// No ids; the type's name.
    Other(String),
}

impl Kind {
    fn is_nothing(&self) -> bool {
        #[cfg(feature = "arrow")]
        return *self == Kind::Nothing;
        #[cfg(not(feature = "arrow"))]
        false
    }
}

/// A table in parts.
trait Table: Sync {
    fn stored(&self) -> &Stored<'_>;

    /// The format's name, for example `Parquet`.
    fn called(&self) -> &'static str;

    fn columns(&self) -> &[Column];

    /// The number of rows that each part announces.
    fn rows(&self) -> &[u64];

    /// Bytes of edges that are believed before they are decoded.
    fn believed(&self) -> u64 {
        BELIEVED.saturating_mul(self.stored().len()).max(1 << 16)
    }

    /// Reads a column of a part from its first row on.
    fn reader(&self, part: usize, column: usize, role: Role) -> Result<Box<dyn Reader + '_>>;
}

/// The values of a column in a part.
trait Reader: Send {
    /// The next values, up to `most`; none at the end. They may take the memory of `used` ones.
    fn next(&mut self, most: usize, used: Values) -> std::result::Result<Values, Fault>;
}

/// Why there are no values.
#[derive(Debug)]
enum Fault {
    /// A value that cannot be an id, at a row of the part.
    Value(u64, Message),
    Error(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Error(error)
    }
}

impl Fault {
    fn row(&self) -> u64 {
        match self {
            Fault::Value(row, _) => *row,
            Fault::Error(_) => 0,
        }
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
    let rows = Rows::of(&*table, options.skip);
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
    let rows = Rows::of(&*table, options.skip);
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
    let fault = |message: String| super::input::error(table.stored().name(), message);
    let Some(place) = place else {
        return Err(fault(weights::no_column(asked, &names)));
    };
    match &columns[place].kind {
        Kind::Integer | Kind::Float => Ok(Some(place)),
        #[cfg(feature = "arrow")]
        Kind::Nothing => Ok(Some(place)),
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
    let folders = columns::ends_folders(name);
    let known = columns::Table {
        columns: columns.len(),
        header: Some(&header),
        sample: &[],
        folders: &folders,
    };
    let chosen = match weight {
        Some(place) => columns::choose_with_weight(options.columns.as_ref(), known, place),
        None => columns::choose(options.columns.as_ref(), known),
    };
    let chosen = chosen.or_else(|message| {
        // Names do not tell; the types may.
        let ids: Vec<usize> = (0..columns.len())
            .filter(|&place| matches!(columns[place].kind, Kind::Integer | Kind::Text))
            .filter(|&place| weight != Some(place))
            .collect();
        match ids[..] {
            [first, second]
                if options.columns.is_none() && columns::may_be_ends(known, [first, second]) =>
            {
                Ok(ChosenColumns {
                    places: [first, second],
                    names: [first, second].map(|place| header[place].clone()),
                    reason: "the types of the others are none of ids".into(),
                    note: None,
                })
            }
            _ => Err(super::input::error(name, message)),
        }
    })?;
    for place in chosen.places {
        if weight == Some(place) {
            return Err(super::input::error(name, weights::is_an_end(&columns[place].name)));
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
            return Err(super::input::error(name, message));
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
            let read =
                table.reader(part, column, Role::End)?.next(VALUES, Values::Numbers(Vec::new()));
            let Ok(values) = read else { return Ok(None) };
            sample.push((0..values.len().min(VALUES)).map(|place| values.text(place)).collect());
        }
    }
    Ok(header::own_table(&names, &sample))
}

/// Two columns that could be meant, if two hold ids.
fn proposal(columns: &[Column]) -> Option<[String; 2]> {
    let mut ids = columns
        .iter()
        .filter(|column| !matches!(column.kind, Kind::Other(_)) && !column.kind.is_nothing());
    Some([ids.next()?.name.clone(), ids.next()?.name.clone()])
}

fn graph(table: &dyn Table, options: &Options, rows: Rows, limit: u64) -> Result<Graph> {
    let (work, by_name, reading) = work(table, options, rows)?;
    let name = table.stored().name();
    if work.rows.all().saturating_mul(size_of::<[u32; 2]>() as u64) > limit {
        return Err(super::input::error(
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
    let (work, by_name, reading) = work(&*table, options, Rows::of(&*table, options.skip))?;
    if by_name && options.share.is_some() {
        return Err(super::share::names(table.stored().name()));
    }
    if by_name {
        work.visit_names(sink)?;
    } else {
        work.visit_integers((piece, options.share), sink)?;
    }
    table.stored().check_unchanged()?;
    let ids = if by_name { EntryIds::Names } else { EntryIds::AsTheyAre };
    Ok(Visited { reading: Some(reading), ids, ..Visited::default() })
}

/// What is read of a table, whether as names, and what is said about that.
fn work<'a>(
    table: &'a dyn Table,
    options: &Options,
    rows: Rows,
) -> Result<(Work<'a>, bool, Reading)> {
    if options.columns.is_none()
        && let Some(message) = own_table(table)?
    {
        return Err(super::input::error(table.stored().name(), message));
    }
    if options.skip > rows.starts.last().copied().unwrap_or(0) {
        let message = format!("nothing is left behind the first {} rows", options.skip);
        let message = Message::from(message).with_hint(Hint::SkipLines);
        return Err(super::input::error(table.stored().name(), message));
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
    let mut reasons = vec![chosen.to_string(), reason];
    if let Some(place) = weight {
        reasons.push(format!("The weights are in column {}.", table.columns()[place].name));
    }
    let work = Work { table, columns: chosen.places, weight, rows };
    let reading = Reading {
        table: table.called().into(),
        header: true,
        ids: if by_name { IdKind::Names.name() } else { IdKind::Integers.name() },
        reasons,
        notes: chosen.note.into_iter().collect(),
        columns: Some(chosen.names),
        ..Reading::default()
    };
    Ok((work, by_name, reading))
}

/// Refuses texts beside numbers: whether the text `1` and the number 1 are one vertex is not known.
fn check_kinds(table: &dyn Table, chosen: &ChosenColumns) -> Result<()> {
    let columns = chosen.places.map(|place| &table.columns()[place]);
    let is_text = columns.map(|column| column.kind == Kind::Text);
    if is_text[0] == is_text[1] || columns.iter().any(|column| column.kind.is_nothing()) {
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
    Err(super::input::error(table.stored().name(), message))
}

/// Where the rows of each part are, after some were left out.
struct Rows {
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

impl Rows {
    fn of(table: &dyn Table, skip: u64) -> Rows {
        let mut starts = vec![0u64];
        let mut end = 0u64;
        for &rows in table.rows() {
            end = end.saturating_add(rows);
            starts.push(end);
        }
        Rows { starts, skip: skip.min(end), every: 1, most: u64::MAX }
    }

    /// A few of them, from all over the table.
    fn sampled(self) -> Rows {
        let every = self.parts().div_ceil(SAMPLED_PARTS).max(1);
        let parts = self.parts().div_ceil(every).max(1);
        Rows { every, most: (SAMPLED_ROWS / parts as u64).max(1), ..self }
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
    rows: Rows,
}

impl Work<'_> {
    fn name(&self) -> &str {
        self.table.stored().name()
    }

    fn no_memory(&self, refused: NoMemory) -> Error {
        super::input::no_memory(self.name(), refused)
    }

    /// Decodes the rows of a part, and calls `found` with some of both columns at a time, equally many.
    fn part(
        &self,
        part: usize,
        mut found: impl FnMut([Taken<'_>; 2], usize) -> Result<(), Fault>,
    ) -> Result<()> {
        if self.rows.of_part(part) == 0 {
            return Ok(());
        }
        let [first, second] = self.columns;
        let mut first = Decoding::new(self.table.reader(part, first, Role::End)?);
        let mut second = Decoding::new(self.table.reader(part, second, Role::End)?);
        let (from, to) = (self.rows.starts[part], self.rows.end(part));
        let mut at = from;
        while at < to {
            let most = BATCH.min((to - at) as usize);
            // Where there are fewer parts than threads, the columns are decoded side by side.
            let filled = match self.rows.parts() < par::threads() {
                true => par::join(|| first.fill(most), || second.fill(most)),
                false => (first.fill(most), second.fill(most)),
            };
            match filled {
                (Ok(()), Ok(())) => {}
                (Err(one), Err(other)) if other.row() < one.row() => {
                    return Err(self.explain(from, self.columns[1], other));
                }
                (Err(one), _) => return Err(self.explain(from, self.columns[0], one)),
                (_, Err(other)) => return Err(self.explain(from, self.columns[1], other)),
            }
            let rows = first.left().min(second.left()).min(most);
            if rows == 0 {
                return Err(self.ends_early(from..to, at));
            }
            // Rows that are left out may be in the same part as others.
            let skipped = (self.rows.skip.saturating_sub(at) as usize).min(rows);
            found([first.some(skipped), second.some(skipped)], rows - skipped).map_err(
                |fault| {
                    self.explain(from, self.columns[0], fault.after(at - from + skipped as u64))
                },
            )?;
            first.at += rows;
            second.at += rows;
            at += rows as u64;
        }
        Ok(())
    }

    /// The weights of all rows, in their order.
    fn weights(&self, column: usize) -> Result<Vec<f64>> {
        let parts = par::try_map(0..self.rows.parts(), |part| self.weights_of(part, column))?;
        let mut weights = memory::with_capacity(parts.iter().map(Vec::len).sum())
            .map_err(|refused| self.no_memory(refused))?;
        parts.into_iter().for_each(|part| weights.extend(part));
        Ok(weights)
    }

    fn weights_of(&self, part: usize, column: usize) -> Result<Vec<f64>> {
        let mut weights = Vec::new();
        let (from, to) = (self.rows.starts[part], self.rows.end(part));
        if self.rows.of_part(part) == 0 {
            return Ok(weights);
        }
        let mut decoding = Decoding::new(self.table.reader(part, column, Role::Weight)?);
        let mut at = from;
        while at < to {
            let most = BATCH.min((to - at) as usize);
            decoding.fill(most).map_err(|fault| self.explain(from, column, fault))?;
            let rows = decoding.left().min(most);
            if rows == 0 {
                return Err(self.ends_early(from..to, at));
            }
            let skipped = (self.rows.skip.saturating_sub(at) as usize).min(rows);
            let found = values::weights(decoding.some(skipped), rows - skipped);
            let found = found.map_err(|fault| {
                self.explain(from, column, fault.after(at - from + skipped as u64))
            })?;
            memory::reserve(&mut weights, found.len())
                .map_err(|refused| self.no_memory(refused))?;
            weights.extend(found);
            decoding.at += rows;
            at += rows as u64;
        }
        Ok(weights)
    }

    /// An error of rows that are announced, where a column ends at row `at`.
    fn ends_early(&self, rows: Range<u64>, at: u64) -> Error {
        super::input::error(
            self.name(),
            format!(
                "the rows {} to {} are announced, and a column ends at row {at}: the file is cut off or \
                 damaged, write it again",
                rows.start,
                rows.end - 1
            ),
        )
    }

    /// An error at a row of the whole table; `from` is the first of its part.
    fn explain(&self, from: u64, column: usize, fault: Fault) -> Error {
        match fault {
            Fault::Error(error) => error,
            Fault::Value(row, message) => {
                let column = &self.table.columns()[column].name;
                let place = Place::Row(from + row);
                let message =
                    message.map_problem(|problem| format!("{problem} in the column `{column}`"));
                Error::Malformed { file: self.name().into(), place, message }
            }
        }
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
    fn names_of(&self, part: u32, pairs: &mut names::Pairs) -> Result<()> {
        let refused = |refused: Refused| Fault::Error(names::error(self.name(), refused));
        let mut known = [values::Numbered::default(), values::Numbered::default()];
        self.part(part as usize, |[one, other], rows| {
            let [first, second] = &mut known;
            for row in 0..rows {
                let ends = [
                    first.number(one, row, pairs).map_err(refused)?,
                    second.number(other, row, pairs).map_err(refused)?,
                ];
                let pushed = pairs.push_numbers(ends);
                pushed.map_err(refused)?;
            }
            Ok(())
        })
    }

    /// Hands the edges between integers over, all or a share of them, in blocks of about `piece` bytes.
    fn visit_integers(
        &self,
        (piece, share): (usize, Option<Share>),
        sink: &dyn EdgeSink,
    ) -> Result<()> {
        let own = Share::range_of(share, self.rows.parts());
        in_order(own.len(), |part, block: &mut Block| {
            block.clear();
            self.part(own.start + part, |columns, rows| {
                let reserved = block.reserve(rows);
                reserved.map_err(|bytes| Fault::Error(self.no_memory(NoMemory { bytes })))?;
                values::both(columns, rows, |u, v| block.push(u, v))?;
                if block.bytes() >= piece {
                    block.hand_to(sink).map_err(Fault::Error)?;
                    block.clear();
                }
                Ok(())
            })?;
            block.hand_to(sink)
        })
    }

    /// The graph of integers.
    fn integers(&self) -> Result<Graph> {
        let bytes = self.rows.all().saturating_mul(size_of::<[u32; 2]>() as u64);
        let edges = match bytes <= self.table.believed() {
            true => self.in_place()?,
            false => self.in_parts()?,
        };
        match edges {
            Some((edges, max)) => ids::graph(self.name(), edges, max, None),
            None => self.wide(),
        }
    }

    /// All edges, each at its place from the beginning on, and the largest id. `None` where that takes more
    /// than 32 bits.
    fn in_place(&self) -> Result<Option<(Vec<[u32; 2]>, u64)>> {
        // At most as many as `BELIEVED` allows.
        let mut edges = memory::zeroed::<[u32; 2]>(self.rows.all() as usize)
            .map_err(|refused| self.no_memory(refused))?;
        let mut rest = &mut edges[..];
        let mut slots = Vec::with_capacity(self.rows.parts());
        for part in 0..self.rows.parts() {
            let (slot, after) = rest.split_at_mut(self.rows.of_part(part) as usize);
            slots.push(slot);
            rest = after;
        }
        let max = self.narrow(slots, |slot, at, ends| slot[at] = ends)?.map(|(_, max)| max);
        Ok(max.map(|max| (edges, max)))
    }

    /// All edges and the largest id, in memory that grows with what was decoded.
    fn in_parts(&self) -> Result<Option<(Vec<[u32; 2]>, u64)>> {
        let parts: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.rows.parts()];
        let found = self.narrow(parts, |part, _, ends| part.push(ends))?;
        let Some((parts, max)) = found else { return Ok(None) };
        let all = parts.iter().map(Vec::len).sum();
        let mut edges = memory::with_capacity(all).map_err(|refused| self.no_memory(refused))?;
        parts.into_iter().for_each(|part| edges.extend(part));
        Ok(Some((edges, max)))
    }

    /// Decodes every part into its slot; `put` gets the place of an edge in it. Returns the slots and the
    /// largest id.
    fn narrow<S: Slot>(
        &self,
        slots: Vec<S>,
        put: impl Fn(&mut S, usize, [u32; 2]) + Sync,
    ) -> Result<Option<(Vec<S>, u64)>> {
        let too_wide = AtomicBool::new(false);
        let found =
            par::try_map(slots.into_iter().enumerate(), |(part, mut slot)| -> Result<(S, u64)> {
                if too_wide.load(Relaxed) {
                    return Ok((slot, 0));
                }
                let (mut max, mut at) = (0, 0);
                self.part(part, |columns, rows| {
                    if too_wide.load(Relaxed) {
                        return Ok(());
                    }
                    slot.reserve(rows).map_err(|refused| Fault::Error(self.no_memory(refused)))?;
                    values::both(columns, rows, |u, v| {
                        put(&mut slot, at, [u as u32, v as u32]);
                        max = max.max(u).max(v);
                        at += 1;
                    })?;
                    if max > LARGEST {
                        too_wide.store(true, Relaxed);
                    }
                    Ok(())
                })?;
                Ok((slot, max))
            });
        if too_wide.into_inner() {
            return Ok(None);
        }
        let found = found?;
        let max = found.iter().map(|(_, max)| *max).max().unwrap_or(0);
        Ok(Some((found.into_iter().map(|(slot, _)| slot).collect(), max)))
    }

    /// The graph of integers of 64 bits.
    fn wide(&self) -> Result<Graph> {
        let parts = par::try_map(0..self.rows.parts(), |part| -> Result<Vec<[u64; 2]>> {
            let mut edges: Vec<[u64; 2]> = Vec::new();
            self.part(part, |columns, rows| {
                memory::reserve(&mut edges, rows)
                    .map_err(|refused| Fault::Error(self.no_memory(refused)))?;
                values::both(columns, rows, |u, v| edges.push([u, v]))
            })?;
            Ok(edges)
        })?;
        ids::wide(self.name(), parts, 0)
    }
}

/// A column of a part, and what was decoded of it and not yet taken.
struct Decoding<'a> {
    reader: Box<dyn Reader + 'a>,
    values: Values,
    at: usize,
}

impl<'a> Decoding<'a> {
    fn new(reader: Box<dyn Reader + 'a>) -> Decoding<'a> {
        Decoding { reader, values: Values::Numbers(Vec::new()), at: 0 }
    }

    fn left(&self) -> usize {
        self.values.len() - self.at
    }

    /// Decodes up to `most` values where none are left.
    fn fill(&mut self, most: usize) -> Result<(), Fault> {
        if self.left() == 0 {
            let used = std::mem::replace(&mut self.values, Values::Numbers(Vec::new()));
            (self.values, self.at) = (self.reader.next(most, used)?, 0);
        }
        Ok(())
    }

    /// What is left, but for the first `skipped`.
    fn some(&self, skipped: usize) -> Taken<'_> {
        Taken { values: &self.values, from: self.at + skipped }
    }
}

impl Fault {
    /// This fault as one of a batch that begins at row `before` of its part.
    fn after(self, before: u64) -> Fault {
        match self {
            Fault::Value(row, message) => Fault::Value(row + before, message),
            error => error,
        }
    }
}

/// Where the edges of a part go.
trait Slot: Send {
    /// Makes room for some more.
    fn reserve(&mut self, more: usize) -> Result<(), NoMemory>;
}

impl Slot for &mut [[u32; 2]] {
    fn reserve(&mut self, _: usize) -> Result<(), NoMemory> {
        Ok(())
    }
}

impl Slot for Vec<[u32; 2]> {
    fn reserve(&mut self, more: usize) -> Result<(), NoMemory> {
        memory::reserve(self, more)
    }
}
