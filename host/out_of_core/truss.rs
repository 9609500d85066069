//! The trussness of every edge of a graph that memory has no room to peel.
//!
//! Walks peel it: each counts the triangles on every edge that is left, as `support` does, and then the edges on too few of them
//! are taken away. Once memory holds what is left and what peeling it takes, the CPU peels the rest there.
//!
//! **Why this is exact.** While the k-truss is looked for, what is left holds the k-truss, and is within the (k − 1)-truss. An edge on
//! fewer than k − 2 triangles of what is left is not in the k-truss, so that its trussness is k − 1. An edge of larger trussness has all
//! of its truss in what is left, and has the same trussness there. So an edge that memory peels has the trussness that is found there,
//! or k − 1 if that is less.
//!
//! Source: the bottom-up algorithm of Wang and Cheng, "Truss decomposition in massive networks", VLDB 2012, section 4. Theirs finds
//! triangles in neighbourhoods that fit the memory, and this one by the walk over parts.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::rows::{Chunk, RowFile};
use super::scratch::{Scratch, ScratchFile};
use super::support::Numbers;
use super::workers;
use crate::Result;
use crate::control::{Context, Phase};
use crate::graph::{OrientedGraph, RowRange};
use tribin_analytics::WantedTruss;
use tribin_analytics::cpu::{support, truss};

/// The edges of a graph that are not peeled yet, and the trussness of those that are.
pub(super) struct Peeling<'a> {
    whole: &'a RowFile<'a>,
    scratch: &'a Scratch,
    /// The names of the files begin so: where a device fails, the CPU begins anew under other names.
    name: &'static str,
    /// The trussness of each edge of the whole graph; 0 of those that are left.
    trussness: Numbers<'a>,
    /// The rows of what is left, once something was taken away.
    left: Option<LeftRows<'a>>,
    wanted: WantedTruss,
    /// The k of the truss that is looked for.
    k: u32,
    walks: u64,
}

/// The rows of what is left, with a chunk for each of the whole graph's.
struct LeftRows<'a> {
    file: ScratchFile<'a>,
    chunks: Vec<Chunk>,
}

