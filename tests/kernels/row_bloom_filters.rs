use anyhow::{Result, ensure};
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::row_bloom_filters::{
    BLOCK, FILTER_SHARED_BYTES, FIRST_BIT, MAKE_SHARED_BYTES, RANKS, ROW_WORDS, filter_search,
    first_bit, row_bloom_filters, second_bit,
};

use crate::devices::{Case, Kernel, TestDevice};
use crate::rows::{Rows, Totals};

/// Both filters of a row, bit by bit.
fn filters_of(row: &[u32]) -> Vec<u32> {
    let mut words = vec![0u32; ROW_WORDS as usize];
    for &vertex in row {
        for (bits_before, bit) in [(0, first_bit(vertex)), (256, second_bit(vertex))] {
            let bit = bits_before + bit;
            words[(bit / 32) as usize] |= FIRST_BIT >> (bit % 32);
        }
    }
    words
}

fn filters(graph: &Rows) -> Vec<u32> {
    (0..graph.rows.len() as u32).flat_map(|r| filters_of(graph.row(r))).collect()
}

#[derive(Debug)]
struct Make(Rows);

impl Case for Make {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Make(graph) = self;
        let n = graph.rows.len() as u64;
        let (tails, heads, rows) = graph.on(device)?;
        let mut made = Buffer::uninitialized(device, n * u64::from(ROW_WORDS))?;
        row_bloom_filters(
            device,
            Shape::new(n.div_ceil(u64::from(RANKS)) as u32, BLOCK).shared(MAKE_SHARED_BYTES),
            tails.view(),
            heads.view(),
            rows.view(),
            made.view_mut(),
            n,
        )?;
        ensure!(made.to_vec(device)? == filters(graph), "the filters differ");
        Ok(())
    }
}

#[derive(Debug)]
struct Filter {
    graph: Rows,
    /// Few make warps go round more often.
    most_blocks: u32,
}

impl Case for Filter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Filter { ref graph, most_blocks } = self;
        let m = graph.heads.len() as u64;
        let (tails, heads, rows) = graph.on(device)?;
        let filters = Buffer::from_host(device, &filters(graph))?;
        let mut totals = Totals::on(device)?;
        // Two ranges of the edges: the second begins in the middle of a row.
        let cut = m / 2;
        for edges in [0..cut, cut..m] {
            let shape = Shape::cover(edges.end - edges.start, BLOCK, most_blocks);
            let shape = shape.shared(FILTER_SHARED_BYTES);
            let (tails, heads, rows) = (tails.view(), heads.view(), rows.view());
            let (wide, totals) = (filters.view().cast(), totals.view_mut());
            let (filters, first, m) = (filters.view(), edges.start, edges.end);
            filter_search(device, shape, tails, heads, rows, filters, wide, totals, first, m)?;
        }
        totals.ensure_added(device, graph.count())
    }
}

/// Rows that go over several warps, that end with one, that begin at one; rows of 256 entries and
/// more, whose filters are nearly full.
fn graphs() -> Vec<Rows> {
    let long = (280..290u32).flat_map(|u| (0..u).map(move |v| [u, v]));
    let short = (2..280).flat_map(|v| [[v, v - 1], [v, v / 2]]);
    let long = Rows::of_pairs(&long.chain(short).collect::<Vec<_>>());
    [(1, 30), (2, 40), (33, 33), (129, 12), (257, 4), (300, 1), (200, 33)]
        .into_iter()
        .map(|(ranks, percent)| Rows::random(ranks, percent, u64::from(ranks)))
        .chain([long])
        .collect()
}

/// Graphs with the first ranks beside most others.
fn with_hubs() -> Vec<Rows> {
    let hubs = |hubs: u32, ranks: u32| {
        let beside = (0..hubs).flat_map(move |hub| (hub + 1..ranks).map(move |u| [u, hub]));
        Rows::of_pairs(&beside.chain((hubs + 9..ranks).map(|u| [u, u - 7])).collect::<Vec<_>>())
    };
    graphs().into_iter().chain([(1, 200), (5, 300), (40, 90)].map(|(h, n)| hubs(h, n))).collect()
}

#[test]
fn row_bloom_filters_have_the_bits_of_their_entries() {
    Kernel::named("row_bloom_filters").everywhere(with_hubs().into_iter().map(Make));
}

#[test]
fn filter_search_counts_what_looking_up_counts() {
    let kernel = Kernel::named("filter_search");
    for (most_blocks, graphs) in [(1, graphs()), (3, with_hubs()), (u32::MAX, graphs())] {
        kernel.everywhere(graphs.into_iter().map(|graph| Filter { graph, most_blocks }));
    }
}
