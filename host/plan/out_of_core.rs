//! How a graph is counted that memory does not hold: how much is in memory at a time, and how much on disk.
//!
//! | step | in memory | on disk |
//! | --- | --- | --- |
//! | read | 4 bytes a vertex, and some pieces of the file for each thread | 8 bytes an entry |
//! | orient | 4 bytes a vertex, and for each thread a buffer for each bucket | 8 bytes an entry |
//! | clean | 4 bytes a vertex, and for each thread a bucket | 8 bytes an entry, and then 4 an edge |
//! | count | the rows of one part, and for each thread some rows of the others | 4 bytes an edge |
//! | count at vertices | 9 bytes a vertex more, and 17 alone at the end | 8 bytes a vertex more |
//! | find by direction | the rows of one part and a byte for each of their edges, 33 bytes a vertex, and 65 alone at the end | 5 bytes an edge, 8 a vertex |
//! | find cliques | 9 bytes a vertex more, and the neighbourhoods of some rows as bits; as much for one part of the rows, and then for the search | 8 bytes a vertex more |
//! | list | 5 bytes a vertex more, and for each thread some triangles | 8 bytes a vertex more |
//! | count at edges | the rows of one part and as much for their numbers; then 5 bytes a vertex, buffers, and for each thread a bucket | 20 bytes an edge, 8 a vertex |
//! | peel trusses | as at edges, until [`bytes_to_peel`] for what is left | 20 bytes an edge, 8 a vertex |
//!
//! Nothing here depends on the number of edges but the number of buckets and of parts, so that any graph whose
//! vertices fit is counted.

use std::path::PathBuf;

use super::bytes::countable;
use super::host_memory::HostMemory;
use super::reason::{Chosen, Reason, Rules};
use crate::Task;
use crate::{Message, hint};

/// Bytes of the program and of small tables.
const PROGRAM: u64 = 8 << 20;

/// Bytes of a thread's stack, and of what it is given back late.
const THREAD: u64 = 256 << 10;

/// Heads of a chunk.
const CHUNK_HEADS: usize = 1 << 16;

/// Rows of a chunk.
const CHUNK_ROWS: usize = 1 << 15;

/// Wedges of a chunk at most: what a thread counts at a time.
pub const CHUNK_WEDGES: u64 = 1 << 26;

/// Bytes of a chunk in memory: its rows' lengths, heads and offsets, and one row that is longer than a chunk.
const CHUNK: u64 = (4 * CHUNK_HEADS + 12 * CHUNK_ROWS) as u64 + (256 << 10);

/// Bytes of a thread's bucket for each of its edges, at most: an entry of each direction, and the heads of both.
const BUCKET_ENTRY: u64 = 24;

/// Bytes that a record of a scratch file takes in memory.
const RECORD: u64 = 24;

/// Wedges of a block of triangles that a thread lists at a time.
pub const LISTED_WEDGES: u64 = 1 << 14;

/// Edges of a block that is written at a time.
pub const LISTED_EDGES: usize = 1 << 14;

/// Bytes that a triangle or an edge takes while it is listed: its vertices, their ids, and these as text.
const LISTED: u64 = 100;

/// Vertices of a record of their ranks or degrees.
pub const VERTEX_RECORD: usize = 1 << 16;

/// Bytes of a file of entries.
pub const SEGMENT: u64 = 64 << 20;

/// Ranks below this one are marked while the CPU counts; their bitmap should stay in a core's second-level cache.
pub const MARKED_RANKS: usize = 1 << 23;

/// Bytes that a thread takes while it counts in a graph of `ranks` ranks.
pub fn bytes_of_a_thread(ranks: u64) -> u64 {
    let marked = ranks.min(MARKED_RANKS as u64);
    // The rows of a row's heads: no row is longer than this on the way.
    marked / 8 + (256 << 10)
}

/// Bytes that a thread takes while it visits the triangles of a graph of `ranks` ranks whose rows have at most
/// `longest` heads: marks with places, the rows of a row's heads, and a counter for each head.
pub fn bytes_of_a_visitor(ranks: u64, longest: u64) -> u64 {
    let marked = ranks.min(MARKED_RANKS as u64);
    marked / 16 * 3 + 24 * longest + (64 << 10)
}

