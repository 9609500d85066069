//! Estimates of triangles and clustering, with intervals.

use std::time::Instant;

use fastrand::Rng;

use super::{PreparedGraph, Session};
use crate::Result;
use crate::analytics::{Bounded, Estimate, EstimateOptions};
use crate::control::Phase;
use crate::count::{RanOn, transitivity};
use crate::graph::Summary;
use crate::plan::{Task, affordable_draws};
use tribin_analytics::cpu::wedges::Wedges;
use tribin_analytics::interval;
use tribin_base::par;

impl PreparedGraph {
    /// Triangles, transitivity and mean clustering coefficient, each with an interval that covers it with the confidence asked for.
    ///
    /// Wedges are drawn at random, and looked up on the CPU. Where all triangles are predicted to be found as soon, or the graph is
    /// on a GPU or in scratch files, they are found instead, and the intervals have no width. Memory beside the graph: 4 bytes an
    /// edge and 24 a vertex.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::analytics::EstimateOptions;
    /// use tribin::{Options, Session};
    ///
    /// let karate = Session::open(Options::default())?.prepare("tests/data/karate.mtx")?;
    /// let estimate = karate.estimate(&EstimateOptions::default())?;
    /// assert_eq!((estimate.triangles.value, estimate.exact), (45, true));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count), and [`Error::Usage`](crate::Error::Usage) where a share of the options is not above 0 and below 1.
    pub fn estimate(&self, options: &EstimateOptions) -> Result<Estimate> {
        options.check()?;
        self.session().install(|| {
            let start = Instant::now();
            self.session().phase(Phase::Count);
            let runner = &self.place(Task::Estimate)?.runner;
            let (ran_on, found) = if self.on_disk.is_some() {
                self.all_found("the edges are in scratch files")?
            } else if !runner.is_cpu() {
                self.all_found("the graph is on a GPU, which finds all triangles")?
            } else {
                match self.sampled(options)? {
                    Some(found) => found,
                    None if options.always_sample => {
                        self.all_found("there are fewer wedges than would be drawn")?
                    }
                    None => self.all_found("all triangles are found as soon")?,
                }
            };
            let estimate = start.elapsed().as_secs_f64();
            let seconds = self.stages(vec![("estimate", estimate)], estimate);
            let Summary { vertices, edges, wedges, .. } = self.summary();
            let EstimateOptions { error, confidence, seed, .. } = *options;
            Ok(Estimate {
                head: self.head(&ran_on, seconds),
                vertices,
                edges,
                wedges,
                transitivity: found.triangles.map(|triangles| transitivity(triangles, wedges)),
                error,
                confidence,
                seed,
                exact: found.sampled_wedges == 0,
                ..found
            })
        })
    }

    /// What looked wedges up, and the numbers of an estimate from samples; `None` where all triangles are found as soon.
    fn sampled(&self, options: &EstimateOptions) -> Result<Option<(RanOn, Estimate)>> {
        let (graph, context) = (self.oriented()?, self.session().context());
        let vertices = self.summary().vertices;
        let mut most = match options.always_sample {
            true => u64::MAX,
            false => affordable_draws(graph.edges(), vertices, par::threads()),
        };
        let mut random = Rng::with_seed(options.seed);
        let oriented = Wedges::oriented(&graph, &context)?;
        let Some(of_triangles) = oriented.draws(options, most, &mut random, &context)? else {
            return Ok(None);
        };
        most -= of_triangles;
        let at_vertices = Wedges::of_vertices(&graph, &context)?;
        let Some(of_clustering) = at_vertices.draws(options, most, &mut random, &context)? else {
            return Ok(None);
        };
        let mut share = |wedges: &Wedges, draws| -> Result<Bounded<f64>> {
            let closed = wedges.closed(draws, &mut random, &context)?;
            let [low, high] = interval(closed, draws, options.confidence);
            Ok(Bounded { value: closed as f64 / draws as f64, low, high })
        };
        let (closed, clustered) =
            (share(&oriented, of_triangles)?, share(&at_vertices, of_clustering)?);
        let triangles = closed.map(|share| share * oriented.weight() as f64);
        let joined = at_vertices.weight() as f64 / vertices as f64;
        let because = match options.always_sample {
            true => "asked for",
            false => "wedges are drawn sooner than all triangles are found",
        };
        let found = Estimate {
            triangles: Bounded {
                value: triangles.value.round() as u64,
                low: triangles.low.floor() as u64,
                high: triangles.high.ceil() as u64,
            },
            average_clustering: clustered.map(|share| share * joined),
            sampled_wedges: of_triangles,
            sampled_vertices: of_clustering,
            because: because.to_owned(),
            ..Estimate::default()
        };
        Ok(Some((Session::cpu(), found)))
    }

    /// What found all triangles, and the numbers of an estimate from them, wherever the graph is.
    fn all_found(&self, because: &str) -> Result<(RanOn, Estimate)> {
        let (ran_on, local) = self.find_local(Task::AtVertices)?;
        let found = Estimate {
            triangles: Bounded::exact(local.total()),
            average_clustering: Bounded::exact(local.average_clustering()),
            because: because.to_owned(),
            ..Estimate::default()
        };
        Ok((ran_on, found))
    }
}
