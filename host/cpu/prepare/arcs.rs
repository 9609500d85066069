//! From entries to the directions and weights of the edges of an oriented graph.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::control::Context;
use crate::graph::{DOWN, Directions, OrientedGraph, UP, Weights};
use crate::{Error, Graph, Message, Result, hint};
use tribin_base::par;

/// Entries that one task looks up.
const CHUNK: usize = 1 << 16;

/// Finds the place of an entry's edge in the rows.
struct EdgePlaces<'g> {
    oriented: &'g OrientedGraph,
    rank_of_vertex: Vec<u32>,
}

/// An arc of the oriented graph.
struct PlacedArc {
    /// The place of its edge.
    place: usize,
    /// [`UP`] or [`DOWN`].
    direction: u8,
}

impl<'g> EdgePlaces<'g> {
    /// O(n), 4 bytes for each vertex.
    fn new(oriented: &'g OrientedGraph) -> EdgePlaces<'g> {
        let mut rank_of_vertex = vec![0; oriented.vertices()];
        for (&vertex, rank) in oriented.vertex_of_rank().iter().zip(0..) {
            rank_of_vertex[vertex as usize] = rank;
        }
        EdgePlaces { oriented, rank_of_vertex }
    }

    /// The arc of an entry; `None` of a self-loop. O(log d) for rows of d entries.
    fn find(&self, [from, to]: [u32; 2]) -> Option<PlacedArc> {
        let [from, to] = [from, to].map(|vertex| self.rank_of_vertex[vertex as usize]);
        let (tail, head) = (from.max(to), from.min(to));
        if tail == head {
            return None;
        }
        let within = self.oriented.row(tail).binary_search(&head);
        let within = within.expect("the rows were made of these entries");
        let place = self.oriented.offsets[tail as usize] as usize + within;
        Some(PlacedArc { place, direction: if from == tail { DOWN } else { UP } })
    }
}

/// The directions of the edges of `oriented`, which was made of the entries of `graph`. O(m log d) work; beside
/// the result 4 bytes for each vertex.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn directions(
    graph: &Graph,
    oriented: &OrientedGraph,
    context: &Context,
) -> Result<Directions> {
    let places = EdgePlaces::new(oriented);
    let bits: Vec<AtomicU8> =
        vec![0; oriented.heads.len()].into_iter().map(AtomicU8::new).collect();
    let both = if graph.has_both_directions() { DOWN | UP } else { 0 };
    context.work().begin(graph.edges().len() as u64);
    let loops = par::try_map(graph.edges().chunks(CHUNK), |entries| -> Result<Vec<u32>> {
        context.cancel().check()?;
        let mut loops = Vec::new();
        for &entry in entries {
            match places.find(entry) {
                Some(arc) => _ = bits[arc.place].fetch_or(arc.direction | both, Relaxed),
                None => loops.push(entry[0]),
            }
        }
        context.work().add(entries.len() as u64);
        Ok(loops)
    })?;
    let mut loops = loops.concat();
    loops.sort_unstable();
    loops.dedup();
    Ok(Directions { bits: bits.into_iter().map(AtomicU8::into_inner).collect(), loops })
}

/// No entry.
const NOWHERE: u64 = u64::MAX;

