//! Counting a graph by several processes, the ranks of a job ([`crate::ranks`]).
//!
//! | step | what each rank does | what ranks bring each other | module |
//! | --- | --- | --- | --- |
//! | read | reads its share of the files | which files one rank has to read alone | `input` |
//! | | numbers ids with wide gaps | ids to the rank that their hash names, and numbers back | `numbering` |
//! | orient | counts degrees, ranks the vertices | degrees, summed | `degrees` |
//! | | turns its entries into pairs of ranks | each entry to the rank (tail mod p) | `rows` |
//! | clean | sorts its rows, drops duplicates | what duplicates take off the degrees; the rows, to all | `rows` |
//! | count | counts its share of the tasks | the figures, summed | this one |
//! | | or the triangles of its rows, where memory does not hold all | the rows, piece by piece | `pieces` |
//!
//! **The count is exact.** All ranks have the same degrees, and so the same order of the vertices. Every entry of an
//! edge goes to one rank, whichever rank has read it, so that duplicates meet there. All have the same rows, and
//! so the same tasks; each triangle is counted in the task of its largest rank, which one rank has. `pieces` says why that
//! holds for rows that come by.
//!
//! **Sums do not overflow.** The tasks' counts add up to the count of the whole graph, which stays below 2⁶³
//! ([`forward`]). Entries, edges and wedges add up to what one process would count in the same
//! widths. Degrees are summed modulo 2³², as in one process: a duplicate is taken off what it was added to.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod degrees;
mod input;
mod numbering;
mod pieces;
mod rows;

use tribin_base::control;
use tribin_graph::{self as graph};
use tribin_ranks as ranks;
use tribin_read as read;

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use tribin_base::control::{Context, Phase, memory};
use tribin_base::par;
use tribin_base::{Error, Hint, Message, Result};
use tribin_count::{EngineCount, EngineSeconds, OverRanks};
use tribin_cpu::forward;
use tribin_cpu::prepare::ranking::by_descending_degree;
use tribin_graph::{MOST_VERTICES, is_wasteful};
use tribin_graph::{OrientedGraph, OrientedRows, Reading, RowRange, Summary};
use tribin_plan::{RankFacts, RankLimit, on_a_rank};
use tribin_ranks::Ranks;
use tribin_read::{self, Share};

/// The count that the ranks found together, the same on all.
pub struct Counted {
    /// The count; reading is no part of its times.
    pub found: EngineCount,
    /// How long this rank read.
    pub read: Duration,
    /// How a table was read, where this rank knows.
    pub reading: Option<Reading>,
    /// Entries, loops and duplicates included.
    pub entries: u64,
    /// How the work was shared.
    pub over: OverRanks,
}

/// Memory that a rank may take, and in how many pieces the rows come by at least, if a test says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limit {
    /// The memory; `None` where nothing bounds it.
    pub memory: Option<RankLimit>,
    /// The pieces at least; `None` where the memory says how many.
    pub pieces: Option<u32>,
}

impl Limit {
    /// How many edges of the rows come by at a time; `None` for all. Refuses what takes more memory than there is.
    pub fn piece(self, facts: &RankFacts) -> Result<Option<u64>> {
        let Some(memory) = self.memory else { return Ok(None) };
        memory.piece(facts).map_err(|needed| {
            let message = Message::from(format!(
                "each rank needs {needed} bytes of memory, and {} may be used",
                memory.bytes
            ));
            Error::Input { file: String::new(), message: message.with_hint(Hint::MoreMemory) }
        })
    }
}

/// Counts a graph together with all other ranks, which call the same for the same source.
///
/// # Errors
/// What the source and the system report on this rank; [`Error::Rank`] where another has failed;
/// [`Error::Cancelled`].
pub fn count(
    ranks: &Ranks,
    source: &read::Source,
    reading: &read::Options,
    limit: Limit,
    context: &Context,
) -> Result<Counted> {
    let name = source.name().display().to_string();
    count_named(ranks, (source, &name), reading, limit, context).map_err(|error| error.of(&name))
}

