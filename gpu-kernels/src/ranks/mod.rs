//! Ranks: an order of the vertices, by degree as a rule.
//!
//! Unless [`min_hash`](crate::min_hash) serve better, vertices are sorted by an 8-bit class of their degree, which one pass of the radix sort does,
//! and by id within a class. Any order of the vertices orients the edges without cycles, so any
//! gives the exact count; one that agrees with the degrees bounds the rows (paper 004, section
//! II-B). Classes are exact below 16 and an eighth of a power of two wide above, so a row is at
//! most an eighth longer than with exact degrees, and neighbours in the input remain neighbours.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// Vertices that a thread of [`assign_ranks`] ranks at a time.
const ITEMS: usize = 8;

/// Bits of the vertex in a key; what it is sorted by stands above.
pub const ID_BITS: u32 = 32;

/// Bits of the class in a key of [`class_keys`].
pub const CLASS_BITS: u32 = 8;

/// The class of isolated vertices: the last.
pub const ISOLATED: u32 = 255;

/// The class of a degree: larger degrees have smaller classes, and only degree 0 has [`ISOLATED`].
#[inline(always)]
pub fn degree_class(degree: u32) -> u32 {
    if degree < 16 {
        ISOLATED - degree
    } else {
        let exponent = 31 - degree.leading_zeros();
        let eighth = degree >> (exponent - 3) & 7;
        ISOLATED - 16 - ((exponent - 4) * 8 + eighth)
    }
}

kernel!(
    /// `keys[v]` = the class of `degrees[v]` in bits 32 to 39, `v` in the bits below.
    #[requires(degrees.len() >= n, keys.len() >= n, n <= 1 << 32)]
    pub unsafe fn class_keys(degrees: In<u32>, keys: InOut<u64>, n: u64) {
        for v in thread::of_grid(n) {
            let class = degree_class(degrees.get(v));
            keys.set(v, u64::from(class) << ID_BITS | v);
        }
    }
);

kernel!(
    /// `keys[v]` = `v`: the keys of the vertices in the order of their ids.
    #[requires(keys.len() >= n, n <= 1 << 32)]
    pub unsafe fn id_keys(keys: InOut<u64>, n: u64) {
        for v in thread::of_grid(n) {
            keys.set(v, v);
        }
    }
);

kernel!(
    /// From sorted keys, with each vertex in the low [`ID_BITS`] of one: `rank[v]` for every vertex of a window, those from `from` to
    /// before `below`.
    ///
    /// What is written at random is of the window, so that the cache holds it where the window is small enough.
    #[requires(keys.len() >= n, rank.len() >= n, n <= 1 << 32, from <= below)]
    pub unsafe fn assign_ranks(keys: In<u64>, rank: InOut<u32>, n: u64, from: u64, below: u64) {
        let stride = thread::grid_size();
        for first in thread::strided(thread::index_1d()..n, ITEMS as u64 * stride) {
            // All are on their way before the first is waited for. No vertex has this many bits.
            let mut vertex = [u64::MAX; ITEMS];
            for item in 0..ITEMS {
                let r = first + item as u64 * stride;
                if r < n {
                    vertex[item] = keys.get(r) & 0xffff_ffff;
                }
            }
            for item in 0..ITEMS {
                if vertex[item].wrapping_sub(from) < below - from {
                    rank.set(vertex[item], (first + item as u64 * stride) as u32);
                }
            }
        }
    }
);

kernel!(
    /// `degree_of_rank[r]` = the degree of the vertex of rank `r`, from sorted keys as in [`assign_ranks`].
    #[requires(keys.len() >= n, degrees.len() >= n, degree_of_rank.len() >= n, n <= 1 << 32)]
    pub unsafe fn gather_degrees(
        keys: In<u64>,
        degrees: In<u32>,
        degree_of_rank: InOut<u32>,
        n: u64,
    ) {
        for r in thread::of_grid(n) {
            degree_of_rank.set(r, degrees.get(keys.get(r) & 0xffff_ffff));
        }
    }
);

kernel!(
    /// `vertices[r]` = the vertex of rank `r`, from sorted keys as in [`assign_ranks`].
    #[requires(keys.len() >= n, vertices.len() >= n, n <= 1 << 32)]
    pub unsafe fn vertices_of_ranks(keys: In<u64>, vertices: InOut<u32>, n: u64) {
        for r in thread::of_grid(n) {
            vertices.set(r, keys.get(r) as u32);
        }
    }
);
