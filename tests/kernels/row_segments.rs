use anyhow::{Result, ensure};
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::forward::{self, TOTALS};
use tribin_kernels::row_segments::{BLOCK, merge_segments, row_segments};

use crate::devices::{Case, Kernel, TestDevice, striding_shapes};
use crate::rows::Rows;

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

#[derive(Debug)]
struct Cut(Rows, Shape);

impl Case for Cut {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const UNTOUCHED: u64 = 0xabab_abab_abab_abab;
        let Cut(graph, shape) = self;
        let (n, m) = (graph.rows.len(), graph.heads.len());
        let heads = Buffer::from_host(device, &graph.heads)?;
        let rows = Buffer::from_host(device, &graph.rows)?;
        let mut segments = Buffer::from_host(device, &vec![UNTOUCHED; m + 3])?;
        let mut segment_rows = Buffer::from_host(device, &vec![UNTOUCHED; n + 2])?;
        row_segments(
            device,
            *shape,
            heads.view(),
            rows.view(),
            segments.view_mut(),
            segment_rows.view_mut(),
            n as u64,
            m as u64,
        )?;
        let (segments, found) = (segments.to_vec(device)?, segment_rows.to_vec(device)?);
        for r in 0..n as u32 {
            let expected = segments_of(graph.row(r));
            let word = found[r as usize];
            let (start, end) = ((word & 0xffff_ffff) as usize, (word >> 32) as usize);
            if expected.is_empty() {
                ensure!(word == 0, "row {r} is empty, and {word:#x}");
                continue;
            }
            ensure!(start == graph.rows[r as usize] as u32 as usize, "row {r} starts at {start}");
            let row: Vec<(u32, u32)> = segments[start..end]
                .iter()
                .map(|&word| (word as u32, (word >> 32) as u32))
                .collect();
            ensure!(row == expected, "row {r}: {row:x?}, expected {expected:x?}");
            ensure!(segments[end] != UNTOUCHED, "nothing stands behind row {r}");
        }
        ensure!(found[n..] == [UNTOUCHED; 2], "more rows than there are");
        ensure!(segments[m + 1..] == [UNTOUCHED; 2], "more segments than there can be");
        Ok(())
    }
}

#[derive(Debug)]
struct Merge(Rows, Shape);

impl Case for Merge {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Merge(graph, shape) = self;
        let m = graph.heads.len();
        // What stands behind a row's segments is not the kernel's.
        let mut segments = vec![0; m + 1];
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
        let tails = Buffer::from_host(device, &graph.tails)?;
        let heads = Buffer::from_host(device, &graph.heads)?;
        let segments = Buffer::from_host(device, &segments)?;
        let segment_rows = Buffer::from_host(device, &segment_rows)?;
        let before: Vec<u64> = (0..TOTALS).collect();
        let mut totals = Buffer::from_host(device, &before)?;
        merge_segments(
            device,
            *shape,
            tails.view(),
            heads.view(),
            segments.view(),
            segment_rows.view(),
            totals.view_mut(),
            m as u64,
        )?;
        let found = totals.to_vec(device)?.iter().sum::<u64>() - before.iter().sum::<u64>();
        let expected: u64 = (0..m as u32).map(|place| graph.closed(place)).sum();
        ensure!(found == expected, "{found} triangles, expected {expected}");
        Ok(())
    }
}

/// Rows of up to all ranks below, so of full words; rows of one entry; rows whose segments have one entry each;
/// a last row with no place to spare.
fn graphs() -> Vec<Rows> {
    let random = [(1, 30), (2, 40), (33, 33), (129, 12), (257, 4), (300, 1), (400, 33)]
        .map(|(ranks, percent)| Rows::random(ranks, percent, u64::from(ranks)));
    let pairs = |pairs: Vec<[u32; 2]>| Rows::of_pairs(&pairs);
    let clique = (0..140).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    let path = (1..500).map(|u| [u, u - 1]).collect();
    let far = (1..40).flat_map(|u| (0..u).map(move |v| [37 * u, 37 * v])).collect();
    let near = (1..300).flat_map(|u: u32| (u.saturating_sub(7)..u).map(move |v| [u, v])).collect();
    let star = (0..64).map(|v| [64, v]).collect();
    random.into_iter().chain([clique, path, far, near, star].map(pairs)).collect()
}

#[test]
fn row_segments_have_the_bits_of_their_entries() {
    let kernel = Kernel::named("row_segments");
    for graph in graphs() {
        let shapes = striding_shapes(graph.rows.len() as u64, BLOCK);
        kernel.everywhere(shapes.map(|shape| Cut(graph.clone(), shape)));
    }
    kernel.on_gpu(|| vec![Cut(Rows::random(3_000, 15, 1), Shape::new(24, BLOCK))]);
    kernel.report();
}

#[test]
fn merge_segments_counts_what_looking_up_counts() {
    let kernel = Kernel::named("merge_segments");
    for shape in [Shape::new(1, 32), Shape::new(7, forward::BLOCK)] {
        kernel.everywhere(graphs().into_iter().map(|graph| Merge(graph, shape)));
    }
    let shape = Shape::new(5_000, forward::BLOCK);
    kernel.on_gpu(|| vec![Merge(Rows::random(1_500, 15, 1), shape)]);
    kernel.report();
}
