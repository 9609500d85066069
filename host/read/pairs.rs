//! Raw pairs: little-endian `u32`, two for each edge, nothing else.

use super::compression::Compression;
use super::format::{self, About, Format, Reader};
use super::in_order::in_order;
use super::input::{Fault, ends_line, excerpt, is_blank, next_line};
use super::inspect::Foretold;
use super::open_file::OpenFile;
use super::recognise::LOOKED_AT;
use super::{ids, memory};
use crate::graph::{Block, EdgeSink, EntryBlock, Visited};
use crate::{Graph, Message, Result, hint};
use tribin_base::par;

/// Bytes of one edge.
pub(super) const PAIR: usize = 8;

/// Edges that one task copies.
const BLOCK: usize = 1 << 17;

/// The format.
pub(super) struct RawPairs;

impl Reader for RawPairs {
    fn about(&self) -> About {
        About { is_raw: true, is_graph_by_name: false, ..About::of(Format::Pairs) }
    }

    /// First bytes of another format would be ids that no file begins with by chance.
    fn refuse_others(&self, name: &str, content: &[u8]) -> Result<()> {
        refuse_text(name, content)?;
        // Streams of Arrow begin with the largest id.
        let told = format::told(content, None).filter(|_| !content.starts_with(&[0xff; 4]));
        let Some(format) = told else { return Ok(()) };
        let message = format!(
            "the file begins as those of the format `{format}` do, and a .bin file holds two little-endian 32-bit ids for each \
             edge: `--format {format}` reads it as what it seems to be, and `--format bin` as raw pairs"
        );
        Err(super::input::error(name, message))
    }

    fn sizes(&self, input: &OpenFile) -> Result<Option<Foretold>> {
        let entries = input.size() / PAIR as u64;
        Ok(Some(match input.compression {
            Compression::None => Foretold::declared(entries, None),
            _ => Foretold::estimated(entries, None),
        }))
    }

    fn needs_all(&self, _: &OpenFile) -> bool {
        false
    }

    /// No other copy of the edges is in memory.
    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        check(input)?;
        let file = &input.file;
        // More than memory holds is refused as such.
        let pairs = usize::try_from(file.len() / PAIR as u64).unwrap_or(usize::MAX);
        let mut edges: Vec<[u32; 2]> = memory::zeroed(pairs)?;
        let blocks = edges.chunks_mut(BLOCK).enumerate();
        let largest = par::try_map(blocks, |(block, edges)| -> Result<u32> {
            file.read_at(bytemuck::cast_slice_mut(edges), (block * BLOCK * PAIR) as u64)?;
            let mut max = 0;
            for id in edges.as_flattened_mut() {
                *id = u32::from_le(*id);
                max = max.max(*id);
            }
            file.meter.add(edges.len() * PAIR);
            Ok(max)
        })?;
        file.check_unchanged()?;
        let max = largest.into_iter().max().unwrap_or(0).into();
        Ok(ids::graph(input.name(), edges, max, None)?)
    }

    fn visit(&self, input: &OpenFile, sink: &dyn EdgeSink) -> Result<Option<Visited>, Fault> {
        check(input)?;
        let (file, piece) = (&input.file, (input.chunk / PAIR).max(1));
        let entries = file.len() / PAIR as u64;
        let parts = entries.div_ceil(piece as u64) as usize;
        in_order(parts, |part, (edges, wide): &mut (Vec<[u32; 2]>, Block)| {
            if edges.is_empty() {
                *edges = memory::zeroed(piece)?;
            }
            let at = (part * piece) as u64;
            let edges = &mut edges[..piece.min((entries - at) as usize)];
            file.read_on(bytemuck::cast_slice_mut(edges), at * PAIR as u64)?;
            let ids = edges.as_flattened_mut();
            ids.iter_mut().for_each(|id| *id = u32::from_le(*id));
            file.meter.add(edges.len() * PAIR);
            if !edges.as_flattened().contains(&u32::MAX) {
                return Ok(sink.take(EntryBlock::Narrow(edges))?);
            }
            wide.clear();
            edges.iter().for_each(|&[u, v]| wide.push(u.into(), v.into()));
            Ok::<(), Fault>(wide.hand_to(sink)?)
        })?;
        file.check_unchanged()?;
        Ok(Some(Visited::default()))
    }
}

/// Refuses a file that does not end with a whole pair, and warns of ids of 64 bits, as NumPy writes them: every second one of 32 bits
/// is 0 then. A star around vertex 0 is like that, too.
fn check(input: &OpenFile) -> Result<()> {
    let (name, file) = (input.name(), &input.file);
    let (len, left) = (file.len(), file.len() % PAIR as u64);
    if left > 0 {
        let message = format!(
            "{left} bytes are left over after the last whole pair: a .bin file holds two little-endian 32-bit ids for each \
             edge; the file is cut off or of another format"
        );
        let message = Message::from(message).with_hint(hint::NAME_FORMAT);
        return Err(input.at_byte((len - left) as usize, message));
    }
    // A short look at first: most files have another id there.
    let (mut buffer, mut at) = (vec![0; 1 << 10], 0);
    while at < len {
        let size = buffer.len().min((len - at) as usize);
        let bytes = &mut buffer[..size];
        file.read_at(bytes, at)?;
        let has_id = |pair: &[u8; PAIR]| pair[PAIR / 2..] != [0; PAIR / 2];
        if !len.is_multiple_of(2 * PAIR as u64) || bytes.as_chunks().0.iter().any(has_id) {
            return Ok(());
        }
        at += size as u64;
        buffer.resize(1 << 16, 0);
    }
    if len > 0 {
        tracing::warn!(
            "{name}: every second 32-bit id is 0, so the ids may have 64 bits: a .bin file holds two little-endian \
             32-bit ids for each edge; write an array of larger ids as .npy, with numpy.save(\"edges.npy\", array), or as \
             pairs of uint32, with array.astype(\"<u4\").tofile(\"edges.bin\")"
        );
    }
    Ok(())
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
    Err(super::input::error(name, Message::from(message).with_hint(hint::EDGE_LIST_FORMAT)))
}
