//! The trussness of every edge of a graph that memory has no room to peel.
//!
//! Walks peel it: each counts the triangles on every edge that is left, as `support` does, and then the edges on too few of them
//! are taken away. Once memory holds what is left and what peeling it takes, the CPU peels the rest there.
//!
//! **Why this is exact.** While the k-truss is looked for, what is left holds the k-truss, and is within the (k − 1)-truss. An edge on
//! fewer than k − 2 triangles of what is left is not in the k-truss, so that its trussness is k − 1. An edge of larger trussness has all
//! of its truss in what is left, and has the same trussness there. So an edge that memory peels has the trussness that is found there,
//! or k − 1 if that is less.
//!
//! Source: the bottom-up algorithm of Wang and Cheng, "Truss decomposition in massive networks", VLDB 2012, section 4. Theirs finds
//! triangles in neighbourhoods that fit the memory, and this one by the walk over parts.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::past::DiskWork;
use super::rows::RowFile;
use super::support::EdgeNumberFile;
use super::workers;
use crate::Result;
use crate::control::{Context, Phase};
use tribin_analytics::WantedTruss;
use tribin_analytics::cpu::{support, truss};
use tribin_base::par::Spare;

/// The edges of a graph that are not peeled yet, and the trussness of those that are.
pub(super) struct Peeling<'a> {
    work: DiskWork<'a>,
    /// The names of the files begin so: where a device fails, the CPU begins anew under other names.
    name: &'static str,
    /// The trussness of each edge of the whole graph; 0 of those that are left.
    trussness: EdgeNumberFile<'a>,
    /// The rows of what is left, once something was taken away.
    left: Option<RowFile<'a>>,
    wanted: WantedTruss,
    /// The k of the truss that is looked for.
    k: u32,
    walks: u64,
}

impl<'a> Peeling<'a> {
    /// A graph of which nothing was taken away.
    pub fn new(work: DiskWork<'a>, name: &'static str, wanted: WantedTruss) -> Peeling<'a> {
        let trussness = EdgeNumberFile::none(work.scratch.file(name.into()), work.rows);
        let (k, wanted) = match wanted {
            WantedTruss::All => (3, wanted),
            // Every edge is in the 2-truss.
            WantedTruss::One(k) => (k.max(2), WantedTruss::One(k.max(2))),
        };
        Peeling { work, name, trussness, left: None, wanted, k, walks: 0 }
    }

    /// The rows of what is left.
    pub fn rows(&self) -> &RowFile<'a> {
        self.left.as_ref().unwrap_or(self.work.rows)
    }

    /// Takes away the edges on too few triangles for the truss that is looked for. Where all trusses are wanted and all edges are on
    /// enough, that is the next truss that leaves an edge out. `support` has the triangles on each edge that is left. Returns how many
    /// edges went.
    pub fn take_away(&mut self, support: &EdgeNumberFile) -> Result<u64> {
        let DiskWork { scratch, context, .. } = self.work;
        if self.wanted == WantedTruss::All {
            self.k = self.k.max(least(self.rows(), support, context)?.saturating_add(3));
        }
        self.walks += 1;
        let file = scratch.file(format!("{}-rows-{}", self.name, self.walks));
        let (rows, spare) = (self.rows(), Spare::new());
        let before = rows.edges();
        let left = rows.without(file, context, |_, index, stays| {
            spare.with(<(Vec<u32>, Vec<u32>)>::default, |(on_edges, numbers)| {
                support.read(index, on_edges)?;
                self.trussness.read(index, numbers)?;
                let not_peeled = numbers.iter_mut().filter(|number| **number == 0);
                for (number, &triangles) in not_peeled.zip(&*on_edges) {
                    stays.push(triangles >= self.k - 2);
                    if triangles < self.k - 2 {
                        *number = self.k - 1;
                    }
                }
                self.trussness.write(index, numbers)
            })
        })?;
        let gone = before - left.edges();
        if let Some(before) = self.left.replace(left) {
            before.file.remove()?;
        }
        Ok(gone)
    }

    /// Peels what is left in memory. Returns the trussness of all edges: where one truss is wanted, its k for the edges in it, and less
    /// for the others.
    pub fn finish(self) -> Result<EdgeNumberFile<'a>> {
        let context = self.work.context;
        let graph = self.rows().graph()?;
        let on_edges = support::support(&graph, context)?;
        context.phase(Phase::Peel);
        let found = truss::trussness(&graph, on_edges, self.wanted, context)?;
        drop(graph);
        self.with_left(&found)
    }

    /// The trussness of all edges where what is left is the truss that was looked for, or nothing.
    pub fn finished(self) -> Result<EdgeNumberFile<'a>> {
        self.with_left(&[])
    }

    /// The trussness of all edges. `found` has that of each edge that is left, or none where all are in the truss that was looked for.
    fn with_left(self, found: &[u32]) -> Result<EdgeNumberFile<'a>> {
        let mut first = 0;
        let starts: Vec<usize> = self
            .rows()
            .chunks
            .iter()
            .map(|chunk| {
                first += chunk.heads as usize;
                first - chunk.heads as usize
            })
            .collect();
        workers::each(
            starts.len(),
            self.work.context,
            || Ok(Vec::new()),
            |numbers, index| {
                self.trussness.read(index, numbers)?;
                let not_peeled = numbers.iter_mut().filter(|number| **number == 0);
                for (place, number) in (starts[index]..).zip(not_peeled) {
                    *number = found.get(place).map_or(self.k, |&found| found.max(self.k - 1));
                }
                self.trussness.write(index, numbers)
            },
        )?;
        if let Some(left) = self.left {
            left.file.remove()?;
        }
        Ok(self.trussness)
    }
}

/// The least number of triangles on an edge of some rows; more than any has where there is no edge.
fn least(rows: &RowFile, support: &EdgeNumberFile, context: &Context) -> Result<u32> {
    let least = AtomicU32::new(u32::MAX);
    workers::each(
        rows.chunks.len(),
        context,
        || Ok(Vec::new()),
        |numbers, index| {
            support.read(index, numbers)?;
            numbers.iter().min().map(|&number| least.fetch_min(number, Relaxed));
            Ok(())
        },
    )?;
    Ok(least.into_inner())
}
