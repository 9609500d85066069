//! The whole graph on every device, from the rows of all parts.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::parts::{
    self, SCAN_SHARED_BYTES, SCAN_TILE, TAILS_TILE, pack_rows, row_starts, tails_of_rows,
};

use super::super::summary::{summary_of_degrees, with_edges};
use super::sort::{Ranks, Sorted};
use super::{Member, OnEach};
use crate::Summary;
use crate::exchange::{Broken, Exchange};
use crate::graph::{DeviceGraph, EdgeShare, WideGraph};

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// Rows of a whole graph.
struct Rows<D: Device> {
    starts: Buffer<u64, D>,
    tails: Buffer<u32, D>,
}

/// Where rows of these lengths begin, one after another, and where the last one ends.
pub(crate) fn starts_of<D: Device>(
    device: &D,
    lengths: &Buffer<u32, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    let n = lengths.len();
    let mut starts = Buffer::uninitialized(device, n + 1)?;
    let tiles = (n + 1).div_ceil(u64::from(SCAN_TILE));
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
        n,
    )?;
    Ok(starts)
}

/// An array of so many words on each device of this process.
fn on_each<D: Member>(
    exchange: &impl Exchange<D>,
    words: u64,
) -> Result<Vec<Buffer<u32, D>>, Broken<D::Error>> {
    Ok(exchange.team().each(|_, device| Buffer::uninitialized(device, words))?)
}

/// Brings every part to every device, where the rows of all follow one another.
pub(super) fn assemble<D: Member>(
    exchange: &impl Exchange<D>,
    sorted: Sorted<D>,
    entries: u64,
    wide: bool,
) -> Result<(OnEach<D>, Summary), Broken<D::Error>> {
    let (team, first, of) = (exchange.team(), exchange.first(), exchange.devices() as u32);
    let edges = sorted.edges();
    let Sorted { heads, lengths, first_edge, first_rank, ranks, self_loops } = sorted;
    let n = first_rank.last().copied().unwrap_or(0);
    let all_lengths = exchange.all_gather(&lengths, &first_rank, on_each(exchange, n)?)?;
    drop(lengths);
    let all_heads = exchange.all_gather(&heads, &first_edge, on_each(exchange, edges)?)?;
    drop(heads);
    let assembled = team.step(all_lengths, |_, device, lengths| {
        let starts = starts_of(device, &lengths)?;
        let mut tails = Buffer::uninitialized(device, edges)?;
        // A warp a tile.
        let warps = edges.div_ceil(u64::from(TAILS_TILE));
        tails_of_rows(
            device,
            Shape::cover(warps * 32, parts::BLOCK, device.multiprocessors() * BLOCKS),
            starts.view(),
            tails.view_mut(),
            n,
        )?;
        Ok(Rows { starts, tails })
    })?;
    let duplicates = entries - self_loops - edges;
    let of_first = |number: usize, device: &D| match number {
        0 => summary_of_degrees(device, &ranks[0].degree_of_rank).map(Some),
        _ => Ok(None),
    };
    let figures = team.each(of_first)?.into_iter().flatten().next().unwrap_or_default();
    let figures = with_edges(figures, edges, self_loops, duplicates);
    let share = |own: usize| EdgeShare { number: (first + own) as u32, of };
    let assembled = assembled.into_iter().zip(all_heads);
    if wide {
        drop(ranks);
        let with_share = |(own, (rows, heads)): (usize, (Rows<D>, Buffer<u32, D>))| {
            let Rows { starts, tails } = rows;
            WideGraph { tails, heads, starts, edges, share: share(own) }
        };
        let graphs = assembled.enumerate().map(with_share).collect();
        return Ok((OnEach::Wide(graphs), figures));
    }
    let inputs = assembled.zip(ranks).collect();
    let graphs = team.step(inputs, |own, device, ((rows, heads), ranks)| {
        let Rows { starts, tails } = rows;
        let Ranks { degree_of_rank, vertex_of_rank } = ranks;
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
