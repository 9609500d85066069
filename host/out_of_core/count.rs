//! Count: the rows of one part are in memory, and those of all larger ranks come past it, chunk by chunk.
//!
//! A triangle is counted in the part that has the row of its middle rank: where the row of its largest rank comes
//! past, or is in the part itself. Smaller ranks have no such row in the part, and are not read.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::FoundOnDisk;
use super::past::each_part;
use super::rows::RowFile;
use crate::Result;
use crate::control::Context;
use crate::plan::Sizes;
use tribin_cpu::forward::Counter;

/// Triangles of the graph.
pub(super) fn count(rows: &RowFile, sizes: &Sizes, context: &Context) -> Result<FoundOnDisk<u64>> {
    let triangles = AtomicU64::new(0);
    let parts = each_part(rows, sizes, context, |past| {
        let counter = Counter::new(&past.held, rows.ranks(), sizes.hub_bytes);
        past.each(
            context,
            || (),
            |(), of, index| {
                triangles.fetch_add(counter.count(of, rows.chunks[index].ranks()), Relaxed);
                Ok(())
            },
            |()| (),
        )?;
        Ok(true)
    })?;
    Ok(FoundOnDisk::on_cpu(triangles.into_inner(), parts))
}
