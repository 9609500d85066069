//! The graph that is asked about: where its edges are, and what is asked of it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::count::CountOptions;
use crate::graph::{EdgeBlocks, EdgeSource, Named};
use crate::plan::Task;
use crate::{Cancel, Graph, read};
#[cfg(feature = "gpu")]
use tribin_gpu::device_graph::DeviceEdges;

/// A graph to count or to prepare: edges in memory, files, blocks that are made when they are asked for, or edges in the
/// memory of GPUs. What has a short form is one by itself: `&Graph`, and the path of a file.
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// use tribin::{Graph, Input, Options, Session, read};
///
/// let session = Session::open(Options::default())?;
/// assert_eq!(session.count(&Graph::from_edges([[0, 1], [1, 2], [2, 0]]))?.triangles, 1);
/// assert_eq!(session.count("tests/data/karate.mtx")?.triangles, 45);
///
/// let mut reading = read::Options::default();
/// reading.format = Some("matrix-market".parse()?);
/// let karate = session.prepare(Input::file("tests/data/karate.mtx", &reading).directed())?;
/// assert_eq!(karate.reciprocity()?.of_graph(), Some(1.0));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Clone)]
pub struct Input<'a> {
    pub(super) edges: InputEdges<'a>,
    pub(super) is_directed: bool,
    pub(super) task: Option<Task>,
    pub(super) options: CountOptions,
}

