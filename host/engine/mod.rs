//! The counting methods.

pub mod bitmap_gpu;
pub mod forward_cpu;
pub mod forward_gpu;
pub mod hub_product_gpu;
pub mod hybrid_gpu;
pub mod local_gpu;
pub mod merge_path_gpu;
pub mod policy;
pub mod radix_gpu;
pub mod signatures_gpu;
pub mod support_gpu;
pub mod truss_gpu;
pub mod verify_cpu;
