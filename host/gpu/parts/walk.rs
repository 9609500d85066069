//! The order in which parts and pieces go to a device.
//!
//! One thread reads rows ahead, and the device's thread copies them and asks for the work on them. So at most three pieces
//! are in host memory: one that is read, one that waits, and one that is copied.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use warpwise_device::launch::{Buffer, Device, View};

use crate::control::Context;
use crate::device_graph::write_rows_of_places;
use crate::plan::row_parts::RowParts;
use crate::processor;
use crate::{Error, Result};
use tribin_base::par::Pool;
use tribin_parts::{HostRows, RowSource};

/// The rows of a part, in device memory: as many as were copied yet.
pub struct DevicePart<D: Device> {
    /// The place in `heads` where each row begins, and where the last one ends.
    pub starts: Buffer<u32, D>,
    /// The heads of the rows, with two words behind them.
    pub heads: Buffer<u32, D>,
    pub first_rank: u32,
    /// Rows that are there.
    pub rows: u64,
    /// Edges that are there.
    edges: u64,
}

impl<D: Device> DevicePart<D> {
    fn new(device: &D, first_rank: u64, rows: u64, edges: u64) -> Result<DevicePart<D>, D::Error> {
        Ok(DevicePart {
            starts: Buffer::uninitialized(device, rows + 1)?,
            heads: Buffer::uninitialized(device, edges + 2)?,
            first_rank: first_rank as u32,
            rows: 0,
            edges: 0,
        })
    }

    /// Copies the rows that follow. Kernels may look at the words behind them.
    fn append(&mut self, device: &D, rows: &HostRows<'_>) -> Result<(), D::Error> {
        self.starts.upload(device, self.rows, &rows.starts)?;
        self.heads.upload(device, self.edges, &rows.heads)?;
        self.rows += rows.starts.len() as u64 - 1;
        self.edges += rows.heads.len() as u64;
        self.heads.upload(device, self.edges, &[0; 2])
    }
}

/// Rows that come past a part, in device memory.
pub struct PastRows<'a, D: Device> {
    /// The row of each place.
    pub tails: View<'a, u32, D>,
    pub heads: View<'a, u32, D>,
    /// Where each row begins, from `base` on.
    pub starts: View<'a, u32, D>,
    pub base: u32,
    /// The rank of the first row.
    pub first_rank: u32,
    pub edges: u64,
    /// The units whose rows come past.
    pub units: Range<usize>,
    /// Whether the rows are the part's own.
    pub is_own: bool,
}

/// A finder of something in rows that come past.
pub trait Find<D: Device> {
    /// Begins a part of `edges` edges.
    fn begin(&mut self, device: &D, edges: u64) -> Result<()> {
        let _ = (device, edges);
        Ok(())
    }

