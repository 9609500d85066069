//! Analytics on a GPU.

pub mod local;
pub mod support;
pub mod truss;
