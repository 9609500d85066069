use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use tribin_kernels::cliques::{
    BLOCK, BY_PIVOTS, IN_GLOBAL, IN_SHARED, LARGEST, SMALLEST, TOTALS, cliques_of_rows,
    goes_by_pivots, rows_of_length, scratch_words, shared_bytes, ways_len,
};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds};
use crate::rows::{Rows, graphs_of_triangles};

/// The cliques of `k` ranks whose largest is `rank`: ranks that are joined to all that were chosen, one after the other.
fn cliques_of(graph: &Rows, rank: u32, k: u32) -> Vec<Vec<u32>> {
    let mut cliques = vec![vec![rank]];
    for _ in 1..k {
        let larger = |clique: &Vec<u32>| {
            let heads = graph.row(clique[clique.len() - 1]).iter();
            let joined = |head: &&u32| clique.iter().all(|&rank| graph.row(rank).contains(head));
            let with = |&head: &u32| [&clique[..], &[head]].concat();
            heads.filter(joined).map(with).collect::<Vec<_>>()
        };
        cliques = cliques.iter().flat_map(larger).collect();
    }
    cliques
}

/// The table of binomial coefficients that the kernels take, by the product formula.
fn ways(longest: u32, k: u32) -> Vec<u64> {
    let binomial = |n: u32, chosen: u32| {
        let step = |ways: u128, i| ways * u128::from(n.saturating_sub(i)) / u128::from(i + 1);
        (0..chosen).fold(1, step)
    };
    let of = |n: u32| (0..k - 1).map(move |chosen| binomial(n, chosen));
    let ways: Vec<u64> =
        (0..=longest).flat_map(of).flat_map(|ways| [ways as u64, (ways >> 64) as u64]).collect();
    assert_eq!(ways.len() as u64, ways_len(longest, k));
    ways
}

#[derive(Debug)]
struct Lengths {
    graph: Rows,
    shape: Shape,
    lengths: [u32; 2],
    first: u64,
    step: u64,
}

impl Case for Lengths {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Lengths { graph, shape, lengths: [least, most], first, step } = self;
        let n = graph.rows.len() as u64;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut list = Buffer::<u32, D>::zeroed(device, n)?;
        let mut taken = Buffer::<u64, D>::zeroed(device, 1)?;
        let (to, count) = (list.view_mut(), taken.view_mut());
        rows_of_length(device, *shape, rows.view(), to, count, *least, *most, n, *first, *step)?;
        let expected = |rank: &u32| (*least..=*most).contains(&(graph.row(*rank).len() as u32));
        let ranks = (0..n as u32).filter(|&rank| u64::from(rank) % step == *first);
        let expected: BTreeSet<u32> = ranks.filter(expected).collect();
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
        let lengths = [[0, 0], [1, 3], [3, 32], [0, u32::MAX]].into_iter();
        let shares = [(0, 1), (0, 2), (1, 2), (6, 7)];
        kernel.everywhere(lengths.flat_map(|lengths| {
            shares.map(|(first, step)| Lengths {
                graph: graph.clone(),
                shape: Shape::new(2, BLOCK / 4),
                lengths,
                first,
                step,
            })
        }));
    }
}

#[derive(Debug)]
struct Cliques {
    graph: Rows,
    k: u32,
    blocks: u32,
    warps: u32,
    slices: u32,
    words_at: u32,
}

impl Case for Cliques {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Cliques { ref graph, k, blocks, warps, slices, words_at } = self;
        let ranks = 0..graph.rows.len() as u32;
        let longest = ranks.clone().map(|rank| graph.row(rank).len() as u32).max().unwrap_or(0);
        // Every other rank, those of short rows among them.
        let list: Vec<u32> = ranks.step_by(2).collect();
        let cliques: usize = list.iter().map(|&rank| cliques_of(graph, rank, k).len()).sum();
        let n = list.len() as u64;
        let (heads, rows, list, ways) = (
            Buffer::from_host(device, &graph.heads)?,
            Buffer::from_host(device, &graph.rows)?,
            Buffer::from_host(device, &list)?,
            Buffer::from_host(device, &ways(longest, k))?,
        );
        let (heads, rows, list, ways) = (heads.view(), rows.view(), list.view(), ways.view());
        let mut queue = Buffer::<u32, D>::zeroed(device, 1)?;
        let queue = queue.view_mut();
        // What is there is added to.
        assert_eq!(TOTALS, 4);
        let mut totals = Buffer::from_host(device, &[3, 1 << 32, 7, 9])?;
        let words = u64::from(blocks) * scratch_words(words_at, longest, k, warps);
        let mut scratch = Buffer::<u32, D>::uninitialized(device, words)?;
        let scratch = scratch.view_mut();
        let bytes = shared_bytes(words_at, longest, k, warps) as u32;
        let shape = Shape::new(blocks, 32 * warps).shared(bytes);
        let by = words_at + if goes_by_pivots(k) { BY_PIVOTS } else { 0 };
        let count = match by {
            0 => cliques_of_rows::<0, D>,
            1 => cliques_of_rows::<1, D>,
            2 => cliques_of_rows::<2, D>,
            _ => cliques_of_rows::<3, D>,
        };
        let sum = totals.view_mut();
        count(device, shape, heads, rows, ways, list, queue, sum, scratch, k, longest, n, slices)?;
        let expected = [3 + cliques as u64, 1 << 32, 7, 9];
        ensure_holds("totals", device, &totals, &expected)
    }
}

