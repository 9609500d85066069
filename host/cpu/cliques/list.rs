//! Every clique once, in blocks of bounded size.

use std::ops::Range;

use super::neighbourhood::{Fill, Needs, Neighbourhood};
use super::search::{CliqueSearch, places};
use super::{LARGEST, SMALLEST, WEDGES};
use crate::Result;
use crate::control::Context;
use crate::forward::{Features, Multiversioned, Piece, Visitor, by_wedges};
use crate::graph::OrientedGraph;
use tribin_base::par;

/// Ranges of rows that are searched at a time. The order of the cliques depends on it, and so it is the same for any number of threads.
const SEARCHES: usize = 32;

/// Cliques of a block, and up to as many as a row has heads.
const BLOCK: usize = 1 << 12;

/// The cliques of `k` vertices of an oriented graph, in blocks.
///
/// Their order depends on the graph alone. Memory: 32 blocks of 2¹² + √(2m) cliques at most, and 32 matrices of bits of a row each,
/// of m/4 bytes at most.
pub struct CliqueListing<'g> {
    graph: &'g OrientedGraph,
    visitor: Visitor<'g>,
    k: u32,
    searches: usize,
    block: usize,
}

impl<'g> CliqueListing<'g> {
    /// A listing of the cliques of `k` vertices.
    ///
    /// # Panics
    /// If k is not from 3 to 12.
    pub fn new(graph: &'g OrientedGraph, k: u32) -> CliqueListing<'g> {
        CliqueListing::in_blocks(graph, k, SEARCHES, BLOCK)
    }

    pub(super) fn in_blocks(
        graph: &'g OrientedGraph,
        k: u32,
        searches: usize,
        block: usize,
    ) -> CliqueListing<'g> {
        assert!((SMALLEST..=LARGEST).contains(&k), "cliques of {k} vertices");
        CliqueListing { graph, visitor: Visitor::new(graph), k, searches, block }
    }

    /// Hands all cliques to `take`, some blocks of them at a time, until it says `false`. A block has k vertices for each clique, one
    /// clique after the other, with ascending vertices in each. The gauge counts tasks of about as many wedges each.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and those of `take`.
    pub fn each(
        &self,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<u32>>) -> Result<bool> + Send),
    ) -> Result<()> {
        let rows = by_wedges(self.graph, WEDGES);
        context.work().begin(rows.len() as u64);
        let mut rows = rows.into_iter();
        let mut spare: Vec<RowLister> = Vec::new();
        let mut at_work: Vec<RowLister> = Vec::new();
        loop {
            context.cancel().check()?;
            while at_work.len() < self.searches {
                let Some(rows) = rows.next() else { break };
                let lister = spare.pop().unwrap_or_else(|| RowLister::new(self.k));
                at_work.push(RowLister { rows, ..lister });
            }
            if at_work.is_empty() {
                return Ok(());
            }
            let found = par::map(&mut at_work, |lister| lister.block(self, context));
            if !take(found.into_iter().filter(|block| !block.is_empty()).collect())? {
                return Ok(());
            }
            let (going_on, done): (Vec<_>, Vec<_>) = at_work
                .into_iter()
                .partition(|lister| lister.is_at_work || !lister.rows.is_empty());
            context.work().add(done.len() as u64);
            at_work = going_on;
            spare.extend(done);
        }
    }
}

/// Lists the cliques of a range of rows, a block at a time.
struct RowLister {
    /// The rows that are not begun.
    rows: Range<u32>,
    neighbourhood: Neighbourhood,
    search: CliqueSearch,
    /// Whether the search of the neighbourhood was begun, and did not end.
    is_at_work: bool,
}

impl RowLister {
    fn new(k: u32) -> RowLister {
        let (neighbourhood, search) =
            (Neighbourhood::default(), CliqueSearch::new(k - 1, 1, false));
        RowLister { rows: 0..0, neighbourhood, search, is_at_work: false }
    }

    /// The next cliques; fewer than a block where the rows end.
    fn block(&mut self, of: &CliqueListing<'_>, context: &Context) -> Vec<u32> {
        let (mut found, most) = (Vec::new(), of.block * of.k as usize);
        let features = Features::widest();
        while found.len() < most {
            if !self.is_at_work {
                let Some(row) = self.rows.next() else { break };
                if of.graph.row(row).len() + 1 < of.k as usize {
                    continue;
                }
                if context.cancel().is_cancelled() {
                    break;
                }
                let needs = Needs { both_directions: false, numbers_of_edges: false };
                let mut fill = Fill::new(&mut self.neighbourhood, needs, 0, |_| ());
                of.visitor.visit(Piece::rows(row..row + 1), &mut fill);
                self.search.begin(self.neighbourhood.words(), 0..self.neighbourhood.len());
            }
            let vertices = &of.graph.vertex_of_rank;
            let found = &mut found;
            let (neighbourhood, search) = (&self.neighbourhood, &mut self.search);
            self.is_at_work =
                features.run(ListSome { neighbourhood, search, vertices, found, most });
        }
        found
    }
}

/// Adds cliques to those that were found, until there are enough; gives whether there may be more.
struct ListSome<'l> {
    neighbourhood: &'l Neighbourhood,
    search: &'l mut CliqueSearch,
    vertices: &'l [u32],
    found: &'l mut Vec<u32>,
    most: usize,
}

impl Multiversioned for ListSome<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let ListSome { neighbourhood, search, vertices, found, most } = self;
        let vertex = |place: usize| vertices[neighbourhood.heads[place] as usize];
        while found.len() < most {
            if search.advance(neighbourhood).is_none() {
                return false;
            }
            let (set, chosen) = search.places();
            for last in places(set) {
                let start = found.len();
                found.extend([vertices[neighbourhood.tail as usize], vertex(last)]);
                found.extend(chosen.iter().map(|&place| vertex(place as usize)));
                found[start..].sort_unstable();
            }
        }
        true
    }
}
