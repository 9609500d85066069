//! Many threads of one pool share one device: no launch and no copy waits for tasks of the pool.

use warpwise_device::emulated::{Emulator, EmulatorError};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

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
    let device = Emulator::new();
    // A task a round: whoever is done looks for the next one.
    pool.scope(|scope| {
        for i in 0..2_000 {
            let device = &device;
            scope.spawn(move |_| round(device, i).unwrap());
        }
    });
}
