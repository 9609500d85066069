//! From names to the vertices `0..n`, in parallel.
//!
//! Names are numbered in the order in which they come first. This is the same for any number of threads, needs
//! no comparison of texts (to sort 12 bytes each of all names takes longer than to hash them), and keeps
//! vertices near each other that a file mentions together.
//!
//! A block of the input collects its distinct names in a [`NameBlock`], which belongs to one thread and fits a
//! cache. The [`Dictionary`] takes the block's names in shards, each behind a lock of its own, which is taken
//! once for each block and shard. A vertex is called by shard and place in it until all blocks are in. Each
//! name keeps where it came first, and [`Dictionary::finish`] numbers the names by that.
//!
//! The hash chooses the shard and the place only: names are the same where their bytes are. Its key is drawn for
//! each dictionary, so that nobody can prepare a file whose names all have one hash.

use crate::control::memory::fallible;
use std::hash::BuildHasher;
use std::mem;
use std::sync::{Mutex, PoisonError};

use super::ids::MOST_VERTICES;
use super::in_order::in_order;
use super::input::{self, Fault};
use super::memory::{self, NoMemory};
use super::weights::weighted;
use crate::graph::{EdgeSink, EntryBlock, Names};
use crate::{Error, Graph, Result, VertexIds};
use foldhash::quality::RandomState;
use hashbrown::HashTable;
use tribin_base::par::{self, Spare};

/// Shards have 2^`SHARD_BITS` parts of the names each.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;

/// Names of one shard at most: a name is called by place and shard in 32 bits.
const MOST_PLACES: usize = 1 << (u32::BITS - SHARD_BITS);

/// All names of a file.
pub(super) struct Dictionary {
    shards: Vec<Mutex<Shard>>,
    hasher: RandomState,
}

/// A part of the names.
#[derive(Default)]
struct Shard {
    table: NameTable,
    /// Where each name came first: the block in the high half, and the place among the block's names in the low one.
    first: Vec<u64>,
}

/// Distinct names, in the order in which they come first.
#[derive(Default)]
struct NameTable {
    names: Names,
    hashes: Vec<u64>,
    /// The places of the names by their hashes.
    places: HashTable<u32>,
}

impl NameTable {
    /// The place of a name of this hash.
    #[inline]
    fn find(&self, hash: u64, name: &[u8]) -> Option<u32> {
        self.places.find(hash, |&place| self.names.get(place).as_bytes() == name).copied()
    }

    /// Adds a name that is not there, and returns its place.
    fn add(&mut self, hash: u64, name: &str) -> Result<u32, NoMemory> {
        let NameTable { names, hashes, places } = self;
        let place = names.len() as u32;
        names.push(name).map_err(|_| NoMemory { bytes: name.len() as u64 })?;
        memory::reserve(hashes, 1)?;
        hashes.push(hash);
        let hash_of = |&place: &u32| hashes[place as usize];
        fallible(|| places.try_reserve(1, hash_of))
            .map_err(|_| NoMemory { bytes: places.len() as u64 })?;
        places.insert_unique(hash, place, hash_of);
        Ok(place)
    }
}

/// The distinct names of a block, in the order in which they come first, and its edges between them.
pub(super) struct NameBlock {
    hasher: RandomState,
    table: NameTable,
    /// The edges, by the numbers of their names, and their weights where these are read.
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) weights: Vec<f64>,
    /// The places of the names whose hashes choose each shard.
    by_shard: [Vec<u32>; SHARDS],
    /// What the dictionary calls each name, after the block was taken in.
    called: Vec<u32>,
}

impl NameBlock {
    /// The number of an id within the block, which [`Dictionary::take_in`] turns into a vertex.
    ///
    /// # Errors
    /// For bytes that are no text, and where there is no memory.
    pub(super) fn id(&mut self, id: &[u8]) -> Result<u32, Fault> {
        let hash = self.hasher.hash_one(id);
        if let Some(place) = self.table.find(hash, id) {
            return Ok(place);
        }
        let name = std::str::from_utf8(id).map_err(|_| Fault::line(0, NO_TEXT))?;
        Ok(self.table.add(hash, name)?)
    }

