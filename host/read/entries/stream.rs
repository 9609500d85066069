//! The entries of a file that is read piece by piece: its text is never in memory as a whole.

use std::ops::Range as Span;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::in_order::in_order;
use super::super::input::{self, next_line};
use super::super::memory;
use super::super::progress::Meter;
use super::super::source::RegularFile;
use super::turns::Turns;
use super::{LARGEST, Rule, close_gaps, fill, lines, room};
use crate::graph::{Block, EdgeSink};
use crate::{Error, Result};
use tribin_base::par;

/// What reading found.
pub(crate) enum Streamed {
    /// The edges in file order and the largest `id - first`.
    Edges(Vec<[u32; 2]>, u64),
    /// The text of the piece that holds the first fault of the file, and where it begins.
    Fault { text: Vec<u8>, at: u64 },
    /// Ids of more than 32 bits, or lines longer than pieces: read the file as a whole.
    Unusual,
}

/// Why a piece ends the work.
enum Reason {
    Fault {
        text: Vec<u8>,
        at: u64,
    },
    Failed(Error),
    /// There are more lines than there is room for.
    NoRoom,
    /// A line is longer than a piece.
    LongLine,
}

/// The edges and the largest `id - first`, or why there are none.
type Parsed = std::result::Result<(Vec<[u32; 2]>, u64), Reason>;

/// Bytes read behind a piece for the end of its last line.
const BEHIND: usize = 1 << 12;

/// Parses the lines from `start`, where a line begins, to the end. `piece` is the number of bytes that a
/// task reads and parses.
pub(crate) fn stream(
    file: &RegularFile,
    start: u64,
    rule: impl Rule,
    piece: usize,
    meter: &Meter,
) -> Result<Streamed> {
    let pieces = Pieces { file, start, size: piece };
    // The sum of what `room` says of each piece, which may lack its last line's end.
    let most = |lines: u64| {
        let pieces = pieces.number() as u64;
        let shortest = (file.len() - start + pieces) / 4;
        usize::try_from(shortest.min(lines + pieces)).unwrap_or(usize::MAX)
    };
    let parsed = match pieces.parse(rule, most(pieces.likely_lines()?), meter)? {
        // Lines get shorter where nobody looked: count them.
        Err(Reason::NoRoom) => pieces.parse(rule, most(lines_before(file, file.len())?), meter)?,
        parsed => parsed,
    };
    file.check_unchanged()?;
    match parsed {
        Ok((_, max)) if max > LARGEST => Ok(Streamed::Unusual),
        Ok((edges, max)) => Ok(Streamed::Edges(edges, max)),
        Err(Reason::Fault { text, at }) => Ok(Streamed::Fault { text, at }),
        Err(Reason::Failed(error)) => Err(error),
        // More lines than were counted can only be there where the file is not what it was.
        Err(Reason::NoRoom | Reason::LongLine) => Ok(Streamed::Unusual),
    }
}

/// Why not all entries were handed over.
pub(crate) enum NotVisited {
    /// The text of the piece that holds the first fault of the file, and the lines before it.
    Fault { text: Vec<u8>, lines_before: u64 },
    /// Lines longer than pieces: read the file as a whole.
    LongLine,
}

/// Hands the entries of the lines from `start` to the end to `sink`, piece by piece, and returns their number.
/// `piece` is the number of bytes that a task reads and parses.
pub(crate) fn visit(
    file: &RegularFile,
    start: u64,
    rule: impl Rule,
    piece: usize,
    meter: &Meter,
    sink: &dyn EdgeSink,
) -> Result<std::result::Result<u64, NotVisited>> {
    let pieces = Pieces { file, start, size: piece };
    let entries = AtomicU64::new(0);
    let handed = in_order(pieces.number(), |index, (buffer, block): &mut (Vec<u8>, Block)| {
        let (place, at) =
            pieces.read(index, buffer).map_err(Reason::Failed)?.ok_or(Reason::LongLine)?;
        let text = &buffer[place];
        block.clear();
        block.reserve(room(text)).map_err(|bytes| {
            Reason::Failed(input::no_memory(file.name(), memory::NoMemory { bytes }))
        })?;
        let mut found = 0;
        let parsed = lines(text, 0, rule, |u, v| {
            block.push(u, v);
            found += 1;
        });
        parsed.map_err(|_| Reason::Fault { text: text.to_vec(), at })?;
        entries.fetch_add(found, Relaxed);
        block.hand_to(sink).map_err(Reason::Failed)?;
        meter.add(pieces.size);
        Ok(())
    });
    if let Err(Reason::Failed(error)) = handed {
        return Err(error);
    }
    file.check_unchanged()?;
    Ok(match handed {
        Ok(()) => Ok(entries.into_inner()),
        Err(Reason::Fault { text, at }) => {
            let lines_before = lines_before(file, at)?;
            Err(NotVisited::Fault { text, lines_before })
        }
        Err(_) => Err(NotVisited::LongLine),
    })
}

/// The number of lines that end before byte `end`.
pub(crate) fn lines_before(file: &RegularFile, end: u64) -> Result<u64> {
    let mut buffer = vec![0; 1 << 20];
    let (mut at, mut lines, mut last) = (0, 0, 0);
    while at < end {
        let size = (end - at).min(buffer.len() as u64);
        let text = &mut buffer[..size as usize];
        file.read_on(text, at)?;
        lines += input::lines(text) as u64;
        // A CRLF across two reads is one line end.
        lines -= u64::from(last == b'\r' && text[0] == b'\n');
        last = text[text.len() - 1];
        at += size;
    }
    Ok(lines)
}

/// Parts of a file that are read one by one, each the lines that begin in it.
pub(crate) struct Pieces<'a> {
    pub(crate) file: &'a RegularFile,
    /// Where the first line begins.
    pub(crate) start: u64,
    /// Bytes of a piece.
    pub(crate) size: usize,
}

