//! Preparation on a GPU whose memory does not hold the entries: they go there some at a time, and the rows come back.
//!
//! | pass | there and back | what the GPU does | what the CPU does |
//! | --- | --- | --- | --- |
//! | 1 | entries; a degree for each vertex | counts degrees | ranks the vertices |
//! | 2 | entries; as many keys | turns a **run** of entries into keys of two ranks, and sorts them | keeps the runs |
//! | 3 | keys; the rows | sorts a **range** of keys, drops duplicates, lays out rows | cuts the next range out of all runs |
//!
//! Runs and ranges have as many entries as fit at a time. A range is all keys between two values, so that duplicates come
//! together. Each run is sorted: what it has of a range stands together, and is found by binary search.
//!
//! The result is what [`prepare::cpu`](tribin_cpu::prepare) makes of the same entries. Only how many duplicates were other
//! directions of an edge is not known: a key has no direction.

use std::time::Instant;

use tribin_device::launch::{Buffer, Device};

use super::degrees::DeviceDegrees;
use super::keys::{KeyCounts, Keys};
use super::radix_sort::{sort, sort_by};
use super::rows::{DeviceRows, rows_of_keys};
use super::summary::{summary_of_degrees, with_edges};
use super::upload::upload_entries;
use crate::control::{Context, memory};
use crate::graph::{OrientedGraph, OrientedRows, Summary, rank_bits};
use crate::plan::preparation::{KeySort, SortPasses};
use crate::plan::upload::COPIED_AT_ONCE;
use crate::{Error, Graph, Result};
use tribin_cpu::prepare::ranking::{Ranking, by_descending_degree};
use tribin_cpu::prepare::{PhaseTimes, Prepared};

/// Prepares a graph on a device that has room for `at_a_time` entries, with all that `plan::passes::bytes` says. Gives `None` where one
/// pair of vertices has more entries than that.
///
/// Runs on the current rayon pool. Beside the input about 12 bytes of host memory for each entry and 28 for each vertex.
///
/// # Errors
/// What the device reports, [`Error::Cancelled`], and [`Error::Input`] where there is no host memory.
pub fn prepare_in_passes<D: Device<Error: Into<Error>>>(
    device: &D,
    graph: &Graph,
    at_a_time: u64,
    context: &Context,
) -> Result<Option<Prepared>> {
    let (entries, vertices) = (graph.edges(), graph.vertex_bound());
    memory::check(12 * entries.len() as u64 + 12 * vertices as u64)?;
    context.work().begin(3 * entries.len() as u64);
    // Below 2³² entries.
    let at_a_time = at_a_time.max(1) as usize;
    let start = Instant::now();
    let (degrees, self_loops) = count(device, entries, vertices, at_a_time, context)?;
    let ranking = by_descending_degree(&degrees)?;
    drop(degrees);
    let runs = Runs::new(device, entries, &ranking.rank_of_vertex, at_a_time, context)?;
    let orient = start.elapsed();

    let start = Instant::now();
    let Some((oriented, figures)) = rows(device, &runs, ranking, at_a_time, context)? else {
        return Ok(None);
    };
    let duplicates = entries.len() as u64 - self_loops - oriented.edges();
    let figures = with_edges(figures, oriented.edges(), self_loops, duplicates);
    let time = PhaseTimes { clean: start.elapsed(), orient };
    Ok(Some(Prepared { oriented, figures, time }))
}

/// The degree of each vertex, and the number of self-loops.
fn count<D: Device<Error: Into<Error>>>(
    device: &D,
    entries: &[[u32; 2]],
    vertices: usize,
    at_a_time: usize,
    context: &Context,
) -> Result<(Vec<u32>, u64)> {
    let into = |error: D::Error| -> Error { error.into() };
    let piece = at_a_time.min(COPIED_AT_ONCE as usize);
    let mut degrees = DeviceDegrees::zeroed(device, vertices as u64).map_err(into)?;
    let mut edges = Buffer::uninitialized(device, piece.min(entries.len()) as u64).map_err(into)?;
    for entries in entries.chunks(piece) {
        context.cancel().check()?;
        let add = |edges: &Buffer<u64, D>, places| degrees.add(device, edges, places);
        upload_entries(device, entries, vertices as u64, &mut edges, add).map_err(into)?;
        context.work().add(entries.len() as u64);
    }
    let mut found = memory::zeroed(vertices)?;
    degrees.degree.download(device, 0, &mut found).map_err(into)?;
    Ok((found, degrees.self_loops(device).map_err(into)?))
}

/// The entries as keys of two ranks, in host memory.
struct Runs {
    /// One run after another.
    keys: Vec<u64>,
    /// Keys of a run; the last may have fewer.
    run: usize,
    rank_bits: u32,
}

/// The keys of edges, sorted by both ranks.
fn sorted_keys<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    rank: &Buffer<u32, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    let mut made = Keys::none(device, edges.len(), rank.len(), None, KeySort::Whole)?;
    made.add(device, &edges, rank, 0..edges.len())?;
    let KeyCounts::Digits(histograms) = made.counted else {
        unreachable!("a sort by both ranks goes by digits")
    };
    sort(device, made.keys, edges, histograms)
}

