//! The whole graph on every device, from the rows of all parts.

use tribin_kernels::parts::{self, TAILS_TILE, pack_rows, tails_of_rows};
use warpwise_device::launch::{Buffer, Device, Shape};
use warpwise_primitives::prefix_sums::prefix_sums;

use super::super::summary::{summary_of_degrees, with_edges};
use super::Member;
use super::sort::{RankedVertices, Sorted};
use crate::Summary;
use crate::device::team::Failed;
use crate::device_graph::{DeviceGraph, EdgeShare};
use crate::exchange::PeerCopies;

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// Rows of a whole graph.
struct WholeRows<D: Device> {
    starts: Buffer<u64, D>,
    tails: Buffer<u32, D>,
}

/// Where rows of these lengths begin, one after another, and where the last one ends.
pub fn starts_of<D: Device>(
    device: &D,
    lengths: &Buffer<u32, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    let mut starts = Buffer::uninitialized(device, lengths.len() + 1)?;
    prefix_sums(device, lengths.view(), starts.view_mut())?;
    Ok(starts)
}

/// The whole graph on every device, and its figures.
type Assembled<D> = (Vec<DeviceGraph<D>>, Summary);

/// Brings every part to every device, where the rows of all follow one another.
pub(super) fn assemble<D: Member>(
    exchange: &PeerCopies<D>,
    sorted: Sorted<D>,
    entries: u64,
) -> Result<Assembled<D>, Failed<D::Error>> {
    let (team, of) = (exchange.team(), exchange.devices() as u32);
    let edges = sorted.edges();
    let Sorted { heads, lengths, first_edge, first_rank, ranks, self_loops } = sorted;
    let n = first_rank.last().copied().unwrap_or(0);
    let all_lengths = exchange.all_gather(&lengths, &first_rank)?;
    drop(lengths);
    let all_heads = exchange.all_gather(&heads, &first_edge)?;
    drop(heads);
    let rows_of = |_: usize, device: &D, lengths: Buffer<u32, D>| {
        let starts = starts_of(device, &lengths)?;
        let mut tails = Buffer::uninitialized(device, edges)?;
        // A warp a tile.
        let warps = (edges + n).div_ceil(u64::from(TAILS_TILE));
        tails_of_rows(
            device,
            Shape::cover(warps * 32, parts::BLOCK, device.multiprocessors() * BLOCKS),
            starts.view(),
            tails.view_mut(),
            0,
            n,
        )?;
        Ok(WholeRows { starts, tails })
    };
    let rows = team.step(all_lengths, rows_of)?;
    let duplicates = entries - self_loops - edges;
    let of_first = |number: usize, device: &D| match number {
        0 => summary_of_degrees(device, &ranks[0].degree_of_rank).map(Some),
        _ => Ok(None),
    };
    let figures = team.each(of_first)?.into_iter().flatten().next().unwrap_or_default();
    let figures = with_edges(figures, edges, self_loops, duplicates);
    let inputs = all_heads.into_iter().zip(rows).zip(ranks).collect();
    let graphs = team.step(inputs, |own, device, ((heads, rows), ranks)| {
        let WholeRows { starts, tails } = rows;
        let RankedVertices { degree_of_rank, vertex_of_rank } = ranks;
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
            share: EdgeShare { number: own as u32, of },
        })
    })?;
    Ok((graphs, figures))
}
