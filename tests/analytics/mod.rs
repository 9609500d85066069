//! Results by vertex and edge.

mod cliques;
mod directed;
mod gpu;
mod list;
mod motifs;
mod results;