/// Bytes that a thread takes while it counts triangles at the places of rows, with counters of the first ranks: for a head there are its row and
/// two counters, and room for twice as many.
pub fn bytes_of_a_place_counter(ranks: u64, longest: u64) -> u64 {
    bytes_of_a_visitor(ranks, 4 * longest) + (128 << 10)
}

/// The facts that the sizes of a graph in scratch files depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfCoreFacts {
    /// Edge entries, or the edges where they are known.
    pub entries: u64,
    /// One more than the largest vertex.
    pub vertices: u64,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// CPU threads.
    pub threads: u64,
    /// What is found.
    pub task: Task,
}

/// Bytes of memory while triangles are found.
struct FindingBytes {
    each_vertex: u64,
    each_thread: u64,
}

impl OutOfCoreFacts {
    /// These facts with at most as many entries and vertices as formulas take.
    fn countable(&self) -> OutOfCoreFacts {
        let (entries, vertices) = (countable(self.entries), countable(self.vertices));
        OutOfCoreFacts { entries, vertices, ..*self }
    }

    /// Heads of a row at most: where rows have d heads, d vertices have rows of at least as many neighbours.
    fn longest_row(&self) -> u64 {
        (2 * self.entries).isqrt().min(self.vertices)
    }

    /// Whether each edge gets a number.
    fn is_by_edge(&self) -> bool {
        matches!(self.task, Task::OnEdges | Task::Trusses)
    }

    /// Bytes of memory for four bytes of a part's rows, with what its edges have beside them at most.
    fn bytes_of_four(&self) -> u64 {
        match self.task {
            // A number.
            Task::OnEdges | Task::Trusses => 8,
            // Directions.
            Task::ByDirection => 5,
            _ => 4,
        }
    }

    /// Bytes of memory for each vertex while the rows are made: its rank or degree, and whether it has a self-loop where
    /// vertices are named.
    fn preparing(&self) -> u64 {
        if self.task == Task::Count { 4 } else { 5 }
    }

    /// The memory that finding triangles takes.
    fn finding(&self) -> FindingBytes {
        let visitor = || bytes_of_a_visitor(self.vertices, self.longest_row());
        // Which of both it is, the processor decides: this one takes more.
        let counter = || bytes_of_a_place_counter(self.vertices, self.longest_row());
        let (each_vertex, each_thread) = match self.task {
            Task::Count => (0, CHUNK + bytes_of_a_thread(self.vertices)),
            Task::OnEdges | Task::Trusses => (5, 2 * CHUNK + counter()),
            // Four counters for each head of a row.
            Task::ByDirection => (33, 2 * CHUNK + visitor() + 16 * self.longest_row()),
            Task::List => {
                let triangles = 2 * LISTED_WEDGES + self.longest_row();
                (5, CHUNK + visitor() + LISTED * triangles)
            }
            _ => (9, CHUNK + counter()),
        };
        FindingBytes { each_vertex, each_thread }
    }

    /// Bytes of memory where no edges are: at vertices once their triangles are found.
    fn without_edges(&self) -> u64 {
        let each_vertex = match self.task {
            Task::Count => return 0,
            Task::List | Task::OnEdges | Task::Trusses => 5,
            Task::ByDirection => 65,
            _ => 17,
        };
        let records = self.threads * (THREAD + 8 * VERTEX_RECORD as u64);
        PROGRAM + self.vertices.saturating_mul(each_vertex) + records
    }
}

/// How much of a graph is in memory at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Entries of a bucket, which one thread sorts.
    pub bucket_entries: u64,
    /// Bytes of a bucket's buffer; each thread has one for each bucket.
    pub bucket_buffer: usize,
    /// Bytes of all buffers of a thread.
    pub buffers: usize,
    /// Bytes of the rows of a part.
    pub part_bytes: u64,
    /// Bytes of the bitmaps of a part's dense rows.
    pub hub_bytes: u64,
    /// Heads of a chunk, which is what a thread reads of the rows at a time.
    pub chunk_heads: usize,
    /// Rows of a chunk.
    pub chunk_rows: usize,
    /// Edges of what is left whose trusses are peeled in memory, at most.
    pub peeled_edges: u64,
    /// Edges of what is left among which core numbers are found in memory, at most.
    pub edges_with_cores: u64,
}

