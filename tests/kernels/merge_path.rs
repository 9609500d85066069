//! Two lists are what stands before an edge in its row, and its head's row. Here every vertex of a
//! list has an empty row, so that no other edge counts.

use anyhow::Result;
use proptest::prelude::*;
use tribin_kernels::forward::TOTALS;
use tribin_kernels::merge_path::{BLOCK, SHARED_BYTES, merge_path};
use warpwise_device::launch::Shape;

use crate::contents::Content;
use crate::devices::{Case, Kernel, TestDevice};
use crate::rows::{Rows, Totals, oriented};

#[derive(Debug)]
struct MergePath {
    /// Pairs of ascending lists.
    pairs: Content<[Vec<u32>; 2]>,
    share: u32,
    lane_most: u32,
    grid: u32,
}

impl Case for MergePath {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let expected: usize = self
            .pairs
            .iter()
            .map(|[first, second]| {
                first.iter().filter(|entry| second.binary_search(entry).is_ok()).count()
            })
            .sum();
        let bound = self.pairs.iter().flatten().flatten().max().map_or(0, |&largest| largest + 1);
        let mut rows = vec![Vec::new(); bound as usize];
        for [first, second] in self.pairs.iter() {
            let head = rows.len() as u32 + 1;
            rows.extend([[first.as_slice(), &[head]].concat(), second.clone()]);
        }
        let mut graph = Rows::of_rows(rows);
        let m = graph.heads.len() as u64;
        // What stands behind the edges is not the kernel's.
        graph.heads.extend([0; 3]);
        let (tails, heads, rows) = graph.on(device)?;
        let mut totals = Totals::on(device)?;
        let grid = self.grid.min(m.div_ceil(u64::from(BLOCK)).max(1) as u32);
        // Two ranges of the edges.
        let cut = m / 3;
        for edges in [0..cut, cut..m] {
            merge_path(
                device,
                Shape::new(grid, BLOCK).shared(SHARED_BYTES),
                oriented(&tails, &heads, &rows),
                totals.view_mut(),
                edges.start,
                edges.end,
                self.share,
                self.lane_most,
            )?;
        }
        totals.ensure_added(device, expected as u64)
    }
}

/// The vertices whose bits are set.
fn subset(bits: u32) -> Vec<u32> {
    (0..32).filter(|vertex| bits >> vertex & 1 == 1).collect()
}

/// Every pair of sets of up to five vertices, cut at every diagonal: with shares of one step every
/// cut is one, and with longer shares every second, third, ... is.
#[test]
fn every_cut_of_every_pair_of_small_lists_counts_every_equal_entry_once() {
    let kernel = Kernel::named("merge_path");
    for first in 0..32 {
        let pairs: Vec<_> = (0..32).map(|second| [subset(first), subset(second)]).collect();
        let pairs = Content::new(format!("{:?} with every set of five", subset(first)), pairs);
        for share in 1..=5 {
            kernel.everywhere([MergePath { pairs: pairs.clone(), share, lane_most: 0, grid: 9 }]);
        }
    }
}

/// Lists of the same entries, of none in common, one inside the other, and of very unequal lengths,
/// around the steps of a lane and of a warp.
#[test]
fn lists_of_every_shape_are_shared_out() {
    let kernel = Kernel::named("merge_path");
    let lists = |n: u32| {
        vec![
            [(0..n).collect(), (0..n).collect()],
            [(0..n).map(|k| 2 * k).collect(), (0..n).map(|k| 2 * k + 1).collect()],
            [(0..n).collect(), (0..n).filter(|k| k % 3 == 0).collect()],
            [vec![n / 2], (0..n).collect()],
            [(0..n).collect(), vec![n.saturating_sub(1)]],
            [(n..2 * n).collect(), (0..n + 1).collect()],
            [vec![], (0..n).collect()],
            [(0..n).collect(), vec![]],
        ]
    };
    for n in [1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 239, 240, 241, 1_000, 3_000] {
        for (share, lane_most, grid) in [(15, 0, 100), (16, 24, 2), (1, 3, 100), (64, 64, 1)] {
            let pairs = Content::new(format!("lists of {n}"), lists(n));
            kernel.everywhere([MergePath { pairs, share, lane_most, grid }]);
        }
    }
    // Four edges a pair: in every turn of a block the same threads have lists to share out.
    let pairs = Content::new("pairs of four edges", vec![[vec![0, 1], vec![1]]; 200]);
    kernel.everywhere([MergePath { pairs, share: 1, lane_most: 0, grid: 1 }]);
    // More blocks with equal entries than there are words for totals: 32 pairs a block.
    let grid = TOTALS as u32 + 4;
    let pairs = vec![[vec![0, 1], vec![1]]; grid as usize * 32];
    let pairs = Content::new("more pairs of four edges", pairs);
    kernel.everywhere([MergePath { pairs, share: 1, lane_most: 4, grid }]);
    kernel.on_gpu(|| {
        let pairs = (0..100).map(|n| n * n).chain([150_000]).flat_map(lists).collect();
        let pairs = Content::new("lists of up to 150,000", pairs);
        vec![MergePath { pairs, share: 15, lane_most: 24, grid: u32::MAX }]
    });
}

#[test]
fn drawn_lists_are_shared_out() {
    let kernel = Kernel::named("merge_path");
    let list = |most| {
        prop::collection::btree_set(0u32..most, 0..200usize.min(most as usize))
            .prop_map(|set| set.into_iter().collect::<Vec<u32>>())
    };
    let pair = prop_oneof![[list(8), list(8)], [list(300), list(300)], [list(20), list(3_000)]];
    let case = (prop::collection::vec(pair, 0..12), 1u32..20, 0u32..40, 1u32..4);
    kernel.drawn(
        32,
        case.prop_map(|(pairs, share, lane_most, grid)| MergePath {
            pairs: Content::new("drawn", pairs),
            share,
            lane_most,
            grid,
        }),
    );
}
