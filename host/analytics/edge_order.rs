//! Edges brought from the order of the rows into the order of their vertices.
//!
//! | step | what happens |
//! | --- | --- |
//! | cut | a sixteenth of the rows says how many edges have their smaller vertex where; the vertices are cut into ranges of about as many edges each, the buckets |
//! | group | each block of rows becomes edges of two vertices, the smaller first, and these are put with the others of their bucket |
//! | sort | each bucket is sorted by both vertices, digit by digit from the lowest, and lands in its place |
//!
//! All but the first look at the rows goes through memory in order, and what is written at random stays in a core's
//! second-level cache. No thread waits for another's counter.

use std::ops::Range;

use crate::Result;
use crate::control::{Context, memory, prefetch};
use crate::graph::{OrientedGraph, by_edges};
use tribin_base::par::{self, Spare};

/// Edges of a block of rows, and of a bucket: two copies stay in a core's second-level cache.
const CHUNK: u64 = 1 << 15;

/// The most buckets: a block's pieces stay a few cache lines long.
const MAX_BUCKETS: u64 = 1 << 11;

/// The most ranges of vertices that buckets are made of.
const MAX_RANGES: usize = 1 << 12;

/// Rows for each one that is looked at before the edges are cut into chunks.
const SAMPLED: usize = 16;

/// The most bits of a digit: its counters stay in a core's first-level cache.
const DIGIT_BITS: u32 = 11;

/// Fewest edges that are sorted by digits: of fewer, a sort by comparisons takes less time than the counters of digits.
const MIN_EDGES: usize = 256;

/// An edge, the smaller vertex first, and its number.
type Numbered = [u32; 3];

/// Pairs of vertices, and a number for each.
type Ordered = (Vec<[u32; 2]>, Vec<u32>);

/// The edges that `keep` holds on to, ascending, each with its `value`. Both are asked for places in the rows.
pub(super) fn in_order(
    graph: &OrientedGraph,
    value: impl Fn(usize) -> u32 + Sync,
    keep: impl Fn(usize) -> bool + Sync,
    context: &Context,
) -> Result<Ordered> {
    in_chunks(graph, value, keep, CHUNK, context)
}

fn in_chunks(
    graph: &OrientedGraph,
    value: impl Fn(usize) -> u32 + Sync,
    keep: impl Fn(usize) -> bool + Sync,
    chunk: u64,
    context: &Context,
) -> Result<Ordered> {
    let cut = Cut::new(graph, chunk);
    let chunks = by_edges(&graph.offsets, chunk);
    // Where nothing is kept, nothing is written, and the system gives no memory.
    let mut grouped: Vec<Numbered> = memory::zeroed(graph.heads.len())?;
    let places = |rows: &Range<u32>| {
        let [start, end] = [rows.start, rows.end].map(|row| graph.offsets[row as usize] as usize);
        start..end
    };
    let parts = par::cut(&mut grouped, chunks.iter().map(|rows| places(rows).len()));
    let vertices = graph.vertex_of_rank.as_slice();
    let ahead = prefetch::steps_ahead(vertices);
    let group_rows = |edges: &mut Vec<Numbered>, rows: Range<u32>, part: &mut [Numbered]| {
        edges.clear();
        for u in rows {
            let (start, tail) = (graph.offsets[u as usize] as usize, vertices[u as usize]);
            for (i, &head) in graph.row(u).iter().enumerate() {
                if ahead != usize::MAX {
                    prefetch::indexed(vertices, &graph.heads, start + i + ahead);
                }
                if keep(start + i) {
                    let head = vertices[head as usize];
                    edges.push([tail.min(head), tail.max(head), value(start + i)]);
                }
            }
        }
        let mut starts: Vec<u32> = vec![0; cut.firsts.len() + 1];
        group(edges, part, &mut starts, |edge| cut.bucket_of(edge[0]));
        starts
    };
    let buffers = Spare::new();
    let starts = par::try_map(chunks.iter().zip(parts), |(rows, part)| {
        context.cancel().check()?;
        let rows = rows.clone();
        Ok::<_, crate::Error>(buffers.with(Vec::new, |edges| group_rows(edges, rows, part)))
    })?;
    drop(buffers);

    let of_bucket = |bucket: usize, starts: &[u32]| {
        let [start, end] = [starts[bucket], starts[bucket + 1]].map(|place| place as usize);
        start..end
    };
    let length = |bucket| starts.iter().map(|starts| of_bucket(bucket, starts).len()).sum();
    let lengths: Vec<usize> = (0..cut.firsts.len()).map(length).collect();
    let total = lengths.iter().sum();
    let (mut edges, mut values) = (memory::zeroed(total)?, memory::zeroed(total)?);
    let rooms = par::cut(&mut edges, lengths.iter().copied()).into_iter();
    let rooms = rooms.zip(par::cut(&mut values, lengths)).enumerate();
    par::try_for_each(rooms, |(bucket, (edges, values))| {
        context.cancel().check()?;
        let pieces = chunks.iter().zip(&starts);
        let pieces = pieces.map(|(rows, starts)| &grouped[places(rows)][of_bucket(bucket, starts)]);
        Sorter::default().sort(pieces, cut.firsts[bucket], edges, values);
        Ok::<(), crate::Error>(())
    })?;
    Ok((edges, values))
}

