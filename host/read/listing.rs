//! Graphs of files that tell vertices and edges one after the other, each by what it is called: GraphML, GML, Pajek
//! and JSON. Such a file is read from its front to its end by one thread.

use std::collections::BTreeMap;
use std::mem;

use super::format::{self, About, Format, Reader};
use super::ids::{self, MOST_VERTICES};
use super::input::Fault;
use super::memory::{self, NoMemory};
use super::names::{self, Dictionary, NameBlock};
use super::number::whole;
use super::open_file::OpenFile;
use super::weights::weighted;
use super::{IdKind, recognise};
use crate::graph::{Names, Reading};
use crate::{Error, Graph, Message, Result, VertexIds};

/// What a file is called, and the number of vertices where it calls them 1 and up.
pub(super) type ListingHead = (&'static str, Option<u64>);

/// A format whose files are lists of vertices and edges.
pub(super) struct ListingFormat {
    pub(super) about: About,
    /// Whether a file of no raw pairs begins as those of the format do. `None` where the extension alone tells it.
    pub(super) begins: Option<fn(head: &[u8]) -> bool>,
    /// Reads a file.
    pub(super) read: fn(&mut EdgeListing) -> Result<ListingHead>,
}

impl ListingFormat {
    /// A format whose vertices may have names, and whose edges may have weights.
    pub(super) const fn of(
        format: Format,
        begins: Option<fn(&[u8]) -> bool>,
        read: fn(&mut EdgeListing) -> Result<ListingHead>,
    ) -> ListingFormat {
        let about = About { has_names: true, has_weights: true, ..About::of(format) };
        ListingFormat { about, begins, read }
    }
}

impl Reader for ListingFormat {
    fn about(&self) -> About {
        self.about
    }

    fn begins(&self, head: &[u8], named: Option<Format>) -> bool {
        !format::is_raw(named) && self.begins.is_some_and(|begins| begins(head))
    }

    fn denies(&self, head: &[u8]) -> bool {
        self.begins.is_some() && recognise::is_list(head)
    }

    fn parse(&self, input: &OpenFile) -> Result<Graph, Fault> {
        let mut listing = EdgeListing::new(input);
        let (called, declared) = (self.read)(&mut listing)?;
        listing.graph(called, declared)
    }
}

/// The vertices and edges that were read so far.
pub(super) struct EdgeListing<'a> {
    pub(super) input: &'a OpenFile<'a>,
    /// What ids are: what was asked for, unless the file says it.
    pub(super) ids: IdKind,
    /// What the file calls each vertex, in the order in which it names them first, and the entries.
    block: NameBlock,
    /// What vertices are labelled, perhaps with nothing.
    labels: BTreeMap<u32, String>,
    /// Whether each entry leads from its first vertex to its second alone.
    directed: Vec<bool>,
    /// Whether the graph of the file began, where the format says so.
    pub(super) has_graph: bool,
    pub(super) notes: Vec<String>,
}

/// Entries after which a reader looks whether to stop.
const LOOK: usize = 1 << 16;

