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
//! let session = Session::new(Options::default())?;
//!
//! // A square with one diagonal; one edge is there twice, and one joins a vertex to itself.
//! let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [2, 0], [1, 1]]);
//! let count = session.count(&graph)?;
//! assert_eq!((count.triangles, count.vertices, count.edges), (2, 4, 5));
//! assert_eq!((count.self_loops_dropped, count.duplicates_dropped), (1, 1));
//! assert_eq!((count.wedges, count.transitivity), (8, 0.75));
//!
//! // A file, prepared once for any number of results. Vertices keep the file's ids.
//! let karate = session.prepare(&Graph::open("tests/data/karate.mtx")?)?;
//! assert_eq!(karate.count()?.triangles, 45);
//! assert_eq!(karate.local()?.triangles(0), 18);
//! assert_eq!(karate.support()?.len(), 78);
//! assert_eq!(karate.trussness()?.values().iter().max(), Some(&5));
//! # Ok::<(), tribin::Error>(())
//! ```

// Where formats, GPUs or output are left out, much of what they share is unused.
#![cfg_attr(
    not(all(feature = "formats", feature = "gpu", feature = "output")),
    allow(dead_code, unused_imports)
)]

pub mod analytics;
#[cfg(all(feature = "gpu", feature = "output"))]
pub mod bench;
mod control;
pub mod count;
#[cfg(feature = "lab")]
pub mod device;
#[cfg(not(feature = "lab"))]
mod device;
mod device_parts;
#[cfg(feature = "output")]
mod distributed;
mod engine_choice;
mod error;
#[cfg(feature = "lab")]
pub mod exchange;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
mod exchange;
mod file_format;
#[cfg(feature = "output")]
pub mod generate;
pub mod graph;
#[cfg(feature = "lab")]
pub mod methods;
#[cfg(not(feature = "lab"))]
mod methods;
mod out_of_core;
#[cfg(feature = "gpu")]
pub mod papers;
pub mod plan;
#[cfg(feature = "lab")]
pub mod prepare;
#[cfg(not(feature = "lab"))]
mod prepare;
mod printable;
#[cfg(feature = "output")]
pub mod ranks;
pub mod read;
#[cfg(feature = "output")]
pub mod report;
mod session;
#[cfg(feature = "output")]
pub mod write;

pub use control::{Cancel, Context, Phase, Work};
pub use error::{Disagreement, Error, Hint, Message, Place, Result};
pub use graph::{Duplicates, Graph, OrientedGraph, Summary, VertexIds};
pub use prepare::cpu::PhaseTimes;
pub use session::{
    DeviceChoice, DirectedGraph, Engine, Fallback, GpuList, Held, Options, OutOfCoreGraph, Plan,
    PreparedGraph, Selection, Session, WeightedGraph,
};
