//! Exact triangle counting for large graphs.
//!
//! The modules follow the path of an edge:
//!
//! | step | module | what happens |
//! | --- | --- | --- |
//! | read | [`read`] | a file of any supported format becomes a [`Graph`]: edges as they stand |
//! | prepare | [`Session::prepare`] | directions, self-loops and duplicates go; every edge points from its larger rank to its smaller |
//! | plan | [`plan`] | what to do, and why |
//! | count | [`count`] | the oriented lists are intersected |
//! | analyse | [`analytics`] | or: counts at every vertex and edge, trusses, the list of all triangles |
//! | report | [`report`] | figures for people and for machines |
//!
//! [`generate`] makes graphs, and [`mod@write`] turns them into files. [`mod@bench`] measures engines side by
//! side.
//!
//! # Count, and more
//!
//! ```
//! use tribin::{Graph, Options, Session};
//!
//! // A device (a GPU if one can be used, else the CPU) and threads, for any number of graphs.
//! let session = Session::open(Options::default())?;
//!
//! // A square with one diagonal; one edge is there twice, and one joins a vertex to itself.
//! let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [2, 0], [1, 1]]);
//! let count = session.count(&graph)?;
//! assert_eq!((count.triangles, count.vertices, count.edges), (2, 4, 5));
//! assert_eq!((count.self_loops_dropped, count.duplicates_dropped), (1, 1));
//! assert_eq!((count.wedges, count.transitivity), (8, 0.75));
//!
//! // A file, prepared once for any number of results. Vertices keep the file's ids.
//! let karate = session.prepare(&tribin::open("tests/data/karate.mtx")?)?;
//! assert_eq!(karate.count()?.triangles, 45);
//! assert_eq!(karate.local()?.triangles(0), 18);
//! assert_eq!(karate.support()?.len(), 78);
//! assert_eq!(karate.trussness()?.values().iter().max(), Some(&5));
//! # Ok::<(), tribin::Error>(())
//! ```

pub mod features;

/// The command. It is here, and not in the binary alone, because the Python package has it, too: both link what is compiled once.
/// It uses what everybody may use.
#[cfg(feature = "cli")]
#[doc(hidden)]
// `eprintln!` panics where standard error cannot be written: `cli::stderr` does not.
#[deny(clippy::print_stderr)]
pub mod cli;

#[cfg(feature = "cli")]
extern crate self as tribin;

/// Graphs: as they were read, and oriented.
pub mod graph {
    #[cfg(feature = "gpu")]
    pub use tribin_gpu::device_graph::{DeviceColumn, DeviceEdges, DeviceIds};
    pub use tribin_graph::{
        Duplicates, Edge, EdgeBlocks, EdgeSink, EdgeSource, EntryBlock, EntryIds, Graph, Named,
        Names, OrientedGraph, Reading, Summary, VertexId, VertexIds, Visited,
    };
}

/// Facts of a graph and of the machine, and the choices that follow from them.
pub mod plan {
    pub use tribin_plan::{
        Decision, DeviceMemory, Explanation, HostMemory, OutOfCore, PhaseMemory, Reason, Rejected,
        Step, Task,
    };
}

pub use tribin_analytics as analytics;
pub use tribin_base::{
    Cancel, Context, Disagreement, Error, Message, Phase, Place, Result, Work, hint,
};
#[cfg(feature = "bench")]
pub use tribin_bench as bench;
#[cfg(feature = "cluster")]
pub use tribin_cluster as cluster;
pub use tribin_count as count;
pub use tribin_cpu::prepare::oriented;
#[cfg(feature = "output")]
pub use tribin_generate as generate;
pub use tribin_graph::{Duplicates, Graph, OrientedGraph, Summary, VertexIds};
#[cfg(feature = "gpu")]
pub use tribin_papers as papers;
#[cfg(feature = "cluster")]
pub use tribin_ranks as ranks;
pub use tribin_read as read;
#[cfg(feature = "output")]
pub use tribin_report as report;
pub use tribin_session::{
    DeviceChoice, Engine, Fallback, Foreseen, GpuList, Input, LabelledTriangles, Options, Plan,
    PreparedGraph, ResidentGraph, Selection, Session, results,
};
#[cfg(feature = "output")]
pub use tribin_write as write;

/// Reads a file with default options: its format is told by its extension and first bytes (see [`read`]).
///
/// # Errors
/// One message with file and line for whatever is wrong with it.
pub fn open(path: impl Into<read::Source>) -> Result<Graph> {
    read::open(path, &read::Options::default())
}
