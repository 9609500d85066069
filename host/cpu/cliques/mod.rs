//! Cliques of k vertices, on all threads of the CPU.
//!
//! Each clique is found once, in the row of its largest rank: the heads of that row which are in it are a clique of k - 1. So for every
//! row the edges among its heads become a matrix of bits (`neighbourhood.rs`), from the triangles that counting visits, and a search
//! (`search.rs`) chooses places in it one after the other, the largest first. What is left to choose from is a set of bits, the
//! intersection of the rows of those that were chosen. The search stops a few choices before the end, and what it stopped at is
//! looked at as a whole:
//!
//! | wanted | choices left | what is done with the set |
//! | --- | --- | --- |
//! | the number | 2 | the edges among its places are counted, by the bits that two rows share |
//! | numbers at vertices | 2 | the same, for each place by itself |
//! | numbers on edges | 3 | the triangles on each edge among its places are counted, and added up at places and in all |
//! | the cliques | 1 | each place completes one |
//!
//! So no step is taken for each single clique, except where each is written. Where any two places of a set are joined, the search stops
//! earlier: a binomial coefficient says how many cliques there are. For large k it goes by pivots, so that a set which is nearly
//! complete takes hardly longer.
//!
//! The search is that of kClist (Danisch, Balalau and Sozio, "Listing k-cliques in sparse real-world graphs", WWW 2018), after Chiba
//! and Nishizeki, "Arboricity and subgraph listing algorithms", 1985. Bitmaps of a neighbourhood are those of Almasri et al.,
//! "Parallel k-clique counting on GPUs", ICS 2022, and pivots those of Jain and Seshadhri, "The power of pivoting for exact clique
//! counting", WSDM 2020.
//!
//! Rows are tasks. A row that may take long hands its matrix to tasks that begin with other first choices.
//!
//! Where memory does not hold the graph, the matrices of some rows are in memory at a time (`pairs.rs`). The rows of their heads come part
//! by part and fill them. Then they are searched in the same way.

mod list;
mod neighbourhood;
mod pairs;
mod search;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::control::{Context, memory};
use crate::forward::{Features, Visitor, by_wedges};
use crate::graph::OrientedGraph;
use crate::{Error, Result};
use neighbourhood::{Needs, Neighbourhood, Neighbourhoods};
use search::{CliqueSearch, SearchStop, goes_by_pivots, places, shared, shared_below};
use tribin_base::par::{self, Spare};

pub use list::CliqueListing;
pub use pairs::{CliqueSums, HeadPairs};
pub use search::LARGEST;

/// The fewest vertices of a clique that is looked for: a triangle.
pub const SMALLEST: u32 = 3;

/// Wedges of a task.
const WEDGES: u64 = 1 << 16;

/// Which searches are cut into several tasks, and into how large ones.
#[derive(Clone, Copy)]
struct TaskSizes {
    /// The fewest heads of a row whose search is cut.
    long_row: usize,
    /// First choices of one of these tasks.
    first_choices: usize,
}

impl TaskSizes {
    const MEASURED: TaskSizes = TaskSizes { long_row: 192, first_choices: 32 };
}

/// Stops between two looks at the token that ends the search.
const STOPS: u32 = 64;

/// What is done with a set of places of which cliques are to be chosen.
trait CliqueSink: Sync {
    /// Choices that are left when the search stops.
    const LEFT: u32;

    /// The facts of a neighbourhood that the sink reads.
    const NEEDS: Needs;

    /// Looks at a set, which is left after some places were chosen, and gives the number of cliques in it.
    fn look(
        &self,
        of: &Neighbourhood,
        places: (&[u64], &[u32]),
        scratch: &mut CliqueSearchMemory,
    ) -> u64;

    /// Looks at a set of which any two places are joined. There are `cliques` cliques in it, modulo 2⁶⁴, and with each place and with
    /// each two places the numbers that `with` has.
    fn look_at_complete(
        &self,
        of: &Neighbourhood,
        places: (&[u64], &[u32]),
        cliques: u64,
        with: [u64; 2],
    );