impl<'a> EdgeListing<'a> {
    fn new(input: &'a OpenFile<'a>) -> EdgeListing<'a> {
        EdgeListing {
            input,
            ids: input.options.ids,
            block: Dictionary::new().block(),
            labels: BTreeMap::new(),
            directed: Vec::new(),
            has_graph: false,
            notes: Vec::new(),
        }
    }

    /// An error on the line that holds byte `at`.
    pub(super) fn fault(&self, at: usize, message: impl Into<Message>) -> Error {
        self.input.at_line_of(at, message)
    }

    /// Begins the graph of the file, at byte `at`.
    pub(super) fn begin_graph(&mut self, at: usize) -> Result<()> {
        let message = "a second graph begins here: write each to a file of its own";
        match mem::replace(&mut self.has_graph, true) {
            true => Err(self.fault(at, message)),
            false => Ok(()),
        }
    }

    /// The number of vertices that were named.
    pub(super) fn vertices(&self) -> usize {
        self.block.len()
    }

    /// The vertex of this name, which is at byte `at`.
    pub(super) fn vertex(&mut self, name: &[u8], at: usize) -> Result<u32> {
        if name.is_empty() {
            return Err(self.fault(at, "a vertex has an empty id"));
        }
        let vertex =
            self.block.id(name).and_then(|vertex| match u64::from(vertex) < MOST_VERTICES {
                true => Ok(vertex),
                false => Err(names::too_many()),
            });
        vertex.map_err(|fault| self.input.fault(fault.at(at)))
    }

    /// Whether a vertex of this name was named before.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.block.find(name).is_some()
    }

    /// Labels a vertex, which is named at byte `at`.
    pub(super) fn label(&mut self, vertex: u32, label: String, at: usize) -> Result<()> {
        match self.labels.insert(vertex, label) {
            None => Ok(()),
            Some(_) => Err(self.fault(at, "a second vertex has the id of one before it")),
        }
    }

    /// Adds an entry that was found at byte `at`. `weight` is that of the column that is asked for, as text.
    pub(super) fn edge(
        &mut self,
        ends: [u32; 2],
        is_directed: bool,
        weight: Option<&[u8]>,
        at: usize,
    ) -> Result<()> {
        if self.directed.len().is_multiple_of(LOOK) {
            self.input.options.cancel.check()?;
        }
        let weight = match &self.input.options.weight {
            Some(asked) => {
                let weight = weight
                    .ok_or_else(|| Message::from(format!("the edge has no weight `{asked}`")))
                    .and_then(super::weights::number);
                Some(weight.map_err(|message| self.fault(at, message))?)
            }
            None => None,
        };
        self.add(ends, is_directed, weight).map_err(|refused| self.input.fault(refused.into()))
    }

    fn add(
        &mut self,
        ends: [u32; 2],
        is_directed: bool,
        weight: Option<f64>,
    ) -> Result<(), NoMemory> {
        memory::reserve(&mut self.directed, 1)?;
        self.directed.push(is_directed);
        self.block.push_numbers(ends, weight)
    }

    /// Says of all entries so far whether they have a direction.
    pub(super) fn set_directed(&mut self, is_directed: bool) {
        self.directed.fill(is_directed);
    }

    /// The graph. Vertices are called by their labels where all have one and no two have the same.
    /// `declared` is the number of vertices where the file calls them 1 and up, and may name some alone.
    fn graph(mut self, format: &str, declared: Option<u64>) -> Result<Graph, Fault> {
        self.both_ways()?;
        let are_undirected = !self.directed.is_empty() && !self.directed.contains(&true);
        let EdgeListing { input, ids, mut block, labels, mut notes, .. } = self;
        let (edges, weights) = (mem::take(&mut block.edges), mem::take(&mut block.weights));
        let labels = labelled(&block, &labels, &mut notes);
        let names = labels.unwrap_or_else(|| block.into_names());
        let vertices = declared.unwrap_or(names.len() as u64);
        let integers = match ids {
            IdKind::Names => None,
            asked => integers(&names, asked == IdKind::Integers)?,
        };
        if ids == IdKind::Integers && integers.is_none() {
            return Err(input.error("some ids are no integers from 0 to 2^64-1").into());
        }
        let kind = if integers.is_some() { IdKind::Integers } else { IdKind::Names };
        let graph = match integers {
            Some(integers) => numbered(input.name(), edges, integers, declared)?,
            None => Graph::from_parts(edges, VertexIds::Names(names), input.name().into()),
        };
        let graph = graph.declaring(vertices).with_reading(Some(Reading {
            table: format.into(),
            ids: kind.name(),
            warnings: notes,
            ..Reading::default()
        }));
        let graph = if are_undirected { graph.with_both_directions() } else { graph };
        Ok(weighted(graph, input.options.weight.is_some().then_some(weights))?)
    }

    /// Where some entries have a direction and others none, those without stand in both.
    fn both_ways(&mut self) -> Result<(), NoMemory> {
        if !self.directed.contains(&true) {
            return Ok(());
        }
        for entry in 0..self.directed.len() {
            let [u, v] = self.block.edges[entry];
            if !self.directed[entry] && u != v {
                self.add([v, u], true, self.block.weights.get(entry).copied())?;
            }
        }
        Ok(())
    }
}

/// The labels, if all vertices have one and no two the same. Else a note says so, unless no vertex has one.
fn labelled(
    block: &NameBlock,
    labels: &BTreeMap<u32, String>,
    notes: &mut Vec<String>,
) -> Option<Names> {
    let given = labels.values().map(String::as_str).filter(|label| !label.is_empty());
    let given: Vec<&str> = given.collect();
    let is_given = !given.is_empty();
    let names = if given.len() == block.len() { Names::distinct(given) } else { None };
    if is_given && names.is_none() {
        notes.push(
            "some vertices have no label of their own: vertices are called by their ids".into(),
        );
    }
    names
}

/// The names as numbers, if all are integers. Those with leading zeros are, too, where that `is_asked`.
fn integers(names: &Names, is_asked: bool) -> Result<Option<Vec<u64>>, NoMemory> {
    let mut integers = memory::with_capacity(names.len())?;
    for v in 0..names.len() as u32 {
        let name = names.get(v).as_bytes();
        let is_padded = name.len() > 1 && name[0] == b'0';
        match whole(name).filter(|_| is_asked || !is_padded) {
            Some(integer) => integers.push(integer),
            None => return Ok(None),
        }
    }
    Ok(Some(integers))
}

/// The graph of vertices that are called by these integers, isolated ones too. They are numbered in ascending order.
fn numbered(
    name: &str,
    mut edges: Vec<[u32; 2]>,
    integers: Vec<u64>,
    declared: Option<u64>,
) -> Result<Graph, Fault> {
    if let Some(vertices) = declared.filter(|&n| integers.iter().all(|id| (1..=n).contains(id))) {
        // No more than 2^32-2 vertices are declared.
        edges.as_flattened_mut().iter_mut().for_each(|v| *v = integers[*v as usize] as u32 - 1);
        return Ok(ids::graph(name, edges, vertices.saturating_sub(1), Some(vertices))?);
    }
    let mut table = memory::with_capacity(integers.len())?;
    table.extend_from_slice(&integers);
    table.sort_unstable();
    table.dedup();
    let index = ids::Index::new(&table)?;
    for end in edges.as_flattened_mut() {
        *end = index.vertex(integers[*end as usize]);
    }
    drop(index);
    let bound = table.len() as u32;
    let first = table.first().copied().unwrap_or(0);
    let is_dense = table.last().is_none_or(|last| last - first == u64::from(bound) - 1);
    let ids = match (is_dense, first) {
        (true, 0) => VertexIds::Identity { bound },
        (true, 1) => VertexIds::OneBased { bound },
        _ => VertexIds::Table(table),
    };
    Ok(Graph::from_parts(edges, ids, name.into()))
}
