//! List: every triangle, part by part as in counting.

use super::past::{DiskWork, each_part};
use crate::Result;
use crate::graph::RowRange;
use crate::plan::LISTED_WEDGES;
use tribin_analytics::cpu::list::ListSink;
use tribin_base::par;
use tribin_cpu::forward::{Piece, Visitor, pieces_of};

/// Hands all triangles to `take`, some blocks at a time, on this thread: vertices, ascending in each triangle. The order
/// depends on the graph and the parts alone. A block has at most 2 [`LISTED_WEDGES`] triangles and those of one edge, and
/// as many blocks are there at a time as there are threads. Work ends where `take` says `false`.
/// Returns the number of parts.
pub(super) fn list(
    work: DiskWork,
    vertex_of_rank: &[u32],
    take: &mut dyn FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool>,
) -> Result<u64> {
    let DiskWork { rows, sizes, context, .. } = work;
    let threads = par::threads();
    let mut passing: Vec<RowRange> = Vec::new();
    each_part(work, |past| {
        let visitor = Visitor::within(&past.held, rows.ranks(), sizes.hub_bytes);
        let mut next = past.part.start;
        while next < rows.chunks.len() {
            context.cancel().check()?;
            // Either all of them are held, or none.
            let end = if next < past.part.end { past.part.end } else { rows.chunks.len() };
            let group = next..end.min(next + threads);
            next = group.end;
            let is_held = past.part.contains(&group.start);
            if !is_held {
                passing.resize_with(group.len(), RowRange::default);
                let chunks = passing.iter_mut().zip(group.clone());
                par::try_for_each(chunks, |(chunk, index)| rows.chunk(index, chunk))?;
            }
            let mut pieces: Vec<(&RowRange, Piece)> = Vec::new();
            for (place, index) in group.clone().enumerate() {
                let of = if is_held { &past.held } else { &passing[place] };
                let cut = pieces_of(of, rows.chunks[index].ranks(), LISTED_WEDGES);
                pieces.extend(cut.into_iter().map(|piece| (of, piece)));
            }
            for batch in pieces.chunks(threads) {
                context.cancel().check()?;
                let list = |(of, piece): &(&RowRange, Piece)| {
                    let mut sink = ListSink::default();
                    visitor.visit_of(of, piece.clone(), &mut sink);
                    sink.into_vertices(vertex_of_rank)
                };
                if !take(par::map(batch, list))? {
                    return Ok(false);
                }
            }
            context.work().add(group.len() as u64);
        }
        Ok(true)
    })
}
