//! Contracts that a launch breaks, and ranges that a buffer has not: what the panic says, and where.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use warpwise_device::emulated::Emulator;
use warpwise_device::launch::{Buffer, Device, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    #[requires(|shape| from.len() >= n, to.len() >= n, shape.threads() >= n)]
    pub unsafe fn copy(from: In<u32>, to: InOut<u32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            to.set(i, from.get(i));
        }
    }
);

kernel!(
    #[requires(a < 3)]
    #[requires(|shape| shape.grid.x == 1)]
    #[requires(b > 4)]
    pub unsafe fn takes(a: u32, b: u32) {
        let _ = (a, b);
    }
);

kernel!(
    #[requires()]
    #[launch_bounds(128, 2)]
    pub unsafe fn bounded() {}
);

#[test]
fn blocks_are_as_small_as_the_launch_bounds_say() {
    let emulator = Emulator::new();
    bounded(&emulator, Shape::new(2, 128)).unwrap();
    let launch = || bounded(&emulator, Shape::new(2, (64, 2, 2)));
    let payload = panic::catch_unwind(AssertUnwindSafe(launch)).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(
        message.starts_with("kernel bounded requires shape.block.count() <= 128: "),
        "{message}"
    );
}

#[test]
fn the_values_and_the_call_are_named() {
    let emulator = Emulator::new();
    let from = Buffer::from_host(&emulator, &[1u32, 2, 3]).unwrap();
    let mut to = Buffer::<u32, _>::zeroed(&emulator, 4).unwrap();
    let place = Arc::new(Mutex::new(None));
    let seen = place.clone();
    panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap() = info.location().map(|at| at.file().to_owned());
    }));
    let refused = |call: &mut dyn FnMut()| {
        let payload = panic::catch_unwind(AssertUnwindSafe(call)).unwrap_err();
        assert_eq!(place.lock().unwrap().take().as_deref(), Some(file!()));
        payload.downcast_ref::<String>().unwrap().clone()
    };
    let mut copies =
        |shape, n| refused(&mut || copy(&emulator, shape, from.view(), to.view_mut(), n).unwrap());
    let (long, few) = (copies(Shape::new(1, 4), 4), copies(Shape::new(1, 2).shared(8), 3));
    let of_numbers =
        |blocks, a, b| refused(&mut || takes(&emulator, Shape::new(blocks, 1), a, b).unwrap());
    let of_each = [of_numbers(1, 3, 9), of_numbers(2, 2, 9), of_numbers(1, 2, 4)];
    let foreign = Emulator::new();
    let of_others = [
        refused(&mut || copy(&foreign, Shape::new(1, 4), from.view(), to.view_mut(), 1).unwrap()),
        refused(&mut || to.upload(&foreign, 0, &[1]).unwrap()),
    ];
    let past = [
        refused(&mut || to.upload(&emulator, 3, &[1, 2]).unwrap()),
        refused(&mut || from.download(&emulator, 4, &mut []).unwrap()),
        refused(&mut || _ = from.view().slice(2, 2)),
        refused(&mut || _ = to.view_mut().split_at(5)),
    ];
    let _ = panic::take_hook();
    let shape = "1 x 1 x 1 blocks of 4 x 1 x 1 threads, 0 bytes of shared memory";
    assert_eq!(
        long,
        format!("kernel copy requires from.len() >= n: from.len() is 3, n is 4, {shape}")
    );
    let shape = "1 x 1 x 1 blocks of 2 x 1 x 1 threads, 8 bytes of shared memory";
    assert_eq!(few, format!("kernel copy requires shape.threads() >= n: n is 3, {shape}"));
    for (message, condition) in of_each.iter().zip(["a < 3", "shape.grid.x == 1", "b > 4"]) {
        let start = format!("kernel takes requires {condition}: ");
        assert!(message.starts_with(&start), "{message}");
    }
    let (here, there) = (emulator.id(), foreign.id());
    assert_eq!(
        of_others,
        [
            format!(
                "kernel copy is launched on {there}, and its parameter from is memory of {here}"
            ),
            format!("upload by {there} of a buffer of {here}"),
        ]
    );
    assert_eq!(
        past,
        [
            "upload of 2 elements from 3 on of a buffer of 4",
            "download of 0 elements from 4 on of a buffer of 3",
            "slice of 2 from 2 on of a view of 3",
            "split at 5 of a view of 4",
        ]
    );
}
