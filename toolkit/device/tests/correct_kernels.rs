//! Kernels that are right, and pass on results through memory: exact results under every schedule, and no finding.

use warpwise_device::emulated::{Config, Emulator, EmulatorError, Schedule};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, trace, warp};

kernel!(
    /// `out[block]` = sum of the block's part of `values`, by a tree in shared memory.
    #[requires(values.len() >= n, !out.is_empty())]
    pub unsafe fn block_sum(values: In<u32>, out: InOut<u32>, n: u64) {
        let me = thread::thread_idx_x();
        let parts = shared::array::<u32>(0, thread::block_dim_x());
        let i = thread::index_1d();
        parts.set(me, if i < n { values.get(i) } else { 0 });
        thread::sync_threads();
        let mut half = thread::block_dim_x() / 2;
        while half > 0 {
            if me < half {
                parts.set(me, parts.get(me) + parts.get(me + half));
            }
            thread::sync_threads();
            half /= 2;
        }
        if me == 0 {
            out.set(u64::from(thread::block_idx_x()), parts.get(0));
        }
    }
);

kernel!(
    /// Inclusive sums of all tiles (a tile is a block), the tiles' sums handed on from tile to tile
    /// in 64-bit words: 0 in the high half while unknown.
    #[requires(out.len() >= values.len(), !ticket.is_empty())]
    pub unsafe fn chained_scan(
        values: In<u32>,
        out: InOut<u32>,
        ticket: InOut<u32>,
        flags: InOut<u64>,
    ) {
        let me = thread::thread_idx_x();
        let dim = thread::block_dim_x();
        let tile_of_block = shared::array::<u32>(0, 1);
        let before = shared::array::<u32>(4, 1);
        let sums = shared::array::<u32>(8, 32);
        if me == 0 {
            tile_of_block.set(0, ticket.atomic_add(0, 1));
        }
        thread::sync_threads();
        let tile = u64::from(tile_of_block.get(0));
        let i = tile * u64::from(dim) + u64::from(me);
        let mut sum = warp::warp_scan_add_32(values.get(i));
        if warp::lane_id() == 31 {
            sums.set(me / 32, sum);
        }
        thread::sync_threads();
        let mut w = 0;
        while w < me / 32 {
            sum += sums.get(w);
            w += 1;
        }
        if me == dim - 1 {
            let mut earlier = 0;
            if tile > 0 {
                let mut flag = flags.atomic_load(tile - 1);
                while flag >> 32 == 0 {
                    thread::nanosleep(20);
                    flag = flags.atomic_load(tile - 1);
                }
                earlier = flag as u32;
            }
            flags.atomic_store(tile, 1 << 32 | u64::from(earlier + sum));
            before.set(0, earlier);
        }
        thread::sync_threads();
        out.set(i, before.get(0) + sum);
    }
);

kernel!(
    /// `out[0]` = sum of `values`: every block writes its part, the last one to finish adds them.
    #[requires(!done.is_empty(), !out.is_empty())]
    pub unsafe fn last_block_sum(
        values: In<u32>,
        parts: InOut<u32>,
        done: InOut<u32>,
        out: InOut<u32>,
    ) {
        let me = thread::thread_idx_x();
        let is_last = shared::array::<u32>(0, 1);
        let sum = warp::warp_reduce_add_32(warp::ALL, values.get(thread::index_1d()));
        if me == 0 {
            parts.set(u64::from(thread::block_idx_x()), sum);
            thread::device_fence();
            let before = done.atomic_add(0, 1);
            thread::device_fence();
            is_last.set(0, u32::from(before == thread::grid_dim_x() - 1));
        }
        thread::sync_threads();
        if is_last.get(0) == 1 {
            let mut total = 0;
            let mut i = me;
            while i < thread::grid_dim_x() {
                total += parts.get(u64::from(i));
                i += 32;
            }
            let total = warp::warp_reduce_add_32(warp::ALL, total);
            if me == 0 {
                out.set(0, total);
            }
        }
    }
);

