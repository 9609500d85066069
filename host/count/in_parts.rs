//! Forward counting of a graph that device memory does not hold: a part of its rows is there at a time, and all rows
//! behind them come past.
//!
//! The edge u → v is counted in the part that has the row of v. Rows behind a part are those of larger ranks, and an edge
//! goes to a smaller rank, so that u's row comes past: every edge is counted once.

use std::ops::Range;

use rayon::prelude::*;
use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::forward::{BLOCK, LANES, TOTALS, forward_merge_past, rows_of_places};

use crate::control::Cancel;
use crate::graph::OrientedGraph;
use crate::methods::forward::gpu::CountShape;
use crate::plan::row_parts::RowParts;

/// Blocks a multiprocessor of the kernel that writes the row of each place.
const BLOCKS: u32 = 32;

/// What was counted in parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InParts {
    /// Triangles.
    pub triangles: u64,
    /// Parts.
    pub parts: u64,
    /// Bytes that were copied to the device.
    pub copied: u64,
    /// Seconds of copies and counting, by the device's clock.
    pub seconds: f64,
}

/// Some rows, in device memory.
struct Rows<D: Device> {
    /// Where each begins among `heads`, and where the last ends.
    starts: Buffer<u32, D>,
    heads: Buffer<u32, D>,
}

impl<D: Device> Rows<D> {
    /// Copies the rows of some ranks, and leaves `beyond` words behind them.
    fn copy(
        device: &D,
        graph: &OrientedGraph,
        ranks: Range<usize>,
        beyond: u64,
    ) -> Result<Rows<D>, D::Error> {
        let offsets = &graph.offsets[ranks.start..=ranks.end];
        let first = offsets[0];
        let starts: Vec<u32> = offsets.par_iter().map(|offset| (offset - first) as u32).collect();
        let heads = &graph.heads[first as usize..offsets[offsets.len() - 1] as usize];
        let len = heads.len() as u64;
        let mut rows = Rows {
            starts: Buffer::from_host(device, &starts)?,
            heads: Buffer::uninitialized(device, len + beyond)?,
        };
        rows.heads.upload(device, 0, heads)?;
        if beyond > 0 {
            rows.heads.upload(device, len, &vec![0; beyond as usize])?;
        }
        Ok(rows)
    }

    fn bytes(&self) -> u64 {
        4 * (self.starts.len() + self.heads.len())
    }
}

/// Counts a graph in parts. `None` if the work was stopped.
///
/// # Errors
/// What the device reports.
pub(crate) fn count_in_parts<D: Device>(
    device: &D,
    graph: &OrientedGraph,
    sizes: &RowParts,
    cancel: &Cancel,
) -> Result<Option<InParts>, D::Error> {
    let begun = device.record()?;
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    let offsets = &graph.offsets[..];
    // Rows without edges at both ends are left out.
    let edges = graph.heads.len() as u64;
    let mut first = offsets.partition_point(|&offset| offset == 0).saturating_sub(1);
    let end = offsets.partition_point(|&offset| offset < edges);
    let (mut parts, mut copied) = (0, 0);
    while first < end {
        let part = first..sizes.end_of_part(offsets, first).min(end);
        let resident = Rows::copy(device, graph, part.clone(), 1)?;
        (parts, copied) = (parts + 1, copied + resident.bytes());
        let mut next = part.start;
        while next < end {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let piece = next..sizes.end_of_piece(offsets, next).min(end);
            next = piece.end;
            let past = Rows::copy(device, graph, piece.clone(), 0)?;
            copied += past.bytes();
            count_past(device, &past, &resident, part.clone(), &mut totals)?;
        }
        first = part.end;
    }
    let triangles = totals.to_vec(device)?.iter().sum();
    let done = device.record()?;
    let seconds = device.seconds_between(&begun, &done)?;
    Ok(Some(InParts { triangles, parts, copied, seconds }))
}

/// Counts the edges of the rows that come past whose heads are the ranks of a part.
fn count_past<D: Device>(
    device: &D,
    past: &Rows<D>,
    resident: &Rows<D>,
    part: Range<usize>,
    totals: &mut Buffer<u64, D>,
) -> Result<(), D::Error> {
    let edges = past.heads.len();
    if edges == 0 {
        return Ok(());
    }
    let mut tails = Buffer::uninitialized(device, edges)?;
    let rows = past.starts.len() - 1;
    rows_of_places(
        device,
        Shape::cover(rows * u64::from(LANES), BLOCK, device.multiprocessors() * BLOCKS),
        past.starts.view(),
        tails.view_mut(),
        rows,
    )?;
    forward_merge_past(
        device,
        CountShape::for_rows(true).over(device, edges),
        tails.view(),
        past.heads.view(),
        past.starts.view(),
        resident.heads.view(),
        resident.starts.view(),
        totals.view_mut(),
        part.start as u32,
        part.len() as u64,
        edges,
    )
}

