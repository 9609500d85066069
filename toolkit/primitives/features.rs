// The features of the manifest, which `build.rs` and `xtask` compile all kernels with.
["histogram", "prefix_sums", "prefix_sums_32", "radix_sort", "radix_sort_32", "reduce", "select"]
