use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::edge_groups::{MERGED, SIZES};
use crate::primitives::lower_bound;

kernel!(
    /// Adds to `support` the triangles that the edges at the front of `listed` close: 2^`lanes_log2`
    /// lanes look up the entries of the shorter row in the longer, by binary search.
    #[requires(
        sizes.len() >= SIZES, lanes_log2 <= 5, heads.len() < 1 << 32, support.len() >= heads.len(),
    )]
    pub unsafe fn support_listed(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        listed: In<u32>,
        sizes: In<u32>,
        support: InOut<u32>,
        lanes_log2: u32,
    ) {
        let edges = u64::from(sizes.get(MERGED));
        let lane = thread::thread_idx_x() & ((1 << lanes_log2) - 1);
        let stride = thread::grid_size() >> lanes_log2;
        let mut edge = thread::index_1d() >> lanes_log2;
        while edge < edges {
            let place = listed.get(edge);
            let prefix_start = rows.get(u64::from(tails.get(u64::from(place)))) as u32;
            let row = rows.get(u64::from(heads.get(u64::from(place))));
            let (row_start, row_end) = (row as u32, (row >> 32) as u32);
            let prefix_shorter = place - prefix_start <= row_end - row_start;
            let (short, short_end) =
                if prefix_shorter { (prefix_start, place) } else { (row_start, row_end) };
            let (long, long_end) =
                if prefix_shorter { (row_start, row_end) } else { (prefix_start, place) };
            let mut at = short + lane;
            let mut from = long;
            let mut count = 0;
            while at < short_end {
                let vertex = heads.get(u64::from(at));
                from = lower_bound(heads, from, long_end, vertex);
                // What is past the end of the longer row is nothing for later vertices either.
                if from == long_end {
                    break;
                }
                if heads.get(u64::from(from)) == vertex {
                    support.atomic_add(u64::from(at), 1);
                    support.atomic_add(u64::from(from), 1);
                    count += 1;
                }
                at += 1 << lanes_log2;
            }
            if count > 0 {
                support.atomic_add(u64::from(place), count);
            }
            edge += stride;
        }
    }
);
