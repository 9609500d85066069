//! The kernels. On a host each is a function that launches it; for GPUs this module is a crate of its own.

pub mod add_up;
pub mod count_keys;
pub mod half_product;
pub mod histogram;
pub mod product;
pub mod reduce_by_key;
pub mod saxpy;
pub mod scan;
pub mod sort;
pub mod stencil;