impl Pieces<'_> {
    /// The number of pieces.
    pub(crate) fn number(&self) -> usize {
        // A file of 2⁶³ bytes in pieces of one: only tests have pieces of less than 1 MiB.
        (self.file.len() - self.start).div_ceil(self.size as u64) as usize
    }

    /// The number of lines if those anywhere are as short as the shortest of some samples.
    fn likely_lines(&self) -> Result<u64> {
        const SAMPLES: u64 = 16;
        let len = self.file.len() - self.start;
        let size = len.min(1 << 16);
        // At once, since a server takes its time for each.
        let found = par::try_map(0..SAMPLES, |i| {
            let mut sample = vec![0; size as usize];
            let at = u128::from(len - size) * u128::from(i) / u128::from(SAMPLES - 1);
            self.file.read_at(&mut sample, self.start + at as u64)?;
            Ok::<u64, Error>(input::lines(&sample) as u64)
        })?;
        let most = found.into_iter().max().unwrap_or(0);
        let lines = u128::from(most + 1) * u128::from(len) / u128::from(size.max(1));
        // A little more, for lines somewhat shorter.
        Ok((lines + lines / 32) as u64)
    }

    /// Reads the lines that begin in a piece into `buffer`: their place in it and in the file. `None` where
    /// a line is longer than a piece.
    pub(crate) fn read(
        &self,
        index: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(Span<usize>, u64)>> {
        let len = self.file.len();
        let first = self.start + index as u64 * self.size as u64;
        let after = len.min(first + self.size as u64);
        // The byte before says where the first line begins.
        let from = if index == 0 { first } else { first - 1 };
        let least = (after - from) as usize;
        let mut behind = BEHIND.min(self.size);
        while behind <= 2 * self.size {
            let size = (len - from).min((least + behind) as u64) as usize;
            buffer.resize(size, 0);
            self.file.read_on(buffer, from)?;
            let begin = if index == 0 { 0 } else { next_line(buffer, 0) };
            let end = next_line(buffer, least - 1);
            // At the buffer's end the line may go on, and so may a CRLF.
            if end < size || from + size as u64 == len {
                return Ok(Some((begin..end, from + begin as u64)));
            }
            behind *= 2;
        }
        Ok(None)
    }

    /// Parses all pieces, in room for `most` entries.
    fn parse(&self, rule: impl Rule, most: usize, meter: &Meter) -> Result<Parsed> {
        rule.restart();
        // Most of it is never written, so only what the system refuses at once is no memory.
        let mut edges: Vec<[u32; 2]> = memory::zeroed_unchecked(most)
            .map_err(|refused| input::error(self.file.name(), refused.to_string()))?;
        let slots = Slots { edges: edges.as_mut_ptr(), len: edges.len() };
        let turns = Turns::with_rooms(self.number());
        let found = Mutex::new(Vec::new());
        par::parallel_for(par::threads(), &|_| {
            let mut buffer = Vec::new();
            while let Some(index) = turns.take() {
                match self.piece(index, &mut buffer, rule, &turns, &slots) {
                    Ok(Some((entries, max))) => {
                        let mut found = found.lock().unwrap_or_else(|lock| lock.into_inner());
                        found.push((index, entries, max));
                    }
                    Ok(None) => return,
                    Err(reason) => turns.stop(index, reason),
                }
                meter.add(self.size);
            }
        });
        let begins = match turns.into_rooms() {
            Ok(begins) => begins,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut found = found.into_inner().unwrap_or_else(|lock| lock.into_inner());
        found.sort_unstable();
        let rooms = begins.windows(2).map(|ends| ends[1] - ends[0]);
        let parts = found.into_iter().map(|(_, entries, max)| (entries, max));
        let max = close_gaps(&mut edges, parts.zip(rooms));
        Ok(Ok((edges, max)))
    }

    /// Reads and parses a piece; `None` where a piece before it ended the work.
    fn piece(
        &self,
        index: usize,
        buffer: &mut Vec<u8>,
        rule: impl Rule,
        turns: &Turns<Reason>,
        slots: &Slots,
    ) -> std::result::Result<Option<(usize, u64)>, Reason> {
        let (place, at) =
            self.read(index, buffer).map_err(Reason::Failed)?.ok_or(Reason::LongLine)?;
        let text = &buffer[place];
        let Some(begin) = turns.begin(index) else { return Ok(None) };
        let end = begin + room(text);
        if end > slots.len {
            return Err(Reason::NoRoom);
        }
        turns.ends(index, end);
        // SAFETY: each piece's slots begin where those of the one before end, as `Turns` says, and the vector is not touched before all pieces are parsed.
        let slot = unsafe { slots.part(begin..end) };
        match fill(text, 0, rule, slot) {
            Ok(found) => Ok(Some(found)),
            Err(_) => Err(Reason::Fault { text: text.to_vec(), at }),
        }
    }
}

/// Room for edges, of which every piece takes a part.
struct Slots {
    edges: *mut [u32; 2],
    len: usize,
}

// SAFETY: whoever takes a part answers for its being the only one.
unsafe impl Sync for Slots {}

impl Slots {
    /// A part of the room.
    ///
    /// # Safety
    /// No part of it may be taken twice, and the edges must outlive it.
    #[allow(clippy::mut_from_ref, reason = "the parts are disjoint")]
    unsafe fn part(&self, place: Span<usize>) -> &mut [[u32; 2]] {
        assert!(place.start <= place.end && place.end <= self.len);
        // SAFETY: inside the room, as was checked; alone, as the caller answers for.
        unsafe { std::slice::from_raw_parts_mut(self.edges.add(place.start), place.len()) }
    }
}
