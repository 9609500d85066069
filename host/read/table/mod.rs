//! Text tables of edges: what SNAP, KONECT, pandas, SQL databases and spreadsheets write.
//!
//! [`dialect::decide`] looks at the beginning, and decides on delimiter, header, columns and ids. [`rows::RowCutter`] cuts
//! each line accordingly; names go to the dictionary ([`super::names`]).
//!
//! Pieces of a text are cut at line ends and read side by side. A line end within quotes is found by the piece in
//! which the quote is opened, and the text is then read in one piece.

pub(super) mod comments;
mod cut;
pub(super) mod dialect;
mod dictionary;
pub(super) mod dropped;
pub(super) mod encoding;
pub(super) mod fields;
pub(super) mod header;
mod id;
mod reader;
mod rows;
mod shape;

use std::borrow::Cow;
use std::io::{self, BufReader};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub use self::id::is_missing;
pub(super) use self::reader::Text;
pub(super) use self::shape::{TUPLES, has_tuples};
use super::compression::{self, Compression};
use super::edge_list;
use super::entries::{self, Fault, FaultKind, NotVisited, Parsed, Pieces, Rule, Stopped, Streamed};
use super::input::{self, Input, excerpt, token};
use super::names::{self, Refused};
use super::progress::Meter;
use super::source::RegularFile;
use super::{Options, ids, weights};
use crate::graph::{EdgeSink, EntryIds, Reading, Visited};
use crate::{Error, Graph, Hint, Message, Result};
use dialect::{Decision, Ids, WeightColumn, behind_lines, decide};
use dropped::Dropped;
use fields::Delimiter;
use rows::RowCutter;
use tribin_base::par::Spare;

/// Bytes that are looked at.
const HEAD: usize = 1 << 18;

/// The text that is cut: UTF-8, with one byte for a delimiter of several.
fn prepared<'a>(content: &'a [u8], options: &Options) -> Cow<'a, [u8]> {
    let text = match encoding::utf_16(content) {
        Some(decoded) => Cow::Owned(decoded.into_bytes()),
        None => Cow::Borrowed(content),
    };
    match options.delimiter.as_deref() {
        Some(delimiter) if delimiter.len() > 1 => {
            let mut cut = Vec::with_capacity(text.len());
            let mut from = 0;
            for at in memchr::memmem::find_iter(&text, delimiter) {
                cut.extend_from_slice(&text[from..at]);
                cut.push(fields::SEPARATOR);
                from = at + delimiter.len();
            }
            cut.extend_from_slice(&text[from..]);
            Cow::Owned(cut)
        }
        _ => text,
    }
}

/// Whether a text that begins so has to be in memory as a whole before it is cut.
fn is_prepared(head: &[u8], options: &Options) -> bool {
    options.delimiter.as_ref().is_some_and(|delimiter| delimiter.len() > 1)
        || encoding::is_utf_16(head)
}

/// Reads a text in memory.
pub(super) fn parse(input: &Input, options: &Options) -> Result<Graph> {
    let text = prepared(input.content, options);
    let input = &Input { content: &text, ..*input };
    // Comments that fill what is looked at say nothing of the rows behind them.
    let comments = comments::long_comments(input.content);
    let from = if comments >= HEAD / 2 && options.skip == 0 { comments } else { 0 };
    let rest = &input.content[from..];
    // Lines that are left out are none of those that are looked at.
    let looked_at = HEAD + if options.skip == 0 { 0 } else { behind_lines(rest, options.skip) };
    let head = &rest[..rest.len().min(looked_at)];
    let mut decision = decide(input.name, head, head.len() == rest.len(), options)
        .map_err(|problem| input.at_line_of(from + problem.at, problem.message))?;
    decision.start += from;
    let dropped = Dropped::below(decision.header());
    let read = |input: &Input, over_lines: bool| {
        let rows = RowCutter::new(&decision, over_lines, &dropped);
        match decision.ids {
            Ids::Names { .. } => names_in_memory(input, &decision, rows),
            Ids::Integers { .. } => integers(input, &decision, rows),
        }
    };
    let graph = read(input, false).or_else(|error| match error {
        // A quoted field may hold line ends where the text is read in one piece.
        (_, Some(FaultKind::OpenQuote)) => {
            dropped.restart();
            read(&Input { chunk: usize::MAX, ..*input }, true)
        }
        error => Err(error),
    });
    let graph = graph.map_err(|(error, _)| error)?;
    let graph = match &decision.weight {
        Some(column) => graph.with_weights(weights_of(input, &decision, column)?)?,
        None => graph,
    };
    let reading = told(&decision, &dropped);
    Ok(graph.with_reading(Some(reading)))
}

