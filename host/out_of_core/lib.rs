//! Working out of core: the edges are in scratch files, and some of them in memory at a time.
//!
//! | step | what happens | module |
//! | --- | --- | --- |
//! | read | entries go to scratch files as they come; degrees are counted | `spill`, `degrees` |
//! | | ids with wide gaps are numbered | `numbering` |
//! | orient | vertices are ranked; every entry goes to the bucket of its tail | `distribute` |
//! | clean | each bucket becomes sorted rows without duplicates | `clean`, `rows` |
//! | count | one part of the rows after the other is in memory, the rows behind it come past | `count` |
//! | | the same, with a counter for each vertex | `vertices`, `kept` |
//! | | the same, with every triangle | `list`, `kept` |
//! | | the same, with a counter for each edge, and then sorted bucket by bucket | `support`, `edges` |
//! | | the same by a device, which has one part of the rows after the other | `on_device` |
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
mod count;
mod degrees;
pub mod disk;
mod distribute;
mod edges;
#[cfg(test)]
mod faults;
mod kept;
mod list;
mod look;
mod numbering;
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
mod vertices;
mod workers;

use tribin_analytics as analytics;
use tribin_base::control;
use tribin_graph::{self as graph};
use tribin_plan as plan;

use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use clean::clean;
use distribute::distribute;
use kept::DiskVertices;
pub use look::look;
pub use on_disk::OnDisk;
use rows::RowFile;
pub use scratch::Scratch;
use spill::{Spill, Spilled};
use tribin_base::control::memory::NoMemory;
use tribin_base::control::{Context, Phase, memory};
use tribin_base::par;
use tribin_base::{Error, Hint, Message, Result};
use tribin_count::{EngineCount, EngineSeconds};
use tribin_cpu::prepare::ranking::{DegreesByRank, replace_by_ranks};
use tribin_graph::{EdgeSource, EntryIds, Summary, VertexIds, Visited};
use tribin_graph::{MOST_VERTICES, is_wasteful};
use tribin_parts::{FoundInParts, PartsOnDevice};
use tribin_plan::{OutOfCore, OutOfCoreFacts, Sizes, Task, degree_bytes, piece};

/// The result of counting out of core.
pub struct OutOfCoreCount {
    /// The count; reading is no part of its times.
    pub found: EngineCount,
    /// From the first byte of the source to its last.
    pub read: Duration,
    /// What the source said.
    pub visited: Visited,
    /// What the work really took: the parts, and the bytes of scratch files.
    pub took: OutOfCore,
    /// What the device that counted has to say; `None` where the CPU counted.
    pub on_device: Option<FoundInParts>,
}

/// A device that may count, and who says whether the CPU goes on where it failed.
#[derive(Clone, Copy)]
pub struct Counter<'c> {
    /// The device; `None` where the CPU counts.
    pub device: Option<&'c dyn PartsOnDevice>,
    /// Whether the CPU goes on after this error.
    pub may_fall_back: &'c (dyn Fn(&Error) -> bool + Sync),
}

impl Counter<'_> {
    /// The CPU alone.
    #[cfg(test)]
    pub const CPU: Counter<'static> = Counter { device: None, may_fall_back: &|_| false };

    /// Lets the device find something, or the CPU, to which `None` goes.
    pub fn find<T>(
        &self,
        mut find: impl FnMut(Option<&dyn PartsOnDevice>) -> Result<T>,
    ) -> Result<T> {
        match find(self.device) {
            Err(error) if self.device.is_some() && (self.may_fall_back)(&error) => find(None),
            found => found,
        }
    }
}

/// Sizes and limits that a test may set by hand.
#[derive(Default)]
struct Overrides {
    sizes: Option<Sizes>,
    piece: Option<usize>,
}

/// Counts the triangles of a source within `memory` bytes of memory, on the current rayon pool, or on a device.
///
/// # Errors
/// What the source and the system report, [`Error::Cancelled`], and where the vertices do not fit the memory.
pub fn count(
    source: &dyn EdgeSource,
    scratch: &Scratch,
    memory: u64,
    counter: &Counter<'_>,
    context: &Context,
) -> Result<OutOfCoreCount> {
    count_with((source, scratch, memory), counter, &Overrides::default(), context)
        .map_err(|error| error.of(source.name()))
}

fn count_with(
    (source, scratch, memory): (&dyn EdgeSource, &Scratch, u64),
    counter: &Counter<'_>,
    overrides: &Overrides,
    context: &Context,
) -> Result<OutOfCoreCount> {
    let on_disk = (scratch, memory, Task::Count);
    let prepared = prepare(source, on_disk, overrides, context)?;
    let RowsOnDisk { rows, summary, sizes, .. } = &prepared;
    let start = Instant::now();
    context.phase(Phase::Count);
    let (triangles, parts, on_device) = counter.find(|device| {
        let Some(device) = device else {
            let (triangles, parts) = count::count(rows, sizes, context)?;
            return Ok((triangles, parts, None));
        };
        let found = on_device::count(device, rows, sizes, context)?;
        Ok((found.triangles, found.parts, Some(found)))
    })?;
    context.cancel().check()?;
    let seconds = EngineSeconds { count: start.elapsed().as_secs_f64(), ..prepared.seconds };
    let took = OutOfCore::took(&prepared.facts, parts, rows.bytes(), scratch.most_bytes());
    let found = EngineCount { triangles, summary: *summary, seconds, ..EngineCount::default() };
    let RowsOnDisk { read, visited, .. } = prepared;
    Ok(OutOfCoreCount { found, read, visited, took, on_device })
}

