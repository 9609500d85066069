//! Bulk copies.

use warpwise_device::bulk_copy::{Mbarrier, bulk_copy};
use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, shared, thread};

kernel!(
    /// `out` has the tiles of `values`, each reversed: while one tile is worked on the next is copied. Threads tell by a barrier of their own
    /// that a buffer is free again.
    #[requires(
        |shape| shape.grid.count() == 1 && shape.is_1d(), shape.shared_bytes >= 32 + 2 * 16 * shape.block.x,
        values.len() >= u64::from(tiles) * u64::from(shape.block.x), out.len() >= values.len(), tiles > 0
    )]
    pub unsafe fn reverse_bulk_tiles(values: In<U64x2>, out: InOut<U64x2>, tiles: u32) {
        let (me, threads) = (thread::thread_idx_x(), thread::block_dim_x());
        let words = shared::array::<u64>(0, 4);
        let full = [Mbarrier::new(words, 0), Mbarrier::new(words, 1)];
        let free = [Mbarrier::new(words, 2), Mbarrier::new(words, 3)];
        let buffers = shared::array::<U64x2>(32, 2 * threads);
        if me == 0 {
            full[0].init(1);
            full[1].init(1);
            free[0].init(threads);
            free[1].init(threads);
        }
        thread::sync_threads();
        if me == 0 {
            bulk_copy((buffers, 0), (values, 0), threads, full[0]);
            full[0].arrive();
        }
        let mut tile = 0;
        while tile < tiles {
            let next = tile + 1;
            let ([full, next_full], [free, next_free], mine) = match tile % 2 {
                0 => (full, free, 0),
                _ => ([full[1], full[0]], [free[1], free[0]], threads),
            };
            if me == 0 && next < tiles {
                if next >= 2 {
                    next_free.wait((next / 2 - 1) % 2);
                }
                let from = u64::from(next) * u64::from(threads);
                bulk_copy((buffers, threads - mine), (values, from), threads, next_full);
                next_full.arrive();
            }
            full.wait(tile / 2 % 2);
            let i = u64::from(tile) * u64::from(threads) + u64::from(me);
            out.set(i, buffers.get(mine + threads - 1 - me));
            free.arrive();
            tile += 1;
        }
    }

    /// Each thread's sum of a word and a long word, of which two threads copy those of the block. The first one copies its words by halves.
    #[requires(
        |shape| shape.is_1d() && shape.block.x % 8 == 0 && shape.block.x >= 8, shape.shared_bytes >= 16 + 12 * shape.block.x,
        words.len() >= shape.threads(), longs.len() >= shape.threads(), sums.len() >= shape.threads()
    )]
    pub unsafe fn add_bulk(words: InOut<u32>, longs: In<u64>, sums: InOut<u64>) {
        let (me, threads, i) = (thread::thread_idx_x(), thread::block_dim_x(), thread::index_1d());
        let copied = Mbarrier::new(shared::array(0, 1), 0);
        let wide = shared::array::<u64>(16, threads);
        let narrow = shared::array::<u32>(16 + 8 * threads, threads);
        if me == 0 {
            copied.init(2);
        }
        thread::sync_threads();
        if me == 0 {
            let half = threads / 2;
            bulk_copy((narrow, 0), (words, i), half, copied);
            bulk_copy((narrow, half), (words, i + u64::from(half)), half, copied);
            copied.arrive();
        }
        if me == threads - 1 {
            bulk_copy((wide, 0), (longs, i - u64::from(me)), threads, copied);
            copied.arrive();
        }
        copied.wait(0);
        let other = (me + 1) % threads;
        sums.set(i, wide.get(other).wrapping_add(narrow.get(other).into()));
    }
);
