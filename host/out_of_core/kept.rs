//! What is kept of the vertices beside their rows, for results that name them: each vertex's rank and each rank's
//! degree, in scratch files.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use bytemuck::Pod;

use super::no_memory;
use super::scratch::{Record, Scratch};
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::VertexIds;
use crate::plan::VERTEX_RECORD;
use tribin_base::par;

/// Vertices with a self-loop, a bit each.
#[derive(Default)]
pub(super) struct Looped(Vec<AtomicU64>);

impl Looped {
    /// None of `bound` vertices.
    pub fn none_of(bound: usize) -> Result<Looped> {
        Ok(Looped(memory::zeroed(bound.div_ceil(64)).map_err(no_memory)?))
    }

    /// Marks a vertex.
    pub fn mark(&self, v: u32) {
        self.0[v as usize / 64].fetch_or(1 << (v % 64), Relaxed);
    }

    /// Whether a vertex was marked.
    pub fn contains(&self, v: u32) -> bool {
        self.0[v as usize / 64].load(Relaxed) >> (v % 64) & 1 == 1
    }
}

/// The vertices of a graph on disk.
pub(super) struct DiskVertices {
    /// One more than the largest vertex.
    pub bound: usize,
    /// The ids of the vertices; `None` for names, which were not kept.
    pub ids: Option<VertexIds>,
    /// Where the ids are all that entries name, or the source declares the number, the number of all vertices.
    pub all: Option<u64>,
    pub looped: Looped,
    /// The rank of each vertex.
    pub ranks: Vec<Record>,
    /// The degree of each rank.
    pub degrees: Vec<Record>,
}

/// The file with the rank of each vertex.
pub(super) const RANKS: &str = "ranks";

/// The file with the degree of each rank.
pub(super) const DEGREES: &str = "degrees";

/// Writes a file of numbers in records of [`VERTEX_RECORD`].
pub(super) fn write(
    name: &str,
    numbers: &[u32],
    scratch: &Scratch,
    context: &Context,
) -> Result<Vec<Record>> {
    let (file, mut records) = (scratch.file(name.into()), Vec::new());
    for record in numbers.chunks(VERTEX_RECORD) {
        context.cancel().check()?;
        memory::reserve(&mut records, 1).map_err(no_memory)?;
        records.push(file.append(record)?);
    }
    Ok(records)
}

impl DiskVertices {
    /// The ranks of the vertices of one record, in their order.
    pub fn read_ranks(
        &self,
        record: Record,
        scratch: &Scratch,
        context: &Context,
    ) -> Result<Vec<u32>> {
        context.cancel().check()?;
        let mut ranks = Vec::new();
        scratch.file(RANKS.into()).read(record, &mut ranks)?;
        Ok(ranks)
    }

    /// The number of each rank in the order of the vertices; 0 of ranks that have none.
    pub fn in_order<N: Pod + Send + Sync>(
        &self,
        of_ranks: &[N],
        scratch: &Scratch,
        context: &Context,
    ) -> Result<Vec<N>> {
        let mut numbers: Vec<N> = memory::zeroed(self.bound).map_err(no_memory)?;
        let chunks = numbers.chunks_mut(VERTEX_RECORD).zip(&self.ranks);
        par::try_for_each(chunks, |(own, &record)| -> Result<()> {
            let ranks = self.read_ranks(record, scratch, context)?;
            for (own, rank) in own.iter_mut().zip(ranks) {
                *own = of_ranks.get(rank as usize).copied().unwrap_or(N::zeroed());
            }
            Ok(())
        })?;
        Ok(numbers)
    }

    /// The vertex of each rank.
    pub fn vertex_of_rank(&self, scratch: &Scratch, context: &Context) -> Result<Vec<u32>> {
        let vertices: Vec<AtomicU32> = memory::zeroed(self.bound).map_err(no_memory)?;
        par::try_for_each(self.ranks.iter().enumerate(), |(index, &record)| -> Result<()> {
            let ranks = self.read_ranks(record, scratch, context)?;
            for (rank, vertex) in ranks.into_iter().zip((index * VERTEX_RECORD) as u32..) {
                vertices[rank as usize].store(vertex, Relaxed);
            }
            Ok(())
        })?;
        Ok(vertices.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// The degrees in the order of the vertices. 8 bytes a vertex at the peak.
    pub fn degrees(&self, scratch: &Scratch, context: &Context) -> Result<Vec<u32>> {
        self.in_order(&self.degrees_by_rank(scratch, context)?, scratch, context)
    }

    /// The degree of each rank that can have edges.
    pub fn degrees_by_rank(&self, scratch: &Scratch, context: &Context) -> Result<Vec<u32>> {
        let file = scratch.file(DEGREES.into());
        let ranks = self.degrees.iter().map(Record::elements::<u32>).sum();
        let mut degrees: Vec<u32> = memory::zeroed(ranks).map_err(no_memory)?;
        let chunks = degrees.chunks_mut(VERTEX_RECORD).zip(&self.degrees);
        par::try_for_each(chunks, |(own, &record)| {
            context.cancel().check()?;
            file.read_exactly(record, own)
        })?;
        Ok(degrees)
    }
}
