//! The oriented graph on disk: its rows, in chunks.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use super::no_memory;
use super::scratch::{Record, ScratchFile};
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{OrientedGraph, RowRange};
use tribin_base::par;

/// The name of the file.
pub(super) const ROWS: &str = "rows";

/// Rows of consecutive ranks: their lengths, and then their heads, are one record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk {
    /// The first rank.
    pub first: u32,
    /// The number of ranks.
    pub rows: u32,
    /// The number of heads.
    pub heads: u32,
    /// Heads of the longest row, or more.
    pub longest: u32,
    /// Pairs of heads of one row.
    pub wedges: u64,
    pub record: Record,
    /// The directions of the edges, a byte each, in the order of the heads; `None` where they were not kept.
    pub directions: Option<Record>,
}

impl Chunk {
    /// The ranks.
    pub fn ranks(&self) -> Range<u32> {
        self.first..self.first + self.rows
    }

    /// Bytes that the rows take in memory.
    pub fn bytes(&self) -> u64 {
        4 * u64::from(self.heads) + 8 * u64::from(self.rows)
    }
}

/// All rows.
pub(super) struct RowFile<'s> {
    pub file: ScratchFile<'s>,
    /// In the order of their ranks, which they cover without a gap.
    pub chunks: Cow<'s, [Chunk]>,
}

