//! The entries of a text that comes from a pipe, or from a decoder: it can be read once, from the front on.

use crate::control::memory::fallible;
use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::super::input;
use super::super::memory::NoMemory;
use super::{NotVisited, Rule, lines, room};
use crate::Result;
use crate::graph::{Block, EdgeSink};
use tribin_base::par;

/// Whole lines of a text.
struct Piece {
    index: usize,
    text: Vec<u8>,
    lines_before: u64,
}

/// What ended the reading.
type Ended = std::result::Result<(), io::Error>;

/// Hands the entries of a text to `sink`, from byte `start` on, where a line begins, and returns their number. One
/// thread reads pieces of about `piece` bytes, and those of the current pool parse them. `open` opens the text, on
/// the thread that reads it; `broken` says what is wrong where that fails.
pub(crate) fn visit_text<R: Read>(
    name: &str,
    open: impl FnOnce() -> io::Result<R> + Send,
    start: usize,
    rule: impl Rule,
    (piece, sink): (usize, &dyn EdgeSink),
    broken: impl FnOnce(io::Error) -> crate::Error,
) -> Result<std::result::Result<u64, NotVisited>> {
    let is_over = AtomicBool::new(false);
    // The first piece that could not be handed over, and why.
    let first_bad: Mutex<Option<(usize, Result<NotVisited>)>> = Mutex::new(None);
    let (pieces, to_parse) = sync_channel(par::threads());
    let to_parse = Mutex::new(to_parse);
    let (entries, ended) = std::thread::scope(|scope| {
        let is_over = &is_over;
        let reader =
            scope.spawn(move || open().and_then(|text| read(text, start, piece, pieces, is_over)));
        let parse = |_| {
            let (mut block, mut entries) = (Block::default(), 0u64);
            while let Some(piece) = next(&to_parse) {
                let taken = hand_over(name, &piece, rule, &mut block, sink);
                entries += taken.as_ref().map_or(0, |&entries| entries);
                if let Err(reason) = taken {
                    // Pieces before this one are parsed, or are being parsed.
                    is_over.store(true, Relaxed);
                    let mut first = first_bad.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|&(other, _)| piece.index < other) {
                        *first = Some((piece.index, reason));
                    }
                }
            }
            entries
        };
        let entries = par::map(0..par::threads(), parse).into_iter().sum();
        (entries, reader.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    match (first_bad.into_inner().unwrap_or_else(PoisonError::into_inner), ended) {
        (Some((_, reason)), _) => reason.map(Err),
        (None, Err(error)) => Err(broken(error)),
        (None, Ok(())) => Ok(Ok(entries)),
    }
}

fn next(to_parse: &Mutex<Receiver<Piece>>) -> Option<Piece> {
    to_parse.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Parses a piece and hands its entries over; returns their number.
fn hand_over(
    name: &str,
    piece: &Piece,
    rule: impl Rule,
    block: &mut Block,
    sink: &dyn EdgeSink,
) -> std::result::Result<u64, Result<NotVisited>> {
    let Piece { text, lines_before, .. } = piece;
    block.clear();
    let no_memory = |bytes| Err(input::no_memory(name, NoMemory { bytes }));
    block.reserve(room(text)).map_err(no_memory)?;
    let mut entries = 0;
    let parsed = lines(text, 0, rule, |u, v| {
        block.push(u, v);
        entries += 1;
    });
    if parsed.is_err() {
        let (text, lines_before) = (text.clone(), *lines_before);
        return Err(Ok(NotVisited::Fault { text, lines_before }));
    }
    block.hand_to(sink).map_err(Err)?;
    Ok(entries)
}

/// Reads a text, and sends its lines in pieces until that is over.
fn read(
    mut text: impl Read,
    start: usize,
    piece: usize,
    pieces: SyncSender<Piece>,
    is_over: &AtomicBool,
) -> Ended {
    io::copy(&mut text.by_ref().take(start as u64), &mut io::sink())?;
    let (mut rest, mut lines_before) = (Vec::new(), 0);
    for index in 0.. {
        let mut own: Vec<u8> = Vec::new();
        let mut wanted = piece;
        // A line longer than a piece: as much as it takes.
        let cut = loop {
            fallible(|| own.try_reserve(rest.len() + wanted))
                .map_err(|_| io::ErrorKind::OutOfMemory)?;
            own.append(&mut rest);
            let read = text.by_ref().take(wanted as u64).read_to_end(&mut own)?;
            if read < wanted {
                break own.len();
            }
            // A carriage return at the end may be the first half of a line end.
            let whole = &own[..own.len() - usize::from(own.ends_with(b"\r"))];
            if let Some(end) = memchr::memrchr2(b'\n', b'\r', whole) {
                break end + 1;
            }
            wanted = own.len();
        };
        if own.is_empty() || is_over.load(Relaxed) {
            break;
        }
        rest.extend_from_slice(&own[cut..]);
        own.truncate(cut);
        let lines = input::lines(&own) as u64;
        if pieces.send(Piece { index, text: own, lines_before }).is_err() {
            break;
        }
        lines_before += lines;
    }
    Ok(())
}
