use anyhow::{Result, ensure};
use testkit::effort;
use tribin_kernels::edge_groups::{
    BIN_HEADS_LOG2, BLOCK, GROUPS_SHARED_BYTES, HEADS, HEADS_TILE, ITEMS, LISTED,
    PLACE_SHARED_BYTES, SIZES, SLOTS, SPLIT_BLOCK, SPLIT_SHARED_BYTES, SPLIT_TILE, bins_for,
    bins_len, bins_of_heads, cursor_at, cursors_len, head_groups, narrow_heads, narrow_len,
    place_edges, rank_degrees, split_edges,
};
use tribin_kernels::listed_edges::{self, search_listed};
use warpwise_device::launch::{Buffer, Shape};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, Totals, graphs, oriented};

#[derive(Debug)]
struct NarrowHeads {
    heads: Vec<u32>,
    exact: u32,
    filter_log2: u32,
    shape: Shape,
}

impl Case for NarrowHeads {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let m = self.heads.len() as u64;
        let code = |&head: &u32| match head.checked_sub(self.exact) {
            None => head,
            Some(above) => self.exact + above % (1 << self.filter_log2),
        };
        let mut expected: Vec<u16> = self.heads.iter().map(|head| code(head) as u16).collect();
        expected.resize(narrow_len(m) as usize, if self.exact == 0 { code(&0) as u16 } else { 0 });
        let heads = Buffer::from_host(device, &self.heads)?;
        let mut narrow = Buffer::uninitialized(device, narrow_len(m))?;
        let (exact, filter) = (self.exact, self.filter_log2);
        narrow_heads(device, self.shape, heads.view(), narrow.view_mut(), m, exact, filter)?;
        ensure_holds("narrow heads", device, &narrow, &expected)
    }
}

#[test]
fn narrow_heads_are_ranks_or_codes() {
    let kernel = Kernel::named("narrow_heads");
    for n in sizes_around(&[8, BLOCK as usize]) {
        let mut rng = fastrand::Rng::with_seed(n as u64);
        for (exact, filter_log2) in [(57_344, 13), (0, 16), (65_535, 0), (7, 3)] {
            for shape in striding_shapes(n as u64, BLOCK) {
                let heads = (0..n).map(|_| rng.u32(..) >> rng.u32(..32)).collect();
                kernel.everywhere([NarrowHeads { heads, exact, filter_log2, shape }]);
            }
        }
    }
}

#[derive(Debug)]
struct RankDegrees(Rows, Shape);

impl Case for RankDegrees {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let RankDegrees(graph, shape) = self;
        let (tails, heads, _) = graph.on(device)?;
        let mut degrees = Buffer::zeroed(device, graph.rows.len() as u64)?;
        let m = tails.len();
        rank_degrees(device, *shape, tails.view(), heads.view(), degrees.view_mut(), m)?;
        ensure_holds("degrees", device, &degrees, &graph.degrees())
    }
}

#[test]
fn rank_degrees_are_ends_counted() {
    let kernel = Kernel::named("rank_degrees");
    for graph in graphs() {
        for shape in striding_shapes(graph.tails.len() as u64, BLOCK) {
            kernel.everywhere([RankDegrees(graph.clone(), shape)]);
        }
    }
}

#[derive(Debug)]
struct HeadGroups {
    graph: Rows,
    least_edges: u32,
    least_row: u32,
    chunk: u32,
}