/// A graph whose rows are on disk.
struct RowsOnDisk<'s> {
    rows: RowFile<'s>,
    summary: Summary,
    /// The vertices, where they are to be named.
    kept: Option<DiskVertices>,
    facts: OutOfCoreFacts,
    sizes: Sizes,
    /// What the source said.
    visited: Visited,
    /// From the first byte of the source to its last.
    read: Duration,
    /// What orienting and cleaning took.
    seconds: EngineSeconds,
}

/// Reads, orients and cleans.
fn prepare<'s>(
    source: &dyn EdgeSource,
    (scratch, memory, task): (&'s Scratch, u64, Task),
    overrides: &Overrides,
    context: &Context,
) -> Result<RowsOnDisk<'s>> {
    let threads = par::threads() as u64;
    let keeps = task != Task::Count;
    let start = Instant::now();
    let piece = overrides.piece.unwrap_or_else(|| piece(memory, threads));
    let for_degrees = degree_bytes(memory, threads);
    let spill = |name| Spill::new(scratch, name, (piece / 4).max(1), for_degrees);
    let taken = spill("entries");
    let visited = source.visit(piece, &taken)?;
    context.cancel().check()?;
    let mut spilled = taken.finish();
    let read = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Orient);
    // Vertices that are named are called as in memory, and are as many.
    let called = keeps.then(|| Called::of(&visited.ids, spilled.bound, spilled.entries));
    if let Some(called) = &called {
        spilled.bound = called.bound;
    }
    let is_numbered = called.as_ref().is_some_and(|called| called.is_numbered);
    let bound_fits = spilled.bound <= u64::from(u32::MAX) && !is_numbered;
    let mut degrees = None;
    if bound_fits {
        let counted = std::mem::replace(&mut spilled.degrees, degrees::Degrees::within(0));
        degrees = counted.finish(spilled.bound);
    }
    let refuse = |needed| {
        let message = too_little(needed, memory);
        Error::Input { file: String::new(), message }
    };
    let mut table = None;
    if degrees.is_none() {
        let Spilled { entries, bound: vertices, .. } = spilled;
        // Numbers of ids without wide gaps would take more than the degrees, for which there is no room.
        if bound_fits && (called.is_some() || !is_wasteful(vertices, entries as usize)) {
            let facts = OutOfCoreFacts { entries, vertices, memory, threads, task };
            return Err(Sizes::new(&facts)
                .map_or_else(refuse, |_| no_memory(NoMemory { bytes: 4 * vertices })));
        }
        let numbered = spill("numbered");
        let (all, ids) = numbering::number(spilled, numbered, (source.name(), keeps), context)?;
        spilled = all;
        table = keeps.then_some(ids);
        let counted = std::mem::replace(&mut spilled.degrees, degrees::Degrees::within(0));
        degrees = counted.finish(spilled.bound);
    }
    memory::give_back();
    let Spilled { segments, entries, self_loops, bound, .. } = spilled;
    let facts = OutOfCoreFacts { entries, vertices: bound, memory, threads, task };
    let sizes = match overrides.sizes {
        Some(sizes) => sizes,
        None => Sizes::new(&facts).map_err(refuse)?,
    };
    let mut ranks = degrees.ok_or_else(|| no_memory(NoMemory { bytes: 4 * bound }))?;
    let by_rank = replace_by_ranks(&mut ranks);
    // Degrees that passed 2³² may seem to be 0.
    let has_wrapped = 2 * entries >= 1 << 32;
    let connected = if has_wrapped { bound as u32 } else { by_rank.connected() };
    let mut kept = None;
    if let Some(called) = called {
        let all = table.as_ref().map(|table| table.len() as u64);
        kept = Some(DiskVertices {
            bound: bound as usize,
            all: called.declared.or(all),
            ids: called.ids(table),
            looped: kept::Looped::none_of(bound as usize)?,
            ranks: kept::write_ranks(&ranks, scratch, context)?,
            degrees: Vec::new(),
        });
    }
    let looped = kept.as_ref().map(|kept| &kept.looped);
    let of_ranks = (&ranks[..], &by_rank, connected);
    let buckets = distribute(segments, of_ranks, looped, (scratch, &sizes), context)?;
    drop(ranks);
    memory::give_back();
    let orient = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Clean);
    let degrees = counters(&by_rank, connected)?;
    let (rows, mut summary) = clean(buckets, &degrees, (scratch, &sizes), context)?;
    if let Some(kept) = &mut kept {
        kept.degrees = kept::write_degrees(degrees, scratch, context)?;
    } else {
        drop(degrees);
    }
    memory::give_back();
    summary.self_loops_dropped = self_loops;
    let seconds = EngineSeconds {
        orient: orient.as_secs_f64(),
        clean: start.elapsed().as_secs_f64(),
        ..EngineSeconds::default()
    };
    Ok(RowsOnDisk { rows, summary, kept, facts, sizes, visited, read, seconds })
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
    message.with_hint(Hint::MoreMemory)
}
