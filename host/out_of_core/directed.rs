//! Triangles and neighbours by the directions of edges, which stand beside the rows.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::no_memory;
use super::past::{DiskWork, each_part, visit};
use super::rows::RowFile;
use super::workers;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{DOWN, RowRange, UP};
use tribin_analytics::cpu::directed::{ByCode, CodeSink};
use tribin_cpu::forward::Visitor;

/// Hands the triangles to sinks, each by the directions of its edges: to one for each chunk that comes past a part. `end` takes the
/// sinks. Returns the number of parts. Memory beside the rows of a part and of a chunk for each thread: a byte for each of their edges.
pub(super) fn each_code<S: CodeSink>(
    work: DiskWork,
    sink: impl Fn() -> S + Sync,
    end: impl Fn(S) + Sync,
) -> Result<u64> {
    let DiskWork { rows, sizes, context, .. } = work;
    each_part(work, |past| {
        let of_part = rows.directions_of(past.part.clone())?;
        let visitor = Visitor::within(&past.held, rows.ranks(), sizes.hub_bytes);
        past.each(Vec::new, |of_chunk, of, index| {
            let is_held = past.part.contains(&index);
            if !is_held {
                rows.directions(index, of_chunk)?;
            }
            let of_tails = if is_held { &of_part } else { of_chunk };
            let mut by_code = ByCode::new([of_tails, &of_part], sink());
            let tails = (of, rows.chunks[index].ranks());
            visit(&visitor, tails, &mut by_code, context)?;
            end(by_code.sink);
            Ok(())
        })?;
        Ok(true)
    })
}

/// The neighbours of each rank: those that an arc leads to and none back, those that one comes from and none goes to, and those of both.
pub(super) fn neighbours(rows: &RowFile, context: &Context) -> Result<Vec<[u32; 3]>> {
    let at_ranks: Vec<[AtomicU32; 3]> = memory::zeroed(rows.ranks()).map_err(no_memory)?;
    let add = |rank: u32, kind: usize| at_ranks[rank as usize][kind].fetch_add(1, Relaxed);
    context.work().begin(rows.chunks.len() as u64);
    workers::each(
        rows.chunks.len(),
        context,
        || Ok((RowRange::default(), Vec::new())),
        |(chunk, directions), index| {
            rows.chunk(index, chunk)?;
            rows.directions(index, directions)?;
            let mut directions = directions.iter();
            for tail in chunk.ranks() {
                for (&head, &directions) in chunk.row(tail).iter().zip(&mut directions) {
                    let [of_tail, of_head] = match directions {
                        DOWN => [0, 1],
                        UP => [1, 0],
                        _ => [2, 2],
                    };
                    add(tail, of_tail);
                    add(head, of_head);
                }
            }
            Ok(())
        },
    )?;
    Ok(at_ranks.into_iter().map(|kinds| kinds.map(AtomicU32::into_inner)).collect())
}
