//! Results by vertex and edge.

mod gpu;
mod list;
