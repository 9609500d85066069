//! Results by vertex and edge.

mod cliques;
mod directed;
mod estimate;
mod gpu;
mod labels;
mod list;
mod motifs;
mod results;
mod signed;
