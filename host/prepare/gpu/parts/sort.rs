//! Keys to their parts, and every part in order.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::both_directions;
use tribin_kernels::parts::{self, MOST_PARTS, TILE, part_keys, part_lengths, part_sizes};

use super::super::keys::{Counted, Orientation, OrientedKeys, WORDS, orient_by};
use super::super::radix_sort::Histograms;
use super::super::rows::clean;
use super::super::vertex_order::VertexOrder;
use super::order::{Decided, sum_of_all};
use super::{Loaded, Member, Stopped};
use crate::device::team::{Failed, Team};
use crate::exchange::{Block, Broken, Exchange, Pieces, Reduction};
use crate::plan::memory::MAX_ENTRIES;

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// The keys of every device, cut into parts.
pub(super) struct Parted<D: Device> {
    pub pieces: Vec<Pieces<D>>,
    pub ranks: Vec<Ranks<D>>,
    pub rank_bits: u32,
    pub sorted_from: u32,
    pub self_loops: u64,
}

/// What a device knows of the ranks.
pub(super) struct Ranks<D: Device> {
    pub degree_of_rank: Buffer<u32, D>,
    pub vertex_of_rank: Buffer<u32, D>,
}

/// The rows of every part.
pub(super) struct Sorted<D: Device> {
    /// On each device, the heads of its parts.
    pub blocks: Vec<Vec<Block<D>>>,
    /// On each device, the length of every row.
    pub lengths: Vec<Buffer<u32, D>>,
    /// On each device, with the degrees of the simple graph.
    pub ranks: Vec<Ranks<D>>,
    pub self_loops: u64,
    /// Of all parts.
    pub edges: u64,
}

/// Turns the entries of every device into keys, and puts the keys of a part beside each other.
pub(super) fn to_parts<D: Member>(
    team: &Team<D>,
    decided: Decided<D>,
    parts: u32,
    keep_vertices: bool,
) -> Result<Parted<D>, Failed<D::Error>> {
    assert!((1..=MOST_PARTS).contains(&parts), "from one to {MOST_PARTS} parts");
    let Decided { loaded, labels, order, sort, self_loops, .. } = decided;
    let vertices = loaded[0].degrees.degree.len();
    let rank_bits = crate::graph::rank_bits(vertices);
    let inputs = loaded.into_iter().zip(labels).collect();
    let parted = team.step(inputs, |_, device, (loaded, labels)| {
        let Loaded { entries, degrees } = loaded;
        let order = VertexOrder::of(order, labels);
        let orientation = Orientation { order, sort, keep_vertices };
        let oriented = orient_by(device, entries, degrees, orientation)?;
        let OrientedKeys { keys, scratch, degree_of_rank, vertex_of_rank, .. } = oriented;
        let pieces = cut(device, keys, scratch, rank_bits, parts)?;
        Ok((pieces, Ranks { degree_of_rank, vertex_of_rank }))
    })?;
    let (pieces, ranks) = parted.into_iter().unzip();
    Ok(Parted { pieces, ranks, rank_bits, sorted_from: sort.first_bit(rank_bits), self_loops })
}

/// The keys by their parts, in `parted`, which is as long as `keys`.
fn cut<D: Device>(
    device: &D,
    keys: Buffer<u64, D>,
    mut parted: Buffer<u64, D>,
    rank_bits: u32,
    parts: u32,
) -> Result<Pieces<D>, D::Error> {
    let m = keys.len();
    let most = device.multiprocessors() * BLOCKS;
    let mut sizes = Buffer::zeroed(device, u64::from(parts))?;
    let over_keys = Shape::cover(m, parts::BLOCK, most);
    part_sizes(device, over_keys, keys.view(), sizes.view_mut(), m, rank_bits, parts)?;
    let mut cuts = vec![0];
    for size in sizes.to_vec(device)? {
        cuts.push(cuts[cuts.len() - 1] + size);
    }
    let mut cursors = Buffer::from_host(device, &cuts[..parts as usize])?;
    // A warp a tile.
    let warps = m.div_ceil(u64::from(TILE));
    let over_tiles = Shape::cover(warps * 32, parts::BLOCK, most);
    part_keys(
        device,
        over_tiles,
        keys.view(),
        cursors.view_mut(),
        parted.view_mut(),
        m,
        rank_bits,
        parts,
    )?;
    Ok(Pieces { words: parted, cuts })
}

