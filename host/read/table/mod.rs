//! Text tables of edges: what SNAP, KONECT, pandas, SQL databases and spreadsheets write.
//!
//! [`decide::decide`] looks at the beginning, and decides on delimiter, header, columns and ids. [`rows::RowCutter`] cuts
//! each line accordingly; names go to the dictionary ([`super::names`]).
//!
//! Pieces of a text are cut at line ends and read side by side. A line end within quotes is found by the piece in
//! which the quote is opened, and the text is then read in one piece.

mod cut;
mod decide;
mod dropped;
pub(super) mod encoding;
pub(super) mod fields;
pub(super) mod header;
mod id;
mod rows;
mod shape;
#[cfg(test)]
mod tests;

pub(super) use self::cut::is_mark;
pub use self::id::is_missing;
pub(super) use self::shape::{BRACKETS, has_brackets};
use super::compression::Compression;
use super::entries::{TextPieces, visit_compressed};
use super::format::{About, Format, Reader};
use super::input::{self, Fault};
use super::inspect::{Foretold, scale};
use super::names::{self, NameBlock};
use super::open_file::OpenFile;
use super::recognise;
use crate::graph::{EdgeSink, EntryIds, Visited};
use crate::{Graph, Result};
use decide::{TableDecision, TextHead, behind_lines, decide};
use rows::{EdgeRow, RowCutter};
use tribin_base::par::Spare;

/// Bytes that are looked at.
const HEAD: usize = 1 << 18;

/// Tables of text, edge lists among them: what a file is whose name and first bytes say nothing else.
pub(crate) struct TextTable;

impl Reader for TextTable {
    fn about(&self) -> About {
        About {
            is_table: true,
            is_text_table: true,
            has_names: true,
            has_weights: true,
            ..About::of(Format::EdgeList)
        }
    }

    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        recognise::refuse(name, content, true)
    }

    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        let text = input.content();
        // Whole lines only, if there are any.
        let whole = memchr::memrchr2(b'\n', b'\r', text).map_or(text.len(), |at| at + 1);
        let lines = input::lines(text).max(1) as u64;
        Ok(Some(Foretold::estimated(scale(lines, input.size(), whole as u64), None)))
    }

    /// The beginning says little of the rows, or several characters stand between columns.
    fn needs_all(&self, input: &OpenFile) -> bool {
        let (content, options) = (input.content(), input.options);
        let head = &content[..content.len().min(HEAD)];
        let skipped = behind_lines(head, options.skip).max(cut::long_comments(head));
        let says_little = skipped >= HEAD / 2 && !(input.is_whole() && content.len() <= HEAD);
        says_little || options.delimiter.as_ref().is_some_and(|delimiter| delimiter.len() > 1)
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        let prepared = prepared(input);
        let input = prepared.as_ref().unwrap_or(input);
        let decision = decision(input)?;
        let graph = read_pieces(&decision, input, |pieces, rows| {
            if !decision.has_names() {
                return pieces.graph(rows, None);
            }
            // Each piece has to look up its distinct names among all: larger ones have fewer of them.
            let pieces = pieces.of_size(pieces.size.saturating_mul(4));
            let (blocks, is_weighted) = (pieces.number() as u32, decision.weight.is_some());
            names::graph(input.name(), blocks, is_weighted, &names_of(pieces, rows))
        })?;
        let graph = graph.with_reading(Some(decision.told()));
        Ok(if shape::are_undirected(input.content()) {
            graph.with_both_directions()
        } else {
            graph
        })
    }

    fn visit(&self, input: &OpenFile, sink: &dyn EdgeSink) -> Result<Option<Visited>, Fault> {
        let decision = &decision(input)?;
        if input.compression != Compression::None {
            if decision.has_names() {
                return Ok(None);
            }
            let rows = RowCutter::new(decision, false);
            match visit_compressed(input, decision.start, rows, sink) {
                Err(Fault::OpenQuote) => return Ok(None),
                visited => visited?,
            }
        } else {
            read_pieces(decision, input, |pieces, rows| {
                if pieces.size != input.chunk {
                    sink.restart()?;
                }
                match decision.has_names() {
                    true => names::visit(pieces.number() as u32, &names_of(pieces, rows), sink),
                    false => pieces.visit(rows, sink).map(drop),
                }
            })?;
        }
        let ids = if decision.has_names() { EntryIds::Names } else { EntryIds::AsTheyAre };
        let reading = Some(decision.told());
        let both_directions = shape::are_undirected(input.content());
        Ok(Some(Visited { reading, ids, both_directions, ..Visited::default() }))
    }
}

