//! What the threads of one block do together.
//!
//! All threads of the block call each function here together, with the same shared array, which nothing else uses until
//! the next barrier.

mod append;
mod compact;
mod counts;
mod digit_ranks;
mod lists;
mod lookback;
pub mod peeling;
mod reduce;
mod runs;
mod scan;
mod search;
mod share_items;
mod ticket;
mod tile_split;

pub use append::warp_append;
pub use compact::{COMPACT_BLOCK, COMPACT_ITEMS, COMPACT_SHARED_BYTES, COMPACT_TILE, CompactTile};
pub use counts::{block_clear_counts, block_fill, block_flush_counts};
pub use digit_ranks::{rank_in_warp, starts_of_warps};
pub use lists::{Lists, Oriented, row_of};
pub use lookback::{
    LookbackState, TileWords, WideSums, block_lookback, lookback_publish_first, lookback_warp,
};
pub use reduce::{block_add_to, block_max_to, warp_add_all_to};
pub use runs::{WarpRun, warp_add_runs};
pub use scan::{
    Scanned, block_scan_exclusive, block_scan_exclusive_64, block_scan_max_exclusive,
    large_block_scan_exclusive, warp_scan_exclusive_64,
};
pub use search::{lower_bound, partition_point, position};
pub use share_items::warp_share_items;
pub use ticket::block_ticket;
pub use tile_split::{TileSplit, TileSplitPlaces};