/// What counting out of core takes: with the edges in scratch files, and some of them in memory at a time. In a plan
/// all of it is predicted; in a count the parts and the scratch files are what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OutOfCore {
    /// Parts of the oriented graph that are in memory one after the other.
    pub parts: u64,
    /// Bytes of memory at the peak, at most.
    pub memory_bytes: u64,
    /// Bytes of scratch files at the peak.
    pub scratch_bytes: u64,
    /// The folder of the scratch files.
    pub scratch: PathBuf,
}

/// Bytes of a piece of a file, of which each thread parses one at a time.
pub fn piece(memory: u64, threads: u64) -> usize {
    (memory / (32 * threads.max(1))).clamp(64 << 10, 1 << 20) as usize
}

/// Blocks of ranks at most, whose table of buckets stays in a core's cache.
const MOST_BLOCKS: u64 = 1 << 20;

/// Bits of a rank within its block; a bucket has the tails of consecutive blocks. O(1).
pub fn block_bits(ranks: u32) -> u32 {
    u64::from(ranks).div_ceil(MOST_BLOCKS).next_power_of_two().ilog2()
}

/// Bytes of memory that degrees may take while entries are read: what the program and the pieces leave.
pub fn degree_bytes(memory: u64, threads: u64) -> u64 {
    let pieces = threads.saturating_mul(THREAD + 2 * piece(memory, threads) as u64);
    memory.saturating_sub(PROGRAM.saturating_add(pieces))
}

/// What is left of the memory beside the vertices.
fn beside(facts: &OutOfCoreFacts, each_vertex: u64, each_thread: u64) -> u64 {
    let taken = PROGRAM
        .saturating_add(facts.vertices.saturating_mul(each_vertex))
        .saturating_add(facts.threads.saturating_mul(THREAD + each_thread));
    facts.memory.saturating_sub(taken)
}

/// Bytes that an edge or a row of a piece takes in host memory, at most: where it starts, twice.
const OF_A_PIECE: u64 = 12;

/// Pieces that are in host memory at a time, and the numbers of one.
const PIECES: u64 = 4;

impl Sizes {
    /// Edges and rows of a piece that goes from a scratch file to a device, at most: they take no more than the rows of a part.
    pub fn piece_on_host(&self) -> u64 {
        self.part_bytes / (PIECES * OF_A_PIECE)
    }

    /// The sizes for a graph, or the bytes of memory that it needs at least. O(log memory).
    pub fn new(facts: &OutOfCoreFacts) -> Result<Sizes, u64> {
        let facts = facts.countable();
        let within = |memory| Sizes::within(&OutOfCoreFacts { memory, ..facts });
        within(facts.memory).ok_or_else(|| {
            let (mut least, mut most) = (facts.memory, facts.memory.max(1 << 20));
            while most < u64::MAX && within(most).is_none() {
                most = most.saturating_mul(2);
            }
            // To a MiB.
            while most - least > 1 << 20 {
                let middle = least + (most - least) / 2;
                match within(middle) {
                    Some(_) => most = middle,
                    None => least = middle,
                }
            }
            most
        })
    }

