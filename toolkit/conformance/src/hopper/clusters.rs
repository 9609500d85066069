//! Clusters of blocks.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{cluster, kernel, shared, thread};

kernel!(
    /// The values of each cluster in the opposite order: a thread reads that of the opposite thread in the opposite block. Behind it
    /// `ranks` has the number of each thread's block and how many there are.
    #[requires(
        |shape| shape.is_1d(), shape.shared_bytes >= 4 * shape.block.x, values.len() >= shape.threads(),
        out.len() >= shape.threads(), ranks.len() >= 2 * shape.threads()
    )]
    pub unsafe fn reverse_clusters(values: In<f32>, out: InOut<f32>, ranks: InOut<u32>) {
        let (me, threads, i) = (thread::thread_idx_x(), thread::block_dim_x(), thread::index_1d());
        let (rank, size) = (cluster::rank(), cluster::size());
        let mine = shared::array::<f32>(0, threads);
        mine.set(me, values.get(i));
        cluster::sync();
        let opposite = cluster::of_block(mine, size - 1 - rank);
        out.set(i, opposite.get(threads - 1 - me));
        ranks.set(2 * i, rank);
        ranks.set(2 * i + 1, size);
        cluster::sync();
    }

    /// Each value goes on a block, round the cluster, as often as `rounds` says.
    #[requires(
        |shape| shape.is_1d(), shape.shared_bytes >= 2 * 8 * shape.block.x, values.len() >= shape.threads()
    )]
    pub unsafe fn go_round_clusters(values: InOut<u64>, rounds: u32) {
        let (me, threads, i) = (thread::thread_idx_x(), thread::block_dim_x(), thread::index_1d());
        let places = [shared::array::<u64>(0, threads), shared::array::<u64>(8 * threads, threads)];
        let next = (cluster::rank() + 1) % cluster::size();
        let mut value = values.get(i);
        cluster::sync();
        let mut round = 0;
        while round < rounds {
            // Those of two rounds are two, so that none is written while it is read.
            let place = if round % 2 == 0 { places[0] } else { places[1] };
            cluster::of_block(place, next).set(me, value);
            cluster::sync();
            value = place.get(me);
            round += 1;
        }
        values.set(i, value);
    }

    /// Each cluster counts its values, keeps the smallest and the largest, adds up their halves, and takes each in turn: its first block
    /// has what all update. `in_turn` has for each thread what it found, and behind them what was found last
    /// and what came first in each cluster.
    #[requires(
        |shape| shape.is_1d(), shape.shared_bytes >= 24, values.len() >= shape.threads(),
        counts.len() >= 4 * u64::from(shape.grid.x), in_turn.len() >= shape.threads() + 2 * u64::from(shape.grid.x)
    )]
    pub unsafe fn update_in_clusters(values: In<u32>, counts: InOut<u32>, in_turn: InOut<u32>) {
        let (me, i, rank) = (thread::thread_idx_x(), thread::index_1d(), cluster::rank());
        let mine = shared::array::<u32>(0, 5);
        let halves = shared::array::<f32>(20, 1);
        if me == 0 {
            mine.set(0, 0);
            mine.set(1, u32::MAX);
            mine.set(2, 0);
            mine.set(3, u32::MAX);
            mine.set(4, u32::MAX);
            halves.set(0, 0.0);
        }
        cluster::sync();
        let first = cluster::of_block(mine, 0);
        let value = values.get(i);
        first.atomic_add(0, 1);
        first.atomic_min(1, value);
        first.atomic_max(2, value);
        in_turn.set(i, first.atomic_exchange(3, value));
        first.atomic_compare_exchange(4, u32::MAX, value);
        cluster::of_block(halves, 0).atomic_add(0, (value % 1024) as f32 / 2.0);
        cluster::sync();
        if me == 0 && rank == 0 {
            let cluster = u64::from(thread::block_idx_x() / cluster::size());
            counts.set(4 * cluster, mine.get(0));
            counts.set(4 * cluster + 1, mine.get(1));
            counts.set(4 * cluster + 2, mine.get(2));
            counts.set(4 * cluster + 3, (2.0 * halves.get(0)) as u32);
            let behind = u64::from(thread::grid_dim_x()) * u64::from(thread::block_dim_x());
            in_turn.set(behind + 2 * cluster, mine.get(3));
            in_turn.set(behind + 2 * cluster + 1, mine.get(4));
        }
    }
);
