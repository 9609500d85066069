//! The triangles on every edge of a row, found as counting finds them: whole lines and words at a time.
//!
//! A triangle of ranks b < a < u stands twice in the row of u, at the places of a and of b. A count needs only how many
//! ranks the row shares with the row of each a. Here each shared rank b counts at its own place too:
//!
//! | row of a | at the place of a | at the place of b |
//! | --- | --- | --- |
//! | has bits | the bits of the joined lines | counters of one bit for each level and rank, which add up a line of all hubs at once |
//! | any other | ranks that pass the filter are collected with their edge, and looked up when the row ends | the same |
//! | any other, a past the marked ranks | merge, or gallop | the same |
//!
//! The counters are carry-save adders over lines of 512 ranks: eight lines and the lowest three levels are added in seven
//! steps, whatever is set in them, and only every eighth line reaches the levels above. They are read once for each line of
//! the row. Source of the adder tree: Muła, Kurz and Lemire, "Faster population counts using AVX2 instructions", The
//! Computer Journal 2018, after Harley and Seal.
//!
//! The third edge a → b is in no counter of the row. Who wants the triangles on it as well ([`Thirds`]) has them
//! counted at its place among all edges.
//!
//! Only AVX-512 does this in fewer steps than visiting each triangle takes ([`PlaceCounter::is_faster`]).

// Where no processor has it, nothing counts by these.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

use std::ops::Range;

use super::features::Features;
use super::hub_bits::{HubBitmap, HubBits, Line, TASK, WORDS};
use super::placed_bits::{PlacedBits, PlacedMarks};
use super::visit::Sink;
use super::{Thresholds, prefetch, tasks};
use crate::Result;
use crate::control::Context;
use crate::control::memory::{self, NoMemory};
use crate::graph::{OrientedGraph, RowRange};
use tribin_base::par::{self, Spare};

/// A consumer of the triangles of rows.
pub trait RowSink {
    /// The counters for the third edges.
    type Thirds: Thirds;

    /// Counters for the third edges.
    fn thirds(&mut self) -> &mut Self::Thirds;

    /// Takes the triangles whose largest rank is `u`, or those of them whose middle rank is in a part: how many are on each
    /// edge of its row. All places together have each triangle twice. A row that can have none does not come.
    fn row(&mut self, tails: &RowRange, u: u32, counts: &[u32]);
}

/// Counters for the edges a → b.
pub trait Thirds {
    /// Whether third edges are counted.
    const WANTED: bool;

    /// One triangle more on the edge at this place among all.
    fn add(&mut self, edge: usize);

    /// The lowest bits of the counters of the first edges: they belong to this thread alone.
    fn lowest(&mut self) -> &mut [u8];

    /// The lowest bits of a counter have become zero.
    fn carry(&mut self, edge: usize);
}

/// No counters: for sinks that want no third edges.
impl Thirds for () {
    const WANTED: bool = false;

    #[inline(always)]
    fn add(&mut self, _: usize) {}

    #[inline(always)]
    fn lowest(&mut self) -> &mut [u8] {
        &mut []
    }

    #[inline(always)]
    fn carry(&mut self, _: usize) {}
}

impl<S: RowSink> RowSink for &mut S {
    type Thirds = S::Thirds;

    #[inline(always)]
    fn thirds(&mut self) -> &mut S::Thirds {
        (**self).thirds()
    }

    #[inline(always)]
    fn row(&mut self, tails: &RowRange, u: u32, counts: &[u32]) {
        (**self).row(tails, u, counts);
    }
}

/// Takes triangles one by one, as a [`Visitor`](super::Visitor) hands them over, for what takes those of a row at a time.
pub struct ByRow<S> {
    /// What takes the rows.
    pub sink: S,
    /// Triangles on the edges of the row that is being visited.
    in_row: Vec<u32>,
    /// The first edge of the row of the middle rank.
    at_edge: usize,
    p: usize,
}

impl<S> ByRow<S> {
    /// A sink by rows that has visited nothing yet.
    pub fn new(sink: S) -> ByRow<S> {
        ByRow { sink, in_row: Vec::new(), at_edge: 0, p: 0 }
    }
}

