//! Lines of ids, in parallel: what tables, Matrix Market files, DIMACS files and adjacency lists share.

mod pieces;
mod plain;
mod sync;
mod turns;

pub(super) use self::pieces::{Pieces, visit_text};
use super::input::{self, ends_line, is_blank, next_line, skip_blanks};
use super::number::{NotNumber, number};
use crate::{Error, Message};

/// The ids that a file may use. An edge keeps `id - first`.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Range {
    #[inline(always)]
    pub(super) fn holds(self, id: u64) -> bool {
        // Below `first` the difference wraps to more than any span.
        id.wrapping_sub(self.first) <= self.last.wrapping_sub(self.first) && self.last >= self.first
    }
}

/// What is wrong with a text, and where.
#[derive(Debug)]
pub(super) enum Fault {
    Line(usize, Message),
    /// A quoted field does not end in its line: the text has to be read in one piece.
    OpenQuote,
}

impl Fault {
    /// A line that is not as it should be.
    #[cold]
    pub(super) fn line(at: usize, message: impl Into<Message>) -> Fault {
        Fault::Line(at, message.into())
    }
}

/// How lines become entries.
pub(super) trait Rule: Copy + Send + Sync {
    /// Calls `found` with each entry of the line at `at`, and returns the start of the next line. The first id that the file may use
    /// is taken off each id. The weight is 1 where none is read.
    ///
    /// # Errors
    /// For a line that is no entry, no comment and not blank.
    fn line(
        self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u64, u64, f64),
    ) -> Result<usize, Fault>;

    /// Whether weights are read.
    fn is_weighted(self) -> bool {
        false
    }

    /// An upper bound of the entries in some lines.
    fn room(self, text: &[u8]) -> usize {
        let lines = input::lines(text) + usize::from(!text.ends_with(b"\n"));
        // The shortest, `0 0` and a line end, has four bytes.
        lines.min((text.len() + 1) / 4)
    }

    /// The bytes that may stand between the two numbers of a line, where two numbers alone on a line are an entry.
    fn between(self) -> Option<[u8; 2]> {
        None
    }

    /// A pass over the lines begins: what was counted of lines before is of an earlier pass.
    fn restart(self) {}
}

/// Why there are no entries.
#[derive(Debug)]
pub(super) enum Stopped {
    /// As [`Fault::OpenQuote`].
    OpenQuote,
    Error(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Error(error)
    }
}

impl From<Stopped> for Error {
    /// The error of a rule that knows no quotes.
    fn from(stopped: Stopped) -> Error {
        match stopped {
            Stopped::Error(error) => error,
            Stopped::OpenQuote => Error::Cancelled,
        }
    }
}

/// The largest `id - first` that is kept in 32 bits; the number of vertices then fits as well.
pub(super) const LARGEST: u64 = u32::MAX as u64 - 1;

/// Reads the lines from `at` to the end of `text`.
#[inline(always)]
pub(super) fn lines(
    text: &[u8],
    mut at: usize,
    rule: impl Rule,
    mut found: impl FnMut(u64, u64, f64),
) -> Result<(), Fault> {
    /// Lines after one that is not plain: others may follow it.
    const ONE_BY_ONE: usize = 8;
    while at < text.len() {
        if let Some(between) = rule.between() {
            at = plain::lines(text, at, between, &mut |u, v| found(u, v, 1.0));
        }
        for _ in 0..ONE_BY_ONE {
            if at < text.len() {
                at = rule.line(text, at, &mut found)?;
            }
        }
    }
    Ok(())
}

/// Moves the entries of all parts to the front, where each part is its entries, its largest `id - first`
/// and the room that it had. Returns the largest of all.
pub(super) fn close_gaps(
    edges: &mut Vec<[u32; 2]>,
    parts: impl IntoIterator<Item = ((usize, u64), usize)>,
) -> u64 {
    let (mut kept, mut offset, mut max) = (0, 0, 0);
    for ((entries, part_max), room) in parts {
        if kept != offset {
            edges.copy_within(offset..offset + entries, kept);
        }
        kept += entries;
        offset += room;
        max = max.max(part_max);
    }
    edges.truncate(kept);
    edges.shrink_to_fit();
    max
}

/// Two numbers that a line begins with.
pub(super) struct Two {
    pub(super) u: u64,
    pub(super) v: u64,
    /// Where the second begins.
    pub(super) second: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// Two numbers with one byte between them.
#[inline(always)]
pub(super) fn two(text: &[u8], at: usize) -> Option<Two> {
    let (u, at) = number(text, at).ok()?;
    if !matches!(text.get(at)?, b' ' | b'\t' | b',') {
        return None;
    }
    let second = at + 1;
    let (v, end) = number(text, second).ok()?;
    Some(Two { u, v, second, end })
}

/// Why a column holds no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoId {
    NotNumber,
    Missing,
    OutOfRange,
}

/// A line's entry, if it holds one, and the start of the next line.
pub(super) type Line = (Option<(u64, u64)>, usize);

/// Any line of two ids in a range: its entry, or nothing where it is blank or a comment. Of another line where its fault is, and which.
pub(super) fn pair(text: &[u8], at: usize, range: Range) -> Result<Line, (usize, NoId)> {
    let first = skip_blanks(text, at);
    let rest = &text[first..];
    if rest.is_empty() || matches!(rest[0], b'\n' | b'\r' | b'#' | b'%') || rest.starts_with(b"//")
    {
        return Ok((None, next_line(text, first)));
    }
    let (u, mut at) = id(text, first, range)?;
    at = skip_blanks(text, at);
    if text.get(at) == Some(&b',') {
        at = skip_blanks(text, at + 1);
    }
    if text.get(at).is_none_or(|&byte| ends_line(byte)) {
        return Err((first, NoId::Missing));
    }
    let (v, at) = id(text, at, range)?;
    Ok((Some((u, v)), next_line(text, at)))
}

/// An id that ends where its column ends.
fn id(text: &[u8], at: usize, range: Range) -> Result<(u64, usize), (usize, NoId)> {
    let ends = |&byte: &u8| is_blank(byte) || byte == b',' || ends_line(byte);
    match number(text, at) {
        Ok((_, end)) if !text.get(end).is_none_or(ends) => Err((at, NoId::NotNumber)),
        Ok((id, end)) if range.holds(id) => Ok((id, end)),
        Err(NotNumber::NoDigit) => Err((at, NoId::NotNumber)),
        Ok(_) | Err(NotNumber::TooLarge) => Err((at, NoId::OutOfRange)),
    }
}
