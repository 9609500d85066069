//! Exact triangle counting for large graphs.
//!
//! The modules follow the path of an edge:
//!
//! | step | module | what happens |
//! | --- | --- | --- |
//! | read | [`read`] | a file of any supported format becomes a [`Graph`]: edges as they stand |
//! | prepare | [`prepare`] | directions, self-loops and duplicates go; every edge points from the lower to the higher degree |
//! | plan | [`plan`] | what to do, and why |
//! | count | [`count`] | the oriented lists are intersected |
//! | analyse | [`analytics`] | or: counts at every vertex and edge, trusses, the list of all triangles |
//! | report | [`report`] | figures for people and for machines |
//!
//! [`methods`] holds the counting methods, [`device`] what they run on. [`generate`] makes graphs, and
//! [`mod@write`] turns them into files. [`mod@bench`] measures engines side by side.
//!
//! ```
//! use tribin::Graph;
//! use tribin::count::{Counter, Options};
//!
//! // A square with one diagonal; one edge is there twice, and one joins a vertex to itself.
//! let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [2, 0], [1, 1]]);
//!
//! let count = Counter::new(Options::default())?.count(&graph)?;
//!
//! assert_eq!(count.triangles, 2);
//! assert_eq!((count.vertices, count.edges), (4, 5));
//! assert_eq!((count.self_loops_dropped, count.duplicates_dropped), (1, 1));
//! assert_eq!(count.wedges, 8);
//! assert_eq!(count.transitivity, 0.75);
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! A file is opened with [`Graph::open`], or read, counted and timed in one call with
//! [`count::Counter::count_file`]:
//!
//! ```
//! # use tribin::count::{Counter, Options};
//! let counter = Counter::new(Options::default())?;
//! let count = counter.count_file("tests/data/karate.mtx", &Default::default())?;
//! assert_eq!(count.triangles, 45);
//! # Ok::<(), tribin::Error>(())
//! ```

pub mod analytics;
pub mod bench;
pub mod count;
pub mod device;
mod error;
pub mod generate;
pub mod graph;
pub mod methods;
pub mod plan;
pub mod prepare;
pub mod read;
pub mod report;
pub mod write;

pub use error::{Disagreement, Error, Result};
pub use graph::{Graph, VertexIds};
