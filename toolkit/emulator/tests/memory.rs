//! Lengths and offsets that do not fit: refused, without a word outside a buffer read or written.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warpwise_emulator::{Emulator, EmulatorError};
use warpwise_launch::{Buffer, Element, U64x2};

fn bytes_refused<T: Element>(device: &Emulator, len: u64) -> u64 {
    match Buffer::<T, _>::uninitialized(device, len) {
        Err(EmulatorError::OutOfMemory { bytes }) => bytes,
        Err(other) => panic!("{len} elements: {other}"),
        Ok(buffer) => panic!("{len} elements gave a buffer of {}", buffer.len()),
    }
}

/// What a call says that panics.
fn refusal(call: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(call)).expect_err("the call is refused");
    let formatted = payload.downcast_ref::<String>().cloned();
    formatted.unwrap_or_else(|| (*payload.downcast_ref::<&str>().expect("a message")).to_owned())
}

#[test]
fn lengths_whose_bytes_overflow_are_out_of_memory() {
    let device = Emulator::new();
    // 2⁶¹ · 8 = 2⁶⁴: multiplied without a check, nothing would be left.
    assert_eq!(bytes_refused::<u64>(&device, 1 << 61), u64::MAX);
    assert_eq!(bytes_refused::<U64x2>(&device, (1 << 60) + 1), u64::MAX);
    assert_eq!(bytes_refused::<u16>(&device, u64::MAX), u64::MAX);
}

#[test]
fn lengths_that_no_host_has_are_out_of_memory() {
    let device = Emulator::new();
    for shift in [45, 50, 55, 60, 62] {
        assert_eq!(bytes_refused::<u16>(&device, 1 << shift), 2 << shift);
    }
}

#[test]
fn offsets_that_overflow_are_past_the_end() {
    let device = Emulator::new();
    let mut buffer = Buffer::from_host(&device, &[1u32, 2, 3]).unwrap();
    for start in [u64::MAX, u64::MAX - 1, 1 << 62, 4] {
        let upload = refusal(|| buffer.upload(&device, start, &[9, 9]).unwrap());
        assert_eq!(upload, format!("upload of 2 elements from {start} on of a buffer of 3"));
        let download = refusal(|| buffer.download(&device, start, &mut [0, 0]).unwrap());
        assert_eq!(download, format!("download of 2 elements from {start} on of a buffer of 3"));
        let slice = refusal(|| _ = buffer.view().slice(start, 2));
        assert_eq!(slice, format!("slice of 2 from {start} on of a view of 3"));
    }
    assert_eq!(
        refusal(|| buffer.upload(&device, 2, &[9, 9]).unwrap()),
        "upload of 2 elements from 2 on of a buffer of 3"
    );
    buffer.upload(&device, 3, &[]).unwrap();
    buffer.upload(&device, 1, &[7, 8]).unwrap();
    assert_eq!(buffer.to_vec(&device).unwrap(), [1, 7, 8]);
}
