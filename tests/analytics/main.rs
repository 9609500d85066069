//! Results by vertex and edge.

mod gpu;
