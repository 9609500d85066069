//! What the edges of each rank make together, by all threads.

use crate::graph::OrientedGraph;
use tribin_base::par;

/// Entries of a row that is long enough for a search.
const LONG: usize = 48;

/// Edges that are looked at to cut the ranks into parts.
const SAMPLES: usize = 1 << 12;

/// The sum at each rank of what its edges add. `at_tail` adds the edges that lead from it, by place. Then `at_head` adds those that
/// lead to it, in the order of their tails.
///
/// Each rank is one thread's, so that the order does not depend on how many there are, and no addition waits for another.
/// O(n + m) work, and O(n) more for each thread.
pub fn of_edges<T: Clone + Default + Send>(
    graph: &OrientedGraph,
    at_tail: impl Fn(&mut T, usize) + Sync,
    at_head: impl Fn(&mut T, usize) + Sync,
) -> Vec<T> {
    in_parts(graph, par::threads(), at_tail, at_head)
}

/// The neighbours of each rank, as [`of_edges`].
pub fn degrees(graph: &OrientedGraph) -> Vec<u32> {
    of_edges(graph, |degree, _| *degree += 1, |degree, _| *degree += 1)
}

/// The work of [`of_edges`], with the ranks in at most `parts` parts.
fn in_parts<T: Clone + Default + Send>(
    graph: &OrientedGraph,
    parts: usize,
    at_tail: impl Fn(&mut T, usize) + Sync,
    at_head: impl Fn(&mut T, usize) + Sync,
) -> Vec<T> {
    let mut made = vec![T::default(); graph.vertices()];
    let (mut first, mut rest, mut cut) = (0, made.as_mut_slice(), Vec::new());
    for end in ends_of_parts(graph, parts) {
        cut.push((first, rest.split_off_mut(..end - first).expect("ends ascend")));
        first = end;
    }
    par::for_each(cut, |(first, part)| {
        let ranks = first as u32..(first + part.len()) as u32;
        for tail in first..graph.vertices() {
            let start = graph.offsets[tail] as usize;
            let row = graph.row(tail as u32);
            if let Some(own) = part.get_mut(tail - first) {
                (start..start + row.len()).for_each(|place| at_tail(own, place));
            }
            // Where a long row has the part's ranks is looked up; a short one is sooner gone through.
            let from = match row.len() > LONG {
                true => row.partition_point(|&head| head < ranks.start),
                false => 0,
            };
            for (place, &head) in (start + from..).zip(&row[from..]) {
                if head >= ranks.end {
                    break;
                }
                if let Some(made) = part.get_mut((head as usize).wrapping_sub(first)) {
                    at_head(made, place);
                }
            }
        }
    });
    made
}

/// The end of each part, where the ranks are cut into at most `parts`. The last end is the number of ranks. About equally
/// many edges lead to each part, by a sample of the edges.
fn ends_of_parts(graph: &OrientedGraph, parts: usize) -> Vec<usize> {
    let samples = SAMPLES.min(graph.heads.len());
    let mut heads: Vec<u32> =
        (0..samples).map(|i| graph.heads[i * graph.heads.len() / samples]).collect();
    heads.sort_unstable();
    let inner = (1..parts).filter_map(|part| heads.get(part * samples / parts));
    let mut ends: Vec<usize> = inner.map(|&head| head as usize + 1).collect();
    ends.push(graph.vertices());
    ends.dedup();
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    proptest! {
        /// Each edge is added at both its ends, in the order of the places, whatever the number of parts.
        #[test]
        fn any_number_of_parts_adds_every_edge_at_both_ends(
            edges in prop::collection::vec(prop::array::uniform2(0u32..80), 0..4_000),
            parts in 1usize..9,
        ) {
            let graph = prepare(&edges, 80).oriented;
            let (mut from, mut to) = (vec![Vec::new(); 80], vec![Vec::new(); 80]);
            for (tail, ends) in graph.offsets.windows(2).enumerate() {
                for place in ends[0] as usize..ends[1] as usize {
                    from[tail].push((place, true));
                    to[graph.heads[place] as usize].push((place, false));
                }
            }
            let expected: Vec<_> = from.into_iter().zip(to).map(|(a, b)| [a, b].concat()).collect();
            let found = in_parts(
                &graph,
                parts,
                |places: &mut Vec<_>, place| places.push((place, true)),
                |places, place| places.push((place, false)),
            );
            prop_assert_eq!(&found[..], &expected[..found.len()]);
            prop_assert_eq!(found.len(), graph.vertices());
        }
    }
}
