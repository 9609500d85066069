//! Count where a rank has no memory for all rows: they come by in pieces.
//!
//! A piece is the rows of consecutive ranks of vertices, brought to all ranks of the job. Each counts the triangles whose
//! middle vertex is in the piece and whose largest is one of its own rows. So every triangle is counted once, by the rank
//! that has the row of its largest vertex, when the row of its middle one comes by.

use super::rows;
use crate::control::Context;
use crate::graph::{RowRange, by_edges};
use crate::ranks::Ranks;
use tribin_base::{Result, par};
use tribin_cpu::forward::Counter;

/// Heads of the rows that a task takes, about.
const TASK: u64 = 1 << 15;

/// Counts this rank's triangles, and the pieces. A piece has at most `piece` edges, or one row. Memory: a piece, and half
/// as much for bits of its rows.
pub(super) fn count(
    ranks: &Ranks,
    offsets: &[u64],
    own: &RowRange,
    piece: u64,
    context: &Context,
) -> Result<(u64, u64)> {
    let vertices = offsets.len() - 1;
    let edges = offsets[vertices];
    context.work().begin(edges);
    let (mut triangles, mut pieces) = (0, 0);
    // Rows without edges come first, and last.
    let mut next = offsets.partition_point(|&offset| offset == 0).saturating_sub(1);
    while next < vertices && offsets[next] < edges {
        context.cancel().check()?;
        let most = offsets[next].saturating_add(piece);
        let end = offsets.partition_point(|&offset| offset <= most) - 1;
        let tails = next..end.clamp(next + 1, vertices);
        next = tails.end;
        let base = offsets[tails.start];
        let rows = RowRange {
            first: tails.start as u32,
            offsets: offsets[tails.start..=tails.end].iter().map(|offset| offset - base).collect(),
            heads: rows::gather(ranks, offsets, own, tails)?,
        };
        let counter = Counter::new(&rows, vertices, 2 * piece);
        let found = par::try_map(by_edges(&own.offsets, TASK), |own_rows| -> Result<u64> {
            context.cancel().check()?;
            Ok(counter.count(own, own_rows))
        })?;
        triangles += found.into_iter().sum::<u64>();
        context.work().add(rows.heads.len() as u64);
        pieces += 1;
    }
    Ok((triangles, pieces))
}
