//! tribin's kernels, in the order in which an edge meets them.
//!
//! | folder | kernel | what it does | source |
//! | --- | --- | --- | --- |
//! | [`device_edges`] | `pack_edges_32`, `pack_edges_64` | edges that another library left in device memory | |
//! | [`narrow_entries`] | `widen_entries` | entries that came with few bits an id | |
//! | [`degrees`] | `count_degrees` | degree of every vertex, from edges in any order | 004 III-B5 |
//! | [`min_hash`] | `own_labels`, `raise_labels`, `near_ends`, `landmark_wedges`, `hub_keys` | vertices with similar rows side by side | Broder 1997 |
//! | [`adopt`] | `adopt_edges` | sorted edges of one direction, where degrees differ little, as they are | |
//! | [`ranks`] | `class_keys`, `id_keys`, `assign_ranks`, `gather_degrees`, `vertices_of_ranks` | vertices in descending order of degree | 004 II-B |
//! | [`orient`] | `orient_edges` | every edge as a key, from the higher rank to the lower | 004 II-B |
//! | [`radix_sort`](warpwise_primitives::radix_sort) | `radix_histogram`, `radix_offsets`, `radix_scatter` | stable sort of the keys | 003 II-D, 004 III-B3 |
//! | [`row_bins`] | `orient_to_groups`, `bins_of_groups`, `split_keys`, `starts_of_groups`, `bins_of_starts`, `rows_of_bins`, `close_gaps` | rows from keys in any order, where they are short | Stehle and Jacobsen 2017 |
//! | [`unique`] | `unique_edges` | duplicates out, structure of arrays, node array | 004 III-B4 to B8 |
//! | [`figures`] | `graph_figures` | vertices, wedges, largest degree | |
//! | [`parts`] | `part_keys`, `part_lengths`, `prefix_sums_64`, `tails_of_rows`, `pack_rows`, `add_words`, `raise_words` | a graph in parts, and the parts as one graph again | |
//! | [`both_directions`] | `both_directions` | every edge twice: the paper's undirected lists | 003 II-C |
//! | [`wedges`] | `wedge_ends`, `candidate_keys` | candidate edges that would close the wedges | 003 algorithm 1 |
//! | [`binning`] | `bin_count`, `bin_scan`, `bin_emit`, `bin_scatter`, `bin_tail`, `bin_tail_warps` | candidates that are edges, by radix binning | 003 algorithm 2 |
//! | [`wedge_sample`] | `sample_wedges` | how many wedges close, from a sample | |
//! | [`forward`] | `forward_merge`, `merge_or_search` | two-pointer intersection of each edge's rows | 004 III-C |
//! | [`rows_past`] | `rows_of_places`, `forward_merge_past`, `vertices_past`, `support_past` | rows that come past a part of a graph that device memory does not hold | 004 III-C |
//! | [`narrow_bloom_filters`] | `narrow_bloom_filters`, `filter_count`, `filter_count_128` | wedges that do not close dropped by a few bits for each row; triangles of first ranks counted by a bit each | |
//! | [`row_segments`] | `row_segments`, `merge_segments` | rows as words of 32 ranks, merged | 002 III-B4, 004 III-C |
//! | [`row_tables`] | `row_tables_bits`, `row_tables_8`, `row_tables_16` | the rows of heads looked up in a table of their tail's row | Cleary 1984 |
//! | [`merge_path`] | `merge_path` | intersections cut into equal shares for lanes | 001 |
//! | [`bit_tiles`] | `bit_segments`, `list_wide_rows`, `count_wide_rows`, `count_packed_rows` | rows as segments of 64 bits, AND and popcount | 002 |
//! | [`hub_product`] | `hub_matrix`, `hub_common_bits`, `hub_product_bits` | triangles among hubs as a product of matrices | 004's future work |
//! | [`edge_groups`] | `narrow_heads`, `rank_degrees`, `head_groups`, `bins_of_heads`, `split_edges`, `place_edges` | edges to the method that counts them | |
//! | [`row_bits`] | `row_bits` | edges of one head against that head's row as bits | |
//! | [`listed_edges`] | `search_listed` | edges without a group | 004 III-C, GroupTC (IPDPS 2024) |
//! | [`edge_support`] | `support_merge`, `support_listed`, `support_bits`, `longest_row`, `add_thirds` | triangles on every edge | |
//! | [`vertex_results`] | `vertex_triangles`, `by_vertex` | results by the graph's own vertices | |
//! | [`triangle_chunks`] | `count_tiles`, `write_triangles` | every triangle at a place of its own, in any parts | GroupTC (IPDPS 2024) |
//! | [`directed_triangles`] | `directed_kinds`, `directed_thirds`, `directed_codes` | triangles by the directions of their edges | Fagiolo 2007 |
//! | [`cliques`] | `rows_of_length`, `cliques_of_rows` | cliques of four vertices and more | Almasri 2022 |
//! | [`similar`] | `similar_in_shared`, `similar_in_slices` | the most similar vertices of each | Gustavson 1978 |
//! | [`weighted_triangles`] | `weigh_rows`, `weigh_long_rows` | sums over triangles of what their edges weigh | Onnela 2005 |
//! | [`live_edges`] | `keep_edges`, `row_keys`, `lay_out_rows_of_both`, `row_parts`, `put_values`, `fill_words` | what is left of a graph that loses edges | |
//! | [`truss_peel`] | `peel_truss` | trussness of every edge | PKT (HPEC 2017) |
//! | [`core_peel`] | `head_keys`, `lay_out_tails`, `all_degrees`, `peel_cores` | core numbers | ParK (Big Data 2014) |
//!
//! A folder is a kernel: its declaration, its arithmetic, and the launch shape it wants. What several
//! kernels do in the same way within a block is in [`primitives`].

// An array that a loop walks by an iterator is put into local memory. An index in a loop of known length keeps it in registers.
#![allow(clippy::needless_range_loop)]

pub mod adopt;
pub mod binning;
pub mod bit_tiles;
pub mod both_directions;
pub mod cliques;
pub mod core_peel;
pub mod degrees;
pub mod device_edges;
pub mod directed_triangles;
pub mod edge_groups;
pub mod edge_support;
pub mod figures;
pub mod forward;
pub mod hub_product;
pub mod listed_edges;
pub mod live_edges;
pub mod merge_path;
pub mod min_hash;
pub mod narrow_bloom_filters;
pub mod narrow_entries;
pub mod orient;
pub mod parts;
pub mod primitives;
pub mod ranks;
pub mod row_bins;
pub mod row_bits;
pub mod row_segments;
pub mod row_tables;
pub mod rows_past;
pub mod similar;
pub mod triangle_chunks;
pub mod truss_peel;
pub mod unique;
pub mod vertex_results;
pub mod wedge_sample;
pub mod wedges;
pub mod weighted_triangles;