/// The part that a rank has of a graph that all have read together.
pub struct Entries {
    /// This rank's entries, without self-loops. A vertex has the same number in all ranks.
    pub blocks: Vec<Vec<[u32; 2]>>,
    /// All vertices of all ranks are below.
    pub bound: u32,
    /// Self-loops that all ranks have dropped.
    pub self_loops: u64,
    /// How long this rank read, numbering left out.
    pub read: Duration,
    /// When it had read.
    read_at: Instant,
    /// How a table was read, where this rank knows.
    pub reading: Option<Reading>,
    /// The files that one rank has read alone, each with that rank.
    pub alone: Vec<(String, u32)>,
    /// Entries of all ranks, self-loops left out, and the most that one has.
    proper: u64,
    most: u64,
    is_numbered: bool,
}

impl Entries {
    /// Takes the entries, one after the other in one array, which all threads fill.
    pub fn in_one(&mut self) -> Result<Vec<[u32; 2]>> {
        let blocks = std::mem::take(&mut self.blocks);
        let mut all = memory::zeroed::<[u32; 2]>(blocks.iter().map(Vec::len).sum())?;
        let mut rest = all.as_mut_slice();
        let places: Vec<&mut [[u32; 2]]> = blocks
            .iter()
            .map(|block| rest.split_off_mut(..block.len()).expect("within the sum"))
            .collect();
        // A block's memory is given back as soon as it is copied.
        let filled = places.into_iter().zip(blocks);
        par::for_each(filled, |(place, block)| place.copy_from_slice(&block));
        Ok(all)
    }

    fn facts(&self, ranks: &Ranks, vertices: u32) -> RankFacts {
        RankFacts {
            entries: self.proper,
            most_entries: self.most,
            vertices: vertices.into(),
            is_numbered: self.is_numbered,
            ranks: ranks.ranks(),
            threads: par::threads(),
        }
    }
}

/// Reads this rank's share of the files; the vertices are numbered where ids have wide gaps. All ranks call the same.
///
/// # Errors
/// As [`count`].
pub fn read_share(
    ranks: &Ranks,
    (source, name): (&read::Source, &str),
    reading: &read::Options,
    limit: Limit,
    context: &Context,
) -> Result<Entries> {
    let start = Instant::now();
    context.phase(Phase::Read);
    let input = input::read(ranks, (source, name), reading)?;
    context.cancel().check()?;
    let (read, read_at) = (start.elapsed(), Instant::now());
    context.phase(Phase::Orient);
    let input::Input { narrow, wide, self_loops, largest, reading, alone } = input;
    let own = narrow.iter().map(Vec::len).sum::<usize>() + wide.iter().map(Vec::len).sum::<usize>();
    let own = own as u64;
    let told = together(
        ranks,
        [
            own,
            self_loops,
            largest.map_or(0, |id| id.saturating_add(1)),
            u64::from(largest == Some(u64::MAX)),
        ],
    )?;
    let proper: u64 = told.iter().map(|[own, ..]| own).sum();
    let most = told.iter().map(|[own, ..]| *own).max().unwrap_or(0);
    let self_loops = told.iter().map(|[_, loops, ..]| loops).sum();
    // An id of 2⁶⁴-1 has no next one.
    let past = told.iter().any(|[.., past]| *past > 0);
    let bound = told.iter().map(|[_, _, bound, _]| *bound).max().unwrap_or(0);
    let is_numbered = past || bound > MOST_VERTICES || is_wasteful(bound, proper as usize);
    let blocks = Vec::new();
    let entries = Entries {
        blocks,
        bound: 0,
        self_loops,
        read,
        read_at,
        reading,
        alone,
        proper,
        most,
        is_numbered,
    };
    if !is_numbered {
        let bound = bound as u32;
        limit.piece(&entries.facts(ranks, bound))?;
        return Ok(Entries { blocks: narrow, bound, ..entries });
    }
    // The number of vertices is not known yet.
    limit.piece(&entries.facts(ranks, 0))?;
    let (blocks, bound) = numbering::number(ranks, (narrow, wide), name, context)?;
    limit.piece(&entries.facts(ranks, bound))?;
    Ok(Entries { blocks, bound, ..entries })
}

