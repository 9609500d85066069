//! Which edge is counted how, and the edges in the order that its method wants.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`narrow_heads`] | edges | the heads in 16 bits |
//! | [`rank_degrees`] | edges | degrees, for graphs that come without |
//! | [`head_groups`] | heads | who gets a group, where it lies, its work items |
//! | [`bins_of_heads`] | heads | neighbouring groups to bins |
//! | [`split_edges`] | edges | every edge to its head's bin or to the list |
//! | [`place_edges`] | edges | those in bins to their head's group |
//!
//! An edge u → a at place i of u's row closes triangles with vertices that stand before place i: its
//! *prefix*. Edges whose prefix or whose head's row is empty close none and go nowhere.
//!
//! The order within a group and of the groups is that in which threads came: counts do not depend on
//! it. How many edges a head has is its degree less its row, so no pass counts them.
//!
//! One by one, edges would come to their groups at random, each with an addition to a cursor and a write to a slot. So [`split_edges`]
//! brings them into bins first, and [`place_edges`] into the groups of each bin. Both put a tile of edges in order in shared memory. The
//! edges of a tile have few bins, and those of a bin few heads. So one addition is for several edges, whose words are written side by
//! side.
//!
//! | term | meaning |
//! | --- | --- |
//! | group | the edges of a head, in slots that follow on each other |
//! | bin | the groups of neighbouring heads |
//! | list | the edges without a group |

mod bins;
mod narrow;
mod place;
mod split;

pub use bins::{BIN_HEADS_LOG2, MOST_BINS, bins_for, bins_len, bins_of_heads};
pub use narrow::{NARROW_ALIGNMENT, narrow, narrow_heads, narrow_len, rank_degrees};
pub use place::{GROUPS_SHARED_BYTES, HEADS_TILE, head_groups};
pub use split::{
    PLACE_BLOCKS, PLACE_SHARED_BYTES, SPLIT_BLOCK, SPLIT_SHARED_BYTES, SPLIT_TILE, place_edges,
    split_edges,
};

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;

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
/// Where they keep the number of listed edges.
pub const LISTED: u64 = 2;
/// Where they keep how many heads there are up to the last that has a group.
pub const HEADS: u64 = 3;
/// How many class sizes there are.
pub const SIZES: u64 = 4;
