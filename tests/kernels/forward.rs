use anyhow::Result;
use proptest::prelude::*;
use testkit::effort;
use testkit::oracle::brute_force;
use tribin_kernels::forward::{BLOCK, TOTALS, forward_merge, merge_or_search};
use warpwise_device::launch::Shape;

use crate::contents::{Content, EdgePattern, any_edges};
use crate::devices::{Case, Kernel, TestDevice, striding_shapes};
use crate::rows::{Rows, Totals, oriented};

#[derive(Debug)]
struct ForwardMerge {
    /// Entries in any order and direction; what repeats, and self-loops, are dropped.
    entries: Content<[u32; 2]>,
    vertices: u32,
    shape: Shape,
    by: By,
}

/// The kernel that counts.
#[derive(Debug, Clone, Copy)]
enum By {
    Merge,
    /// The kernel that searches for the wedges of unlike rows.
    MergeOrSearch,
}

impl Case for ForwardMerge {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let simple = self.entries.iter().copied().filter(|[u, v]| u != v);
        let mut graph = Rows::of_pairs(&simple.collect::<Vec<_>>());
        graph.rows.resize(self.vertices as usize, 0);
        let m = graph.heads.len() as u64;
        // What stands behind the edges is not the kernel's: here, more of the last head.
        graph.heads.extend([graph.heads.last().copied().unwrap_or(0); 3]);
        let (tails, heads, rows) = graph.on(device)?;
        let pairs = heads.view().slice(0, m.next_multiple_of(2)).cast();
        let mut totals = Totals::on(device)?;
        // Two ranges of the edges.
        let cut = m / 3;
        for edges in [0..cut, cut..m] {
            let (graph, totals) = (oriented(&tails, &heads, &rows), totals.view_mut());
            let (shape, first, end) = (self.shape, edges.start, edges.end);
            match self.by {
                By::Merge => {
                    forward_merge(device, shape, graph, pairs, totals, first, end)?;
                }
                By::MergeOrSearch => {
                    merge_or_search(device, shape, graph, pairs, totals, first, end)?;
                }
            }
        }
        totals.ensure_added(device, brute_force(&self.entries))
    }
}

/// Graphs whose triangles are known for what they are, by name.
fn graphs(n: u32) -> Vec<(Content<[u32; 2]>, u32)> {
    let clique = (0..n).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let star = (1..n).map(|leaf| [0, leaf]).collect();
    let wheel_first = (1..n).flat_map(|v| [[0, v], [v, v % (n - 1) + 1]]).collect();
    let wheel_last = (0..n - 1).flat_map(|v| [[n - 1, v], [v, (v + 1) % (n - 1)]]).collect();
    let bipartite = (0..n / 2).flat_map(|u| (n / 2..n).map(move |v| [u, v])).collect();
    let path = (1..n).map(|v| [v, v - 1]).collect();
    let strip = (2..n).flat_map(|v| [[v, v - 1], [v, v - 2]]).collect();
    // Edges with prefixes of up to four entries, to heads with rows of up to n - 1.
    let fan = |f: u32| [f, 3 * f + 1, 7 * f + 2, 11 * f + 3, n - 1].map(|v| [n + f, v % n]);
    let fans = (0..n).flat_map(|u| (0..u).map(move |v| [u, v])).chain((0..n).flat_map(fan));
    [
        ("clique", clique),
        ("star", star),
        ("wheel, hub first", wheel_first),
        ("wheel, hub last", wheel_last),
        ("bipartite", bipartite),
        ("path", path),
        ("strip", strip),
        ("clique with fans", fans.collect()),
    ]
    .into_iter()
    .map(|(name, entries)| (Content::new(name, entries), 2 * n))
    .collect()
}

#[test]
fn forward_merge_counts_what_brute_force_counts() {
    check_kernel("forward_merge", By::Merge);
}

#[test]
fn merge_or_search_counts_what_brute_force_counts() {
    check_kernel("merge_or_search", By::MergeOrSearch);
}

fn check_kernel(name: &'static str, by: By) {
    let kernel = Kernel::named(name);
    let none = || Content::new("no edges", Vec::new());
    let empty = striding_shapes(0, BLOCK);
    kernel.everywhere(empty.map(|shape| ForwardMerge { entries: none(), vertices: 3, shape, by }));
    for (at, n) in [2, 3, 4, 5, 8, 31, 32, 33, 34, 63, 64, 65, 66].into_iter().enumerate() {
        for (at, (entries, vertices)) in (at..).zip(graphs(n)) {
            // A quick run takes one shape of the five, or two.
            let shapes = striding_shapes(entries.len() as u64, BLOCK);
            for shape in effort::some(shapes, at, 3) {
                let entries = entries.clone();
                kernel.everywhere([ForwardMerge { entries, vertices, shape, by }]);
            }
        }
    }
    for pattern in EdgePattern::ALL {
        for (n, vertices) in [(40, 8), (300, 30), (1500, 80)] {
            let entries = pattern.edges(n, vertices, u64::from(vertices));
            // Blocks with a thread an edge, and more blocks than edges.
            for shape in
                [Shape::cover(n as u64, BLOCK, u32::MAX), Shape::new(2 * TOTALS as u32 + 3, 32)]
            {
                let entries = entries.clone();
                kernel.everywhere([ForwardMerge { entries, vertices, shape, by }]);
            }
        }
    }
    // More blocks with triangles than there are words for totals.
    let entries = graphs(140).swap_remove(0).0;
    assert!(entries.len() > 32 * (TOTALS as usize + 40));
    let shape = Shape::new(TOTALS as u32 + 48, 32);
    kernel.everywhere([ForwardMerge { entries, vertices: 280, shape, by }]);
    let drawn = (3u32..60).prop_flat_map(|vertices| (any_edges(vertices, 900), Just(vertices)));
    let drawn = (drawn, 1u32..9, 1u32..5).prop_map(|((entries, vertices), grid, warps)| {
        ForwardMerge { entries, vertices, shape: Shape::new(grid, warps * 32), by }
    });
    kernel.drawn(48, drawn);
    kernel.on_gpu(|| {
        let shape = Shape::new(5000, BLOCK);
        let patterns =
            EdgePattern::ALL.map(|pattern| (pattern.edges(1_000_003, 20_000, 1), 20_000));
        let large = graphs(400).into_iter().chain(patterns);
        large.map(|(entries, vertices)| ForwardMerge { entries, vertices, shape, by }).collect()
    });
}
