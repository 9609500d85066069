//! What the threads of a block, and those of a grid, do together.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{block, grid, kernel, shared, thread, warp};

kernel!(
    /// Every thread writes the sum of its block's values, and the values of the block's first and last thread.
    #[requires(
        |shape| shape.shared_bytes >= 32 * 8, shape.grid.count() == 1,
        shape.threads() <= values.len(), out.len() >= 3 * values.len()
    )]
    pub unsafe fn reduce_block(values: In<f64>, out: InOut<f64>) {
        let i = u64::from(thread::index_in_block());
        let scratch = shared::array::<f64>(0, 32);
        let value = values.get(i);
        out.set(3 * i, block::reduce(scratch, value, |a, b| a + b));
        out.set(3 * i + 1, block::reduce(scratch, value, |first, _| first));
        out.set(3 * i + 2, block::reduce(scratch, value, |_, last| last));
    }

    /// Every thread writes for how many of its block the value is odd, and whether that is all or any.
    #[requires(|shape| shape.threads() <= values.len(), out.len() >= 3 * values.len())]
    pub unsafe fn count_block(values: In<u32>, out: InOut<u32>) {
        let i = thread::index_1d();
        let is_odd = values.get(i) % 2 == 1;
        out.set(3 * i, thread::sync_threads_count(is_odd));
        out.set(3 * i + 1, thread::sync_threads_and(is_odd).into());
        out.set(3 * i + 2, thread::sync_threads_or(is_odd).into());
    }

    /// Odd values below `n` change places with their neighbours', and every thread writes its neighbour's and which lanes of the warp
    /// have one. Before the barrier and behind the vote stand branches on one condition.
    #[requires(
        |shape| shape.block.x % 32 == 0, shape.shared_bytes >= 4 * shape.block.x, values.len() >= n, out.len() >= 2 * n
    )]
    pub unsafe fn meet_between_branches(values: In<u32>, out: InOut<u32>, n: u64) {
        let (me, i) = (thread::thread_idx_x(), thread::index_1d());
        let odd_values = shared::array::<u32>(0, thread::block_dim_x());
        let value = if i < n { values.get(i) } else { 0 };
        odd_values.set(me, 0);
        if i < n && value % 2 == 1 {
            odd_values.set(me, value);
        }
        thread::sync_threads();
        let lanes = warp::warp_vote_ballot(warp::ALL, value % 2 == 1);
        if i < n {
            out.set(2 * i, odd_values.get(me ^ 1));
            out.set(2 * i + 1, lanes);
        }
    }

    /// Every thread waits for two microseconds by the timer, and writes the cycles that it waited.
    #[requires(|shape| shape.threads() <= cycles.len())]
    pub unsafe fn wait_by_clock(cycles: InOut<u64>) {
        let (start, cycle) = (thread::globaltimer(), thread::clock64());
        while thread::globaltimer() < start + 2000 {}
        cycles.set(thread::index_1d(), thread::clock64() - cycle);
    }

    /// Block 1 waits for what block 0 writes, behind fences.
    #[requires(|shape| shape.grid.x == 2, message.len() >= 2, flag.len() >= 2)]
    pub unsafe fn pass_on(message: InOut<u32>, flag: InOut<u32>) {
        if thread::thread_idx_x() == 0 {
            if thread::block_idx_x() == 0 {
                message.set(0, 42);
                thread::system_fence();
                flag.atomic_store(0, 1);
            } else {
                while flag.atomic_load(0) == 0 {
                    thread::nanosleep(50);
                }
                thread::device_fence();
                message.set(1, message.get(0) + 1);
            }
        }
    }

    /// In every round each thread writes a number of its own, and after the barrier reads that of the thread in the same place of the
    /// next block. Rounds have one form of the barrier and the other in turn.
    #[requires(
        |shape| shape.is_1d() && shape.together && shape.block.x >= 32, !arrived.is_empty(),
        written.len() >= shape.threads() * u64::from(rounds), seen.len() >= written.len()
    )]
    pub unsafe fn meet(written: InOut<u32>, seen: InOut<u32>, arrived: InOut<u64>, rounds: u32) {
        let threads = thread::grid_size();
        let i = thread::index_1d();
        let neighbour = (i + u64::from(thread::block_dim_x())) % threads;
        let mut round = 0;
        while round < rounds {
            let row = u64::from(round) * threads;
            written.set(row + i, round << 16 | i as u32);
            if round % 2 == 0 {
                grid::sync(arrived, round.into());
            } else {
                grid::sync_first_warp(arrived, round.into());
                thread::sync_threads();
            }
            seen.set(row + i, written.get(row + neighbour));
            round += 1;
        }
    }
);
