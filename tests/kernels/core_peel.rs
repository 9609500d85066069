use anyhow::{Result, ensure};
use tribin_kernels::core_peel::{
    BLOCK, CHUNK, CONTROL_WORDS, DONE, LAST_LEVEL, LEVEL, ROUNDS, SCANS, SHARED_BYTES, STEP,
    all_degrees, head_keys, lay_out_tails, peel_cores,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{Rows, graphs};

/// The tails of the edges to each vertex, and where they begin and end, 0 without any.
fn tails_of_heads(graph: &Rows) -> (Vec<u32>, Vec<u64>) {
    let (mut tails, mut ends) = (Vec::new(), Vec::new());
    for head in 0..graph.rows.len() as u32 {
        let start = tails.len() as u64;
        let edges = graph.tails.iter().zip(&graph.heads);
        tails.extend(edges.filter(|&(_, &of)| of == head).map(|(&tail, _)| tail));
        let end = tails.len() as u64;
        ends.push(if end > start { end << 32 | start } else { 0 });
    }
    (tails, ends)
}

/// The core number of every vertex: the vertex with the fewest neighbours left goes, one after another.
fn cores(graph: &Rows) -> Vec<u32> {
    let vertices = graph.rows.len();
    let edges: Vec<[usize; 2]> =
        graph.tails.iter().zip(&graph.heads).map(|(&u, &v)| [u as usize, v as usize]).collect();
    let mut left = graph.degrees();
    let mut cores = vec![u32::MAX; vertices];
    let mut level = 0;
    for _ in 0..vertices {
        let lives = (0..vertices).filter(|&vertex| cores[vertex] == u32::MAX);
        let vertex = lives.min_by_key(|&vertex| left[vertex]).expect("a vertex is left");
        level = level.max(left[vertex]);
        cores[vertex] = level;
        for &[u, v] in &edges {
            for [from, to] in [[u, v], [v, u]] {
                if from == vertex && cores[to] == u32::MAX {
                    left[to] -= 1;
                }
            }
        }
    }
    cores
}

#[derive(Debug)]
struct Layout(Rows, Shape);

impl Case for Layout {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Layout(graph, shape) = self;
        let (m, n) = (graph.tails.len() as u64, graph.rows.len() as u64);
        let (tails, heads, _) = graph.on(device)?;
        let mut keys = Buffer::<u64, D>::uninitialized(device, m)?;
        head_keys(device, *shape, tails.view(), heads.view(), keys.view_mut(), m)?;
        let ends = graph.tails.iter().zip(&graph.heads);
        let mut expected: Vec<u64> =
            ends.map(|(&tail, &head)| u64::from(head) << 32 | u64::from(tail)).collect();
        ensure_holds("keys", device, &keys, &expected)?;

        expected.sort();
        let (expected_tails, expected_ends) = tails_of_heads(graph);
        let keys = Buffer::from_host(device, &expected)?;
        let mut tails = Buffer::<u32, D>::uninitialized(device, m)?;
        let mut ends = Buffer::<u64, D>::zeroed(device, n)?;
        let (to, ends_to) = (tails.view_mut(), ends.view_mut().cast());
        lay_out_tails(device, *shape, keys.view(), to, ends_to, m)?;
        ensure_holds("tails", device, &tails, &expected_tails)?;
        ensure_holds("ends", device, &ends, &expected_ends)?;

        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut degrees = Buffer::<u32, D>::uninitialized(device, n)?;
        all_degrees(device, *shape, rows.view(), ends.view(), degrees.view_mut(), n)?;
        ensure_holds("degrees", device, &degrees, &graph.degrees())
    }
}

#[test]
fn the_tails_of_heads_come_from_keys() {
    let kernel = Kernel::named("head_keys, lay_out_tails and all_degrees");
    for graph in graphs() {
        let m = graph.tails.len() as u64;
        kernel.everywhere(striding_shapes(m, BLOCK).map(|shape| Layout(graph.clone(), shape)));
    }
}

#[derive(Debug)]
struct Peel {
    graph: Rows,
    shape: Shape,
    first_level: u32,
    most_steps: u32,
}

