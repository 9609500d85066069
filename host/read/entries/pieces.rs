//! A text whose lines are read in pieces, side by side: in memory, or in a file, whose text is never in memory as a whole.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

use super::super::compression;
use super::super::ids;
use super::super::in_order::{in_order, in_turn};
use super::super::input::{self, Fault, next_line};
use super::super::memory::{self, NoMemory};
use super::super::open_file::OpenFile;
use super::super::source::{FromFront, RegularFile};
use super::super::weights::weighted;
use super::{LARGEST, Rule, close_gaps, lines};
use crate::control::memory::fallible;
use crate::error::Place;
use crate::graph::{Block, EdgeSink};
use crate::{Error, Graph, Result};
use tribin_base::par;

/// Bytes read behind a piece for the end of its last line.
const BEHIND: usize = 1 << 12;

/// Pieces of a text, each the lines that begin in it.
#[derive(Clone, Copy)]
pub(crate) struct TextPieces<'a> {
    file: &'a RegularFile<'a>,
    /// Where the first line begins.
    pub(crate) start: u64,
    /// Bytes of a piece.
    pub(crate) size: usize,
}

/// The findings of a piece, whose entries are in their slots.
struct ParsedPiece {
    entries: usize,
    /// The number of its slots.
    room: usize,
    /// The largest `id - first`.
    max: u64,
    weights: Vec<f64>,
}

/// The edges in the text's order, the largest `id - first`, which may need more bits, and the weights where the rule reads these.
pub(crate) struct ParsedEdges {
    pub(crate) edges: Vec<[u32; 2]>,
    max: u64,
    pub(crate) weights: Option<Vec<f64>>,
}

