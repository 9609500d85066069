//! From the ids of a file to the vertices `0..bound` of a [`Graph`].

use crate::control::memory::{self, NoMemory};
use crate::{Error, Graph, Message, Result, VertexIds};
use tribin_base::par;

/// The largest number of distinct vertices.
pub const MOST_VERTICES: u64 = u32::MAX as u64 - 1;

/// Edges whose ids one task sorts.
const BLOCK: usize = 1 << 16;

/// Whether arrays of `bound` vertices are out of proportion to the number of entries.
pub fn is_wasteful(bound: u64, entries: usize) -> bool {
    bound > 8 * entries as u64 + (1 << 20)
}

/// One more than the largest id, where ids are kept: arrays of that length are in proportion to the `entries`.
/// `None` where the ids are numbered anew.
pub fn kept_bound(max: u64, entries: u64) -> Option<u32> {
    let bound = max.checked_add(1)?;
    let kept = bound <= MOST_VERTICES && !is_wasteful(bound, entries as usize);
    kept.then_some(bound as u32)
}

/// The number of vertices, where there may be as many.
pub fn checked_bound(vertices: u64) -> Option<u32> {
    (vertices <= MOST_VERTICES).then_some(vertices as u32)
}

/// The graph of `edges`, whose largest id is `max`.
///
/// `declared` is the number of vertices that a format with ids from 1 declares; its edges hold
/// `id - 1`. Without it ids are taken as they stand.
pub fn graph(name: &str, edges: Vec<[u32; 2]>, max: u64, declared: Option<u64>) -> Result<Graph> {
    let entries = edges.len();
    // Without edges there is no largest id.
    let bound = declared.unwrap_or(if entries == 0 { 0 } else { max.saturating_add(1) });
    if bound > MOST_VERTICES || is_wasteful(bound, entries) {
        return compact(name, edges, declared);
    }
    // `bound` is at most 2^32-2 here.
    let bound = bound as u32;
    Ok(match declared {
        Some(vertices) => {
            let ids = VertexIds::OneBased { bound };
            Graph::from_parts(edges, ids, name.into()).declaring(vertices)
        }
        None => Graph::from_parts(edges, VertexIds::Identity { bound }, name.into()),
    })
}

/// The graph of `edges` in a format that numbers its `vertices` from 0.
pub fn indexed(name: &str, edges: Vec<[u32; 2]>, vertices: u64) -> Result<Graph> {
    if vertices > MOST_VERTICES || is_wasteful(vertices, edges.len()) {
        return Ok(compact(name, edges, None)?.declaring(vertices));
    }
    let ids = VertexIds::Identity { bound: vertices as u32 };
    Ok(Graph::from_parts(edges, ids, name.into()).declaring(vertices))
}

/// Numbers the ids that occur in ascending order, in O(m log m) for m entries. The file's ids are larger by 1 where
/// vertices are `declared`.
fn compact(name: &str, mut edges: Vec<[u32; 2]>, declared: Option<u64>) -> Result<Graph> {
    let table = merged(name, par::try_map(edges.chunks(BLOCK), distinct), MOST_VERTICES)?;
    let index = Index::new(&table).map_err(|refused| memory::none_for(name, refused))?;
    par::for_each(edges.chunks_mut(BLOCK), |edges| {
        edges.iter_mut().for_each(|pair| *pair = pair.map(|id| index.vertex(id)));
    });
    drop(index);
    named(name, edges, table, declared)
}

/// The graph of edges with ids of 64 bits, in parts that follow one another: ids are numbered as by
/// [`graph`](fn@graph) where they have gaps.
pub fn wide(name: &str, parts: Vec<Vec<[u64; 2]>>, declared: Option<u64>) -> Result<Graph> {
    let blocks = parts.iter().flat_map(|part| part.chunks(BLOCK));
    let table = merged(name, par::try_map(blocks, distinct), MOST_VERTICES)?;
    let index = Index::new(&table).map_err(|refused| memory::none_for(name, refused))?;
    let no_memory = |refused| memory::none_for(name, refused);
    // Each part goes when it is numbered.
    let parts = par::try_map(parts, |part| -> std::result::Result<Vec<[u32; 2]>, NoMemory> {
        let mut numbered = memory::with_capacity(part.len())?;
        numbered.extend(part.into_iter().map(|ids| ids.map(|id| index.vertex(id))));
        Ok(numbered)
    });
    let parts = parts.map_err(no_memory)?;
    let entries = parts.iter().map(Vec::len).sum();
    let mut edges = memory::with_capacity(entries).map_err(no_memory)?;
    parts.into_iter().for_each(|part| edges.extend(part));
    drop(index);
    named(name, edges, table, declared)
}

fn named<T: Copy + Into<u64> + Send + Sync>(
    name: &str,
    edges: Vec<[u32; 2]>,
    table: Vec<T>,
    declared: Option<u64>,
) -> Result<Graph> {
    let first = u64::from(declared.is_some());
    let mut ids = memory::zeroed(table.len()).map_err(|refused| memory::none_for(name, refused))?;
    par::fill(&mut ids, |index| table[index].into() + first);
    let graph = Graph::from_parts(edges, VertexIds::Table(ids), name.into());
    Ok(declared.into_iter().fold(graph, Graph::declaring))
}

/// The ids of some edges, ascending. Tables of parts are merged because a whole file's ids, before they are
/// sorted, may be far more than those that are distinct.
fn distinct<T: Copy + Ord>(edges: &[[T; 2]]) -> std::result::Result<Vec<T>, NoMemory> {
    let ids = edges.as_flattened();
    let mut table = memory::with_capacity(ids.len())?;
    table.extend_from_slice(ids);
    table.sort_unstable();
    table.dedup();
    table.shrink_to_fit();
    Ok(table)
}

