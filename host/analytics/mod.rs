//! What triangles are counted for: per-vertex counts, clustering, support, trusses, the list of them all.
//!
//! [`Analyzer`] is the door: [`Analyzer::prepare`] makes a [`SimpleGraph`] of a [`Graph`](crate::Graph)
//! once, and every method then works on that.
//!
//! | method | gives | of |
//! | --- | --- | --- |
//! | [`Analyzer::stats`] | [`Stats`]: degrees, wedges, triangles, transitivity, clustering, degeneracy | the graph |
//! | [`Analyzer::local`] | [`Local`]: degree, triangles, clustering coefficient | every vertex |
//! | [`Analyzer::support`] | [`EdgeValues`]: triangles | every edge |
//! | [`Analyzer::trussness`] | [`EdgeValues`]: the largest k whose k-truss has it | every edge |
//! | [`Analyzer::k_truss`] | the edges of the k-truss | |
//! | [`Analyzer::triangles`] | [`Triangles`]: all of them, block by block | |
//!
//! Definitions are NetworkX's (docs/analytics.md). All results are exact, of the undirected simple graph,
//! and the same on every device and with any number of threads; the order of the list alone depends on
//! the device that prepared the graph. A method of your own, or another device's, is an implementation of
//! [`Engine`].
//!
//! ```
//! use tribin::analytics::{Analyzer, Options};
//! use tribin::read;
//!
//! let analyzer = Analyzer::new(Options::default())?;
//! let karate = analyzer.prepare_file("tests/data/karate.mtx", &read::Options::default())?;
//!
//! let local = analyzer.local(&karate)?;
//! assert_eq!((local.degree(0), local.triangles(0)), (16, 18));
//! assert_eq!(local.clustering(0), 0.15);
//! assert_eq!(karate.ids().original(0), 1);
//!
//! let truss = analyzer.trussness(&karate)?;
//! assert_eq!(truss.values().iter().max(), Some(&5));
//! assert_eq!(analyzer.k_truss(&karate, 5)?.len(), 14);
//!
//! assert_eq!(analyzer.triangles(&karate).iter().count(), 45);
//! # Ok::<(), tribin::Error>(())
//! ```

mod analyzer;
pub mod cpu;
mod edge_values;
mod engine;
pub mod gpu;
mod listing;
mod local;
mod on_cpu;
mod on_gpu;
mod selection;
mod simple_graph;
mod stats;

pub use analyzer::{Analyzer, Options};
pub use edge_values::EdgeValues;
pub use engine::Engine;
pub use listing::Triangles;
pub use local::Local;
pub use simple_graph::SimpleGraph;
pub use stats::{Stats, StatsSeconds};
