//! Analytics on a GPU.

pub mod cores;
pub mod directed;
pub mod list;
pub mod local;
pub mod support;
pub mod truss;
pub mod weighted;
