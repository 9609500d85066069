//! Trussness by peeling (`primitives/peeling` has the grid's steps).
//!
//! At level t every live edge has more than t triangles left, or goes. An edge that goes at level t has
//! trussness t + 2 (J. Cohen, "Trusses: cohesive subgraphs for social network analysis", 2008; the
//! rounds are those of PKT, Kabir and Madduri, HPEC 2017).
//!
//! | kernel | finds the triangles of an edge that goes | memory |
//! | --- | --- | --- |
//! | [`peel_truss`] | in its list, from [`triangle_lists`](crate::triangle_lists) | 24 bytes a triangle |
//! | [`peel_rows`] | again, by looking one end's row up in the other's | 16 bytes an edge for the rows of both directions |
//!
//! | a triangle of a going edge e, whose other edges are f and g | what happens |
//! | --- | --- |
//! | f or g went in an earlier round | nothing: it was destroyed then |
//! | neither goes in this round | f and g lose it |
//! | one goes in this round | the third edge loses it, once: the going edge of the lower place takes it off |
//! | both go in this round | nothing |

mod lists;
mod rows;

pub use lists::peel_truss;
pub use rows::peel_rows;

use warpwise_device::memory::InOut;

pub use crate::primitives::peeling::{
    CONTROL_WORDS, DONE, ENTRIES_AT_STOP, LAST_LEVEL, LEVEL, LIVE_AT_STOP, ROUNDS, SCANS,
    SHARED_BYTES, STEP, STOPPED,
};
use crate::primitives::peeling::{NO_ITEM, State};

/// The round of an edge that has not gone: later than all.
pub const LIVE: u32 = u32::MAX;

/// What the whole grid knows of the edges.
#[derive(Clone, Copy)]
struct Edges {
    support: InOut<u32>,
    round_of: InOut<u32>,
    control: InOut<u64>,
}

/// A triangle of an edge that goes, and the places of its two others, the first of which is of round
/// `of_f` and has not gone before: whether the triangle was still there, and which of the two fell to the
/// level by its loss.
#[inline(always)]
fn destroy(edges: Edges, state: State, edge: u32, [f, g]: [u32; 2], of_f: u32) -> (bool, [u32; 2]) {
    let of_g = edges.round_of.atomic_load(u64::from(g));
    if of_g < state.round {
        return (false, [NO_ITEM; 2]);
    }
    // Who goes in the same round and has the lower place takes the triangle off.
    let f_loses = of_f > state.round && (of_g > state.round || edge < g);
    let g_loses = of_g > state.round && (of_f > state.round || edge < f);
    let (mut f_had, mut g_had) = (0, 0);
    if f_loses {
        f_had = edges.support.atomic_add(u64::from(f), u32::MAX);
    }
    if g_loses {
        g_had = edges.support.atomic_add(u64::from(g), u32::MAX);
    }
    // An edge comes by each number once, and one that goes already has passed this one.
    let one_too_many = state.level + 1;
    let f = if f_had == one_too_many { f } else { NO_ITEM };
    let g = if g_had == one_too_many { g } else { NO_ITEM };
    (true, [f, g])
}
