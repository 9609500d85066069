//! Results of graphs that know the directions of their edges.
//!
//! An entry leads from its first vertex to its second, unless the file says that its edges have no direction
//! ([`Graph::has_both_directions`]). Duplicates are dropped; self-loops are only part of the
//! [reciprocity](PreparedGraph::reciprocity).
//!
//! Triangles are found on the session's device. Where that was left open, a GPU finds them if the graph is large enough for
//! it to pay, and the CPU otherwise. What is counted by vertex alone is found on the CPU, and so is all of a graph in scratch files.

use std::sync::Arc;
use std::time::Instant;

use super::on_disk::DiskGraph;
use super::resident::by_vertex;
use super::{PreparedGraph, Session};
use crate::analytics::{Census, DirectedLocal, DirectedStats, Reciprocity};
use crate::control::{Context, Phase};
use crate::count::RanOn;
use crate::graph::{Directions, OrientedGraph, Weights};
use crate::plan::Task;
use crate::{Error, Graph, Result};
use tribin_analytics::cpu::directed::{self, ARCS, Neighbours};
use tribin_cpu::prepare::{directions, weights};

/// The directions and weights of the edges of a prepared graph.
#[derive(Debug, Clone, Default)]
pub(super) struct Arcs {
    pub directions: Option<Arc<Directions>>,
    /// One for each edge, or where there are directions two.
    pub weights: Option<Arc<Weights>>,
    /// Seconds that finding directions and weights took.
    pub seconds: f64,
}

