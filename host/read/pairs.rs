//! Raw pairs: little-endian `u32`, two for each edge, nothing else.

use super::in_order::in_order;
use super::input::{Input, ends_line, excerpt, is_blank, next_line};
use super::progress::Meter;
use super::recognise::LOOKED_AT;
use super::share::Share;
use super::source::RegularFile;
use super::{ids, memory};
use crate::graph::{Block, EdgeSink, Entries};
use crate::{Graph, Hint, Message, Result};
use tribin_base::par;

/// Bytes of one edge.
pub(super) const PAIR: usize = 8;

/// Edges that one task copies.
const BLOCK: usize = 1 << 17;

pub(super) fn parse(input: &Input) -> Result<Graph> {
    let bytes = input.content;
    let mut edges = room(input, bytes.len())?;
    let all = bytes.len() as u64;
    warn_if_wide(input.name, all, |buffer, at| {
        let at = at as usize;
        buffer.copy_from_slice(&bytes[at..at + buffer.len()]);
        Ok(())
    })?;
    let blocks = edges.chunks_mut(BLOCK).zip(bytes.chunks(BLOCK * PAIR));
    let largest = par::map(blocks, |(edges, bytes)| {
        let mut max = 0;
        for (edge, pair) in edges.iter_mut().zip(bytes.as_chunks::<PAIR>().0) {
            let pair = u64::from_le_bytes(*pair);
            *edge = [pair as u32, (pair >> 32) as u32];
            max = max.max(edge[0]).max(edge[1]);
        }
        input.meter.add(bytes.len());
        max
    });
    let max = largest.into_iter().max().unwrap_or(0);
    ids::graph(input.name, edges, u64::from(max), None)
}

/// Reads a file into its edges: no other copy of them is in memory.
pub(super) fn stream(file: &RegularFile, meter: &Meter) -> Result<Option<Graph>> {
    let input = Input::new(file.name(), b"", meter);
    // More than memory holds is refused as such.
    let mut edges = room(&input, usize::try_from(file.len()).unwrap_or(usize::MAX / PAIR * PAIR))?;
    warn_if_wide(input.name, file.len(), |buffer, at| file.read_at(buffer, at))?;
    let largest =
        par::try_map(edges.chunks_mut(BLOCK).enumerate(), |(block, edges)| -> Result<u32> {
            file.read_at(bytemuck::cast_slice_mut(edges), (block * BLOCK * PAIR) as u64)?;
            let mut max = 0;
            for id in edges.as_flattened_mut() {
                *id = u32::from_le(*id);
                max = max.max(*id);
            }
            meter.add(edges.len() * PAIR);
            Ok(max)
        })?;
    file.check_unchanged()?;
    let max = largest.into_iter().max().unwrap_or(0);
    ids::graph(input.name, edges, u64::from(max), None).map(Some)
}

/// Hands the entries of a file, or of a share of it, to `sink`, in pieces of `piece` bytes.
pub(super) fn visit(
    file: &RegularFile,
    (piece, share): (usize, Option<Share>),
    meter: &Meter,
    sink: &dyn EdgeSink,
) -> Result<()> {
    let input = Input::new(file.name(), b"", meter);
    check_len(&input, file.len())?;
    if share.is_none_or(Share::is_first) {
        warn_if_wide(input.name, file.len(), |buffer, at| file.read_at(buffer, at))?;
    }
    let piece = share.map_or(piece, |share| share.piece(file.len(), piece));
    let piece = (piece / PAIR).max(1);
    let entries = file.len() / PAIR as u64;
    let parts = entries.div_ceil(piece as u64) as usize;
    let own = Share::range_of(share, parts);
    in_order(own.len(), |part, (edges, wide): &mut (Vec<[u32; 2]>, Block)| {
        if edges.is_empty() {
            *edges = memory::zeroed(piece).map_err(|refused| input.no_memory(refused))?;
        }
        let at = ((own.start + part) * piece) as u64;
        let edges = &mut edges[..piece.min((entries - at) as usize)];
        file.read_at(bytemuck::cast_slice_mut(edges), at * PAIR as u64)?;
        let ids = edges.as_flattened_mut();
        ids.iter_mut().for_each(|id| *id = u32::from_le(*id));
        meter.add(edges.len() * PAIR);
        if !edges.as_flattened().contains(&u32::MAX) {
            return sink.take(Entries::Narrow(edges));
        }
        wide.clear();
        edges.iter().for_each(|&[u, v]| wide.push(u.into(), v.into()));
        wide.hand_to(sink)
    })?;
    file.check_unchanged()
}

