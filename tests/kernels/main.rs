//! One test a kernel, against an oracle in plain Rust that has no code in common with it: in the
//! emulator always, under the seeds of [`devices`], and on a GPU where there is one.
//!
//! `cargo test --test kernels -- --nocapture` prints a line a kernel: what ran where, and what was
//! skipped. A failure names the kernel, the device, the seed and the case.

mod adopt;
mod binning;
mod bit_tiles;
mod cliques;
mod contents;
mod core_peel;
mod degrees;
mod device_edges;
mod devices;
mod directed_triangles;
mod edge_groups;
mod edge_support;
mod figures;
mod forward;
mod live_edges;
mod machine_code;
mod merge_path;
mod min_hash;
mod narrow_bloom_filters;
mod narrow_entries;
mod orient;
mod parts;
mod primitives;
mod radix_sort;
mod ranks;
mod row_bins;
mod row_segments;
mod row_tables;
mod rows;
mod rows_past;
mod similar;
mod triangle_chunks;
mod truss_peel;
mod unique;
mod vertex_results;
mod wedge_sample;
mod wedges;
mod weighted_triangles;