/// What a rank found, and what it took: what all ranks tell each other at the end.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct OfRank {
    triangles: u64,
    duplicates: u64,
    reciprocal: u64,
    /// Figures of its own vertices.
    vertices: u64,
    max_degree: u64,
    /// The low half of the number first.
    wedges: [u64; 2],
    edges: u64,
    bytes_sent: u64,
    nanoseconds_waited: u64,
    nanoseconds_counted: u64,
}

fn count_named(
    ranks: &Ranks,
    (source, name): (&read::Source, &str),
    reading: &read::Options,
    limit: Limit,
    context: &Context,
) -> Result<Counted> {
    let share = Share { number: ranks.rank(), of: ranks.ranks() };
    let before = (ranks.bytes_sent(), ranks.time());
    let mut entries = read_share(ranks, (source, name), reading, limit, context)?;
    let blocks = std::mem::take(&mut entries.blocks);
    let Entries { bound, self_loops: loops, read, read_at: start, proper, most, .. } = entries;
    let summed = degrees::summed(ranks, &blocks, bound, context)?;
    let ranking = by_descending_degree(&summed)?;
    drop(summed);
    let bits = rows::direction_bits(bound);
    let words = rows::exchange(ranks, blocks, &ranking.rank_of_vertex, bits, context)?;
    let degree_of_rank = ranking.degree_of_rank;
    let vertex_of_rank = ranking.vertex_of_rank;
    drop(ranking.rank_of_vertex);
    let orient = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Clean);
    let cleaned = rows::clean(ranks, words, bits, degree_of_rank.len(), context)?;
    let own_degrees = degrees::own_of_simple(ranks, degree_of_rank, cleaned.removed)?;
    let own_rows = cleaned.heads.len() as u64;
    let offsets = rows::offsets(ranks, &cleaned.lengths, vertex_of_rank.len())?;
    let own = rows::own(&cleaned.lengths, cleaned.heads)?;
    drop(cleaned.lengths);
    let facts = entries.facts(ranks, bound);
    let edges = offsets[offsets.len() - 1];
    let piece = agreed(ranks, limit, &facts, edges)?;
    let held = match piece {
        None => {
            let heads = rows::gather(ranks, &offsets, &own, 0..vertex_of_rank.len())?;
            let rows = OrientedRows { offsets, heads, vertex_of_rank };
            // SAFETY: the rows are those that the ranks sorted and made unique, one after another.
            Held::All(unsafe { OrientedGraph::of_rows(rows) })
        }
        Some(piece) => Held::Own { offsets, own, piece },
    };
    context.cancel().check()?;
    let clean = start.elapsed();

    let start = Instant::now();
    context.phase(Phase::Count);
    let (number, of) = (share.number, share.of);
    let (triangles, pieces) = match &held {
        Held::All(oriented) => (forward::count_share_until(oriented, (number, of), context)?, 1),
        Held::Own { offsets, own, piece } => pieces::count(ranks, offsets, own, *piece, context)?,
    };
    let counted = start.elapsed();
    let sent = ranks.bytes_sent() - before.0;
    let waited = (ranks.time() - before.1).as_nanos() as u64;
    let figures = degrees::figures(&own_degrees);
    let of_rank = OfRank {
        triangles,
        duplicates: cleaned.duplicates,
        reciprocal: cleaned.reciprocal,
        vertices: figures.vertices,
        max_degree: figures.max_degree,
        wedges: [figures.wedges as u64, (figures.wedges >> 64) as u64],
        edges: own_rows,
        bytes_sent: sent,
        nanoseconds_waited: waited,
        nanoseconds_counted: counted.as_nanos() as u64,
    };
    let told = together(ranks, of_rank)?;
    let sum = |of: fn(&OfRank) -> u64| told.iter().map(of).sum::<u64>();
    let largest = |of: fn(&OfRank) -> u64| told.iter().map(of).max().unwrap_or(0);
    let balance_of = |part: fn(&OfRank) -> u64| balance(largest(part), sum(part), of);
    let duplicates_dropped = sum(|rank| rank.duplicates);
    let reciprocal_is_known = bits > 0 || duplicates_dropped == 0;
    let wedges_of = |rank: &OfRank| u128::from(rank.wedges[1]) << 64 | u128::from(rank.wedges[0]);
    let summary = Summary {
        vertices: sum(|rank| rank.vertices),
        edges,
        self_loops_dropped: loops,
        duplicates_dropped,
        reciprocal_dropped: reciprocal_is_known.then(|| sum(|rank| rank.reciprocal)),
        wedges: told.iter().map(wedges_of).sum(),
        max_degree: largest(|rank| rank.max_degree),
    };
    let seconds = EngineSeconds {
        orient: orient.as_secs_f64(),
        clean: clean.as_secs_f64(),
        count: start.elapsed().as_secs_f64(),
        ..EngineSeconds::default()
    };
    let over = OverRanks {
        ranks: ranks.ranks(),
        read_alone: std::mem::take(&mut entries.alone),
        memory_bytes: on_a_rank(&facts, piece).most,
        pieces,
        exchanged_bytes: sum(|rank| rank.bytes_sent),
        exchange_seconds: largest(|rank| rank.nanoseconds_waited) as f64 * 1e-9,
        entries_balance: balance(most, proper, of),
        edges_balance: balance_of(|rank| rank.edges),
        count_balance: balance_of(|rank| rank.nanoseconds_counted),
    };
    let found = EngineCount {
        triangles: sum(|rank| rank.triangles),
        summary,
        seconds,
        ..EngineCount::default()
    };
    let (reading, entries) = (entries.reading, proper + loops);
    Ok(Counted { found, read, reading, entries, over })
}

