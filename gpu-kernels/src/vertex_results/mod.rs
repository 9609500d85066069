//! From ranks back to the graph's own vertices.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`vertex_triangles`] | edges | every edge's support to its two ends |
//! | [`by_vertex`] | ranks | triangles and degrees in the order of the vertices |
//!
//! Two edges of a triangle meet at each of its vertices: what a vertex gets from its edges is twice
//! the number of its triangles.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// Threads in a block.
pub const BLOCK: u32 = 256;

kernel!(
    /// Adds the support of every edge to `twice` at its tail and at its head. A sum is below 2⁶⁴: a
    /// vertex has fewer than 2³² edges of fewer than 2³² triangles each.
    #[requires(tails.len() >= m, heads.len() >= m, support.len() >= m)]
    pub unsafe fn vertex_triangles(
        tails: In<u32>,
        heads: In<u32>,
        support: In<u32>,
        twice: InOut<u64>,
        m: u64,
    ) {
        for i in thread::of_grid(m) {
            let count = u64::from(support.get(i));
            if count > 0 {
                twice.atomic_add(u64::from(tails.get(i)), count);
                twice.atomic_add(u64::from(heads.get(i)), count);
            }
        }
    }
);

kernel!(
    /// For the vertex v of every rank r: `triangles[v]` is half of `twice[r]`, and `degrees[v]` is
    /// `degree_of_rank[r]`.
    #[requires(
        vertex_of_rank.len() >= n, twice.len() >= n, degree_of_rank.len() >= n, triangles.len() >= n,
        degrees.len() >= n,
    )]
    pub unsafe fn by_vertex(
        vertex_of_rank: In<u32>,
        twice: In<u64>,
        degree_of_rank: In<u32>,
        triangles: InOut<u64>,
        degrees: InOut<u32>,
        n: u64,
    ) {
        for rank in thread::of_grid(n) {
            let v = u64::from(vertex_of_rank.get(rank));
            triangles.set(v, twice.get(rank) / 2);
            degrees.set(v, degree_of_rank.get(rank));
        }
    }
);
