//! From the ids of a file to the vertices `0..bound` of a [`Graph`].

use rayon::prelude::*;

use super::entries::Id;
use super::input::Input;
use crate::{Graph, Result, VertexIds};

/// The largest number of distinct vertices.
pub(super) const MOST_VERTICES: u64 = u32::MAX as u64 - 1;

/// Whether arrays of `bound` vertices are out of proportion to the number of entries.
fn is_wasteful(bound: u64, entries: usize) -> bool {
    bound > 8 * entries as u64 + (1 << 20)
}

/// The graph of `edges`, whose largest id is `max`.
///
/// `declared` is the number of vertices that a format with ids from 1 declares; its edges hold
/// `id - 1`. Without it ids are taken as they stand.
pub(super) fn graph<T: Id>(
    input: &Input,
    edges: Vec<[T; 2]>,
    max: u64,
    declared: Option<u64>,
) -> Result<Graph> {
    let entries = edges.len();
    // Without edges there is no largest id.
    let bound = declared.unwrap_or(if entries == 0 { 0 } else { max.saturating_add(1) });
    if bound > MOST_VERTICES || is_wasteful(bound, entries) {
        return compact(input, edges, u64::from(declared.is_some()), MOST_VERTICES);
    }
    // `bound` is at most 2^32-2 here.
    let bound = bound as u32;
    let ids = match declared {
        Some(_) => VertexIds::OneBased { bound },
        None => VertexIds::Identity { bound },
    };
    Ok(Graph::from_parts(T::narrow(edges), ids, input.name.into()))
}

/// Numbers the ids that occur in ascending order, in O(m log m) for m entries.
fn compact<T: Id>(input: &Input, edges: Vec<[T; 2]>, first: u64, most: u64) -> Result<Graph> {
    let mut table = edges.as_flattened().to_vec();
    table.par_sort_unstable();
    table.dedup();
    if table.len() as u64 > most {
        return Err(input.error(format!(
            "{} distinct vertices: at most {most} (2^32-2) can be counted, split the graph into \
             its connected components",
            table.len()
        )));
    }
    // Every id is in the table, and its index is below 2^32-2.
    let vertex = |id| table.partition_point(|&other| other < id) as u32;
    let edges = edges.into_par_iter().map(|pair| pair.map(vertex)).collect();
    let table = table.into_par_iter().map(|id| id.into() + first).collect();
    Ok(Graph::from_parts(edges, VertexIds::Table(table), input.name.into()))
}

#[cfg(test)]
mod tests {
    use super::super::oracle;
    use super::*;

    fn ids_of(edges: Vec<[u64; 2]>, declared: Option<u64>) -> Graph {
        let max = edges.iter().flatten().copied().max().unwrap_or(0);
        oracle::with_chunk(b"", 1, |input| graph(input, edges, max, declared)).unwrap()
    }

    #[test]
    fn ids_stay_up_to_the_documented_bound() {
        // One entry: 8 + 2^20 vertex indexes are in proportion, one more is not.
        let limit = 8 + (1 << 20);
        let kept = ids_of(vec![[0, limit - 1]], None);
        assert_eq!(kept.ids(), &VertexIds::Identity { bound: limit as u32 });
        assert_eq!(kept.edges(), [[0, limit as u32 - 1]]);
        let compacted = ids_of(vec![[0, limit]], None);
        assert_eq!(compacted.ids(), &VertexIds::Table(vec![0, limit]));
        assert_eq!(compacted.edges(), [[0, 1]]);
    }

    #[test]
    fn declared_vertices_count_and_are_called_from_one() {
        let kept = ids_of(vec![[0, 3]], Some(9));
        assert_eq!(kept.ids(), &VertexIds::OneBased { bound: 9 });
        assert_eq!(kept.ids().original(3), 4);
        let compacted = ids_of(vec![[0, 3]], Some(u64::MAX));
        assert_eq!(compacted.ids(), &VertexIds::Table(vec![1, 4]));
    }

    #[test]
    fn the_largest_ids() {
        let graph = ids_of(vec![[u64::MAX, 7], [u64::MAX - 1, u64::MAX]], None);
        assert_eq!(graph.ids(), &VertexIds::Table(vec![7, u64::MAX - 1, u64::MAX]));
        assert_eq!(graph.edges(), [[2, 0], [1, 2]]);
        assert_eq!(graph.name(), "test");
    }

    #[test]
    fn no_edges_no_vertices() {
        assert_eq!(ids_of(vec![], None).vertex_bound(), 0);
        assert_eq!(ids_of(vec![], Some(5)).vertex_bound(), 5);
    }

    #[test]
    fn too_many_vertices() {
        let edges = vec![[0u64, 1], [2, 3]];
        let error = oracle::with_chunk(b"", 1, |input| compact(input, edges, 0, 3)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "test: 4 distinct vertices: at most 3 (2^32-2) can be counted, split the graph into its \
             connected components"
        );
    }
}
