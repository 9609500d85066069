//! The counting methods, and those that find more than a number.

mod adjacency;
pub mod bitmap_gpu;
pub mod cores_cpu;
pub mod forward_cpu;
pub mod forward_gpu;
pub mod hub_product_gpu;
pub mod hybrid_gpu;
pub mod list_cpu;
pub mod local_gpu;
pub mod merge_path_gpu;
pub mod narrow_signatures_gpu;
pub mod policy;
pub mod radix_gpu;
pub mod row_segments_gpu;
pub mod sample_gpu;
pub mod signatures_gpu;
pub mod support_cpu;
pub mod support_gpu;
mod totals_gpu;
pub mod truss_cpu;
pub mod truss_gpu;
pub mod verify_cpu;