/// The vertices in buckets of about as many edges each, by the smaller vertex.
struct Cut {
    /// The first vertex of each bucket.
    firsts: Vec<u32>,
    /// The bucket of each range of 2 to the power of `range_bits` vertices.
    bucket_of_range: Vec<u16>,
    range_bits: u32,
}

impl Cut {
    fn new(graph: &OrientedGraph, chunk: u64) -> Cut {
        let vertices = graph.vertex_of_rank.as_slice();
        let range_bits = vertices.len().div_ceil(MAX_RANGES).next_power_of_two().ilog2();
        let ranges = (vertices.len() >> range_bits) + 1;
        let sums = Spare::new();
        par::for_each(par::blocks(vertices.len(), SAMPLED << 8), |rows| {
            sums.with(
                || vec![0u64; ranges],
                |sizes| {
                    for u in rows.step_by(SAMPLED) {
                        for &head in graph.row(u as u32) {
                            let smaller = vertices[u].min(vertices[head as usize]);
                            sizes[(smaller >> range_bits) as usize] += 1;
                        }
                    }
                },
            );
        });
        let mut sizes = vec![0u64; ranges];
        for of_tasks in sums.into_values() {
            sizes.iter_mut().zip(of_tasks).for_each(|(sum, size)| *sum += size);
        }
        let sampled: u64 = sizes.iter().sum();
        let buckets = graph.edges().div_ceil(chunk).clamp(1, MAX_BUCKETS);
        let most = sampled.div_ceil(buckets).max(1);
        let (mut firsts, mut bucket_of_range) = (Vec::new(), Vec::with_capacity(ranges));
        let mut filled = most;
        for (range, size) in sizes.into_iter().enumerate() {
            // At most one bucket for each multiple of `most` that the sum passes, and the first.
            if filled >= most {
                firsts.push((range << range_bits) as u32);
                filled = 0;
            }
            bucket_of_range.push((firsts.len() - 1) as u16);
            filled += size;
        }
        Cut { firsts, bucket_of_range, range_bits }
    }

    #[inline(always)]
    fn bucket_of(&self, smaller: u32) -> usize {
        self.bucket_of_range[(smaller >> self.range_bits) as usize].into()
    }
}

/// Puts `edges` into groups, one after another, each in the order in which they come. `starts`, of zeros and one longer than
/// there are groups, becomes where each begins, and the end.
#[inline(always)]
fn group(
    edges: &[Numbered],
    to: &mut [Numbered],
    starts: &mut [u32],
    group: impl Fn(&Numbered) -> usize,
) {
    for edge in edges {
        starts[group(edge)] += 1;
    }
    let mut end = 0;
    for start in &mut *starts {
        end += *start;
        *start = end;
    }
    // Each start stands at its group's end now and comes down to where it belongs.
    for edge in edges.iter().rev() {
        let start = &mut starts[group(edge)];
        *start -= 1;
        to[*start as usize] = *edge;
    }
}

/// Memory in which buckets are sorted.
#[derive(Default)]
struct Sorter {
    edges: [Vec<Numbered>; 2],
    counters: Vec<usize>,
}

