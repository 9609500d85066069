//! Models that few need.
//!
//! | model | source | triangles |
//! | --- | --- | --- |
//! | [`Theory`] | Kronecker product of stars: Kepner et al., "Design, Generation, and Validation of Extreme Scale Power-Law Graphs", IPDPSW 2018 | closed form |
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

mod affiliation;
mod clustered;
mod communities;
mod gap;
mod geometric;
mod hub;
mod hyperbolic;
mod ids;
mod mycielskian;
mod power_law;
mod road;
mod theory;
mod web;

use std::ops::Range;

pub use affiliation::Affiliation;
pub use clustered::Clustered;
pub use communities::Communities;
pub use gap::{GapKron, GapUrand};
pub use geometric::Geometric;
pub use hub::Hub;
pub use hyperbolic::Hyperbolic;
pub use ids::PlaceIds;
pub use mycielskian::Mycielskian;
pub use power_law::PowerLaw;
pub use road::Road;
pub use theory::{Loops, Theory};
pub use web::Web;

use super::{
    BLOCK, ErdosRenyi, MOST_VERTICES, Probability, Star, entries, numbers, pairs, random, vertices,
};
use crate::graph::check_memory;

/// Blocks of edges that have numbers from 0 on.
fn blocks_of(entries: u64) -> u64 {
    entries.div_ceil(BLOCK)
}

/// A number from 0 to 1, without 1, from the upper 53 of 64 random bits.
#[inline]
fn fraction(draw: u64) -> f64 {
    (draw >> 11) as f64 / (1u64 << 53) as f64
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

#[cfg(test)]
mod tests {
    use super::fraction;

    #[test]
    fn fractions_are_below_one() {
        assert_eq!(fraction(0), 0.0);
        assert_eq!(fraction(1 << 63), 0.5);
        assert_eq!(fraction(u64::MAX), 1.0 - f64::EPSILON / 2.0);
    }
}
