//! The counting methods: how the triangles of an oriented graph are found.
//!
//! | module | method | runs on |
//! | --- | --- | --- |
//! | [`forward`] | two rows merged for every edge | GPU |
//! | [`row_bits`] | edges brought together by head, against that head's row as bits | GPU |
//! | [`hub_product`] | triangles among hubs, or of a dense graph, as a product of bit matrices | GPU |
//! | [`narrow_bloom_filters`] | wedges that do not close dropped by a few bits for each row | GPU |
//! | [`row_tables`] | the rows of a tail's heads looked up in a table of its own row | GPU |
//! | [`segments`] | rows as words of 32 ranks, merged | GPU |
//!
//! Papers are named by their numbers in docs/papers.md. Methods that are here because papers propose them are engines of
//! their own, in `papers`.
//!
//! A method that counts edges where they lie on a GPU is a [`Method`] and has its launches here. Its settings, with the rule that says which
//! graphs it counts, are in `plan`, and `count` runs what was decided.

pub mod forward;
pub mod hub_product;
mod method;
pub mod narrow_bloom_filters;
pub mod row_bits;
pub mod row_tables;
pub mod segments;
pub mod totals;

pub use method::Method;
pub use method::{MethodCount, run, run_in_place};
