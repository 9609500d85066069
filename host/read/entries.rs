//! Lines of two ids, in parallel: what edge lists and Matrix Market coordinate files share.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::input::{self, Input, ends_line, is_blank, next_line, skip_blanks, split};
use super::number::{NotNumber, number};

/// An integer type that ids are kept in.
pub(super) trait Id: Copy + Default + Ord + Send + Sync + Into<u64> {
    /// The largest id that the type may hold; `u32` leaves its maximum free, so that the number of
    /// vertices fits as well.
    const LARGEST: u64;

    fn of(id: u64) -> Self;

    /// The edges with vertices of 32 bits, which every id is known to fit.
    fn narrow(edges: Vec<[Self; 2]>) -> Vec<[u32; 2]>;
}

impl Id for u32 {
    const LARGEST: u64 = u32::MAX as u64 - 1;

    #[inline(always)]
    fn of(id: u64) -> u32 {
        id as u32
    }

    fn narrow(edges: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
        edges
    }
}

impl Id for u64 {
    const LARGEST: u64 = u64::MAX;

    #[inline(always)]
    fn of(id: u64) -> u64 {
        id
    }

    fn narrow(edges: Vec<[u64; 2]>) -> Vec<[u32; 2]> {
        edges.into_par_iter().map(|pair| pair.map(|id| id as u32)).collect()
    }
}

/// The ids that a file may use. An edge keeps `id - first`.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Range {
    #[inline(always)]
    fn holds(self, id: u64) -> bool {
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
}

/// What parsing found.
pub(super) enum Parsed<T> {
    /// The edges in file order and the largest `id - first` (0 without edges).
    Edges(Vec<[T; 2]>, u64),
    /// An id does not fit `T`: parse again with a wider one.
    TooWide,
}

/// Parses the lines from `start` to the end. The first fault in the file is returned.
pub(super) fn parse<T: Id>(input: &Input, start: usize, range: Range) -> Result<Parsed<T>, Fault> {
    let text = input.content;
    let chunks = split(text, start, input.chunk);
    // Upper bounds of the chunks' entries let every chunk write to its final place: the edges are
    // never copied. The shortest entry, `0 0` and a line end, has four bytes.
    let room: Vec<usize> = chunks
        .par_iter()
        .map(|chunk| {
            let chunk = &text[chunk.clone()];
            (input::lines(chunk) + 1).min((chunk.len() + 1) / 4)
        })
        .collect();
    // Zeroed by the operating system, page by page as the chunks are written.
    let mut edges = vec![[T::default(); 2]; room.iter().sum()];
    let mut slots = Vec::with_capacity(chunks.len());
    let mut rest = &mut edges[..];
    for &room in &room {
        let (slot, after) = rest.split_at_mut(room);
        slots.push(slot);
        rest = after;
    }

    let too_wide = AtomicBool::new(false);
    let first_bad = AtomicUsize::new(usize::MAX);
    let results: Vec<Result<(usize, u64), Fault>> = chunks
        .par_iter()
        .zip(slots)
        .enumerate()
        .map(|(index, (chunk, slot))| {
            // A chunk after a bad one cannot hold the first fault.
            if too_wide.load(Relaxed) || first_bad.load(Relaxed) < index {
                return Ok((0, 0));
            }
            let result = lines(&text[..chunk.end], chunk.start, range, slot);
            match result {
                Ok((_, max)) if max > T::LARGEST => too_wide.store(true, Relaxed),
                Ok(_) => {}
                Err(_) => drop(first_bad.fetch_min(index, Relaxed)),
            }
            input.meter.add(chunk.len());
            result
        })
        .collect();
    if too_wide.into_inner() {
        return Ok(Parsed::TooWide);
    }

    let (mut kept, mut offset, mut max) = (0, 0, 0);
    for (result, room) in results.into_iter().zip(room) {
        let (entries, chunk_max) = result?;
        if kept != offset {
            edges.copy_within(offset..offset + entries, kept);
        }
        kept += entries;
        offset += room;
        max = max.max(chunk_max);
    }
    edges.truncate(kept);
    edges.shrink_to_fit();
    Ok(Parsed::Edges(edges, max))
}

/// Parses the lines from `at` to the end of `text` into `slot`. Returns their number and the largest
/// `id - first`.
fn lines<T: Id>(
    text: &[u8],
    mut at: usize,
    range: Range,
    slot: &mut [[T; 2]],
) -> Result<(usize, u64), Fault> {
    let mut entries = 0;
    let mut max = 0;
    while at < text.len() {
        let (pair, next) = match plain(text, at) {
            Some((u, v, next)) if range.holds(u) && range.holds(v) => (Some((u, v)), next),
            _ => line(text, at, range)?,
        };
        at = next;
        if let Some((u, v)) = pair {
            let (u, v) = (u - range.first, v - range.first);
            slot[entries] = [T::of(u), T::of(v)];
            entries += 1;
            max = max.max(u).max(v);
        }
    }
    Ok((entries, max))
}

/// A line of two numbers with one byte between them and nothing else, as most lines are.
#[inline(always)]
fn plain(text: &[u8], at: usize) -> Option<(u64, u64, usize)> {
    let (u, at) = number(text, at).ok()?;
    if !matches!(text.get(at)?, b' ' | b'\t' | b',') {
        return None;
    }
    let (v, at) = number(text, at + 1).ok()?;
    (*text.get(at)? == b'\n').then_some((u, v, at + 1))
}

/// A line's entry, if it holds one, and the start of the next line.
type Line = (Option<(u64, u64)>, usize);

/// Any line: its entry, or nothing where it is blank or a comment.
fn line(text: &[u8], at: usize, range: Range) -> Result<Line, Fault> {
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

/// The position of the entry with index `wanted` among those before byte `end`, where every line
/// before `end` is known to be good.
pub(super) fn position_of(
    text: &[u8],
    start: usize,
    end: usize,
    range: Range,
    wanted: u64,
) -> Option<usize> {
    let (mut at, mut seen) = (start, 0);
    while at < end {
        let Ok((entry, next)) = line(text, at, range) else { return None };
        if entry.is_some() {
            if seen == wanted {
                return Some(at);
            }
            seen += 1;
        }
        at = next;
    }
    None
}
