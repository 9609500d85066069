//! Working out of core: the edges are in scratch files, and some of them in memory at a time.
//!
//! | step | what happens | module |
//! | --- | --- | --- |
//! | read | entries go to scratch files as they come; degrees are counted from there | `spill` |
//! | | ids with wide gaps are numbered | `numbering` |
//! | orient | vertices are ranked; every entry goes to the bucket of its tail | `distribute` |
//! | clean | each bucket becomes sorted rows without duplicates | `clean`, `rows` |
//! | find | one part of the rows after the other is in memory, the rows behind it come past: with a counter, one for each rank or each edge | `past`, `on_cpu` |
//! | | the same by a device, which has one part of the rows after the other | `on_device` |
//! | | the same, with every triangle | `list` |
//! | | cliques: the neighbourhoods of some rows are in memory, and one part of the rows after the other comes past | `cliques` |
//! | | the same, by the directions of edges | `directed` |
//! | | core numbers: passes that take away ranks, until memory finds the rest | `cores` |
//! | | trusses: walks over what is left of the edges, until memory peels the rest | `truss` |
//! | | what was found, in the order of the vertices | `vertices`, `kept`, `support`, `edges` |
//!
//! How large pieces, buckets and parts are, `plan/out_of_core.rs` says.
//!
//! **Why parts are ranges of ranks.** A part is the rows of consecutive ranks a₀ ≤ a < a₁, and every row u > a₀ is
//! read past it, whole. So each pair of rows u → a is intersected once, by the same code as in memory, whatever
//! the number of parts p; and since only rows behind a part come past it, (p + 1) / 2 times the graph is read
//! altogether. A grid of n × n blocks by (tail mod n, head mod n), of which a task has three, holds a block of
//! m / n² edges and reads (2n + 1) times the graph where the two others are streamed. For the same memory,
//! p = n²: the grid reads 5 where parts read 2.5 (n = 2), 7 where they read 5 (n = 3), and 9 where they read 8.5
//! (n = 4); and it looks every pair of rows up n times. Beyond 16 parts the grid would read less. But the ranks of
//! the vertices are in memory, 4 bytes each, so that a graph with d edges a vertex is never cut into more than
//! about d parts, and 16 is what most graphs have.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod clean;
mod cliques;
mod cores;
mod directed;
pub mod disk;
mod distribute;
mod edges;
mod kept;
mod list;
mod numbering;
mod on_cpu;
mod on_device;
mod on_disk;
mod past;
mod pile;
mod rows;
mod scratch;
mod spill;
mod support;
#[cfg(test)]
mod tests;
mod truss;
mod workers;

use tribin_analytics as analytics;
use tribin_base::control;
use tribin_graph::{self as graph};
use tribin_plan as plan;

use std::sync::atomic::AtomicU32;

use clean::clean;
use distribute::distribute;
use kept::DiskVertices;
pub use on_disk::OnDisk;
pub use scratch::Scratch;
use tribin_base::control::memory::{self, NoMemory};
use tribin_base::par;
use tribin_base::{Error, Message, Result, hint};
use tribin_cpu::prepare::ranking::DegreesByRank;
use tribin_graph::{EntryIds, MOST_VERTICES, VertexIds, is_wasteful};
use tribin_plan::Sizes;

/// Sizes and limits that a test may set by hand.
#[derive(Default)]
struct Overrides {
    sizes: Option<Sizes>,
    piece: Option<usize>,
}

/// The rule for the ids of vertices: that of a graph in memory.
struct Called {
    /// One more than the largest id that is handed over, or could be.
    bound: u64,
    declared: Option<u64>,
    /// Whether ids are out of proportion to the entries, so that those that occur are numbered.
    is_numbered: bool,
    source: EntryIds,
}

impl Called {
    fn of(ids: &EntryIds, bound: u64, entries: u64) -> Called {
        let declared = match ids {
            EntryIds::FromOne { declared } | EntryIds::Indexes { declared, .. } => *declared,
            EntryIds::AsTheyAre | EntryIds::Names => None,
        };
        let bound = match ids {
            EntryIds::Indexes { ids, .. } => ids.bound() as u64,
            EntryIds::FromOne { declared: Some(declared) } => *declared,
            _ => bound,
        };
        let has_own = matches!(ids, EntryIds::AsTheyAre | EntryIds::FromOne { .. });
        let is_numbered =
            has_own && (bound > MOST_VERTICES || is_wasteful(bound, entries as usize));
        Called { bound, declared, is_numbered, source: ids.clone() }
    }

    /// What the vertices are called, of which some have a table.
    fn ids(self, table: Option<Vec<u64>>) -> Option<VertexIds> {
        let bound = self.bound as u32;
        match (self.source, table) {
            (EntryIds::AsTheyAre, None) => Some(VertexIds::Identity { bound }),
            (EntryIds::AsTheyAre, Some(table)) => Some(VertexIds::Table(table)),
            (EntryIds::FromOne { .. }, None) => Some(VertexIds::OneBased { bound }),
            (EntryIds::FromOne { .. }, Some(mut table)) => {
                par::for_each(table.chunks_mut(par::BLOCK), |ids| {
                    ids.iter_mut().for_each(|id| *id += 1);
                });
                Some(VertexIds::Table(table))
            }
            (EntryIds::Indexes { ids, .. }, _) => Some(ids),
            (EntryIds::Names, _) => None,
        }
    }
}

/// The degrees of the ranks that can have edges, to be counted down.
fn counters(by_rank: &DegreesByRank, connected: u32) -> Result<Vec<AtomicU32>> {
    const CHUNK: usize = 1 << 18;
    let mut degrees: Vec<u32> = memory::zeroed(connected as usize).map_err(no_memory)?;
    par::for_each(degrees.chunks_mut(CHUNK).enumerate(), |(chunk, degrees)| {
        let first = (chunk * CHUNK) as u32;
        degrees.iter_mut().zip(by_rank.from(first)).for_each(|(own, degree)| *own = degree);
    });
    // In the same memory.
    Ok(degrees.into_iter().map(AtomicU32::new).collect())
}

/// Memory that the system refused, although it was planned: scratch files are in use already, and are no advice.
fn no_memory(refused: NoMemory) -> Error {
    Error::Input { file: String::new(), message: refused.to_string().into() }
}

/// Less memory than any cut needs.
pub fn too_little(needed: u64, memory: u64) -> Message {
    let message = Message::from(format!(
        "{needed} bytes of memory are needed to count it out of core, and {memory} may be used"
    ));
    message.with_hint(hint::MORE_MEMORY)
}