    fn within(facts: &OutOfCoreFacts) -> Option<Sizes> {
        const LEAST_BUFFER: u64 = 4 << 10;
        let OutOfCoreFacts { entries, threads, memory, .. } = *facts;
        let records = 2 * piece(memory, threads) as u64;
        // Clean: a bucket for each thread. Its entries are bounded by degrees, of which there are two an entry.
        // Edges in order: the same, and blocks that are written.
        let is_by_edge = facts.is_by_edge();
        let blocks = if is_by_edge { LISTED * LISTED_EDGES as u64 } else { 0 };
        let to_clean = beside(facts, facts.preparing(), CHUNK.max(blocks));
        // Larger ones serve graphs alone that would have too many.
        let most_entries = (1 << 22).max(entries >> 14);
        let bucket_entries = (to_clean / (threads * BUCKET_ENTRY)).min(most_entries);
        let buckets = (2 * entries) / bucket_entries.max(1) + 1;
        // Orient: the buffers of all buckets, and where each that was written is.
        let (records, entry) = if is_by_edge { (records.max(2 * CHUNK), 12) } else { (records, 8) };
        let to_orient = beside(facts, facts.preparing(), records) / 4 * 3;
        let bucket_buffer = (to_orient / threads / buckets).min(256 << 10) / 8 * 8;
        let written = (entry * entries) / bucket_buffer.max(1) * RECORD;
        // Count: a part, its bitmaps, and a chunk and a bitmap for each thread.
        let FindingBytes { each_vertex, each_thread } = facts.finding();
        let to_count = beside(facts, each_vertex, each_thread);
        let hub_bytes = to_count / 8;
        let part_bytes = (to_count - hub_bytes) / facts.bytes_of_four() * 4;
        let is_enough = facts.vertices.saturating_mul(4) <= degree_bytes(memory, threads)
            && bucket_entries >= 1 << 12
            && buckets <= u64::from(u16::MAX)
            && bucket_buffer >= LEAST_BUFFER
            && written <= to_orient / 3
            && part_bytes >= 2 * CHUNK
            && facts.without_edges() <= memory;
        let bucket_buffer = bucket_buffer as usize;
        is_enough.then_some(Sizes {
            bucket_entries,
            bucket_buffer,
            buffers: bucket_buffer * buckets as usize,
            part_bytes,
            hub_bytes,
            chunk_heads: CHUNK_HEADS,
            chunk_rows: CHUNK_ROWS,
            peeled_edges: edges_to_peel(memory, facts.vertices),
            edges_with_cores: to_count.saturating_sub(CORED_RANK * facts.vertices) / CORED_EDGE,
        })
    }
}

impl OutOfCore {
    /// What counting takes within some memory, or the bytes that it needs at least.
    pub fn predicted(facts: &OutOfCoreFacts) -> Result<OutOfCore, u64> {
        let facts = &facts.countable();
        let sizes = Sizes::new(facts)?;
        let rows = 4 * facts.entries + 8 * facts.vertices;
        let parts = rows.div_ceil(sizes.part_bytes).max(1);
        // Files go as soon as they were read, but some are written meanwhile.
        let vertices = match facts.task {
            Task::Count => 0,
            _ => 8 * facts.vertices,
        };
        let entries = 8 * facts.entries + facts.threads * SEGMENT.min(8 * facts.entries);
        let edges = match facts.task {
            // Rows, their numbers, and edges in buckets. While trusses are peeled, as much: all rows, those that are left before and
            // after a walk, their triangles, and trussness.
            Task::OnEdges | Task::Trusses => 20 * facts.entries,
            _ => 0,
        };
        let scratch = entries.max(edges) + vertices;
        Ok(OutOfCore::took(facts, parts, rows, scratch))
    }

    /// What counting took in this many parts of rows that take `rows` bytes.
    pub fn took(facts: &OutOfCoreFacts, parts: u64, rows: u64, scratch_bytes: u64) -> OutOfCore {
        let facts = &facts.countable();
        let part = rows.div_ceil(parts.max(1));
        let FindingBytes { each_vertex, each_thread } = facts.finding();
        let counting = PROGRAM
            + each_vertex * facts.vertices
            + part / 4 * facts.bytes_of_four()
            + part / 2
            + facts.threads * (THREAD + each_thread);
        let sizes = Sizes::new(facts);
        let buckets = sizes.map_or(0, |sizes| sizes.bucket_entries.min(2 * facts.entries));
        let sorting = PROGRAM
            + facts.preparing() * facts.vertices
            + facts.threads * (THREAD + CHUNK + BUCKET_ENTRY * buckets);
        let memory_bytes = match facts.task {
            // Neighbourhoods fill what there is, as far as they do.
            Task::Cliques | Task::CliquesAtVertices => facts.memory,
            _ => counting.max(sorting).max(facts.without_edges()).min(facts.memory),
        };
        OutOfCore { parts, memory_bytes, scratch_bytes, scratch: PathBuf::new() }
    }