fn each_emulator(check: impl Fn(&Emulator) -> Result<(), EmulatorError>) {
    let seeded = (0..20).map(Config::seeded);
    let in_order = Config { schedule: Schedule::InOrder, ..Config::default() };
    for config in seeded.chain([in_order]) {
        if let Err(error) = check(&Emulator::with(config.clone())) {
            panic!("{config:?}: {error}");
        }
    }
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect()
}

#[test]
fn a_sum_of_each_block() {
    let values = numbers(500);
    let expected: Vec<u32> = values.chunks(128).map(|part| part.iter().sum()).collect();
    each_emulator(|emulator| {
        let values = Buffer::from_host(emulator, &values)?;
        let mut out = Buffer::uninitialized(emulator, 4)?;
        let shape = Shape::new(4, 128).shared(128 * 4);
        block_sum(emulator, shape, values.view(), out.view_mut(), 500)?;
        assert_eq!(out.to_vec(emulator)?, expected);
        Ok(())
    });
}

fn running_sums(values: &[u32]) -> Vec<u32> {
    let add = |sum: &mut u32, value: &u32| {
        *sum += value;
        Some(*sum)
    };
    values.iter().scan(0, add).collect()
}

#[test]
fn a_scan_chained_through_tiles() {
    let tiles = 23;
    let values: Vec<u32> = (0..tiles * 64).map(|i| i % 7).collect();
    let expected = running_sums(&values);
    each_emulator(|emulator| {
        let values = Buffer::from_host(emulator, &values)?;
        let mut out = Buffer::uninitialized(emulator, values.len())?;
        let mut ticket = Buffer::zeroed(emulator, 1)?;
        let mut flags = Buffer::zeroed(emulator, u64::from(tiles))?;
        let shape = Shape::new(tiles, 64).shared(8 + 32 * 4);
        chained_scan(
            emulator,
            shape,
            values.view(),
            out.view_mut(),
            ticket.view_mut(),
            flags.view_mut(),
        )?;
        assert_eq!(out.to_vec(emulator)?, expected);
        Ok(())
    });
}

#[test]
fn a_sum_by_the_last_block() {
    let values: Vec<u32> = numbers(40 * 32).iter().map(|value| value % 1000).collect();
    let expected = values.iter().sum::<u32>();
    each_emulator(|emulator| {
        let values = Buffer::from_host(emulator, &values)?;
        let mut parts = Buffer::uninitialized(emulator, 40)?;
        let mut done = Buffer::zeroed(emulator, 1)?;
        let mut out = Buffer::uninitialized(emulator, 1)?;
        let shape = Shape::new(40, 32).shared(4);
        let (parts, done) = (parts.view_mut(), done.view_mut());
        last_block_sum(emulator, shape, values.view(), parts, done, out.view_mut())?;
        assert_eq!(out.to_vec(emulator)?, [expected]);
        Ok(())
    });
}

kernel!(
    /// Threads say when they have had their turn, many times.
    #[requires(!turns.is_empty())]
    pub unsafe fn says_its_turns(turns: InOut<u32>) {
        let mut round = 0;
        while round < 20 {
            trace!("{}", turns.atomic_add(0, 1));
            round += 1;
        }
    }
);

#[test]
fn equal_seeds_give_equal_schedules_and_others_do_not() -> Result<(), EmulatorError> {
    let schedule = |seed| {
        let emulator = Emulator::with(Config { print_trace: false, ..Config::seeded(seed) });
        let mut turns = Buffer::zeroed(&emulator, 1)?;
        for _ in 0..2 {
            says_its_turns(&emulator, Shape::new(4, 64), turns.view_mut())?;
        }
        Ok::<_, EmulatorError>(emulator.take_trace())
    };
    let schedules: Vec<Vec<String>> = (0..20).map(schedule).collect::<Result<_, _>>()?;
    let again: Vec<Vec<String>> = (0..20).map(schedule).collect::<Result<_, _>>()?;
    assert_eq!(schedules, again);
    let mut distinct = schedules.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let replays_one = std::env::var_os("WARPWISE_EMU_SEED").is_some();
    assert_eq!(distinct.len(), if replays_one { 1 } else { schedules.len() });
    Ok(())
}
