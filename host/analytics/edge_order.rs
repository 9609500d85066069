//! Edges brought from the order of the rows into the order of their vertices.
//!
//! The edges of each smaller vertex are counted. Then each edge is put at a free place of its smaller vertex, as a word of its larger
//! vertex and its number. At last the words of each vertex are sorted.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{OrientedGraph, by_edges};
use tribin_base::par;

/// Edges of a task.
const TASK: u64 = 1 << 15;

/// Pairs of vertices, and a number for each.
type Ordered = (Vec<[u32; 2]>, Vec<u32>);

/// The edges that `keep` holds on to, ascending, each with its `value`. Both are asked for places in the rows.
pub(super) fn in_order(
    graph: &OrientedGraph,
    value: impl Fn(usize) -> u32 + Sync,
    keep: impl Fn(usize) -> bool + Sync,
    context: &Context,
) -> Result<Ordered> {
    let vertices = graph.vertex_of_rank();
    let tasks = by_edges(&graph.offsets, TASK);
    // Calls `take` with the smaller vertex, the larger one and the place of each edge.
    let each = |take: &(dyn Fn(usize, u32, usize) + Sync)| {
        par::try_for_each(&tasks, |rows| {
            context.cancel().check()?;
            for u in rows.clone() {
                let (start, tail) = (graph.offsets[u as usize] as usize, vertices[u as usize]);
                let row = (start..).zip(graph.row(u));
                for (place, &head) in row.filter(|&(place, _)| keep(place)) {
                    let head = vertices[head as usize];
                    take(tail.min(head) as usize, tail.max(head), place);
                }
            }
            Ok::<(), crate::Error>(())
        })
    };
    // Where the next edge of each vertex goes: down from the end of its places.
    let mut next: Vec<AtomicU64> = memory::zeroed(vertices.len() + 1)?;
    each(&|vertex, _, _| _ = next[vertex].fetch_add(1, Relaxed))?;
    let mut total = 0;
    for next in &mut next {
        total += *next.get_mut();
        *next.get_mut() = total;
    }
    let words: Vec<AtomicU64> = memory::zeroed(total as usize)?;
    each(&|vertex, larger, place| {
        let to = next[vertex].fetch_sub(1, Relaxed) - 1;
        words[to as usize].store(u64::from(larger) << 32 | u64::from(value(place)), Relaxed);
    })?;
    let mut words: Vec<u64> = words.into_iter().map(AtomicU64::into_inner).collect();
    let starts: Vec<u64> = next.into_iter().map(AtomicU64::into_inner).collect();
    let length =
        |range: &Range<u32>| (starts[range.end as usize] - starts[range.start as usize]) as usize;
    let tasks = by_edges(&starts, TASK);
    let (mut edges, mut values) = (memory::zeroed(words.len())?, memory::zeroed(words.len())?);
    let words = par::cut(&mut words, tasks.iter().map(length));
    let edges_of = par::cut(&mut edges, tasks.iter().map(length));
    let values_of = par::cut(&mut values, tasks.iter().map(length));
    let rooms = words.into_iter().zip(edges_of).zip(values_of);
    par::try_for_each(tasks.iter().zip(rooms), |(range, ((words, edges), values))| {
        context.cancel().check()?;
        let mut at = 0;
        for vertex in range.clone() {
            let end = at + length(&(vertex..vertex + 1));
            words[at..end].sort_unstable();
            for place in at..end {
                edges[place] = [vertex, (words[place] >> 32) as u32];
                values[place] = words[place] as u32;
            }
            at = end;
        }
        Ok::<(), crate::Error>(())
    })?;
    Ok((edges, values))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    /// Checks the order of two edges of three.
    fn check(graph: &OrientedGraph) {
        let mut expected = BTreeMap::new();
        let mut place = 0u32;
        for u in 0..graph.vertices() as u32 {
            for &head in graph.row(u) {
                let mut edge = [u, head].map(|rank| graph.vertex_of_rank()[rank as usize]);
                edge.sort_unstable();
                if place % 3 != 1 {
                    expected.insert(edge, u32::MAX - place);
                }
                place += 1;
            }
        }
        let value = |place: usize| u32::MAX - place as u32;
        let keep = |place: usize| place % 3 != 1;
        let (edges, values) = in_order(graph, value, keep, &Context::silent()).unwrap();
        assert_eq!(edges, Vec::from_iter(expected.keys().copied()));
        assert_eq!(values, Vec::from_iter(expected.values().copied()));
    }

    #[test]
    fn hubs_and_vertices_anywhere_are_sorted() {
        let mut random = fastrand::Rng::with_seed(5);
        // Vertices anywhere below 2 to the power of 20, two of them hubs, whose edges are more than a task takes.
        let mut edges: Vec<[u32; 2]> =
            (0..60_000).map(|_| [random.u32(..1 << 20), random.u32(..1 << 20)]).collect();
        edges.extend((0..50_000).map(|_| [7, random.u32(..1 << 20)]));
        edges.extend((0..50_000).map(|_| [(1 << 20) - 1, random.u32(..1 << 20)]));
        check(&prepare(&edges, 1 << 20).oriented);
        // Few vertices.
        let edges: Vec<[u32; 2]> = (0..40).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        check(&prepare(&edges, 40).oriented);
    }

    #[test]
    fn no_edges_are_no_values() {
        check(&prepare(&[], 0).oriented);
        check(&prepare(&[[3, 3]], 9).oriented);
        check(&OrientedGraph::default());
    }

    proptest! {
        #[test]
        fn kept_edges_of_any_multigraph_are_ordered(
            edges in prop::collection::vec(prop::array::uniform2(0u32..100), 0..1500),
        ) {
            check(&prepare(&edges, 100).oriented);
        }
    }
}