    /// Takes the numbers of a neighbourhood that was searched.
    fn end(&self, of: &Neighbourhood);
}

/// The memory that a [`CliqueSink`] works in.
#[derive(Default)]
struct CliqueSearchMemory {
    set: Vec<u64>,
    sums: Vec<u64>,
}

/// The number of cliques of `k` vertices in an oriented graph.
///
/// Exact, and the same for every number of threads. O(m · d^(k - 2)) work at worst, where d is the longest row: many real graphs take
/// far less. Memory beside the graph: that of the hubs' bits, at most 24 bytes for each edge, 1.5 MB for each thread, and at most two
/// matrices of bits for each thread, of which each has d² bits, m/4 bytes at most.
///
/// What is found at one stop is below 2⁶³, edges among fewer than 2³² places, or a binomial coefficient. These and the sums of 128 bits
/// are checked.
///
/// # Errors
/// [`Error::Cancelled`], and [`Error::Input`] for a number of more than 128 bits.
pub fn count(graph: &OrientedGraph, k: u32, context: &Context) -> Result<u128> {
    find_in_graph(graph, k, &CliqueCount, TaskSizes::MEASURED, context)
}

/// How many cliques of `k` vertices hold each rank, and how many there are. Memory beside that of [`count`]: 8 bytes a rank.
///
/// # Errors
/// As [`count`], and [`Error::Input`] for 2⁶³ cliques or more: any of them may be at one vertex.
pub fn at_vertices(graph: &OrientedGraph, k: u32, context: &Context) -> Result<(Vec<u64>, u128)> {
    at_vertices_in_tasks(graph, k, TaskSizes::MEASURED, context)
}

fn at_vertices_in_tasks(
    graph: &OrientedGraph,
    k: u32,
    sizes: TaskSizes,
    context: &Context,
) -> Result<(Vec<u64>, u128)> {
    let look = CliquesAtVertices::new(graph.vertices(), k)?;
    let cliques = find_in_graph(graph, k, &look, sizes, context)?;
    Ok((look.into_numbers(cliques)?, cliques))
}

/// How many cliques of `k` vertices hold each edge, from 4 on, and how many there are; entry i is of `graph.heads[i]`. Memory beside
/// that of [`count`]: 8 bytes an edge, and 16 for each triangle of the rows at hand.
///
/// # Errors
/// As [`at_vertices`], and [`Error::Input`] for 2³² edges or more.
pub fn on_edges(graph: &OrientedGraph, k: u32, context: &Context) -> Result<(Vec<u64>, u128)> {
    on_edges_in_tasks(graph, k, TaskSizes::MEASURED, context)
}

fn on_edges_in_tasks(
    graph: &OrientedGraph,
    k: u32,
    sizes: TaskSizes,
    context: &Context,
) -> Result<(Vec<u64>, u128)> {
    assert!(k > SMALLEST, "triangles on edges are support");
    if u32::try_from(graph.edges()).is_err() {
        return Err(fault(format!(
            "{} edges: cliques on edges are found of fewer than 2³²",
            graph.edges()
        )));
    }
    let look = CliquesOnEdges { graph, on: memory::zeroed(graph.heads.len())? };
    let cliques = find_in_graph(graph, k, &look, sizes, context)?;
    check(cliques, k)?;
    Ok((look.on.into_iter().map(AtomicU64::into_inner).collect(), cliques))
}

/// Refuses 2⁶³ cliques or more. No number at one place is larger than that of all cliques: none has overflown if that one fits.
///
/// # Errors
/// [`Error::Input`].
pub fn check(cliques: u128, k: u32) -> Result<()> {
    match i64::try_from(cliques) {
        Ok(_) => Ok(()),
        Err(_) => Err(fault(format!(
            "{cliques} cliques of {k} vertices: numbers at single vertices and edges are found of fewer than 2⁶³"
        ))),
    }
}

