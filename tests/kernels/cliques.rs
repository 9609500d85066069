use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::cliques::{
    BLOCK, CONTROL_BYTES, LARGEST, SMALLEST, TOTALS, cliques_in_global, cliques_in_shared,
    rows_of_length, shared_bytes, words_of_block,
};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Rows, graphs_of_triangles};

/// The cliques of `k` ranks whose largest is `rank`: its heads that are joined to all that were chosen, one after the other.
fn cliques_of(graph: &Rows, rank: u32, k: u32) -> u64 {
    let mut sets: Vec<Vec<u32>> = vec![graph.row(rank).to_vec()];
    for _ in 2..k {
        let smaller = |set: &Vec<u32>| {
            let below = |&head: &u32| {
                let row = graph.row(head);
                set.iter().copied().filter(|other| row.contains(other)).collect::<Vec<_>>()
            };
            set.iter().map(below).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(smaller).filter(|set| !set.is_empty()).collect();
    }
    sets.iter().map(|set| set.len() as u64).sum()
}

#[derive(Debug)]
struct Lengths {
    graph: Rows,
    shape: Shape,
    lengths: [u32; 2],
}

impl Case for Lengths {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Lengths { graph, shape, lengths: [least, most] } = self;
        let n = graph.rows.len() as u64;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut list = Buffer::<u32, D>::zeroed(device, n)?;
        let mut taken = Buffer::<u64, D>::zeroed(device, 1)?;
        let (to, count) = (list.view_mut(), taken.view_mut());
        rows_of_length(device, *shape, rows.view(), to, count, *least, *most, n)?;
        let expected = |rank: &u32| (*least..=*most).contains(&(graph.row(*rank).len() as u32));
        let expected: BTreeSet<u32> = (0..n as u32).filter(expected).collect();
        ensure_holds("taken", device, &taken, &[expected.len() as u64])?;
        let listed = list.to_vec(device)?;
        let listed = listed[..expected.len()].iter().copied().collect::<BTreeSet<u32>>();
        ensure!(listed == expected, "{listed:?} are listed, not {expected:?}");
        Ok(())
    }
}

#[test]
fn rows_are_listed_by_their_lengths() {
    let kernel = Kernel::named("rows_of_length");
    for graph in graphs_of_triangles() {
        kernel.everywhere([[0, 0], [1, 3], [3, 32], [0, u32::MAX]].map(|lengths| Lengths {
            graph: graph.clone(),
            shape: Shape::new(2, BLOCK / 4),
            lengths,
        }));
    }
    kernel.report();
}

#[derive(Debug)]
struct Cliques {
    graph: Rows,
    k: u32,
    blocks: u32,
    warps: u32,
    is_global: bool,
}

impl Case for Cliques {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Cliques { graph, k, blocks, warps, is_global } = self;
        let ranks = 0..graph.rows.len() as u32;
        let longest = ranks.clone().map(|rank| graph.row(rank).len() as u32).max().unwrap_or(0);
        // Every other rank, those of short rows among them.
        let list: Vec<u32> = ranks.step_by(2).collect();
        let expected: u64 = list.iter().map(|&rank| cliques_of(graph, rank, *k)).sum();
        let n = list.len() as u64;
        let (heads, rows, list) = (
            Buffer::from_host(device, &graph.heads)?,
            Buffer::from_host(device, &graph.rows)?,
            Buffer::from_host(device, &list)?,
        );
        let mut queue = Buffer::<u32, D>::zeroed(device, 1)?;
        // What is there is added to.
        let mut totals = Buffer::from_host(device, &[3, 1 << 32])?;
        let shape = Shape::new(*blocks, 32 * warps);
        if *is_global {
            let words = u64::from(*blocks) * words_of_block(longest, *k, *warps);
            cliques_in_global(
                device,
                shape.shared(CONTROL_BYTES),
                heads.view(),
                rows.view(),
                list.view(),
                queue.view_mut(),
                totals.view_mut(),
                Buffer::<u32, D>::uninitialized(device, words)?.view_mut(),
                *k,
                longest,
                n,
            )?;
        } else {
            cliques_in_shared(
                device,
                shape.shared(shared_bytes(longest, *k, *warps) as u32),
                heads.view(),
                rows.view(),
                list.view(),
                queue.view_mut(),
                totals.view_mut(),
                *k,
                longest,
                n,
            )?;
        }
        assert_eq!(TOTALS, 2);
        ensure_holds("totals", device, &totals, &[3 + expected, 1 << 32])
    }
}

fn check(kernel: &'static str, is_global: bool) {
    let kernel = Kernel::named(kernel);
    let mut all = graphs_of_triangles();
    // Neighbours of few and of many, so that either of two lists is the shorter, and rows of several words of bits.
    let hubs = (1..120).flat_map(|v| [[0, v], [v, v % 5], [v, v % 7], [v, v / 3]]);
    all.push(Rows::of_pairs(&hubs.filter(|[u, v]| u != v).collect::<Vec<_>>()));
    for graph in all {
        kernel.everywhere([(SMALLEST, 1, 1), (5, 2, 3), (6, 1, 2)].map(|(k, blocks, warps)| {
            Cliques { graph: graph.clone(), k, blocks, warps, is_global }
        }));
    }
    let graph = Rows::clique(LARGEST + 2);
    let k = LARGEST;
    kernel.everywhere([Cliques { graph, k, blocks: 2, warps: 2, is_global }]);
    kernel.report();
}

#[test]
fn cliques_are_those_of_the_rows() {
    check("cliques_in_shared", false);
}

#[test]
fn cliques_of_long_rows_are_those_of_the_rows() {
    check("cliques_in_global", true);
}
