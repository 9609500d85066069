//! Keys to their parts, and every part in order.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::parts::{self, MOST_PARTS, TILE, part_keys, part_lengths};

use super::super::keys::{Counted, OrientedKeys, Ranked, WORDS, rank_by};
use super::super::radix_sort::Histograms;
use super::super::row_bins::{Groups, keys_to_groups};
use super::super::rows::clean;
use super::super::vertex_order::VertexOrder;
use super::order::Decided;
use super::ranges::{RankGroups, RankRanges};
use super::{Loaded, Member, Stopped};
use crate::exchange::{Broken, Exchange, Pieces, Reduction};
use crate::plan::memory::MAX_ENTRIES;
use crate::plan::preparation::{GroupsOfRanks, KeySort, SortedGroups};

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

/// The keys of every device, cut into parts.
pub(super) struct Parted<D: Device> {
    pub pieces: Vec<Pieces<D>>,
    pub ranks: Vec<Ranks<D>>,
    /// Of all devices.
    pub parts: RankRanges,
    /// The keys of each group of ranks, of all devices.
    pub counts: Vec<u64>,
    pub keys: HowSorted,
    pub self_loops: u64,
}

/// How the keys of a graph come into rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct HowSorted {
    /// Entries of the whole graph, by which groups are made.
    entries: u64,
    vertices: u64,
    sort: KeySort,
    rank_bits: u32,
}

/// What a device knows of the ranks.
pub(super) struct Ranks<D: Device> {
    pub degree_of_rank: Buffer<u32, D>,
    pub vertex_of_rank: Buffer<u32, D>,
}

/// The rows of every part.
pub(super) struct Sorted<D: Device> {
    /// On each device, the heads of its parts.
    pub heads: Vec<Vec<Buffer<u32, D>>>,
    /// On each device, the lengths of the rows of its parts.
    pub lengths: Vec<Vec<Buffer<u32, D>>>,
    /// The edges before those of each part, and all.
    pub first_edge: Vec<u64>,
    /// The ranks before those of each part, and all.
    pub first_rank: Vec<u64>,
    /// On each device, with the degrees of the simple graph.
    pub ranks: Vec<Ranks<D>>,
    pub self_loops: u64,
}

impl<D: Device> Sorted<D> {
    /// Of all parts.
    pub fn edges(&self) -> u64 {
        self.first_edge.last().copied().unwrap_or(0)
    }
}

/// What a device makes of its entries.
struct Keyed<D: Device> {
    keys: Buffer<u64, D>,
    /// As long.
    other: Buffer<u64, D>,
    /// Keys of each group.
    counts: Vec<u64>,
    ranks: Ranks<D>,
}

