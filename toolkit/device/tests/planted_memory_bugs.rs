//! Kernels with a defect in how they access memory, one for each class, each found.

mod common;

use common::{assert_line, findings};
use warpwise_device::emulated::{Access, Array, Emulator, EmulatorError, Kind};
use warpwise_device::launch::{Arg, Buffer, Device, Launch, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{Args, Param, kernel, shared, thread, warp};

const SOURCE: &str = include_str!("planted_memory_bugs.rs");

kernel!(
    /// `<=` for `<`.
    #[requires(out.len() > n)]
    pub unsafe fn reads_one_too_many(values: In<u32>, out: InOut<u32>, n: u64) {
        let i = thread::index_1d();
        if i <= n {
            out.set(i, values.get(i)); // one too many
        }
    }
);

kernel!(
    /// Writes one past the end.
    #[requires(!out.is_empty())]
    pub unsafe fn writes_past_the_end(out: InOut<u64>) {
        out.set(thread::index_1d() + 1, 7); // past the end
    }
);

kernel!(
    /// An atomic past the end.
    #[requires(!out.is_empty())]
    pub unsafe fn adds_past_the_end(out: InOut<u32>) {
        out.atomic_add(u64::from(thread::block_idx_x()), 1); // past the end
    }
);

kernel!(
    /// Leaves its array, but not the block's shared memory.
    #[requires(!out.is_empty())]
    pub unsafe fn leaves_its_shared_array(out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let array = shared::array::<u32>(16, 32);
        array.set(me + 1, 0); // leaves
        out.atomic_add(0, 1);
    }
);

kernel!(
    /// Takes more shared memory than the launch gives.
    #[requires(!out.is_empty())]
    pub unsafe fn takes_too_much(out: InOut<u32>) {
        let _array = shared::array::<u64>(64, 9); // too much
        out.atomic_add(0, 1);
    }
);

kernel!(
    /// Reads a shared word that nobody wrote.
    #[requires(!out.is_empty())]
    pub unsafe fn reads_unwritten_shared(out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let array = shared::array::<u32>(0, 64);
        array.set(me, me);
        thread::sync_threads();
        if me == 5 {
            out.set(0, array.get(40)); // unwritten
        }
    }
);

kernel!(
    /// Reads a global word that nobody wrote.
    #[requires(!out.is_empty())]
    pub unsafe fn reads_unwritten_global(scratch: InOut<u32>, out: InOut<u32>) {
        if thread::thread_idx_x() == 3 {
            scratch.set(2, 1);
            out.set(0, scratch.get(2));
            out.set(1, scratch.get(4)); // unwritten
        }
    }
);

kernel!(
    /// Adds to a global word that nobody wrote.
    #[requires(!scratch.is_empty())]
    pub unsafe fn adds_to_unwritten(scratch: InOut<u64>) {
        scratch.atomic_add(9, 1); // unwritten
    }
);

kernel!(
    /// An array of 64-bit words at an odd multiple of 4.
    #[requires(!out.is_empty())]
    pub unsafe fn misaligns(out: InOut<u32>) {
        let array = shared::array::<u64>(4, 4);
        if warp::lane_id() == 2 {
            array.set(1, 1); // misaligned
            out.set(0, 0);
        }
    }
);

kernel!(
    /// Indexes a table past its end.
    #[requires(out.len() >= values.len())]
    pub unsafe fn looks_up(values: In<u32>, out: InOut<u32>) {
        let i = thread::index_1d();
        let table = [1, 2, 3];
        let chosen = values.get(i) as usize;
        out.set(i, table[chosen]); // panics
    }
);

#[test]
fn a_read_past_the_end() {
    let found = findings(|emulator| {
        let values = Buffer::from_host(emulator, &[1u32; 40])?;
        let mut out = Buffer::zeroed(emulator, 41)?;
        reads_one_too_many(emulator, Shape::new(2, 32), values.view(), out.view_mut(), 40)
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::OutOfBounds { access: Access::Read, len: 40 });
        assert_eq!((finding.block, finding.thread), (1, 8));
        assert_eq!((finding.array, finding.index), (Some(Array::Global("values")), Some(40)));
        assert_line(&finding, "reads_one_too_many", SOURCE, "one too many");
    }
}

#[test]
fn a_read_past_the_end_of_a_view_inside_its_buffer() {
    let found = findings(|emulator| {
        let values = Buffer::from_host(emulator, &[1u32; 50])?;
        let mut out = Buffer::zeroed(emulator, 41)?;
        let part = values.view().slice(5, 40);
        reads_one_too_many(emulator, Shape::new(2, 32), part, out.view_mut(), 40)
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::OutOfBounds { access: Access::Read, len: 40 });
        assert_eq!(finding.index, Some(40));
    }
}

#[test]
fn a_write_past_the_end() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 96)?;
        writes_past_the_end(emulator, Shape::new(3, 32), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::OutOfBounds { access: Access::Write, len: 96 });
        assert_eq!((finding.block, finding.thread), (2, 31));
        assert_eq!((finding.array, finding.index), (Some(Array::Global("out")), Some(96)));
        assert_line(&finding, "writes_past_the_end", SOURCE, "past the end");
    }
}

