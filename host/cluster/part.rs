//! A group's edges as a graph that any engine counts, and what of its results belongs to which vertex and edge.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::colours::colour_of;
use super::cut::in_one;
use super::group::Group;
use crate::{Error, Graph, Result};
use tribin_base::control::memory::{self, NoMemory};
use tribin_base::par;
use tribin_graph::VertexIds;

/// Vertices of a group at most: two of them and a direction fit 64 bits.
const MOST_VERTICES: usize = 1 << 31;

/// A vertex of a group, and the triangles that the group has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VertexTriangles {
    /// The vertex.
    pub vertex: u32,
    /// The triangles.
    pub triangles: u64,
}

/// Figures of the edges that are at home in a group ([`Group::is_home`]): those of all groups add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Edges, each once.
    pub edges: u64,
    /// Entries that repeat an edge.
    pub duplicates: u64,
    /// Edges that were entered in both directions.
    pub reciprocal: u64,
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Figures) {
        self.edges += other.edges;
        self.duplicates += other.duplicates;
        self.reciprocal += other.reciprocal;
    }
}

/// Keys of entries, ascending: the smaller end, the larger one, and the direction. Self-loops are left out.
fn keys(entries: Vec<[u32; 2]>) -> Result<Vec<u64>, NoMemory> {
    const BLOCK: usize = 1 << 16;
    // No end is as large.
    const LOOP: u64 = u64::MAX;
    let mut keys: Vec<u64> = memory::zeroed(entries.len())?;
    par::for_each(keys.chunks_mut(BLOCK).zip(entries.chunks(BLOCK)), |(keys, entries)| {
        for (key, &[u, v]) in keys.iter_mut().zip(entries) {
            let ends = u64::from(u.min(v)) << 33 | u64::from(u.max(v)) << 1 | u64::from(u > v);
            *key = if u == v { LOOP } else { ends };
        }
    });
    drop(entries);
    par::sort_unstable(&mut keys);
    keys.truncate(keys.partition_point(|&key| key != LOOP));
    Ok(keys)
}

/// Parts of ascending keys, several for each thread, each with all entries of its edges.
fn between_edges(keys: &[u64]) -> Vec<&[u64]> {
    let size = keys.len().div_ceil(4 * par::threads()).max(1);
    let (mut rest, mut parts) = (keys, Vec::new());
    while !rest.is_empty() {
        let last = rest[size.min(rest.len()) - 1] >> 1;
        let (part, after) = rest.split_at(rest.partition_point(|key| key >> 1 <= last));
        parts.push(part);
        rest = after;
    }
    parts
}

/// The edges of a group.
pub struct Part {
    graph: Graph,
    /// The group's vertices: those of the graph from here on are doubles of the first.
    ids: VertexIds,
    colours: Vec<u8>,
    group: Group,
    figures: Figures,
    degrees: Vec<u32>,
}

