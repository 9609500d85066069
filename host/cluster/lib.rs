//! Groups of a graph's edges that machines count without a word to each other.
//!
//! Every vertex has one of [`COLOURS`] colours, a hash of its id. A [`Group`] is three sets of colours, and stands for
//! the triangles that have a corner in each. It needs the edges between those sets and no others, so that one machine
//! can count it alone, with any engine. A [`GroupPlan`] is a list of groups of which every triangle has exactly one; what the
//! groups give adds up, whether it is the count, the counts at vertices or the support of edges.
//!
//! ```
//! use tribin::cluster::{GroupPlan, Pairs, Part, cut, look};
//! use tribin::{Cancel, Graph, Options, Session};
//!
//! let session = Session::open(Options::default())?;
//! let graph = Graph::from_edges((0..30u32).flat_map(|u| (0..u).map(move |v| [u, v])));
//! let edges = tribin::graph::Named { edges: &graph, name: "a clique" };
//! // How many entries there are between each two colours is all that a plan follows from.
//! let (pairs, _) = look(&edges, 1, &Cancel::new())?;
//! let plan = GroupPlan::new(&pairs, pairs.entries() / 4);
//! assert!(plan.largest() <= pairs.entries() / 4 && plan.groups.len() > 4);
//! let mut triangles = 0;
//! for group in &plan.groups {
//!     let entries = cut(&edges, &[*group], 1, &Cancel::new())?.remove(0);
//!     let part = Part::new(Graph::from_u64_edges(entries)?, group, 1)?;
//!     triangles += session.count(part.graph())?.triangles;
//! }
//! assert_eq!(triangles, 30 * 29 * 28 / 6);
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! **Why the sum is exact.** The plan begins with one group, whose three sets hold all colours, and every triangle is
//! its own. A group is of two kinds, and [`Group::split`] replaces it by groups among which each of its triangles has
//! one:
//!
//! | triangles of the group | a set is cut in two | and each triangle goes where |
//! | --- | --- | --- |
//! | two corners in A, the third in T, where T holds A or none of it | A = x + y | (x, x, T) two corners are in x, (y, y, T) two are in y, (x, y, T without A) one is in each and the third beside |
//! | | T without A = x + y | the third is in x or in y |
//! | one corner in each of A, B, C, which have no colour in common | A = x + y | that corner is in x or in y |
//!
//! With T ⊇ A a triangle inside of A has at least two corners in one of x and y, and goes there; that is the first row's
//! third corner. An engine counts all triangles of the edges that it is given. Those of A, B, C alone are what three
//! sets without common colours close. With T ⊇ A the edges within A and from A to T close no others either, since no
//! edge joins two vertices outside of A. Where T has none of A, the edges within A would close triangles inside of A
//! too. There each vertex v of A becomes two, v and v′: an edge u < v within A joins u with v′, and one to w of T joins
//! both with w. What is closed then is u, v′, w and nothing else.
//!
//! **Skew.** A set of one colour is not cut further, and a plan cuts the largest group as long as it is over the bound
//! that was asked for. So no group has more entries than that bound, or than three times the entries between the two
//! colours that have most, whichever is larger. A vertex of degree d has about d/256 of its edges with each colour: a
//! vertex beside all others, with all edges of the graph, can still be cut down to about 1/128 of them.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod colours;
mod cut;
mod group;
mod part;
mod plan;
#[cfg(test)]
mod tests;

use tribin_base::{Error, Result};
use tribin_graph::Graph;

pub use colours::{COLOURS, Colours, Pairs, colour_of};
pub use cut::{AT_ONCE, SeenSource, cut, look};
pub use group::Group;
pub use part::{Figures, Part, VertexTriangles};
pub use plan::GroupPlan;
