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
//! | [`Hyperbolic`] | random hyperbolic graph: Krioukov et al., Phys. Rev. E 82 (2010) | |
//! | [`GapKron`], [`GapUrand`] | GAP Benchmark Suite: Beamer, Asanović, Patterson, arXiv:1508.03619 | |
//! | [`Clustered`] | points in cells | |
//! | [`Web`] | the copying model: Kumar et al., FOCS 2000 | |
//! | [`Affiliation`] | union of cliques: Lattanzi, Sivakumar, STOC 2009 | |
//! | [`Communities`] | planted partition: Condon, Karp 2001 | closed form for whole communities |
//! | [`Hub`] | one vertex beside all others | from the others' graph |
//! | [`Road`] | a grid with diagonals | twice the diagonals |
//! | [`Mycielskian`] | Mycielski 1955 | 0 |
//! | [`Complete`], [`Star`], [`Wheel`], [`Grid`], [`Paths`] | | closed form |
//!
//! Every model is an [`EdgeBlocks`]: its edges come in blocks, and each block is made on its own, from
//! the seed and its place alone. So the edges are the same whatever the number of threads, and
//! [`crate::write`] streams them without holding more than a few blocks. What decides an edge is
//! integer arithmetic, or arithmetic that IEEE 754 rounds in one way: the edges are the same on every
//! machine.
//!
//! Random models give the edges as they draw them, with self-loops and duplicates where the model has
//! them. A vertex is below 2³²-2, as everywhere in this library.
//!
//! ```
//! # use tribin_generate as tribin;
//! use tribin::generate::{self, Wheel};
//! use tribin::{Options, Session};
//!
//! let graph = generate::graph(&Wheel::new(7)?, "wheel");
//! assert_eq!(Session::new(Options::default())?.count(&graph)?.triangles, 7);
//! # Ok::<(), tribin::Error>(())
//! ```
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod affiliation;
mod barabasi_albert;
mod clustered;
mod communities;
mod complete;
mod erdos_renyi;
mod gap;
mod geometric;
mod grid;
mod hub;
mod hyperbolic;
mod ids;
mod mycielskian;
mod paths;
mod power_law;
mod probability;
mod random;
mod rmat;
mod road;
mod star;
mod theory;
mod watts_strogatz;
mod web;
mod wheel;

use tribin_base::{Error, Result};
use tribin_graph::{self as graph, EdgeBlocks, Graph, check_memory};

use std::ops::Range;

pub use affiliation::Affiliation;
pub use barabasi_albert::BarabasiAlbert;
pub use clustered::Clustered;
pub use communities::Communities;
pub use complete::Complete;
pub use erdos_renyi::ErdosRenyi;
pub use gap::{GapKron, GapUrand};
pub use geometric::Geometric;
pub use grid::Grid;
pub use hub::Hub;
pub use hyperbolic::Hyperbolic;
pub use ids::Ids;
pub use mycielskian::Mycielskian;
pub use paths::Paths;
pub use power_law::PowerLaw;
pub use probability::Probability;
pub use rmat::{GRAPH500, Rmat};
pub use road::Road;
pub use star::Star;
pub use theory::{Loops, Theory};
pub use watts_strogatz::WattsStrogatz;
pub use web::Web;
pub use wheel::Wheel;

/// The largest number of vertices.
pub const MOST_VERTICES: u64 = u32::MAX as u64 - 1;

/// Edges of a block, in models whose edges can be made from their number.
const BLOCK: u64 = 1 << 16;

/// A model's edges in memory: 8 bytes an edge, 16 while they are put together.
pub fn graph(model: &dyn EdgeBlocks, name: &str) -> Graph {
    Graph::from_blocks(model, name)
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

/// Cuts a range, not empty, at the beginnings of groups: gives each group that has numbers in it, and
/// those numbers counted from the group's beginning. `before` has where each group begins, and the end
/// of the last.
fn parts(before: &[u64], range: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> {
    let Range { start: from, end: to } = range;
    let first = before.partition_point(|&start| start <= from) - 1;
    let groups = before[first..].windows(2).zip(first..);
    let groups = groups.take_while(move |(ends, _)| ends[0] < to);
    let parts = groups.map(move |(ends, group)| {
        let (start, end) = (ends[0], ends[1]);
        (group, from.max(start) - start..to.min(end) - start)
    });
    parts.filter(|(_, numbers)| !numbers.is_empty())
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
