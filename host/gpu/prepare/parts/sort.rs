//! Keys to their parts, and every part in order.

use std::ops::Range;

use tribin_kernels::parts::{BLOCK, MOST_PARTS, TILE, add_words, part_keys, part_lengths};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::super::degrees::WORDS;
use super::super::keys::{KeyCounts, OrientedKeys, Ranked, rank_by};
use super::super::row_bins::keys_to_groups;
use super::super::rows::clean;
use super::super::vertex_order::VertexOrder;
use super::order::DecidedInParts;
use super::ranges::{RankGroups, RankRanges};
use super::{Loaded, Member, PartsStopped};
use crate::device::team::Failed;
use crate::device_graph::DeviceGraph;
use crate::exchange::{PeerCopies, Pieces, Reduction};
use crate::plan::memory::MAX_ENTRIES;
use crate::plan::preparation::{GroupsOfRanks, KeySort};

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// The keys of every device, cut into parts.
pub(super) struct Parted<D: Device> {
    pub pieces: Vec<Pieces<D>>,
    pub ranks: Vec<RankedVertices<D>>,
    /// The ranges of ranks of the parts of all devices.
    pub parts: RankRanges,
    /// The keys of each group of ranks, of all devices.
    pub counts: Vec<u64>,
    pub keys: HowSorted,
    pub self_loops: u64,
}

/// The settings by which the keys of a graph come into rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct HowSorted {
    /// Entries of the whole graph, by which groups are made.
    entries: u64,
    vertices: u64,
    sort: KeySort,
    rank_bits: u32,
}

/// The ranks and degrees that a device knows.
pub(super) struct RankedVertices<D: Device> {
    pub degree_of_rank: Buffer<u32, D>,
    pub vertex_of_rank: Buffer<u32, D>,
}

/// The rows of every part.
pub(super) struct Sorted<D: Device> {
    /// The heads of the parts on each device, turn by turn.
    pub heads: Vec<Vec<Buffer<u32, D>>>,
    /// The lengths of the rows of the parts on each device.
    pub lengths: Vec<Vec<Buffer<u32, D>>>,
    /// The number of edges before each part, and of all.
    pub first_edge: Vec<u64>,
    /// The number of ranks before each part, and of all.
    pub first_rank: Vec<u64>,
    /// The ranks on each device, with the degrees of the simple graph.
    pub ranks: Vec<RankedVertices<D>>,
    pub self_loops: u64,
}

impl<D: Device> Sorted<D> {
    /// Edges of all parts.
    pub fn edges(&self) -> u64 {
        self.first_edge.last().copied().unwrap_or(0)
    }
}

/// The keys that a device makes of its entries.
struct Keyed<D: Device> {
    keys: Buffer<u64, D>,
    /// The other buffer of the sort, as long as `keys`.
    other: Buffer<u64, D>,
    /// Keys of each group.
    counts: Vec<u64>,
    ranks: RankedVertices<D>,
}