/// How a table was read, with what was left out of it.
fn told(decision: &Decision, dropped: &Dropped) -> Reading {
    let mut reading = decision.reading.clone();
    reading.warnings.extend(dropped.warnings());
    reading
}

/// The weights of the entries.
fn weights_of(input: &Input, decision: &Decision, column: &WeightColumn) -> Result<Vec<f64>> {
    // What is left out was counted before.
    let dropped = Dropped::below(decision.header());
    let read = |input: &Input, over_lines: bool| {
        let rows = RowCutter::new(decision, over_lines, &dropped);
        weights::read(input, decision.start, |text, at| rows.weight(text, at, column))
    };
    let found = read(input, false).or_else(|fault| match fault {
        // As the entries were: a quoted field may hold line ends.
        (_, None) => read(&Input { chunk: usize::MAX, ..*input }, true),
        fault => Err(fault),
    });
    found.map_err(|(at, message)| {
        let message = message.unwrap_or_else(|| header::quote(fields::BadQuote::Open));
        input.at_line_of(at, message)
    })
}

/// Reads a file piece by piece. `None` where it has to be read as a whole.
pub(super) fn stream(
    file: &RegularFile,
    options: &Options,
    chunk: usize,
    meter: &Meter,
) -> Result<Option<Graph>> {
    let Some(decision) = decide_on_file(file, options, meter)? else { return Ok(None) };
    let dropped = Dropped::below(decision.header());
    let rows = RowCutter::new(&decision, false, &dropped);
    let graph = match decision.ids {
        Ids::Names { .. } => stream_names(file, &decision, rows, chunk, meter, &names::graph)?,
        Ids::Integers { .. } => stream_integers(file, &decision, rows, chunk, meter)?,
    };
    Ok(graph.map(|graph| graph.with_reading(Some(told(&decision, &dropped)))))
}

/// Hands the entries of a file to `sink` piece by piece. `None` where it has to be read as a whole.
pub(super) fn visit(
    file: &RegularFile,
    options: &Options,
    piece: usize,
    meter: &Meter,
    sink: &dyn EdgeSink,
) -> Result<Option<Visited>> {
    let Some(decision) = decide_on_file(file, options, meter)? else { return Ok(None) };
    let dropped = Dropped::below(decision.header());
    let rows = RowCutter::new(&decision, false, &dropped);
    let visited = match decision.ids {
        Ids::Names { .. } => {
            stream_names(file, &decision, rows, piece.div_ceil(4), meter, &|name, blocks, read| {
                names::visit(name, blocks, read, sink)
            })?
        }
        Ids::Integers { .. } => visit_integers(file, &decision, rows, piece, meter, sink)?,
    };
    let ids = match decision.ids {
        Ids::Names { .. } => EntryIds::Names,
        Ids::Integers { .. } => EntryIds::AsTheyAre,
    };
    let reading = Some(told(&decision, &dropped));
    Ok(visited.map(|()| Visited { reading, ids, ..Visited::default() }))
}

/// Whether comments, or lines that are left out, fill most of a beginning that is looked at.
fn says_little(head: &[u8], whole: bool, options: &Options) -> bool {
    let left_out = options.skip > 0 && !whole && behind_lines(head, options.skip) >= HEAD / 2;
    left_out || comments::long_comments(head) >= HEAD / 2
}

/// What is decided on a file's beginning; `None` where that says little of the rows.
fn decide_on_file(
    file: &RegularFile,
    options: &Options,
    meter: &Meter,
) -> Result<Option<Decision>> {
    let head = file.head(HEAD as u64)?;
    let whole = head.len() as u64 == file.len();
    if says_little(&head, whole, options) || is_prepared(&head, options) {
        return Ok(None);
    }
    let input = Input::new(file.name(), &head, meter);
    decide(file.name(), &head, whole, options)
        .map(Some)
        .map_err(|problem| input.at_line_of(problem.at, problem.message))
}

