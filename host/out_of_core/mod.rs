//! Counting out of core: the edges are in scratch files, and some of them in memory at a time.
//!
//! | step | what happens | module |
//! | --- | --- | --- |
//! | read | entries go to scratch files as they come; degrees are counted | `spill`, `degrees` |
//! | | ids with wide gaps are numbered | `numbering` |
//! | orient | vertices are ranked; every entry goes to the bucket of its tail | `distribute` |
//! | clean | each bucket becomes sorted rows without duplicates | `clean`, `rows` |
//! | count | one part of the rows after the other is in memory, the rows behind it come past | `count` |
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

mod clean;
mod count;
mod degrees;
pub(crate) mod disk;
mod distribute;
#[cfg(test)]
mod faults;
mod numbering;
mod rows;
mod scratch;
mod spill;
#[cfg(test)]
mod tests;
mod workers;

use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::control::{Context, Phase, memory};
use crate::count::{EngineCount, EngineSeconds};
use crate::graph::{EdgeSource, Visited};
use crate::plan::{OutOfCore, OutOfCoreFacts, Sizes, piece};
use crate::prepare::cpu::ranking::{DegreesByRank, replace_by_ranks};
use crate::{Error, Hint, Message, Result};
use clean::clean;
use distribute::distribute;
pub(crate) use scratch::Scratch;
use spill::{Spill, Spilled};

/// What counting out of core found.
pub(crate) struct Counted {
    /// The count; reading is no part of its times.
    pub found: EngineCount,
    /// From the first byte of the source to its last.
    pub read: Duration,
    /// What the source said.
    pub visited: Visited,
    /// Wedges of the oriented graph.
    pub wedges: u64,
    /// What it really took: the parts, and the bytes of scratch files.
    pub took: OutOfCore,
}

/// What a test may set by hand.
#[derive(Default)]
struct Overrides {
    sizes: Option<Sizes>,
    piece: Option<usize>,
}

/// Counts the triangles of a source within `memory` bytes of memory, on the current rayon pool.
///
/// # Errors
/// What the source and the system report, [`Error::Cancelled`], and where the vertices do not fit the memory.
pub(crate) fn count(
    source: &dyn EdgeSource,
    scratch: &Scratch,
    memory: u64,
    context: &Context,
) -> Result<Counted> {
    count_with(source, scratch, memory, &Overrides::default(), context)
        .map_err(|error| error.of(source.name()))
}

fn count_with(
    source: &dyn EdgeSource,
    scratch: &Scratch,
    memory: u64,
    overrides: &Overrides,
    context: &Context,
) -> Result<Counted> {
    let threads = rayon::current_num_threads() as u64;
    let start = Instant::now();
    let piece = overrides.piece.unwrap_or_else(|| piece(memory, threads));
    // What other steps need beside the vertices is less.
    let spill = |name| Spill::new(scratch, name, (piece / 4).max(1), memory / 10 * 6);
    let taken = spill("entries");
    let visited = source.visit(piece, &taken)?;
    context.cancel().check()?;
    let mut spilled = taken.finish();
    let read = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Orient);
    let bound_fits = spilled.bound <= u64::from(u32::MAX);
    let mut degrees = None;
    if bound_fits {
        let counted = std::mem::replace(&mut spilled.degrees, degrees::Degrees::within(0));
        degrees = counted.finish(spilled.bound);
    }
    if degrees.is_none() {
        spilled = numbering::number(spilled, spill("numbered"), source.name(), context)?;
        let counted = std::mem::replace(&mut spilled.degrees, degrees::Degrees::within(0));
        degrees = counted.finish(spilled.bound);
    }
    memory::give_back();
    let Spilled { segments, entries, self_loops, bound, .. } = spilled;
    let facts = OutOfCoreFacts { entries, vertices: bound, memory, threads };
    let sizes = match overrides.sizes {
        Some(sizes) => sizes,
        None => Sizes::new(&facts).map_err(|needed| {
            let message = too_little(needed, memory);
            Error::Input { file: String::new(), message }
        })?,
    };
    let mut ranks = degrees.ok_or_else(|| no_memory(4 * bound))?;
    let by_rank = replace_by_ranks(&mut ranks);
    // Degrees that passed 2³² may seem to be 0.
    let has_wrapped = 2 * entries >= 1 << 32;
    let connected = if has_wrapped { bound as u32 } else { by_rank.connected() };
    let buckets = distribute(segments, (&ranks, &by_rank, connected), (scratch, &sizes), context)?;
    drop(ranks);
    memory::give_back();
    let orient = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Clean);
    let degrees = counters(&by_rank, connected)?;
    let (rows, mut summary) = clean(buckets, &degrees, (scratch, &sizes), context)?;
    drop(degrees);
    memory::give_back();
    summary.self_loops_dropped = self_loops;
    let clean = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Count);
    let (triangles, parts) = count::count(&rows, &sizes, context)?;
    context.cancel().check()?;
    let seconds = EngineSeconds {
        orient: orient.as_secs_f64(),
        clean: clean.as_secs_f64(),
        count: start.elapsed().as_secs_f64(),
        ..EngineSeconds::default()
    };
    let took = OutOfCore::took(&facts, parts, rows.bytes(), scratch.most_bytes());
    let found = EngineCount { triangles, summary, seconds, ..EngineCount::default() };
    Ok(Counted { found, read, visited, wedges: rows.wedges(), took })
}

/// The degrees of the ranks that can have edges, to be counted down.
fn counters(by_rank: &DegreesByRank, connected: u32) -> Result<Vec<AtomicU32>> {
    const CHUNK: usize = 1 << 18;
    let mut degrees: Vec<u32> =
        memory::zeroed(connected as usize).map_err(|refused| no_memory(refused.bytes))?;
    degrees.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, degrees)| {
        let first = (chunk * CHUNK) as u32;
        degrees.iter_mut().zip(by_rank.from(first)).for_each(|(own, degree)| *own = degree);
    });
    // In the same memory.
    Ok(degrees.into_iter().map(AtomicU32::new).collect())
}

/// Memory that the system refused, although it was planned.
fn no_memory(bytes: u64) -> Error {
    memory::NoMemory { bytes }.into()
}

/// Less memory than any cut needs.
pub(crate) fn too_little(needed: u64, memory: u64) -> Message {
    let message = Message::from(format!(
        "{needed} bytes of memory are needed to count it out of core, and {memory} may be used"
    ));
    message.with_hint(Hint::MoreMemory)
}
