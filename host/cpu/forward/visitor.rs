//! Rows cut into pieces, and the pieces visited side by side.

use std::ops::Range;

use super::features::Features;
use super::hub_bits::HubBits;
use super::placed_bits::PlacedHubs;
use super::visit::{Piece, PieceContext, Sink, VisitScratch};
use super::{Thresholds, tasks};
use crate::Result;
use crate::control::Context;
use crate::graph::{OrientedGraph, RowRange};
use tribin_base::par::Spare;

/// Visits the triangles of an oriented graph.
///
/// Memory beside the graph: at most 24 bytes for each edge (the hubs' bits and places), and 1.5 MB
/// for each thread.
pub struct Visitor<'g> {
    around: PieceContext<'g>,
    features: Features,
    spare: Spare<VisitScratch<'g>>,
}

impl<'g> Visitor<'g> {
    /// Finds the hubs and makes their bits.
    pub fn new(graph: &'g OrientedGraph) -> Visitor<'g> {
        Visitor::within(graph, graph.vertices(), u64::MAX)
    }

    /// A visitor of the triangles whose middle ranks are those whose rows `heads` holds, in a graph of `ranks` ranks.
    /// Beside them it takes `hub_bytes` bytes at most, and [`bytes_of_a_visitor`] for each thread.
    ///
    /// [`bytes_of_a_visitor`]: crate::plan::bytes_of_a_visitor
    pub fn within(heads: &'g RowRange, ranks: usize, hub_bytes: u64) -> Visitor<'g> {
        Visitor::with(heads, ranks, hub_bytes, Thresholds::default(), Features::widest())
    }

    fn with(
        heads: &'g RowRange,
        ranks: usize,
        hub_bytes: u64,
        thresholds: Thresholds,
        features: Features,
    ) -> Visitor<'g> {
        // Places take half as much again as the bits.
        let hubs = PlacedHubs::new(HubBits::new(heads, &thresholds, hub_bytes / 3 * 2));
        let around = PieceContext { heads, ranks, hubs, thresholds };
        Visitor { around, features, spare: Spare::new() }
    }

    /// Hands the triangles of a piece to a sink.
    pub fn visit(&self, piece: Piece, sink: &mut impl Sink) {
        self.visit_of(self.around.heads, piece, sink);
    }

    /// Hands all triangles of a graph, whose rows the visitor was made for, to sinks that `sink` makes, about as many as there
    /// are threads, and returns the sinks. The gauge counts tasks of about equal work.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn visit_all<S: Sink + Send>(
        &self,
        context: &Context,
        sink: impl Fn() -> S + Sync,
    ) -> Result<Vec<S>> {
        let visit = |sink: &mut S, rows| self.visit(Piece::rows(rows), sink);
        tasks::each(self.around.heads, context, sink, visit)
    }

    /// Hands the triangles of a piece to a sink, of which `tails` has the rows.
    pub fn visit_of(&self, tails: &RowRange, piece: Piece, sink: &mut impl Sink) {
        let new = || VisitScratch::new(&self.around);
        self.spare.with(new, |scratch| {
            self.features.visit_piece((&self.around, tails), scratch, sink, piece);
        });
    }
}