/// The place of the edges of an [`Input`].
#[derive(Clone)]
pub(super) enum InputEdges<'a> {
    Graph(&'a Graph),
    Files {
        source: read::Source,
        reading: Cow<'a, read::Options>,
    },
    Blocks {
        blocks: &'a dyn EdgeBlocks,
        name: &'a str,
    },
    #[cfg(feature = "gpu")]
    OnGpus(&'a [DeviceEdges]),
}

impl<'a> Input<'a> {
    fn new(edges: InputEdges<'a>) -> Input<'a> {
        let options = CountOptions::default();
        Input { edges, is_directed: false, task: None, options }
    }

    /// The graph of a file, a folder or several files ([`read::Source`]), as the options say.
    pub fn file(source: impl Into<read::Source>, reading: &'a read::Options) -> Input<'a> {
        let source = source.into();
        Input::new(InputEdges::Files { source, reading: Cow::Borrowed(reading) })
    }

    /// Entries that come in blocks, as those of a generated graph do. All entries are brought into memory first: 8 bytes
    /// each, and 16 for a moment.
    ///
    /// ```
    /// use tribin::{Graph, Input, Options, Session};
    ///
    /// let session = Session::open(Options::default())?;
    /// let blocks = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// let count = session.count(Input::blocks(&blocks, "a triangle"))?;
    /// assert_eq!((count.triangles, &*count.file), (1, "a triangle"));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn blocks(blocks: &'a dyn EdgeBlocks, name: &'a str) -> Input<'a> {
        Input::new(InputEdges::Blocks { blocks, name })
    }

    /// Edges that other libraries hold in the memory of the session's GPUs, such as an array of CuPy or PyTorch, or an
    /// array on each of several GPUs: one graph of them all. Nothing is copied to the host unless the vertices have to be
    /// numbered anew, the GPUs have no room for the sort, or there are self-loops.
    /// [`PreparedGraph::copied`](crate::PreparedGraph::copied) says why where the edges were copied.
    ///
    /// Ids are numbered anew where [`Graph::from_u64_edges`] does so. Where shares say how many vertices there are,
    /// the largest such number holds. Several GPUs even out what each of them has. A session that was left to choose
    /// opens further GPUs where they have edges. The session refuses shares where it is not on the GPUs that have them,
    /// no shares at all, and ids that are negative.
    ///
    /// ```no_run
    /// use tribin::graph::{DeviceColumn, DeviceEdges, DeviceIds};
    /// use tribin::{DeviceChoice, Input, Options, Session};
    ///
    /// # let (addresses, entries) = ([0, 0], 0);
    /// let mut options = Options::default();
    /// options.device = DeviceChoice::AllGpus;
    /// // Pairs of 32-bit ids, half of them on each of two GPUs.
    /// let shares: Vec<DeviceEdges> = (0..2)
    ///     .map(|gpu| {
    ///         let first = addresses[gpu as usize];
    ///         let columns = [0, 4].map(|offset| DeviceColumn { address: first + offset, step: 2 });
    ///         // SAFETY: the memory is alive, and nothing writes to it.
    ///         unsafe { DeviceEdges::new(gpu, DeviceIds::U32, columns, entries) }
    ///     })
    ///     .collect();
    /// let graph = Session::open(options)?.prepare(Input::on_gpus(&shares))?;
    /// println!("{}", graph.count()?.triangles);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    #[cfg(feature = "gpu")]
    pub fn on_gpus(shares: &'a (impl AsRef<[DeviceEdges]> + ?Sized)) -> Input<'a> {
        Input::new(InputEdges::OnGpus(shares.as_ref()))
    }

    /// The input with the directions of its edges, which the prepared graph then knows.
    pub fn directed(self) -> Input<'a> {
        Input { is_directed: true, ..self }
    }

    /// The input with what its graph is prepared for, or what a plan is made of. Where the device is left to the program, it
    /// goes by the time that this is predicted to take.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::plan::Task;
    /// use tribin::{Input, Options, Session};
    ///
    /// let session = Session::open(Options::default())?;
    /// let karate = Input::from("tests/data/karate.mtx").for_task(Task::Trusses);
    /// assert_eq!(session.plan(karate.clone())?.entries, 78);
    /// assert_eq!(session.prepare(karate)?.trussness()?.len(), 78);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn for_task(self, task: Task) -> Input<'a> {
        Input { task: Some(task), ..self }
    }

    /// The input with how its triangles are counted. For verification all entries are in memory.
    ///
    /// ```
    /// use tribin::count::{CountOptions, EngineChoice};
    /// use tribin::{Graph, Input, Options, Session};
    ///
    /// let options = CountOptions { engine: EngineChoice::Forward, verify: true, ..CountOptions::default() };
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// let count = Session::open(Options::default())?.count(Input::from(&graph).with_options(&options))?;
    /// assert_eq!((count.triangles, &*count.engine), (1, "forward"));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn with_options(self, options: &CountOptions) -> Input<'a> {
        Input { options: options.clone(), ..self }
    }

    /// The task that a graph with what is known before it is read is prepared for: `asked`, unless directions or weights
    /// matter.
    pub(super) fn kept_for(&self, asked: Task) -> Task {
        let has_weights = match &self.edges {
            InputEdges::Graph(graph) => graph.weights().is_some(),
            InputEdges::Files { reading, .. } => reading.weight.is_some(),
            _ => false,
        };
        match (self.is_directed, has_weights) {
            (_, true) => Task::Products,
            (true, false) => Task::ByDirection,
            (false, false) => asked,
        }
    }

    /// The edges as they come, one block after the other; `name` is what messages call the graph, and `cancel` stops a reader.
    pub(super) fn source<'s>(&'s self, name: &'s str, cancel: &Cancel) -> Box<dyn EdgeSource + 's> {
        match &self.edges {
            InputEdges::Graph(graph) => Box::new(*graph),
            InputEdges::Files { source, reading } => {
                let reading = read::Options { cancel: cancel.clone(), ..(**reading).clone() };
                Box::new(read::FileEdges::new(source.clone(), &reading))
            }
            InputEdges::Blocks { blocks, .. } => Box::new(Named { edges: *blocks, name }),
            #[cfg(feature = "gpu")]
            InputEdges::OnGpus(_) => {
                unreachable!("edges in device memory are taken where they are")
            }
        }
    }

    /// The name of the graph in messages.
    pub(super) fn name(&self) -> String {
        match &self.edges {
            InputEdges::Graph(graph) => graph.name().to_owned(),
            InputEdges::Files { source, .. } => source.name(),
            InputEdges::Blocks { name, .. } => (*name).to_owned(),
            #[cfg(feature = "gpu")]
            InputEdges::OnGpus(_) => super::device_edges::NAME.to_owned(),
        }
    }
}

impl<'a> From<&'a Graph> for Input<'a> {
    fn from(graph: &'a Graph) -> Input<'a> {
        Input::new(InputEdges::Graph(graph))
    }
}

impl From<read::Source> for Input<'_> {
    fn from(source: read::Source) -> Self {
        Input::new(InputEdges::Files { source, reading: Cow::Owned(read::Options::default()) })
    }
}

impl From<&Path> for Input<'_> {
    fn from(path: &Path) -> Self {
        read::Source::from(path).into()
    }
}

impl From<&PathBuf> for Input<'_> {
    fn from(path: &PathBuf) -> Self {
        read::Source::from(path).into()
    }
}

impl From<&str> for Input<'_> {
    fn from(path: &str) -> Self {
        read::Source::from(path).into()
    }
}
