//! Lines of two ids, in parallel: what edge lists and Matrix Market coordinate files share.

mod piped;
mod stream;
mod sync;
mod turns;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(super) use self::piped::visit_text;
pub(super) use self::stream::{NotVisited, Pieces, Streamed, lines_before, stream, visit};
use super::input::{self, Input, ends_line, is_blank, next_line, skip_blanks, split};
use super::memory::{self, NoMemory};
use super::number::{NotNumber, number};
use super::table::fields::{self, Delimiter};
use tribin_base::par;

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

/// What is wrong with a line, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) kind: FaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    NotNumber,
    TooLarge,
    OneColumn,
    OutOfRange,
    /// Leading zeros, where these may mean something.
    Padded,
    /// A line has this number of columns, and another one was expected.
    Columns(usize),
    /// A quoted field does not end in its line.
    OpenQuote,
    /// Something stands between a closing quote and the end of its field.
    BehindQuote,
}

/// How a line becomes an entry.
pub(super) trait Rule: Copy + Send + Sync {
    /// The entry of the line at `at`, each id less the first that the file may use, or nothing where the line is
    /// blank or a comment; and the start of the next line.
    fn entry(self, text: &[u8], at: usize) -> Result<Line, Fault>;

    /// A pass over the lines begins: what was counted of lines before is of an earlier pass.
    fn restart(self) {}
}

impl Rule for Range {
    #[inline(always)]
    fn entry(self, text: &[u8], at: usize) -> Result<Line, Fault> {
        let (pair, next) = match plain(text, at) {
            Some((u, v, next)) if self.holds(u) && self.holds(v) => (Some((u, v)), next),
            _ => line(text, at, self)?,
        };
        Ok((pair.map(|(u, v)| (u - self.first, v - self.first)), next))
    }
}

/// Why there are no entries.
#[derive(Debug)]
pub(super) enum Stopped {
    Fault(Fault),
    NoMemory(NoMemory),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Stopped {
        Stopped::Fault(fault)
    }
}

impl From<NoMemory> for Stopped {
    fn from(refused: NoMemory) -> Stopped {
        Stopped::NoMemory(refused)
    }
}

/// The largest `id - first` that is kept in 32 bits; the number of vertices then fits as well.
pub(super) const LARGEST: u64 = u32::MAX as u64 - 1;

/// What parsing found.
pub(super) enum Parsed {
    /// The edges in file order and the largest `id - first` (0 without edges).
    Edges(Vec<[u32; 2]>, u64),
    /// An id needs more than 32 bits: [`parse_wide`].
    TooWide,
}

/// Parses the lines from `start` to the end. The first fault in the file is returned.
pub(super) fn parse(input: &Input, start: usize, rule: impl Rule) -> Result<Parsed, Stopped> {
    rule.restart();
    let parsed = parse_chunks(input, start, room, |text, at, slot| fill(text, at, rule, slot))?;
    Ok(parsed?)
}

/// Parses the lines from `start` to the end, in chunks side by side. `room` gives an upper bound of the entries in
/// some lines. `fill` writes the entries of the lines from a place to the end of a text, and returns their number
/// and the largest `id - first`. The first fault in the file is returned.
pub(super) fn parse_chunks<F: Send>(
    input: &Input,
    start: usize,
    room: impl Fn(&[u8]) -> usize + Sync,
    fill: impl Fn(&[u8], usize, &mut [[u32; 2]]) -> Result<(usize, u64), F> + Sync,
) -> Result<Result<Parsed, F>, NoMemory> {
    let text = input.content;
    let chunks = split(text, start, input.chunk);
    // Upper bounds of the chunks' entries let every chunk write to its final place: the edges are
    // never copied.
    let rooms = par::map(&chunks, |chunk| room(&text[chunk.clone()]));
    let mut edges = memory::zeroed(rooms.iter().sum())?;
    let slots = par::cut(&mut edges, rooms.iter().copied());
    let too_wide = AtomicBool::new(false);
    let found = par::try_map(chunks.iter().zip(slots), |(chunk, slot)| {
        if too_wide.load(Relaxed) || input.meter.is_cancelled() {
            return Ok((0, 0));
        }
        let result = fill(&text[..chunk.end], chunk.start, slot);
        if result.as_ref().is_ok_and(|&(_, max)| max > LARGEST) {
            too_wide.store(true, Relaxed);
        }
        input.meter.add(chunk.len());
        result
    });
    if too_wide.into_inner() {
        return Ok(Ok(Parsed::TooWide));
    }
    Ok(found.map(|found| {
        let max = close_gaps(&mut edges, found.into_iter().zip(rooms));
        Parsed::Edges(edges, max)
    }))
}