impl<S: RowSink> Sink for ByRow<S> {
    #[inline(always)]
    fn begin_row(&mut self, tails: &RowRange, u: u32) {
        self.in_row.clear();
        self.in_row.resize(tails.row(u).len(), 0);
    }

    #[inline(always)]
    fn begin_edge(&mut self, heads: &RowRange, p: usize, a: u32) {
        self.p = p;
        if S::Thirds::WANTED {
            self.at_edge = heads.first_place(a);
        }
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        self.in_row[q] += 1;
        self.in_row[self.p] += 1;
        if S::Thirds::WANTED {
            self.sink.thirds().add(self.at_edge + r);
        }
    }

    #[inline(always)]
    fn end_row(&mut self, tails: &RowRange, u: u32) {
        self.sink.row(tails, u, &self.in_row);
    }
}

/// Counts the triangles at the places of rows: all triangles of a graph, or those whose middle ranks are in a part of it.
pub struct PlaceCounter<'g> {
    around: RowContext<'g>,
    features: Features,
    spare: Spare<PlacesScratch<'g>>,
}

/// The graph and its hubs, which all rows share.
pub(super) struct RowContext<'g> {
    pub heads: &'g RowRange,
    /// The number of ranks of the whole graph.
    ranks: usize,
    pub hubs: HubLines,
    pub thresholds: Thresholds,
}

/// The bitmaps of hubs.
pub(super) struct HubLines {
    pub bits: HubBits,
    /// The place in the hub's row of the first edge of each line of all bitmaps. Only for third edges.
    pub edges: Vec<u32>,
}

impl HubLines {
    fn new(bits: HubBits, thirds: bool) -> Result<HubLines, NoMemory> {
        let edges = if thirds { line_edges(&bits)? } else { Vec::new() };
        Ok(HubLines { bits, edges })
    }
}

impl<'g> PlaceCounter<'g> {
    /// Whether this takes less time than a [`Visitor`](super::Visitor): with AVX-512, where it goes through a Graph500 graph of scale
    /// 20 in 0.5 to 0.6 of the time. With AVX2 it takes 1.3 to 1.6 times as long there (docs/measured.md).
    pub fn is_faster() -> bool {
        Features::widest().adds_by_lines()
    }

    /// Finds the hubs and makes their bits. With `thirds` it knows the places of their edges as well.
    ///
    /// # Errors
    /// [`NoMemory`] for those places.
    pub fn new(graph: &'g OrientedGraph, thirds: bool) -> Result<PlaceCounter<'g>, NoMemory> {
        PlaceCounter::within(graph, graph.vertices(), thirds, u64::MAX)
    }

    /// A counter of the triangles whose middle ranks are those whose rows `heads` holds, in a graph of `ranks` ranks.
    /// Beside them it takes `hub_bytes` bytes at most, and [`bytes_of_a_place_counter`] for each thread.
    ///
    /// # Errors
    /// [`NoMemory`] for the places of the hubs' edges, which `thirds` asks for.
    ///
    /// [`bytes_of_a_place_counter`]: crate::plan::bytes_of_a_place_counter
    pub fn within(
        heads: &'g RowRange,
        ranks: usize,
        thirds: bool,
        hub_bytes: u64,
    ) -> Result<PlaceCounter<'g>, NoMemory> {
        let (thresholds, features) = (Thresholds::default(), Features::widest());
        PlaceCounter::with(heads, ranks, (thirds, hub_bytes), thresholds, features)
    }

    fn with(
        heads: &'g RowRange,
        ranks: usize,
        (thirds, hub_bytes): (bool, u64),
        thresholds: Thresholds,
        features: Features,
    ) -> Result<PlaceCounter<'g>, NoMemory> {
        // Places take a sixteenth of the bits.
        let bits = HubBits::new(heads, &thresholds, hub_bytes / 17 * 16);
        let around = RowContext { heads, ranks, hubs: HubLines::new(bits, thirds)?, thresholds };
        Ok(PlaceCounter { around, features, spare: Spare::new() })
    }

    /// Hands the triangles of all rows to sinks that `sink` makes, about as many as there are threads, and returns the
    /// sinks. The gauge counts tasks of about equal work.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn count_all<S: RowSink + Send>(
        &self,
        context: &Context,
        sink: impl Fn() -> S + Sync,
    ) -> Result<Vec<S>> {
        let graph = self.around.heads;
        tasks::each(graph, context, sink, |sink, rows| self.count_of(graph, rows, sink))
    }

    /// Hands the triangles of some rows of `tails` to a sink.
    ///
    /// # Panics
    /// If this is not [faster](PlaceCounter::is_faster).
    pub fn count_of(&self, tails: &RowRange, rows: Range<u32>, sink: &mut impl RowSink) {
        let new = || PlacesScratch::new(&self.around);
        self.spare.with(new, |scratch| {
            self.features.count_places((&self.around, tails), scratch, sink, rows);
        });
    }
}

