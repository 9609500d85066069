use anyhow::{Result, ensure};
use tribin_kernels::truss_peel::{
    CONTROL_WORDS, DONE, LAST_LEVEL, LEVEL, LIVE, LIVE_AT_STOP, ROUNDS, SCANS, SHARED_BYTES, STEP,
    STOPPED, peel_truss,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice};
use crate::rows::{Both, Rows, graphs};

/// The trussness of every edge: the edge with the fewest triangles goes, one after another.
fn peeled(triangles: &[[u32; 3]], edges: usize) -> Vec<u32> {
    let mut trussness = vec![0; edges];
    let mut live: Vec<[u32; 3]> = triangles.to_vec();
    let mut level = 0;
    for _ in 0..edges {
        let mut left = vec![0u32; edges];
        live.iter().flatten().for_each(|&place| left[place as usize] += 1);
        let lives = (0..edges).filter(|&edge| trussness[edge] == 0);
        let edge = lives.min_by_key(|&edge| left[edge]).expect("an edge is left");
        level = level.max(left[edge]);
        trussness[edge] = level + 2;
        live.retain(|triangle| !triangle.contains(&(edge as u32)));
    }
    trussness
}

/// Cliques of several sizes that share vertices: levels that no edge has lie between theirs.
fn cliques() -> Rows {
    let sizes = [4u32, 12, 3, 7];
    let mut start = 0;
    let mut pairs = Vec::new();
    for size in sizes {
        let joined = (start..start + size).flat_map(|u| (start..u).map(move |v| [u, v]));
        pairs.extend(joined);
        start += size - 1;
    }
    Rows::of_pairs(&pairs)
}

/// 100 triangles on one edge: more than an item has entries.
fn book() -> Rows {
    let pairs: Vec<[u32; 2]> =
        (2..102).flat_map(|page| [[page, 0], [page, 1]]).chain([[1, 0]]).collect();
    Rows::of_pairs(&pairs)
}

#[derive(Debug)]
struct Peel {
    graph: Rows,
    shape: Shape,
    most_steps: u32,
    chunk: u32,
    stop_live: u64,
}

impl Peel {
    /// To the end, in one launch.
    fn whole(graph: Rows) -> Peel {
        let (shape, most_steps) = (Shape::new(2, 64), u32::MAX);
        Peel { graph, shape, most_steps, chunk: 64, stop_live: 0 }
    }
}

impl Case for Peel {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let graph = &self.graph;
        let m = graph.heads.len() as u64;
        let both = Both::of(graph);
        let parts: Vec<u32> =
            (0..m).map(|edge| both.shorter(graph, edge).div_ceil(self.chunk)).collect();
        let items = parts.iter().map(|&parts| u64::from(parts)).sum();
        // Where an edge was in the whole graph: any order will do.
        let places: Vec<u32> = (0..m as u32).rev().collect();
        let (tails, heads, _) = graph.on(device)?;
        let rows = Buffer::from_host(device, &both.rows)?;
        let neighbours = Buffer::from_host(device, &both.neighbours)?;
        let edge_at = Buffer::from_host(device, &both.edge_at)?;
        let parts = Buffer::from_host(device, &parts)?;
        let places_there = Buffer::from_host(device, &places)?;
        let mut support = Buffer::from_host(device, &graph.support())?;
        let mut round_of = Buffer::from_host(device, &vec![LIVE; m as usize])?;
        let mut trussness = Buffer::from_host(device, &vec![0u32; m as usize])?;
        let mut queue = Buffer::<u64, D>::uninitialized(device, items)?;
        let mut control = Buffer::<u64, D>::zeroed(device, CONTROL_WORDS)?;
        let mut words = [0; CONTROL_WORDS as usize];
        let mut launches = 0;
        while ![DONE, STOPPED].contains(&words[STEP as usize]) {
            ensure!(launches <= 3 * m, "no end after {launches} launches");
            launches += 1;
            peel_truss(
                device,
                self.shape.shared(SHARED_BYTES).together(),
                tails.view(),
                heads.view(),
                rows.view(),
                neighbours.view(),
                edge_at.view(),
                parts.view(),
                places_there.view(),
                support.view_mut(),
                round_of.view_mut(),
                trussness.view_mut(),
                queue.view_mut(),
                control.view_mut(),
                m,
                self.chunk,
                self.most_steps,
                self.stop_live,
            )?;
            control.download(device, 0, &mut words)?;
        }
        let triangles = graph.triangles();
        let expected = peeled(&triangles, m as usize);
        let steps = words[ROUNDS as usize] + words[SCANS as usize] + 1;
        let needed = steps.div_ceil(u64::from(self.most_steps));
        ensure!(launches == needed, "{launches} launches for {steps} steps");
        let mut found = trussness.to_vec(device)?;
        found.reverse();
        if words[STEP as usize] == DONE {
            ensure!(found == expected, "{found:?}, expected {expected:?}");
            let largest = u64::from(expected.into_iter().max().unwrap_or(2));
            let last = words[LAST_LEVEL as usize];
            ensure!(last + 2 == largest, "last level {last}, trussness {largest}");
            return Ok(());
        }
        // What is left is the truss of the level, and nothing before its first scan has stopped the grid.
        let level = words[LEVEL as usize] as u32;
        let stays: Vec<bool> = expected.iter().map(|&truss| truss >= level + 2).collect();
        let live = stays.iter().filter(|stays| **stays).count() as u64;
        let left = triangles.iter().filter(|of| of.iter().all(|&edge| stays[edge as usize]));
        let mut on = vec![0u32; m as usize];
        left.flatten().for_each(|&edge| on[edge as usize] += 1);
        ensure!(words[LIVE_AT_STOP as usize] == live, "{words:?}, expected {live} edges");
        ensure!(live < self.stop_live, "a stop for no reason");
        let support = support.to_vec(device)?;
        for edge in 0..m as usize {
            if stays[edge] {
                ensure!(support[edge] == on[edge], "edge {edge}: {} triangles", support[edge]);
            } else {
                ensure!(support[edge] < level, "edge {edge} went, and is taken for live");
                ensure!(found[edge] == expected[edge], "edge {edge}: trussness {}", found[edge]);
            }
        }
        Ok(())
    }
}

#[test]
fn peel_truss_finds_every_edges_trussness() {
    let kernel = Kernel::named("peel_truss");
    let small = graphs().into_iter().filter(|graph| graph.heads.len() < 1_000);
    for graph in small.chain([cliques(), book()]) {
        let m = graph.heads.len() as u64;
        for (grid, block, most_steps, chunk) in
            [(1, 32, u32::MAX, 512), (2, 64, 1, 1), (4, 96, 5, 33), (4, 96, u32::MAX, 512)]
        {
            let shape = Shape::new(grid, block);
            let whole = Peel::whole(graph.clone());
            kernel.everywhere([Peel { shape, most_steps, chunk, ..whole }]);
        }
        let whole = || Peel::whole(graph.clone());
        kernel.everywhere([
            Peel { stop_live: m / 2, ..whole() },
            Peel { stop_live: m + 1, ..whole() },
        ]);
    }
}