/// Turns the entries of every device into keys, and puts the keys of a part beside each other. There are `entries`
/// entries on all devices.
pub(super) fn to_parts<D: Member>(
    exchange: &impl Exchange<D>,
    decided: Decided<D>,
    entries: u64,
    parts: u32,
    keep_vertices: bool,
) -> Result<Parted<D>, Broken<D::Error>> {
    assert!((1..=MOST_PARTS).contains(&parts), "from one to {MOST_PARTS} parts");
    let Decided { loaded, labels, order, sort, self_loops, most_shared_bytes, .. } = decided;
    let team = exchange.team();
    let vertices = loaded[0].degrees.degree.len();
    let rank_bits = sort.rank_bits(entries, vertices);
    let groups = RankGroups::of(rank_bits, most_shared_bytes);
    let inputs = loaded.into_iter().zip(labels).collect();
    let keyed = team.step(inputs, |_, device, (loaded, labels)| {
        let Loaded { entries, degrees } = loaded;
        let order = VertexOrder::of(order, labels);
        let ranked = rank_by(device, degrees, order, keep_vertices)?;
        let Ranked { rank, degree_of_rank, vertex_of_rank, .. } = ranked;
        let mut keys = Buffer::uninitialized(device, entries.len())?;
        let mut counts = vec![0; groups.groups as usize];
        let mut start = 0;
        // A kernel counts fewer than 2³² keys.
        while start < entries.len() {
            let len = (entries.len() - start).min(MAX_ENTRIES);
            let (from, to) = (entries.view().slice(start, len), keys.view_mut().slice(start, len));
            let counted = (groups.groups, groups.shift);
            let found = keys_to_groups(device, from, &rank, to, rank_bits, counted)?;
            for (count, found) in counts.iter_mut().zip(found.to_vec(device)?) {
                *count += u64::from(found);
            }
            start += len;
        }
        let ranks = Ranks { degree_of_rank, vertex_of_rank };
        Ok(Keyed { keys, other: entries, counts, ranks })
    })?;
    let mut counts = vec![0; groups.groups as usize];
    for keyed in &keyed {
        counts.iter_mut().zip(&keyed.counts).for_each(|(count, own)| *count += own);
    }
    let counts = exchange.agree(counts, |one, other| one + other).map_err(Broken::Peers)?;
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
        Shape::cover(warps * 32, parts::BLOCK, device.multiprocessors() * BLOCKS),
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

/// The keys of a part as [`clean`] takes them. `less` has a word for each rank.
fn as_oriented<D: Device>(
    device: &D,
    keys: Buffer<u64, D>,
    less: Buffer<u32, D>,
    how: HowSorted,
    in_groups: impl FnOnce(GroupsOfRanks) -> Vec<u32>,
) -> Result<OrientedKeys<D>, D::Error> {
    let HowSorted { entries, vertices, sort, rank_bits } = how;
    let digits = |sort: KeySort| {
        let sorted_from = sort.first_bit(rank_bits);
        let bits = rank_bits * 2 - sorted_from;
        Ok((Histograms::of_keys(device, keys.view(), sorted_from, bits)?, sorted_from))
    };
    let counted = match sort {
        KeySort::Bins if !keys.is_empty() => {
            let of = GroupsOfRanks::of(entries, rank_bits);
            Counted::Groups(Groups::of_counts(device, &in_groups(of), of)?)
        }
        KeySort::SortedBins { passes } if !keys.is_empty() => {
            let of =
                SortedGroups::of(entries, vertices, passes).expect("bins have room for groups");
            let (histograms, sorted_from) = digits(sort)?;
            Counted::DigitsOfGroups { histograms, sorted_from, of }
        }
        KeySort::Tails => {
            let (histograms, sorted_from) = digits(KeySort::Tails)?;
            Counted::Digits { histograms, sorted_from }
        }
        KeySort::Whole | KeySort::Bins | KeySort::SortedBins { .. } => {
            let (histograms, sorted_from) = digits(KeySort::Whole)?;
            Counted::Digits { histograms, sorted_from }
        }
    };
    Ok(OrientedKeys {
        scratch: Buffer::uninitialized(device, keys.len())?,
        keys,
        counted,
        degree_of_rank: less,
        vertex_of_rank: Buffer::uninitialized(device, 0)?,
        words: Buffer::zeroed(device, WORDS)?,
        rank_bits,
    })
}

/// The rows of the parts of a device.
struct Rows<D: Device> {
    heads: Vec<Buffer<u32, D>>,
    lengths: Vec<Buffer<u32, D>>,
    edges: Vec<u64>,
    /// What duplicates take off the degrees, as a negative number.
    less: Buffer<u32, D>,
}

/// Brings the keys to their parts, sorts each part, and drops duplicates.
pub(super) fn sort_parts<D: Member>(
    exchange: &impl Exchange<D>,
    parted: Parted<D>,
    parts: u32,
) -> Result<Sorted<D>, Stopped<D::Error>> {
    let Parted { pieces, ranks, parts: ranges, counts, keys: how, self_loops } = parted;
    let all = 0..parts as usize;
    let most = all.clone().map(|part| ranges.keys(part, &counts)).max().unwrap_or(0);
    if most > MAX_ENTRIES {
        return Err(Stopped::TooManyKeys { keys: most });
    }
    let (team, first, devices) = (exchange.team(), exchange.first(), exchange.devices());
    let taken = exchange.all_to_all(pieces)?;
    let first_rank = ranges.starts();
    let n = how.vertices;
    let sorted = team.step(taken, |own, device, parts_of_device| {
        let mut rows = Rows {
            heads: Vec::new(),
            lengths: Vec::new(),
            edges: Vec::new(),
            less: Buffer::zeroed(device, n)?,
        };
        for (index, keys) in parts_of_device.into_iter().enumerate() {
            let part = first + own + index * devices;
            let in_groups = |of| ranges.in_groups(part, &counts, of);
            let graph = clean(device, as_oriented(device, keys, rows.less, how, in_groups)?)?;
            rows.less = graph.degree_of_rank;
            let (from, to) = (first_rank[part], first_rank[part + 1]);
            let mut lengths = Buffer::uninitialized(device, to - from)?;
            part_lengths(
                device,
                Shape::cover(to - from, parts::BLOCK, device.multiprocessors() * BLOCKS),
                graph.rows.view().cast(),
                lengths.view_mut(),
                from,
                to - from,
            )?;
            rows.lengths.push(lengths);
            rows.heads.push(graph.heads);
            rows.edges.push(graph.edges);
        }
        Ok(rows)
    })?;
    let (mut heads, mut lengths, mut less) = (Vec::new(), Vec::new(), Vec::new());
    let mut edges = vec![0; parts as usize];
    for (own, rows) in sorted.into_iter().enumerate() {
        for (index, &of_part) in rows.edges.iter().enumerate() {
            edges[first + own + index * devices] = of_part;
        }
        heads.push(rows.heads);
        lengths.push(rows.lengths);
        less.push(rows.less);
    }
    let edges = exchange.agree(edges, |one, other| one + other).map_err(Broken::Peers)?;
    let mut first_edge = vec![0];
    for (part, edges) in edges.into_iter().enumerate() {
        first_edge.push(first_edge[part] + edges);
    }
    let mut sorted = Sorted { heads, lengths, first_edge, first_rank, ranks, self_loops };
    if sorted.edges() + self_loops < how.entries {
        let less = exchange.all_reduce(less, Reduction::Sum)?;
        let inputs = sorted.ranks.into_iter().zip(less).collect();
        sorted.ranks =
            team.step(inputs, |_, device, (mut ranks, less): (Ranks<D>, Buffer<u32, D>)| {
                let shape = Shape::cover(n, parts::BLOCK, device.multiprocessors() * BLOCKS);
                parts::add_words(device, shape, less.view(), ranks.degree_of_rank.view_mut(), n)?;
                Ok(ranks)
            })?;
    }
    Ok(sorted)
}
