//! Degrees from edges in any order, whether that order is one to keep, and landmarks beside vertices.
//!
//! [`count_degrees`] adds to the degrees in device memory. Such additions at random are several times as fast in shared memory as in
//! the cache, and in the cache as past it. So where there are many edges, [`bucket_ends`] first writes their ends, those
//! of a bucket side by side, in half the bytes of the edges. Then [`count_ends`] counts the ends of each bucket in a block's memory.
//!
//! | term | meaning |
//! | --- | --- |
//! | end | one of the two vertices of an edge; self-loops have none |
//! | bucket | the 2^`bits` vertices of a window that follow on each other |
//! | window | the vertices that a launch counts |

mod buckets;
mod count;
mod hubs;
mod seen;

pub use buckets::{
    BUCKET_BLOCK, BUCKET_BLOCKS, BUCKET_SHARED_BYTES, COUNT_BLOCK, EDGE_TILE, MOST_BITS,
    MOST_BUCKETS, MOST_EDGES, bucket_ends, count_ends, count_shared_bytes,
};
pub use count::{BLOCK, SHARED_BYTES, count_degrees};
pub use seen::{NOT_DOWNWARD, NOT_UPWARD, UNSORTED};
