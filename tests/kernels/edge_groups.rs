use anyhow::{Result, ensure};
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::edge_groups::{
    BLOCK, GROUPS_SHARED_BYTES, ITEMS, NO_GROUP, SIZES, SLOTS, head_groups, narrow_heads,
    narrow_len, rank_degrees,
};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::listed_edges::{self, merge_listed, search_listed};

use crate::contents::sizes_around;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, graphs};

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
    kernel.report();
}

#[derive(Debug)]
struct RankDegrees(Rows, Shape);

impl Case for RankDegrees {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let RankDegrees(graph, shape) = self;
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
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
    kernel.report();
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
        let mut cursors = Buffer::uninitialized(device, n as u64)?;
        let mut items = Buffer::zeroed(device, (graph.heads.len() + n) as u64)?;
        let mut sizes = Buffer::zeroed(device, SIZES)?;
        head_groups(
            device,
            Shape::cover(n as u64, BLOCK, u32::MAX).shared(GROUPS_SHARED_BYTES),
            rows.view(),
            degrees_there.view(),
            cursors.view_mut(),
            items.view_mut(),
            sizes.view_mut(),
            n as u32,
            *least_edges,
            *least_row,
            *chunk,
        )?;
        let (cursors, sizes) = (cursors.to_vec(device)?, sizes.to_vec(device)?);
        let mut slots = vec![0u32; sizes[SLOTS as usize] as usize];
        let mut expected_items = Vec::new();
        for (a, &cursor) in cursors.iter().enumerate() {
            let row = graph.row(a as u32).len() as u32;
            let edges = degrees[a] - row;
            if edges < *least_edges || row < *least_row {
                ensure!(cursor == NO_GROUP, "head {a} has a group");
                continue;
            }
            for slot in cursor..cursor + edges {
                slots[slot as usize] += 1;
            }
            let firsts = (0..edges).step_by(*chunk as usize);
            expected_items.extend(firsts.map(|first| (a as u64) << 32 | u64::from(cursor + first)));
        }
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
    kernel.report();
}

#[derive(Debug)]
struct Listed {
    graph: Rows,
    /// Merged from the front of the list, or searched from its back by 2^this lanes an edge.
    lanes_log2: Option<u32>,
    shape: Shape,
}

impl Case for Listed {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let graph = &self.graph;
        let places: Vec<u32> =
            (0..graph.heads.len() as u32).filter(|place| place % 3 != 1).collect();
        let expected: u64 = places.iter().map(|&place| graph.closed(place)).sum();
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let listed = Buffer::from_host(device, &places)?;
        // Merged and searched edges are the third and the fourth class.
        let sizes = Buffer::from_host(device, &[0, 0, places.len() as u32, places.len() as u32])?;
        let mut totals = Buffer::<u64, D>::zeroed(device, TOTALS)?;
        let (tails, heads, rows) = (tails.view(), heads.view(), rows.view());
        let (listed, sizes) = (listed.view(), sizes.view());
        let sums = totals.view_mut();
        match self.lanes_log2 {
            None => merge_listed(device, self.shape, tails, heads, rows, listed, sizes, sums)?,
            Some(lanes_log2) => search_listed(
                device,
                self.shape,
                tails,
                heads,
                rows,
                listed,
                sizes,
                sums,
                places.len() as u64,
                lanes_log2,
            )?,
        }
        let found: u64 = totals.to_vec(device)?.iter().sum();
        ensure!(found == expected, "{found} triangles, expected {expected}");
        Ok(())
    }
}

#[test]
fn listed_edges_are_merged_and_searched_to_the_same_count() {
    for lanes_log2 in [None, Some(0), Some(2), Some(5)] {
        let kernel =
            Kernel::named(if lanes_log2.is_none() { "merge_listed" } else { "search_listed" });
        for graph in graphs() {
            for grid in [1, 3] {
                let shape = Shape::new(grid, listed_edges::BLOCK);
                kernel.everywhere([Listed { graph: graph.clone(), lanes_log2, shape }]);
            }
        }
        kernel.report();
    }
}
