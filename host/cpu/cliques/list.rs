//! Every clique once, in blocks of bounded size.

use std::ops::Range;

use super::neighbourhood::{Needs, Neighbourhood, Neighbourhoods};
use super::search::{CliqueSearch, places};
use super::{HeadPairs, LARGEST, SMALLEST, WEDGES};
use crate::Result;
use crate::control::Context;
use crate::forward::{Features, Multiversioned, Visitor, by_wedges};
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
    neighbourhoods: Box<dyn Neighbourhoods + 'g>,
    rows: Vec<Range<u32>>,
    vertex_of_rank: &'g [u32],
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
        let neighbourhoods = Box::new(Visitor::new(graph));
        let rows = by_wedges(graph, WEDGES);
        let vertex_of_rank = graph.vertex_of_rank();
        CliqueListing { neighbourhoods, rows, vertex_of_rank, k, searches, block }
    }

    /// A listing of the cliques of `k` vertices whose largest rank is one of some rows. `vertex_of_rank` has the vertices of all ranks.
    ///
    /// # Panics
    /// If k is not from 3 to 12.
    pub fn of_rows(pairs: &'g HeadPairs, vertex_of_rank: &'g [u32], k: u32) -> CliqueListing<'g> {
        assert!((SMALLEST..=LARGEST).contains(&k), "cliques of {k} vertices");
        let (neighbourhoods, rows) = (Box::new(pairs), by_wedges(pairs.rows(), WEDGES));
        let (searches, block) = (SEARCHES, BLOCK);
        CliqueListing { neighbourhoods, rows, vertex_of_rank, k, searches, block }
    }

    /// The number of rows, which the gauge of [`each`](Self::each) counts.
    pub fn rows(&self) -> u64 {
        self.rows.iter().map(|rows| rows.len() as u64).sum()
    }

    /// Hands all cliques to `take`, some blocks of them at a time, until it says `false`, and says whether it never did. A block has k
    /// vertices for each clique, one clique after the other, with ascending vertices in each. The gauge counts rows.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and those of `take`.
    pub fn each(
        &self,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<u32>>) -> Result<bool> + Send),
    ) -> Result<bool> {
        let mut rows = self.rows.iter().cloned();
        let mut spare: Vec<RowLister> = Vec::new();
        let mut at_work: Vec<RowLister> = Vec::new();
        loop {
            context.cancel().check()?;
            while at_work.len() < self.searches {
                let Some(rows) = rows.next() else { break };
                let lister = spare.pop().unwrap_or_else(|| RowLister::new(self.k));
                at_work.push(RowLister { all: rows.len() as u64, rows, ..lister });
            }
            if at_work.is_empty() {
                return Ok(true);
            }
            let found = par::map(&mut at_work, |lister| lister.block(self, context));
            if !take(found.into_iter().filter(|block| !block.is_empty()).collect())? {
                return Ok(false);
            }
            let (going_on, done): (Vec<_>, Vec<_>) = at_work
                .into_iter()
                .partition(|lister| lister.is_at_work || !lister.rows.is_empty());
            context.work().add(done.iter().map(|lister| lister.all).sum());
            at_work = going_on;
            spare.extend(done);
        }
    }
}

/// Lists the cliques of a range of rows, a block at a time.
struct RowLister {
    /// The rows that are not begun.
    rows: Range<u32>,
    /// The number of rows at first.
    all: u64,
    neighbourhood: Neighbourhood,
    search: CliqueSearch,
    /// Whether the search of the neighbourhood was begun, and did not end.
    is_at_work: bool,
}

impl RowLister {
    fn new(k: u32) -> RowLister {
        let (neighbourhood, search) =
            (Neighbourhood::default(), CliqueSearch::new(k - 1, 1, false));
        RowLister { rows: 0..0, all: 0, neighbourhood, search, is_at_work: false }
    }

    /// The next cliques; fewer than a block where the rows end.
    fn block(&mut self, of: &CliqueListing<'_>, context: &Context) -> Vec<u32> {
        let (mut found, most) = (Vec::new(), of.block * of.k as usize);
        let features = Features::widest();
        while found.len() < most {
            if !self.is_at_work {
                let Some(row) = self.rows.next() else { break };
                if context.cancel().is_cancelled() {
                    break;
                }
                let needs = Needs { both_directions: false, numbers_of_edges: false };
                let (needed, mut is_long) = ((needs, of.k as usize - 1), false);
                let rows = row..row + 1;
                of.neighbourhoods
                    .each(rows, needed, &mut self.neighbourhood, &mut |_| is_long = true);
                if !is_long {
                    continue;
                }
                self.search.begin(self.neighbourhood.words(), 0..self.neighbourhood.len());
            }
            let vertices = of.vertex_of_rank;
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
