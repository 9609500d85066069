//! The counting methods one by one, against oracles that share no code with them.

mod forward_cpu;
mod hub_product;
mod merge_path_and_bitmap;
mod oriented;
mod radix_binning;
mod row_tables;
