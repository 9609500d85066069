//! Many threads of one pool share one device: no launch and no copy waits for tasks of the pool.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use tribin_device::emulated::{Config, Emulator, EmulatorError};
use tribin_device::launch::{Arg, Buffer, Device, Launch, Shape};
use tribin_device::memory::InOut;
use tribin_device::{kernel, thread};

kernel!(
    /// Adds one to each of `n` numbers, and counts the blocks that did.
    #[requires(values.len() >= n, !blocks.is_empty())]
    pub unsafe fn add_one(values: InOut<u32>, blocks: InOut<u32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            values.set(i, values.get(i) + 1);
        }
        if thread::thread_idx_x() == 0 {
            blocks.atomic_add(0, 1);
        }
    }
);

const NUMBERS: u32 = 4_000;

/// Uploads and downloads; every eighth round launches too, and so the others are free to help.
fn round(device: &Emulator, round: u32) -> Result<(), EmulatorError> {
    let mut values: Vec<u32> = (round..round + NUMBERS).collect();
    let mut on_device = Buffer::from_host(device, &values)?;
    if round.is_multiple_of(8) {
        let mut blocks = Buffer::<u32, _>::zeroed(device, 1)?;
        let numbers = u64::from(NUMBERS);
        add_one(device, Shape::new(64, 64), on_device.view_mut(), blocks.view_mut(), numbers)?;
        values.iter_mut().for_each(|value| *value += 1);
        assert_eq!(blocks.to_vec(device)?, [64]);
    }
    assert_eq!(on_device.to_vec(device)?, values);
    Ok(())
}

#[test]
fn eight_threads_of_one_pool_share_a_device() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    for parallel in [true, false] {
        let device = Emulator::with(Config { parallel, ..Config::default() });
        // A task a round: whoever is done looks for the next one.
        pool.scope(|scope| {
            for i in 0..2_000 {
                let device = &device;
                scope.spawn(move |_| round(device, i).unwrap());
            }
        });
    }
}

/// While a launch waits for its last block, its pool has another task, which launches on the same
/// device. A launch that ran its blocks as tasks of the pool would be handed that task while it
/// waits, and the task would wait for the launch: this test would not end.
#[test]
fn a_launch_that_waits_is_handed_no_other_task() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let device = Emulator::with(Config { parallel: true, resident_blocks: 1, ..Config::default() });
    let both_blocks_run = Barrier::new(2);
    let first_block_ends = AtomicBool::new(false);
    let second_launch_begins = AtomicBool::new(false);
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(SeqCst) {
            std::thread::yield_now();
        }
    };
    let body = |_: &[Arg]| {
        both_blocks_run.wait();
        if thread::block_idx_x() == 0 {
            first_block_ends.store(true, SeqCst);
        } else {
            wait_for(&second_launch_begins);
        }
    };
    let empty = |_: &[Arg]| {};
    let launch = |body: &(dyn Fn(&[Arg]) + Sync)| {
        let launch = Launch { kernel: "waits", takes: 0, shape: Shape::new(2, 1), args: &[], body };
        // SAFETY: the kernel has no parameters.
        unsafe { device.launch(launch) }.unwrap();
    };
    pool.in_place_scope(|scope| {
        scope.spawn(|_| launch(&body));
        wait_for(&first_block_ends);
        scope.spawn(|_| {
            second_launch_begins.store(true, SeqCst);
            launch(&empty);
        });
    });
}
