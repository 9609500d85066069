use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_kernels::forward;
use tribin_kernels::row_segments::{BLOCK, CUT_SHARED_BYTES, TILE, merge_segments, row_segments};
use warpwise_device::launch::{Buffer, Shape};

use crate::devices::{Case, Kernel, TestDevice, ensure_holds, striding_shapes};
use crate::rows::{self, Rows, Totals, oriented};

/// The segments of a row: numbers, and 32 bits each.
fn segments_of(row: &[u32]) -> Vec<(u32, u32)> {
    let mut segments: Vec<(u32, u32)> = vec![];
    for &entry in row {
        match segments.last_mut() {
            Some((number, bits)) if *number == entry / 32 => *bits += 1 << (entry % 32),
            _ => segments.push((entry / 32, 1 << (entry % 32))),
        }
    }
    segments
}

/// Entries behind the last edge, which are not the kernels' to read.
const SPARE: usize = 3;

#[derive(Debug)]
struct Cut(Rows);

impl Case for Cut {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u64 = 0xabab_abab_abab_abab;
        let Cut(graph) = self;
        let (n, m) = (graph.rows.len(), graph.heads.len());
        // Four ends to an element, and the same ends again behind the last.
        let with_spare = |ends: &[u32]| {
            let all = (m + SPARE).next_multiple_of(4);
            let last = ends.last().copied().unwrap_or(0);
            ends.iter().copied().chain(std::iter::repeat(last)).take(all).collect::<Vec<u32>>()
        };
        let tails = Buffer::from_host(device, &with_spare(&graph.tails))?;
        let heads = Buffer::from_host(device, &with_spare(&graph.heads))?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut segments = Buffer::from_host(device, &vec![UNTOUCHED; m + 1 + SPARE])?;
        let mut segment_rows = Buffer::from_host(device, &vec![UNTOUCHED; n + SPARE])?;
        row_segments(
            device,
            Shape::new((m as u32).div_ceil(TILE), BLOCK).shared(CUT_SHARED_BYTES),
            oriented(&tails, &heads, &rows),
            tails.view().cast(),
            heads.view().cast(),
            segments.view_mut(),
            segment_rows.view_mut(),
            m as u64,
        )?;
        let mut found = segments.to_vec(device)?;
        let mut expected = vec![UNTOUCHED; m + 1 + SPARE];
        let mut expected_rows = vec![UNTOUCHED; n];
        let mut behind = vec![];
        for r in 0..n as u32 {
            let row = segments_of(graph.row(r));
            if row.is_empty() {
                continue;
            }
            let start = graph.rows[r as usize] & 0xffff_ffff;
            let end = start + row.len() as u64;
            expected_rows[r as usize] = start + (end << 32);
            for (at, &(number, bits)) in (start as usize..).zip(&row) {
                expected[at] = u64::from(number) + (u64::from(bits) << 32);
            }
            behind.push(end as usize);
        }
        for end in behind {
            ensure!(found[end] != UNTOUCHED, "nothing at {end}, behind a row's segments");
            // Any content will do there, but for the next row's first segment.
            if expected[end] == UNTOUCHED {
                found[end] = UNTOUCHED;
            }
        }
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            ensure!(found == expected, "segments[{at}] is {found:#x}, expected {expected:#x}");
        }
        expected_rows.extend([UNTOUCHED; SPARE]);
        ensure_holds("segment_rows", device, &segment_rows, &expected_rows)
    }
}

#[derive(Debug)]
struct Merge(Rows, Shape);

impl Case for Merge {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Merge(graph, shape) = self;
        let m = graph.heads.len();
        // What stands behind a row's segments is not the kernel's: here, segments of every number.
        let numbers = graph.rows.len() as u64 / 32 + 1;
        let mut segments: Vec<u64> =
            (0..=m as u64).map(|at| at % numbers + (u64::from(u32::MAX) << 32)).collect();
        let mut segment_rows = vec![0; graph.rows.len()];
        for r in 0..graph.rows.len() as u32 {
            let start = graph.rows[r as usize] & 0xffff_ffff;
            let row = segments_of(graph.row(r));
            for (at, &(number, bits)) in (start as usize..).zip(&row) {
                segments[at] = u64::from(number) + (u64::from(bits) << 32);
            }
            if !row.is_empty() {
                segment_rows[r as usize] = start + ((start + row.len() as u64) << 32);
            }
        }
        // Nor are the ends behind the last edge: here, that edge again.
        let with_spare = |ends: &[u32]| {
            let last = ends.last().copied().unwrap_or(0);
            ends.iter().copied().chain([last; SPARE]).collect::<Vec<u32>>()
        };
        let tails = Buffer::from_host(device, &with_spare(&graph.tails))?;
        let heads = Buffer::from_host(device, &with_spare(&graph.heads))?;
        let segments = Buffer::from_host(device, &segments)?;
        let segment_rows = Buffer::from_host(device, &segment_rows)?;
        let mut totals = Totals::on(device)?;
        // Two ranges of the edges.
        let cut = m as u64 / 3;
        for edges in [0..cut, cut..m as u64] {
            merge_segments(
                device,
                *shape,
                tails.view(),
                heads.view(),
                segments.view(),
                segment_rows.view(),
                totals.view_mut(),
                edges.start,
                edges.end,
            )?;
        }
        totals.ensure_added(device, graph.count())
    }
}

