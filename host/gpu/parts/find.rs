//! What is done with rows that come past: their triangles are counted, in all, at each rank, or on each edge.

use std::ops::Range;

use tribin_kernels::forward::TOTALS;
use tribin_kernels::parts::{self, add_words};
use tribin_kernels::rows_past::{forward_merge_past, support_past, vertices_past};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::walk::{DevicePart, Find, PastRows, walk};
use crate::control::{Context, memory};
use crate::device_graph::in_pairs;
use crate::methods::forward::launch_shape;
use crate::plan::Task;
use crate::plan::counting::CountShape;
use crate::plan::method_time;
use crate::plan::row_parts::{RowPartFacts, RowParts};
use crate::{Error, Result};
use tribin_base::par::Pool;
use tribin_parts::RowSource;
use tribin_parts::{EdgeNumbers, FoundInParts};

/// Blocks a multiprocessor of the kernel that adds.
const BLOCKS: u32 = 32;

/// Finds what the task asks for, with parts of these sizes; host work runs on `pool`.
///
/// # Errors
/// What the device, the rows and the numbers' taker report, and [`Error::Cancelled`].
pub fn find<D: Device<Error: Into<Error>>>(
    (device, pool): (&D, &Pool),
    rows: &dyn RowSource,
    on_edges: &mut dyn EdgeNumbers,
    sizes: &RowParts,
    context: &Context,
) -> Result<FoundInParts> {
    let RowPartFacts { task, ranks, edges, .. } = sizes.facts;
    let into = |error: D::Error| -> Error { error.into() };
    let begun = device.record().map_err(into)?;
    let (mut triangles, mut at_ranks) = (0, Vec::new());
    let parts = match task {
        Task::Count => {
            let mut count =
                CountTriangles { totals: Buffer::zeroed(device, TOTALS).map_err(into)? };
            let parts = walk((device, pool), rows, sizes, &mut count, context)?;
            triangles = count.totals.to_vec(device).map_err(into)?.iter().sum();
            parts
        }
        Task::AtVertices => {
            let counters = Buffer::zeroed(device, ranks).map_err(into)?;
            let mut vertices = AtRanks { counters };
            let parts = walk((device, pool), rows, sizes, &mut vertices, context)?;
            at_ranks = vertices.counters.to_vec(device).map_err(into)?;
            parts
        }
        Task::OnEdges => {
            let held = Buffer::zeroed(device, 0).map_err(into)?;
            let mut on_edges = CountOnEdges { held, numbers: on_edges, pool, at: 0 };
            walk((device, pool), rows, sizes, &mut on_edges, context)?
        }
        other => unreachable!("{other:?} is not found in parts"),
    };
    let done = device.record().map_err(into)?;
    let wedges = pool.install(|| rows.wedges());
    let predicted_seconds = method_time::in_parts(sizes.copied(), edges, wedges, CountShape::RATES);
    let seconds = device.seconds_between(&begun, &done).map_err(into)?;
    Ok(FoundInParts {
        triangles,
        at_ranks,
        parts,
        seconds,
        decision: Some(sizes.decision(parts)),
        predicted_seconds,
        predicted_bytes: sizes.bytes(),
        peak_bytes: None,
    })
}

struct CountTriangles<D: Device> {
    totals: Buffer<u64, D>,
}

impl<D: Device<Error: Into<Error>>> Find<D> for CountTriangles<D> {
    fn past(&mut self, device: &D, past: &PastRows<'_, D>, part: &DevicePart<D>) -> Result<()> {
        let part_pairs = in_pairs(part.heads.view());
        let paired = past.heads.address().is_multiple_of(size_of::<u64>() as u64);
        let pairs = if paired { in_pairs(past.heads) } else { part_pairs.slice(0, 0) };
        forward_merge_past(
            device,
            launch_shape(device, past.edges),
            past.tails,
            past.heads,
            pairs,
            u32::from(paired),
            past.starts,
            past.base,
            part.heads.view(),
            part_pairs,
            part.starts.view(),
            self.totals.view_mut(),
            part.first_rank,
            part.rows,
            past.edges,
        )
        .map_err(Into::into)
    }
}

struct AtRanks<D: Device> {
    counters: Buffer<u64, D>,
}

impl<D: Device<Error: Into<Error>>> Find<D> for AtRanks<D> {
    fn past(&mut self, device: &D, past: &PastRows<'_, D>, part: &DevicePart<D>) -> Result<()> {
        vertices_past(
            device,
            launch_shape(device, past.edges),
            past.tails,
            past.heads,
            past.starts,
            past.base,
            part.heads.view(),
            part.starts.view(),
            self.counters.view_mut(),
            past.first_rank,
            part.first_rank,
            part.rows,
            past.edges,
        )
        .map_err(Into::into)
    }
}

struct CountOnEdges<'n, D: Device> {
    /// Counters of the edges of the part.
    held: Buffer<u32, D>,
    numbers: &'n mut dyn EdgeNumbers,
    /// The pool that the numbers are taken on: threads of the callers may be waiting for this.
    pool: &'n Pool,
    /// The number of edges of the part that came past so far.
    at: u64,
}

impl<D: Device<Error: Into<Error>>> Find<D> for CountOnEdges<'_, D> {
    fn begin(&mut self, device: &D, edges: u64) -> Result<()> {
        // What the part before had goes back first.
        self.held = Buffer::uninitialized(device, 0).map_err(Into::into)?;
        self.held = Buffer::zeroed(device, edges).map_err(Into::into)?;
        self.at = 0;
        Ok(())
    }

    fn past(&mut self, device: &D, past: &PastRows<'_, D>, part: &DevicePart<D>) -> Result<()> {
        let into = |error: D::Error| -> Error { error.into() };
        let mut support = Buffer::zeroed(device, past.edges).map_err(into)?;
        support_past(
            device,
            launch_shape(device, past.edges),
            past.tails,
            past.heads,
            past.starts,
            past.base,
            support.view_mut(),
            part.heads.view(),
            part.starts.view(),
            self.held.view_mut(),
            part.first_rank,
            part.rows,
            past.edges,
        )
        .map_err(into)?;
        if !past.is_own {
            let support = support.to_vec(device).map_err(into)?;
            return self.pool.install(|| self.numbers.add(past.units.clone(), &support));
        }
        let own = self.held.view_mut().slice(self.at, past.edges);
        let most = device.multiprocessors() * BLOCKS;
        let shape = Shape::cover(past.edges, parts::BLOCK, most);
        self.at += past.edges;
        add_words(device, shape, support.view(), own, past.edges).map_err(into)
    }

    fn end(&mut self, device: &D, own: &[Range<usize>], rows: &dyn RowSource) -> Result<()> {
        let first = own.first().map_or(0, |units| rows.before(units.start).edges);
        for units in own {
            let (start, end) = (rows.before(units.start).edges, rows.before(units.end).edges);
            let mut numbers = memory::zeroed((end - start) as usize)?;
            self.held.download(device, start - first, &mut numbers).map_err(Into::into)?;
            self.pool.install(|| self.numbers.add(units.clone(), &numbers))?;
        }
        Ok(())
    }
}
