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
//!
//! Where degrees differ much, hubs are left out: vertices above a degree that is given. They offer nothing and are
//! offered nothing, and come before all others, by their degrees: a row is then no longer than its vertex' degree,
//! which is not a hub's.
//!
//! With a floor so high that few vertices have such a hash, the same labels tell how many wedges close. Those
//! vertices are *landmarks*: a label above the floor names a landmark beside the vertex, and an edge from there
//! on makes a wedge, which closes if the edge's other end has the same label. They are made where degrees are counted
//! ([`count_degrees`](crate::degrees::count_degrees)).

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use crate::figures::{FIGURES, PARTS, VERTICES};
use crate::primitives::{block_add_to, warp_add_all_to};
use crate::ranks::{CLASS_BITS, ID_BITS, degree_class};

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// The hash of a vertex: no two have the same.
///
/// Steps of MurmurHash3's finalizer (A. Appleby), each of which can be undone.
#[inline(always)]
pub fn hash(vertex: u32) -> u32 {
    let mut hash = vertex.wrapping_mul(FIRST);
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(SECOND);
    hash ^ hash >> 13
}

/// The vertex that has this hash.
#[inline(always)]
pub fn vertex_of(hash: u32) -> u32 {
    let mut vertex = hash ^ hash >> 13 ^ hash >> 26;
    vertex = vertex.wrapping_mul(const { inverse(SECOND) });
    vertex ^= vertex >> 16;
    vertex.wrapping_mul(const { inverse(FIRST) })
}

const FIRST: u32 = 0x9e37_79b1;
const SECOND: u32 = 0x85eb_ca6b;