/// Turns the entries of every device into keys, and puts the keys of a part beside each other. There are `entries`
/// entries on all devices.
pub(super) fn to_parts<D: Member>(
    exchange: &PeerCopies<D>,
    decided: DecidedInParts<D>,
    entries: u64,
    parts: u32,
) -> Result<Parted<D>, Failed<D::Error>> {
    assert!((1..=MOST_PARTS).contains(&parts), "from one to {MOST_PARTS} parts");
    let DecidedInParts { loaded, labels, order, sort, self_loops, most_shared_bytes, task, .. } =
        decided;
    let team = exchange.team();
    let vertices = loaded[0].degrees.degree.len();
    let rank_bits = sort.rank_bits(entries, vertices);
    let groups = RankGroups::of(rank_bits, most_shared_bytes);
    let inputs = loaded.into_iter().zip(labels).collect();
    let keyed = team.step(inputs, |_, device, (loaded, labels)| {
        let Loaded { entries, degrees } = loaded;
        let order = VertexOrder { order, labels };
        let Ranked { rank, degree_of_rank, vertex_of_rank } =
            rank_by(device, degrees.degree, order, task)?;
        let mut keys = Buffer::uninitialized(device, entries.len())?;
        let mut counts = vec![0; groups.groups as usize];
        let mut start = 0;
        // A kernel counts fewer than 2³² keys.
        while start < entries.len() {
            let len = (entries.len() - start).min(MAX_ENTRIES);
            let (from, to) = (entries.view().slice(start, len), keys.view_mut().slice(start, len));
            let mut found = Buffer::zeroed(device, groups.groups.into())?;
            keys_to_groups(device, from, &rank, to, rank_bits, (&mut found, groups.shift))?;
            for (count, found) in counts.iter_mut().zip(found.to_vec(device)?) {
                *count += u64::from(found);
            }
            start += len;
        }
        let ranks = RankedVertices { degree_of_rank, vertex_of_rank };
        Ok(Keyed { keys, other: entries, counts, ranks })
    })?;
    let mut counts = vec![0; groups.groups as usize];
    for keyed in &keyed {
        counts.iter_mut().zip(&keyed.counts).for_each(|(count, own)| *count += own);
    }
    let ranges = RankRanges::cut(groups, &counts, vertices, parts as usize);
    let parted = team.step(keyed, |_, device, keyed| {
        let Keyed { keys, other, counts, ranks } = keyed;
        Ok((cut(device, (keys, other), &counts, &ranges, rank_bits)?, ranks))
    })?;
    let (pieces, ranks) = parted.into_iter().unzip();
    let keys = HowSorted { entries, vertices, sort, rank_bits };
    Ok(Parted { pieces, ranks, parts: ranges, counts, keys, self_loops })
}

/// The keys by their parts, in `parted`, which is as long as `keys`. `counts` are those of the groups of ranks.
fn cut<D: Device>(
    device: &D,
    (keys, mut parted): (Buffer<u64, D>, Buffer<u64, D>),
    counts: &[u64],
    ranges: &RankRanges,
    rank_bits: u32,
) -> Result<Pieces<D>, D::Error> {
    let m = keys.len();
    let mut starts = ranges.starts();
    starts.pop();
    let mut cuts = vec![0];
    for part in 0..starts.len() {
        cuts.push(cuts[part] + ranges.keys(part, counts));
    }
    // Ranks have 32 bits, and the first one of an empty part may be one more than the last.
    let first_rank: Vec<u32> =
        starts.iter().map(|&rank| u32::try_from(rank).unwrap_or(u32::MAX)).collect();
    let parts = first_rank.len();
    let first_rank = Buffer::from_host(device, &first_rank)?;
    let mut cursors = Buffer::from_host(device, &cuts[..parts])?;
    // A warp a tile.
    let warps = m.div_ceil(u64::from(TILE));
    part_keys(
        device,
        Shape::cover(warps * 32, BLOCK, device.multiprocessors() * BLOCKS),
        keys.view(),
        first_rank.view(),
        cursors.view_mut(),
        parted.view_mut(),
        m,
        rank_bits,
        parts as u32,
    )?;
    Ok(Pieces { words: parted, cuts })
}

/// The rows of a part.
struct PartRows<D: Device> {
    heads: Buffer<u32, D>,
    lengths: Buffer<u32, D>,
    edges: u64,
    /// What duplicates take off the degrees, as a negative number, here and in the device's parts before.
    less: Buffer<u32, D>,
}

/// Brings the keys of a part, whose larger ranks are among its `own`, into the rows of those. `less` has a word for each rank, as the
/// degrees have.
fn rows_of_part<D: Device>(
    device: &D,
    (keys, own): (Buffer<u64, D>, Range<u64>),
    less: Buffer<u32, D>,
    how: HowSorted,
    in_groups: impl FnOnce(GroupsOfRanks) -> Vec<u32>,
) -> Result<PartRows<D>, D::Error> {
    let HowSorted { entries, vertices, sort, rank_bits } = how;
    // Without keys there is nothing to bring into bins.
    let sort = if keys.is_empty() { KeySort::Whole } else { sort };
    let size = [entries, vertices];
    let mut counted = KeyCounts::none(device, sort, size)?;
    counted.add(device, &keys, in_groups)?;
    let oriented = OrientedKeys {
        scratch: Buffer::uninitialized(device, keys.len())?,
        keys,
        counted,
        degree_of_rank: less,
        vertex_of_rank: Buffer::uninitialized(device, 0)?,
        words: Buffer::zeroed(device, WORDS)?,
        rank_bits,
        own: own.clone(),
    };
    let DeviceGraph { heads, edges, degree_of_rank: less, rows, .. } = clean(device, oriented)?;
    let count = own.end - own.start;
    let mut lengths = Buffer::uninitialized(device, count)?;
    let shape = Shape::cover(count, BLOCK, device.multiprocessors() * BLOCKS);
    part_lengths(device, shape, rows.view().cast(), lengths.view_mut(), own.start, count)?;
    Ok(PartRows { heads, lengths, edges, less })
}