/// Rows of up to all ranks below, so of full words; rows of one entry; rows whose segments have one entry each;
/// a last row with no place to spare; nothing.
fn graphs() -> Vec<Rows> {
    let random = [(1, 30), (2, 40), (33, 33), (129, 12), (257, 4), (300, 1), (400, 33)]
        .map(|(ranks, percent)| Rows::random(ranks, percent, u64::from(ranks)));
    let pairs = |pairs: Vec<[u32; 2]>| Rows::of_pairs(&pairs);
    let path = (1..500).map(|u| [u, u - 1]).collect();
    let far = (1..40).flat_map(|u| (0..u).map(move |v| [37 * u, 37 * v])).collect();
    let near = (1..300).flat_map(|u: u32| (u.saturating_sub(7)..u).map(move |v| [u, v])).collect();
    let star = (0..64).map(|v| [64, v]).collect();
    let made = [path, far, near, star, vec![]].map(pairs);
    random.into_iter().chain(made).chain([Rows::clique(140)]).collect()
}

/// Graphs of any entries, and of entries that are near.
fn any_graph() -> impl Strategy<Value = Rows> {
    let random = (1u32..300, 0u32..34, any::<u64>());
    let near = prop::collection::vec((1u32..400, 1u32..40), 0..600);
    prop_oneof![
        random.prop_map(|(ranks, percent, seed)| Rows::random(ranks, percent, seed)),
        near.prop_map(|pairs| {
            let pairs = pairs.into_iter().map(|(u, by)| [u, u.saturating_sub(by)]);
            Rows::of_pairs(&pairs.collect::<Vec<_>>())
        }),
    ]
}

/// Rows that go on over many blocks, joined or not; as many edges as blocks have, and one more or less.
fn long_rows() -> Vec<Rows> {
    let row = |entries: u32, apart: u32| (0..entries).map(move |v| [apart * entries, apart * v]);
    let lens = [TILE - 1, TILE, TILE + 1, 2 * TILE, 5 * TILE + 33];
    let rows = lens.into_iter().flat_map(|len| [1, 5, 32].map(|apart| row(len, apart).collect()));
    // A segment of two entries on either side of a border, and rows that begin there.
    let border =
        (0..TILE).map(|at| [3 * TILE, if at + 1 < TILE { 33 * at } else { 33 * at - 33 + 1 }]);
    let behind = |row: u32| (0..3).map(move |v| [row, 40 * v]);
    let border = border.chain(behind(3 * TILE + 1)).chain(behind(3 * TILE + 9)).collect();
    rows.chain([border]).map(|pairs: Vec<[u32; 2]>| Rows::of_pairs(&pairs)).collect()
}

#[test]
fn row_segments_have_the_bits_of_their_entries() {
    let kernel = Kernel::named("row_segments");
    let with_edges = |graph: &Rows| !graph.heads.is_empty();
    kernel.everywhere(graphs().into_iter().chain(long_rows()).filter(with_edges).map(Cut));
    // The last ranks there can be, at both ends of a segment.
    let mut last = Rows { tails: vec![0; 6], heads: vec![0, 31, 32], rows: vec![6 << 32] };
    last.heads.extend([32, 31, 0].map(|before| u32::MAX - before));
    kernel.everywhere([Cut(last)]);
    kernel.drawn(48, any_graph().prop_filter("no edges", with_edges).prop_map(Cut));
    kernel.on_gpu(|| vec![Cut(Rows::random(3_000, 15, 1))]);
}

#[test]
fn merge_segments_counts_what_looking_up_counts() {
    let kernel = Kernel::named("merge_segments");
    for shape in [Shape::new(1, 32), Shape::new(7, forward::BLOCK)] {
        kernel.everywhere(graphs().into_iter().map(|graph| Merge(graph, shape)));
    }
    for graph in rows::graphs() {
        let shapes = striding_shapes(graph.tails.len() as u64, forward::BLOCK);
        kernel.everywhere(shapes.map(|shape| Merge(graph.clone(), shape)));
    }
    let (graph, shape) = rows::more_blocks_than_totals();
    kernel.everywhere([Merge(graph, shape)]);
    let drawn = (any_graph(), 1u32..6, 1u32..5);
    let drawn = drawn.prop_map(|(graph, grid, warps)| Merge(graph, Shape::new(grid, warps * 32)));
    kernel.drawn(48, drawn);
    let shape = Shape::new(5_000, forward::BLOCK);
    kernel.on_gpu(|| vec![Merge(Rows::random(1_500, 15, 1), shape)]);
}
