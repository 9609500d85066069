//! Raw pairs: little-endian `u32`, two for each edge, nothing else.

use super::format::{About, Format, OnDisk, Reader};
use super::in_order::in_order;
use super::input::{Input, ends_line, excerpt, is_blank, next_line};
use super::inspect::{self as read, Content};
use super::recognise::LOOKED_AT;
use super::sample::{self, Cuts};
use super::{Options, ids, memory};
use crate::graph::{Block, EdgeSink, Entries, Visited};
use crate::{Graph, Hint, Message, Result};
use tribin_base::par;

/// Bytes of one edge.
const PAIR: usize = 8;

/// Edges that one task copies.
const BLOCK: usize = 1 << 17;

/// The format.
pub(super) struct Pairs;

impl Reader for Pairs {
    fn about(&self) -> About {
        About { is_raw: true, is_graph_by_name: false, ..About::of(Format::Pairs) }
    }

    /// First bytes of another format would be ids that no file begins with by chance.
    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        refuse_text(name, content)?;
        let Some((_, what, format)) =
            OTHERS.iter().find(|(begins, ..)| content.starts_with(begins))
        else {
            return Ok(());
        };
        let message = format!(
            "the file begins as {what} files do, and a .bin file holds two little-endian 32-bit ids for each edge: \
         `--format {format}` reads it as what it seems to be, and `--format bin` as raw pairs"
        );
        Err(super::input::error(name, message))
    }

    fn sizes(&self, content: &Content, _: &Options) -> Result<(Option<u64>, read::Entries)> {
        let entries = content.size / PAIR as u64;
        let exact = content.exact;
        Ok((None, if exact { read::Entries::Declared } else { read::Entries::Estimated }(entries)))
    }

    fn parse(&self, input: &Input, _: &Options) -> Result<Graph> {
        let bytes = input.content;
        graph(input, bytes.len() as u64, |buffer, at| {
            let at = at as usize;
            buffer.copy_from_slice(&bytes[at..at + buffer.len()]);
            Ok(())
        })
    }

    fn stream(&self, from: &OnDisk, _: usize) -> Result<Option<Graph>> {
        let OnDisk { file, meter, .. } = *from;
        // Threads read at places far apart, each of which a server takes its time for.
        if file.is_far() {
            return Ok(None);
        }
        let input = Input::new(file.name(), b"", meter);
        let graph = graph(&input, file.len(), |buffer, at| file.read_at(buffer, at))?;
        file.check_unchanged()?;
        Ok(Some(graph))
    }

    fn visit(&self, from: &OnDisk, piece: usize, sink: &dyn EdgeSink) -> Result<Option<Visited>> {
        let OnDisk { file, meter, .. } = *from;
        let input = Input::new(file.name(), b"", meter);
        check_len(&input, file.len())?;
        warn_if_wide(input.name, file.len(), |buffer, at| file.read_at(buffer, at))?;
        let piece = (piece / PAIR).max(1);
        let entries = file.len() / PAIR as u64;
        let parts = entries.div_ceil(piece as u64) as usize;
        in_order(parts, |part, (edges, wide): &mut (Vec<[u32; 2]>, Block)| {
            if edges.is_empty() {
                *edges = memory::zeroed(piece).map_err(|refused| input.no_memory(refused))?;
            }
            let at = (part * piece) as u64;
            let edges = &mut edges[..piece.min((entries - at) as usize)];
            file.read_on(bytemuck::cast_slice_mut(edges), at * PAIR as u64)?;
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
        file.check_unchanged()?;
        Ok(Some(Visited::default()))
    }

    fn cuts(&self, _: &str, _: &[u8], _: &Options) -> Option<Cuts> {
        Some(Cuts { whole: whole_pairs, step: PAIR as u64, size: sample::PIECE, end: b"" })
    }
}

fn whole_pairs(piece: &[u8], _: bool, _: bool) -> Option<(&[u8], usize)> {
    let whole = piece.len() / PAIR;
    (whole > 0).then(|| (&piece[..PAIR * whole], whole))
}

/// The graph of `len` bytes, with which `read` fills buffers: no other copy of the edges is in memory.
fn graph(
    input: &Input,
    len: u64,
    read: impl Fn(&mut [u8], u64) -> Result<()> + Sync,
) -> Result<Graph> {
    check_len(input, len)?;
    // More than memory holds is refused as such.
    let pairs = usize::try_from(len / PAIR as u64).unwrap_or(usize::MAX);
    let mut edges: Vec<[u32; 2]> =
        memory::zeroed(pairs).map_err(|refused| input.no_memory(refused))?;
    warn_if_wide(input.name, len, &read)?;
    let largest =
        par::try_map(edges.chunks_mut(BLOCK).enumerate(), |(block, edges)| -> Result<u32> {
            read(bytemuck::cast_slice_mut(edges), (block * BLOCK * PAIR) as u64)?;
            let mut max = 0;
            for id in edges.as_flattened_mut() {
                *id = u32::from_le(*id);
                max = max.max(*id);
            }
            input.meter.add(edges.len() * PAIR);
            Ok(max)
        })?;
    let max = largest.into_iter().max().unwrap_or(0);
    ids::graph(input.name, edges, u64::from(max), None)
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