/// The text that is cut, where that is another than the content: with one byte for a delimiter of several.
fn prepared<'a>(input: &OpenFile<'a>) -> Option<OpenFile<'a>> {
    let delimiter = input.options.delimiter.as_deref().filter(|text| text.len() > 1)?;
    let (text, mut from) = (input.content(), 0);
    let mut cut = Vec::with_capacity(text.len());
    for at in memchr::memmem::find_iter(text, delimiter) {
        cut.extend_from_slice(&text[from..at]);
        cut.push(fields::SEPARATOR);
        from = at + delimiter.len();
    }
    cut.extend_from_slice(&text[from..]);
    Some(input.with_content(input.name(), cut))
}

/// How a text is read, by its beginning.
fn decision(input: &OpenFile) -> Result<TableDecision> {
    let options = input.options;
    // Comments that fill what is looked at say nothing of the rows behind them.
    let comments = cut::long_comments(input.content());
    let from = if comments >= HEAD / 2 && options.skip == 0 { comments } else { 0 };
    let rest = &input.content()[from..];
    // Lines that are left out are none of those that are looked at.
    let looked_at = HEAD + behind_lines(rest, options.skip);
    let head = &rest[..rest.len().min(looked_at)];
    let is_whole = input.is_whole() && head.len() == rest.len();
    let lines = scale(input::lines(head) as u64, input.size(), head.len() as u64);
    match decide(input.name(), TextHead { text: head, is_whole, lines }, options) {
        Ok(decision) => Ok(TableDecision { start: from + decision.start, ..decision }),
        Err(Fault::Line(at, message)) => Err(input.at_line_of(from + at, message)),
        Err(fault) => Err(input.fault(fault)),
    }
}

/// Calls `read` with the pieces; where a quoted field holds a line end, once more with the text in one piece.
fn read_pieces<T>(
    decision: &TableDecision,
    input: &OpenFile,
    read: impl Fn(TextPieces, RowCutter) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let pieces = TextPieces::of(input, decision.start);
    match read(pieces, RowCutter::new(decision, false)) {
        Err(Fault::OpenQuote) => {
            decision.dropped.restart();
            read(pieces.of_size(usize::MAX), RowCutter::new(decision, true))
        }
        found => found,
    }
}

/// Adds the edges of a piece of a text whose ids are names.
fn names_of<'a>(
    pieces: TextPieces<'a>,
    rows: RowCutter<'a>,
) -> impl Fn(u32, &mut NameBlock) -> Result<(), Fault> + Sync + 'a {
    let spare = Spare::new();
    move |index, block| {
        spare.with(Vec::new, |buffer| {
            let text = pieces.read(index as usize, buffer)?;
            let added = add_names(rows, text, block);
            added.map_err(|fault| pieces.numbered(index as usize, text, fault))
        })
    }
}

/// Adds the edges of some lines. Where the two ends are of different kinds, the name of its kind stands before each.
fn add_names(rows: RowCutter, text: &[u8], block: &mut NameBlock) -> Result<(), Fault> {
    let mut at = 0;
    while at < text.len() {
        let (row, next) = rows.names(text, at)?;
        if let Some(EdgeRow { ends: [u, v], weight }) = row {
            let added = match &rows.decision.kinds {
                None => block.push([&u, &v], weight),
                Some([one, other]) => {
                    let named = |kind: &str, end: &[u8]| [kind.as_bytes(), b":", end].concat();
                    block.push([&named(one, &u), &named(other, &v)], weight)
                }
            };
            added.map_err(|fault| fault.at(at))?;
        }
        at = next;
    }
    Ok(())
}