impl Arcs {
    /// Finds the directions of the edges of a prepared graph, if they matter, and the weights, if the graph has some.
    pub fn of(graph: &Graph, prepared: &PreparedGraph, is_directed: bool) -> Result<Arcs> {
        if !is_directed && graph.weights().is_none() {
            return Ok(Arcs::default());
        }
        let (start, context) = (Instant::now(), prepared.session().context());
        let oriented = prepared.oriented()?;
        let found = is_directed.then(|| directions(graph, &oriented, &context)).transpose()?;
        let weights = graph.weights().map(|_| weights(graph, &oriented, is_directed, &context));
        Ok(Arcs {
            directions: found.map(Arc::from),
            weights: weights.transpose()?.map(Arc::from),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

impl PreparedGraph {
    /// Whether the edges know their directions.
    pub fn is_directed(&self) -> bool {
        let on_disk = self.on_disk.as_ref().is_some_and(|on_disk| on_disk.graph.is_directed());
        on_disk || self.arcs.directions.is_some()
    }

    /// The directions of the edges.
    pub(super) fn directions(&self) -> Result<&Directions> {
        self.arcs.directions.as_deref().ok_or_else(|| {
            let message = "the graph was prepared without directions: prepare `Input::directed`";
            Error::Usage(message.into())
        })
    }

    /// Degrees, directed triangles and clustering coefficients of every vertex. O(m^1.5) work.
    ///
    /// ```
    /// use tribin::analytics::TriangleKind;
    /// # use tribin::{Graph, Input, Options, Session};
    ///
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [0, 2]]);
    /// let local = Session::open(Options::default())?.prepare(Input::from(&graph).directed())?.directed_local()?;
    /// assert_eq!(local.triangles(TriangleKind::Middleman, 1), 1);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] of a graph that was prepared without directions; what the device reports, and [`Error::Cancelled`].
    pub fn directed_local(&self) -> Result<DirectedLocal> {
        self.check_named()?;
        let on_disk = |on_disk: &DiskGraph, context: &Context| {
            on_disk.on_cpu(Task::ByDirection).directed_triangles(context)
        };
        let kinds = self.by_direction(on_disk, |graph, directions| {
            let (_, kinds) =
                self.find(Task::ByDirection, |held, context| held.directed(directions, context))?;
            Ok(by_vertex(graph, |rank| kinds[rank]))
        })?;
        Ok(DirectedLocal::of_vertices(self.neighbours()?, kinds))
    }

    /// The neighbours of every vertex by direction.
    fn neighbours(&self) -> Result<Vec<Neighbours>> {
        let on_disk = |on_disk: &DiskGraph, context: &Context| on_disk.graph.neighbours(context);
        self.by_direction(on_disk, |graph, directions| {
            let neighbours = directed::neighbours(graph, directions);
            Ok(by_vertex(graph, |rank| neighbours[rank]))
        })
    }

    /// The arcs among the neighbours of every vertex, in whichever direction these are neighbours, by vertex index.
    /// O(m^1.5) work, on the CPU.
    ///
    /// ```
    /// # use tribin::{Graph, Input, Options, Session};
    /// let graph = Graph::from_edges([[0, 1], [0, 2], [1, 2], [2, 1]]);
    /// let directed = Session::open(Options::default())?.prepare(Input::from(&graph).directed())?;
    /// assert_eq!(directed.arcs_among_neighbours()?, [2, 1, 1]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`directed_local`](Self::directed_local).
    pub fn arcs_among_neighbours(&self) -> Result<Vec<u64>> {
        self.check_named()?;
        let on_disk = |on_disk: &DiskGraph, context: &Context| {
            let found = on_disk.on_cpu(Task::ByDirection).arcs_among_neighbours(context)?;
            Ok(found.into_iter().map(|[arcs]| arcs).collect())
        };
        self.by_direction(on_disk, |graph, directions| {
            let context = self.session().context();
            let found = directed::at_corners(graph, directions, &ARCS, &context)?;
            Ok(by_vertex(graph, |rank| found[rank][0]))
        })
    }

    /// How many triples of vertices are of each of 16 classes. All vertices count: those that the file declares, or
    /// else those that an entry names. O(m^1.5) work, whatever the number of triples.
    ///
    /// ```
    /// # use tribin::{Graph, Input, Options, Session};
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0]]);
    /// let census = Session::open(Options::default())?.prepare(Input::from(&graph).directed())?.census()?;
    /// let counts: Vec<_> = census.iter().map(|(class, count)| (class.name(), count)).collect();
    /// assert_eq!(counts[9], ("030C", 1));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`directed_local`](Self::directed_local).
    pub fn census(&self) -> Result<Census> {
        Ok(self.find_census(&self.neighbours()?)?.2)
    }

    /// What found the triangles, the number of all vertices, and the census of vertices with these neighbours.
    fn find_census(&self, neighbours: &[Neighbours]) -> Result<(RanOn, u64, Census)> {
        let on_disk = |on_disk: &DiskGraph, context: &Context| {
            Ok((Session::cpu(), on_disk.on_cpu(Task::ByDirection).codes(context)?))
        };
        let (ran_on, codes) =
            self.by_direction(on_disk, |_, directions| self.find_codes(directions))?;
        let none = Neighbours::default();
        let vertices = self.vertices(|vertex| neighbours[vertex as usize] != none);
        Ok((ran_on, vertices, Census::new(vertices, neighbours, &codes)))
    }

    /// The number of triangles of each code.
    pub(super) fn find_codes(&self, directions: &Directions) -> Result<(RanOn, [u64; 64])> {
        self.find(Task::ByDirection, |held, context| held.codes(directions, context))
    }

    /// The figures of the whole graph: arcs, reciprocity, and the census. O(m^1.5) work.
    ///
    /// ```
    /// # use tribin::{Graph, Input, Options, Session};
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0], [0, 2]]);
    /// let stats = Session::open(Options::default())?.prepare(Input::from(&graph).directed())?.directed_stats()?;
    /// assert_eq!((stats.arcs, stats.mutual_arcs, stats.triangles), (4, 2, 1));
    /// assert_eq!(stats.reciprocity, Some(0.5));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`directed_local`](Self::directed_local).
    pub fn directed_stats(&self) -> Result<DirectedStats> {
        let start = Instant::now();
        let neighbours = self.neighbours()?;
        let (ran_on, vertices, census) = self.find_census(&neighbours)?;
        let reciprocity = Reciprocity::of_vertices(neighbours, self.loops()?);
        let count = start.elapsed().as_secs_f64();
        let mut seconds = self.stages(vec![("count", count)], count);
        seconds.prepare += self.arcs.seconds;
        seconds.total += self.arcs.seconds;
        Ok(DirectedStats {
            head: self.head(&ran_on, seconds),
            vertices,
            arcs: reciprocity.arcs(),
            mutual_arcs: reciprocity.mutual_arcs(),
            self_loops: reciprocity.self_loops(),
            reciprocity: reciprocity.of_graph(),
            triangles: census.triangles(),
            census,
            out_of_core: self.out_of_core(),
        })
    }

    /// How many arcs have one back. O(n + m) work.
    ///
    /// ```
    /// use tribin::{Graph, Input, Options, Session};
    ///
    /// let arcs = Graph::from_edges([[0, 1], [1, 0], [1, 2]]);
    /// let directed = Session::open(Options::default())?.prepare(Input::from(&arcs).directed())?;
    /// let reciprocity = directed.reciprocity()?;
    /// assert_eq!((reciprocity.arcs(), reciprocity.mutual_arcs()), (3, 2));
    /// assert_eq!(reciprocity.of_vertex(2), Some(0.0));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`directed_local`](Self::directed_local).
    pub fn reciprocity(&self) -> Result<Reciprocity> {
        self.check_named()?;
        Ok(Reciprocity::of_vertices(self.neighbours()?, self.loops()?))
    }

    /// The vertices with a self-loop, ascending.
    fn loops(&self) -> Result<Vec<u32>> {
        let on_disk = |on_disk: &DiskGraph, _: &Context| Ok(on_disk.graph.loops().collect());
        self.by_direction(on_disk, |_, directions| Ok(directions.loops.clone()))
    }

    /// Finds something by the directions of the edges, wherever these are.
    fn by_direction<T: Send>(
        &self,
        on_disk: impl FnOnce(&DiskGraph, &Context) -> Result<T> + Send,
        in_memory: impl FnOnce(&OrientedGraph, &Directions) -> Result<T> + Send,
    ) -> Result<T> {
        if let Some(graph) = self.on_disk.as_ref().filter(|graph| graph.graph.is_directed()) {
            return self.working(Phase::Count, |context| on_disk(graph, context));
        }
        let directions = self.directions()?;
        self.on_host(|graph| in_memory(graph, directions))
    }

    /// Runs on the graph in host memory.
    pub(super) fn on_host<T: Send>(
        &self,
        run: impl FnOnce(&OrientedGraph) -> Result<T> + Send,
    ) -> Result<T> {
        self.working(Phase::Count, |context| {
            let graph = self.oriented()?;
            context.cancel().check()?;
            run(&graph)
        })
    }
}