#[test]
fn an_atomic_past_the_end() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 6)?;
        adds_past_the_end(emulator, Shape::new(7, 2), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::OutOfBounds { access: Access::AtomicUpdate, len: 6 });
        assert_eq!((finding.block, finding.index), (6, Some(6)));
    }
}

#[test]
fn a_shared_index_past_its_array() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 1)?;
        let shape = Shape::new(1, 32).shared(1024);
        leaves_its_shared_array(emulator, shape, out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::OutOfBounds { access: Access::Write, len: 32 });
        assert_eq!((finding.block, finding.thread), (0, 31));
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 16 }));
        assert_eq!(finding.index, Some(32));
        assert_line(&finding, "leaves_its_shared_array", SOURCE, "leaves");
    }
}

#[test]
fn a_shared_array_past_what_the_launch_gives() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 1)?;
        takes_too_much(emulator, Shape::new(1, 1).shared(135), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::SharedTooSmall { end: 136, given: 135 });
        assert!(finding.to_string().contains("; `Shape::shared` asks for memory"), "{finding}");
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 64 }));
        assert_line(&finding, "takes_too_much", SOURCE, "too much");
    }
}

#[test]
fn a_read_of_unwritten_shared_memory() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 1)?;
        reads_unwritten_shared(emulator, Shape::new(1, 40).shared(256), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::Uninitialized);
        assert_eq!((finding.block, finding.thread), (0, 5));
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 0 }));
        assert_eq!(finding.index, Some(40));
        assert_line(&finding, "reads_unwritten_shared", SOURCE, "unwritten");
    }
}

#[test]
fn shared_memory_of_an_earlier_block_is_unwritten() {
    let emulator = Emulator::new();
    let mut out = Buffer::zeroed(&emulator, 1).expect("memory");
    let shape = Shape::new(1, 41).shared(256);
    reads_unwritten_shared(&emulator, shape, out.view_mut()).expect("all is written");
    let shape = Shape::new(1, 40).shared(256);
    let error = reads_unwritten_shared(&emulator, shape, out.view_mut()).expect_err("a finding");
    assert_eq!(error.finding().map(|finding| &finding.kind), Some(&Kind::Uninitialized));
}

#[test]
fn a_read_of_unwritten_global_memory() {
    let found = findings(|emulator| {
        let mut scratch = Buffer::uninitialized(emulator, 5)?;
        let mut out = Buffer::zeroed(emulator, 2)?;
        let shape = Shape::new(1, 4);
        reads_unwritten_global(emulator, shape, scratch.view_mut(), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::Uninitialized);
        assert_eq!((finding.block, finding.thread), (0, 3));
        assert_eq!((finding.array, finding.index), (Some(Array::Global("scratch")), Some(4)));
        assert_line(&finding, "reads_unwritten_global", SOURCE, "unwritten");
    }
}

#[test]
fn an_addition_to_unwritten_global_memory() {
    let found = findings(|emulator| {
        let mut scratch = Buffer::uninitialized(emulator, 10)?;
        scratch.upload(emulator, 0, &[0; 9])?;
        adds_to_unwritten(emulator, Shape::new(1, 1), scratch.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::Uninitialized);
        assert_eq!((finding.array, finding.index), (Some(Array::Global("scratch")), Some(9)));
        assert_line(&finding, "adds_to_unwritten", SOURCE, "unwritten");
    }
}

#[test]
fn a_misaligned_shared_array() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 1)?;
        misaligns(emulator, Shape::new(1, 32).shared(64), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::Misaligned);
        assert_eq!((finding.thread, finding.index), (2, Some(1)));
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 4 }));
        assert_line(&finding, "misaligns", SOURCE, "misaligned");
    }
}

#[test]
fn a_panic_of_the_body() {
    let found = findings(|emulator| {
        let mut values = [2u32; 64];
        values[45] = 3;
        let values = Buffer::from_host(emulator, &values)?;
        let mut out = Buffer::zeroed(emulator, 64)?;
        looks_up(emulator, Shape::new(2, 32), values.view(), out.view_mut())
    });
    for finding in found {
        let message = "index out of bounds: the len is 3 but the index is 3".to_owned();
        assert_eq!(finding.kind, Kind::Panic { message });
        assert_eq!((finding.block, finding.thread), (1, 13));
        assert_line(&finding, "looks_up", SOURCE, "panics");
    }
}

#[test]
fn a_store_to_a_parameter_that_is_only_read() {
    let found = findings(|emulator| {
        let memory = emulator.allocate(16)?;
        let address = Emulator::address(&memory);
        let launch = Launch {
            kernel: "stores",
            takes: 0,
            shape: Shape::new(1, 1),
            args: &[Arg::memory::<u32>("input", emulator.id(), address, 4, false)],
            // SAFETY: the argument is memory, which is all that the emulator needs to check the access.
            body: |args| unsafe { InOut::<u32>::take(&mut Args::new(args)) }.set(1, 0),
        };
        // SAFETY: the emulator refuses the access.
        unsafe { emulator.launch(launch) }
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::ReadOnly);
        assert_eq!((finding.array, finding.index), (Some(Array::Global("input")), Some(1)));
    }
}

