//! From names to the vertices `0..n`, in parallel.
//!
//! Names are numbered in the order in which they come first. This is the same for any number of threads, needs
//! no comparison of texts (to sort 12 bytes each of all names takes longer than to hash them), and keeps
//! vertices near each other that a file mentions together.
//!
//! A block of the input collects its distinct names in a [`Block`], which belongs to one thread and fits a
//! cache. The [`Dictionary`] takes the block's names in shards, each behind a lock of its own, which is taken
//! once for each block and shard. A vertex is called by shard and place in it until all blocks are in. Each
//! name keeps where it came first, and [`Dictionary::finish`] numbers the names by that.
//!
//! The hash chooses the shard and the place only: names are the same where their bytes are. Its key is drawn for
//! each dictionary, so that nobody can prepare a file whose names all have one hash.

use crate::control::memory::fallible;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use super::ids::MOST_VERTICES;
use super::in_order::in_order;
use super::input;
use super::memory::{self, NoMemory};
use crate::graph::{EdgeSink, Entries, Names};
use crate::{Error, Graph, Result, VertexIds};
use foldhash::quality::RandomState;
use hashbrown::HashTable;
use tribin_base::par::{self, Spare};

/// Shards have 2^`SHARD_BITS` parts of the names each.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;

/// Names of one shard at most: a name is called by place and shard in 32 bits.
const MOST_PLACES: usize = 1 << (u32::BITS - SHARD_BITS);

/// Why a name has no vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    NoMemory(NoMemory),
    /// The bytes are no UTF-8.
    NotText,
    TooMany,
}

impl From<NoMemory> for Refused {
    fn from(refused: NoMemory) -> Refused {
        Refused::NoMemory(refused)
    }
}

/// All names of a file.
pub(super) struct Dictionary {
    shards: Vec<Mutex<Shard>>,
    hasher: RandomState,
}

#[derive(Default)]
struct Shard {
    names: Names,
    /// Where each name came first: the block, and the place among the block's names.
    first: Vec<(u32, u32)>,
    table: HashTable<Slot>,
}

/// A name by the low half of its hash and its place.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    place: u32,
}

/// The hash that tables see: they use its highest and its lowest bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn no_memory(bytes: usize) -> NoMemory {
    NoMemory { bytes: bytes as u64 }
}

/// The distinct names of a block, in the order in which they come first.
pub(super) struct Block {
    hasher: RandomState,
    names: Names,
    hashes: Vec<u64>,
    table: HashTable<Slot>,
    /// What the dictionary calls each name, after the block was taken in.
    called: Vec<u32>,
}

impl Block {
    /// The number of an id within the block, which [`Dictionary::take_in`] turns into a vertex.
    ///
    /// # Errors
    /// For bytes that are no text, and where there is no memory.
    pub(super) fn id(&mut self, id: &[u8]) -> std::result::Result<u32, Refused> {
        let hash = self.hasher.hash_one(id);
        let low = hash as u32;
        if let Some(place) = self.find_by(low, id) {
            return Ok(place);
        }
        let name = std::str::from_utf8(id).map_err(|_| Refused::NotText)?;
        let place = self.names.len() as u32;
        let refused = || no_memory(id.len() + size_of::<Slot>());
        self.names.push(name).map_err(|_| refused())?;
        memory::reserve(&mut self.hashes, 1).map_err(|_| refused())?;
        self.hashes.push(hash);
        fallible(|| self.table.try_reserve(1, |slot| spread(slot.hash))).map_err(|_| refused())?;
        self.table.insert_unique(spread(low), Slot { hash: low, place }, |slot| spread(slot.hash));
        Ok(place)
    }

    /// The number that an id has, if it was met.
    #[cfg(feature = "formats")]
    pub(super) fn find(&self, id: &[u8]) -> Option<u32> {
        self.find_by(self.hasher.hash_one(id) as u32, id)
    }

    #[inline]
    fn find_by(&self, hash: u32, id: &[u8]) -> Option<u32> {
        let same = |slot: &Slot| slot.hash == hash && self.names.get(slot.place).as_bytes() == id;
        self.table.find(spread(hash), same).map(|slot| slot.place)
    }

    /// The number of distinct names.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The names, by their numbers.
    pub(super) fn into_names(self) -> Names {
        self.names
    }

    /// Drops all names, for the next block.
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.hashes.clear();
        self.table.clear();
        self.called.clear();
    }
}

impl Dictionary {
    pub(super) fn new() -> Dictionary {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Dictionary { shards, hasher: RandomState::default() }
    }

    /// A block without names; it can be used for one after the other.
    pub(super) fn block(&self) -> Block {
        Block {
            hasher: self.hasher.clone(),
            names: Names::new(),
            hashes: Vec::new(),
            table: HashTable::new(),
            called: Vec::new(),
        }
    }