/// Brings the keys to their parts, sorts each part, and drops duplicates.
///
/// A device has a part at each turn.
pub(super) fn sort_parts<D: Member>(
    exchange: &PeerCopies<D>,
    parted: Parted<D>,
    parts: u32,
) -> Result<Sorted<D>, PartsStopped<D::Error>> {
    let Parted { pieces, ranks, parts: ranges, counts, keys: how, self_loops } = parted;
    let parts = parts as usize;
    let most = (0..parts).map(|part| ranges.keys(part, &counts)).max().unwrap_or(0);
    if most > MAX_ENTRIES {
        return Err(PartsStopped::TooManyKeys { keys: most });
    }
    let (team, devices) = (exchange.team(), exchange.devices());
    let (turns, n, first_rank) = (parts.div_ceil(devices), how.vertices, ranges.starts());
    let mut less = team.each(|_, device| Buffer::zeroed(device, n))?;
    let mut heads: Vec<Vec<_>> = less.iter().map(|_| Vec::new()).collect();
    let mut lengths: Vec<Vec<_>> = less.iter().map(|_| Vec::new()).collect();
    let mut first_edge = vec![0; parts + 1];
    let mut pieces = Some(pieces);
    for turn in 0..turns {
        let own: &[Pieces<D>] = pieces.as_deref().unwrap_or_default();
        let keys = exchange.all_to_all(own, turn)?;
        if turn + 1 == turns {
            pieces = None;
        }
        let clean = |own: usize, device: &D, (keys, less): (Buffer<u64, D>, Buffer<u32, D>)| {
            let part = own + turn * devices;
            if part >= parts {
                let nothing = || Buffer::uninitialized(device, 0);
                return Ok(PartRows { heads: nothing()?, lengths: nothing()?, edges: 0, less });
            }
            let in_groups = |of| ranges.in_groups(part, &counts, of);
            let of_part = first_rank[part]..first_rank[part + 1];
            rows_of_part(device, (keys, of_part), less, how, in_groups)
        };
        let rows: Vec<PartRows<D>> = team.step(keys.into_iter().zip(less).collect(), clean)?;
        let mut edges = vec![0; devices];
        less = Vec::new();
        for (own, rows) in rows.into_iter().enumerate() {
            edges[own] = rows.edges;
            heads[own].push(rows.heads);
            lengths[own].push(rows.lengths);
            less.push(rows.less);
        }
        for (device, edges) in edges.into_iter().enumerate() {
            let part = device + turn * devices;
            if part < parts {
                first_edge[part + 1] = first_edge[part] + edges;
            }
        }
    }
    let mut sorted = Sorted { heads, lengths, first_edge, first_rank, ranks, self_loops };
    if sorted.edges() + self_loops < how.entries {
        let ranks = std::mem::take(&mut sorted.ranks);
        sorted.ranks = take_off(exchange, ranks, less)?;
    }
    Ok(sorted)
}

/// Takes off the degrees what the duplicates of all devices had added.
fn take_off<D: Member>(
    exchange: &PeerCopies<D>,
    ranks: Vec<RankedVertices<D>>,
    mut less: Vec<Buffer<u32, D>>,
) -> Result<Vec<RankedVertices<D>>, Failed<D::Error>> {
    exchange.all_reduce(less.iter_mut().collect(), Reduction::Sum)?;
    exchange.team().step(ranks, |own, device, mut ranks: RankedVertices<D>| {
        let (less, degrees) = (&less[own], ranks.degree_of_rank.view_mut());
        let n = less.len();
        let shape = Shape::cover(n, BLOCK, device.multiprocessors() * BLOCKS);
        add_words(device, shape, less.view(), degrees, n)?;
        Ok(ranks)
    })
}