/// Visits the entries of a file that is compressed as a whole, whose content begins with `head`.
pub(super) fn visit_compressed(
    file: &RegularFile,
    (compression, head, is_whole): (Compression, &[u8], bool),
    options: &Options,
    (piece, sink): (usize, &dyn EdgeSink),
    meter: &Meter,
) -> Result<Option<Visited>> {
    if says_little(head, is_whole, options) || is_prepared(head, options) {
        return Ok(None);
    }
    let head = &head[..head.len().min(HEAD)];
    let input = Input::new(file.name(), head, meter);
    let decision = decide(file.name(), head, is_whole, options)
        .map_err(|problem| input.at_line_of(problem.at, problem.message))?;
    let place = AtomicU64::new(0);
    let open = || {
        let buffer = BufReader::with_capacity(piece.min(1 << 17), file.reader(&place, meter));
        compression::reader(buffer, compression)
    };
    // The file itself may be what failed, not its content.
    let broken = |error: io::Error| match error.downcast::<Error>() {
        Ok(of_file) => of_file,
        Err(error) => compression::broken(file.name(), compression, place.load(Relaxed), error),
    };
    let to = (piece, sink);
    let start = decision.start;
    // Lines that are left out at the beginning.
    let skipped = input::lines(&head[..start]) as u64;
    let dropped = Dropped::below(decision.header());
    if matches!(decision.ids, Ids::Names { .. }) {
        return Ok(None);
    }
    let rule = RowCutter::new(&decision, false, &dropped);
    let found = entries::visit_text(file.name(), open, start, rule, to, broken)?;
    let found = explain_visited(file, &decision, rule, (found, skipped), meter)?;
    file.check_unchanged()?;
    let reading = Some(told(&decision, &dropped));
    Ok(found.map(|()| Visited { reading, ..Visited::default() }))
}

fn visit_integers(
    file: &RegularFile,
    decision: &Decision,
    rule: impl Rule,
    piece: usize,
    meter: &Meter,
    sink: &dyn EdgeSink,
) -> Result<Option<()>> {
    let start = decision.start;
    let found = entries::visit(file, start as u64, rule, piece, meter, sink)?;
    explain_visited(file, decision, rule, (found, 0), meter)
}

/// What became of a visit; `None` where the file has to be read as a whole.
fn explain_visited(
    file: &RegularFile,
    decision: &Decision,
    rule: impl Rule,
    (found, lines): (std::result::Result<u64, NotVisited>, u64),
    meter: &Meter,
) -> Result<Option<()>> {
    match found {
        Ok(_) => Ok(Some(())),
        Err(NotVisited::LongLine) => Ok(None),
        Err(NotVisited::Fault { text, lines_before }) => {
            let place = (&text[..], lines + lines_before);
            explain_piece(file, decision, rule, place, meter).map_or(Ok(None), Err)
        }
    }
}

/// The error of a piece that holds the first fault of a file; `None` where the file has to be read as a whole.
fn explain_piece(
    file: &RegularFile,
    decision: &Decision,
    rule: impl Rule,
    (text, lines_before): (&[u8], u64),
    meter: &Meter,
) -> Option<Error> {
    let input = Input { lines_before, ..Input::new(file.name(), text, meter) };
    match entries::parse(&input, 0, rule) {
        Ok(_) => None,
        Err(Stopped::Fault(Fault { kind: FaultKind::OpenQuote, .. })) => None,
        Err(stopped) => Some(explain(&input, decision, stopped)),
    }
}

/// Whether the ids of a table that begins so are names.
pub(super) fn has_names(name: &str, head: &[u8], options: &Options) -> bool {
    decide(name, head, false, options)
        .is_ok_and(|decision| matches!(decision.ids, Ids::Names { .. }))
}

fn integers(
    input: &Input,
    decision: &Decision,
    rule: RowCutter,
) -> std::result::Result<Graph, ReadError> {
    let failed = |stopped| {
        let kind = match stopped {
            Stopped::Fault(fault) => Some(fault.kind),
            Stopped::NoMemory(_) => None,
        };
        (explain(input, decision, stopped), kind)
    };
    let graph = match entries::parse(input, decision.start, rule).map_err(failed)? {
        Parsed::Edges(edges, max) => ids::graph(input.name, edges, max, None),
        Parsed::TooWide => {
            let parts = entries::parse_wide(input, decision.start, rule).map_err(failed)?;
            ids::wide(input.name, parts, 0)
        }
    };
    graph.map_err(|error| (error, None))
}

fn stream_integers(
    file: &RegularFile,
    decision: &Decision,
    rule: impl Rule,
    chunk: usize,
    meter: &Meter,
) -> Result<Option<Graph>> {
    let name = file.name();
    match entries::stream(file, decision.start as u64, rule, chunk, meter)? {
        Streamed::Edges(edges, max) => ids::graph(name, edges, max, None).map(Some),
        Streamed::Fault { text, at } => {
            let place = (&text[..], entries::lines_before(file, at)?);
            explain_piece(file, decision, rule, place, meter).map_or(Ok(None), Err)
        }
        Streamed::Unusual => Ok(None),
    }
}