impl Sorter {
    /// Sorts the edges of a bucket, whose smaller vertices are `first` or later.
    fn sort<'a>(
        &mut self,
        pieces: impl Iterator<Item = &'a [Numbered]>,
        first: u32,
        edges: &mut [[u32; 2]],
        values: &mut [u32],
    ) {
        let [from, to] = &mut self.edges;
        from.clear();
        let mut all = [0u32; 2];
        for piece in pieces {
            from.extend_from_slice(piece);
            for &[u, v, _] in piece {
                all[0] |= u - first;
                all[1] |= v;
            }
        }
        let mut put = |place: usize, [u, v, value]: Numbered| {
            edges[place] = [u, v];
            values[place] = value;
        };
        if from.len() < MIN_EDGES {
            from.sort_unstable();
            from.iter().enumerate().for_each(|(place, &edge)| put(place, edge));
            return;
        }
        to.resize(from.len(), [0; 3]);
        // The digits of the larger vertex, then those of the smaller.
        let [smaller, larger] = all.map(|bits| u32::BITS - bits.leading_zeros());
        let bits = smaller + larger;
        let digits = bits.div_ceil(DIGIT_BITS).max(1);
        let digit_bits = bits.div_ceil(digits);
        let key = |[u, v, _]: Numbered| u64::from(u - first) << larger | u64::from(v);
        for digit in 0..digits {
            let shift = digit * digit_bits;
            let digit_of = |edge: Numbered| (key(edge) >> shift) as usize & ((1 << digit_bits) - 1);
            self.counters.clear();
            self.counters.resize(1 << digit_bits, 0);
            let counters = self.counters.as_mut_slice();
            from.iter().for_each(|&edge| counters[digit_of(edge)] += 1);
            let mut start = 0;
            for counter in &mut *counters {
                start += std::mem::replace(counter, start);
            }
            let mut place = |edge: Numbered| {
                let counter = &mut counters[digit_of(edge)];
                *counter += 1;
                *counter - 1
            };
            if digit + 1 == digits {
                from.iter().for_each(|&edge| put(place(edge), edge));
            } else {
                from.iter().for_each(|&edge| to[place(edge)] = edge);
                std::mem::swap(from, to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    /// Checks the order of every third edge but one, in chunks of many sizes.
    fn check(graph: &OrientedGraph, chunks: &[u64]) {
        let mut expected = BTreeMap::new();
        let mut place = 0u32;
        for u in 0..graph.vertices() as u32 {
            for &head in graph.row(u) {
                let mut edge = [u, head].map(|rank| graph.vertex_of_rank[rank as usize]);
                edge.sort_unstable();
                if place % 3 != 1 {
                    expected.insert(edge, u32::MAX - place);
                }
                place += 1;
            }
        }
        for &chunk in chunks {
            let value = |place: usize| u32::MAX - place as u32;
            let keep = |place: usize| place % 3 != 1;
            let (edges, values) = in_chunks(graph, value, keep, chunk, &Context::silent()).unwrap();
            assert_eq!(edges, Vec::from_iter(expected.keys().copied()), "chunks of {chunk}");
            assert_eq!(values, Vec::from_iter(expected.values().copied()), "chunks of {chunk}");
        }
    }

    #[test]
    fn edges_with_vertices_of_many_digits_are_sorted() {
        let mut random = fastrand::Rng::with_seed(5);
        // Vertices anywhere below 2 to the power of 20, some of them hubs, whose edges overfill a bucket.
        let mut edges: Vec<[u32; 2]> =
            (0..6000).map(|_| [random.u32(..1 << 20), random.u32(..1 << 20)]).collect();
        edges.extend((0..3000).map(|_| [7, random.u32(..1 << 20)]));
        edges.extend((0..3000).map(|_| [(1 << 20) - 1, random.u32(..1 << 20)]));
        check(&prepare(&edges, 1 << 20).oriented, &[1, 100, 1 << 10, CHUNK]);
        // Few vertices: one digit.
        let edges: Vec<[u32; 2]> = (0..40).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        check(&prepare(&edges, 40).oriented, &[1, 100, CHUNK]);
    }

    #[test]
    fn no_edges_are_no_values() {
        check(&prepare(&[], 0).oriented, &[CHUNK]);
        check(&prepare(&[[3, 3]], 9).oriented, &[CHUNK]);
        check(&OrientedGraph::default(), &[CHUNK]);
    }

    proptest! {
        #[test]
        fn kept_edges_are_ordered_in_chunks_of_any_size(
            edges in prop::collection::vec(prop::array::uniform2(0u32..100), 0..1500),
            chunk in 1u64..2000,
        ) {
            check(&prepare(&edges, 100).oriented, &[chunk]);
        }
    }
}
