//! Scans, sums, sorts, histograms and selections.
//!
//! The modules work on whole arrays. Each has its kernels, and functions that launch them on any device:
//!
//! | module | what it does |
//! | --- | --- |
//! | [`reduce`] | the sum, the least and the largest of an array |
//! | [`prefix_sums`] | exclusive and inclusive scans, with sums of 64 bits or, by [`prefix_sums_32`], of 32 |
//! | [`radix_sort`] | stable sorts of keys of 64 bits and, by [`radix_sort_32`], of keys of 32 bits and of pairs |
//! | [`histogram`] | how often each value occurs |
//! | [`select`] | the values that a flag selects |
//!
//! A GPU that runs them has [`PTX`] loaded, or a package's own PTX with the kernels of the modules that its build script names as features
//! of this crate (`warpwise_ptx_builder::Dependency::kernels`). [`prefix_sums_32`] needs [`prefix_sums`] beside it, and [`radix_sort_32`] needs
//! [`radix_sort`].
//!
//! # In kernels
//!
//! The functions are what the threads of one block do together. All threads of the block call each of them together, with the same
//! shared array, which nothing else uses until the next barrier. Those whose names begin with `warp` the lanes of a whole warp call together.
#![cfg_attr(target_arch = "nvptx64", no_std)]
// The manifest of the device build has only the features that are asked for.
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_ptx, asm_experimental_arch),
    allow(unexpected_cfgs)
)]
// An array that a loop walks by an iterator is put into local memory. An index in a loop of known length keeps it in registers.
#![allow(clippy::needless_range_loop)]

mod compact;
mod counts;
mod digit_ranks;
mod lookback;
mod scan;
mod ticket;
mod totals;

#[cfg(any(not(target_arch = "nvptx64"), feature = "histogram"))]
pub mod histogram;
#[cfg(any(not(target_arch = "nvptx64"), feature = "prefix_sums"))]
pub mod prefix_sums;
#[cfg(any(not(target_arch = "nvptx64"), feature = "prefix_sums_32"))]
pub mod prefix_sums_32;
#[cfg(any(not(target_arch = "nvptx64"), feature = "radix_sort"))]
pub mod radix_sort;
#[cfg(any(not(target_arch = "nvptx64"), feature = "radix_sort_32"))]
pub mod radix_sort_32;
#[cfg(any(not(target_arch = "nvptx64"), feature = "reduce"))]
pub mod reduce;
#[cfg(any(not(target_arch = "nvptx64"), feature = "select"))]
pub mod select;

pub use compact::{COMPACT_BLOCK, COMPACT_ITEMS, COMPACT_SHARED_BYTES, COMPACT_TILE, CompactTile};
pub use counts::{block_clear_counts, block_fill, block_flush_counts};
pub use digit_ranks::{rank_in_full_warp, rank_in_warp, starts_of_warps};
pub use lookback::{
    LookbackState, TileWords, WideSums, block_lookback, lookback_publish_first, lookback_warp,
};
pub use scan::{
    Scanned, Summand, block_scan_exclusive, block_scan_max_exclusive, large_block_scan_exclusive,
    warp_scan_exclusive,
};
pub use ticket::block_ticket;
pub use totals::{block_add_to, block_max_to, warp_add_all_to};

/// The PTX of all kernels of this crate, or a comment that says why this build has none.
#[cfg(not(target_arch = "nvptx64"))]
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));
