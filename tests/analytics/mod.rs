//! Results by vertex and edge.

mod directed;
mod gpu;
mod list;
mod results;