impl Case for HeadGroups {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let HeadGroups { graph, least_edges, least_row, chunk } = self;
        let n = graph.rows.len();
        let degrees = graph.degrees();
        let rows = Buffer::from_host(device, &graph.rows)?;
        let degrees_there = Buffer::from_host(device, &degrees)?;
        let mut grouping = Buffer::uninitialized(device, n.div_ceil(32) as u64)?;
        let mut cursors = Buffer::zeroed(device, cursors_len(n as u64))?;
        let mut items = Buffer::zeroed(device, (graph.heads.len() + n) as u64)?;
        let mut sizes = Buffer::zeroed(device, SIZES)?;
        let tiles = (n as u32).div_ceil(HEADS_TILE);
        let mut words = Buffer::zeroed(device, tiles.into())?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        head_groups(
            device,
            Shape::new(tiles.max(1), BLOCK).shared(GROUPS_SHARED_BYTES),
            rows.view(),
            degrees_there.view(),
            grouping.view_mut(),
            cursors.view_mut(),
            items.view_mut(),
            sizes.view_mut(),
            words.view_mut(),
            ticket.view_mut(),
            n as u32,
            *least_edges,
            *least_row,
            *chunk,
        )?;
        let (cursors, sizes) = (cursors.to_vec(device)?, sizes.to_vec(device)?);
        let mut slots = vec![0u32; sizes[SLOTS as usize] as usize];
        let mut expected_items = Vec::new();
        let grouping = grouping.to_vec(device)?;
        let mut next = 0;
        for a in 0..n {
            let cursor = cursors[cursor_at(a as u32) as usize];
            let grouped = grouping[a / 32] >> (a % 32) & 1 == 1;
            let row = graph.row(a as u32).len() as u32;
            let edges = degrees[a] - row;
            if edges < *least_edges || row < *least_row {
                ensure!(!grouped, "head {a} has a group");
                continue;
            }
            ensure!(grouped, "head {a} has no group");
            ensure!(cursor == next, "the group of {a} begins at {cursor} and not at {next}");
            next += edges;
            for slot in cursor..cursor + edges {
                slots[slot as usize] += 1;
            }
            let firsts = (0..edges).step_by(*chunk as usize);
            expected_items.extend(firsts.map(|first| (a as u64) << 32 | u64::from(cursor + first)));
        }
        let last = (0..n).rev().find(|a| grouping[a / 32] >> (a % 32) & 1 == 1);
        ensure!(sizes[HEADS as usize] == last.map_or(0, |last| last as u32 + 1), "{sizes:?}");
        ensure!(slots.iter().all(|&uses| uses == 1), "slots are used {slots:?} times");
        let mut found = items.to_vec(device)?;
        found.truncate(sizes[ITEMS as usize] as usize);
        found.sort_unstable();
        ensure!(found == expected_items, "items are {found:x?}, expected {expected_items:x?}");
        Ok(())
    }
}

#[test]
fn head_groups_share_out_every_slot_once() {
    let kernel = Kernel::named("head_groups");
    for graph in graphs() {
        for (least_edges, least_row, chunk) in [(1, 1, 1), (1, 1, 1024), (3, 2, 4), (9, 1, 8)] {
            let graph = graph.clone();
            kernel.everywhere([HeadGroups { graph, least_edges, least_row, chunk }]);
        }
    }
}

/// Cursors of all heads are apart from one another, whatever their distance.
#[test]
fn cursors_lie_in_order_and_within_their_length() {
    for heads in [1, 2, 4_095, 4_096, 4_097, 10_000] {
        let places: Vec<u64> = (0..heads).map(cursor_at).collect();
        assert!(places.is_sorted_by(|a, b| a < b));
        assert_eq!(places.last().map(|last| last / cursors_len(u64::from(heads))), Some(0));
    }
}

#[derive(Debug)]
struct GroupEdges {
    graph: Rows,
    /// Heads from this one on are not asked about.
    grouping_heads: u32,
    /// Rows of lower ranks are left out.
    from_rank: u32,
    /// How many entries more every prefix seems to have, since rows are counted from an earlier place.
    longer: u32,
    /// The bins have 2^`slots_log2` slots, and there are `bins` at most.
    slots_log2: u32,
    bins: u32,
    /// So many blocks bring the edges of bins to their groups.
    blocks: u32,
}