fn check(kernel: &'static str, words_at: u32) {
    let kernel = Kernel::named(kernel);
    let mut all = graphs_of_triangles();
    // Neighbours of few and of many, so that either of two lists is the shorter, and rows of several words of bits.
    let hubs = (1..120).flat_map(|v| [[0, v], [v, v % 5], [v, v % 7], [v, v / 3]]);
    all.push(Rows::of_pairs(&hubs.filter(|[u, v]| u != v).collect::<Vec<_>>()));
    // All but some edges: sets of which any two are joined, and sets that miss one edge.
    let dense = (1..22).flat_map(|u| (0..u).map(move |v| [u, v]));
    all.push(Rows::of_pairs(&dense.filter(|[u, v]| u % 7 != v % 7).collect::<Vec<_>>()));
    for graph in all {
        let cases = [(SMALLEST, 1, 1, 1), (5, 2, 3, 3), (6, 1, 2, 2)];
        // Of the largest graph the cliques of few vertices are enough.
        let few = if graph.heads.len() > 1_000 { 1 } else { cases.len() };
        kernel.everywhere(cases.into_iter().take(few).map(|(k, blocks, warps, slices)| {
            let graph = graph.clone();
            Cliques { graph, k, blocks, warps, slices, words_at }
        }));
    }
    // All edges but one at each rank: long rows whose sets are not complete.
    let party = (1..36).flat_map(|u| (0..u).map(move |v| [u, v]));
    let graph = Rows::of_pairs(&party.filter(|[u, v]| u % 18 != v % 18).collect::<Vec<_>>());
    kernel.everywhere([Cliques { graph, k: 5, blocks: 2, warps: 3, slices: 4, words_at }]);
    // Sets with pivots, of few words and of more: each place misses one other, or most others.
    let few = (1..20).flat_map(|u| (0..u).map(move |v| [u, v])).filter(|[u, v]| u % 10 != v % 10);
    let many = (1..80).flat_map(|u| (0..u).map(move |v| [u, v]));
    let many = many.filter(|[u, v]| u * 7 % 79 * (v * 5 % 83) % 11 < 5 || *u > 72);
    for (pairs, k, slices) in [(few.collect(), 7, 1), (many.collect::<Vec<_>>(), 6, 2)] {
        let graph = Rows::of_pairs(&pairs);
        kernel.everywhere([Cliques { graph, k, blocks: 2, warps: 2, slices, words_at }]);
    }
    let graph = Rows::clique(LARGEST + 2);
    kernel.everywhere([7, LARGEST].map(|k| {
        let graph = graph.clone();
        Cliques { graph, k, blocks: 2, warps: 2, slices: k / LARGEST + 1, words_at }
    }));
}

#[test]
fn cliques_are_those_of_the_rows() {
    check("cliques_of_rows", IN_SHARED);
}

#[test]
fn cliques_of_long_rows_are_those_of_the_rows() {
    check("cliques_of_rows, in global memory", IN_GLOBAL);
}

/// Numbers of more than 64 bits, which the table has for sets whose every two members are joined: 2⁷⁰ and as many more as there are.
#[derive(Debug)]
struct Many;

impl Case for Many {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let k = LARGEST;
        let graph = Rows::clique(40);
        let of_each = |n: u64| (0..k - 1).flat_map(move |_| [n, 1 << 6]);
        let table: Vec<u64> = (0..40).flat_map(of_each).collect();
        let (heads, rows, list, ways) = (
            Buffer::from_host(device, &graph.heads)?,
            Buffer::from_host(device, &graph.rows)?,
            Buffer::from_host(device, &[39])?,
            Buffer::from_host(device, &table)?,
        );
        let mut totals = Buffer::<u64, D>::zeroed(device, TOTALS)?;
        let shape = Shape::new(1, 64).shared(shared_bytes(IN_SHARED, 39, k, 2) as u32);
        cliques_of_rows::<{ IN_SHARED + BY_PIVOTS }, D>(
            device,
            shape,
            heads.view(),
            rows.view(),
            ways.view(),
            list.view(),
            Buffer::<u32, D>::zeroed(device, 1)?.view_mut(),
            totals.view_mut(),
            Buffer::<u32, D>::uninitialized(device, 0)?.view_mut(),
            k,
            39,
            1,
            1,
        )?;
        // Any two of the 39 heads are joined. Each place is the largest of cliques once, and has as many below it as its number.
        ensure_holds("totals", device, &totals, &[(0..39).sum::<u64>(), 0, 39 << 6, 0])
    }
}

#[test]
fn numbers_of_more_than_64_bits_are_added_up() {
    Kernel::named("cliques_of_rows").everywhere([Many]);
}