#[test]
fn the_host_misuses_memory() -> Result<(), EmulatorError> {
    let emulator = Emulator::new();
    let is_range = |result: Result<(), EmulatorError>, wanted: &str| matches!(result, Err(EmulatorError::Range { what, .. }) if what == wanted);
    let memory = emulator.allocate(100)?;
    let address = Emulator::address(&memory);
    assert_eq!(address % 256, 0);
    let mut bytes = [0; 100];
    // SAFETY: the emulator checks the ranges.
    unsafe {
        emulator.fill(address, 3, 100)?;
        emulator.upload(address + 50, &[4; 50])?;
        emulator.download(address, &mut bytes)?;
        assert_eq!(bytes, std::array::from_fn(|i| if i < 50 { 3 } else { 4 }));
        assert!(is_range(emulator.fill(address, 3, 101), "fill"));
        assert!(is_range(emulator.fill(address - 1, 3, 1), "fill"));
        assert!(is_range(emulator.upload(address + 51, &[4; 50]), "upload"));
        assert!(is_range(emulator.download(address + 1, &mut bytes), "download"));
        drop(memory);
        assert!(is_range(emulator.download(address, &mut bytes), "download"));
    }
    let launch = Launch {
        kernel: "uses_after_free",
        takes: 0,
        shape: Shape::new(1, 1),
        args: &[Arg::memory::<u32>("gone", emulator.id(), address, 1, true)],
        body: |_| {},
    };
    let wanted = "kernel uses_after_free, parameter gone";
    // SAFETY: the emulator checks the ranges.
    assert!(is_range(unsafe { emulator.launch(launch) }, wanted));
    Ok(())
}

#[test]
fn the_host_reads_what_nobody_wrote() -> Result<(), EmulatorError> {
    let emulator = Emulator::new();
    // More than 64 elements of the smallest size, so that several words of marks are looked at.
    let memory = emulator.allocate(400)?;
    let address = Emulator::address(&memory);
    let unwritten = |start: u64, bytes: u64| {
        let mut to = vec![0; bytes as usize];
        // SAFETY: the range lies in the allocation.
        match unsafe { emulator.download(address + start, &mut to) } {
            Ok(()) => None,
            Err(EmulatorError::Unwritten { at, bytes: of }) if of == bytes => Some(at),
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(unwritten(0, 400), Some(0));
    assert_eq!(unwritten(0, 0), None);
    // SAFETY: the ranges lie in the allocation.
    unsafe {
        emulator.upload(address, &[4; 130])?;
        emulator.fill(address + 132, 3, 200)?;
    }
    assert_eq!([unwritten(0, 130), unwritten(132, 200)], [None; 2]);
    assert_eq!([unwritten(0, 132), unwritten(100, 100)], [Some(130), Some(30)]);
    assert_eq!([unwritten(132, 202), unwritten(332, 68)], [Some(200), Some(0)]);
    let error = EmulatorError::Unwritten { at: 30, bytes: 100 };
    assert!(error.finding().is_none());
    assert!(error.to_string().starts_with("emulator: download: byte 30 of 100 was never written"));
    Ok(())
}

/// Eight blocks of 256 threads are under way at a time by default.
#[test]
fn blocks_that_wait_for_one_another_are_all_under_way() -> Result<(), EmulatorError> {
    let emulator = Emulator::new();
    let mut out = Buffer::zeroed(&emulator, 1)?;
    let blocks = |blocks, threads| Shape::new(blocks, threads).shared(136);
    takes_too_much(&emulator, blocks(8, 256).together(), out.view_mut())?;
    takes_too_much(&emulator, blocks(9, 256), out.view_mut())?;
    let result = takes_too_much(&emulator, blocks(9, 256).together(), out.view_mut());
    assert!(matches!(result, Err(EmulatorError::NotTogether { blocks: 9, most: 8, .. })));
    let result = takes_too_much(&emulator, blocks(3, 1024).together(), out.view_mut());
    let error = result.expect_err("three blocks of 1024 threads are not under way at a time");
    assert!(error.to_string().contains("3 blocks wait for one another, and 2 are under way"));
    Ok(())
}

#[test]
fn shapes_that_no_gpu_takes() -> Result<(), EmulatorError> {
    let emulator = Emulator::new();
    let mut out = Buffer::zeroed(&emulator, 1)?;
    let too_much_shared = Shape::new(1, 1).shared((227 << 10) + 1);
    for shape in [Shape::new(0, 1), Shape::new(1, 0), Shape::new(1, 1025), too_much_shared] {
        let result = takes_too_much(&emulator, shape, out.view_mut());
        assert!(matches!(result, Err(EmulatorError::Shape { .. })), "{shape:?}");
        let message = result.unwrap_err().to_string();
        assert!(
            message.contains(&format!(": {shape}: launch at least 1 and at most")),
            "{message}"
        );
    }
    Ok(())
}