impl Case for GroupEdges {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let GroupEdges {
            graph,
            grouping_heads,
            from_rank,
            longer,
            slots_log2,
            bins: count,
            blocks,
        } = self;
        let n = graph.rows.len() as u32;
        // Every third head has a group; the groups lie side by side, with a gap of two slots.
        let has_group = |a: u32| a < *grouping_heads && a.is_multiple_of(3);
        let mut edges_of = vec![0; n as usize];
        graph.heads.iter().for_each(|&head| edges_of[head as usize] += 1);
        let mut words = vec![0u32; n.div_ceil(32) as usize];
        let mut cursors = vec![0u32; cursors_len(u64::from(n)) as usize];
        let mut starts = vec![0; n as usize];
        let mut slots = 0;
        for a in (0..n).filter(|&a| a.is_multiple_of(3)) {
            words[(a / 32) as usize] |= 1 << (a % 32);
            starts[a as usize] = slots;
            cursors[cursor_at(a) as usize] = slots;
            slots += edges_of[a as usize] + 2;
        }
        let m = graph.heads.len() as u64;
        let after = |u: &u32| *u >= *from_rank;
        let first = graph.tails.iter().position(after).unwrap_or(m as usize) as u32;
        let (tails, heads, _) = graph.on(device)?;
        let earlier = |row: u64| u64::from((row as u32).wrapping_sub(*longer));
        let of_row = |&row: &u64| earlier(row) | earlier(row >> 32) << 32;
        let rows: Vec<u64> = graph.rows.iter().map(of_row).collect();
        let rows = Buffer::from_host(device, &rows)?;
        let grouping = Buffer::from_host(device, &words)?;
        let mut cursors = Buffer::from_host(device, &cursors)?;
        let mut grouped = Buffer::zeroed(device, u64::from(slots))?;
        let mut listed = Buffer::zeroed(device, m)?;
        let mut sizes = Buffer::zeroed(device, SIZES)?;
        let first_place = u64::from(first);
        let count_heads = *grouping_heads;
        let words = u64::from(count_heads).div_ceil(32);
        let mut heads_in_bins = Buffer::uninitialized(device, words)?;
        let mut bins = Buffer::zeroed(device, bins_len(*count))?;
        bins_of_heads(
            device,
            Shape::cover(words, BLOCK, u32::MAX),
            grouping.view(),
            cursors.view(),
            heads_in_bins.view_mut(),
            bins.view_mut(),
            count_heads,
            *slots_log2,
            *count,
        )?;
        let mut split = Buffer::uninitialized(device, grouped.len())?;
        let tiles = (m - first_place).div_ceil(SPLIT_TILE.into()).max(1);
        split_edges(
            device,
            Shape::new(tiles as u32, SPLIT_BLOCK).shared(SPLIT_SHARED_BYTES),
            oriented(&tails, &heads, &rows),
            heads_in_bins.view(),
            bins.view_mut(),
            cursors.view_mut(),
            split.view_mut(),
            grouped.view_mut(),
            listed.view_mut(),
            sizes.view_mut(),
            first_place,
            m,
            count_heads,
            *count,
        )?;
        place_edges(
            device,
            Shape::new(*blocks, SPLIT_BLOCK).shared(PLACE_SHARED_BYTES),
            split.view(),
            bins.view(),
            cursors.view_mut(),
            grouped.view_mut(),
            *count,
        )?;
        let (mut in_groups, mut in_list) = (vec![Vec::new(); n as usize], vec![]);
        for place in first..m as u32 {
            let (u, a) = (graph.tails[place as usize], graph.heads[place as usize]);
            let prefix = place - graph.rows[u as usize] as u32 + longer;
            let row = graph.row(a).len() as u32;
            if prefix == 0 {
                continue;
            }
            if has_group(a) {
                in_groups[a as usize].push(u64::from(prefix) << 32 | u64::from(place));
            } else if row > 0 {
                in_list.push(place);
            }
        }
        let (cursors, grouped) = (cursors.to_vec(device)?, grouped.to_vec(device)?);
        for a in (0..n).filter(|&a| has_group(a)) {
            let end = cursors[cursor_at(a) as usize] as usize;
            let mut found = grouped[starts[a as usize] as usize..end].to_vec();
            found.sort_unstable();
            in_groups[a as usize].sort_unstable();
            ensure!(found == in_groups[a as usize], "group {a} is {found:x?}");
        }
        let (listed, sizes) = (listed.to_vec(device)?, sizes.to_vec(device)?);
        let mut found = listed[..sizes[LISTED as usize] as usize].to_vec();
        found.sort_unstable();
        ensure!(found == in_list, "listed are {found:?}, expected {in_list:?}");
        Ok(())
    }
}

