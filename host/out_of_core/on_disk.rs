//! A graph whose rows are in scratch files, for any number of results.

use std::borrow::Cow;
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytemuck::Pod;

use super::on_device::ScratchRows;
use super::past::DiskWork;
use super::rows::{Chunk, ROWS, RowFile};
use super::spill::{Spill, Spilled};
use super::support::EdgeNumberFile;
use super::truss::Peeling;
use super::{
    Called, DiskVertices, Overrides, Scratch, clean, cliques, cores, counters, directed,
    distribute, edges, kept, list, no_memory, numbering, on_cpu, too_little,
};
use crate::analytics::{Local, WantedTruss};
use crate::control::memory::{self, NoMemory};
use crate::control::{Context, EngineSeconds, Phase};
use crate::graph::{DOWN, EdgeSource, Summary, UP, VertexIds, Visited, is_wasteful};
use crate::plan::{OutOfCore, OutOfCoreFacts, Sizes, Task, degree_bytes, piece};
use crate::{Error, Result};
use tribin_analytics::cpu::directed::{
    ARCS, CODES, CornerCounters, CornerTable, KINDS, Neighbours, TRIANGLES, sum_of_codes,
};
use tribin_base::par;
use tribin_cpu::cliques::{CliqueListing, CliqueSums, HeadPairs};
use tribin_cpu::prepare::bucket::direction_bits;
use tribin_cpu::prepare::ranking::replace_by_ranks;
use tribin_parts::{FoundInParts, PartsOnDevice};

/// An oriented graph on disk, with the ranks and degrees of its vertices. Its folder goes with it.
pub struct OnDisk {
    name: String,
    chunks: Vec<Chunk>,
    /// The vertices, where they are to be named.
    kept: Option<DiskVertices>,
    facts: OutOfCoreFacts,
    /// What a test set by hand.
    sizes: Option<Sizes>,
    /// The figures of the simple graph.
    pub summary: Summary,
    /// What the source said.
    pub visited: Visited,
    /// From the first byte of the source to its last.
    pub read: Duration,
    /// What orienting and cleaning took.
    pub seconds: EngineSeconds,
    scratch: Scratch,
    last: Mutex<Option<(OutOfCore, FoundInParts)>>,
}

impl OnDisk {
    /// Reads, orients and cleans within `memory` bytes of memory, on the current rayon pool. That is checked to be enough
    /// for `task`. A graph that is prepared for a count keeps no vertices: nothing else is found of it.
    ///
    /// # Errors
    /// What the source and the system report, [`Error::Cancelled`], and where the vertices do not fit the memory.
    pub fn new(
        source: &dyn EdgeSource,
        files: Scratch,
        (memory, task): (u64, Task),
        context: &Context,
    ) -> Result<OnDisk> {
        OnDisk::with(source, files, (memory, task), &Overrides::default(), context)
            .map_err(|error| error.of(source.name()))
    }

