//! A contract that a launch breaks: what the panic says, and where.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use tribin_device::emulated::Emulator;
use tribin_device::launch::{Buffer, Shape};
use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

kernel!(
    #[requires(|shape| from.len() >= n, to.len() >= n, shape.threads() >= n)]
    pub unsafe fn copy(from: In<u32>, to: InOut<u32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            to.set(i, from.get(i));
        }
    }
);

#[test]
fn the_values_and_the_launch_are_named() {
    let emulator = Emulator::new();
    let from = Buffer::from_host(&emulator, &[1u32, 2, 3]).unwrap();
    let mut to = Buffer::<u32, _>::zeroed(&emulator, 4).unwrap();
    let place = Arc::new(Mutex::new(None));
    let seen = place.clone();
    panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap() = info.location().map(|at| (at.file().to_owned(), at.line()));
    }));
    let mut refused = |shape: Shape, n: u64| {
        let line = line!() + 1;
        let launch = || copy(&emulator, shape, from.view(), to.view_mut(), n).unwrap();
        let payload = panic::catch_unwind(AssertUnwindSafe(launch)).unwrap_err();
        assert_eq!(*place.lock().unwrap(), Some((file!().to_owned(), line)));
        payload.downcast_ref::<String>().unwrap().clone()
    };
    let long = refused(Shape::new(1, 4), 4);
    let few = refused(Shape::new(1, 2).shared(8), 3);
    let _ = panic::take_hook();
    let shape = "1 x 1 x 1 blocks of 4 x 1 x 1 threads, 0 bytes of shared memory";
    assert_eq!(
        long,
        format!("kernel copy requires from.len() >= n: from.len() is 3, n is 4, {shape}")
    );
    let shape = "1 x 1 x 1 blocks of 2 x 1 x 1 threads, 8 bytes of shared memory";
    assert_eq!(few, format!("kernel copy requires shape.threads() >= n: n is 3, {shape}"));
}