    /// Adds an edge, with its weight if weights are read.
    ///
    /// # Errors
    /// As [`id`](Self::id).
    pub(super) fn push(&mut self, ids: [&[u8]; 2], weight: Option<f64>) -> Result<(), Fault> {
        let ends = [self.id(ids[0])?, self.id(ids[1])?];
        Ok(self.push_numbers(ends, weight)?)
    }

    /// Adds an edge between two names by their [numbers](Self::id).
    ///
    /// # Errors
    /// Where there is no memory.
    pub(super) fn push_numbers(
        &mut self,
        ends: [u32; 2],
        weight: Option<f64>,
    ) -> Result<(), NoMemory> {
        memory::reserve(&mut self.edges, 1)?;
        memory::reserve(&mut self.weights, usize::from(weight.is_some()))?;
        self.edges.push(ends);
        self.weights.extend(weight);
        Ok(())
    }

    /// The number that an id has, if it was met.
    pub(super) fn find(&self, id: &[u8]) -> Option<u32> {
        self.table.find(self.hasher.hash_one(id), id)
    }

    /// The number of distinct names.
    pub(super) fn len(&self) -> usize {
        self.table.names.len()
    }

    /// The names, by their numbers.
    pub(super) fn into_names(self) -> Names {
        self.table.names
    }

    /// Drops all names, for the next block, and edges that nobody took.
    fn clear(&mut self) {
        self.edges.clear();
        self.weights.clear();
        self.table.names.clear();
        self.table.hashes.clear();
        self.table.places.clear();
    }
}

impl Dictionary {
    pub(super) fn new() -> Dictionary {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Dictionary { shards, hasher: RandomState::default() }
    }

    /// A block without names; it can be used for one after the other.
    pub(super) fn block(&self) -> NameBlock {
        NameBlock {
            hasher: self.hasher.clone(),
            table: NameTable::default(),
            edges: Vec::new(),
            weights: Vec::new(),
            by_shard: [const { Vec::new() }; SHARDS],
            called: Vec::new(),
        }
    }

    /// Takes in the names of block number `index`, and turns the numbers in the block's edges into what the
    /// dictionary calls them. Blocks may come in any order, each once.
    ///
    /// # Errors
    /// For more names than vertices can be, and where there is no memory.
    fn take_in(&self, index: u32, block: &mut NameBlock) -> Result<(), Fault> {
        let NameBlock { table: NameTable { names, hashes, .. }, edges, by_shard, called, .. } =
            block;
        by_shard.iter_mut().for_each(Vec::clear);
        for (&hash, local) in hashes.iter().zip(0u32..) {
            // Bits of the hash choose the shard that its table does not use, which takes the lowest and the highest.
            let own = &mut by_shard[(hash >> u32::BITS) as usize % SHARDS];
            memory::reserve(own, 1)?;
            own.push(local);
        }
        called.clear();
        memory::reserve(called, hashes.len())?;
        called.resize(hashes.len(), 0);
        // Blocks begin with different shards, so that threads seldom wait for each other.
        for step in 0..SHARDS {
            let shard = (step + index as usize) % SHARDS;
            if by_shard[shard].is_empty() {
                continue;
            }
            let mut locked = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
            for &local in &by_shard[shard] {
                let hash = hashes[local as usize];
                let at = u64::from(index) << 32 | u64::from(local);
                let place = locked.place(names.get(local), hash, at)?;
                called[local as usize] = place << SHARD_BITS | shard as u32;
            }
        }
        edges.as_flattened_mut().iter_mut().for_each(|id| *id = called[*id as usize]);
        Ok(())
    }

