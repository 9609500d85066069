//! A metered device counts what goes through it, and fails where it is told to.

use warpwise_device::emulated::{Emulator, EmulatorError};
use warpwise_device::launch::{Buffer, Device, Metered, Shape};
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

kernel!(
    /// `values[i] = i` for every `i < n`.
    #[requires(values.len() >= n)]
    pub unsafe fn number(values: InOut<u32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            values.set(i, i as u32);
        }
    }
);

fn is_out_of_memory<T>(result: Result<T, EmulatorError>) -> bool {
    matches!(result, Err(EmulatorError::OutOfMemory { .. }))
}

#[test]
fn launches_and_bytes_are_counted() -> Result<(), EmulatorError> {
    let device = Metered::new(Emulator::new());
    assert_eq!(device.id(), device.device().id());
    let figures = || (device.live_bytes(), device.peak_bytes(), device.allocations());
    let mut values = Buffer::<u32, _>::uninitialized(&device, 100)?;
    let pairs = Buffer::<u64, _>::zeroed(&device, 10)?;
    assert_eq!(figures(), (480, 480, 2));
    drop(pairs);
    assert_eq!(figures(), (400, 480, 2));
    device.reset_peak();
    assert_eq!(figures(), (400, 400, 2));
    number(&device, Shape::new(4, 32), values.view_mut(), 100)?;
    number(&device, Shape::new(1, 32), values.view_mut(), 1)?;
    assert_eq!(device.launches(), 2);
    assert_eq!(values.to_vec(&device)?, (0..100).collect::<Vec<u32>>());
    drop(values);
    assert_eq!(figures(), (0, 400, 2));
    Ok(())
}

#[test]
fn memory_over_the_limit_is_refused_and_what_was_given_back_is_not_counted() {
    let emulator = Emulator::new();
    let device = Metered::of(&emulator).with_limit(1000);
    let first = Buffer::<u32, _>::uninitialized(&device, 200).unwrap();
    assert!(is_out_of_memory(Buffer::<u32, _>::uninitialized(&device, 51)));
    assert_eq!((device.live_bytes(), device.peak_bytes()), (800, 800));
    let second = Buffer::<u32, _>::uninitialized(&device, 50).unwrap();
    assert_eq!((device.live_bytes(), device.peak_bytes()), (1000, 1000));
    drop((first, second));
    assert!(is_out_of_memory(Buffer::<u16, _>::uninitialized(&device, u64::MAX)));
    Buffer::<u32, _>::uninitialized(&device, 250).unwrap();
    assert_eq!((device.live_bytes(), device.allocations()), (0, 5));
}

#[test]
fn one_allocation_fails_and_its_neighbours_do_not() {
    let emulator = Emulator::new();
    for failing in 0..4 {
        let device = Metered::of(&emulator).failing_at(failing);
        let buffers = [(); 4].map(|()| Buffer::<u32, _>::zeroed(&device, 25));
        for (number, buffer) in buffers.iter().enumerate() {
            assert_eq!(buffer.is_err(), number as u64 == failing);
        }
        assert_eq!(device.live_bytes(), 300);
        assert!(buffers.into_iter().any(is_out_of_memory));
        assert_eq!(device.live_bytes(), 0);
    }
}

#[test]
fn what_the_device_refuses_is_not_live() {
    let device = Metered::new(Emulator::new());
    assert!(is_out_of_memory(Buffer::<u32, _>::uninitialized(&device, 1 << 60)));
    assert_eq!((device.live_bytes(), device.peak_bytes(), device.allocations()), (0, 0, 1));
}