/// More edges than a tile has, to heads in more bins than slots make, and to some heads many.
fn many_tiles() -> Rows {
    let mut rng = fastrand::Rng::with_seed(5);
    let n = 3 << BIN_HEADS_LOG2;
    let mut end = || rng.u32(..n) >> (rng.u32(..8) * rng.u32(..2));
    Rows::of_pairs(&(0..4 * SPLIT_TILE).map(|_| [end(), end()]).collect::<Vec<_>>())
}

/// Bins of few slots, of many, and so few bins that heads are in none; and prefixes too long to come through bins.
#[test]
fn every_edge_that_can_close_comes_through_bins_to_one_place() {
    let kernel = Kernel::named("bins_of_heads, split_edges and place_edges");
    for (at, graph) in graphs().into_iter().chain([many_tiles()]).enumerate() {
        let n = graph.rows.len() as u32;
        let slots = graph.heads.len() as u64 + 2 * u64::from(n);
        let groupings = [(n, 0, 0), (n / 2, n / 3, 0), (0, 0, 0), (n, 0, (1 << 20) - 4)];
        for (at, (grouping_heads, from_rank, longer)) in (at..).zip(groupings) {
            let bins = [(3, 4_096, 1), (31, 4_096, 2), (9, 4_096, 3), (4, 2, 2)];
            // A quick run takes each grouping of a graph in one of the four ways.
            for (slots_log2, most, blocks) in effort::some(bins, at, 4) {
                let bins = bins_for(slots, n.into(), slots_log2).min(most) as u32;
                let graph = graph.clone();
                kernel.everywhere([GroupEdges {
                    graph,
                    grouping_heads,
                    from_rank,
                    longer,
                    slots_log2,
                    bins,
                    blocks,
                }]);
            }
        }
    }
}

#[derive(Debug)]
struct Listed {
    graph: Rows,
    lanes_log2: u32,
    shape: Shape,
}

impl Case for Listed {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let graph = &self.graph;
        let places: Vec<u32> =
            (0..graph.heads.len() as u32).filter(|place| place % 3 != 1).collect();
        let expected: u64 = places.iter().map(|&place| graph.closed(place)).sum();
        let (tails, heads, rows) = graph.on(device)?;
        let listed = Buffer::from_host(device, &places)?;
        let mut sizes = [0; SIZES as usize];
        sizes[LISTED as usize] = places.len() as u32;
        let sizes = Buffer::from_host(device, &sizes)?;
        let mut totals = Totals::on(device)?;
        let graph = oriented(&tails, &heads, &rows);
        let (listed, sizes) = (listed.view(), sizes.view());
        let sums = totals.view_mut();
        let (shape, lanes) = (self.shape, self.lanes_log2);
        search_listed(device, shape, graph, listed, sizes, sums, lanes)?;
        totals.ensure_added(device, expected)
    }
}

#[test]
fn search_listed_counts_the_triangles_of_the_list() {
    let kernel = Kernel::named("search_listed");
    for lanes_log2 in [0, 2, 5] {
        for graph in graphs() {
            for grid in [1, 3] {
                let shape = Shape::new(grid, listed_edges::BLOCK);
                kernel.everywhere([Listed { graph: graph.clone(), lanes_log2, shape }]);
            }
        }
    }
}
