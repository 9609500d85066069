//! The counting methods, and those that find more than a number.

mod adjacency;
pub mod cores_cpu;
pub mod forward_cpu;
pub mod forward_gpu;
pub mod hybrid_gpu;
pub mod list_cpu;
pub mod policy;
pub mod support_cpu;
pub mod truss_cpu;
pub mod verify_cpu;