/// The weights of the edges of `oriented`, which was made of the entries of `graph`; with `directed`, those of
/// the arcs. They are joined in the order of the entries, whatever the number of threads. O(m log d) work; beside
/// the result 9 bytes for each entry and 4 for each vertex.
///
/// # Errors
/// [`Error::Input`] where the graph has no weights, or weights of duplicates differ and must not;
/// [`Error::Cancelled`].
pub fn weights(
    graph: &Graph,
    oriented: &OrientedGraph,
    directed: bool,
    context: &Context,
) -> Result<Weights> {
    let fault = |message: Message| {
        let file = if graph.name().is_empty() { "(memory)" } else { graph.name() };
        Error::Input { file: file.into(), message }
    };
    let duplicates = graph.duplicates();
    let Some(weights) = graph.weights() else {
        // Nobody comes here without this flag.
        let hint = ", although `--weight` asks for them: tables, Matrix Market, METIS, DIMACS and .npz files can have weights";
        return Err(fault(Message::from("no weights were read").with_hint(hint)));
    };
    let places = EdgePlaces::new(oriented);
    let sides = if directed { 2 } else { 1 };
    context.work().begin(graph.edges().len() as u64);
    // The word of an edge, or of an arc: the place, and the side.
    let word = |entry| match places.find(entry) {
        Some(arc) if directed => 2 * arc.place as u64 + u64::from(arc.direction == UP),
        Some(arc) => arc.place as u64,
        None => NOWHERE,
    };
    let words = par::try_map(graph.edges().chunks(CHUNK), |entries| -> Result<Vec<u64>> {
        context.cancel().check()?;
        context.work().add(entries.len() as u64);
        Ok(entries.iter().map(|&entry| word(entry)).collect())
    })?;

    let differ = |entry: usize, first: f64| {
        let [u, v] = graph.edges()[entry].map(|vertex| graph.ids().id(vertex));
        let (joins, second) = (if directed { "→" } else { "–" }, weights[entry]);
        fault(
            Message::from(format!("the edge {u} {joins} {v} has the weights {first} and {second}"))
                .with_hint(hint::DUPLICATES),
        )
    };
    // Weights are finite, so that this is none.
    let mut values = vec![f64::NAN; sides * oriented.heads.len()];
    let mut loops: Vec<(u32, usize)> = Vec::new();
    for (entry, &word) in words.iter().flatten().enumerate() {
        if word == NOWHERE {
            loops.push((graph.edges()[entry][0], entry));
            continue;
        }
        let mirrored = directed && graph.has_both_directions();
        for word in [Some(word), mirrored.then_some(word ^ 1)].into_iter().flatten() {
            let value = &mut values[word as usize];
            *value = match value.is_nan() {
                true => weights[entry],
                false => {
                    duplicates.join(*value, weights[entry]).ok_or_else(|| differ(entry, *value))?
                }
            };
        }
    }
    drop(words);
    // Those that are no number are left out.
    let greatest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut largest = greatest(&par::map(values.chunks(CHUNK), greatest));
    // Stable: the entries of each vertex stay in their order.
    loops.sort_by_key(|&(vertex, _)| vertex);
    for entries in loops.chunk_by(|a, b| a.0 == b.0) {
        let mut weight = weights[entries[0].1];
        for &(_, entry) in &entries[1..] {
            weight =
                duplicates.join(weight, weights[entry]).ok_or_else(|| differ(entry, weight))?;
        }
        largest = largest.max(weight);
    }
    let infinite = par::map(values.chunks_mut(CHUNK), |values| {
        values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = 0.0);
        values.iter().any(|value| value.is_infinite())
    });
    if infinite.contains(&true) || largest == f64::INFINITY {
        return Err(fault("the sum of the weights of an edge is too large for a double".into()));
    }
    Ok(Weights { values, largest: if largest == f64::NEG_INFINITY { 0.0 } else { largest } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::prepare;
    use tribin_graph::Duplicates;

    fn graph(entries: &[([u32; 2], f64)]) -> Graph {
        let weights = entries.iter().map(|entry| entry.1).collect();
        Graph::from_edges(entries.iter().map(|entry| entry.0)).with_weights(weights).unwrap()
    }

    fn found(entries: &[([u32; 2], f64)], directed: bool, rule: Duplicates) -> Result<Weights> {
        let graph = graph(entries).with_duplicates(rule);
        let oriented = prepare(graph.edges(), graph.vertex_bound()).oriented;
        weights(&graph, &oriented, directed, &Context::silent())
    }

    #[test]
    fn duplicates_are_joined_as_was_asked_for() {
        // Rank 0 is vertex 0 and rank 1 vertex 1, so that 1 → 0 leads down.
        let entries = [([0, 1], 2.0), ([1, 0], 3.0), ([0, 1], 5.0), ([1, 1], 9.0)];
        let values = |directed, rule| found(&entries, directed, rule).unwrap().values;
        assert_eq!(values(false, Duplicates::Sum), [10.0]);
        assert_eq!(values(false, Duplicates::Last), [5.0]);
        assert_eq!(values(true, Duplicates::Sum), [3.0, 7.0]);
        assert_eq!(values(true, Duplicates::Last), [3.0, 5.0]);
        assert_eq!(found(&entries, true, Duplicates::Last).unwrap().largest, 9.0);
        let equal = |directed| found(&entries, directed, Duplicates::Equal).unwrap_err();
        let hint = ": say `duplicates sum` or `duplicates last`";
        assert_eq!(
            equal(false).to_string(),
            format!("(memory): the edge 1 – 0 has the weights 2 and 3{hint}")
        );
        assert_eq!(
            equal(true).to_string(),
            format!("(memory): the edge 0 → 1 has the weights 2 and 5{hint}")
        );
        let same = [([0, 1], 2.0), ([1, 0], 2.0), ([2, 2], 1.0), ([2, 2], 1.0)];
        assert_eq!(found(&same, false, Duplicates::Equal).unwrap().values, [2.0]);
        let loops = [([0, 1], 2.0), ([2, 2], 1.0), ([2, 2], 4.0)];
        assert!(found(&loops, false, Duplicates::Equal).is_err());
        assert_eq!(found(&loops, false, Duplicates::Sum).unwrap().largest, 5.0);
    }

    #[test]
    fn without_weights_and_too_large_ones() {
        let graph = Graph::from_edges([[0, 1]]);
        let oriented = prepare(graph.edges(), 2).oriented;
        let none = weights(&graph, &oriented, false, &Context::silent());
        assert!(none.unwrap_err().to_string().starts_with("(memory): no weights were read"));
        let huge = [([0, 1], f64::MAX), ([0, 1], f64::MAX)];
        let error = found(&huge, true, Duplicates::Sum).unwrap_err().to_string();
        assert!(error.ends_with("is too large for a double"), "{error}");
    }

    #[test]
    fn directions_are_those_of_the_entries() {
        let entries = [[0, 1], [1, 0], [2, 0], [1, 2], [2, 2], [2, 2], [1, 1]];
        let graph = Graph::from_edges(entries);
        let oriented = prepare(graph.edges(), 3).oriented;
        let found = directions(&graph, &oriented, &Context::silent()).unwrap();
        assert_eq!(found.loops, [1, 2]);
        for tail in 0..3 {
            let first = oriented.offsets[tail as usize] as usize;
            for (&head, place) in oriented.row(tail).iter().zip(first..) {
                let [t, h] = [tail, head].map(|rank| oriented.vertex_of_rank()[rank as usize]);
                let has = |entry: [u32; 2], bit| if entries.contains(&entry) { bit } else { 0 };
                assert_eq!(found.bits[place], has([t, h], DOWN) | has([h, t], UP));
            }
        }
        let undirected = graph.with_both_directions();
        let found = directions(&undirected, &oriented, &Context::silent()).unwrap();
        assert_eq!(found.bits, [DOWN | UP; 3]);
    }
}
