use anyhow::{Result, ensure};
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::forward::{self, SAMPLE_MOST, TOTALS, sample_merge};
use tribin_kernels::row_signatures::{
    BLOCK, FILTER_SHARED_BYTES, FIRST_BIT, MAKE_SHARED_BYTES, RANKS, ROW_WORDS, filter_search,
    first_bit, row_signatures, second_bit,
};

use crate::devices::{Case, Kernel, TestDevice};
use crate::rows::Rows;

/// Both signatures of a row, bit by bit.
fn signatures_of(row: &[u32]) -> Vec<u32> {
    let mut words = vec![0u32; ROW_WORDS as usize];
    for &vertex in row {
        for (bits_before, bit) in [(0, first_bit(vertex)), (256, second_bit(vertex))] {
            let bit = bits_before + bit;
            words[(bit / 32) as usize] |= FIRST_BIT >> (bit % 32);
        }
    }
    words
}

fn signatures(graph: &Rows) -> Vec<u32> {
    (0..graph.rows.len() as u32).flat_map(|r| signatures_of(graph.row(r))).collect()
}

#[derive(Debug)]
struct Make(Rows);

impl Case for Make {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Make(graph) = self;
        let n = graph.rows.len() as u64;
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut made = Buffer::uninitialized(device, n * u64::from(ROW_WORDS))?;
        row_signatures(
            device,
            Shape::new(n.div_ceil(u64::from(RANKS)) as u32, BLOCK).shared(MAKE_SHARED_BYTES),
            tails.view(),
            heads.view(),
            rows.view(),
            made.view_mut(),
            n,
        )?;
        ensure!(made.to_vec(device)? == signatures(graph), "the signatures differ");
        Ok(())
    }
}

#[derive(Debug)]
struct Filter(Rows);

impl Case for Filter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Filter(graph) = self;
        let m = graph.heads.len() as u64;
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let signatures = Buffer::from_host(device, &signatures(graph))?;
        let before: Vec<u64> = (0..TOTALS).collect();
        let mut totals = Buffer::from_host(device, &before)?;
        filter_search(
            device,
            Shape::cover(m, BLOCK, u32::MAX).shared(FILTER_SHARED_BYTES),
            tails.view(),
            heads.view(),
            rows.view(),
            signatures.view(),
            signatures.view().cast(),
            totals.view_mut(),
            m,
        )?;
        let found = totals.to_vec(device)?.iter().sum::<u64>() - before.iter().sum::<u64>();
        let expected: u64 = (0..m as u32).map(|place| graph.closed(place)).sum();
        ensure!(found == expected, "{found} triangles, expected {expected}");
        Ok(())
    }
}

/// The wedges and the triangles of an edge among the first entries of its two lists.
fn starts(graph: &Rows, place: u32) -> (u64, u64) {
    let (u, a) = (graph.tails[place as usize], graph.heads[place as usize]);
    let first = |row: &[u32]| row.iter().copied().take(SAMPLE_MOST as usize).collect::<Vec<_>>();
    let prefix: Vec<u32> = graph.row(u).iter().copied().filter(|&w| w < a).collect();
    let (prefix, row) = (first(&prefix), first(graph.row(a)));
    (prefix.len() as u64, prefix.iter().filter(|w| row.contains(w)).count() as u64)
}

#[derive(Debug)]
struct Sample(Rows, u32, u32);

impl Case for Sample {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Sample(graph, step, high) = self;
        let m = graph.heads.len() as u64;
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut totals = Buffer::<u64, D>::zeroed(device, 3 * TOTALS)?;
        sample_merge(
            device,
            Shape::cover(m.div_ceil(u64::from(*step)), forward::BLOCK, u32::MAX),
            tails.view(),
            heads.view(),
            rows.view(),
            totals.view_mut(),
            m,
            u64::from(*step),
            *high,
        )?;
        let totals = totals.to_vec(device)?;
        let found: Vec<u64> =
            totals.chunks(TOTALS as usize).map(|sums| sums.iter().sum()).collect();
        let mut expected = vec![0; 3];
        for place in (0..m as u32).step_by(*step as usize) {
            let (wedges, triangles) = starts(graph, place);
            expected[0] += triangles;
            expected[1] += if graph.heads[place as usize] >= *high { triangles } else { 0 };
            expected[2] += wedges;
        }
        ensure!(found == expected, "{found:?}, expected {expected:?}");
        Ok(())
    }
}

/// Rows that go over several warps, that end with one, that begin at one; rows of 256 entries and
/// more, whose signatures are nearly full.
fn graphs() -> Vec<Rows> {
    [(1, 30), (2, 40), (33, 33), (129, 12), (257, 4), (300, 1), (400, 33), (450, 60)]
        .into_iter()
        .map(|(ranks, percent)| Rows::random(ranks, percent, u64::from(ranks)))
        .collect()
}

#[test]
fn row_signatures_have_the_bits_of_their_entries() {
    let kernel = Kernel::named("row_signatures");
    kernel.everywhere(graphs().into_iter().map(Make));
    kernel.report();
}

#[test]
fn filter_search_counts_what_looking_up_counts() {
    let kernel = Kernel::named("filter_search");
    kernel.everywhere(graphs().into_iter().map(Filter));
    kernel.report();
}

#[test]
fn sample_merge_counts_every_so_many_th_edge() {
    let kernel = Kernel::named("sample_merge");
    for step in [1, 2, 7, 1 << 30] {
        for high in [0, 30, u32::MAX] {
            kernel.everywhere(graphs().into_iter().map(|graph| Sample(graph, step, high)));
        }
    }
    kernel.report();
}
