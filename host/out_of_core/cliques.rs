//! Cliques: the neighbourhoods of some rows are in memory, and the rows of their heads come past them, part by part.

use super::no_memory;
use super::past::DiskWork;
use super::rows::{Chunk, RowFile};
use crate::Result;
use crate::control::memory;
use tribin_base::par;
use tribin_cpu::cliques::HeadPairs;
use tribin_cpu::forward::Visitor;

/// Bytes of memory beside those of all vertices and threads that cliques of these rows need at least.
///
/// Half of it is for neighbourhoods. The other half is first for the rows that come past them, and then for the search. Each thread has a
/// matrix of bits of its own, and may have handed another to all threads. No matrix is larger than that of the longest row.
pub(super) fn least_bytes(rows: &RowFile) -> u64 {
    let longest = rows.chunks.iter().map(|chunk| chunk.longest.into()).max().unwrap_or(0u64);
    let matrices = 2 * par::threads() as u64 * longest * longest.div_ceil(64) * 8;
    2 * rows.chunks.iter().map(bytes).max().unwrap_or(0).max(matrices)
}

/// Hands the neighbourhoods of some rows after the other to `each`, until that says `false`. Returns how often rows came past.
pub(super) fn each_neighbourhoods(
    work: DiskWork,
    mut each: impl FnMut(&HeadPairs) -> Result<bool>,
) -> Result<u64> {
    let DiskWork { rows, sizes, context, .. } = work;
    let half = sizes.part_bytes / 2;
    let parts = rows.parts(half);
    context.work().begin(rows.ranks() as u64);
    let mut groups = 0;
    for group in rows.parts_by(half, bytes) {
        groups += 1;
        let pairs = HeadPairs::new(rows.part(group.clone())?).map_err(no_memory)?;
        // Heads are smaller than their tails.
        for part in parts.iter().take_while(|part| part.start < group.end) {
            memory::give_back();
            let held = rows.part(part.clone())?;
            pairs.join(&Visitor::within(&held, rows.ranks(), sizes.hub_bytes), context)?;
        }
        memory::give_back();
        if !each(&pairs)? {
            break;
        }
    }
    Ok(groups)
}

/// Bytes that the rows of a chunk take with their neighbourhoods.
fn bytes(chunk: &Chunk) -> u64 {
    chunk.bytes() + HeadPairs::bytes(chunk.rows.into(), chunk.wedges)
}
