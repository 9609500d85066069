//! What triangles are counted for: per-vertex counts, clustering, support, trusses, the list of them all.
//!
//! A [`PreparedGraph`](crate::PreparedGraph) gives each, the list of triangles through its
//! [`oriented`](crate::PreparedGraph::oriented) graph:
//!
//! | method | gives | of |
//! | --- | --- | --- |
//! | [`stats`](crate::PreparedGraph::stats) | [`Stats`]: degrees, wedges, triangles, transitivity, clustering, degeneracy | the graph |
//! | [`local`](crate::PreparedGraph::local) | [`Local`]: degree, triangles, clustering coefficient | every vertex |
//! | [`support`](crate::PreparedGraph::support) | [`EdgeValues`]: triangles | every edge |
//! | [`trussness`](crate::PreparedGraph::trussness) | [`EdgeValues`]: the largest k whose k-truss has it | every edge |
//! | [`k_truss`](crate::PreparedGraph::k_truss) | the edges of the k-truss | |
//! | [`triangles`](crate::OrientedGraph::triangles) | [`Triangles`]: all of them, block by block | |
//!
//! Definitions are NetworkX's (docs/analytics.md). All results are exact, of the undirected simple graph, and
//! the same on every device and with any number of threads. The order of the list alone depends on the device
//! that prepared the graph.
//!
//! ```
//! use tribin::{Options, Session, read};
//!
//! let session = Session::new(Options::default())?;
//! let karate = session.prepare_file("tests/data/karate.mtx", &read::Options::default())?;
//!
//! let local = karate.local()?;
//! assert_eq!((local.degree(0), local.triangles(0)), (16, 18));
//! assert_eq!(local.clustering(0), 0.15);
//! assert_eq!(karate.ids().id(0).to_string(), "1");
//!
//! let truss = karate.trussness()?;
//! assert_eq!(truss.values().iter().max(), Some(&5));
//! assert_eq!(karate.k_truss(5)?.len(), 14);
//!
//! assert_eq!(karate.oriented()?.triangles().iter().count(), 45);
//! # Ok::<(), tribin::Error>(())
//! ```

#[cfg(feature = "lab")]
pub mod cpu;
#[cfg(not(feature = "lab"))]
pub(crate) mod cpu;
mod edge_values;
#[cfg(feature = "lab")]
pub mod gpu;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod gpu;
mod histogram;
mod listing;
mod local;
mod stats;

pub use edge_values::EdgeValues;
pub use listing::Triangles;
pub use local::Local;
pub use stats::{Stats, StatsSeconds};