/// The inverse of an odd number modulo 2³²: their product is 1. In its lowest three bits an odd number is its own inverse, and
/// each step of Newton's method doubles the bits that are right.
const fn inverse(odd: u32) -> u32 {
    let mut inverse = odd;
    let mut right = 3;
    while right < u32::BITS {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
}

kernel!(
    /// `labels[v]` = the hash of `v`, for the vertices `0..n`.
    #[requires(labels.len() >= n, n <= 1 << 32)]
    pub unsafe fn own_labels(labels: InOut<u32>, n: u64) {
        for v in thread::of_grid(n) {
            labels.set(v, hash(v as u32));
        }
    }
);

kernel!(
    /// Raises `labels[v]` to the hashes from `floor` on of v's neighbours by the first `m` edges. Edges of a vertex
    /// with a degree above `most_degree` are left out; with `u32::MAX` none is, and `degrees` is not read.
    ///
    /// An edge is two 32-bit vertices in one word, both below `labels.len()`, in any order and direction.
    #[requires(edges.len() >= m, most_degree == u32::MAX || degrees.len() >= labels.len())]
    pub unsafe fn raise_labels(
        edges: In<u64>,
        degrees: In<u32>,
        labels: InOut<u32>,
        floor: u32,
        most_degree: u32,
        m: u64,
    ) {
        for i in thread::of_grid(m) {
            let edge = edges.get(i);
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let (of_u, of_v) = (hash(u), hash(v));
            if of_u.max(of_v) >= floor && is_within(degrees, u, v, most_degree) {
                if of_u >= floor {
                    labels.atomic_max(u64::from(v), of_u);
                }
                if of_v >= floor {
                    labels.atomic_max(u64::from(u), of_v);
                }
            }
        }
    }
);

/// Whether neither of two vertices has a degree above `most`.
#[inline(always)]
fn is_within(degrees: In<u32>, u: u32, v: u32, most: u32) -> bool {
    most == u32::MAX || degrees.get(u64::from(u)).max(degrees.get(u64::from(v))) <= most
}

kernel!(
    /// Of every `step`-th of the first `m` edges, adds to `near[0]` how many have ends that are at most `reach`
    /// apart.
    #[requires(edges.len() >= m, !near.is_empty(), (1..1 << 31).contains(&step))]
    pub unsafe fn near_ends(edges: In<u64>, near: InOut<u64>, m: u64, step: u64, reach: u32) {
        let stride = thread::grid_size() * step;
        let mut found = 0;
        for i in thread::strided(thread::index_1d() * step..m, stride) {
            let edge = edges.get(i);
            if (edge as u32).abs_diff((edge >> 32) as u32) <= reach {
                found += 1;
            }
        }
        block_add_to(near, 0, found);
    }
);

/// How many classes of edges [`landmark_wedges`] tells apart.
pub const CLASSES: u64 = 6;

/// Where [`landmark_wedges`] puts the edges of a class.
pub const EDGES: u64 = 0;
/// Where it puts their wedges at landmarks.
pub const WEDGES: u64 = 1;
/// Where it puts those of them that close.
pub const CLOSED: u64 = 2;
/// How many sums it has of a class.
pub const SUMS: u64 = 3;

/// The largest degree of the first class, in a graph of `entries` entries of which `vertices` vertices have edges: twice
/// the mean. The largest degree of each other class is twice that of the class before, and below 2³².
#[inline(always)]
pub fn first_degree(entries: u64, vertices: u64) -> u32 {
    let most = u64::from(u32::MAX >> CLASSES);
    (4 * entries / vertices.max(1)).max(1).min(most) as u32
}

kernel!(
    /// Looks at every `step`-th of the first `m` edges, and adds to `sums[SUMS * class ..]` the edges of each class,
    /// the wedges that they make with landmarks, and the wedges of these that close. An edge is in the first class
    /// k < [`CLASSES`] with both degrees at most [`first_degree`] · 2^k, or in none. Self-loops are left out, and the wedges
    /// of edges that a landmark itself is an end of. So are those at landmarks whose degree is beyond all classes.
    ///
    /// `figures` are those of [`graph_figures`](crate::figures::graph_figures) for the degrees of the graph, which has `entries`
    /// entries.
    ///
    /// `labels` are those of [`count_degrees`](crate::degrees::count_degrees) with this floor, or 0. Of the landmarks beside a
    /// vertex only the greatest is known, so that a wedge at another one is taken for open: fewer seem to close than do.
    ///
    /// Launch with whole warps.
    #[requires(
        edges.len() >= m, sums.len() >= SUMS * CLASSES, (1..1 << 31).contains(&step), degrees.len() >= labels.len(),
        figures.len() >= PARTS * FIGURES, entries < 1 << 61,
    )]
    pub unsafe fn landmark_wedges(
        edges: In<u64>,
        degrees: In<u32>,
        labels: In<u32>,
        figures: In<u64>,
        sums: InOut<u64>,
        entries: u64,
        m: u64,
        step: u64,
        floor: u32,
    ) {
        let mut vertices = 0;
        for part in 0..PARTS {
            vertices += figures.get(part * FIGURES + VERTICES);
        }
        let degree = first_degree(entries, vertices);
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size() * step;
        let mut i = thread::index_1d() * step;
        let most = degree << (CLASSES - 1);
        let has_landmark =
            |label: u32| label > floor && degrees.get(u64::from(vertex_of(label))) <= most;
        // The warp goes round together, once for a sample of the usual size: its lanes add up their edges.
        while i - lane * step < m {
            let (mut of, mut wedges, mut closed) = (CLASSES, 0, 0);
            let edge = if i < m { edges.get(i) } else { 0 };
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            if u != v {
                let largest = degrees.get(u64::from(u)).max(degrees.get(u64::from(v)));
                of = 0;
                while of < CLASSES && largest > degree << of {
                    of += 1;
                }
                if of < CLASSES && hash(u).max(hash(v)) <= floor {
                    let (of_u, of_v) = (labels.get(u64::from(u)), labels.get(u64::from(v)));
                    let beside_u = has_landmark(of_u);
                    wedges = u32::from(beside_u) + u32::from(has_landmark(of_v));
                    closed = if of_u == of_v && beside_u { 2 } else { 0 };
                }
            }
            warp_add_all_to(sums, 0, (SUMS * CLASSES) as u32, |sum| {
                let of_edge = match u64::from(sum) % SUMS {
                    EDGES => 1,
                    WEDGES => wedges,
                    _ => closed,
                };
                if of == u64::from(sum) / SUMS { of_edge } else { 0 }
            });
            i += stride;
        }
    }
);

/// The group of a label among `groups` groups. The label's lowest bits decide: they differ as much as the hashes do.
#[inline(always)]
pub fn group(label: u32, groups: u32) -> u32 {
    ((u64::from(label.reverse_bits()) * u64::from(groups)) >> 32) as u32
}

/// Bits of the least key of [`hub_keys`] that is no hub's: what stands below are classes of degrees.
pub const HUB_BITS: u32 = CLASS_BITS;

kernel!(
    /// Keys of the vertices with hubs first: `keys[v]` has `v` in the low half, and in the high half the class of
    /// `degrees[v]` if that is above `most_degree`, and otherwise 2^[`HUB_BITS`] + the group of `labels[v]` among
    /// `spread` groups.
    #[requires(
        degrees.len() >= n, labels.len() >= n, keys.len() >= n, n <= 1 << 32,
        (1..=u32::MAX - (1 << HUB_BITS) + 1).contains(&spread),
    )]
    pub unsafe fn hub_keys(
        degrees: In<u32>,
        labels: In<u32>,
        keys: InOut<u64>,
        most_degree: u32,
        spread: u32,
        n: u64,
    ) {
        for v in thread::of_grid(n) {
            let degree = degrees.get(v);
            let sorted_by = if degree > most_degree {
                degree_class(degree)
            } else {
                (1 << HUB_BITS) + group(labels.get(v), spread)
            };
            keys.set(v, u64::from(sorted_by) << ID_BITS | v);
        }
    }
);
