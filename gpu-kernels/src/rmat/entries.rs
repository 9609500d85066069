//! The descent through the quadrants, an entry a thread.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use super::{APART, GAMMA, mix};

kernel!(
    /// Writes the entries `number..number + m` of a graph of 2^`scale` vertices to `entries`, two 32-bit vertices a word, the first in
    /// the low half. `base` is what the graph's streams begin from; the quadrants b, c and d begin at these numbers of 64 bits.
    /// `ids` has the id of each place.
    ///
    /// Launch with any number of blocks.
    #[requires(scale < 32, ids.len() >= 1 << scale, entries.len() >= m)]
    pub unsafe fn rmat_entries(
        ids: In<u32>,
        entries: InOut<u64>,
        base: u64,
        b: u64,
        c: u64,
        d: u64,
        number: u64,
        m: u64,
        scale: u32,
    ) {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < m {
            let stream = base ^ (number + i).wrapping_mul(APART);
            let mut state = mix(stream.wrapping_add(GAMMA));
            let (mut row, mut column) = (0u32, 0u32);
            let mut level = 0;
            while level < scale {
                state = state.wrapping_add(GAMMA);
                let draw = mix(state);
                let lower = u32::from(draw >= c);
                // On the right from b to c and from d on.
                let right = u32::from(draw >= b) ^ lower ^ u32::from(draw >= d);
                row = row << 1 | lower;
                column = column << 1 | right;
                level += 1;
            }
            let (u, v) = (ids.get(u64::from(row)), ids.get(u64::from(column)));
            entries.set(i, u64::from(u) | u64::from(v) << 32);
            i += stride;
        }
    }
);
