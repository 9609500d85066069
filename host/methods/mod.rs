//! The counting methods: how the triangles of an oriented graph are found.
//!
//! | folder | method | runs on |
//! | --- | --- | --- |
//! | [`forward`] | two rows merged for every edge | GPU, CPU |
//! | [`row_bits`] | edges brought together by head, against that head's row as bits | GPU |
//! | [`hub_product`] | triangles among hubs, or of a dense graph, as a product of bit matrices | GPU |
//! | [`bloom_filters`] | wedges that do not close dropped by a filter for each row | GPU |
//! | [`narrow_bloom_filters`] | the same with few bits a row | GPU |
//! | [`row_tables`] | the rows of a tail's heads looked up in a table of its own row | GPU |
//! | [`segments`] | rows as words of 32 ranks, merged | GPU |
//! | [`windows`] | graphs with 64-bit places, a window of rows at a time | GPU |
//!
//! Papers are named by their numbers in docs/papers.md. Methods that are here because papers propose them are engines of
//! their own, in `papers`.
//!
//! A method that counts edges where they lie on a GPU is a [`Method`], and [`InPlace`] is the list of them. A method knows an oriented graph and
//! its own tuning. Which method counts which graph is decided in
//! `plan`, and `count` runs what was decided.

#[cfg(feature = "gpu")]
pub mod bloom_filters;
pub mod forward;
#[cfg(feature = "gpu")]
pub mod hub_product;
#[cfg(feature = "gpu")]
mod method;
#[cfg(feature = "gpu")]
pub mod narrow_bloom_filters;
#[cfg(feature = "gpu")]
pub mod row_bits;
#[cfg(feature = "gpu")]
pub mod row_tables;
#[cfg(feature = "gpu")]
pub mod segments;
#[cfg(feature = "gpu")]
pub(crate) mod totals;
#[cfg(feature = "gpu")]
pub mod windows;

#[cfg(feature = "gpu")]
pub(crate) use method::run;
#[cfg(feature = "gpu")]
pub use method::{Counted, InPlace, Method, Rates};