/// Rows of `tails` in pieces of about `wedges` wedges, in their order; a row with more is cut.
pub fn pieces_of(tails: &RowRange, rows: Range<u32>, wedges: u64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut start, mut taken) = (rows.start, 0u64);
    for row in rows.clone() {
        let length = tails.row(row).len();
        let own = (length as u64).pow(2) / 2 + 1;
        if own > wedges {
            if start < row {
                pieces.push(Piece::rows(start..row));
            }
            let parts = tasks::places_by_wedges(length, wedges);
            pieces.extend(parts.into_iter().map(|places| Piece { rows: row..row + 1, places }));
            (start, taken) = (row + 1, 0);
            continue;
        }
        taken += own;
        if taken >= wedges {
            pieces.push(Piece::rows(start..row + 1));
            (start, taken) = (row + 1, 0);
        }
    }
    if start < rows.end {
        pieces.push(Piece::rows(start..rows.end));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::tests::{edges, thresholds};
    use super::*;
    use crate::prepare::prepare;

    /// Keeps every triangle as ranks, and checks what it is told against the graph.
    #[derive(Default)]
    struct Keep<'g> {
        graph: Option<&'g OrientedGraph>,
        u: u32,
        p: usize,
        a: u32,
        open: bool,
        found: Vec<[u32; 3]>,
    }

    impl Sink for Keep<'_> {
        fn begin_row(&mut self, _: &RowRange, u: u32) {
            assert!(!self.open);
            (self.u, self.open) = (u, true);
        }
        fn begin_edge(&mut self, graph: &RowRange, p: usize, a: u32) {
            assert_eq!(graph.row(self.u)[p], a);
            (self.p, self.a) = (p, a);
        }
        fn triangle(&mut self, q: usize, r: usize) {
            let graph = self.graph.unwrap();
            assert!(q < self.p && self.open);
            assert_eq!(graph.row(self.u)[q], graph.row(self.a)[r]);
            self.found.push([self.u, self.a, graph.row(self.u)[q]]);
        }
        fn end_row(&mut self, _: &RowRange, u: u32) {
            assert!(self.open && self.u == u);
            self.open = false;
        }
    }

    fn brute_force(graph: &OrientedGraph) -> BTreeSet<[u32; 3]> {
        let edge = |u: u32, v: u32| graph.row(u).contains(&v);
        (0..graph.vertices() as u32)
            .flat_map(|u| (0..u).flat_map(move |a| (0..a).map(move |b| [u, a, b])))
            .filter(|&[u, a, b]| edge(u, a) && edge(u, b) && edge(a, b))
            .collect()
    }

    fn check(visitor: &Visitor, graph: &OrientedGraph, expected: &BTreeSet<[u32; 3]>) {
        let sinks = visitor
            .visit_all(&Context::silent(), || Keep { graph: Some(graph), ..Keep::default() });
        let sinks = sinks.unwrap();
        let all: Vec<_> = sinks.into_iter().flat_map(|sink| sink.found).collect();
        let mut pieces = Keep { graph: Some(graph), ..Keep::default() };
        for piece in pieces_of(graph, graph.ranks(), 50) {
            visitor.visit(piece, &mut pieces);
        }
        for found in [all, pieces.found] {
            assert_eq!(found.len(), expected.len(), "each triangle once");
            assert_eq!(&BTreeSet::from_iter(found), expected);
        }
    }

    #[test]
    fn long_rows_are_cut_and_no_edge_is_lost() {
        // The last row of the clique has 44,850 wedges.
        let clique: Vec<[u32; 2]> = (0..301).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        let graph = prepare(&clique, 301).oriented;
        let visitor = Visitor::new(&graph);
        let pieces = pieces_of(&graph, graph.ranks(), 1 << 10);
        assert!(pieces.iter().any(|piece| piece.places.end != usize::MAX));
        let mut keep = Keep { graph: Some(&graph), ..Keep::default() };
        for piece in pieces {
            let before = keep.found.len();
            visitor.visit(piece, &mut keep);
            assert!(keep.found.len() - before < (2 << 10) + 300);
        }
        assert_eq!(keep.found.len(), 301 * 300 * 299 / 6);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_choice_of_methods_finds_every_triangle_once(
            edges in edges(),
            thresholds in thresholds(),
        ) {
            let graph = prepare(&edges, 70).oriented;
            let expected = brute_force(&graph);
            for features in Features::available() {
                let visitor = Visitor::with(&graph, graph.vertices(), u64::MAX, thresholds, features);
                check(&visitor, &graph, &expected);
            }
        }
    }
}
