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

/// The cursor of a head without a group.
pub const NO_GROUP: u32 = u32::MAX;

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