impl<'a> Peeling<'a> {
    /// A graph of which nothing was taken away.
    pub fn new(
        whole: &'a RowFile<'a>,
        scratch: &'a Scratch,
        name: &'static str,
        wanted: WantedTruss,
    ) -> Peeling<'a> {
        let trussness = Numbers::none(scratch.file(format!("{name}-0")), whole);
        let k = match wanted {
            WantedTruss::All => 3,
            // Every edge is in the 2-truss.
            WantedTruss::One(k) => k.max(2),
        };
        Peeling { whole, scratch, name, trussness, left: None, wanted, k, walks: 0 }
    }

    /// The rows of what is left.
    pub fn rows(&self) -> RowFile<'_> {
        let (of, chunks) = match &self.left {
            None => (&self.whole.file, self.whole.chunks),
            Some(LeftRows { file, chunks }) => (file, &chunks[..]),
        };
        RowFile { file: of.again(), chunks }
    }

    /// Takes away the edges on too few triangles for the truss that is looked for. Where all trusses are wanted and all edges are on
    /// enough, that is the next truss that leaves an edge out. `support` has the triangles on each edge that is left. Returns how many
    /// edges went.
    pub fn take_away(&mut self, support: &Numbers, context: &Context) -> Result<u64> {
        if self.wanted == WantedTruss::All {
            self.k = self.k.max(least(&self.rows(), support, context)?.saturating_add(3));
        }
        self.walks += 1;
        let (name, walk) = (self.name, self.walks);
        let trussness = Numbers::none(self.scratch.file(format!("{name}-{walk}")), self.whole);
        let file = self.scratch.file(format!("{name}-rows-{walk}"));
        let chunks: Vec<OnceLock<Chunk>> = vec![OnceLock::new(); self.whole.chunks.len()];
        let gone = AtomicU64::new(0);
        let rows = self.rows();
        workers::each(
            chunks.len(),
            context,
            || Ok((RowRange::default(), Vec::new(), Vec::new(), Vec::new())),
            |(chunk, on_edges, numbers, record), index| {
                rows.chunk(index, chunk)?;
                support.read(&rows, index, on_edges)?;
                self.trussness.read(self.whole, index, numbers)?;
                let wedges = self.chunk_without(chunk, on_edges, numbers, record);
                let heads = (record.len() - chunk.offsets[0] as usize) as u32;
                gone.fetch_add(on_edges.len() as u64 - u64::from(heads), Relaxed);
                trussness.write(index, numbers)?;
                let left =
                    Chunk { heads, wedges, record: file.append(record)?, ..rows.chunks[index] };
                assert!(chunks[index].set(left).is_ok(), "each chunk once");
                Ok(())
            },
            |_| Ok(()),
        )?;
        let chunks = chunks.into_iter().map(|chunk| chunk.into_inner().expect("all chunks"));
        let left = LeftRows { file, chunks: chunks.collect() };
        if let Some(before) = self.left.replace(left) {
            before.file.remove()?;
        }
        std::mem::replace(&mut self.trussness, trussness).remove()?;
        Ok(gone.into_inner())
    }

    /// Writes the lengths of a chunk's rows and then their heads into `record`, without the edges on too few triangles, and the trussness
    /// of these into `numbers`. Returns the wedges of what is left.
    fn chunk_without(
        &self,
        chunk: &RowRange,
        on_edges: &[u32],
        numbers: &mut [u32],
        record: &mut Vec<u32>,
    ) -> u64 {
        let lengths = chunk.offsets[0] as usize;
        record.clear();
        record.resize(lengths, 0);
        let mut not_peeled = numbers.iter_mut().filter(|number| **number == 0);
        let mut edges = chunk.heads[lengths..].iter().zip(on_edges);
        let mut wedges = 0;
        for (row, ends) in chunk.offsets.windows(2).enumerate() {
            for (&head, &triangles) in edges.by_ref().take((ends[1] - ends[0]) as usize) {
                let number = not_peeled.next().expect("an edge of the whole graph for each");
                if triangles < self.k - 2 {
                    *number = self.k - 1;
                } else {
                    record.push(head);
                    wedges += u64::from(record[row]);
                    record[row] += 1;
                }
            }
        }
        wedges
    }

    /// Peels what is left in memory. Returns the trussness of all edges: where one truss is wanted, its k for the edges in it, and less
    /// for the others.
    pub fn finish(self, context: &Context) -> Result<Numbers<'a>> {
        let rows = self.rows();
        let RowRange { first, offsets, heads } = rows.part(0..rows.chunks.len())?;
        assert_eq!(first, 0, "rows of all ranks");
        // No vertex is named here: ranks stand for them.
        let ranks = (0..rows.ranks() as u32).collect();
        let graph = OrientedGraph::new(offsets, heads, ranks)?;
        let on_edges = support::support(&graph, context)?;
        context.phase(Phase::Peel);
        let found = match self.wanted {
            WantedTruss::All => truss::trussness(&graph, on_edges, context)?,
            WantedTruss::One(_) => {
                let stays = truss::k_truss(&graph, on_edges, self.k, context)?;
                stays.into_iter().map(|stays| if stays { self.k } else { 0 }).collect()
            }
        };
        drop((graph, rows));
        self.with_left(&found, context)
    }

    /// The trussness of all edges where what is left is the truss that was looked for, or nothing.
    pub fn finished(self, context: &Context) -> Result<Numbers<'a>> {
        self.with_left(&[], context)
    }

    /// The trussness of all edges. `found` has that of each edge that is left, or none where all are in the truss that was looked for.
    fn with_left(self, found: &[u32], context: &Context) -> Result<Numbers<'a>> {
        let mut first = 0;
        let starts: Vec<usize> = self
            .rows()
            .chunks
            .iter()
            .map(|chunk| {
                first += chunk.heads as usize;
                first - chunk.heads as usize
            })
            .collect();
        let whole = Numbers::none(self.scratch.file(self.name.into()), self.whole);
        workers::each(
            starts.len(),
            context,
            || Ok(Vec::new()),
            |numbers, index| {
                self.trussness.read(self.whole, index, numbers)?;
                let not_peeled = numbers.iter_mut().filter(|number| **number == 0);
                for (place, number) in (starts[index]..).zip(not_peeled) {
                    *number = found.get(place).map_or(self.k, |&found| found.max(self.k - 1));
                }
                whole.write(index, numbers)
            },
            |_| Ok(()),
        )?;
        self.trussness.remove()?;
        if let Some(left) = self.left {
            left.file.remove()?;
        }
        Ok(whole)
    }
}

/// The least number of triangles on an edge of some rows; more than any has where there is no edge.
fn least(rows: &RowFile, support: &Numbers, context: &Context) -> Result<u32> {
    let least = AtomicU32::new(u32::MAX);
    workers::each(
        rows.chunks.len(),
        context,
        || Ok(Vec::new()),
        |numbers, index| {
            support.read(rows, index, numbers)?;
            numbers.iter().min().map(|&number| least.fetch_min(number, Relaxed));
            Ok(())
        },
        |_| Ok(()),
    )?;
    Ok(least.into_inner())
}
