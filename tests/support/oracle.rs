//! Triangles without an engine.

use std::collections::BTreeSet;

/// Triangles by sets: nothing in common with the engines.
pub fn brute_force(edges: &[[u32; 2]]) -> u64 {
    let simple: BTreeSet<[u32; 2]> =
        edges.iter().filter(|[u, v]| u != v).map(|&[u, v]| [u.min(v), u.max(v)]).collect();
    let above = |u: u32| simple.range([u, 0]..=[u, u32::MAX]).map(|&[_, v]| v);
    simple.iter().map(|&[u, v]| above(v).filter(|&w| simple.contains(&[u, w])).count() as u64).sum()
}