/// One ascending table of several, of at most `most` ids.
fn merged<T: Copy + Ord + Send>(
    name: &str,
    tables: std::result::Result<Vec<Vec<T>>, NoMemory>,
    most: u64,
) -> Result<Vec<T>> {
    let tables = tables.map_err(|refused| memory::none_for(name, refused))?;
    let ids = tables.iter().map(Vec::len).sum();
    let mut merged =
        memory::with_capacity(ids).map_err(|refused| memory::none_for(name, refused))?;
    tables.into_iter().for_each(|table| merged.extend(table));
    par::sort_unstable(&mut merged);
    merged.dedup();
    if merged.len() as u64 > most {
        return Err(Error::of_input(
            name,
            format!(
                "{} distinct vertices: at most {most} (2^32-2) can be counted, split the graph into \
             its connected components",
                merged.len()
            ),
        ));
    }
    Ok(merged)
}

/// Finds ids in an ascending table: about as many buckets of equal width as ids, and binary search
/// in the bucket. Ids that are spread evenly, as hashes are, take constant time.
pub struct Index<'a, T> {
    table: &'a [T],
    first: u64,
    shift: u32,
    /// Where each bucket begins in the table, and the table's end.
    starts: Vec<u32>,
}

impl<'a, T: Copy + Ord + Into<u64>> Index<'a, T> {
    /// An index of a table. O(n).
    ///
    /// # Errors
    /// Where there is no memory: about 4 bytes for each id.
    pub fn new(table: &'a [T]) -> std::result::Result<Index<'a, T>, NoMemory> {
        let first = table.first().map_or(0, |&id| id.into());
        let span = table.last().map_or(0, |&id| id.into() - first);
        let shift = (u64::BITS - span.leading_zeros())
            .saturating_sub(table.len().checked_ilog2().unwrap_or(0));
        // The shift leaves log2(n) bits of the span: at most n buckets. A span of 64 bits has two ids
        // at least, so the shift is below 64.
        let buckets = ((span >> shift) + 1) as usize;
        let mut starts = memory::with_capacity(buckets + 1)?;
        for (at, &id) in table.iter().enumerate() {
            let bucket = ((id.into() - first) >> shift) as usize;
            starts.resize(bucket + 1, at as u32);
        }
        starts.resize(buckets + 1, table.len() as u32);
        Ok(Index { table, first, shift, starts })
    }

    /// The position of an id that the table holds. It is below 2^32-2, as the table's length is.
    #[inline]
    pub fn vertex(&self, id: T) -> u32 {
        let bucket = ((id.into() - self.first) >> self.shift) as usize;
        let (start, end) = (self.starts[bucket], self.starts[bucket + 1]);
        let within = &self.table[start as usize..end as usize];
        start + within.partition_point(|&other| other < id) as u32
    }
}

/// The message for a negative integer.
pub fn negative(value: impl std::fmt::Display) -> Message {
    format!("the vertex id {value} is negative (ids are integers from 0 on, renumber the vertices)")
        .into()
}

/// A floating-point number as an id.
pub fn of_float(value: f64) -> Result<u64, Message> {
    const EXACT: f64 = (1u64 << 53) as f64;
    if value.is_nan() {
        return Err(missing());
    }
    if value < 0.0 {
        return Err(negative(value));
    }
    match value.fract() == 0.0 && value <= EXACT {
        true => Ok(value as u64),
        false => Err(format!(
            "{value} is no vertex id (floats are ids if they are whole and at most 2^53)"
        )
        .into()),
    }
}

/// The message for a value that is missing.
pub fn missing() -> Message {
    "a value is missing (leave out rows without an end, as `df.dropna` does)".into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::edge_source::LARGEST;

    fn ids_of(edges: Vec<[u64; 2]>, declared: Option<u64>) -> Graph {
        let max = edges.iter().flatten().copied().max().unwrap_or(0);
        let read = || match max > LARGEST {
            true => wide("test", vec![edges], None),
            false => {
                let edges = edges.iter().map(|pair| pair.map(|id| id as u32)).collect();
                graph("test", edges, max, declared)
            }
        };
        read().unwrap()
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
        assert_eq!(kept.ids().number(3), 4);
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

    proptest! {
        #[test]
        fn every_id_finds_its_place(
            bits in 1u32..=64,
            numbers in prop::collection::vec(any::<u64>(), 1..200),
        ) {
            let mut table: Vec<u64> = numbers.iter().map(|id| id >> (64 - bits)).collect();
            table.sort_unstable();
            table.dedup();
            let index = Index::new(&table).unwrap();
            for (at, &id) in table.iter().enumerate() {
                prop_assert_eq!(index.vertex(id), at as u32);
            }
        }
    }

    #[test]
    fn no_edges_no_vertices() {
        assert_eq!(ids_of(vec![], None).vertex_bound(), 0);
        assert_eq!(ids_of(vec![], Some(5)).vertex_bound(), 5);
    }

    #[test]
    fn too_many_vertices() {
        let tables = || Ok(vec![vec![0u64, 1], vec![1, 2, 3]]);
        let error = merged("test", tables(), 3).unwrap_err();
        assert_eq!(
            error.to_string(),
            "test: 4 distinct vertices: at most 3 (2^32-2) can be counted, split the graph into its \
             connected components"
        );
    }
}