/// Why a text was not read: the error, and the fault where it is one of a line.
type ReadError = (Error, Option<FaultKind>);

fn names_in_memory(
    input: &Input,
    decision: &Decision,
    rows: RowCutter,
) -> std::result::Result<Graph, ReadError> {
    let kinds = decision.kinds.as_ref();
    let chunk = input.chunk.saturating_mul(4);
    let ranges = input::split(input.content, decision.start, chunk);
    let first = Mutex::new(None);
    let graph =
        names::graph(input.name, ranges.len() as u32, &|index, pairs: &mut names::Pairs| {
            let range = ranges[index as usize].clone();
            let len = range.len();
            let failed = |(fault, refused): (Fault, Option<Refused>)| {
                note(&first, index, fault.kind);
                explain_name(input, decision, fault, refused)
            };
            add_names(&input.content[..range.end], range.start, rows, kinds, pairs)
                .map_err(failed)?;
            input.meter.add(len);
            Ok(())
        });
    graph.map_err(|error| (error, found(first)))
}

/// What is made of blocks of names: a graph, or entries for a sink.
type OfNames<'a, T> =
    &'a dyn Fn(&str, u32, &(dyn Fn(u32, &mut names::Pairs) -> Result<()> + Sync)) -> Result<T>;

fn stream_names<T>(
    file: &RegularFile,
    decision: &Decision,
    rows: RowCutter,
    chunk: usize,
    meter: &Meter,
    of_names: OfNames<T>,
) -> Result<Option<T>> {
    // Each piece has to look up its distinct names among all: larger ones have fewer of them.
    let pieces = Pieces { file, start: decision.start as u64, size: 4 * chunk };
    let kinds = decision.kinds.as_ref();
    let first = Mutex::new(None);
    let buffers = Spare::new();
    let blocks = u32::try_from(pieces.number()).unwrap_or(u32::MAX);
    let graph = of_names(file.name(), blocks, &|index, pairs| {
        buffers.with(Vec::new, |buffer| {
            let Some((place, at)) = pieces.read(index as usize, buffer)? else {
                // A line longer than a piece: the text is read as a whole, as for a quote over lines.
                note(&first, index, FaultKind::OpenQuote);
                return Err(Error::Cancelled);
            };
            let text = &buffer[place];
            let failed = |(fault, refused): (Fault, Option<Refused>)| {
                note(&first, index, fault.kind);
                match entries::lines_before(file, at) {
                    Ok(lines_before) => {
                        let input = Input { lines_before, ..Input::new(file.name(), text, meter) };
                        explain_name(&input, decision, fault, refused)
                    }
                    Err(error) => error,
                }
            };
            add_names(text, 0, rows, kinds, pairs).map_err(failed)?;
            meter.add(pieces.size);
            Ok(())
        })
    });
    file.check_unchanged()?;
    match found(first) {
        Some(FaultKind::OpenQuote) => Ok(None),
        _ => graph.map(Some),
    }
}

/// Remembers the fault of the first block that has one.
fn note(first: &Mutex<Option<(u32, FaultKind)>>, index: u32, kind: FaultKind) {
    let mut first = first.lock().unwrap_or_else(|lock| lock.into_inner());
    if first.is_none_or(|(other, _)| index < other) {
        *first = Some((index, kind));
    }
}

fn found(first: Mutex<Option<(u32, FaultKind)>>) -> Option<FaultKind> {
    first.into_inner().unwrap_or_else(|lock| lock.into_inner()).map(|(_, kind)| kind)
}

/// Adds the edges of the lines from `at` to the end of `text`. Where the two ends are of different `kinds`, the name of its kind
/// stands before each.
fn add_names(
    text: &[u8],
    mut at: usize,
    rows: RowCutter,
    kinds: Option<&[String; 2]>,
    pairs: &mut names::Pairs,
) -> std::result::Result<(), (Fault, Option<Refused>)> {
    let fault = |refused| (Fault { at, kind: FaultKind::NotNumber }, Some(refused));
    pairs.reserve((text.len() - at) / 16).map_err(fault)?;
    while at < text.len() {
        let (ends, next) = rows.names(text, at).map_err(|fault| (fault, None))?;
        let fault = |refused| (Fault { at, kind: FaultKind::NotNumber }, Some(refused));
        match (ends, kinds) {
            (None, _) => {}
            (Some([u, v]), None) => pairs.push([&u, &v]).map_err(fault)?,
            (Some(ends), Some(kinds)) => {
                let named = |end: &[u8], kind: &String| [kind.as_bytes(), b":", end].concat();
                let [u, v] = [named(&ends[0], &kinds[0]), named(&ends[1], &kinds[1])];
                pairs.push([&u, &v]).map_err(fault)?;
            }
        }
        at = next;
    }
    Ok(())
}