    /// Why the rows are cut so, as it is printed.
    pub fn reason(&self, memory: u64) -> Reason {
        let text = format!(
            "{} of {} bytes hold one of {} parts of the rows; {} bytes of scratch files",
            self.memory_bytes, memory, self.parts, self.scratch_bytes
        );
        Reason::new(true, text)
    }
}

/// Bytes of host memory for each edge while the CPU peels trusses: its rows and what is found, the triangles on it, its ends and place,
/// the neighbours of both directions, and bitmaps.
const PEELED_EDGE: u64 = 64;

/// Bytes of host memory for each rank while the CPU peels trusses.
const PEELED_RANK: u64 = 48;

/// Bytes of host memory that the CPU takes to peel the trusses of a graph in memory.
pub fn bytes_to_peel(edges: u64, ranks: u64) -> u64 {
    PROGRAM + PEELED_EDGE * countable(edges) + PEELED_RANK * countable(ranks)
}

/// Bytes of host memory for each edge while core numbers are found: its head, and its tail among the ranks above.
const CORED_EDGE: u64 = 8;

/// Bytes of host memory for each rank while core numbers are found: where its row begins, its vertex, its degree and place while
/// ranks go, and what is found.
const CORED_RANK: u64 = 48;

/// Edges at most that the CPU peels within some bytes of memory. It tells them apart in 32 bits.
fn edges_to_peel(memory: u64, ranks: u64) -> u64 {
    let left = memory.saturating_sub(bytes_to_peel(0, ranks));
    (left / PEELED_EDGE).min(u32::MAX.into())
}

/// Where the edges are while they are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Residence {
    /// All of them in memory.
    InMemory,
    /// In scratch files, and some of them in memory at a time.
    OutOfCore,
}

/// Where the edges of a graph are that takes `needed` bytes in memory, of which `limit` may be used: because that
/// was asked for, or because they are free. O(1).
pub fn residence(needed: HostMemory, limit: u64, is_asked: bool) -> Chosen<Residence> {
    let what = match is_asked {
        true => "bytes of memory, of those that may be used",
        false => "bytes of memory, of those that are free",
    };
    let fits = Reason::whole_at_most(needed.most, what, limit);
    Rules::unbounded()
        .rule("in memory", Residence::InMemory, 0, vec![fits])
        .or("out of core", Residence::OutOfCore)
}

/// A folder that scratch files could go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScratchPlace {
    /// The folder.
    pub path: PathBuf,
    /// Free bytes of its file system; `None` where the system does not say.
    pub free: Option<u64>,
    /// Whether its files are in memory, so that they would save none.
    pub is_in_memory: bool,
}