impl Part {
    /// The edges of a group, of a graph that has them, and no edge that the group does not take. `seed` is that of the
    /// colours. O(m log m).
    ///
    /// # Errors
    /// Where there is no memory, and for more than 2³¹ vertices.
    pub fn new(graph: Graph, group: &Group, seed: u64) -> Result<Part> {
        let colours =
            par::tabulate(graph.ids().bound(), |v| colour_of(graph.ids().id(v as u32), seed));
        let (mut entries, ids, name) = graph.into_parts();
        let refused = |refused| memory::none_for(&name, refused);
        let (mut figures, mut degrees) = (Figures::default(), Vec::new());
        if let Some((a, third)) = group.pair() {
            if colours.len() > MOST_VERTICES {
                let message = "a group has more than 2147483648 vertices: ask for smaller groups";
                return Err(Error::of_input(&name, message.to_owned()));
            }
            let keys = keys(entries).map_err(refused)?;
            let told: Vec<AtomicU32> = colours.iter().map(|_| AtomicU32::new(0)).collect();
            let parts = par::try_map(between_edges(&keys), |keys| {
                let mut figures = Figures::default();
                let mut simple: Vec<[u32; 2]> = memory::with_capacity(keys.len())?;
                for same in keys.chunk_by(|one, other| one >> 1 == other >> 1) {
                    let [u, v] = [(same[0] >> 33) as u32, (same[0] >> 1) as u32];
                    let [one, other] = [u, v].map(|v| colours[v as usize]);
                    let is_both = same[0] & 1 != same[same.len() - 1] & 1;
                    simple.push([u, v]);
                    if group.is_home(one, other) {
                        figures.edges += 1;
                        figures.duplicates += same.len() as u64 - 1;
                        figures.reciprocal += u64::from(is_both);
                    }
                    for (v, own, beside) in [(u, one, other), (v, other, one)] {
                        if a.has(own) && third.has(beside) {
                            told[v as usize].fetch_add(1, Relaxed);
                        }
                    }
                }
                Ok((figures, simple))
            });
            drop(keys);
            let parts: Vec<_> = parts.map_err(refused)?;
            let blocks = parts.into_iter().map(|(of_part, simple)| {
                figures += of_part;
                simple
            });
            entries = in_one(blocks.collect()).map_err(refused)?;
            degrees = told.into_iter().map(AtomicU32::into_inner).collect();
        }
        let bound = colours.len() as u32;
        let graph_ids = match group.pair() {
            Some((a, _)) if group.is_doubled() => {
                let is_in = |v: u32| a.has(colours[v as usize]);
                let doubled = |[u, v]: [u32; 2]| match (is_in(u), is_in(v)) {
                    // u < v: the edge stands once.
                    (true, true) => [Some([u, v + bound]), None],
                    (true, false) => [Some([u, v]), Some([u + bound, v])],
                    _ => [Some([u, v]), Some([u, v + bound])],
                };
                const BLOCK: usize = 1 << 20;
                let blocks = par::try_map(entries.chunks(BLOCK), |block| {
                    let mut twice: Vec<[u32; 2]> = memory::with_capacity(2 * block.len())?;
                    twice.extend(block.iter().flat_map(|&ends| doubled(ends)).flatten());
                    Ok(twice)
                });
                entries = in_one(blocks.map_err(refused)?).map_err(refused)?;
                VertexIds::Identity { bound: 2 * bound }
            }
            _ => VertexIds::Identity { bound },
        };
        let graph = Graph::from_parts(entries, graph_ids, name);
        Ok(Part { graph, ids, colours, group: *group, figures, degrees })
    }

    /// The graph to be counted. Its triangles are those of the group, each once.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The ids or names of the group's vertices.
    pub fn ids(&self) -> &VertexIds {
        &self.ids
    }

    /// Figures of the edges that are at home here.
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// How many edges each vertex has whose degrees are told here: those of the set A to the set T, for a group of two
    /// sets. Every edge of a vertex is told by one group.
    pub fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// Whether [`degrees`](Self::degrees) are all that these vertices have.
    pub fn has_whole_degrees(&self) -> bool {
        self.group.pair().is_some_and(|(a, third)| a.with(third) == super::Colours::ALL)
    }

    /// The vertices of the group with the triangles that it has at each, by what was counted at each vertex of
    /// [`graph`](Self::graph). Vertices without a triangle are told by a group that has an edge of theirs at home.
    pub fn at_vertices(&self, triangles: &[u64]) -> Vec<VertexTriangles> {
        let bound = self.colours.len();
        let mut at_home = vec![false; bound];
        for [u, v] in self.edges_at_home() {
            (at_home[u as usize], at_home[v as usize]) = (true, true);
        }
        let doubles = triangles.get(bound..).unwrap_or(&[]);
        let counted = |v: usize| {
            triangles.get(v).copied().unwrap_or(0) + doubles.get(v).copied().unwrap_or(0)
        };
        let all = (0..bound)
            .map(|v| VertexTriangles { vertex: v as u32, triangles: counted(v) })
            .filter(|of| of.triangles > 0 || at_home[of.vertex as usize]);
        all.collect()
    }

    /// The edges of the group with the triangles that it has on each, by edges of [`graph`](Self::graph) with what was
    /// counted on each; an edge may stand twice. Edges without a triangle are told by the group that has them at home.
    pub fn on_edges(
        &self,
        support: impl IntoIterator<Item = ([u32; 2], u64)>,
    ) -> Vec<([u32; 2], u64)> {
        let edges = support.into_iter().map(|(ends, support)| (self.single(ends), support));
        edges.filter(|&(ends, support)| support > 0 || self.has_at_home(ends)).collect()
    }

    /// The vertices of the group that two vertices of its graph are, of which some are doubles.
    fn single(&self, ends: [u32; 2]) -> [u32; 2] {
        let bound = self.colours.len() as u32;
        ends.map(|v| if v < bound { v } else { v - bound })
    }

    fn has_at_home(&self, ends: [u32; 2]) -> bool {
        let [one, other] = ends.map(|v| self.colours[v as usize]);
        self.group.is_home(one, other)
    }

    /// Edges at home, of which some may stand twice.
    fn edges_at_home(&self) -> impl Iterator<Item = [u32; 2]> {
        let edges = self.graph.edges().iter().map(|&ends| self.single(ends));
        edges.filter(|&ends| self.has_at_home(ends))
    }
}