/// The rows that a rank has while it counts.
enum Held {
    All(OrientedGraph),
    /// The rank's own rows, and where each of all rows begins; all others come by.
    Own {
        offsets: Vec<u64>,
        own: RowRange,
        piece: u64,
    },
}

/// How many edges of the rows come by at a time, which is the same for all ranks: what the one allows that has the least
/// memory. `None` where all have memory for all rows.
fn agreed(ranks: &Ranks, limit: Limit, facts: &RankFacts, edges: u64) -> Result<Option<u64>> {
    let asked = limit.pieces.map(|pieces| edges.div_ceil(u64::from(pieces)).max(1));
    let wish = limit.piece(facts)?.unwrap_or(u64::MAX).min(asked.unwrap_or(u64::MAX));
    let least = ranks.all_reduce(&[wish], u64::min)?;
    Ok(least.first().copied().filter(|&piece| piece < u64::MAX))
}

/// The largest of some shares beside their mean; 1 where all are alike.
fn balance(largest: u64, sum: u64, of: u32) -> f64 {
    if sum == 0 { 1.0 } else { largest as f64 * f64::from(of) / sum as f64 }
}

/// Gives this rank's value to all ranks, and returns those of all.
fn together<T: Pod>(ranks: &Ranks, own: T) -> Result<Vec<T>> {
    let told = ranks.all_gather(bytemuck::bytes_of(&own))?;
    let read = |(rank, bytes): (u32, Vec<u8>)| {
        bytemuck::try_pod_read_unaligned(&bytes).map_err(|_| Error::Rank {
            rank,
            message:
                "it is at another step than this rank: all ranks take the same command and files"
                    .into(),
        })
    };
    (0..).zip(told).map(read).collect()
}

// Arrays are exchanged as they are in memory.
const _: () = assert!(cfg!(target_endian = "little"));
