//! The kernels. On a host each is a function that launches it; for GPUs this module is a crate of its own.

pub mod half_product;
pub mod histogram;
pub mod reduce_by_key;
pub mod saxpy;
pub mod scan;
