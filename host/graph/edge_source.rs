//! Where edges come from, one block after the other: none of them has to stay in memory.

use crate::control::memory::fallible;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{EdgeBlocks, Graph, Reading, VertexIds};
use crate::Result;
use tribin_base::par;

/// The largest id that a narrow entry holds.
pub const LARGEST: u64 = u32::MAX as u64 - 1;

/// Entries of a block, in no particular order. The ids of one source may come in both widths: an id means the
/// same vertex in both.
#[derive(Debug, Clone, Copy)]
pub enum EntryBlock<'a> {
    /// Ids of up to 2³²-2.
    Narrow(&'a [[u32; 2]]),
    /// Ids of which some entry has a larger one.
    Wide(&'a [[u64; 2]]),
}

/// A consumer of edges, block by block.
pub trait EdgeSink: Sync {
    /// Takes some entries, from any thread.
    ///
    /// # Errors
    /// Where they cannot be kept. The source then stops.
    fn take(&self, entries: EntryBlock) -> Result<()>;

    /// Forgets all that was taken: the source begins again, as it does where it finds late that a file has to be
    /// read as a whole.
    ///
    /// # Errors
    /// Where what was kept cannot be removed.
    fn restart(&self) -> Result<()>;
}

/// The meaning of the ids that a source hands over.
#[derive(Debug, Clone, Default)]
pub enum EntryIds {
    /// The ids that are handed over are the ids of the source.
    #[default]
    AsTheyAre,
    /// The ids that are handed over are one less than the ids of the source.
    FromOne {
        /// The number of vertices, where the source declares it.
        declared: Option<u64>,
    },
    /// The ids that are handed over are the indexes of vertices.
    Indexes {
        /// What the vertices are called.
        ids: VertexIds,
        /// The number of vertices, where the source declares it.
        declared: Option<u64>,
    },
    /// The ids that are handed over stand for names, which were not kept.
    Names,
}

/// The facts that a source tells of its edges once all were taken.
#[derive(Debug, Clone, Default)]
pub struct Visited {
    /// How a table was read.
    pub reading: Option<Reading>,
    /// Whether all entries were in memory at once, because the format does not allow otherwise.
    pub as_a_whole: bool,
    /// What the ids stand for.
    pub ids: EntryIds,
    /// Whether an entry stands for both directions, as [`Graph::has_both_directions`](crate::Graph::has_both_directions) says it of a
    /// graph.
    pub both_directions: bool,
}

/// Edges that are handed over in blocks, on the threads of the current rayon pool: a file of most formats, a
/// model of `generate`, or a `Graph` in memory.
pub trait EdgeSource: Sync {
    /// The name of the graph in reports and messages.
    fn name(&self) -> &str;

    /// Hands every entry to `sink` once, in blocks made of about `piece` bytes each.
    ///
    /// # Errors
    /// What is wrong with the source; of several faults the first in a file, whatever the number of threads. And
    /// what the sink returned.
    fn visit(&self, piece: usize, sink: &dyn EdgeSink) -> Result<Visited>;
}

/// Edges that can be had block by block, under a name.
pub struct Named<'a, B: ?Sized> {
    /// The edges.
    pub edges: &'a B,
    /// The name of the edges, which messages say.
    pub name: &'a str,
}

impl<B: EdgeBlocks + ?Sized> EdgeSource for Named<'_, B> {
    fn name(&self) -> &str {
        self.name
    }

    fn visit(&self, _: usize, sink: &dyn EdgeSink) -> Result<Visited> {
        let blocks = self.edges.blocks();
        let next = AtomicU64::new(0);
        par::try_for_each(0..par::threads(), |_| {
            let mut edges = Vec::new();
            loop {
                let block = next.fetch_add(1, Relaxed);
                if block >= blocks {
                    return Ok::<(), crate::Error>(());
                }
                edges.clear();
                self.edges.block(block, &mut edges);
                sink.take(EntryBlock::Narrow(&edges))?;
            }
        })?;
        Ok(Visited::default())
    }
}

impl EdgeSource for &Graph {
    fn name(&self) -> &str {
        Graph::name(self)
    }

    fn visit(&self, _: usize, sink: &dyn EdgeSink) -> Result<Visited> {
        let blocks = self.edges().chunks(par::BLOCK);
        par::try_for_each(blocks, |block| sink.take(EntryBlock::Narrow(block)))?;
        let ids = EntryIds::Indexes { ids: self.ids().clone(), declared: self.declared_vertices() };
        let both_directions = self.has_both_directions();
        let reading = self.reading().cloned();
        Ok(Visited { reading, ids, both_directions, ..Visited::default() })
    }
}

/// A block that is filled entry by entry.
#[derive(Debug, Default)]
pub struct Block {
    narrow: Vec<[u32; 2]>,
    wide: Vec<[u64; 2]>,
}

impl Block {
    /// Drops all entries.
    pub fn clear(&mut self) {
        self.narrow.clear();
        self.wide.clear();
    }

    /// Makes room for entries of which none is wide.
    ///
    /// # Errors
    /// The bytes that are not there.
    pub fn reserve(&mut self, entries: usize) -> std::result::Result<(), u64> {
        let bytes = (entries * size_of::<[u32; 2]>()) as u64;
        fallible(|| self.narrow.try_reserve_exact(entries)).map_err(|_| bytes)
    }

    /// Adds an entry.
    #[inline(always)]
    pub fn push(&mut self, u: u64, v: u64) {
        if u.max(v) <= LARGEST {
            self.narrow.push([u as u32, v as u32]);
        } else {
            self.wide.push([u, v]);
        }
    }

    /// Bytes that the entries take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.narrow[..]) + size_of_val(&self.wide[..])
    }

    /// Hands the entries over.
    ///
    /// # Errors
    /// What the sink returns.
    pub fn hand_to(&self, sink: &dyn EdgeSink) -> Result<()> {
        if !self.narrow.is_empty() {
            sink.take(EntryBlock::Narrow(&self.narrow))?;
        }
        if !self.wide.is_empty() {
            sink.take(EntryBlock::Wide(&self.wide))?;
        }
        Ok(())
    }
}