fn fault(message: String) -> Error {
    Error::Input { file: String::new(), message: message.into() }
}

/// Some rows, or a neighbourhood that several tasks search.
enum SearchTask {
    Rows(Range<u32>),
    Choices(Arc<Neighbourhood>, Range<usize>),
}

/// Buffers of a thread.
struct ThreadBuffers {
    neighbourhood: Neighbourhood,
    search: CliqueSearch,
    scratch: CliqueSearchMemory,
}

/// Searches all rows of a graph, long ones in tasks of these sizes.
fn find_in_graph<L: CliqueSink>(
    graph: &OrientedGraph,
    k: u32,
    look: &L,
    sizes: TaskSizes,
    context: &Context,
) -> Result<u128> {
    context.cancel().check()?;
    context.work().begin(graph.vertices() as u64);
    find(&Visitor::new(graph), by_wedges(graph, WEDGES), (k, look, sizes), context)
}

/// Searches the neighbourhoods of some rows, long ones in tasks of these sizes. The gauge counts rows.
fn find<L: CliqueSink>(
    neighbourhoods: &dyn Neighbourhoods,
    rows: Vec<Range<u32>>,
    (k, look, sizes): (u32, &L, TaskSizes),
    context: &Context,
) -> Result<u128> {
    assert!((SMALLEST..=LARGEST).contains(&k), "cliques of {k} vertices");
    let features = Features::widest();
    let wanted = k - 1;
    let needs = match L::NEEDS {
        Needs { numbers_of_edges, .. } if goes_by_pivots(wanted) => {
            Needs { both_directions: true, numbers_of_edges }
        }
        needs => needs,
    };
    let is_cut = |of: &Neighbourhood| of.len() >= sizes.long_row && wanted > L::LEFT;
    let all = Mutex::new(Some(0u128));
    let add_up = |cliques: Option<u128>| {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        *all = sum(*all, cliques);
    };
    let buffers = Spare::new();
    let new = || ThreadBuffers {
        neighbourhood: Neighbourhood::default(),
        search: CliqueSearch::new(wanted, L::LEFT, true),
        scratch: CliqueSearchMemory::default(),
    };
    let tasks = rows.into_iter().map(SearchTask::Rows).collect();
    par::for_each_and_more(tasks, &|task, add| match task {
        SearchTask::Rows(_) if context.cancel().is_cancelled() => {}
        SearchTask::Rows(rows) => {
            let searched = rows.len() as u64;
            let mut cliques = Some(0);
            buffers.with(new, |ThreadBuffers { neighbourhood, search, scratch }| {
                let mut then = |of: &mut Neighbourhood| {
                    if is_cut(of) {
                        let mut whole = std::mem::take(of);
                        whole.is_shared = true;
                        let (places, whole) = (whole.len(), Arc::new(whole));
                        let tasks = par::blocks(places, sizes.first_choices);
                        tasks.for_each(|first| add(SearchTask::Choices(whole.clone(), first)));
                        return;
                    }
                    search.begin(of.words(), 0..of.len());
                    let found = features.run(Run { look, of, search, scratch, context });
                    cliques = sum(cliques, found);
                    look.end(of);
                };
                neighbourhoods.each(rows, (needs, wanted as usize), neighbourhood, &mut then);
            });
            add_up(cliques);
            context.work().add(searched);
        }
        SearchTask::Choices(of, first) => {
            buffers.with(new, |ThreadBuffers { search, scratch, .. }| {
                search.begin(of.words(), first);
                add_up(features.run(Run { look, of: &of, search, scratch, context }));
            });
            if let Some(of) = Arc::into_inner(of) {
                look.end(&of);
            }
        }
    });
    context.cancel().check()?;
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.ok_or_else(|| too_many(k))
}

fn too_many(k: u32) -> Error {
    fault(format!("more than 2¹²⁸ cliques of {k} vertices"))
}