    /// The entries of block number `index`, by what the dictionary calls their names, and their weights if they were read.
    fn block_of(
        &self,
        index: u32,
        read: ReadNames,
        spare: &Spare<NameBlock>,
    ) -> Result<(Vec<[u32; 2]>, Vec<f64>), Fault> {
        let new = || self.block();
        spare.with(new, |block| {
            block.clear();
            read(index, block)?;
            self.take_in(index, block)?;
            Ok((mem::take(&mut block.edges), mem::take(&mut block.weights)))
        })
    }

    /// The names, numbered in the order in which they came first; `edges` get these numbers.
    ///
    /// # Errors
    /// Where there is no memory.
    pub(super) fn finish(self, edges: &mut [[u32; 2]]) -> Result<Names, Fault> {
        let shards: Vec<(Names, Vec<u64>)> = self
            .shards
            .into_iter()
            .map(|shard| {
                let Shard { table, first } =
                    shard.into_inner().unwrap_or_else(PoisonError::into_inner);
                (table.names, first)
            })
            .collect();
        let all: usize = shards.iter().map(|(names, _)| names.len()).sum();
        if all as u64 > MOST_VERTICES {
            return Err(too_many());
        }
        let mut order = memory::with_capacity(all)?;
        let mut vertices = Vec::with_capacity(SHARDS);
        for (shard, (names, first)) in shards.iter().enumerate() {
            // By where they came first.
            let places = first.iter().zip(0u32..);
            order.extend(places.map(|(&first, place)| (first, shard as u32, place)));
            vertices.push(memory::zeroed::<u32>(names.len())?);
        }
        par::sort_unstable(&mut order);
        let bytes = shards.iter().map(|(names, _)| names.bytes()).sum();
        let mut names = Names::new();
        memory::check(bytes as u64)?;
        let refused = || NoMemory { bytes: (bytes + 4 * all) as u64 };
        names.reserve(all, bytes).map_err(|_| refused())?;
        for ((_, shard, place), v) in order.into_iter().zip(0u32..) {
            let name = shards[shard as usize].0.get(place);
            names.push(name).map_err(|_| refused())?;
            vertices[shard as usize][place as usize] = v;
        }
        let vertex = |id: u32| vertices[id as usize % SHARDS][(id >> SHARD_BITS) as usize];
        par::for_each(edges.chunks_mut(par::BLOCK), |edges| {
            edges.iter_mut().for_each(|ends| *ends = ends.map(vertex));
        });
        Ok(names)
    }
}

impl Shard {
    /// The place of a name, which came at `at`.
    fn place(&mut self, name: &str, hash: u64, at: u64) -> Result<u32, Fault> {
        if let Some(place) = self.table.find(hash, name.as_bytes()) {
            let first = &mut self.first[place as usize];
            *first = at.min(*first);
            return Ok(place);
        }
        if self.first.len() >= MOST_PLACES {
            return Err(too_many());
        }
        memory::reserve(&mut self.first, 1)?;
        self.first.push(at);
        Ok(self.table.add(hash, name)?)
    }
}

/// Adds the edges of a block of this number, on any thread.
type ReadNames<'a> = &'a (dyn Fn(u32, &mut NameBlock) -> Result<(), Fault> + Sync);

/// The graph of `blocks` blocks of edges, in their order. `read` adds the edges of a block, on any thread, and weighs each where the
/// graph `is_weighted`. The first error in the order of the blocks is returned.
///
/// Memory: 8 bytes an edge, and 16 while the blocks are put together; each name twice, and some 30 bytes for
/// each.
///
/// # Errors
/// What `read` returns, and where there is no memory.
pub(super) fn graph(
    name: &str,
    blocks: u32,
    is_weighted: bool,
    read: ReadNames,
) -> Result<Graph, Fault> {
    let (dictionary, spare) = (Dictionary::new(), Spare::new());
    let parts = par::try_map(0..blocks, |index| -> Result<_, Fault> {
        let (mut edges, weights) = dictionary.block_of(index, read, &spare)?;
        edges.shrink_to_fit();
        Ok((edges, weights))
    })?;
    let (edges, weights): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (mut edges, weights) = (input::concat(edges)?, input::concat(weights)?);
    let names = dictionary.finish(&mut edges)?;
    let graph = Graph::from_parts(edges, VertexIds::Names(names), name.into());
    Ok(weighted(graph, is_weighted.then_some(weights))?)
}