impl<'s> RowFile<'s> {
    /// The number of edges.
    pub fn edges(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.heads)).sum()
    }

    /// All rows as a graph in memory, in which ranks stand for the vertices.
    pub fn graph(&self) -> Result<OrientedGraph> {
        let RowRange { first, offsets, heads } = self.part(0..self.chunks.len())?;
        assert_eq!(first, 0, "rows of all ranks");
        OrientedGraph::new(offsets, heads, (0..self.ranks() as u32).collect())
    }

    /// One past the largest rank that has a row.
    pub fn ranks(&self) -> usize {
        self.chunks.last().map_or(0, |chunk| chunk.ranks().end as usize)
    }

    /// Bytes that all rows take in memory.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::bytes).sum()
    }

    /// Pairs of heads of one row.
    pub fn wedges(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.wedges).sum()
    }

    /// Cuts the chunks into parts of at most `most` bytes in memory each, where a chunk alone is no larger. All
    /// parts but the last are as large as they can be: the rows from a part on are read once for each part, and so
    /// are the fewer the earlier the parts are full.
    pub fn parts(&self, most: u64) -> Vec<Range<usize>> {
        self.parts_by(most, Chunk::bytes)
    }

    /// Cuts the chunks into parts as [`parts`](Self::parts) does, where a chunk takes `bytes` bytes.
    pub fn parts_by(&self, most: u64, bytes: fn(&Chunk) -> u64) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut filled = 0;
        for (index, chunk) in self.chunks.iter().enumerate() {
            match parts.last_mut() {
                Some(part) if filled + bytes(chunk) <= most => {
                    part.end = index + 1;
                    filled += bytes(chunk);
                }
                _ => {
                    parts.push(index..index + 1);
                    filled = bytes(chunk);
                }
            }
        }
        parts
    }

    /// The rows of a part, read on all threads.
    pub fn part(&self, part: Range<usize>) -> Result<RowRange> {
        let chunks = &self.chunks[part];
        let rows = chunks.iter().map(|chunk| chunk.rows as usize);
        let heads = chunks.iter().map(|chunk| chunk.heads as usize);
        let mut all = RowRange {
            first: chunks.first().map_or(0, |chunk| chunk.first),
            offsets: memory::zeroed(rows.clone().sum::<usize>() + 1).map_err(no_memory)?,
            heads: memory::zeroed(heads.clone().sum()).map_err(no_memory)?,
        };
        let rooms = par::cut(&mut all.heads, heads).into_iter();
        let rooms = rooms.zip(par::cut(&mut all.offsets[1..], rows));
        let mut end = 0;
        let begins = chunks.iter().map(|chunk| {
            end += u64::from(chunk.heads);
            end - u64::from(chunk.heads)
        });
        let places: Vec<_> = chunks.iter().zip(begins).zip(rooms).collect();
        par::try_for_each(places, |((chunk, begin), (heads, offsets))| {
            let mut content: Vec<u32> = Vec::new();
            self.file.read(chunk.record, &mut content)?;
            let (lengths, own) = content.split_at(chunk.rows as usize);
            heads.copy_from_slice(own);
            fill(begin, lengths, offsets);
            Ok::<(), crate::Error>(())
        })?;
        Ok(all)
    }

    /// The rows of a chunk, in memory that is used again.
    pub fn chunk(&self, index: usize, rows: &mut RowRange) -> Result<()> {
        let chunk = &self.chunks[index];
        rows.first = chunk.first;
        self.file.read(chunk.record, &mut rows.heads)?;
        rows.offsets.clear();
        rows.offsets.resize(chunk.rows as usize + 1, 0);
        // The lengths stand before the heads: rows begin behind them.
        rows.offsets[0] = u64::from(chunk.rows);
        let (lengths, _) = rows.heads.split_at(chunk.rows as usize);
        fill(chunk.rows.into(), lengths, &mut rows.offsets[1..]);
        Ok(())
    }

    /// The directions of a chunk's edges, in memory that is used again.
    pub fn directions(&self, index: usize, directions: &mut Vec<u8>) -> Result<()> {
        directions.clear();
        let record = self.chunks[index].directions;
        record.map_or(Ok(()), |record| self.file.read(record, directions))
    }

    /// The directions of the edges of a part, read on all threads.
    pub fn directions_of(&self, part: Range<usize>) -> Result<Vec<u8>> {
        let chunks = &self.chunks[part];
        let heads = chunks.iter().map(|chunk| chunk.heads as usize);
        let mut all: Vec<u8> = memory::zeroed(heads.clone().sum()).map_err(no_memory)?;
        let rooms = chunks.iter().zip(par::cut(&mut all, heads));
        par::try_for_each(rooms, |(chunk, own)| match chunk.directions {
            Some(record) => self.file.read_exactly(record, own),
            None => Ok(()),
        })?;
        Ok(all)
    }

    /// Writes the rows without some of their edges to a file, in as many chunks. `which` gets the rows of a chunk and its index, and
    /// says of each edge in turn whether it stays.
    pub fn without<'f>(
        &self,
        file: ScratchFile<'f>,
        context: &Context,
        which: impl Fn(&RowRange, usize, &mut Vec<bool>) -> Result<()> + Sync,
    ) -> Result<RowFile<'f>> {
        let chunks: Vec<OnceLock<Chunk>> = vec![OnceLock::new(); self.chunks.len()];
        workers::each(
            chunks.len(),
            context,
            || Ok((RowRange::default(), Vec::new(), Vec::new())),
            |(chunk, stays, record), index| {
                self.chunk(index, chunk)?;
                stays.clear();
                which(chunk, index, stays)?;
                // Lengths stand before the heads, in the record as in the chunk.
                let lengths = chunk.offsets[0] as usize;
                record.clear();
                record.resize(lengths, 0u32);
                let mut edges = chunk.heads[lengths..].iter().zip(&*stays);
                let mut wedges = 0;
                for (row, ends) in chunk.offsets.windows(2).enumerate() {
                    let row_edges = edges.by_ref().take((ends[1] - ends[0]) as usize);
                    for (&head, _) in row_edges.filter(|(_, stays)| **stays) {
                        record.push(head);
                        wedges += u64::from(record[row]);
                        record[row] += 1;
                    }
                }
                let heads = (record.len() - lengths) as u32;
                let left =
                    Chunk { heads, wedges, record: file.append(record)?, ..self.chunks[index] };
                assert!(chunks[index].set(left).is_ok(), "each chunk once");
                Ok(())
            },
        )?;
        let chunks = chunks.into_iter().map(|chunk| chunk.into_inner().expect("all chunks"));
        Ok(RowFile { file, chunks: chunks.collect() })
    }
}

/// Where each row ends, of rows of which the first begins at `begin`.
fn fill(begin: u64, lengths: &[u32], ends: &mut [u64]) {
    let mut end = begin;
    for (own, &length) in ends.iter_mut().zip(lengths) {
        end += u64::from(length);
        *own = end;
    }
}