impl<'a> TextPieces<'a> {
    /// The lines of a file from byte `start` on.
    pub(crate) fn of(input: &'a OpenFile<'_>, start: usize) -> TextPieces<'a> {
        TextPieces { file: &input.file, start: start as u64, size: input.chunk }
    }

    /// Pieces of this size.
    pub(crate) fn of_size(self, size: usize) -> TextPieces<'a> {
        TextPieces { size, ..self }
    }

    /// The number of pieces.
    pub(crate) fn number(&self) -> usize {
        // A file of 2⁶³ bytes in pieces of one: only tests have pieces of less than 1 MiB.
        (self.file.len() - self.start).div_ceil(self.size as u64) as usize
    }

    /// The lines that begin in a piece. A file's are read into `buffer`.
    pub(crate) fn read<'b>(&self, index: usize, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Fault>
    where
        'a: 'b,
    {
        let (file, len) = (self.file, self.file.len());
        file.cancel.check()?;
        let first = self.start + index as u64 * self.size as u64;
        let after = len.min(first.saturating_add(self.size as u64));
        // The byte before says where the first line begins.
        let from = if index == 0 { first } else { first - 1 };
        let least = (after - from) as usize;
        let in_memory = file.in_memory().map(|text| &text[from as usize..]);
        let mut behind = BEHIND.min(self.size);
        loop {
            let size = (len - from).min(least.saturating_add(behind) as u64) as usize;
            if in_memory.is_none() {
                memory::reserve(buffer, size.saturating_sub(buffer.len()))?;
                buffer.resize(size, 0);
                file.read_on(buffer, from)?;
            }
            let text = &in_memory.unwrap_or(buffer)[..size];
            let begin = if index == 0 { 0 } else { next_line(text, 0) };
            let end = next_line(text, least - 1);
            // No line begins in a piece of a long one.
            if begin >= least {
                return Ok(&[]);
            }
            // At the end of what was looked at the line may go on, and so may a CRLF.
            if end < size || from + size as u64 == len {
                file.meter.add(end - begin);
                return Ok(&in_memory.unwrap_or(buffer)[begin..end]);
            }
            behind = behind.saturating_mul(2);
        }
    }

    /// The number of lines before those of a piece.
    fn lines_before(&self, index: usize) -> Result<u64, Fault> {
        let (mut lines, mut buffer) = (input::lines(&self.file.head(self.start)?), Vec::new());
        for before in 0..index {
            lines += input::lines(self.read(before, &mut buffer)?);
        }
        Ok(lines as u64)
    }

    /// A fault in a piece, which has this `text`, with the number of its line.
    pub(crate) fn numbered(&self, index: usize, text: &[u8], fault: Fault) -> Fault {
        let Fault::Line(..) = fault else { return fault };
        match self.lines_before(index) {
            Ok(before) => at_line(&self.file.name, before, text, fault),
            Err(unread) => unread,
        }
    }

    /// The entries, with their weights where the rule reads these. The first fault in the text is returned.
    pub(crate) fn entries(&self, rule: impl Rule) -> Result<ParsedEdges, Fault> {
        // The sum of what `room` says of each piece.
        let most = |room: u64| {
            let pieces = self.number() as u64;
            usize::try_from(room.saturating_add(pieces)).unwrap_or(usize::MAX)
        };
        let parsed = match self.parse(rule, most(self.likely_room(rule)?)) {
            // Lines get shorter where nobody looked: count them.
            Err(Fault::NoRoom) => {
                let rooms = in_order(self.number(), |index, buffer: &mut Vec<u8>| {
                    Ok::<u64, Fault>(rule.room(self.read(index, buffer)?) as u64)
                })?;
                self.parse(rule, most(rooms.iter().sum()))
            }
            parsed => parsed,
        };
        self.file.check_unchanged()?;
        parsed
    }

    /// The graph of the entries, with their weights where the rule reads these. `declared` is the number of vertices of a format
    /// that numbers them from 1. The first fault in the text is returned.
    pub(crate) fn graph(&self, rule: impl Rule, declared: Option<u64>) -> Result<Graph, Fault> {
        let ParsedEdges { edges, max, weights } = self.entries(rule)?;
        if max <= LARGEST {
            let graph = ids::graph(&self.file.name, edges, max, declared)?;
            return Ok(weighted(graph, weights)?);
        }
        // Their memory goes before the wide ones take theirs.
        drop((edges, weights));
        self.wide_graph(rule, declared)
    }

    /// The graph of entries with ids of 64 bits.
    fn wide_graph(&self, rule: impl Rule, declared: Option<u64>) -> Result<Graph, Fault> {
        rule.restart();
        let parts = in_order(self.number(), |index, buffer: &mut Vec<u8>| {
            let text = self.read(index, buffer)?;
            let room = rule.room(text);
            let (mut part, mut weights) = (memory::with_capacity(room)?, weights(rule, room)?);
            let parsed = lines(text, 0, rule, |u, v, weight| {
                part.push([u, v]);
                if rule.is_weighted() {
                    weights.push(weight);
                }
            });
            parsed.map_err(|fault| self.numbered(index, text, fault))?;
            part.shrink_to_fit();
            Ok::<_, Fault>((part, weights))
        })?;
        self.file.check_unchanged()?;
        let (parts, weights): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let graph = ids::wide(&self.file.name, parts, declared)?;
        Ok(weighted(graph, all_weights(rule, weights)?)?)
    }

    /// Room for the entries if lines anywhere are as short as the shortest of some samples.
    fn likely_room(&self, rule: impl Rule) -> Result<u64> {
        const SAMPLES: u64 = 16;
        let len = self.file.len() - self.start;
        let size = len.min(1 << 16);
        // At once, since a server takes its time for each.
        let found = par::try_map(0..SAMPLES, |i| {
            let at = self.start
                + (u128::from(len - size) * u128::from(i) / u128::from(SAMPLES - 1)) as u64;
            let mut sample = vec![0; size as usize];
            self.file.read_at(&mut sample, at)?;
            Ok::<usize, Error>(rule.room(&sample))
        })?;
        let most = found.into_iter().max().unwrap_or(0) as u64;
        let room = u128::from(most + 1) * u128::from(len) / u128::from(size.max(1));
        // A little more, for lines somewhat shorter.
        Ok((room + room / 32) as u64)
    }

    /// Parses all pieces, in room for `most` entries.
    fn parse(&self, rule: impl Rule, most: usize) -> Result<ParsedEdges, Fault> {
        rule.restart();
        // Most of it is never written, so only what the system refuses at once is no memory.
        let mut edges: Vec<[u32; 2]> = memory::zeroed_unchecked(most)?;
        let slots = Slots { turn: Mutex::new((0, &mut edges)), taken: Condvar::new() };
        let found = in_order(self.number(), |index, buffer: &mut Vec<u8>| {
            self.piece(index, buffer, rule, &slots)
        })?;
        close_gaps(&mut edges, found.iter().map(|part| (part.entries, part.room)));
        let max = found.iter().map(|part| part.max).max().unwrap_or(0);
        let weights = found.into_iter().map(|part| part.weights).collect();
        Ok(ParsedEdges { edges, max, weights: all_weights(rule, weights)? })
    }

    /// Reads and parses a piece.
    fn piece(
        &self,
        index: usize,
        buffer: &mut Vec<u8>,
        rule: impl Rule,
        slots: &Slots,
    ) -> Result<ParsedPiece, Fault> {
        let read = self.read(index, buffer);
        // Before the wait for the piece before: pieces are counted side by side.
        let room = read.as_ref().map_or(0, |text| rule.room(text));
        // A piece that is bad has its turn, too: the next one waits for it.
        let slot = slots.part(index, room);
        let text = read?;
        let slot = slot.ok_or(Fault::NoRoom)?;
        let mut part = ParsedPiece { entries: 0, room, max: 0, weights: weights(rule, room)? };
        let parsed = lines(text, 0, rule.in_piece(index), |u, v, weight| {
            slot[part.entries] = [u as u32, v as u32];
            part.entries += 1;
            part.max = part.max.max(u).max(v);
            if rule.is_weighted() {
                part.weights.push(weight);
            }
        });
        parsed.map_err(|fault| self.numbered(index, text, fault))?;
        Ok(part)
    }

    /// Hands the entries to `sink`, piece by piece, and returns their number.
    pub(crate) fn visit(&self, rule: impl Rule, sink: &dyn EdgeSink) -> Result<u64, Fault> {
        let entries = in_order(self.number(), |index, (buffer, block): &mut (Vec<u8>, Block)| {
            let text = self.read(index, buffer)?;
            let found = block_of(text, rule, block);
            let found = found.map_err(|fault| self.numbered(index, text, fault))?;
            block.hand_to(sink)?;
            Ok::<u64, Fault>(found)
        })?;
        self.file.check_unchanged()?;
        Ok(entries.iter().sum())
    }
}

