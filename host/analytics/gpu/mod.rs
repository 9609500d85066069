//! Analytics on a GPU.

pub mod list;
pub mod local;
pub mod support;
pub mod truss;