    /// Takes in the names of block number `index`, and turns the block's numbers in `edges` into what the
    /// dictionary calls them. Blocks may come in any order, each once.
    ///
    /// # Errors
    /// For more names than vertices can be, and where there is no memory.
    pub(super) fn take_in(
        &self,
        index: u32,
        block: &mut Block,
        edges: &mut [[u32; 2]],
    ) -> std::result::Result<(), Refused> {
        let Block { names, hashes, called, .. } = block;
        let by_shard = by_shard(hashes)?;
        called.clear();
        memory::reserve(called, names.len())?;
        called.resize(names.len(), 0);
        // Blocks begin with different shards, so that threads seldom wait for each other.
        for step in 0..SHARDS {
            let shard = (step + index as usize) % SHARDS;
            let own = &by_shard.order[by_shard.starts[shard]..by_shard.starts[shard + 1]];
            if own.is_empty() {
                continue;
            }
            let mut locked = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
            for &local in own {
                let hash = hashes[local as usize] as u32;
                let place = locked.place(names.get(local), hash, (index, local))?;
                called[local as usize] = place << SHARD_BITS | shard as u32;
            }
        }
        edges.as_flattened_mut().iter_mut().for_each(|id| *id = called[*id as usize]);
        Ok(())
    }

    /// The entries of block number `index`, by what the dictionary calls their names.
    fn block_of<E: From<Error>>(
        &self,
        name: &str,
        index: u32,
        read: &(dyn Fn(u32, &mut Pairs) -> Result<(), E> + Sync),
        spare: &Spare<Block>,
    ) -> Result<Vec<[u32; 2]>, E> {
        let new = || self.block();
        spare.with(new, |block| {
            block.clear();
            let mut pairs = Pairs { block, edges: Vec::new() };
            read(index, &mut pairs)?;
            let mut edges = pairs.edges;
            let taken = self.take_in(index, block, &mut edges);
            taken.map_err(|refused| error(name, refused))?;
            Ok(edges)
        })
    }

    /// The names, numbered in the order in which they came first; `edges` get these numbers.
    ///
    /// # Errors
    /// Where there is no memory.
    pub(super) fn finish(self, edges: &mut [[u32; 2]]) -> std::result::Result<Names, Refused> {
        let shards: Vec<Shard> = self
            .shards
            .into_iter()
            .map(|shard| {
                let mut shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
                shard.table = HashTable::new();
                shard
            })
            .collect();
        let all: usize = shards.iter().map(|shard| shard.names.len()).sum();
        if all as u64 > MOST_VERTICES {
            return Err(Refused::TooMany);
        }
        let mut order = memory::with_capacity(all)?;
        let mut vertices = Vec::with_capacity(SHARDS);
        for (number, shard) in shards.iter().enumerate() {
            let places = shard.first.iter().zip(0u32..);
            // By where they came first.
            order.extend(places.map(|(&(block, local), place)| {
                let first = u64::from(block) << 32 | u64::from(local);
                let name = (number as u64) << 32 | u64::from(place);
                u128::from(first) << 64 | u128::from(name)
            }));
            vertices.push(memory::zeroed::<u32>(shard.names.len())?);
        }
        par::sort_unstable(&mut order);
        let bytes = shards.iter().map(|shard| shard.names.bytes()).sum();
        let mut names = Names::new();
        memory::check(bytes as u64)?;
        names.reserve(all, bytes).map_err(|_| no_memory(bytes + 4 * all))?;
        for (v, key) in order.into_iter().enumerate() {
            let (shard, place) = ((key >> 32) as u32 as usize, key as u32);
            let (shard, own) = (&shards[shard], &mut vertices[shard]);
            names.push(shard.names.get(place)).map_err(|_| no_memory(bytes))?;
            own[place as usize] = v as u32;
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
    fn place(
        &mut self,
        name: &str,
        hash: u32,
        at: (u32, u32),
    ) -> std::result::Result<u32, Refused> {
        let Shard { names, first, table } = self;
        let same = |slot: &Slot| slot.hash == hash && names.get(slot.place) == name;
        if let Some(slot) = table.find(spread(hash), same) {
            let first = &mut first[slot.place as usize];
            *first = at.min(*first);
            return Ok(slot.place);
        }
        let place = names.len();
        if place >= MOST_PLACES {
            return Err(Refused::TooMany);
        }
        let refused = || no_memory(name.len() + 2 * size_of::<Slot>());
        names.push(name).map_err(|_| refused())?;
        memory::reserve(first, 1).map_err(|_| refused())?;
        first.push(at);
        fallible(|| table.try_reserve(1, |slot| spread(slot.hash))).map_err(|_| refused())?;
        let slot = Slot { hash, place: place as u32 };
        table.insert_unique(spread(hash), slot, |slot| spread(slot.hash));
        Ok(slot.place)
    }
}

/// The numbers of a block's names, shard by shard.
struct ByShard {
    order: Vec<u32>,
    starts: [usize; SHARDS + 1],
}

/// The highest bits of the hash choose the shard, which its table does not use.
fn by_shard(hashes: &[u64]) -> std::result::Result<ByShard, NoMemory> {
    let shard = |hash: u64| (hash >> (u64::BITS - SHARD_BITS)) as usize;
    let mut starts = [0; SHARDS + 1];
    hashes.iter().for_each(|&hash| starts[shard(hash) + 1] += 1);
    for i in 0..SHARDS {
        starts[i + 1] += starts[i];
    }
    let mut next = starts;
    let mut order = memory::zeroed::<u32>(hashes.len())?;
    for (local, &hash) in hashes.iter().enumerate() {
        let place = &mut next[shard(hash)];
        order[*place] = local as u32;
        *place += 1;
    }
    Ok(ByShard { order, starts })
}

/// Edges of a block, whose ids are names.
pub(super) struct Pairs<'a> {
    block: &'a mut Block,
    edges: Vec<[u32; 2]>,
}

impl Pairs<'_> {
    /// Makes room for some edges more.
    ///
    /// # Errors
    /// Where there is no memory.
    pub(super) fn reserve(&mut self, edges: usize) -> std::result::Result<(), Refused> {
        Ok(memory::reserve(&mut self.edges, edges)?)
    }

