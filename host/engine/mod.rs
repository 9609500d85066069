//! The counting methods.

pub mod bitmap_gpu;
pub mod forward_cpu;
pub mod forward_gpu;
pub mod hub_product_gpu;
pub mod hybrid_gpu;
pub mod merge_path_gpu;
pub mod policy;
pub mod signatures_gpu;
pub mod verify_cpu;