/// Room for the weights of some entries.
fn weights(rule: impl Rule, entries: usize) -> Result<Vec<f64>, NoMemory> {
    memory::with_capacity(if rule.is_weighted() { entries } else { 0 })
}

/// The weights of all entries, of those of each piece, where the rule reads them.
fn all_weights(rule: impl Rule, pieces: Vec<Vec<f64>>) -> Result<Option<Vec<f64>>, NoMemory> {
    rule.is_weighted().then(|| input::concat(pieces)).transpose()
}

/// Puts the entries of a text into a block, and returns their number.
fn block_of(text: &[u8], rule: impl Rule, block: &mut Block) -> Result<u64, Fault> {
    block.clear();
    block.reserve(rule.room(text)).map_err(|bytes| NoMemory { bytes })?;
    let mut entries = 0;
    lines(text, 0, rule, |u, v, _| {
        block.push(u, v);
        entries += 1;
    })?;
    Ok(entries)
}

/// A fault in a `text` that stands below some lines, with the number of its line.
fn at_line(name: &str, lines_before: u64, text: &[u8], fault: Fault) -> Fault {
    let Fault::Line(at, message) = fault else { return fault };
    let place = Place::Line(1 + lines_before + input::lines(&text[..at]) as u64);
    Error::Malformed { file: name.into(), place, message }.into()
}

/// Room for edges, of which the pieces take their parts one after the other.
///
/// Nobody waits for ever: pieces are taken in order, so that somebody has the piece before each, and takes its part whether it is good
/// or bad.
struct Slots<'a> {
    /// The piece whose turn it is, and the room that is left.
    turn: Mutex<(usize, &'a mut [[u32; 2]])>,
    taken: Condvar,
}

impl<'a> Slots<'a> {
    /// The part of the piece of this number, behind that of the piece before; `None` where so much room is not left.
    fn part(&self, index: usize, room: usize) -> Option<&'a mut [[u32; 2]]> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = self.taken.wait_while(turn, |(next, _)| *next < index);
        let (next, left) = &mut *turn.unwrap_or_else(PoisonError::into_inner);
        *next += 1;
        self.taken.notify_all();
        left.split_off_mut(..room)
    }
}

/// Whole lines of a text that comes from a decoder, which can be read once, and the number of lines before them.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    lines_before: u64,
    block: Block,
}

impl Lines {
    /// Reads about `piece` bytes of whole lines. A line is read to its line feed, however long it is.
    fn read(&mut self, from: &mut impl BufRead, piece: usize) -> io::Result<()> {
        self.text.clear();
        fallible(|| self.text.try_reserve(piece)).map_err(|_| io::ErrorKind::OutOfMemory)?;
        from.by_ref().take(piece as u64).read_to_end(&mut self.text)?;
        from.read_until(b'\n', &mut self.text).map(drop)
    }
}

/// Hands the entries of a file that is compressed as a whole to `sink`, from byte `start` of its text on. It is decompressed meanwhile.
pub(crate) fn visit_compressed(
    input: &OpenFile,
    start: usize,
    rule: impl Rule,
    sink: &dyn EdgeSink,
) -> Result<(), Fault> {
    rule.restart();
    let OpenFile { ref file, compression, chunk: piece, .. } = *input;
    let (name, place) = (&file.name, AtomicU64::new(0));
    let broken = |error| compression::broken(name, compression, place.load(Relaxed), error);
    let buffer = BufReader::with_capacity(piece.min(1 << 17), FromFront { file, place: &place });
    let mut text = BufReader::new(compression::reader(buffer, compression).map_err(broken)?);
    let failed = io::copy(&mut text.by_ref().take(start as u64), &mut io::sink()).err();
    let lines_before = input::lines(&input.content()[..start]) as u64;
    // The text, the pieces and the lines that were read of it, and why it cannot be read.
    let coming = Mutex::new((text, 0, lines_before, failed));
    let next = |lines: &mut Lines| {
        let mut coming = coming.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, pieces, lines_before, failed) = &mut *coming;
        *failed = failed.take().or_else(|| lines.read(text, piece).err());
        if failed.is_some() || lines.text.is_empty() {
            return None;
        }
        lines.lines_before = *lines_before;
        *lines_before += input::lines(&lines.text) as u64;
        *pieces += 1;
        Some(*pieces)
    };
    in_turn(next, |_, Lines { text, lines_before, block }| {
        let found = block_of(text, rule, block);
        found.map_err(|fault| at_line(name, *lines_before, text, fault))?;
        Ok::<(), Fault>(block.hand_to(sink)?)
    })?;
    let (.., failed) = coming.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |error| Err(broken(error)))?;
    Ok(file.check_unchanged()?)
}