    /// Adds an edge.
    ///
    /// # Errors
    /// As [`Block::id`].
    pub(super) fn push(&mut self, ids: [&[u8]; 2]) -> std::result::Result<(), Refused> {
        let ends = [self.block.id(ids[0])?, self.block.id(ids[1])?];
        memory::reserve(&mut self.edges, 1)?;
        self.edges.push(ends);
        Ok(())
    }

    /// The number of a name for [`Self::push_numbers`]: of a dictionary that the block brings along.
    ///
    /// # Errors
    /// As [`Block::id`].
    pub(super) fn number(&mut self, id: &[u8]) -> std::result::Result<u32, Refused> {
        self.block.id(id)
    }

    /// Adds an edge between two names by their [`number`](Self::number)s.
    ///
    /// # Errors
    /// Where there is no memory.
    pub(super) fn push_numbers(&mut self, ends: [u32; 2]) -> std::result::Result<(), Refused> {
        memory::reserve(&mut self.edges, 1)?;
        self.edges.push(ends);
        Ok(())
    }
}

/// The graph of `blocks` blocks of edges, in their order. `read` adds the edges of a block, on any thread. The
/// first error in the order of the blocks is returned.
///
/// Memory: 8 bytes an edge, and 16 while the blocks are put together; each name twice, and some 30 bytes for
/// each.
///
/// # Errors
/// What `read` returns, and where there is no memory.
pub(super) fn graph<E: From<Error> + Send>(
    name: &str,
    blocks: u32,
    read: &(dyn Fn(u32, &mut Pairs) -> Result<(), E> + Sync),
) -> Result<Graph, E> {
    let dictionary = Dictionary::new();
    let spare = Spare::new();
    let parts = par::try_map(0..blocks, |index| -> Result<Vec<[u32; 2]>, E> {
        let mut edges = dictionary.block_of(name, index, read, &spare)?;
        edges.shrink_to_fit();
        Ok(edges)
    })?;
    let mut edges = input::concat(name, parts)?;
    let names = dictionary.finish(&mut edges).map_err(|refused| error(name, refused))?;
    Ok(Graph::from_parts(edges, VertexIds::Names(names), name.into()))
}

/// Hands the entries of `blocks` blocks to `sink`. A vertex has the number that the dictionary called it by: there
/// are gaps between numbers, of a few per cent, and the order means nothing.
///
/// # Errors
/// As [`graph`], and what the sink returns.
pub(super) fn visit<E: From<Error> + Send>(
    name: &str,
    blocks: u32,
    read: &(dyn Fn(u32, &mut Pairs) -> Result<(), E> + Sync),
    sink: &dyn EdgeSink,
) -> Result<(), E> {
    let dictionary = Dictionary::new();
    let spare = Spare::new();
    in_order(blocks as usize, |index, _: &mut ()| {
        let edges = dictionary.block_of(name, index as u32, read, &spare)?;
        Ok(sink.take(Entries::Narrow(&edges))?)
    })
}

/// What is said of a name that is none.
pub(super) const NO_TEXT: &str =
    "a name is no UTF-8 text: convert the file, for example with `iconv -f latin1 -t utf-8`";

/// The error of a file whose names were refused somewhere.
pub(super) fn error(name: &str, refused: Refused) -> Error {
    match refused {
        Refused::NoMemory(refused) => input::no_memory(name, refused),
        Refused::TooMany => input::error(
            name,
            format!(
                "more than {MOST_VERTICES} (2^32-2) distinct vertices: split the graph into its \
                 connected components"
            ),
        ),
        Refused::NotText => input::error(name, NO_TEXT),
    }
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
        let read = |index: u32, pairs: &mut Pairs| {
            for [u, v] in &blocks[index as usize] {
                pairs.push([u.as_bytes(), v.as_bytes()]).unwrap();
            }
            Ok(())
        };
        pool.install(|| graph::<Error>("test", blocks.len() as u32, &read).unwrap())
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
        assert_eq!(block.id(b"caf\xe9"), Err(Refused::NotText));
        assert_eq!(block.id("café".as_bytes()), Ok(0));
    }
}
