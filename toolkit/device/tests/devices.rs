//! Memory of one device is refused by every other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warpwise_device::emulated::Emulator;
use warpwise_device::launch::{Buffer, Device, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    /// `to[i] = from[i]` for every `i < n`.
    #[requires(from.len() >= n, to.len() >= n)]
    pub unsafe fn copy(from: In<u32>, to: InOut<u32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            to.set(i, from.get(i));
        }
    }
);

/// What a call says that panics.
fn refusal(call: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(call)).expect_err("the call is refused");
    payload.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn every_device_has_an_identity_that_its_memory_carries() {
    let devices = [Emulator::new(), Emulator::new(), Emulator::new()];
    for (i, one) in devices.iter().enumerate() {
        let mut buffer = Buffer::<u32, _>::zeroed(one, 4).unwrap();
        assert_eq!(buffer.device(), one.id());
        assert_eq!(buffer.view().slice(1, 2).cast::<u16>().device(), one.id());
        assert_eq!(buffer.view_mut().slice(1, 2).cast::<u16>().device(), one.id());
        for other in &devices[i + 1..] {
            assert_ne!(one.id(), other.id());
        }
    }
}

#[test]
fn a_launch_refuses_memory_of_another_device() {
    let (here, there) = (Emulator::new(), Emulator::new());
    let values = [1u32, 2, 3];
    let [ours, theirs] = [&here, &there].map(|device| Buffer::from_host(device, &values).unwrap());
    let [mut our_copy, mut their_copy] =
        [&here, &there].map(|device| Buffer::<u32, _>::zeroed(device, 3).unwrap());
    let shape = Shape::new(1, 4);

    let message = refusal(|| copy(&here, shape, theirs.view(), our_copy.view_mut(), 3).unwrap());
    let (here_id, there_id) = (here.id(), there.id());
    let wanted = |parameter: &str| {
        format!(
            "kernel copy is launched on {here_id}, and its parameter {parameter} is memory of {there_id}"
        )
    };
    assert_eq!(message, wanted("from"));
    let message = refusal(|| copy(&here, shape, ours.view(), their_copy.view_mut(), 3).unwrap());
    assert_eq!(message, wanted("to"));
    // Nothing was launched, and each device goes on with its own.
    assert_eq!(our_copy.to_vec(&here).unwrap(), [0; 3]);
    assert_eq!(their_copy.to_vec(&there).unwrap(), [0; 3]);
    copy(&here, shape, ours.view(), our_copy.view_mut(), 3).unwrap();
    copy(&there, shape, theirs.view(), their_copy.view_mut(), 3).unwrap();
    assert_eq!(our_copy.to_vec(&here).unwrap(), values);
    assert_eq!(their_copy.to_vec(&there).unwrap(), values);
}

#[test]
fn copies_and_fills_by_another_device_are_refused() {
    let (here, there) = (Emulator::new(), Emulator::new());
    let mut buffer = Buffer::from_host(&here, &[5u32, 6]).unwrap();
    let refused = |what: &str| format!("{what} by {} of a buffer of {}", there.id(), here.id());
    assert_eq!(refusal(|| buffer.upload(&there, 0, &[1]).unwrap()), refused("upload"));
    assert_eq!(refusal(|| buffer.upload(&there, 0, &[]).unwrap()), refused("upload"));
    assert_eq!(refusal(|| buffer.download(&there, 0, &mut [0]).unwrap()), refused("download"));
    assert_eq!(refusal(|| _ = buffer.to_vec(&there).unwrap()), refused("download"));
    assert_eq!(refusal(|| buffer.fill_bytes(&there, 0).unwrap()), refused("fill"));
    assert_eq!(buffer.to_vec(&here).unwrap(), [5, 6]);
}