/// Parses entries with ids of 64 bits, in parts that follow one another.
pub(super) fn parse_wide(
    input: &Input,
    start: usize,
    rule: impl Rule,
) -> Result<Vec<Vec<[u64; 2]>>, Stopped> {
    let text = input.content;
    rule.restart();
    par::try_map(split(text, start, input.chunk), |chunk| {
        if input.meter.is_cancelled() {
            return Ok(Vec::new());
        }
        let mut part = memory::with_capacity(room(&text[chunk.clone()]))?;
        lines(&text[..chunk.end], chunk.start, rule, |u, v| part.push([u, v]))?;
        part.shrink_to_fit();
        input.meter.add(chunk.len());
        Ok(part)
    })
}

/// An upper bound of the entries in some lines. The shortest, `0 0` and a line end, has four bytes.
fn room(text: &[u8]) -> usize {
    (input::lines(text) + 1).min((text.len() + 1) / 4)
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

/// Parses the lines from `at` to the end of `text` into `slot`, which has [`room`] for them. Returns their
/// number and the largest `id - first`.
fn fill(
    text: &[u8],
    at: usize,
    rule: impl Rule,
    slot: &mut [[u32; 2]],
) -> Result<(usize, u64), Fault> {
    let (mut entries, mut max) = (0, 0);
    lines(text, at, rule, |u, v| {
        slot[entries] = [u as u32, v as u32];
        entries += 1;
        max = max.max(u).max(v);
    })?;
    Ok((entries, max))
}

/// Parses the lines from `at` to the end of `text` and calls `found` with each entry's `id - first`.
#[inline(always)]
fn lines(
    text: &[u8],
    mut at: usize,
    rule: impl Rule,
    mut found: impl FnMut(u64, u64),
) -> Result<(), Fault> {
    while at < text.len() {
        let (pair, next) = rule.entry(text, at)?;
        at = next;
        if let Some((u, v)) = pair {
            found(u, v);
        }
    }
    Ok(())
}

/// A line of two numbers with one byte between them and nothing else, as most lines are.
#[inline(always)]
fn plain(text: &[u8], at: usize) -> Option<(u64, u64, usize)> {
    let Two { u, v, end, .. } = two(text, at)?;
    (*text.get(end)? == b'\n').then_some((u, v, end + 1))
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

/// The number of columns from the one that ends at `end` to the line's end before `next`, without quotes.
#[inline(always)]
pub(super) fn count_tail(text: &[u8], end: usize, next: usize, delimiter: Delimiter) -> usize {
    match delimiter {
        Delimiter::Byte(byte) if byte != b' ' => {
            1 + text[end..next].iter().filter(|&&b| b == byte).count()
        }
        _ => fields::count_from(text, end, delimiter),
    }
}

/// A line's entry, if it holds one, and the start of the next line.
pub(super) type Line = (Option<(u64, u64)>, usize);

/// Any line: its entry, or nothing where it is blank or a comment.
pub(super) fn line(text: &[u8], at: usize, range: Range) -> Result<Line, Fault> {
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
        return Err(Fault { at: first, kind: FaultKind::OneColumn });
    }
    let (v, at) = id(text, at, range)?;
    Ok((Some((u, v)), next_line(text, at)))
}

/// An id that ends where its column ends.
fn id(text: &[u8], at: usize, range: Range) -> Result<(u64, usize), Fault> {
    let fault = |kind| Err(Fault { at, kind });
    match number(text, at) {
        Ok((_, end))
            if text.get(end).is_some_and(|&b| !is_blank(b) && b != b',' && !ends_line(b)) =>
        {
            fault(FaultKind::NotNumber)
        }
        Ok((id, _)) if !range.holds(id) => fault(FaultKind::OutOfRange),
        Ok(found) => Ok(found),
        Err(NotNumber::NoDigit) => fault(FaultKind::NotNumber),
        Err(NotNumber::TooLarge) => fault(FaultKind::TooLarge),
    }
}
