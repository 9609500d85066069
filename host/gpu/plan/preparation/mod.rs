//! How the entries of a graph are brought into an oriented graph on a GPU: in what order the vertices are
//! ranked, and by how much of a key the edges are sorted.
//!
//! | file | what it decides, or knows |
//! | --- | --- |
//! | `order` | in what order the vertices are ranked |
//! | `key_sort` | how keys are brought into rows |
//! | `bins` | whether they fit bins of rows |
//! | `degree_counting` | how the degrees of vertices are counted |
//! | `degrees` | how much degrees differ, and how many wedges close |
//!
//! Any order of the vertices gives the exact count. Where degrees differ much, their order is what keeps rows
//! short. Where they do not, rows are as short in any order, and an order that brings similar rows together
//! saves the caches most of the reads at random. docs/measured.md has the times.

mod bins;
mod degree_counting;
mod degrees;
mod key_sort;
mod order;
#[cfg(test)]
mod tests;

pub use bins::{GroupsOfRanks, SortedGroups};
pub use degree_counting::{
    Buckets, ENTRIES_AT_ONCE, counted_at_once, counting_bytes, degree_buckets,
};
pub use degrees::MIN_ENTRIES;
pub use degrees::NEAR_PART;
pub use key_sort::{KeySort, key_sort};
pub use order::hubs_beyond;
pub use order::{LabelledVertices, Order, looks_for_landmarks, order};
pub use warpwise_primitives::radix_sort::SortPasses;

pub use super::facts::CLASSES;