impl Runs {
    fn new<D: Device<Error: Into<Error>>>(
        device: &D,
        entries: &[[u32; 2]],
        rank_of_vertex: &[u32],
        run: usize,
        context: &Context,
    ) -> Result<Runs> {
        let into = |error: D::Error| -> Error { error.into() };
        let rank_bits = rank_bits(rank_of_vertex.len() as u64);
        let mut keys: Vec<u64> = memory::zeroed(entries.len())?;
        let rank = Buffer::from_host(device, rank_of_vertex).map_err(into)?;
        for (entries, sorted) in entries.chunks(run).zip(keys.chunks_mut(run)) {
            context.cancel().check()?;
            let mut edges = Buffer::uninitialized(device, entries.len() as u64).map_err(into)?;
            let bound = rank_of_vertex.len() as u64;
            upload_entries(device, entries, bound, &mut edges, |_, _| Ok(())).map_err(into)?;
            let keys = sorted_keys(device, edges, &rank).map_err(into)?;
            keys.download(device, 0, sorted).map_err(into)?;
            context.work().add(entries.len() as u64);
        }
        Ok(Runs { keys, run, rank_bits })
    }

    /// The key of self-loops, which is larger than all others.
    fn self_loop(&self) -> u64 {
        u64::MAX >> (64 - 2 * self.rank_bits)
    }

    /// Each run without self-loops.
    fn proper(&self) -> Vec<&[u64]> {
        let proper = |run| before(run, self.self_loop());
        self.keys.chunks(self.run).map(proper).collect()
    }
}

/// The keys of a run that are less than `end`.
fn before(run: &[u64], end: u64) -> &[u64] {
    &run[..run.partition_point(|&key| key < end)]
}

