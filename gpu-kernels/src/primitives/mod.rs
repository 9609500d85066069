//! What the threads of one block do together: [`warpwise_primitives`], and what these kernels alone need.
//!
//! All threads of the block call each function here together, with the same shared array, which nothing else uses until
//! the next barrier.

mod append;
mod lists;
pub mod peeling;
mod runs;
mod search;
mod share_items;
mod tile_split;

pub use append::warp_append;
pub use lists::{Lists, Oriented, row_of};
pub use runs::{WarpRun, warp_add_runs};
pub use search::{lower_bound, partition_point, position};
pub use share_items::warp_share_items;
pub use tile_split::{TileSplit, TileSplitPlaces};
pub use warpwise_primitives::*;
