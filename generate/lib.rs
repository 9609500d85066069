//! Generate: graphs of the models that triangle counting is measured on.
//!
//! | model | source | triangles |
//! | --- | --- | --- |
//! | [`Rmat`] | Chakrabarti, Zhan, Faloutsos, SDM 2004; Graph500 | |
//! | [`ErdosRenyi`] | Erdős, Rényi 1959 | |
//! | [`BarabasiAlbert`] | Barabási, Albert, Science 286 (1999) | |
//! | [`WattsStrogatz`] | Watts, Strogatz, Nature 393 (1998) | closed form without rewiring |
//! | [`Complete`], [`Star`], [`Wheel`], [`Grid`], [`Paths`] | | closed form |
//!
//! The feature `models` adds others, among them geometric and hyperbolic graphs, communities, webs, roads, and
//! the graphs of the GAP Benchmark Suite and of GraphChallenge.
//!
//! Every model is an [`EdgeBlocks`]: its edges come in blocks, and each block is made on its own, from
//! the seed and its place alone. So the edges are the same whatever the number of threads, and
//! `write` streams them without holding more than a few blocks. What decides an edge is
//! integer arithmetic, or arithmetic that IEEE 754 rounds in one way: the edges are the same on every
//! machine.
//!
//! Random models give the edges as they draw them, with self-loops and duplicates where the model has
//! them. A vertex is below 2³²-2, as everywhere in this library.
//!
//! ```
//! use tribin::generate::{self, Wheel};
//! use tribin::{Options, Session};
//!
//! let graph = generate::graph(&Wheel::new(7)?, "wheel");
//! assert_eq!(Session::open(Options::default())?.count(&graph)?.triangles, 7);
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod barabasi_albert;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod command;
mod complete;
mod erdos_renyi;
mod grid;
#[cfg(feature = "models")]
mod models;
mod paths;
mod probability;
mod random;
mod rmat;
mod star;
mod watts_strogatz;
mod wheel;

use tribin_base::{Error, Result};
use tribin_graph::{self as graph, BLOCK_ENTRIES as BLOCK, EdgeBlocks, Graph};

use std::ops::Range;

pub use barabasi_albert::BarabasiAlbert;
pub use complete::Complete;
pub use erdos_renyi::ErdosRenyi;
pub use grid::Grid;
#[cfg(feature = "models")]
pub use models::*;
pub use paths::Paths;
pub use probability::Probability;
pub use rmat::{GRAPH500, Rmat};
pub use star::Star;
pub use watts_strogatz::WattsStrogatz;
pub use wheel::Wheel;

/// The largest number of vertices.
pub const MOST_VERTICES: u64 = u32::MAX as u64 - 1;

/// A model's edges in memory: 8 bytes an edge, 16 while they are put together.
pub fn graph(model: &dyn EdgeBlocks, name: &str) -> Graph {
    Graph::from_blocks(model, name)
}

/// The numbers of a block's edges.
fn numbers(block: u64, entries: u64) -> Range<u64> {
    let from = block * BLOCK;
    from..entries.min(from + BLOCK)
}

/// The pairs of v and u below it that have the numbers v(v-1)/2 + u.
fn pairs(numbers: Range<u64>) -> impl Iterator<Item = [u64; 2]> {
    // 8 · number + 1 is below 2⁶⁷.
    let root = (8 * u128::from(numbers.start) + 1).isqrt() as u64;
    let vertex = root.div_ceil(2);
    let mut next = [vertex, numbers.start - vertex * vertex.saturating_sub(1) / 2];
    numbers.map(move |_| {
        let [vertex, other] = next;
        next = if other + 1 == vertex { [vertex + 1, 0] } else { [vertex, other + 1] };
        [vertex, other]
    })
}

/// Refuses more vertices than there can be.
fn vertices(wanted: u128) -> Result<u64> {
    match u64::try_from(wanted) {
        Ok(vertices) if vertices <= MOST_VERTICES => Ok(vertices),
        _ => Err(Error::Usage(format!(
            "the graph would have {wanted} vertices: at most {MOST_VERTICES} (2^32-2) are possible, \
             ask for a smaller one"
        ).into())),
    }
}

/// Refuses a number of edges that a signed integer of 64 bits does not hold: twice as many still fit 64
/// bits.
fn entries(wanted: u128) -> Result<u64> {
    u64::try_from(wanted).ok().filter(|entries| *entries <= i64::MAX as u64).ok_or_else(|| {
        Error::Usage(format!("{wanted} edges are too many: ask for a smaller graph").into())
    })
}
