//! Count: the rows of one part are in memory, and those of all larger ranks come past it, chunk by chunk.
//!
//! A triangle is counted in the part that has the row of its middle rank: where the row of its largest rank comes
//! past, or is in the part itself. Smaller ranks have no such row in the part, and are not read.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::past::Past;
use super::rows::RowFile;
use crate::Result;
use crate::control::{Context, memory};
use crate::plan::Sizes;
use tribin_cpu::forward::Counter;

/// Triangles of the graph, and the number of parts.
pub(super) fn count(rows: &RowFile, sizes: &Sizes, context: &Context) -> Result<(u64, u64)> {
    let ranks = rows.chunks.last().map_or(0, |chunk| chunk.ranks().end as usize);
    let parts = rows.parts(sizes.part_bytes);
    context.work().begin(parts.iter().map(|part| (rows.chunks.len() - part.start) as u64).sum());
    let triangles = AtomicU64::new(0);
    for part in &parts {
        // What the part before took goes back, before this one takes as much.
        memory::give_back();
        let held = rows.part(part.clone())?;
        let counter = Counter::new(&held, ranks, sizes.hub_bytes);
        let past = Past { rows, held: &held, part: part.clone() };
        past.each(
            context,
            || (),
            |(), of, tails| {
                triangles.fetch_add(counter.count(of, tails), Relaxed);
                Ok(())
            },
            |()| (),
        )?;
    }
    Ok((triangles.into_inner(), parts.len() as u64))
}