/// The place in its row where the edges of each line of all bitmaps begin.
fn line_edges(bits: &HubBits) -> Result<Vec<u32>, NoMemory> {
    let mut edges = memory::zeroed(bits.lines().len())?;
    let rooms = par::cut(&mut edges, bits.ranks().map(|u| bits.row(u).len() / WORDS));
    let rows = bits.ranks().zip(rooms).filter(|(_, edges)| !edges.is_empty());
    let mut rows: Vec<(u32, &mut [u32])> = rows.collect();
    par::for_each(rows.chunks_mut(TASK), |rows| {
        for (u, edges) in rows {
            let mut first = 0;
            for (edges, line) in edges.iter_mut().zip(bits.row(*u).chunks_exact(WORDS)) {
                *edges = first;
                first += line.iter().map(|word| word.count_ones()).sum::<u32>();
            }
        }
    });
    Ok(edges)
}

/// The memory that a task works in. Nothing of one row is left in it for the next.
pub(super) struct PlacesScratch<'g> {
    pub marks: PlacedMarks,
    /// Each out-neighbour that has a bitmap.
    pub hubs: Vec<HubBitmap>,
    /// Where the row of each begins among all edges. Only for third edges.
    pub firsts: Vec<u64>,
    /// The number of ranks that each hub, or each other out-neighbour, shares with the row.
    pub shared: Vec<u32>,
    /// The row of each other out-neighbour that can be marked.
    pub others: Vec<PlainRow<'g>>,
    /// The place of each that cannot.
    pub unmarked: Vec<u32>,
    pub passed: PassedPlaces,
    pub levels: [Line; LEVELS],
    pub common: CommonWords,
    /// The counts of the row's places, and room.
    pub counts: Vec<u32>,
}

impl PlacesScratch<'_> {
    fn new(around: &RowContext) -> Self {
        PlacesScratch {
            marks: PlacedMarks::new(around.ranks.min(around.thresholds.marked_ranks)),
            hubs: Vec::new(),
            firsts: Vec::new(),
            shared: Vec::new(),
            others: Vec::new(),
            unmarked: Vec::new(),
            passed: PassedPlaces::default(),
            levels: [[0; WORDS]; LEVELS],
            common: CommonWords::default(),
            counts: Vec::new(),
        }
    }
}

/// The row of an out-neighbour without a bitmap.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainRow<'g> {
    pub row: &'g [u32],
    /// The out-neighbour's place in the row that is counted.
    pub place: u32,
    /// The place of the row's first edge among all edges.
    pub first: usize,
}

/// The number of ranks that are collected before they are looked up.
pub(super) const ROOM: usize = 1024;

/// Ranks that may be in a row, and where they come from.
#[derive(Debug)]
pub(super) struct PassedPlaces {
    pub ranks: [u32; ROOM],
    /// The index among `others` of the out-neighbour whose row has the rank.
    pub others: [u32; ROOM],
    /// The place of the rank in that other's row, where third edges are wanted.
    pub places: [u32; ROOM],
}

impl Default for PassedPlaces {
    fn default() -> Self {
        PassedPlaces { ranks: [0; ROOM], others: [0; ROOM], places: [0; ROOM] }
    }
}