impl Case for Peel {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Peel { graph, shape, first_level, most_steps } = self;
        let vertices = graph.rows.len();
        let (tails, ends) = tails_of_heads(graph);
        let items: u32 = graph.degrees().iter().map(|degree| degree.div_ceil(CHUNK)).sum();
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let tails = Buffer::from_host(device, &tails)?;
        let ends = Buffer::from_host(device, &ends)?;
        let mut degrees = Buffer::from_host(device, &graph.degrees())?;
        let mut found = Buffer::<u32, D>::uninitialized(device, vertices as u64)?;
        let mut queue = Buffer::<u64, D>::uninitialized(device, u64::from(items))?;
        let mut words = [0; CONTROL_WORDS as usize];
        words[LEVEL as usize] = u64::from(*first_level);
        let mut control = Buffer::<u64, D>::from_host(device, &words)?;
        let mut launches = 0;
        while words[STEP as usize] != DONE {
            ensure!(launches <= 4 * vertices + 4, "no end after {launches} launches");
            launches += 1;
            peel_cores(
                device,
                shape.shared(SHARED_BYTES).together(),
                heads.view(),
                rows.view(),
                tails.view(),
                ends.view(),
                degrees.view_mut(),
                found.view_mut(),
                queue.view_mut(),
                control.view_mut(),
                vertices as u64,
                *most_steps,
            )?;
            control.download(device, 0, &mut words)?;
        }
        let expected: Vec<u32> = cores(graph).iter().map(|&core| core.max(*first_level)).collect();
        ensure_holds("cores", device, &found, &expected)?;
        let largest = expected.iter().copied().max().unwrap_or(0);
        let last = words[LAST_LEVEL as usize];
        // Where no vertex has neighbours, none was queued.
        let expected_last = if items > 0 { largest } else { 0 };
        ensure!(last == u64::from(expected_last), "last level {last}, largest core {largest}");
        let steps = words[ROUNDS as usize] + words[SCANS as usize] + 1;
        let needed = steps.div_ceil(u64::from(*most_steps));
        ensure!(launches as u64 == needed, "{launches} launches for {steps} steps");
        Ok(())
    }
}

/// Cliques of several sizes that share vertices, with tails of paths: levels that no vertex has lie between theirs.
fn cliques_with_paths() -> Rows {
    let mut start = 0;
    let mut pairs = Vec::new();
    for size in [4u32, 12, 3, 7] {
        pairs.extend((start..start + size).flat_map(|u| (start..u).map(move |v| [u, v])));
        start += size - 1;
    }
    pairs.extend((0..9).map(|k| [start + k, start + k + 1]));
    Rows::of_pairs(&pairs)
}

/// A hub with more neighbours than a place of the queue has, of which every second has another.
fn hub() -> Rows {
    let leaves = 3 * CHUNK + 5;
    let spokes = (1..=leaves).map(|leaf| [leaf, 0]);
    let others = (1..=leaves).step_by(2).map(|leaf| [leaf, leaf + 1]);
    Rows::of_pairs(&spokes.chain(others).collect::<Vec<_>>())
}

#[test]
fn peel_cores_finds_every_vertexs_core_number() {
    let kernel = Kernel::named("peel_cores");
    let small = graphs().into_iter().filter(|graph| graph.heads.len() < 1_000);
    for graph in small.chain([cliques_with_paths(), hub(), Rows::clique(70)]) {
        for (grid, block, first_level, most_steps) in
            [(1, 32, 0, u32::MAX), (2, 64, 0, 1), (4, 96, 2, 5), (3, 32, 6, u32::MAX)]
        {
            let shape = Shape::new(grid, block);
            kernel.everywhere([Peel { graph: graph.clone(), shape, first_level, most_steps }]);
        }
    }
    for seed in 0..4 {
        let graph = Rows::random(120, 9, seed);
        let shape = Shape::new(2, 64);
        kernel.everywhere([Peel { graph, shape, first_level: 0, most_steps: u32::MAX }]);
    }
}