/// One search to its end.
pub(crate) struct Run<'r, L> {
    look: &'r L,
    of: &'r Neighbourhood,
    search: &'r mut CliqueSearch,
    scratch: &'r mut CliqueSearchMemory,
    context: &'r Context<'r>,
}

impl<L: CliqueSink> crate::forward::Multiversioned for Run<'_, L> {
    /// `None` for a number of more than 128 bits.
    type Output = Option<u128>;

    #[inline(always)]
    fn run(self) -> Option<u128> {
        let Run { look, of, search, scratch, context } = self;
        let (mut cliques, mut stops) = (Some(0u128), 0u32);
        while let Some(stop) = search.advance(of) {
            let found = match stop {
                SearchStop::Left => Some(look.look(of, search.places(), scratch).into()),
                SearchStop::Complete { places, left } => {
                    let of_places = |less: u32| binomial(places - less, left - less);
                    // Where a number has more than 64 bits, all cliques together have as well, and that is found out.
                    let numbers = [0, 1, 2].map(|less| of_places(less).unwrap_or(0) as u64);
                    let [all, with @ ..] = numbers;
                    look.look_at_complete(of, search.places(), all, with);
                    of_places(0)
                }
            };
            cliques = sum(cliques, found);
            stops = stops.wrapping_add(1);
            if stops.is_multiple_of(STOPS) && context.cancel().is_cancelled() {
                break;
            }
        }
        cliques
    }
}

/// The sum, unless it has more than 128 bits.
fn sum(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a?.checked_add(b?)
}

/// The ways to choose some of `n` things, unless there are more than 128 bits hold.
fn binomial(n: u32, chosen: u32) -> Option<u128> {
    (0..u128::from(chosen)).try_fold(1u128, |ways, i| {
        // Each step gives a binomial coefficient.
        Some(ways.checked_mul(u128::from(n).saturating_sub(i))? / (i + 1))
    })
}

/// Counts.
struct CliqueCount;

impl CliqueSink for CliqueCount {
    const LEFT: u32 = 2;
    const NEEDS: Needs = Needs { both_directions: false, numbers_of_edges: false };

    #[inline(always)]
    fn look(
        &self,
        of: &Neighbourhood,
        (set, _): (&[u64], &[u32]),
        _: &mut CliqueSearchMemory,
    ) -> u64 {
        let mut edges = 0;
        for place in places(set) {
            edges += shared_below(set, of.row(place), place);
        }
        edges
    }

    #[inline(always)]
    fn look_at_complete(&self, _: &Neighbourhood, _: (&[u64], &[u32]), _: u64, _: [u64; 2]) {}

    fn end(&self, _: &Neighbourhood) {}
}

/// Counts at every rank.
struct CliquesAtVertices {
    at: Vec<AtomicU64>,
    wanted: u32,
}

impl CliquesAtVertices {
    fn new(ranks: usize, k: u32) -> Result<CliquesAtVertices> {
        Ok(CliquesAtVertices { at: memory::zeroed(ranks)?, wanted: k - 1 })
    }

    /// The number at each rank, where these are all cliques.
    fn into_numbers(self, cliques: u128) -> Result<Vec<u64>> {
        check(cliques, self.wanted + 1)?;
        Ok(self.at.into_iter().map(AtomicU64::into_inner).collect())
    }
}

impl CliqueSink for CliquesAtVertices {
    const LEFT: u32 = 2;
    const NEEDS: Needs = Needs { both_directions: true, numbers_of_edges: false };

    #[inline(always)]
    fn look(
        &self,
        of: &Neighbourhood,
        (set, chosen): (&[u64], &[u32]),
        _: &mut CliqueSearchMemory,
    ) -> u64 {
        let mut ends = 0;
        for place in places(set) {
            let edges = shared(set, of.row(place));
            of.add(&of.at[place], edges);
            ends += edges;
        }
        for &place in chosen {
            of.add(&of.at[place as usize], ends / 2);
        }
        ends / 2
    }

