//! Asynchronous copies.

use warpwise_device::async_copy::{copy_async, copy_async_commit, copy_async_wait};
use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, shared, thread};

kernel!(
    /// `out` has the tiles of `values`, each reversed: while one tile is worked on the next is copied.
    #[requires(
        |shape| shape.grid.x == 1, shape.shared_bytes >= 2 * 16 * shape.block.x,
        values.len() >= u64::from(tiles) * u64::from(shape.block.x), out.len() >= values.len(), tiles > 0
    )]
    pub unsafe fn reverse_tiles(values: In<U64x2>, out: InOut<U64x2>, tiles: u32) {
        let (me, threads) = (thread::thread_idx_x(), thread::block_dim_x());
        let buffers =
            [shared::array::<U64x2>(0, threads), shared::array::<U64x2>(16 * threads, threads)];
        copy_async(buffers[0], me, values, me.into());
        copy_async_commit();
        let mut tile = 0;
        while tile < tiles {
            let (mine, next) =
                if tile % 2 == 0 { (buffers[0], buffers[1]) } else { (buffers[1], buffers[0]) };
            if tile + 1 < tiles {
                let i = u64::from(tile + 1) * u64::from(threads) + u64::from(me);
                copy_async(next, me, values, i);
            }
            copy_async_commit();
            copy_async_wait(1);
            thread::sync_threads();
            let i = u64::from(tile) * u64::from(threads) + u64::from(me);
            out.set(i, mine.get(threads - 1 - me));
            thread::sync_threads();
            tile += 1;
        }
    }

    /// Neighbours of words of 4 and of 8 bytes, through shared memory.
    #[requires(
        |shape| shape.shared_bytes >= 12 * shape.block.x + 8, words.len() >= shape.threads(),
        longs.len() >= shape.threads(), sums.len() >= shape.threads()
    )]
    pub unsafe fn add_neighbours(words: InOut<u32>, longs: In<u64>, sums: InOut<u64>) {
        let (me, threads) = (thread::thread_idx_x(), thread::block_dim_x());
        let i = thread::index_1d();
        let wide = shared::array::<u64>(0, threads);
        let narrow = shared::array::<u32>(8 * threads, threads);
        copy_async(wide, me, longs, i);
        copy_async(narrow, me, words, i);
        copy_async_commit();
        copy_async_wait(0);
        thread::sync_threads();
        let other = (me + 1) % threads;
        sums.set(i, wide.get(other).wrapping_add(narrow.get(other).into()));
    }
);
