//! Which edge is counted how, and the edges in the order that its method wants.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`narrow_heads`] | edges | the heads in 16 bits |
//! | [`rank_degrees`] | edges | degrees, for graphs that come without |
//! | [`head_groups`] | heads | who gets a group, where it lies, its work items |
//! | [`group_edges`] | edges | every edge to its head's group or to a list |
//!
//! An edge u → a at place i of u's row closes triangles with vertices that stand before place i: its
//! *prefix*. Edges whose prefix or whose head's row is empty close none and go nowhere.
//!
//! The order within a group and of the groups is that in which threads came: counts do not depend on
//! it. How many edges a head has is its degree less its row, so no pass counts them.

mod narrow;
mod place;
mod scatter;

pub use narrow::{NARROW_ALIGNMENT, narrow, narrow_heads, narrow_len, rank_degrees};
pub use place::head_groups;
pub use scatter::group_edges;

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;

/// Bytes of shared memory of [`head_groups`].
pub const GROUPS_SHARED_BYTES: u32 = place::SHARED_BYTES;

/// Heads whose cursors lie apart from one another: those that many threads add to at a time.
const APART: u32 = 4_096;

/// Words between two such cursors. Additions to one word follow one another, and so do those to words
/// of one sector and, nearly, of one slice of the L2 cache: side by side, the cursors of a skewed
/// graph's hubs hold up everything else.
const DISTANCE: u32 = 32;

/// Where the cursor of `head` stands.
#[inline(always)]
pub const fn cursor_at(head: u32) -> u64 {
    if head < APART {
        (head * DISTANCE) as u64
    } else {
        head as u64 + (APART * (DISTANCE - 1)) as u64
    }
}

/// Words that the cursors of so many heads take.
pub const fn cursors_len(heads: u64) -> u64 {
    let apart = if heads < APART as u64 { heads } else { APART as u64 };
    heads + apart * (DISTANCE - 1) as u64
}

/// Where the class sizes keep the number of slots for edges in groups.
pub const SLOTS: u64 = 0;
/// Where they keep the number of work items.
pub const ITEMS: u64 = 1;
/// Where they keep the number of edges to merge.
pub const MERGED: u64 = 2;
/// Where they keep the number of edges to search.
pub const SEARCHED: u64 = 3;
/// How many class sizes there are.
pub const SIZES: u64 = 4;
