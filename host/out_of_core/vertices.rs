//! What was found by rank, in the order of the vertices.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bytemuck::Pod;

use super::kept::DiskVertices;
use super::no_memory;
use super::scratch::Scratch;
use crate::Result;
use crate::control::{Context, memory};
use crate::plan::VERTEX_RECORD;
use tribin_base::par;

/// The degrees in the order of the vertices. 8 bytes a vertex at the peak.
pub(super) fn degrees(
    kept: &DiskVertices,
    scratch: &Scratch,
    context: &Context,
) -> Result<Vec<u32>> {
    in_order(&kept.degrees_by_rank(scratch, context)?, kept, scratch, context)
}

/// The number of each rank in the order of the vertices; 0 of ranks that have none.
pub(super) fn in_order<N: Pod + Send + Sync>(
    of_ranks: &[N],
    kept: &DiskVertices,
    scratch: &Scratch,
    context: &Context,
) -> Result<Vec<N>> {
    let mut numbers: Vec<N> = memory::zeroed(kept.bound).map_err(no_memory)?;
    kept.in_order(scratch, context, &mut numbers, |ranks, own| {
        for (own, &rank) in own.iter_mut().zip(ranks) {
            *own = of_ranks.get(rank as usize).copied().unwrap_or(N::zeroed());
        }
    })?;
    Ok(numbers)
}

/// The vertex of each rank.
pub(super) fn vertex_of_rank(
    kept: &DiskVertices,
    scratch: &Scratch,
    context: &Context,
) -> Result<Vec<u32>> {
    let zeros: Vec<u32> = memory::zeroed(kept.bound).map_err(no_memory)?;
    let vertices: Vec<AtomicU32> = zeros.into_iter().map(AtomicU32::new).collect();
    par::try_for_each(kept.ranks.iter().enumerate(), |(index, &record)| {
        context.cancel().check()?;
        let mut ranks: Vec<u32> = Vec::new();
        kept.file(scratch).read(record, &mut ranks)?;
        let first = (index * VERTEX_RECORD) as u32;
        ranks.iter().zip(first..).for_each(|(&rank, v)| vertices[rank as usize].store(v, Relaxed));
        Ok::<(), crate::Error>(())
    })?;
    Ok(vertices.into_iter().map(AtomicU32::into_inner).collect())
}