/// Hands the entries of `blocks` blocks to `sink`. A vertex has the number that the dictionary called it by: there
/// are gaps between numbers, of a few per cent, and the order means nothing.
///
/// # Errors
/// As [`graph`], and what the sink returns.
pub(super) fn visit(blocks: u32, read: ReadNames, sink: &dyn EdgeSink) -> Result<(), Fault> {
    let (dictionary, spare) = (Dictionary::new(), Spare::new());
    in_order(blocks as usize, |index, _: &mut ()| {
        let (edges, _) = dictionary.block_of(index as u32, read, &spare)?;
        Ok(sink.take(EntryBlock::Narrow(&edges))?)
    })
    .map(drop)
}

/// The message for a name that is no UTF-8.
pub(super) const NO_TEXT: &str =
    "a name is no UTF-8 text: convert the file, for example with `iconv -f latin1 -t utf-8`";

/// The fault of more names than vertices can be.
pub(super) fn too_many() -> Fault {
    let message = format!(
        "more than {MOST_VERTICES} (2^32-2) distinct vertices: split the graph into its connected components"
    );
    Error::of_input("", message).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers the names of blocks, one name after the other.
    fn one_by_one(blocks: &[Vec<[String; 2]>]) -> (Vec<[u32; 2]>, Vec<String>) {
        let mut names: Vec<String> = Vec::new();
        let mut number = |id: &String| {
            names.iter().position(|name| name == id).unwrap_or_else(|| {
                names.push(id.clone());
                names.len() - 1
            }) as u32
        };
        let edges = blocks.iter().flatten().map(|[u, v]| [number(u), number(v)]).collect();
        (edges, names)
    }

    fn in_parallel(blocks: &[Vec<[String; 2]>], threads: usize) -> Graph {
        let pool = par::Pool::start(threads, "test").unwrap();
        let read = |index: u32, pairs: &mut NameBlock| {
            for [u, v] in &blocks[index as usize] {
                pairs.push([u.as_bytes(), v.as_bytes()], None).unwrap();
            }
            Ok(())
        };
        pool.install(|| graph("test", blocks.len() as u32, false, &read).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn names_are_numbered_as_they_come_first(
            blocks in prop::collection::vec(
                prop::collection::vec(["[ab]{0,3}", "[a-c😀]{0,2}"], 0..40), 0..12),
            threads in 1usize..5,
        ) {
            let graph = in_parallel(&blocks, threads);
            let (edges, names) = one_by_one(&blocks);
            prop_assert_eq!(graph.edges(), edges);
            let found: Vec<&str> = graph.ids().names().unwrap().iter().collect();
            prop_assert_eq!(found, names);
        }
    }

    /// Enough names that every shard's table grows, and so is built anew.
    #[test]
    fn many_names() {
        let blocks: Vec<Vec<[String; 2]>> = (0..40)
            .map(|block| {
                let pair =
                    |i: u32| [format!("v{}", block * 700 + i), format!("v{}", i * 31 % 5000)];
                (0..1000).map(pair).collect()
            })
            .collect();
        let (few, many) = (in_parallel(&blocks, 1), in_parallel(&blocks, 4));
        assert_eq!((few.edges(), few.ids()), (many.edges(), many.ids()));
        let names = many.ids().names().unwrap();
        let ends = |[u, v]: &[u32; 2]| [names.get(*u).to_owned(), names.get(*v).to_owned()];
        assert!(many.edges().iter().map(ends).eq(blocks.iter().flatten().cloned()));
        assert!((0..names.len() as u32).all(|v| names.index(names.get(v)) == Some(v)));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let mut block = Dictionary::new().block();
        assert!(matches!(block.id(b"caf\xe9"), Err(Fault::Line(0, _))));
        assert_eq!(block.id("café".as_bytes()).unwrap(), 0);
    }
}
