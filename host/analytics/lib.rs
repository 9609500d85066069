//! What triangles are counted for: per-vertex counts, clustering, support, trusses, the list of them all.
//!
//! A `PreparedGraph` gives each:
//!
//! | method | gives | of |
//! | --- | --- | --- |
//! | `stats` | [`Stats`]: degrees, wedges, triangles, transitivity, clustering, degeneracy | the graph |
//! | `local` | [`Local`]: degree, triangles, clustering coefficient | every vertex |
//! | `support` | [`EdgeValues`]: triangles | every edge |
//! | `trussness` | [`EdgeValues`]: the largest k whose k-truss has it | every edge |
//! | `k_truss` | the edges of the k-truss | |
//! | `each_triangle` | all triangles, block by block | |
//! | `cliques` | [`Cliques`]: the number of cliques of k vertices | the graph |
//! | `estimate` | [`Estimate`]: triangles, transitivity and mean clustering, each with an interval | the graph |
//! | `motifs` | [`Motifs`]: the connected motifs of three and four vertices | the graph |
//!
//! Where a graph was prepared with directions or weights:
//!
//! | method | gives | of |
//! | --- | --- | --- |
//! | `directed_local` | [`DirectedLocal`]: degrees, triangles and coefficients of every [kind](TriangleKind) | every vertex |
//! | `census` | [`Census`]: how many triples of vertices are of each of 16 classes | the graph |
//! | `directed_stats` | [`DirectedStats`]: arcs, reciprocity, the census | the graph |
//! | `reciprocity` | [`Reciprocity`] | the graph and every vertex |
//! | `strengths` | the sum of the weights of its edges | every vertex |
//! | `signed_triangles` | [`SignedTriangles`]: triangles by the signs of their edges | the graph |
//! | `signed_at_vertices`, `signed_on_edges` | triangles by the [number of their negative edges](ByNegatives) | every vertex, every edge |
//! | `weighted_clustering` | coefficients after [Onnela or Barrat](Weighting) | every vertex |
//!
//! Definitions are NetworkX's (docs/analytics.md). All results are exact, of the simple graph, and
//! the same on every device and with any number of threads. The order of the list, and the last bits of what is
//! weighted, alone depend on the device that prepared the graph.
//!
//! ```
//! # std::env::set_current_dir("../..").unwrap();
//! use tribin::{Options, Session};
//!
//! let session = Session::open(Options::default())?;
//! let karate = session.prepare("tests/data/karate.mtx")?;
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
//! let mut listed = 0;
//! karate.each_triangle(|blocks| {
//!     listed += blocks.iter().map(Vec::len).sum::<usize>();
//!     Ok(true)
//! })?;
//! assert_eq!(listed, 45);
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod census;
mod cliques;
pub mod cpu;
mod directed_local;
mod directed_stats;
mod edge_order;
mod edge_values;
mod estimate;
mod interval;
mod local;
mod motifs;
mod reciprocity;
mod report_head;
mod signed;
mod stages;
mod stats;
mod weighting;

use tribin_base::{Error, Result, control};
use tribin_count as count;
use tribin_graph::{self as graph};
use tribin_plan as plan;

pub use census::{Census, Triad};
pub use cliques::Cliques;
pub use cpu::signed::ByNegatives;
pub use cpu::similar::{SimilarPair, WantedPairs};
pub use cpu::truss::WantedTruss;
pub use directed_local::{DirectedLocal, TriangleKind};
pub use directed_stats::DirectedStats;
pub use edge_values::EdgeValues;
#[doc(hidden)]
pub use estimate::{Bounded, Estimate, EstimateOptions};
#[doc(hidden)]
pub use interval::interval;
pub use local::Local;
pub use motifs::{MotifCount, MotifSums, Motifs};
pub use reciprocity::Reciprocity;
pub use report_head::ReportHead;
pub use signed::{SignedTriangles, ZeroSign};
pub use stages::StageSeconds;
pub use stats::Stats;
pub use weighting::Weighting;
