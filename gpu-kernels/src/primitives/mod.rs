//! What the threads of one block do together.
//!
//! # Safety
//! Holds for every function here: all threads of the block call it together, with the same shared
//! array, which nothing else uses until the next barrier.

mod lookback;
mod reduce;
mod runs;
mod scan;

pub use lookback::{LookbackState, TileWords, WideSums, lookback_publish_first, lookback_warp};
pub use reduce::block_add_to;
pub use runs::warp_add_runs;
pub use scan::{block_scan_exclusive, block_scan_exclusive_64};
