//! Cliques of k vertices of a prepared graph.

use std::time::Instant;

use super::resident::by_vertex;
use super::{PreparedGraph, Session};
use crate::analytics::{Cliques, EdgeValues};
use crate::control::Phase;
use crate::count::{CountOptions, RanOn};
use crate::plan::Task;
use crate::{Error, Result};
use tribin_cpu::cliques::{self, CliqueListing, LARGEST, SMALLEST};

/// What reports call the method.
pub(super) const METHOD: &str = "bits of neighbourhoods";

impl PreparedGraph {
    /// The exact number of cliques of `k` vertices, from 3 to 12, with the figures around it. O(m · d^(k - 2)) work at worst, where
    /// d is the longest row of the oriented graph; memory beside the graph: bits of the neighbourhoods at hand, at most m/2 bytes
    /// for each thread.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// // Every pair of five vertices.
    /// let edges: Vec<[u32; 2]> = (0..5).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
    /// let prepared = Session::open(Options::default())?.prepare(&Graph::from_edges(edges))?;
    /// assert_eq!(prepared.cliques(3)?.cliques, 10);
    /// assert_eq!(prepared.cliques(4)?.cliques, 5);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count), [`Error::Usage`] for another `k`, and [`Error::Input`] for 2¹²⁸ cliques or more.
    pub fn cliques(&self, k: u32) -> Result<Cliques> {
        check(k)?;
        self.session().install(|| {
            let start = Instant::now();
            self.session().phase(Phase::Count);
            let (ran_on, cliques) = self.find_cliques(k).map_err(|error| error.of(self.name()))?;
            let (summary, count) = (self.summary(), start.elapsed().as_secs_f64());
            Ok(Cliques {
                head: self.head(&ran_on, self.stages(vec![("count", count)], count)),
                vertices: summary.vertices,
                edges: summary.edges,
                k,
                cliques,
                engine: if k == SMALLEST { ran_on.engine } else { METHOD.to_owned() },
            })
        })
    }

    /// The number of cliques of `k` vertices, from 3 to 12, that hold each vertex, by vertex index. Work as for
    /// [`cliques`](Self::cliques).
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// assert_eq!(prepared.cliques_at_vertices(3)?, [1, 1, 1, 0]);
    /// assert_eq!(prepared.cliques_at_vertices(4)?, [0, 0, 0, 0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`cliques`](Self::cliques), and [`Error::Input`] for 2⁶³ cliques or more.
    pub fn cliques_at_vertices(&self, k: u32) -> Result<Vec<u64>> {
        check(k)?;
        if k == SMALLEST {
            let local = self.local()?;
            return Ok((0..local.vertex_bound() as u32).map(|v| local.triangles(v)).collect());
        }
        self.check_named()?;
        self.working(Phase::Count, |context| {
            if let Some(on_disk) = &self.on_disk {
                return Ok(on_disk.on_cpu(Task::Cliques).cliques(k, true, context)?.1);
            }
            let graph = self.oriented()?;
            let found = cliques::at_vertices(&graph, k, context);
            let (by_rank, _) = found.map_err(|error| error.of(self.name()))?;
            self.note(&Session::cpu());
            Ok(by_vertex(&graph, |rank| by_rank[rank]))
        })
    }

    /// The number of cliques of `k` vertices, from 3 to 12, that hold each edge. Work as for [`cliques`](Self::cliques); memory: 32
    /// bytes an edge, and 16 for each triangle of the rows at hand.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let triangles = prepared.cliques_on_edges(3)?;
    /// assert_eq!((triangles.get(0, 1), triangles.get(2, 3)), (Some(1), Some(0)));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`cliques_at_vertices`](Self::cliques_at_vertices), and [`Error::Input`] for 2³² edges or more.
    pub fn cliques_on_edges(&self, k: u32) -> Result<EdgeValues<u64>> {
        check(k)?;
        if k == SMALLEST {
            return Ok(self.support()?.map(u64::from));
        }
        self.working(Phase::Count, |context| {
            let graph = self.oriented()?;
            let found = cliques::on_edges(&graph, k, context);
            let (on_edges, _) = found.map_err(|error| error.of(self.name()))?;
            self.note(&Session::cpu());
            self.of_places(&graph, &on_edges)
        })
    }

    /// Hands all cliques of `k` vertices, from 3 to 12, to `take`, some blocks of them at a time, until it says `false`. A block has
    /// k vertex indexes for each clique, one clique after the other, ascending in each. Their order is the same for every number of
    /// threads. The CPU lists them. `take` runs on one of the session's threads at a time.
    ///
    /// Work as for [`cliques`](Self::cliques), and O(k) for each clique. Memory: 32 blocks of 2¹² + √(2m) cliques at most, and
    /// 32 neighbourhoods, of m/4 bytes at most.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let mut triangles = Vec::new();
    /// prepared.each_clique(3, |blocks| {
    ///     triangles.extend(blocks.concat().chunks(3).map(<[u32]>::to_vec));
    ///     Ok(true)
    /// })?;
    /// assert_eq!(triangles, [[0, 1, 2]]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`cliques`](Self::cliques), and those of `take`.
    pub fn each_clique(
        &self,
        k: u32,
        mut take: impl FnMut(Vec<Vec<u32>>) -> Result<bool> + Send,
    ) -> Result<()> {
        check(k)?;
        self.check_named()?;
        self.working(Phase::Count, |context| {
            if let Some(on_disk) = &self.on_disk {
                return on_disk.on_cpu(Task::Cliques).each_clique(k, context, &mut take);
            }
            let graph = self.oriented()?;
            let listing = CliqueListing::new(&graph, k);
            context.work().begin(listing.rows());
            let found = listing.each(context, &mut take).map(|_| ());
            found.map_err(|error| error.of(self.name()))
        })
    }

    fn find_cliques(&self, k: u32) -> Result<(RanOn, u128)> {
        if k == SMALLEST {
            let (ran_on, found) = self.find_count(&CountOptions::default())?;
            return Ok((ran_on, found.triangles.into()));
        }
        self.find(Task::Cliques, |held, context| held.cliques(k, context))
    }
}

fn check(k: u32) -> Result<()> {
    match (SMALLEST..=LARGEST).contains(&k) {
        true => Ok(()),
        false => Err(Error::Usage(
            format!("cliques of {k} vertices: cliques have from {SMALLEST} to {LARGEST} vertices")
                .into(),
        )),
    }
}
