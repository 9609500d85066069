use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::primitives::block_add_to;

kernel!(
    /// Every edge as two keys, the row above the edge's place: first all that belong to the rows of tails,
    /// then all that belong to the rows of heads.
    ///
    /// A stable sort by the rows brings them into the order of the neighbours: a row's heads are below it
    /// and its tails above, and both ascend with the place.
    #[requires(m < 1 << 31, tails.len() >= m, heads.len() >= m, keys.len() >= 2 * m)]
    pub unsafe fn row_keys(tails: In<u32>, heads: In<u32>, keys: InOut<u64>, m: u64) {
        for i in thread::of_grid(m) {
            keys.set(i, u64::from(tails.get(i)) << 32 | i);
            keys.set(m + i, u64::from(heads.get(i)) << 32 | i);
        }
    }
);

kernel!(
    /// Lays out the rows of both directions from the keys of [`row_keys`], sorted by their rows:
    /// `neighbours` ascend within a row, and `edge_at` has the place of the edge that leads to each.
    /// `rows[2r]` and `rows[2r + 1]` say where row r begins and ends; rows without edges are not written.
    #[requires(
        m < 1 << 31, keys.len() >= 2 * m, tails.len() >= m, heads.len() >= m, neighbours.len() >= 2 * m,
        edge_at.len() >= 2 * m,
    )]
    pub unsafe fn lay_out_rows_of_both(
        keys: In<u64>,
        tails: In<u32>,
        heads: In<u32>,
        neighbours: InOut<u32>,
        edge_at: InOut<u32>,
        rows: InOut<u32>,
        m: u64,
    ) {
        let row_of = |key: u64| (key >> 32) as u32;
        for i in thread::of_grid(2 * m) {
            let key = keys.get(i);
            let (row, edge) = (row_of(key), key as u32);
            // One of the two is the row itself.
            let ends = tails.get(u64::from(edge)) ^ heads.get(u64::from(edge));
            neighbours.set(i, ends ^ row);
            edge_at.set(i, edge);
            if i == 0 || row_of(keys.get(i - 1)) != row {
                rows.set(2 * u64::from(row), i as u32);
            }
            if i + 1 == 2 * m || row_of(keys.get(i + 1)) != row {
                rows.set(2 * u64::from(row) + 1, i as u32 + 1);
            }
        }
    }
);

kernel!(
    /// `parts[i]` = how many `chunk` entries or part of them the shorter of the rows of edge i's ends has,
    /// and adds them all to `total[0]`.
    ///
    /// A row has fewer than 2³² entries, and the sum over fewer than 2³¹ edges is below 2⁶³. Launch with
    /// whole warps.
    #[requires(
        m < 1 << 31, tails.len() >= m, heads.len() >= m, parts.len() >= m, !total.is_empty(), chunk > 0,
    )]
    pub unsafe fn row_parts(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        parts: InOut<u32>,
        total: InOut<u64>,
        m: u64,
        chunk: u32,
    ) {
        // `max` tells the compiler what `requires` says: a division by zero would be a trap.
        let chunk = chunk.max(1);
        let len = |row: u64| (row >> 32) as u32 - row as u32;
        let mut sum = 0u64;
        for i in thread::of_grid(m) {
            let of_tail = len(rows.get(u64::from(tails.get(i))));
            let of_head = len(rows.get(u64::from(heads.get(i))));
            let count = of_tail.min(of_head).div_ceil(chunk);
            parts.set(i, count);
            sum += u64::from(count);
        }
        block_add_to(total, 0, sum);
    }
);