fn explain_name(
    input: &Input,
    decision: &Decision,
    fault: Fault,
    refused: Option<Refused>,
) -> Error {
    match refused {
        Some(Refused::NotText) => input.at_line_of(
            fault.at,
            "a name on this line is no UTF-8 text: convert the file, for example with \
             `iconv -f latin1 -t utf-8`",
        ),
        Some(refused) => names::error(input.name, refused),
        None => explain(input, decision, Stopped::Fault(fault)),
    }
}

/// Whether what is one column between other bytes has several integers between blanks.
fn holds_several(field: &[u8], delimiter: Delimiter) -> bool {
    let has_blank = field.iter().any(|&byte| input::is_blank(byte));
    matches!(delimiter, Delimiter::Byte(_)) && has_blank && edge_list::is_pair(field, 0)
}

/// What to say of a line that is not as was decided.
fn explain(input: &Input, decision: &Decision, stopped: Stopped) -> Error {
    let fault = match stopped {
        Stopped::Fault(fault) => fault,
        Stopped::NoMemory(refused) => return input.no_memory(refused),
    };
    let text = input.content;
    let is_names = matches!(decision.ids, Ids::Names { .. });
    let field = fields::field(text, fault.at, decision.delimiter, false);
    let found =
        field.map_or_else(|_| token(text, fault.at).to_vec(), |field| field.text.into_owned());
    let shown = excerpt(&found);
    let next = input::next_line(text, fault.at);
    let is_first = input.lines_before == 0 && input::lines(&text[..fault.at]) == 0;
    let line = &text[fault.at..next];
    let place = if next >= text.len() { shape::Place::Last } else { shape::Place::Midst };
    let message: Message = match fault.kind {
        FaultKind::NotNumber if found.starts_with(input::BYTE_ORDER_MARK) => {
            "a byte order mark, \\u{feff}, stands here, as where texts that begin with one were put one after the other: take it \
             out, or give the texts as files of their own to be merged"
                .into()
        }
        FaultKind::NotNumber if is_names && found.is_empty() => {
            let message = Message::from("a column is empty where a name was expected");
            // A title may stand above the table.
            message.with_hint(if is_first { Hint::SkipLines } else { Hint::Missing })
        }
        FaultKind::NotNumber | FaultKind::OneColumn
            if !is_names && holds_several(&found, decision.delimiter) =>
        {
            let cut_at = shape::between(decision.delimiter);
            let message = format!(
                "{shown} has a blank in it, as no integer has, and columns are cut at {cut_at}"
            );
            Message::from(message).with_hint(Hint::Delimiter)
        }
        FaultKind::NotNumber if is_names => Message::from(format!(
            "{shown} is what programs write for a missing value, and a name was expected"
        ))
        .with_hint(Hint::Missing),
        FaultKind::Columns(columns) => {
            let expected = decision.columns.unwrap_or(2);
            shape::uneven(decision.delimiter, line, columns, expected, place)
        }
        FaultKind::OneColumn if is_names && matches!(decision.delimiter, Delimiter::Byte(_)) => {
            shape::uneven(decision.delimiter, line, 1, decision.columns.unwrap_or(2), place)
        }
        FaultKind::OneColumn if matches!(decision.delimiter, Delimiter::Byte(byte) if line.contains(&byte)) => {
            edge_list::message(FaultKind::NotNumber, b"")
        }
        FaultKind::OpenQuote => header::quote(fields::BadQuote::Open),
        FaultKind::BehindQuote => header::quote(fields::BadQuote::Behind),
        FaultKind::Padded => Message::from(format!(
            "the vertex id {shown} has a leading zero: it is the same as without it if ids are integers, \
             and another one if they are names"
        ))
        .with_hint(Hint::IntegersOrNames),
        kind => edge_list::message(kind, &found),
    };
    // As psql and others write the number of rows.
    let message = match place == shape::Place::Last && found.starts_with(b"(") {
        true => {
            message.map_problem(|problem| format!("{problem}; if this is a footer, leave it out"))
        }
        false => message,
    };
    input.at_line_of(fault.at, message)
}