    fn look_at_complete(
        &self,
        of: &Neighbourhood,
        (set, chosen): (&[u64], &[u32]),
        cliques: u64,
        [with_one, _]: [u64; 2],
    ) {
        places(set).for_each(|place| of.add(&of.at[place], with_one));
        chosen.iter().for_each(|&place| of.add(&of.at[place as usize], cliques));
    }

    fn end(&self, of: &Neighbourhood) {
        let mut cliques = 0u128;
        for (&head, at) in of.heads.iter().zip(&of.at) {
            let at = at.load(Relaxed);
            if at > 0 {
                self.at[head as usize].fetch_add(at, Relaxed);
                cliques += u128::from(at);
            }
        }
        // Each was counted at all of its heads.
        let cliques = cliques / u128::from(self.wanted);
        self.at[of.tail as usize].fetch_add(cliques as u64, Relaxed);
    }
}

/// Counts on every edge.
struct CliquesOnEdges<'g> {
    graph: &'g OrientedGraph,
    on: Vec<AtomicU64>,
}

impl CliqueSink for CliquesOnEdges<'_> {
    const LEFT: u32 = 3;
    const NEEDS: Needs = Needs { both_directions: true, numbers_of_edges: true };

    #[inline(always)]
    fn look(
        &self,
        of: &Neighbourhood,
        (set, chosen): (&[u64], &[u32]),
        CliqueSearchMemory { set: both, sums }: &mut CliqueSearchMemory,
    ) -> u64 {
        sums.clear();
        sums.resize(set.len() * 64, 0);
        // The triangles of each place, twice each, and of all places, six times each.
        let mut all = 0;
        for x in places(set) {
            both.clear();
            both.extend(set.iter().zip(of.row(x)).map(|(set, row)| set & row));
            for y in places(&both[..x / 64 + 1]).take_while(|&y| y < x) {
                let triangles = shared(both, of.row(y));
                if triangles > 0 {
                    of.add(of.edge(x, y), triangles);
                    sums[x] += triangles;
                    sums[y] += triangles;
                    all += 2 * triangles;
                }
            }
        }
        if all == 0 {
            return 0;
        }
        for x in places(set).filter(|&x| sums[x] > 0) {
            of.add(&of.at[x], sums[x] / 2);
            for &place in chosen {
                of.add(of.edge(place as usize, x), sums[x] / 2);
            }
        }
        add_among_chosen(of, chosen, all / 6);
        all / 6
    }

    fn look_at_complete(
        &self,
        of: &Neighbourhood,
        (set, chosen): (&[u64], &[u32]),
        cliques: u64,
        [with_one, with_two]: [u64; 2],
    ) {
        for x in places(set) {
            of.add(&of.at[x], with_one);
            places(set).take_while(|&y| y < x).for_each(|y| of.add(of.edge(x, y), with_two));
            chosen.iter().for_each(|&place| of.add(of.edge(place as usize, x), with_one));
        }
        add_among_chosen(of, chosen, cliques);
    }

    fn end(&self, of: &Neighbourhood) {
        let first = self.graph.offsets[of.tail as usize] as usize;
        let add = |place: usize, cliques: &AtomicU64| {
            let cliques = cliques.load(Relaxed);
            if cliques > 0 {
                self.on[place].fetch_add(cliques, Relaxed);
            }
        };
        of.at.iter().enumerate().for_each(|(i, at)| add(first + i, at));
        of.places.iter().zip(&of.on).for_each(|(&place, on)| add(place as usize, on));
    }
}

/// Adds cliques that hold all places that were chosen.
#[inline(always)]
fn add_among_chosen(of: &Neighbourhood, chosen: &[u32], cliques: u64) {
    for (i, &x) in chosen.iter().enumerate() {
        of.add(&of.at[x as usize], cliques);
        chosen[i + 1..].iter().for_each(|&y| of.add(of.edge(x as usize, y as usize), cliques));
    }
}

#[cfg(test)]
mod tests;
