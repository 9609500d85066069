//! Labels that neighbourhoods share: an order of the vertices in which similar rows stand side by side.
//!
//! Every vertex has a hash, and takes for its label the greatest of its own and its neighbours'. Two
//! vertices have the same label as often as their neighbourhoods, with themselves, have the same greatest
//! member: the share that both have of what either has (A. Z. Broder, "On the resemblance and containment of
//! documents", 1997). Where wedges close, vertices with one label are neighbours of each other, too, and
//! what one edge reads of another row is read by the next edges again.
//!
//! The greatest of d hashes is rarely a small one, so only those from a floor on are offered to neighbours:
//! a few in a neighbourhood. A vertex that is offered none keeps its own.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::primitives::block_add_to;
use crate::ranks::ID_BITS;

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// The hash of a vertex: no two have the same.
///
/// Steps of MurmurHash3's finalizer (A. Appleby), each of which can be undone.
#[inline(always)]
pub fn hash(vertex: u32) -> u32 {
    let mut hash = vertex.wrapping_mul(0x9e37_79b1);
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^ hash >> 13
}

kernel! {
    /// `labels[v]` = the hash of `v`, for the vertices `0..n`.
    pub fn own_labels(labels: InOut<u32>, n: u64)
    requires { labels.len() >= n, n <= 1 << 32 }
    {
        let stride = thread::grid_size();
        let mut v = thread::index_1d();
        while v < n {
            labels.set(v, hash(v as u32));
            v += stride;
        }
    }
}

kernel! {
    /// Raises `labels[v]` to the hashes from `floor` on of v's neighbours by the first `m` edges.
    ///
    /// An edge is two 32-bit vertices in one word, both below `labels.len()`, in any order and direction.
    pub fn raise_labels(edges: In<u64>, labels: InOut<u32>, floor: u32, m: u64)
    requires { edges.len() >= m }
    {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < m {
            let edge = edges.get(i);
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let (of_u, of_v) = (hash(u), hash(v));
            if of_u >= floor {
                labels.atomic_max(u64::from(v), of_u);
            }
            if of_v >= floor {
                labels.atomic_max(u64::from(u), of_v);
            }
            i += stride;
        }
    }
}

kernel! {
    /// Of every `step`-th of the first `m` edges, adds to `near[0]` how many have ends that are at most `reach`
    /// apart.
    pub fn near_ends(edges: In<u64>, near: InOut<u64>, m: u64, step: u64, reach: u32)
    requires { edges.len() >= m, !near.is_empty(), (1..1 << 31).contains(&step) }
    {
        let stride = thread::grid_size() * step;
        let mut found = 0;
        let mut i = thread::index_1d() * step;
        while i < m {
            let edge = edges.get(i);
            if (edge as u32).abs_diff((edge >> 32) as u32) <= reach {
                found += 1;
            }
            i += stride;
        }
        block_add_to(near, 0, found);
    }
}

kernel! {
    /// Of every `step`-th of the first `m` edges, adds to `alike[0]` how many have ends of one label.
    pub fn alike_ends(edges: In<u64>, labels: In<u32>, alike: InOut<u64>, m: u64, step: u64)
    requires { edges.len() >= m, !alike.is_empty(), (1..1 << 31).contains(&step) }
    {
        let stride = thread::grid_size() * step;
        let mut found = 0;
        let mut i = thread::index_1d() * step;
        while i < m {
            let edge = edges.get(i);
            if labels.get(edge & 0xffff_ffff) == labels.get(edge >> 32) {
                found += 1;
            }
            i += stride;
        }
        block_add_to(alike, 0, found);
    }
}

kernel! {
    /// `keys[v]` = `labels[v]` in the high half, `v` in the low half.
    pub fn label_keys(labels: In<u32>, keys: InOut<u64>, n: u64)
    requires { labels.len() >= n, keys.len() >= n, n <= 1 << 32 }
    {
        let stride = thread::grid_size();
        let mut v = thread::index_1d();
        while v < n {
            keys.set(v, u64::from(labels.get(v)) << ID_BITS | v);
            v += stride;
        }
    }
}
