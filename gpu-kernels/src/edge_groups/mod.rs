//! Which edge is counted how, and the edges in the order that its method wants.
//!
//! | kernel | over | what it does |
//! | --- | --- | --- |
//! | [`head_edges`] | edges | edges of every low head, and the heads in 16 bits |
//! | [`head_groups`] | low heads | who gets a group, where it lies, its work items |
//! | [`group_edges`] | edges | every edge to its head's group or to a list |
//!
//! An edge u → a at place i of u's row closes triangles with vertices that stand before place i: its
//! *prefix*. Edges whose prefix or whose head's row is empty close none and go nowhere.
//!
//! The order within a group and of the groups is that in which threads came: counts do not depend on
//! it, and a counting sort by additions reads and writes half of what a radix sort of two passes does.

mod count;
mod place;
mod scatter;

pub use count::head_edges;
pub use place::head_groups;
pub use scatter::group_edges;

/// Threads in a block of these kernels.
pub const BLOCK: u32 = 256;

/// Bytes of shared memory of [`head_groups`].
pub const GROUPS_SHARED_BYTES: u32 = place::SHARED_BYTES;

/// Ranks that 16 bits hold: the most that can have groups.
pub const MOST_RANKS: u32 = 1 << 16;

/// The cursor of a head without a group.
pub const NO_GROUP: u32 = u32::MAX;

/// Where the class sizes keep the number of edges in groups.
pub const GROUPED: u64 = 0;
/// Where they keep the number of work items.
pub const ITEMS: u64 = 1;
/// Where they keep the number of edges to merge.
pub const MERGED: u64 = 2;
/// Where they keep the number of edges to search.
pub const SEARCHED: u64 = 3;
/// How many class sizes there are.
pub const SIZES: u64 = 4;

/// 16-bit heads that one 16-byte read takes.
pub const NARROW_ALIGNMENT: u64 = 8;

/// How many 16-bit heads there are for `m` edges: the last read of 16 bytes is whole.
pub const fn narrow_len(m: u64) -> u64 {
    m.next_multiple_of(NARROW_ALIGNMENT)
}