    pub(super) fn with(
        source: &dyn EdgeSource,
        files: Scratch,
        (memory, task): (u64, Task),
        overrides: &Overrides,
        context: &Context,
    ) -> Result<OnDisk> {
        let threads = par::threads() as u64;
        let scratch = &files;
        let keeps = task != Task::Count;
        let start = Instant::now();
        let piece = overrides.piece.unwrap_or_else(|| piece(memory, threads));
        let for_degrees = degree_bytes(memory, threads);
        let spill = |name| Spill::new(scratch, name, (piece / 4).max(1));
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
            degrees = spilled.degrees(for_degrees, context)?;
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
            degrees = spilled.degrees(for_degrees, context)?;
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
                ranks: kept::write(kept::RANKS, &ranks, scratch, context)?,
                degrees: Vec::new(),
            });
        }
        let looped = kept.as_ref().map(|kept| &kept.looped);
        let of_ranks = (&ranks[..], &by_rank, connected);
        let directions = (task == Task::ByDirection).then_some(if visited.both_directions {
            DOWN | UP
        } else {
            0
        });
        if directions.is_some() && direction_bits(connected as usize) == 0 {
            let message = format!(
                "{connected} vertices have edges, whose directions are not kept out of core"
            );
            return Err(Error::Input { file: String::new(), message: message.into() });
        }
        let buckets = distribute(segments, of_ranks, looped, (scratch, &sizes), context)?;
        drop(ranks);
        memory::give_back();
        let orient = start.elapsed().as_secs_f64();

        let start = Instant::now();
        context.phase(Phase::Clean);
        let degrees = counters(&by_rank, connected)?;
        let (chunks, mut summary) =
            clean(buckets, (&degrees, directions), (scratch, &sizes), context)?;
        if let Some(kept) = &mut kept {
            // In the same memory.
            let degrees: Vec<u32> = degrees.into_iter().map(AtomicU32::into_inner).collect();
            kept.degrees = kept::write(kept::DEGREES, &degrees, scratch, context)?;
        } else {
            drop(degrees);
        }
        memory::give_back();
        summary.self_loops_dropped = self_loops;
        let clean = start.elapsed().as_secs_f64();
        let seconds = EngineSeconds { orient, clean, ..EngineSeconds::default() };
        let (name, sizes) = (source.name().to_owned(), overrides.sizes);
        Ok(OnDisk {
            name,
            chunks,
            kept,
            facts,
            sizes,
            summary,
            visited,
            read,
            seconds,
            scratch: files,
            last: Mutex::default(),
        })
    }

    /// What the vertices are called; `None` where that was not kept.
    pub fn ids(&self) -> Option<&VertexIds> {
        self.kept.as_ref()?.ids.as_ref()
    }

    /// Whether the edges know their directions: the graph was made for results by direction.
    pub fn is_directed(&self) -> bool {
        self.facts.task == Task::ByDirection
    }

    /// One more than the largest vertex.
    pub fn vertex_bound(&self) -> usize {
        self.facts.vertices as usize
    }

    /// The number of all vertices, isolated ones included: those that the source declares, or else those that entries name.
    pub fn vertices(&self, has_edge: impl Fn(u32) -> bool) -> u64 {
        let alone = || self.loops().filter(|&vertex| !has_edge(vertex)).count() as u64;
        self.kept().all.unwrap_or_else(|| self.summary.vertices + alone())
    }

    /// The vertices with a self-loop, ascending.
    pub fn loops(&self) -> impl Iterator<Item = u32> {
        let looped = &self.kept().looped;
        (0..self.vertex_bound() as u32).filter(|&vertex| looped.contains(vertex))
    }

    fn kept(&self) -> &DiskVertices {
        self.kept.as_ref().expect("vertices are kept but for a count")
    }

    fn rows(&self) -> RowFile<'_> {
        RowFile { file: self.scratch.file(ROWS.into()), chunks: Cow::Borrowed(&self.chunks) }
    }

    fn facts(&self, task: Task) -> OutOfCoreFacts {
        OutOfCoreFacts { task, ..self.facts }
    }

    /// Finds something in the rows, with parts of such sizes that `beside` bytes for each vertex are in use beside them.
    fn find<T>(
        &self,
        task: Task,
        beside: u64,
        context: &Context,
        find: impl FnOnce(DiskWork) -> Result<(T, FoundInParts)>,
    ) -> Result<T> {
        let (found, told) = self.within(task, beside, context, find)?;
        let most = self.scratch.most_bytes();
        let took = OutOfCore::took(&self.facts(task), told.parts, self.rows().bytes(), most);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((took, told));
        Ok(found)
    }

    /// Runs something with the rows, in what the memory of a task is cut into.
    fn within<T>(
        &self,
        task: Task,
        beside: u64,
        context: &Context,
        run: impl FnOnce(DiskWork) -> Result<T>,
    ) -> Result<T> {
        let mut facts = self.facts(task);
        let beside = beside * self.vertex_bound() as u64;
        facts.memory = facts.memory.saturating_sub(beside);
        let sizes = match self.sizes {
            Some(sizes) => sizes,
            None => Sizes::new(&facts).map_err(|needed| {
                let message = too_little(needed + beside, self.facts.memory);
                Error::Input { file: self.name.clone(), message }
            })?,
        };
        let (rows, sizes) = (&self.rows(), &sizes);
        self.named(run(DiskWork { rows, scratch: &self.scratch, sizes, context }))
    }

    /// What the last task in parts took, and how it was found.
    pub fn last(&self) -> Option<(OutOfCore, FoundInParts)> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn named<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.of(&self.name))
    }

    /// Finds triangles in the rows by a device, if one is given, and else on the CPU; and their numbers on the edges, where the task
    /// wants those.
    fn triangles<'s>(
        &'s self,
        work: DiskWork,
        task: Task,
        device: Option<&dyn PartsOnDevice>,
    ) -> Result<(FoundInParts, EdgeNumberFile<'s>)> {
        // Where a device fails, the CPU begins anew under another name.
        let name = if device.is_some() { "support-on-device" } else { "support" };
        let file = EdgeNumberFile::none(self.scratch.file(name.into()), work.rows);
        let found = match device {
            Some(device) => {
                let (rows, piece) = (ScratchRows::new(work.rows), work.sizes.piece_on_host());
                device.find_in_parts(&rows, task, &mut &file, piece, work.context)
            }
            None => on_cpu::find(work, task, &file),
        };
        Ok((found?, file))
    }

    /// The triangles of the graph, found by a device, if one is given, and how they were found.
    pub fn count(
        &self,
        device: Option<&dyn PartsOnDevice>,
        context: &Context,
    ) -> Result<FoundInParts> {
        self.find(Task::Count, 0, context, |work| {
            let (told, _) = self.triangles(work, Task::Count, device)?;
            context.cancel().check()?;
            Ok((told.clone(), told))
        })
    }

    /// Degrees and triangles of all vertices; the triangles are found by a device, if one is given.
    pub fn local(&self, device: Option<&dyn PartsOnDevice>, context: &Context) -> Result<Local> {
        self.find(Task::AtVertices, 0, context, |work| {
            let (mut told, _) = self.triangles(work, Task::AtVertices, device)?;
            memory::give_back();
            let (kept, by_rank) = (self.kept(), std::mem::take(&mut told.at_ranks));
            let triangles = kept.in_order(&by_rank, &self.scratch, context)?;
            drop(by_rank);
            memory::give_back();
            let degrees = kept.degrees(&self.scratch, context)?;
            Ok((Local::of_vertices(degrees, triangles), told))
        })
    }

    /// The core numbers of all vertices, found on the CPU. Memory holds `beside` bytes for each vertex meanwhile.
    pub fn core_numbers(&self, beside: u64, context: &Context) -> Result<Vec<u32>> {
        self.within(Task::Cores, beside, context, |work| {
            let degrees = self.kept().degrees_by_rank(&self.scratch, context)?;
            let of_ranks = cores::core_numbers(work, degrees)?;
            memory::give_back();
            self.kept().in_order(&of_ranks, &self.scratch, context)
        })
    }

    /// The degrees of all vertices.
    pub fn degrees(&self, context: &Context) -> Result<Vec<u32>> {
        self.named(self.kept().degrees(&self.scratch, context))
    }

    /// The neighbours of every vertex by direction.
    pub fn neighbours(&self, context: &Context) -> Result<Vec<Neighbours>> {
        let of_ranks = || {
            let of_ranks = directed::neighbours(&self.rows(), context)?;
            self.kept().in_order(&of_ranks, &self.scratch, context)
        };
        let of_vertices: Vec<[u32; 3]> = self.named(of_ranks())?;
        let neighbours = |[out, into, mutual]: [u32; 3]| Neighbours { out, into, mutual };
        // In the same memory.
        Ok(of_vertices.into_iter().map(neighbours).collect())
    }

    /// The directed triangles of every vertex, by kind.
    pub fn directed_triangles(&self, context: &Context) -> Result<Vec<[u64; KINDS]>> {
        self.at_corners(&TRIANGLES, 0, context)
    }

    /// The arcs among the neighbours of every vertex.
    pub fn arcs_among_neighbours(&self, context: &Context) -> Result<Vec<[u64; 1]>> {
        // Neighbours and triangles by direction are there, of 44 bytes. The counters have 24 less than those of the kinds.
        self.at_corners(&ARCS, 20, context)
    }

    /// What the triangles add at each vertex by direction. Memory holds `beside` bytes for each vertex meanwhile.
    fn at_corners<const N: usize>(
        &self,
        table: &'static CornerTable<N>,
        beside: u64,
        context: &Context,
    ) -> Result<Vec<[u64; N]>>
    where
        [u64; N]: Pod,
    {
        self.find(Task::ByDirection, beside, context, |work| {
            let counters = CornerCounters::new(table, work.rows.ranks()).map_err(no_memory)?;
            let sink = || counters.sink();
            let parts = directed::each_code(work, sink, |_| ())?;
            memory::give_back();
            let of_ranks = counters.into_numbers();
            let found = self.kept().in_order(&of_ranks, &self.scratch, context)?;
            Ok((found, in_parts(parts)))
        })
    }

    /// The number of triangles of each code.
    pub fn codes(&self, context: &Context) -> Result<[u64; CODES]> {
        self.find(Task::ByDirection, 0, context, |work| {
            let all = Mutex::new([0; CODES]);
            let add = |found| {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                *all = sum_of_codes(*all, found);
            };
            let parts = directed::each_code(work, || [0; CODES], add)?;
            let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok((all, in_parts(parts)))
        })
    }

    /// Hands all triangles to `take` until that says `false`, some blocks at a time. Vertices ascend in each triangle.
    pub fn list(
        &self,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send),
    ) -> Result<()> {
        self.find(Task::List, 0, context, |work| {
            let vertices = self.kept().vertex_of_rank(&self.scratch, context)?;
            let parts = list::list(work, &vertices, take)?;
            Ok(((), in_parts(parts)))
        })
    }

    /// The number of cliques of `k` vertices, and how many hold each vertex where `at_vertices` asks for that. The CPU finds them.
    pub fn cliques(
        &self,
        k: u32,
        at_vertices: bool,
        context: &Context,
    ) -> Result<(u128, Vec<u64>)> {
        self.find(Task::Cliques, 0, context, |work| {
            let mut sums = CliqueSums::new(k, at_vertices.then(|| work.rows.ranks()))?;
            let add = |pairs: &HeadPairs| sums.add(pairs, context).map(|()| true);
            let parts = self.each_neighbourhoods(work, add)?;
            memory::give_back();
            let (cliques, of_ranks) = sums.finish()?;
            let of_vertices = match at_vertices {
                true => self.kept().in_order(&of_ranks, &self.scratch, context)?,
                false => Vec::new(),
            };
            Ok(((cliques, of_vertices), in_parts(parts)))
        })
    }

    /// Hands all cliques of `k` vertices to `take` until that says `false`, some blocks at a time. Vertices ascend in each clique.
    pub fn each_clique(
        &self,
        k: u32,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<u32>>) -> Result<bool> + Send),
    ) -> Result<()> {
        self.find(Task::Cliques, 0, context, |work| {
            let vertices = self.kept().vertex_of_rank(&self.scratch, context)?;
            let list =
                |pairs: &HeadPairs| CliqueListing::of_rows(pairs, &vertices, k).each(context, take);
            let parts = self.each_neighbourhoods(work, list)?;
            Ok(((), in_parts(parts)))
        })
    }

    /// Hands neighbourhoods to `each`, as many as memory holds at a time.
    fn each_neighbourhoods(
        &self,
        work: DiskWork,
        each: impl FnMut(&HeadPairs) -> Result<bool>,
    ) -> Result<u64> {
        let (least, sizes) = (cliques::least_bytes(work.rows), work.sizes);
        if self.sizes.is_none() && sizes.part_bytes < least {
            let memory = self.facts.memory;
            let message = too_little(memory + (least - sizes.part_bytes) / 7 * 8, memory);
            return Err(Error::Input { file: String::new(), message });
        }
        cliques::each_neighbourhoods(work, each)
    }

    /// Hands all edges with their triangles to `take` until that says `false`, some blocks at a time. An edge is its smaller
    /// vertex, its larger one, and the number, and edges ascend. The triangles are found by a device, if one is given. `take`
    /// keeps `beside` bytes of memory for each vertex.
    pub fn support(
        &self,
        device: Option<&dyn PartsOnDevice>,
        beside: u64,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<edges::NumberedEdge>>) -> Result<bool> + Send),
    ) -> Result<()> {
        self.find(Task::OnEdges, beside, context, |work| {
            let (told, numbers) = self.triangles(work, Task::OnEdges, device)?;
            edges::in_order(work, &numbers, self.kept(), take)?;
            numbers.remove()?;
            Ok(((), told))
        })
    }

    /// Hands all edges with their trussness to `take`, as [`support`](Self::support) does with their triangles. Where one truss is
    /// wanted, the number of its edges is its k, and that of the others is less. A device finds triangles, if one is given, and the CPU
    /// peels.
    pub fn trussness(
        &self,
        device: Option<&dyn PartsOnDevice>,
        wanted: WantedTruss,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<edges::NumberedEdge>>) -> Result<bool> + Send),
    ) -> Result<()> {
        self.find(Task::Trusses, 0, context, |work| {
            let name = if device.is_some() { "trussness-on-device" } else { "trussness" };
            let mut peeling = Peeling::new(work, name, wanted);
            let (mut left, mut told) = (self.summary.edges, None);
            let numbers = loop {
                if left <= work.sizes.peeled_edges {
                    break peeling.finish()?;
                }
                context.phase(Phase::Count);
                let left_work = DiskWork { rows: peeling.rows(), ..work };
                let (found, support) = self.triangles(left_work, Task::OnEdges, device)?;
                told.get_or_insert(found);
                context.phase(Phase::Peel);
                let gone = peeling.take_away(&support)?;
                support.remove()?;
                left -= gone;
                let is_found = gone == 0 && wanted != WantedTruss::All;
                if left == 0 || is_found {
                    break peeling.finished()?;
                }
            };
            memory::give_back();
            edges::in_order(work, &numbers, self.kept(), take)?;
            numbers.remove()?;
            Ok(((), told.unwrap_or_default()))
        })
    }
}

/// How the CPU found something in a number of parts.
fn in_parts(parts: u64) -> FoundInParts {
    FoundInParts { parts, ..FoundInParts::default() }
}