/// Where scratch files of `needed` bytes go: to the folder that was asked for, or to the first of the system's that
/// is on a disk and has room. An error says what is missing.
pub fn scratch_place(
    asked: Option<ScratchPlace>,
    system: &[ScratchPlace],
    needed: u64,
) -> Result<PathBuf, Message> {
    let has_room = |place: &&ScratchPlace| place.free.is_none_or(|free| needed <= free);
    let place = match &asked {
        Some(place) => Some(place).filter(has_room),
        None => system.iter().filter(|place| !place.is_in_memory).find(has_room),
    };
    if let Some(place) = place {
        return Ok(place.path.clone());
    }
    let told = |place: &ScratchPlace| {
        let path = place.path.display();
        match place.free {
            _ if place.is_in_memory && asked.is_none() => format!("{path} is in memory"),
            Some(free) => format!("{path} has {free} free"),
            None => format!("{path} has too few"),
        }
    };
    let places = asked.as_ref().map_or(system, std::slice::from_ref);
    let places = places.iter().map(told).collect::<Vec<_>>().join(" and ");
    let message = format!("about {needed} bytes of scratch files are needed, and {places}");
    Err(Message::from(message).with_hint(hint::SCRATCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn facts(entries: u64, vertices: u64, memory: u64, threads: u64) -> OutOfCoreFacts {
        OutOfCoreFacts { entries, vertices, memory, threads, task: Task::Count }
    }

    /// The border where the numbers of all vertices fit, from both sides.
    #[test]
    fn numbers_of_vertices_take_memory_of_their_own() {
        let count = facts(1 << 26, 1 << 24, 320 << 20, 2);
        assert!(Sizes::new(&count).is_ok());
        let at = |task, memory| Sizes::new(&OutOfCoreFacts { task, memory, ..count });
        for (task, each_vertex, each_entry) in [
            (Task::AtVertices, 17, 0),
            (Task::ByDirection, 65, 0),
            (Task::List, 5, 0),
            (Task::OnEdges, 5, 20),
            (Task::Trusses, 5, 20),
        ] {
            let needed = at(task, 1 << 20).unwrap_err();
            assert!(needed >= each_vertex << 24, "{task:?}: {needed}");
            assert!(at(task, needed).is_ok() && at(task, needed - (2 << 20)).is_err(), "{task:?}");
            let facts = OutOfCoreFacts { task, memory: needed, ..count };
            let plan = OutOfCore::predicted(&facts).unwrap();
            assert!(plan.memory_bytes <= needed && plan.memory_bytes >= each_vertex << 24);
            let counted = OutOfCore::predicted(&OutOfCoreFacts { memory: needed, ..count });
            let scratch = counted.unwrap().scratch_bytes.max(each_entry << 26) + (8 << 24);
            assert_eq!(plan.scratch_bytes, scratch);
        }
    }

    #[test]
    fn pieces_for_a_device_fit_what_holds_a_part() {
        let sizes = Sizes::new(&facts(1 << 26, 1 << 20, GIB, 2)).unwrap();
        let piece = sizes.piece_on_host();
        assert!(PIECES * OF_A_PIECE * piece <= sizes.part_bytes);
        assert!(PIECES * OF_A_PIECE * (piece + 1) > sizes.part_bytes);
    }

    #[test]
    fn blocks_are_few_enough_for_a_cache() {
        for (ranks, bits) in [(0, 0), (1, 0), (1 << 20, 0), ((1 << 20) + 1, 1), (u32::MAX, 12)] {
            assert_eq!(block_bits(ranks), bits, "{ranks}");
            assert!(u64::from(ranks).div_ceil(1 << bits) <= MOST_BLOCKS);
        }
    }

    #[test]
    fn parts_grow_as_memory_shrinks() {
        for (entries, vertices, memory, threads, parts) in [
            // Nothing, and what fits at once.
            (0, 0, GIB, 1, 1),
            (1 << 20, 1 << 16, GIB, 2, 1),
            // 2 GB of text of an R-MAT graph of scale 23 in ever less memory.
            (134_217_728, 1 << 23, 2 * GIB, 2, 1),
            (134_217_728, 1 << 23, 512 << 20, 2, 2),
            (134_217_728, 1 << 23, 256 << 20, 2, 3),
            (134_217_728, 1 << 23, 128 << 20, 2, 6),
            // 20 GB of text, and more edges than 32 bits count.
            (1_500_000_000, 1 << 26, 20 * GIB, 16, 1),
            (17_000_000_000, 1 << 30, 24 * GIB, 64, 4),
        ] {
            let facts = facts(entries, vertices, memory, threads);
            let plan = OutOfCore::predicted(&facts).unwrap();
            assert_eq!(plan.parts, parts, "{facts:?}");
            assert!(plan.memory_bytes <= memory, "{facts:?}");
            assert!(plan.scratch_bytes >= 8 * entries, "{facts:?}");
        }
    }

    #[test]
    fn too_little_memory_is_said_with_how_much_is_needed() {
        for (entries, vertices, memory, threads) in [
            (1 << 20, 1 << 16, 0, 1),
            (1 << 20, 1 << 16, 4 << 20, 4),
            (1 << 30, 1 << 30, 4 * GIB, 2),
            (1 << 40, 1 << 20, 16 << 20, 2),
        ] {
            let facts = facts(entries, vertices, memory, threads);
            let needed = Sizes::new(&facts).unwrap_err();
            assert!(needed > memory.max(4 * vertices), "{facts:?}");
            let enough = OutOfCoreFacts { memory: needed, ..facts };
            assert!(Sizes::new(&enough).is_ok(), "{facts:?}");
            let less = OutOfCoreFacts { memory: needed - (2 << 20), ..facts };
            // Pieces grow with memory: where buffers take most of it, a little less may do as well.
            assert!(entries == 1 << 40 || Sizes::new(&less).is_err(), "{facts:?}");
        }
    }

    /// What a header says may be any number.
    #[test]
    fn no_number_of_entries_or_vertices_is_too_large() {
        let tasks = [Task::Count, Task::AtVertices, Task::List, Task::OnEdges, Task::ByDirection];
        for (entries, vertices) in [(u64::MAX, 0), (0, u64::MAX), (u64::MAX, u64::MAX)] {
            for task in tasks {
                for threads in [1, 1 << 16] {
                    let facts =
                        OutOfCoreFacts { task, ..facts(entries, vertices, 1 << 10, threads) };
                    let needed = OutOfCore::predicted(&facts).unwrap_err();
                    let facts = OutOfCoreFacts { memory: needed, ..facts };
                    let plan = OutOfCore::predicted(&facts).unwrap();
                    let least = 8 * entries.min(1 << 54);
                    assert!(plan.scratch_bytes >= least, "{facts:?}: {plan:?}");
                    assert!(needed >= 4 * vertices.min(1 << 54), "{facts:?}");
                }
            }
        }
    }

    #[test]
    fn pieces_are_small_where_memory_is() {
        assert_eq!(piece(GIB, 2), 1 << 20);
        assert_eq!(piece(32 << 20, 4), 256 << 10);
        assert_eq!(piece(0, 0), 64 << 10);
    }

    #[test]
    fn what_fits_stays_in_memory() {
        let needed = HostMemory { least: 50, most: 100 };
        let choice = |limit, is_asked| {
            let chosen = residence(needed, limit, is_asked);
            let reasons = chosen.rejected.first().map(|rejected| rejected.because[0].to_string());
            (chosen.choice, reasons)
        };
        assert_eq!(choice(100, false), (Residence::InMemory, None));
        let why = "100 bytes of memory, of those that are free, at most 99".to_owned();
        assert_eq!(choice(99, false), (Residence::OutOfCore, Some(why)));
        let why = "100 bytes of memory, of those that may be used, at most 0".to_owned();
        assert_eq!(choice(0, true), (Residence::OutOfCore, Some(why)));
    }

    #[test]
    fn scratch_files_go_where_there_is_room() {
        let place = |path: &str, free: Option<u64>, is_in_memory: bool| ScratchPlace {
            path: path.into(),
            free,
            is_in_memory,
        };
        let system = [place("/tmp", Some(1_000), true), place("/var/tmp", Some(500), false)];
        let chosen = |asked: Option<ScratchPlace>, needed| {
            scratch_place(asked, &system, needed)
                .map(|path| path.display().to_string())
                .map_err(|message| message.problem().to_owned())
        };
        assert_eq!(chosen(None, 500), Ok("/var/tmp".into()));
        let full = "about 501 bytes of scratch files are needed, and /tmp is in memory and /var/tmp has 500 free";
        assert_eq!(chosen(None, 501), Err(full.into()));
        let asked = |free| Some(place("/disk", free, false));
        assert_eq!(chosen(asked(Some(7)), 7), Ok("/disk".into()));
        assert_eq!(chosen(asked(None), 7), Ok("/disk".into()));
        let full = "about 8 bytes of scratch files are needed, and /disk has 7 free";
        assert_eq!(chosen(asked(Some(7)), 8), Err(full.into()));
        // Who asks for memory gets it.
        assert_eq!(chosen(Some(place("/ram", Some(9), true)), 8), Ok("/ram".into()));
    }
}
