//! Sizes of kernels that rules and formulas for bytes go by.
//!
//! The plan is compiled without any kernel, and so these figures stand here a second time. What launches a kernel holds them against the
//! kernel's own, at compile time where the compiler can.

/// Counting degrees.
pub mod degrees {
    /// Bytes of shared memory of a block that brings ends into buckets.
    pub const BUCKET_SHARED_BYTES: u32 = 81_988;
    /// Most bits of a vertex within its bucket.
    pub const MOST_BITS: u32 = 15;
    /// Most buckets of a window: what a block has counters for.
    pub const MOST_BUCKETS: u32 = 4_096;
    /// Most edges of a launch.
    pub const MOST_EDGES: u64 = 1 << 30;

    /// Bytes of shared memory of a block that counts the ends of a bucket.
    pub const fn count_shared_bytes(bits: u32) -> u32 {
        4 << bits
    }
}

/// Bringing edges together by their heads.
pub mod edge_groups {
    /// Heads of a bin, at most, as a power of two.
    const BIN_HEADS_LOG2: u32 = 12;
    /// Heads of a tile, which a block takes at a time.
    pub const HEADS_TILE: u32 = 2_048;
    /// Most bins.
    pub const MOST_BINS: u32 = 4_096;

    /// How many bins `slots` slots and `heads` heads have.
    pub const fn bins_for(slots: u64, heads: u64, slots_log2: u32) -> u64 {
        slots.div_ceil(1 << slots_log2) + heads.div_ceil(1 << BIN_HEADS_LOG2)
    }

    /// Words of the table that says where bins are.
    pub const fn bins_len(bins: u32) -> u64 {
        4 * bins as u64
    }

    /// Words of the cursors of `heads` heads, of which the first stand apart.
    pub const fn cursors_len(heads: u64) -> u64 {
        let apart = if heads < 4_096 { heads } else { 4_096 };
        heads + apart * 31
    }

    /// Places of `m` heads in 16 bits.
    pub const fn narrow_len(m: u64) -> u64 {
        m.next_multiple_of(8)
    }
}

/// Merging rows.
pub mod forward {
    /// Sums that a kernel adds to.
    pub const TOTALS: u64 = 256;
}

/// Matrices of bits.
pub mod hub_product {
    /// Most rows.
    pub const MOST_HUBS: u32 = 1 << 16;
    /// Rows and columns of a tile of sums.
    pub const TILE: u32 = 32;

    /// Words of 32 bits of a matrix.
    pub const fn bit_words(hubs: u32) -> u64 {
        hubs as u64 * (hubs / 32) as u64
    }
}

/// Looking at the wedges of landmarks.
pub mod min_hash {
    /// Classes of edges that are told apart.
    pub const CLASSES: usize = 6;

    /// The largest degree of the first class, in a graph of `entries` entries of which `vertices` vertices have edges.
    pub const fn first_degree(entries: u64, vertices: u64) -> u32 {
        let most = (u32::MAX >> CLASSES) as u64;
        let twice_the_mean = 4 * entries / if vertices > 0 { vertices } else { 1 };
        match twice_the_mean {
            0 => 1,
            degree if degree > most => most as u32,
            degree => degree as u32,
        }
    }
}

/// Filters of few bits a row.
pub mod narrow_bloom_filters {
    /// The fewest and the most bits of a row, as powers of two.
    pub const BITS_LOG2: (u32, u32) = (4, 7);

    /// Most first ranks with a bit of their own.
    pub const fn most_exact(bits_log2: u32) -> u32 {
        if bits_log2 < 5 { 1 << (bits_log2 - 1) } else { 16 }
    }

    /// Words of `rows` rows.
    pub const fn words(rows: u64, bits_log2: u32) -> u64 {
        if bits_log2 < 5 { rows.div_ceil(1 << (5 - bits_log2)) } else { rows << (bits_log2 - 5) }
    }
}

/// Entries with fewer than 32 bits an id.
pub mod narrow_entries {
    /// Entries of a group.
    pub const GROUP: u64 = 1_024;
    /// Fewest bits of an id.
    pub const LEAST_BITS: u32 = 16;
    /// Most bytes that are copied at a time.
    pub const MOST_PIECE: u64 = 8 << 20;

    /// Words of a group.
    pub const fn group_words(bits: u32) -> u64 {
        GROUP / 32 * 2 * bits as u64
    }
}

/// The radix sort.
pub mod radix_sort {
    /// Bits of a digit.
    pub const DIGIT_BITS: u32 = 8;
    /// Keys of a tile, which a block sorts at a time.
    pub const TILE: u32 = 4_096;
    /// Bits of a wide digit.
    pub const WIDE_DIGIT_BITS: u32 = 9;
}

/// Bins of rows.
pub mod row_bins {
    /// Most bins.
    pub const MOST_BINS: u32 = (1 << 13) - 1;
    /// Most groups: what a block has shared memory to count.
    pub const MOST_GROUPS: u32 = 16_384;
    /// Most keys of a slot, each of which is compared with all others.
    pub const MOST_OF_SLOT: u32 = 512;
    /// Most ranks of a bin, and its slots.
    pub const MOST_RANKS: u32 = 8_192;
    /// Most bits of a rank.
    pub const MOST_RANK_BITS: u32 = 25;
    /// Most bits of a rank of keys that are sorted by their groups.
    pub const MOST_RANK_BITS_SORTED: u32 = 31;
    /// Bytes of shared memory of a block, at most.
    pub const MOST_SHARED_BYTES: u32 = 115_004;

    /// Most keys of a bin whose values have `bits` bits.
    pub const fn capacity(bits: u32) -> u32 {
        if bits == u32::BITS { 15_872 } else { 9_664 }
    }
}

/// Tables of rows.
pub mod row_tables {
    /// Most ranks of a table of bits.
    pub const MOST_BITS: u32 = 1 << 20;
    /// Most slots of a table, as a power of two.
    pub const MOST_SLOTS_LOG2: u32 = 15;
    /// Most threads of a block.
    pub const MOST_THREADS: u32 = 512;

    /// Bytes of a table of a bit for each rank.
    pub const fn bits_bytes(ranks: u32) -> u32 {
        ranks.div_ceil(64) * 8
    }

    /// Bytes of a table of 2^`slots_log2` slots of `tag` bytes each, with a bit a slot for those that are taken.
    pub const fn tags_bytes(slots_log2: u32, tag: u32) -> u32 {
        let bytes: u32 = (tag << slots_log2) + (1 << slots_log2) / 8;
        bytes.next_multiple_of(8)
    }
}

/// Listing triangles in chunks.
pub mod triangle_chunks {
    /// Vertices of a triangle.
    pub const CORNERS: u64 = 3;
    /// Edges of a tile.
    pub const TILE: u32 = 8;
}

/// Lists of triangles.
pub mod triangle_lists {
    /// Entries of a part of a list.
    pub const CHUNK: u32 = 32;
}

/// Looking at a sample of the wedges.
pub mod wedge_sample {
    /// The numbers of first ranks whose wedges are told apart.
    pub const FIRST_RANKS: [u32; 3] = [1, 4, 16];
}
