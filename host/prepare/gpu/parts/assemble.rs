//! The whole graph on every device, from the rows of all parts.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::parts::{
    self, LAY_OUT_TILE, SCAN_SHARED_BYTES, SCAN_TILE, lay_out_rows, pack_rows, row_starts,
};

use super::super::summary::{summary_of_degrees, with_edges};
use super::sort::{Ranks, Sorted};
use super::{Member, OnEach};
use crate::Summary;
use crate::exchange::{Broken, Exchange};
use crate::graph::{DeviceGraph, EdgeShare, WideGraph};

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// A graph that is being assembled.
struct Assembly<D: Device> {
    starts: Buffer<u64, D>,
    lengths: Buffer<u32, D>,
    tails: Buffer<u32, D>,
    heads: Buffer<u32, D>,
}

/// Where each row begins among the rows of the ranks `first`, `first + step`, …, and where the last one ends.
pub(crate) fn starts_of<D: Device>(
    device: &D,
    lengths: &Buffer<u32, D>,
    first: u64,
    step: u64,
) -> Result<Buffer<u64, D>, D::Error> {
    let count = rows_of(lengths.len(), first, step);
    let mut starts = Buffer::uninitialized(device, count + 1)?;
    let tiles = (count + 1).div_ceil(u64::from(SCAN_TILE));
    let mut words = Buffer::zeroed(device, tiles)?;
    let mut ticket = Buffer::zeroed(device, 1)?;
    row_starts(
        device,
        // Fewer than 2³² ranks are fewer than 2²² tiles.
        Shape::new(tiles as u32, parts::BLOCK).shared(SCAN_SHARED_BYTES),
        lengths.view(),
        starts.view_mut(),
        words.view_mut(),
        ticket.view_mut(),
        count,
        first,
        step,
    )?;
    Ok(starts)
}

/// How many of the ranks `0..n` are `first`, `first + step`, …
fn rows_of(n: u64, first: u64, step: u64) -> u64 {
    n.saturating_sub(first).div_ceil(step)
}

/// Brings every part to every device, and lays out the rows of all.
pub(super) fn assemble<D: Member>(
    exchange: &impl Exchange<D>,
    sorted: Sorted<D>,
    (entries, parts): (u64, u32),
    wide: bool,
) -> Result<(OnEach<D>, Summary), Broken<D::Error>> {
    let (team, first, of) = (exchange.team(), exchange.first(), exchange.devices() as u32);
    let Sorted { blocks, lengths, ranks, self_loops, edges } = sorted;
    let begun = team.step(lengths, |_, device, lengths| {
        Ok(Assembly {
            starts: starts_of(device, &lengths, 0, 1)?,
            lengths,
            tails: Buffer::uninitialized(device, edges)?,
            heads: Buffer::uninitialized(device, edges)?,
        })
    })?;
    let all = parts as usize;
    let assembled =
        exchange.all_gather(&blocks, all, begun, |_, device, assembly, part, block| {
            let Assembly { starts, lengths, tails, heads } = assembly;
            let (first, parts) = (part as u64, u64::from(parts));
            let own = starts_of(device, lengths, first, parts)?;
            let count = own.len() - 1;
            // A warp a tile.
            let warps = block.len().div_ceil(u64::from(LAY_OUT_TILE));
            lay_out_rows(
                device,
                Shape::cover(warps * 32, parts::BLOCK, device.multiprocessors() * BLOCKS),
                block.view(),
                own.view(),
                starts.view(),
                tails.view_mut(),
                heads.view_mut(),
                count,
                first,
                parts,
            )
        })?;
    drop(blocks);
    let duplicates = entries - self_loops - edges;
    let of_first = |number: usize, device: &D| match number {
        0 => summary_of_degrees(device, &ranks[0].degree_of_rank).map(Some),
        _ => Ok(None),
    };
    let figures = team.each(of_first)?.into_iter().flatten().next().unwrap_or_default();
    let figures = with_edges(figures, edges, self_loops, duplicates);
    let share = |own: usize| EdgeShare { number: (first + own) as u32, of };
    if wide {
        drop(ranks);
        let with_share = |(own, assembly): (usize, Assembly<D>)| {
            let Assembly { starts, tails, heads, .. } = assembly;
            WideGraph { tails, heads, starts, edges, share: share(own) }
        };
        let graphs = assembled.into_iter().enumerate().map(with_share).collect();
        return Ok((OnEach::Wide(graphs), figures));
    }
    let inputs = assembled.into_iter().zip(ranks).collect();
    let graphs = team.step(inputs, |own, device, (assembly, ranks)| {
        let Assembly { starts, lengths, tails, heads } = assembly;
        let Ranks { degree_of_rank, vertex_of_rank } = ranks;
        let n = lengths.len();
        let mut rows = Buffer::uninitialized(device, 2 * n)?;
        pack_rows(
            device,
            Shape::cover(n, parts::BLOCK, device.multiprocessors() * BLOCKS),
            starts.view(),
            rows.view_mut().cast(),
            n,
        )?;
        Ok(DeviceGraph {
            tails,
            heads,
            rows,
            degree_of_rank,
            vertex_of_rank,
            edges,
            self_loops,
            duplicates,
            share: share(own),
        })
    })?;
    Ok((OnEach::Narrow(graphs), figures))
}