/// Takes the next range off all runs: at most `most` keys, all of them below `end`. Equal keys are in one range. Gives what each
/// run has of it, or `None` where one value has more keys than that. O(runs · log of the keys · log `end`).
fn next_range<'k>(runs: &mut [&'k [u64]], most: usize, end: u64) -> Option<Vec<&'k [u64]>> {
    let fits = |end| runs.iter().map(|run| before(run, end).len()).sum::<usize>() <= most;
    // The largest value below which all keys fit. No key is below 0.
    let (mut low, mut high) = (0, end);
    if fits(end) {
        low = end;
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        match fits(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    let range: Vec<&[u64]> = runs.iter().map(|run| before(run, low)).collect();
    for (run, taken) in runs.iter_mut().zip(&range) {
        *run = &run[taken.len()..];
    }
    range.iter().any(|keys| !keys.is_empty()).then_some(range)
}

/// The rows of all ranges, and the figures that follow from their degrees.
fn rows<D: Device<Error: Into<Error>>>(
    device: &D,
    runs: &Runs,
    ranking: Ranking,
    at_a_time: usize,
    context: &Context,
) -> Result<Option<(OrientedGraph, Summary)>> {
    let into = |error: D::Error| -> Error { error.into() };
    let Ranking { rank_of_vertex, vertex_of_rank, degree_of_rank } = ranking;
    drop(rank_of_vertex);
    let mut left = runs.proper();
    let mut heads: Vec<u32> = memory::zeroed(left.iter().map(|run| run.len()).sum())?;
    // Until all rows are there, the length of each row stands where its end will.
    let mut offsets: Vec<u64> = memory::zeroed(vertex_of_rank.len() + 1)?;
    let mut edges = 0;
    let mut degree_of_rank = Buffer::from_host(device, &degree_of_rank).map_err(into)?;
    while left.iter().any(|run| !run.is_empty()) {
        context.cancel().check()?;
        let Some(range) = next_range(&mut left, at_a_time, runs.self_loop()) else {
            return Ok(None);
        };
        let keys = sorted(device, &range, 2 * runs.rank_bits).map_err(into)?;
        let mut kept = Buffer::zeroed(device, 1).map_err(into)?;
        let rank_bits = runs.rank_bits;
        let found = rows_of_keys(device, &keys, &mut degree_of_rank, kept.view_mut(), rank_bits);
        let DeviceRows { heads: found, rows, .. } = found.map_err(into)?;
        // Below 2³².
        let end = edges + kept.to_vec(device).map_err(into)?[0] as usize;
        found.download(device, 0, &mut heads[edges..end]).map_err(into)?;
        edges = end;

        let tail = |key: &u64| (key >> runs.rank_bits) as usize;
        let first = range.iter().filter_map(|keys| keys.first()).map(tail).min();
        let last = range.iter().filter_map(|keys| keys.last()).map(tail).max();
        let (first, last) = first.zip(last).expect("a range has keys");
        let mut bounds: Vec<u32> = memory::zeroed(2 * (last + 1 - first))?;
        rows.download(device, 2 * first as u64, &mut bounds).map_err(into)?;
        for (length, [start, end]) in offsets[first + 1..].iter_mut().zip(bounds.as_chunks().0) {
            // The range before may have the beginning of the row.
            *length += u64::from(end - start);
        }
        context.work().add(range.iter().map(|keys| keys.len() as u64).sum());
    }
    heads.truncate(edges);
    let mut end = 0;
    for offset in &mut offsets {
        end += *offset;
        *offset = end;
    }
    let figures = summary_of_degrees(device, &degree_of_rank).map_err(into)?;
    let rows = OrientedRows { offsets, heads, vertex_of_rank };
    // SAFETY: the passes sorted the keys of each range of ranks and dropped duplicates.
    let oriented = unsafe { OrientedGraph::of_rows(rows) };
    Ok(Some((oriented, figures)))
}

/// The keys of a range on the device, in order.
fn sorted<D: Device>(device: &D, range: &[&[u64]], bits: u32) -> Result<Buffer<u64, D>, D::Error> {
    let number = range.iter().map(|keys| keys.len() as u64).sum();
    let mut keys = Buffer::uninitialized(device, number)?;
    let mut end = 0;
    for piece in range {
        keys.upload(device, end, piece)?;
        end += piece.len() as u64;
    }
    if range.iter().filter(|piece| !piece.is_empty()).count() < 2 {
        return Ok(keys);
    }
    sort_by(device, keys, 0, SortPasses::of_bits(bits))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tribin_device::emulated::{Config, Emulator};

    use super::*;
    use tribin_cpu::prepare as cpu;
    use tribin_generate::{GRAPH500, Rmat};

    /// The graph as the CPU prepares it, times and other directions left out.
    fn expected(graph: &Graph) -> Prepared {
        cpu::prepare(graph.edges(), graph.vertex_bound())
    }

    fn in_passes(graph: &Graph, at_a_time: u64) -> Option<Prepared> {
        let device = Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) });
        prepare_in_passes(&device, graph, at_a_time, &Context::silent()).unwrap()
    }

    fn assert_same(found: &Prepared, expected: &Prepared) {
        assert_eq!(found.oriented, expected.oriented);
        let reciprocal_dropped = (found.figures.duplicates_dropped == 0).then_some(0);
        assert_eq!(found.figures, Summary { reciprocal_dropped, ..expected.figures });
    }

    #[test]
    fn any_number_at_a_time_prepares_as_the_cpu_does() {
        let rmat = Rmat::new(9, 8, GRAPH500, 1).unwrap();
        let rmat = tribin_generate::graph(&rmat, "rmat9");
        let loops = Graph::from_edges([[3, 3], [3, 3], [5, 5]]);
        for graph in [rmat, loops, Graph::from_edges([[0u32; 2]; 0]), Graph::from_edges([[0, 1]])] {
            let expected = expected(&graph);
            let entries = graph.edges().len() as u64;
            for at_a_time in [entries / 7 + 1, entries / 2 + 1, entries + 1] {
                assert_same(&in_passes(&graph, at_a_time).unwrap(), &expected);
            }
        }
    }

    /// A row may be longer than a range, and a pair of vertices may not be repeated more often than a range has keys.
    #[test]
    fn long_rows_and_pairs_that_are_repeated() {
        let clique: Vec<[u32; 2]> = (0..40).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let clique = Graph::from_edges(clique);
        assert_same(&in_passes(&clique, 20).unwrap(), &expected(&clique));
        let repeated = Graph::from_edges([[0, 1]; 50].into_iter().chain([[1, 2], [2, 0]]));
        assert!(in_passes(&repeated, 49).is_none());
        assert_same(&in_passes(&repeated, 50).unwrap(), &expected(&repeated));
    }

    #[test]
    fn a_cancelled_token_stops_it() {
        let context = Context::silent();
        context.cancel().cancel();
        let graph = Graph::from_edges([[0, 1], [1, 2]]);
        let device = Emulator::with(Config::seeded(1));
        let stopped = prepare_in_passes(&device, &graph, 1, &context);
        assert!(matches!(stopped, Err(Error::Cancelled)));
    }

    proptest! {
        #[test]
        fn ranges_are_all_keys_in_order(
            runs in prop::collection::vec(prop::collection::vec(0u64..30, 0..20), 1..5),
            most in 1usize..40,
        ) {
            let runs: Vec<Vec<u64>> =
                runs.into_iter().map(|mut run| { run.sort_unstable(); run }).collect();
            let mut left: Vec<&[u64]> = runs.iter().map(Vec::as_slice).collect();
            let (mut found, mut ranges) = (Vec::new(), 0);
            while left.iter().any(|run| !run.is_empty()) {
                let Some(range) = next_range(&mut left, most, 30) else {
                    // One value alone has too many.
                    let next = left.iter().filter_map(|run| run.first()).min().unwrap();
                    let same = left.iter().flat_map(|run| run.iter()).filter(|key| *key == next);
                    prop_assert!(same.count() > most);
                    return Ok(());
                };
                let mut keys = range.concat();
                prop_assert!(keys.len() <= most);
                keys.sort_unstable();
                prop_assert!(found.last() < keys.first(), "equal keys are in one range");
                found.extend(keys);
                ranges += 1;
            }
            let mut expected = runs.concat();
            expected.sort_unstable();
            prop_assert_eq!(&found, &expected);
            prop_assert!(ranges <= expected.len());
        }
    }
}
