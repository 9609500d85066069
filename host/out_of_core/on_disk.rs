//! A graph whose rows are in scratch files, for any number of results.

use std::borrow::Cow;
use std::time::Duration;

use super::rows::{Chunk, RowFile};
use super::{
    DiskVertices, Overrides, RowsOnDisk, Scratch, count, edges, list, on_device, prepare, support,
    too_little, vertices,
};
use crate::analytics::Local;
use crate::control::Context;
use crate::graph::{EdgeSource, Summary, VertexIds, Visited};
use crate::plan::{OutOfCore, OutOfCoreFacts, Sizes, Task};
use crate::{Error, Result};
use tribin_count::EngineSeconds;
use tribin_parts::PartsOnDevice;

/// An oriented graph on disk, with the ranks and degrees of its vertices. Its folder goes with it.
pub struct OnDisk {
    name: String,
    chunks: Vec<Chunk>,
    kept: DiskVertices,
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
}

impl OnDisk {
    /// Reads, orients and cleans within `memory` bytes of memory, on the current rayon pool. That is checked to be enough
    /// for `task`.
    ///
    /// # Errors
    /// What the source and the system report, [`Error::Cancelled`], and where the vertices do not fit the memory.
    pub fn new(
        source: &dyn EdgeSource,
        scratch: Scratch,
        (memory, task): (u64, Task),
        context: &Context,
    ) -> Result<OnDisk> {
        OnDisk::with(source, scratch, (memory, task), &Overrides::default(), context)
            .map_err(|error| error.of(source.name()))
    }

    pub(super) fn with(
        source: &dyn EdgeSource,
        scratch: Scratch,
        (memory, task): (u64, Task),
        overrides: &Overrides,
        context: &Context,
    ) -> Result<OnDisk> {
        // Whoever counts alone keeps no vertices.
        let keeping = match task {
            Task::Count => Task::List,
            task => task,
        };
        let prepared = prepare(source, (&scratch, memory, keeping), overrides, context)?;
        let RowsOnDisk { rows, summary, kept, facts, visited, read, seconds, .. } = prepared;
        let chunks = rows.chunks.into_owned();
        let kept = kept.expect("vertices are kept for these tasks");
        let (name, sizes) = (source.name().to_owned(), overrides.sizes);
        Ok(OnDisk { name, chunks, kept, facts, sizes, summary, visited, read, seconds, scratch })
    }

    /// What the vertices are called; `None` for names, which were not kept.
    pub fn ids(&self) -> Option<&VertexIds> {
        self.kept.ids.as_ref()
    }

    /// One more than the largest vertex.
    pub fn vertex_bound(&self) -> usize {
        self.kept.bound
    }

    fn rows(&self) -> RowFile<'_> {
        let file = self.scratch.file("rows".into());
        RowFile { file, chunks: Cow::Borrowed(&self.chunks) }
    }

    fn facts(&self, task: Task) -> OutOfCoreFacts {
        OutOfCoreFacts { task, ..self.facts }
    }

    fn sizes(&self, task: Task) -> Result<Sizes> {
        self.sizes_beside(task, 0)
    }

    /// The sizes of the parts where some bytes for each vertex are in use beside them.
    fn sizes_beside(&self, task: Task, beside: u64) -> Result<Sizes> {
        let mut facts = self.facts(task);
        facts.memory = facts.memory.saturating_sub(beside * self.vertex_bound() as u64);
        match self.sizes {
            Some(sizes) => Ok(sizes),
            None => Sizes::new(&facts).map_err(|needed| {
                let message = too_little(needed, facts.memory);
                Error::Input { file: self.name.clone(), message }
            }),
        }
    }

    /// The record of a task that needed this number of parts.
    pub fn took(&self, task: Task, parts: u64) -> OutOfCore {
        let most = self.scratch.most_bytes();
        OutOfCore::took(&self.facts(task), parts, self.rows().bytes(), most)
    }

    fn named<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| error.of(&self.name))
    }

    /// The triangles of the graph, and the number of parts; found by a device, if one is given.
    pub fn count(
        &self,
        device: Option<&dyn PartsOnDevice>,
        context: &Context,
    ) -> Result<(u64, u64)> {
        let sizes = self.sizes(Task::Count)?;
        let counted = match device {
            Some(device) => on_device::count(device, &self.rows(), &sizes, context)
                .map(|found| (found.triangles, found.parts)),
            None => count::count(&self.rows(), &sizes, context),
        };
        context.cancel().check()?;
        self.named(counted)
    }

    /// Degrees and triangles of all vertices, the number of all vertices, and the number of parts; the triangles are found
    /// by a device, if one is given.
    pub fn local(
        &self,
        device: Option<&dyn PartsOnDevice>,
        context: &Context,
    ) -> Result<(Local, u64, u64)> {
        let sizes = self.sizes(Task::AtVertices)?;
        let found = || {
            let (by_rank, parts) = match device {
                Some(device) => on_device::by_rank(device, &self.rows(), &sizes, context)?,
                None => vertices::by_rank(&self.rows(), &sizes, context)?,
            };
            crate::control::memory::give_back();
            let (local, alone) = vertices::by_vertex(by_rank, &self.kept, &self.scratch, context)?;
            let all = self.kept.all.unwrap_or(self.summary.vertices + alone);
            Ok((local, all, parts))
        };
        self.named(found())
    }

    /// The degrees of all vertices.
    pub fn degrees(&self, context: &Context) -> Result<Vec<u32>> {
        self.named(vertices::degrees(&self.kept, &self.scratch, context))
            .map(|(degrees, _)| degrees)
    }

    /// Hands all triangles to `take` until that says `false`, some blocks at a time; gives the number of parts. Vertices
    /// ascend in each triangle.
    pub fn list(
        &self,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send),
    ) -> Result<u64> {
        let sizes = self.sizes(Task::List)?;
        let vertex_of_rank =
            self.named(vertices::vertex_of_rank(&self.kept, &self.scratch, context))?;
        self.named(list::list(&self.rows(), &vertex_of_rank, &sizes, context, take))
    }

    /// Hands all edges with their triangles to `take` until that says `false`, some blocks at a time; gives the number of
    /// parts. An edge is its smaller vertex, its larger one, and the number, and edges ascend. The triangles are found by a
    /// device, if one is given. `take` keeps `beside` bytes of memory for each vertex.
    pub fn support(
        &self,
        device: Option<&dyn PartsOnDevice>,
        beside: u64,
        context: &Context,
        take: &mut (dyn FnMut(Vec<Vec<edges::NumberedEdge>>) -> Result<bool> + Send),
    ) -> Result<u64> {
        let sizes = self.sizes_beside(Task::OnEdges, beside)?;
        let mut found = || {
            let rows = self.rows();
            let (numbers, parts) = match device {
                Some(device) => on_device::support(device, &rows, &self.scratch, &sizes, context)?,
                None => support::support(&rows, &self.scratch, &sizes, context)?,
            };
            let places = (&self.scratch, &sizes);
            edges::in_order((&rows, &numbers), &self.kept, places, context, take)?;
            numbers.remove()?;
            Ok(parts)
        };
        self.named(found())
    }
}