    /// Takes the edges of some rows whose heads' rows the part has.
    fn past(&mut self, device: &D, past: &PastRows<'_, D>, part: &DevicePart<D>) -> Result<()>;

    /// A part is through, whose own rows came in these pieces.
    fn end(&mut self, device: &D, own: &[Range<usize>], rows: &dyn RowSource) -> Result<()> {
        let _ = (device, own, rows);
        Ok(())
    }
}

/// A piece that comes past a part.
struct PassPiece {
    units: Range<usize>,
    is_own: bool,
    /// Edges before the place that its starts are counted from.
    base: u64,
}

/// A part, and all that comes past it: first its own rows, and then those behind it.
struct Pass {
    part: Range<usize>,
    pieces: Vec<PassPiece>,
}

/// The first unit below `all` from which on something holds; `all` if it holds for none. O(log all).
fn first_unit(all: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, all);
    while low < high {
        let middle = low + (high - low) / 2;
        match holds(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

/// All parts. Rows without edges at both ends are left out.
fn passes(rows: &dyn RowSource, sizes: &RowParts) -> Vec<Pass> {
    let before = |unit| rows.before(unit);
    let (all, edges) = (rows.units(), before(rows.units()).edges);
    let mut first = first_unit(all, |unit| before(unit).edges > 0).saturating_sub(1);
    let end = first_unit(all, |unit| before(unit).edges == edges);
    let mut passes = Vec::new();
    while first < end {
        let part = first..sizes.end_of_part(before, first..end);
        let mut pieces = Vec::new();
        let mut next = part.start;
        while next < end {
            let is_own = next < part.end;
            let most = if is_own { part.end } else { end };
            let units = next..sizes.end_of_piece(before, next..most);
            let base = before(if is_own { part.start } else { next }).edges;
            next = units.end;
            pieces.push(PassPiece { units, is_own, base });
        }
        first = part.end;
        passes.push(Pass { part, pieces });
    }
    passes
}

/// Lets all rows behind each part come past it; gives the number of parts.
///
/// # Errors
/// What the device, the rows and `find` report, and [`Error::Cancelled`].
pub fn walk<D: Device<Error: Into<Error>>>(
    (device, pool): (&D, &Pool),
    rows: &dyn RowSource,
    sizes: &RowParts,
    find: &mut dyn Find<D>,
    context: &Context,
) -> Result<u64> {
    let passes = passes(rows, sizes);
    context.work().begin(passes.iter().map(|pass| pass.pieces.len() as u64).sum());
    thread::scope(|scope| {
        let (ahead, read) = sync_channel(1);
        let pieces = || passes.iter().flat_map(|pass| &pass.pieces);
        let reader = move || {
            for piece in pieces() {
                let found = pool.install(|| rows.rows(piece.units.clone(), piece.base));
                let failed = found.is_err();
                // Nobody listens any more where the device failed.
                if ahead.send(found).is_err() || failed {
                    return;
                }
            }
        };
        let spawned = thread::Builder::new().name("rows".into()).spawn_scoped(scope, reader);
        spawned.map_err(|error| processor::no_threads(1, error))?;
        for pass in &passes {
            past_part(device, (rows, pass), &read, find, context)?;
        }
        Ok(passes.len() as u64)
    })
}

/// One part.
fn past_part<D: Device<Error: Into<Error>>>(
    device: &D,
    (source, pass): (&dyn RowSource, &Pass),
    read: &Receiver<Result<HostRows<'_>>>,
    find: &mut dyn Find<D>,
    context: &Context,
) -> Result<()> {
    let into = |error: D::Error| -> Error { error.into() };
    let (first, end) = (source.before(pass.part.start), source.before(pass.part.end));
    let (ranks, edges) = (end.rows - first.rows, end.edges - first.edges);
    let mut part = DevicePart::new(device, first.rows, ranks, edges).map_err(into)?;
    find.begin(device, edges)?;
    for PassPiece { units, is_own, base } in &pass.pieces {
        context.cancel().check()?;
        // The reader sends an error, or all.
        let rows = read.recv().expect("the reader reads to the end")?;
        let edges = rows.heads.len() as u64;
        let number = rows.starts.len() as u64 - 1;
        let (own_starts, own_heads);
        let (starts, heads, base) = if *is_own {
            let (row, place) = (part.rows, part.edges);
            part.append(device, &rows).map_err(into)?;
            let starts = part.starts.view().slice(row, number + 1);
            (starts, part.heads.view().slice(place, edges), place as u32)
        } else {
            own_starts = Buffer::from_host(device, &rows.starts).map_err(into)?;
            own_heads = Buffer::from_host(device, &rows.heads).map_err(into)?;
            debug_assert_eq!(*base, source.before(units.start).edges);
            (own_starts.view(), own_heads.view(), 0)
        };
        drop(rows);
        if edges > 0 {
            let mut tails = Buffer::uninitialized(device, edges).map_err(into)?;
            write_rows_of_places(device, starts, tails.view_mut(), base, number).map_err(into)?;
            let past = PastRows {
                tails: tails.view(),
                heads,
                starts,
                base,
                first_rank: source.before(units.start).rows as u32,
                edges,
                units: units.clone(),
                is_own: *is_own,
            };
            find.past(device, &past, &part)?;
        }
        context.work().add(1);
    }
    let own = pass.pieces.iter().filter(|piece| piece.is_own).map(|piece| piece.units.clone());
    find.end(device, &own.collect::<Vec<_>>(), source)
}
