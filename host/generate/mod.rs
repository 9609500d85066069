//! Generate: graphs of the models that triangle counting is measured on.
//!
//! | model | source | triangles |
//! | --- | --- | --- |
//! | [`Theory`] | Kronecker product of stars: Kepner et al., "Design, Generation, and Validation of Extreme Scale Power-Law Graphs", IPDPSW 2018 | closed form |
//! | [`Rmat`] | Chakrabarti, Zhan, Faloutsos, SDM 2004; Graph500 | |
//! | [`ErdosRenyi`] | Erdős, Rényi 1959 | |
//! | [`BarabasiAlbert`] | Barabási, Albert, Science 286 (1999) | |
//! | [`WattsStrogatz`] | Watts, Strogatz, Nature 393 (1998) | closed form without rewiring |
//! | [`Geometric`] | random geometric graph: Dall, Christensen, Phys. Rev. E 66 (2002) | |
//! | [`Clustered`] | points in cells | |
//! | [`Web`] | the copying model: Kumar et al., FOCS 2000 | |
//! | [`Road`] | a grid with diagonals | twice the diagonals |
//! | [`Mycielskian`] | Mycielski 1955 | 0 |
//! | [`Complete`], [`Star`], [`Wheel`], [`Grid`] | | closed form |
//!
//! Every model is an [`EdgeBlocks`]: its edges come in blocks, and each block is made on its own, from
//! the seed and its place alone. So the edges are the same whatever the number of threads, and
//! [`crate::write`] streams them without holding more than a few blocks. What decides an edge is
//! integer arithmetic only: the edges are the same on every machine.
//!
//! Random models give the edges as they draw them, with self-loops and duplicates where the model has
//! them. A vertex is below 2³²-2, as everywhere in this library.
//!
//! ```
//! use tribin::count::{Counter, Options};
//! use tribin::generate::{self, Wheel};
//!
//! let graph = generate::graph(&Wheel::new(7)?, "wheel");
//! assert_eq!(Counter::new(Options::default())?.count(&graph)?.triangles, 7);
//! # Ok::<(), tribin::Error>(())
//! ```

mod barabasi_albert;
mod clustered;
mod complete;
mod erdos_renyi;
mod geometric;
mod grid;
mod ids;
mod mycielskian;
mod probability;
mod random;
mod rmat;
mod road;
mod star;
mod theory;
mod watts_strogatz;
mod web;
mod wheel;

use std::ops::Range;

use rayon::prelude::*;

pub use barabasi_albert::BarabasiAlbert;
pub use clustered::Clustered;
pub use complete::Complete;
pub use erdos_renyi::ErdosRenyi;
pub use geometric::Geometric;
pub use grid::Grid;
pub use ids::Ids;
pub use mycielskian::Mycielskian;
pub use probability::Probability;
pub use rmat::{GRAPH500, Rmat};
pub use road::Road;
pub use star::Star;
pub use theory::{Loops, Theory};
pub use watts_strogatz::WattsStrogatz;
pub use web::Web;
pub use wheel::Wheel;

use crate::write::EdgeBlocks;
use crate::{Error, Graph, Result, VertexIds};

/// The largest number of vertices.
pub const MOST_VERTICES: u64 = u32::MAX as u64 - 1;

/// Edges of a block, in models whose edges can be made from their number.
const BLOCK: u64 = 1 << 16;

/// A model's edges in memory: 8 bytes an edge, 16 while they are put together.
pub fn graph(model: &dyn EdgeBlocks, name: &str) -> Graph {
    let blocks: Vec<Vec<[u32; 2]>> = (0..model.blocks())
        .into_par_iter()
        .map(|block| {
            let mut edges = Vec::new();
            model.block(block, &mut edges);
            edges
        })
        .collect();
    let edges = blocks.concat();
    // Models have at most `MOST_VERTICES`.
    let bound = model.vertices() as u32;
    Graph::from_parts(edges, VertexIds::Identity { bound }, name.to_owned())
}

/// Blocks of edges that have numbers from 0 on.
fn blocks_of(entries: u64) -> u64 {
    entries.div_ceil(BLOCK)
}

/// The numbers of a block's edges.
fn numbers(block: u64, entries: u64) -> Range<u64> {
    let from = block * BLOCK;
    from..entries.min(from + BLOCK)
}

/// Refuses more vertices than there can be.
fn vertices(wanted: u128) -> Result<u64> {
    match u64::try_from(wanted) {
        Ok(vertices) if vertices <= MOST_VERTICES => Ok(vertices),
        _ => Err(Error::Usage(format!(
            "the graph would have {wanted} vertices: at most {MOST_VERTICES} (2^32-2) are possible, \
             ask for a smaller one"
        ))),
    }
}

/// Refuses a number of edges that a signed integer of 64 bits does not hold: twice as many still fit 64
/// bits.
fn entries(wanted: u128) -> Result<u64> {
    u64::try_from(wanted).ok().filter(|entries| *entries <= i64::MAX as u64).ok_or_else(|| {
        Error::Usage(format!("{wanted} edges are too many: ask for a smaller graph"))
    })
}
