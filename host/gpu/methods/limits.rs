//! The sizes of kernels that the plan goes by are those of the kernels.

use tribin_device::launch::Pieces;
use tribin_kernels as kernels;

use crate::plan::limits;

macro_rules! same {
    ($($kernel:ident: $($size:ident),*;)*) => {
        $($(const _: () = assert!(limits::$kernel::$size == kernels::$kernel::$size);)*)*
    };
}

same! {
    degrees: BUCKET_SHARED_BYTES, MOST_BITS, MOST_BUCKETS, MOST_EDGES;
    edge_groups: HEADS_TILE, MOST_BINS;
    forward: TOTALS;
    hub_product: MOST_HUBS, TILE;
    narrow_entries: GROUP, LEAST_BITS;
    radix_sort: DIGIT_BITS, TILE, WIDE_DIGIT_BITS;
    row_bins: MOST_BINS, MOST_GROUPS, MOST_OF_SLOT, MOST_RANKS, MOST_RANK_BITS,
        MOST_RANK_BITS_SORTED, MOST_SHARED_BYTES;
    row_tables: MOST_BITS, MOST_THREADS;
    triangle_chunks: CORNERS, TILE;
    triangle_lists: CHUNK;
}

const _: () = {
    assert!(limits::min_hash::CLASSES as u64 == kernels::min_hash::CLASSES);
    assert!(limits::narrow_entries::MOST_PIECE == Pieces::MOST);
    assert!(limits::row_tables::MOST_SLOTS_LOG2 == *kernels::row_tables::SLOTS_LOG2.end());
    let (here, there) =
        (limits::narrow_bloom_filters::BITS_LOG2, kernels::narrow_bloom_filters::BITS_LOG2);
    assert!(here.0 == there.0 && here.1 == there.1);
    let mut first = 0;
    while first < limits::wedge_sample::FIRST_RANKS.len() {
        let ranks = limits::wedge_sample::FIRST_RANKS[first];
        assert!(ranks == kernels::wedge_sample::FIRST_RANKS[first]);
        first += 1;
    }
};

#[cfg(test)]
mod tests {
    use tribin_kernels::{
        degrees, edge_groups, hub_product, min_hash, narrow_bloom_filters, narrow_entries,
        row_bins, row_tables,
    };

    use super::*;

    const NUMBERS: [u64; 12] =
        [0, 1, 7, 8, 31, 33, 4_095, 4_096, 4_097, 70_001, 1 << 31, u32::MAX as u64];

    #[test]
    fn bytes_are_those_of_the_kernels() {
        for bits in 0..=degrees::MOST_BITS {
            assert_eq!(
                limits::degrees::count_shared_bytes(bits),
                degrees::count_shared_bytes(bits)
            );
        }
        for bits in [u32::BITS, u64::BITS] {
            assert_eq!(limits::row_bins::capacity(bits), row_bins::capacity(bits));
        }
        for bits in narrow_entries::LEAST_BITS..=32 {
            let words = narrow_entries::group_words(bits);
            assert_eq!(limits::narrow_entries::group_words(bits), words);
        }
        for hubs in [512, 16_384, hub_product::MOST_HUBS] {
            assert_eq!(limits::hub_product::bit_words(hubs), hub_product::bit_words(hubs));
        }
        for slots_log2 in row_tables::SLOTS_LOG2 {
            for tag in [1, 2] {
                let bytes = row_tables::tags_bytes(slots_log2, tag);
                assert_eq!(limits::row_tables::tags_bytes(slots_log2, tag), bytes);
            }
        }
        let (least, most) = narrow_bloom_filters::BITS_LOG2;
        for bits_log2 in least..=most {
            use limits::narrow_bloom_filters as here;
            assert_eq!(here::most_exact(bits_log2), narrow_bloom_filters::most_exact(bits_log2));
            for rows in NUMBERS {
                let words = narrow_bloom_filters::words(rows, bits_log2);
                assert_eq!(here::words(rows, bits_log2), words);
            }
        }
        for number in NUMBERS {
            use limits::edge_groups as here;
            assert_eq!(here::cursors_len(number), edge_groups::cursors_len(number));
            assert_eq!(here::narrow_len(number), edge_groups::narrow_len(number));
            assert_eq!(here::bins_len(number as u32), edge_groups::bins_len(number as u32));
            let ranks = number as u32;
            assert_eq!(limits::row_tables::bits_bytes(ranks), row_tables::bits_bytes(ranks));
            for other in NUMBERS {
                let bins = edge_groups::bins_for(number, other, 10);
                assert_eq!(here::bins_for(number, other, 10), bins);
                let degree = min_hash::first_degree(number, other);
                assert_eq!(limits::min_hash::first_degree(number, other), degree);
            }
        }
    }
}
