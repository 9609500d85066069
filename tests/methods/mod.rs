//! The counting methods one by one, against oracles that share no code with them.

mod bit_tiles;
mod engines;
mod forward_cpu;
mod hub_product;
pub mod oriented;
mod radix_binning;
mod row_tables;
