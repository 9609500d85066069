//! The walk: one part of the rows in memory after the other, and all rows that come past it.

use std::ops::Range;

use super::no_memory;
use super::rows::RowFile;
use super::scratch::Scratch;
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::RowRange;
use crate::plan::Sizes;
use tribin_cpu::forward::{ByRow, PlaceCounter, RowSink, Sink, Visitor, pieces_of};

/// Wedges between two looks at whether the work is to stop: some milliseconds.
const WEDGES: u64 = 1 << 20;

/// The rows that something is found in, and what it is found with.
#[derive(Clone, Copy)]
pub(super) struct DiskWork<'a> {
    pub rows: &'a RowFile<'a>,
    pub scratch: &'a Scratch,
    pub sizes: &'a Sizes,
    pub context: &'a Context<'a>,
}

/// A part of the rows. Its own rows and all behind them come past it.
pub(super) struct Past<'a> {
    pub work: DiskWork<'a>,
    /// The rows of the part.
    pub held: RowRange,
    /// The part's chunks.
    pub part: Range<usize>,
}

/// Hands one part of the rows after the other to `each`, in memory, until that says `false`. Returns the number of parts.
/// The gauge counts the chunks that come past.
pub(super) fn each_part(
    work: DiskWork,
    mut each: impl FnMut(&Past) -> Result<bool>,
) -> Result<u64> {
    let DiskWork { rows, sizes, context, .. } = work;
    let parts = rows.parts(sizes.part_bytes);
    context.work().begin(parts.iter().map(|part| (rows.chunks.len() - part.start) as u64).sum());
    for part in &parts {
        // What the part before took goes back, before this one takes as much.
        memory::give_back();
        if !each(&Past { work, held: rows.part(part.clone())?, part: part.clone() })? {
            break;
        }
    }
    Ok(parts.len() as u64)
}

impl Past<'_> {
    /// Hands the rows of each chunk that comes past to `work`, with the chunk's index and a sink of the thread's own; returns the
    /// sinks.
    ///
    /// # Errors
    /// What `work` returns, what reading a chunk does, and [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn each<S: Send>(
        &self,
        sink: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &RowRange, usize) -> Result<()> + Sync,
    ) -> Result<Vec<S>> {
        let rows = self.work.rows;
        let states = workers::each(
            rows.chunks.len() - self.part.start,
            self.work.context,
            || Ok((RowRange::default(), sink())),
            |(chunk, sink), index| {
                let index = self.part.start + index;
                if self.part.contains(&index) {
                    return work(sink, &self.held, index);
                }
                rows.chunk(index, chunk)?;
                work(sink, chunk, index)
            },
        )?;
        Ok(states.into_iter().map(|(_, sink)| sink).collect())
    }
}

/// What finds the triangles whose middle ranks are in a part.
pub(super) enum PartFinder<'g> {
    /// As numbers for each edge of a row.
    Places(PlaceCounter<'g>),
    /// One by one.
    Visitor(Visitor<'g>),
}

impl<'g> PartFinder<'g> {
    /// The faster one, in a graph of `ranks` ranks. `thirds` says whether the sinks want third edges.
    ///
    /// # Errors
    /// No memory for the places of the hubs' edges.
    pub fn new(
        held: &'g RowRange,
        ranks: usize,
        thirds: bool,
        hub_bytes: u64,
    ) -> Result<PartFinder<'g>> {
        if !PlaceCounter::is_faster() {
            return Ok(PartFinder::Visitor(Visitor::within(held, ranks, hub_bytes)));
        }
        let counter = PlaceCounter::within(held, ranks, thirds, hub_bytes);
        Ok(PartFinder::Places(counter.map_err(no_memory)?))
    }

    /// Hands the triangles of some rows to a sink.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn find(
        &self,
        of: &RowRange,
        tails: Range<u32>,
        sink: &mut impl RowSink,
        context: &Context,
    ) -> Result<()> {
        match self {
            PartFinder::Places(counter) => {
                counter.count_of(of, tails, sink);
                Ok(())
            }
            PartFinder::Visitor(visitor) => {
                visit(visitor, (of, tails), &mut ByRow::new(sink), context)
            }
        }
    }
}

/// Hands the triangles of some rows to a sink, one by one.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub(super) fn visit(
    visitor: &Visitor,
    (of, tails): (&RowRange, Range<u32>),
    sink: &mut impl Sink,
    context: &Context,
) -> Result<()> {
    pieces_of(of, tails, WEDGES).into_iter().try_for_each(|piece| {
        context.cancel().check()?;
        visitor.visit_of(of, piece, sink);
        Ok(())
    })
}