impl PassedPlaces {
    /// Looks up the first `end` of what was collected, and counts what is there.
    #[inline(always)]
    pub fn look_up<T: Thirds>(&self, end: usize, others: &[PlainRow], counted: &mut CountedRow<T>) {
        let CountedRow { marks, counts, shared, thirds, .. } = counted;
        // Those of an other stand together. Its sum is written again and again, but never read: to wait for what was
        // written a moment ago takes longer than to add.
        let mut current = usize::MAX;
        let mut sum = 0;
        for ((&rank, &other), &place) in
            self.ranks[..end].iter().zip(&self.others[..end]).zip(&self.places[..end])
        {
            let Some(at) = marks.place(rank) else { continue };
            counts[at] += 1;
            let other = other as usize;
            sum = if other == current { sum } else { shared[other] } + 1;
            current = other;
            shared[other] = sum;
            if T::WANTED {
                thirds.add(others[other].first + place as usize);
            }
        }
    }
}

/// Words that are collected before their third edges are counted.
pub(super) const WORDS_AT_A_TIME: usize = 512;

/// Words in which a row has ranks of a hub's row. Each word has one at least.
#[derive(Debug)]
pub(super) struct CommonWords {
    /// The ranks that both rows have.
    pub both: [u64; WORDS_AT_A_TIME],
    /// The ranks that the hub's row has.
    pub bits: [u64; WORDS_AT_A_TIME],
    /// The place among all edges of the first of those.
    pub edges: [u64; WORDS_AT_A_TIME],
    pub end: usize,
}

impl Default for CommonWords {
    fn default() -> Self {
        let [both, bits, edges] = [[0; WORDS_AT_A_TIME]; 3];
        CommonWords { both, bits, edges, end: 0 }
    }
}

impl CommonWords {
    /// Whether there is no room for the lines of a block of hubs.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.end > WORDS_AT_A_TIME - BLOCK * WORDS
    }

    /// Counts the third edges of one word.
    #[inline(always)]
    pub fn count_one<T: Thirds>(&self, at: usize, thirds: &mut T) {
        let mut rest = self.both[at];
        while rest != 0 {
            let below = (rest & rest.wrapping_neg()) - 1;
            let place = u64::from((self.bits[at] & below).count_ones());
            thirds.add((self.edges[at] + place) as usize);
            rest &= rest - 1;
        }
    }
}

/// A row whose places are counted, and where.
pub(super) struct CountedRow<'a, T> {
    pub row: &'a [u32],
    pub marks: PlacedBits<'a>,
    /// The count of each place of the row.
    pub counts: &'a mut [u32],
    /// The count of each out-neighbour that is looked up.
    pub shared: &'a mut [u32],
    pub thirds: &'a mut T,
}

/// A line of a row, and the hubs that it is joined with.
pub(super) struct JoinedLine<'a> {
    pub bits: Line,
    /// The line's index in a bitmap.
    pub index: usize,
    /// The row's ranks in the line.
    pub ranks: &'a [u32],
    /// The number of hubs that the line is joined with.
    pub hubs: usize,
    /// The hubs in whole blocks. What comes past the last is any of them.
    pub blocks: &'a [HubBitmap],
    /// Where the row of each hub begins among all edges. Only for third edges.
    pub firsts: &'a [u64],
}

/// The counts that joining a line adds to.
pub(super) struct FoundInLine<'a> {
    /// The count of each hub, to which what it shares with the line is added.
    pub shared: &'a mut [u32],
    /// The count of each rank of the line, which is written here. Fewer than 16 places more may be written.
    pub counts: &'a mut [u32],
    /// The levels of the counters from the fourth on, to work in.
    pub levels: &'a mut [Line; LEVELS],
    /// Where third edges are collected.
    pub common: &'a mut CommonWords,
}

/// Hubs that are joined at a time.
pub(super) const BLOCK: usize = 8;

/// Levels of the counters from the fourth on. A row has fewer than 2³² places.
const LEVELS: usize = 30;

