use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

use crate::primitives::{Lists, Oriented};

kernel!(
    /// Adds to `support[i]` the triangles on edge `i`, for every edge. A thread takes an edge, and merges as `forward_merge` does (paper
    /// 004, section III-C). Here every match costs two additions, and the reads matter less.
    #[requires(graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, support.len() >= m)]
    pub unsafe fn support_merge(graph: Oriented, support: InOut<u32>, first: u64, m: u64) {
        for i in thread::of_grid_from(first, m) {
            let Lists { prefix, row } = Lists::at_once(graph, i as u32);
            let (mut u, mut v) = (prefix.start, row.start);
            let mut count = 0;
            while u < prefix.end && v < row.end {
                let (a, b) = (graph.heads.get(u64::from(u)), graph.heads.get(u64::from(v)));
                if a == b {
                    support.atomic_add(u64::from(u), 1);
                    support.atomic_add(u64::from(v), 1);
                    count += 1;
                }
                u += u32::from(a <= b);
                v += u32::from(b <= a);
            }
            if count > 0 {
                support.atomic_add(i, count);
            }
        }
    }
);
