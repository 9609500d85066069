use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    /// Every edge as a key, its head in the high half and its tail in the low half.
    ///
    /// A stable sort by the heads brings the tails of each head into ascending order, as the tails of the edges ascend.
    #[requires(m < 1 << 32, tails.len() >= m, heads.len() >= m, keys.len() >= m)]
    pub unsafe fn head_keys(tails: In<u32>, heads: In<u32>, keys: InOut<u64>, m: u64) {
        for i in thread::of_grid(m) {
            keys.set(i, u64::from(heads.get(i)) << 32 | u64::from(tails.get(i)));
        }
    }
);

kernel!(
    /// Lays out the tails of each head from the keys of [`head_keys`], sorted by their heads. `ends[2h]` and `ends[2h + 1]` say
    /// where those of head h begin and end; of vertices without any, nothing is written.
    #[requires(m < 1 << 32, keys.len() >= m, tails.len() >= m)]
    pub unsafe fn lay_out_tails(keys: In<u64>, tails: InOut<u32>, ends: InOut<u32>, m: u64) {
        let head_of = |key: u64| (key >> 32) as u32;
        for i in thread::of_grid(m) {
            let key = keys.get(i);
            let head = head_of(key);
            tails.set(i, key as u32);
            if i == 0 || head_of(keys.get(i - 1)) != head {
                ends.set(2 * u64::from(head), i as u32);
            }
            if i + 1 == m || head_of(keys.get(i + 1)) != head {
                ends.set(2 * u64::from(head) + 1, i as u32 + 1);
            }
        }
    }
);

kernel!(
    /// `degrees[r]` = the neighbours of vertex r: the length of its row in `rows`, and of its tails in `ends`. Both have the first
    /// place in the low half of a word, and one past the last in the high half.
    #[requires(rows.len() >= n, ends.len() >= n, degrees.len() >= n)]
    pub unsafe fn all_degrees(rows: In<u64>, ends: In<u64>, degrees: InOut<u32>, n: u64) {
        let len = |row: u64| (row >> 32) as u32 - row as u32;
        for r in thread::of_grid(n) {
            degrees.set(r, len(rows.get(r)) + len(ends.get(r)));
        }
    }
);