#[cfg(test)]
mod tests {
    use std::iter;

    use proptest::prelude::*;
    use tribin_device::emulated::{Config, Emulator};

    use super::*;
    use crate::Graph;
    use crate::plan::row_parts::part_bytes;

    /// Counts in parts of at most these bytes, in pieces of at most those.
    fn count(graph: &OrientedGraph, seed: u64, part: u64, piece: u64) -> InParts {
        let device = Emulator::with(Config::seeded(seed));
        let sizes = RowParts { part, piece };
        count_in_parts(&device, graph, &sizes, &Cancel::new()).unwrap().unwrap()
    }

    /// Of all three vertices, by the edges as they came.
    fn triangles(edges: &[[u32; 2]]) -> u64 {
        let joined = |u: u32, v: u32| edges.iter().any(|&e| e == [u, v] || e == [v, u]);
        let n = edges.iter().flatten().max().map_or(0, |&v| v + 1);
        let pairs = (0..n).flat_map(|u| (0..u).map(move |v| (u, v)));
        let closed = |(u, v)| (0..v).filter(|&w| joined(u, w) && joined(v, w)).count() as u64;
        pairs.filter(|&(u, v)| joined(u, v)).map(closed).sum()
    }

    #[test]
    fn without_edges() {
        for edges in [vec![], vec![[3, 3]]] {
            let (graph, _) = Graph::from_edges(edges).oriented();
            let found = count(&graph, 1, 0, 0);
            assert_eq!((found.triangles, found.parts, found.copied), (0, 0, 0));
        }
    }

    /// Every row a part of its own, and every row alone past it: 12 parts.
    #[test]
    fn a_clique_row_by_row() {
        let edges: Vec<_> = (0..13u32).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let (graph, _) = Graph::from_edges(edges).oriented();
        let found = count(&graph, 1, 0, 0);
        assert_eq!((found.triangles, found.parts), (13 * 12 * 11 / 6, 12));
        assert_eq!(count(&graph, 1, u64::MAX, u64::MAX).parts, 1);
    }

    #[test]
    fn a_stopped_count_says_nothing() {
        let (graph, _) = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]).oriented();
        let cancel = Cancel::new();
        cancel.cancel();
        let sizes = RowParts { part: 0, piece: 0 };
        let device = Emulator::with(Config::seeded(1));
        assert_eq!(count_in_parts(&device, &graph, &sizes, &cancel).unwrap(), None);
    }

    /// The counts of `reference.tsv`, in one part to five.
    #[test]
    fn real_graphs_in_one_to_five_parts() {
        let references = testkit::reference::beside_others();
        for reference in references.iter().filter(|reference| reference.edges <= 30_000) {
            let (graph, _) = Graph::open(&reference.path).unwrap().oriented();
            let all = part_bytes(graph.vertices() as u64, graph.edges());
            for parts in 1..=5 {
                // A row more than a share, so that no part is left over.
                let room = all / parts + part_bytes(1, graph.longest_row());
                let found = count(&graph, parts, room, all / 3);
                assert_eq!(found.triangles, reference.triangles, "{} in {parts}", reference.file);
                assert!(found.parts <= parts, "{found:?} {parts}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_cut_gives_the_count(
            edges in prop::collection::vec(prop::array::uniform2(0u32..24), 0..160),
            seed in any::<u64>(),
            part in 0u64..700,
            piece in 0u64..900,
        ) {
            let hub: Vec<[u32; 2]> = iter::repeat(30).zip(0..24).map(|(u, v)| [u, v]).collect();
            for edges in [edges.clone(), [edges, hub].concat()] {
                let expected = triangles(&edges.iter().copied().filter(|[u, v]| u != v).collect::<Vec<_>>());
                let (graph, _) = Graph::from_edges(edges).oriented();
                prop_assert_eq!(count(&graph, seed, part, piece).triangles, expected);
            }
        }
    }
}