/// Collects each rank of `others` that is marked, without a branch, and counts them.
#[inline(always)]
pub(super) fn test_each<T: Thirds>(
    others: &[PlainRow],
    mut counted: CountedRow<T>,
    passed: &mut PassedPlaces,
) {
    const HALF: usize = ROOM / 2;
    let mut end = 0;
    for (i, other) in others.iter().enumerate() {
        if let Some(later) = others.get(i + prefetch::AHEAD) {
            prefetch::row(later.row);
        }
        for (part, ranks) in other.row.chunks(HALF).enumerate() {
            if end > HALF {
                passed.look_up(end, others, &mut counted);
                end = 0;
            }
            for (&rank, place) in ranks.iter().zip((part * HALF) as u32..) {
                passed.ranks[end] = rank;
                passed.others[end] = i as u32;
                if T::WANTED {
                    passed.places[end] = place;
                }
                let word = counted.marks.words.get((rank >> 6) as usize).copied().unwrap_or(0);
                end += (word >> (rank & 63) & 1) as usize;
            }
        }
    }
    passed.look_up(end, others, &mut counted);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use testkit::{effort, skip};

    use super::super::tests::{edges, rows_of_every_length, thresholds};
    use super::*;
    use crate::prepare::prepare;

    /// What every edge is on, and how many bytes of counters belong to the thread.
    struct Sum {
        edges: Vec<u32>,
        lowest: Vec<u8>,
    }

    impl Sum {
        fn new(edges: usize, lowest: usize) -> Sum {
            Sum { edges: vec![0; edges], lowest: vec![0; lowest] }
        }
    }

    impl Thirds for Sum {
        const WANTED: bool = true;

        fn add(&mut self, edge: usize) {
            self.edges[edge] += 1;
        }

        fn lowest(&mut self) -> &mut [u8] {
            &mut self.lowest
        }

        fn carry(&mut self, edge: usize) {
            self.edges[edge] += 256;
        }
    }

    impl RowSink for Sum {
        type Thirds = Sum;

        fn thirds(&mut self) -> &mut Sum {
            self
        }

        fn row(&mut self, graph: &RowRange, u: u32, counts: &[u32]) {
            assert_eq!(counts.len(), graph.row(u).len());
            let start = graph.offsets[u as usize] as usize;
            self.edges[start..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// The first two edges of each triangle only.
    struct Firsts(Vec<u32>, ());

    impl RowSink for Firsts {
        type Thirds = ();

        fn thirds(&mut self) -> &mut () {
            &mut self.1
        }

        fn row(&mut self, graph: &RowRange, u: u32, counts: &[u32]) {
            let start = graph.offsets[u as usize] as usize;
            self.0[start..][..counts.len()].copy_from_slice(counts);
        }
    }

    /// The triangles on each edge, and those of them in which it is not the third one: by neighbours in common.
    fn by_neighbours(graph: &OrientedGraph) -> (Vec<u32>, Vec<u32>) {
        let mut neighbours = vec![Vec::new(); graph.vertices()];
        let mut edges = BTreeMap::new();
        for u in 0..graph.vertices() as u32 {
            for &v in graph.row(u) {
                neighbours[u as usize].push(v);
                neighbours[v as usize].push(u);
                edges.insert((u, v), edges.len());
            }
        }
        neighbours.iter_mut().for_each(|row| row.sort_unstable());
        let (mut all, mut firsts) = (vec![0; edges.len()], vec![0; edges.len()]);
        for (&(u, v), &edge) in &edges {
            for &w in &neighbours[u as usize] {
                if neighbours[v as usize].binary_search(&w).is_ok() {
                    all[edge] += 1;
                    firsts[edge] += u32::from(w < u);
                }
            }
        }
        (all, firsts)
    }

    /// What every edge of the tails is on, and every edge of a part of the heads.
    struct OfPart {
        tails: Vec<u32>,
        heads: Sum,
    }

    impl RowSink for OfPart {
        type Thirds = Sum;

        fn thirds(&mut self) -> &mut Sum {
            &mut self.heads
        }

        fn row(&mut self, graph: &RowRange, u: u32, counts: &[u32]) {
            let start = graph.first_place(u);
            self.tails[start..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// The triangles on each edge, part by part of the rows of the middle ranks.
    fn by_parts(
        graph: &OrientedGraph,
        parts: u32,
        hub_bytes: u64,
        (thresholds, features): (Thresholds, Features),
        lowest: usize,
    ) -> Vec<u32> {
        let ranks = graph.vertices() as u32;
        let mut found = vec![0; graph.heads.len()];
        for part in 0..parts {
            let cut = |part: u32| u64::from(ranks) * u64::from(part) / u64::from(parts);
            let [first, end] = [cut(part), cut(part + 1)].map(|rank| rank as usize);
            let offsets = &graph.offsets[first..=end];
            let start = offsets[0] as usize;
            let heads = RowRange {
                first: first as u32,
                offsets: offsets.iter().map(|offset| offset - start as u64).collect(),
                heads: graph.heads[start..offsets[end - first] as usize].to_vec(),
            };
            let sizes = (true, hub_bytes);
            let counter =
                PlaceCounter::with(&heads, ranks as usize, sizes, thresholds, features).unwrap();
            let mut sink = OfPart {
                tails: vec![0; graph.heads.len()],
                heads: Sum::new(heads.heads.len(), lowest.min(heads.heads.len())),
            };
            counter.count_of(graph, 0..ranks, &mut sink);
            found.iter_mut().zip(&sink.tails).for_each(|(sum, term)| *sum += term);
            let of_part = &mut found[start..];
            of_part.iter_mut().zip(&sink.heads.edges).for_each(|(sum, term)| *sum += term);
            let lowest = sink.heads.lowest.iter();
            of_part.iter_mut().zip(lowest).for_each(|(sum, &term)| *sum += u32::from(term));
        }
        found
    }

    /// The instructions that this needs, where the processor has them.
    fn wide() -> Option<Features> {
        let widest = Some(Features::widest()).filter(|features| features.adds_by_lines());
        if widest.is_none() {
            skip::whole("the processor has no AVX-512");
        }
        widest
    }

    fn check(graph: &OrientedGraph, thresholds: Thresholds, lowest: usize) {
        let Some(features) = wide() else { return };
        let (all, firsts) = by_neighbours(graph);
        let edges = graph.heads.len();
        for (parts, hub_bytes) in [(1, 0), (3, 1 << 12), (7, 1 << 40)] {
            let found = by_parts(graph, parts, hub_bytes, (thresholds, features), lowest);
            assert_eq!(found, all, "{thresholds:?} {lowest}, {parts} parts");
        }
        let counter = |thirds| {
            let sizes = (thirds, u64::MAX);
            PlaceCounter::with(graph, graph.vertices(), sizes, thresholds, features).unwrap()
        };
        let sinks =
            counter(true).count_all(&Context::silent(), || Sum::new(edges, lowest)).unwrap();
        let mut found = vec![0; edges];
        for sink in sinks {
            found.iter_mut().zip(&sink.edges).for_each(|(sum, term)| *sum += term);
            found.iter_mut().zip(&sink.lowest).for_each(|(sum, &term)| *sum += u32::from(term));
        }
        assert_eq!(found, all, "{thresholds:?} {lowest}");
        let sinks = counter(false).count_all(&Context::silent(), || Firsts(vec![0; edges], ()));
        let mut found = vec![0; edges];
        for Firsts(counts, ()) in sinks.unwrap() {
            found.iter_mut().zip(&counts).for_each(|(sum, term)| *sum += term);
        }
        assert_eq!(found, firsts, "{thresholds:?} {lowest}");
    }

    #[test]
    fn every_edge_of_a_clique_is_on_all_other_vertices() {
        // More than a line of hubs, 16 blocks of them, and counters that pass a byte twice.
        let clique: Vec<[u32; 2]> = (0..530).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        let graph = prepare(&clique, 530).oriented;
        for (number, lowest) in [0, 1000, clique.len(), clique.len() + 64].into_iter().enumerate() {
            if effort::takes(number, 4) {
                check(&graph, Thresholds::default(), lowest);
            }
        }
    }

    #[test]
    fn rows_at_every_border_of_a_method_are_counted() {
        // More than two lines of bits.
        let (edges, vertices) = rows_of_every_length(1100, 8, 12);
        let oriented = prepare(&edges, vertices as usize).oriented;
        let mut number = 0;
        for hub_ranks_per_entry in [0, 4, 128] {
            for marked_ranks in [0, 512, 700, 1 << 23] {
                let thresholds =
                    Thresholds { hub_ranks_per_entry, marked_ranks, ..Thresholds::default() };
                // Three in a quick run take each value of both but one.
                if effort::takes(number, 5) {
                    check(&oriented, thresholds, 5000);
                }
                number += 1;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn every_choice_of_methods_finds_the_same(
            edges in edges(),
            thresholds in thresholds(),
            lowest in 0usize..900,
        ) {
            check(&prepare(&edges, 70).oriented, thresholds, lowest);
        }
    }
}