/// Room for the edges of a file of `len` bytes.
fn room(input: &Input, len: usize) -> Result<Vec<[u32; 2]>> {
    check_len(input, len as u64)?;
    memory::zeroed(len / PAIR).map_err(|refused| input.no_memory(refused))
}

/// Warns of ids of 64 bits, as NumPy writes them: every second one of 32 bits is 0 then. A star around vertex 0 is like
/// that, too. `read` fills a buffer from a place in the file on; where most files have another id, it is called once.
fn warn_if_wide(name: &str, len: u64, read: impl Fn(&mut [u8], u64) -> Result<()>) -> Result<()> {
    const EDGE: u64 = 2 * size_of::<u64>() as u64;
    if len == 0 || !len.is_multiple_of(EDGE) {
        return Ok(());
    }
    // A short look at first.
    let (mut buffer, mut at) = (vec![0; 1 << 10], 0);
    while at < len {
        let size = buffer.len().min((len - at) as usize);
        let bytes = &mut buffer[..size];
        read(bytes, at)?;
        if bytes.as_chunks::<PAIR>().0.iter().any(|pair| pair[PAIR / 2..] != [0; PAIR / 2]) {
            return Ok(());
        }
        at += size as u64;
        buffer.resize(1 << 16, 0);
    }
    tracing::warn!(
        "{name}: every second 32-bit id is 0, so the ids may have 64 bits: a .bin file holds two little-endian \
         32-bit ids for each edge; write an array of larger ids as .npy, with numpy.save(\"edges.npy\", array), or as \
         pairs of uint32, with array.astype(\"<u4\").tofile(\"edges.bin\")"
    );
    Ok(())
}

/// How binary files of other formats begin.
const OTHERS: [(&[u8], &str, &str); 5] = [
    (b"PAR1", "Parquet", "parquet"),
    (b"ARROW1\0\0", "Arrow", "arrow"),
    (b"\x93NUMPY\x01", "NumPy", "npy"),
    (b"\x93NUMPY\x02", "NumPy", "npy"),
    (b"\x93NUMPY\x03", "NumPy", "npy"),
];

/// Refuses a file of another format, whose first bytes would be ids that no file begins with by chance.
pub(super) fn refuse_others(name: &str, content: &[u8]) -> Result<()> {
    refuse_text(name, content)?;
    let Some((_, what, format)) = OTHERS.iter().find(|(begins, ..)| content.starts_with(begins))
    else {
        return Ok(());
    };
    let message = format!(
        "the file begins as {what} files do, and a .bin file holds two little-endian 32-bit ids for each edge: \
         `--format {format}` reads it as what it seems to be, and `--format bin` as raw pairs"
    );
    Err(super::input::error(name, message))
}

/// Refuses a text: no byte of its beginning is anything but a letter, a digit, a sign, a blank or a line's end. The ids
/// of pairs would all be above 500 million.
fn refuse_text(name: &str, content: &[u8]) -> Result<()> {
    let head = &content[..content.len().min(LOOKED_AT)];
    let is_text = |&byte: &u8| byte.is_ascii_graphic() || is_blank(byte) || ends_line(byte);
    if head.is_empty() || !head.iter().all(is_text) {
        return Ok(());
    }
    let line = head.trim_ascii_start();
    let message = format!(
        "the file begins as text does, {}, and a .bin file holds two little-endian 32-bit ids for each edge",
        excerpt(line[..next_line(line, 0)].trim_ascii_end())
    );
    Err(super::input::error(name, Message::from(message).with_hint(Hint::EdgeListFormat)))
}

/// Refuses a file that does not end with a whole pair.
fn check_len(input: &Input, len: u64) -> Result<()> {
    let left = len % PAIR as u64;
    if left > 0 {
        return Err(input.at_byte(
            (len - left) as usize,
            Message::from(format!(
                "{left} bytes are left over after the last whole pair: a .bin file holds two \
                 little-endian 32-bit ids for each edge; the file is cut off or of another format"
            ))
            .with_hint(Hint::NameFormat),
        ));
    }
    Ok(())
}