/// Brings the keys to their parts, sorts each part, and drops duplicates.
pub(super) fn sort_parts<D: Member>(
    exchange: &impl Exchange<D>,
    parted: Parted<D>,
    parts: u32,
) -> Result<Sorted<D>, Stopped<D::Error>> {
    let Parted { pieces, ranks, rank_bits, sorted_from, self_loops } = parted;
    let keys_of = |part: usize| {
        pieces.iter().map(|piece| piece.cuts[part + 1] - piece.cuts[part]).sum::<u64>()
    };
    let keys = (0..parts as usize).map(keys_of).collect();
    let keys = exchange.agree(keys, |one, other| one + other).map_err(Broken::Peers)?;
    let keys = keys.into_iter().max().unwrap_or(0);
    if keys > MAX_ENTRIES {
        return Err(Stopped::TooManyKeys { keys });
    }
    let (team, first, devices) = (exchange.team(), exchange.first(), exchange.devices());
    let taken = exchange.all_to_all(pieces)?;
    let n = ranks[0].degree_of_rank.len();
    let sorted = team.step(taken, |own, device, parts_of_device| {
        // What duplicates take off the degrees, as a negative number.
        let mut less = Buffer::zeroed(device, n)?;
        let mut lengths = Buffer::zeroed(device, n)?;
        let mut blocks = Vec::new();
        for (index, keys) in parts_of_device.into_iter().enumerate() {
            let part = (first + own + index * devices) as u64;
            let bits = rank_bits * 2 - sorted_from;
            let histograms = Histograms::of_keys(device, keys.view(), sorted_from, bits)?;
            let graph = clean(
                device,
                OrientedKeys {
                    scratch: Buffer::uninitialized(device, keys.len())?,
                    keys,
                    counted: Counted::Digits { histograms, sorted_from },
                    degree_of_rank: less,
                    vertex_of_rank: Buffer::uninitialized(device, 0)?,
                    words: Buffer::zeroed(device, WORDS)?,
                    rank_bits,
                },
            )?;
            less = graph.degree_of_rank;
            part_lengths(
                device,
                Shape::cover(n, both_directions::BLOCK, device.multiprocessors() * BLOCKS),
                graph.rows.view().cast(),
                lengths.view_mut(),
                n,
                part,
                u64::from(parts),
            )?;
            blocks.push(Block { words: graph.heads, len: graph.edges });
        }
        Ok((blocks, less, lengths))
    })?;
    let (mut blocks, mut less, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    for (of_device, less_of_device, lengths_of_device) in sorted {
        blocks.push(of_device);
        less.push(less_of_device);
        lengths.push(lengths_of_device);
    }
    let own_edges: Vec<u64> =
        blocks.iter().map(|blocks| blocks.iter().map(|block| block.len).sum()).collect();
    let edges = sum_of_all(exchange, &own_edges)?;
    let lengths = exchange.all_reduce(lengths, Reduction::Sum)?;
    let less = exchange.all_reduce(less, Reduction::Sum)?;
    let inputs = ranks.into_iter().zip(less).collect();
    let ranks = team.step(inputs, |_, device, (mut ranks, less): (Ranks<D>, Buffer<u32, D>)| {
        let shape = Shape::cover(n, parts::BLOCK, device.multiprocessors() * BLOCKS);
        parts::add_words(device, shape, less.view(), ranks.degree_of_rank.view_mut(), n)?;
        Ok(ranks)
    })?;
    Ok(Sorted { blocks, lengths, ranks, self_loops, edges })
}
