use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use super::{MOST_RANKS, narrow_len};

kernel! {
    /// Adds to `edges_of_head[a]`, for every head a below `ranks`, the edges to a whose prefix is not
    /// empty; and writes the heads in 16 bits to `narrow`, `ranks - 1` for those that are larger.
    ///
    /// No row of a head below `ranks` holds `ranks - 1`, so to those rows the substitute is a vertex
    /// that they lack. Counters are below m < 2³² and do not overflow.
    pub fn head_edges(
        tails: In<u32>, heads: In<u32>, narrow: InOut<u16>, edges_of_head: InOut<u32>,
        m: u64, ranks: u32
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, ranks > 0, ranks <= MOST_RANKS,
        narrow.len() >= narrow_len(m), edges_of_head.len() >= u64::from(ranks),
    }
    {
        let stride = thread::grid_size();
        let padded = narrow_len(m);
        let mut i = thread::index_1d();
        while i < padded {
            let mut head = ranks - 1;
            if i < m {
                let a = heads.get(i);
                // The first of a row has no prefix.
                if a < ranks && i > 0 && tails.get(i - 1) == tails.get(i) {
                    edges_of_head.atomic_add(u64::from(a), 1);
                }
                head = a.min(ranks - 1);
            }
            narrow.set(i, head as u16);
            i += stride;
        }
    }
}
