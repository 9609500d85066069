//! A GPU as a device, on a machine that has one; each test says where it is skipped.

use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use cudarc::driver::{CudaContext, DevicePtrMut, result, sys};
use sys::CUmemPool_attribute::{
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
};
use warpwise_cuda::{Error, Gpu, Kernels, Options};
use warpwise_launch::{Arg, Buffer, Device, Launch, LaunchGraph, Shape, View, ViewMut};

/// `values[i] += 1` for every `i < n`.
const ADD_ONE: &str = "\
.version 7.1
.target sm_80
.address_size 64
.visible .global .align 1 .b8 add_one__takes_7;
.visible .entry add_one(.param .u64 values, .param .u64 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<7>;
    ld.param.u64 %rd1, [values];
    ld.param.u64 %rd2, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %rd3, %r1, %r2;
    cvt.u64.u32 %rd4, %r3;
    add.s64 %rd3, %rd3, %rd4;
    setp.ge.u64 %p1, %rd3, %rd2;
    @%p1 bra done;
    shl.b64 %rd4, %rd3, 2;
    cvta.to.global.u64 %rd5, %rd1;
    add.s64 %rd6, %rd5, %rd4;
    ld.global.u32 %r4, [%rd6];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%rd6], %r4;
done:
    ret;
}
";

/// The first GPU, with threads for copying.
fn gpu() -> Option<Gpu> {
    let options = Options::default().copy_threads(NonZeroUsize::new(4).unwrap());
    match Gpu::open_with(0, ADD_ONE, options) {
        Ok(gpu) => Some(gpu),
        Err(
            error @ (Error::NoDriver
            | Error::DriverTooOld { .. }
            | Error::NoSuchGpu { gpus: 0, .. }
            | Error::Unsupported { .. }),
        ) => {
            println!("skipped on the GPU: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// What the tests that take little memory take together, at most. One that takes more takes its turn.
const SMALL_TESTS: u64 = 2 << 30;

/// The turn to take a GiB or more. A test begins with it, so that its memory is given back when the next test has the turn.
fn turn_with_much_memory() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    // A test that failed has given its memory back all the same.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn launch<D: Device>(
    gpu: &D,
    kernel: &'static str,
    values: ViewMut<'_, u32, D>,
) -> Result<(), D::Error> {
    let n = values.len();
    let args = [
        Arg::memory::<u32>("values", values.device(), values.address(), n, true),
        Arg::plain("n", n),
    ];
    let shape = Shape::cover(n, 256, u32::MAX >> 1);
    // SAFETY: the arguments are the kernel's parameters, and the memory is borrowed and of this GPU.
    unsafe { gpu.launch(Launch { kernel, takes: 7, shape, args: &args, body: |_| {} }) }
}

fn add_one<D: Device>(gpu: &D, values: ViewMut<'_, u32, D>) -> Result<(), D::Error> {
    launch(gpu, "add_one", values)
}

#[test]
fn a_kernel_that_takes_something_else_is_not_launched() {
    let Some(gpu) = gpu() else { return };
    let launch = |kernel, takes| {
        let shape = Shape::new(1, 1);
        // SAFETY: the kernel is not found.
        unsafe { gpu.launch(Launch { kernel, takes, shape, args: &[], body: |_| {} }) }
    };
    for _ in 0..2 {
        let other = launch("add_one", 8);
        assert!(
            matches!(other, Err(Error::NoKernel { kernel: "add_one", other: true })),
            "{other:?}"
        );
        let missing = launch("add_two", 7);
        assert!(
            matches!(missing, Err(Error::NoKernel { kernel: "add_two", other: false })),
            "{missing:?}"
        );
    }
    // The GPU goes on.
    let mut values = Buffer::from_host(&gpu, &[6u32]).unwrap();
    add_one(&gpu, values.view_mut()).unwrap();
    assert_eq!(values.to_vec(&gpu).unwrap(), [7]);
}

/// `values[i] = 2 * values[i]` for every `i < n`: another crate's module.
fn twice() -> String {
    ADD_ONE.replace("add_one", "twice").replace("add.u32 %r4, %r4, 1", "add.u32 %r4, %r4, %r4")
}

/// One crate's kernels and another's work on one buffer, on one stream.
#[test]
fn modules_of_two_crates_on_one_gpu() {
    let Some(gpu) = gpu() else { return };
    let other = gpu.load(&twice()).unwrap();
    assert_eq!((other.id(), other.stream_handle()), (gpu.id(), gpu.stream_handle()));
    let mut values = Buffer::from_host(&gpu, &[1u32, 2, 3]).unwrap();
    add_one(&gpu, values.view_mut()).unwrap();
    launch(&other, "twice", values.view_mut()).unwrap();
    add_one(&gpu, values.view_mut()).unwrap();
    assert_eq!(values.to_vec(&other).unwrap(), [5, 7, 9]);
    // Each has its own kernels alone.
    let missing = launch(&gpu, "twice", values.view_mut());
    assert!(
        matches!(missing, Err(Error::NoKernel { kernel: "twice", other: false })),
        "{missing:?}"
    );
    // Who goes leaves its kernels to those that are under way.
    launch(&gpu.load(&twice()).unwrap(), "twice", values.view_mut()).unwrap();
    drop((other, gpu));
    drop(values);
}

/// Buffers go from one stream to another, and from one that opened the GPU to another, without a wait of the host.
#[test]
fn streams_of_one_gpu_share_buffers_in_order() {
    let _turn = turn_with_much_memory();
    let (Some(gpu), Some(opened)) = (gpu(), gpu()) else { return };
    let streams = [gpu.stream().unwrap(), gpu.stream().unwrap(), opened, gpu.clone()];
    let mut busy = Buffer::<u32, _>::uninitialized(&gpu, 1 << 28).unwrap();
    for round in 0..20u32 {
        let mut values =
            Buffer::from_host(&streams[round as usize % 4], &vec![round; 3_000_000]).unwrap();
        for step in 0..8 {
            // Whatever comes too early reads what was there before.
            busy.fill_bytes(&gpu, 1).unwrap();
            add_one(&streams[(round as usize + step) % 3], values.view_mut()).unwrap();
        }
        let by = &streams[(round as usize + 1) % 4];
        assert!(values.to_vec(by).unwrap().iter().all(|&value| value == round + 8), "{round}");
        values.fill_bytes(by, 0).unwrap();
        values.upload(&streams[0], 1, &[round]).unwrap();
        assert_eq!(values.to_vec(&gpu).unwrap()[..3], [0, round, 0]);
        // The memory is taken again at home before another stream is done with it.
        add_one(&streams[1], values.view_mut()).unwrap();
    }
}

/// Threads that use buffers of one home on streams of their own and on one that they share.
#[test]
fn threads_lend_buffers_to_streams_at_the_same_time() {
    let Some(home) = gpu() else { return };
    let shared = home.stream().unwrap();
    thread::scope(|scope| {
        for number in 0..8u32 {
            let (home, shared) = (&home, &shared);
            scope.spawn(move || {
                let own = home.stream().unwrap();
                for round in 0..50u32 {
                    let first = 100 * number + round;
                    let mut values = Buffer::from_host(home, &vec![first; 100_000]).unwrap();
                    for by in [&own, shared, home, shared, &own, home] {
                        add_one(by, values.view_mut()).unwrap();
                    }
                    assert!(values.to_vec(&own).unwrap().iter().all(|&value| value == first + 6));
                }
            });
        }
    });
}

/// A graph on one stream works on memory of another, while another thread allocates, copies and launches there.
#[test]
fn a_graph_of_launches_is_in_order_with_other_streams() {
    let Some(gpu) = gpu() else { return };
    let stream = gpu.stream().unwrap();
    let mut values = Buffer::<u32, _>::uninitialized(&gpu, 1 << 22).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..100u32 {
                let mut others = Buffer::from_host(&stream, &vec![round; 2_000_000]).unwrap();
                add_one(&stream, others.view_mut()).unwrap();
                assert!(others.to_vec(&gpu).unwrap().iter().all(|&value| value == round + 1));
            }
        });
        for round in 0..20u32 {
            values.fill_bytes(&gpu, round as u8).unwrap();
            let mut graph = LaunchGraph::of(&stream);
            let mut lent = graph.writes(values.view_mut());
            graph
                .capture(|graph| {
                    add_one(graph, lent.view_mut())?;
                    add_one(graph, lent.view_mut())
                })
                .unwrap();
            for _ in 0..10 {
                graph.launch().unwrap();
            }
            // It goes while it is under way.
            drop(graph);
            add_one(&gpu, values.view_mut()).unwrap();
            let expected = round * 0x0101_0101 + 21;
            assert!(values.to_vec(&gpu).unwrap().iter().all(|&value| value == expected), "{round}");
        }
    });
    let mut graph = LaunchGraph::of(&gpu);
    let mut lent = graph.writes(values.view_mut());
    let missing = graph.capture(|graph| launch(graph, "add_two", lent.view_mut()));
    assert!(matches!(missing, Err(Error::NoKernel { kernel: "add_two", .. })), "{missing:?}");
    graph.launch().unwrap();
}

/// What is read on two streams is overwritten at home afterwards.
#[test]
fn home_waits_for_those_that_read() {
    let Some(gpu) = gpu() else { return };
    let streams = [gpu.stream().unwrap(), gpu.stream().unwrap()];
    let mut values = Buffer::from_host(&gpu, &vec![1u32; 1 << 22]).unwrap();
    for round in 2..20u32 {
        let copies = streams.each_ref().map(|stream| {
            let pinned = stream.pinned::<u32>(1 << 22).unwrap();
            stream.begin_download(values.view(), pinned).unwrap()
        });
        values.fill_bytes(&gpu, round as u8).unwrap();
        for copy in copies {
            let old = if round == 2 { 1 } else { (round - 1) * 0x0101_0101 };
            assert!(copy.wait().unwrap().iter().all(|&value| value == old), "{round}");
        }
    }
}

#[test]
fn copies_from_and_to_page_locked_memory_go_on_beside_the_host() {
    let Some(gpu) = gpu() else { return };
    let stream = gpu.stream().unwrap();
    let mut pinned = gpu.pinned::<u32>(1 << 20).unwrap();
    assert!(pinned.iter().all(|&value| value == 0) && pinned.len() == 1 << 20);
    let mut values = Buffer::<u32, _>::zeroed(&gpu, 1 << 20).unwrap();
    for round in 0..20u32 {
        pinned.fill(round);
        let sent = gpu.begin_upload(pinned, values.view_mut()).unwrap();
        add_one(&gpu, values.view_mut()).unwrap();
        let uploaded = gpu.record().unwrap();
        stream.wait_for(&uploaded).unwrap();
        pinned = sent.wait().unwrap();
        pinned.fill(u32::MAX);
        let landed = stream.begin_download(values.view(), pinned).unwrap();
        pinned = landed.wait().unwrap();
        assert!(uploaded.is_reached());
        assert!(pinned.iter().all(|&value| value == round + 1), "{round}");
    }
    // A copy that nobody waits for is waited for when it goes.
    drop(gpu.begin_upload(pinned, values.view_mut()).unwrap());
    assert_eq!(gpu.pinned::<u64>(0).unwrap().len(), 0);
}

/// As libraries do that know the driver's handles alone: cudarc, CuPy, PyTorch.
#[test]
fn handles_and_addresses_go_out_and_come_back() {
    let Some(gpu) = gpu() else { return };
    let stream = gpu.stream().unwrap();
    let mut values = Buffer::from_host(&gpu, &[1u32; 1000]).unwrap();
    let (address, len) = (values.view().address(), values.len());
    assert_ne!((gpu.context_handle(), gpu.stream_handle()), (0, 0));
    for round in 0..100u32 {
        // SAFETY: the buffer lives, nothing else uses it, and the streams wait for each other.
        unsafe {
            gpu.let_stream_wait(stream.stream_handle()).unwrap();
            add_one(&stream, ViewMut::from_raw_parts(&stream, address, len)).unwrap();
            gpu.wait_for_stream(stream.stream_handle()).unwrap();
            add_one(&gpu, ViewMut::from_raw_parts(&gpu, address, len)).unwrap();
            assert_eq!(View::<u32, _>::from_raw_parts(&gpu, address, len).len(), 1000);
        }
        if round % 10 == 9 {
            assert_eq!(values.to_vec(&gpu).unwrap(), [2 * round + 3; 1000]);
        }
    }
    values.fill_bytes(&gpu, 0).unwrap();
}

#[test]
fn an_array_of_cudarc_is_written_in_the_order_of_its_stream() {
    let Some(gpu) = gpu() else { return };
    let stream = CudaContext::new(0).unwrap().new_stream().unwrap();
    let mut values = stream.clone_htod(&[1u32; 1000]).unwrap();
    let handle = stream.cu_stream().expose_provenance() as u64;
    for _ in 0..10 {
        let (address, _written) = values.device_ptr_mut(&stream);
        // SAFETY: the array lives, nothing else uses it, and the streams wait for each other.
        unsafe {
            gpu.wait_for_stream(handle).unwrap();
            add_one(&gpu, ViewMut::from_raw_parts(&gpu, address, 1000)).unwrap();
            gpu.let_stream_wait(handle).unwrap();
        }
    }
    assert_eq!(stream.clone_dtoh(&values).unwrap(), [11; 1000]);
}

#[test]
fn eight_threads_of_one_pool_upload_and_launch_on_one_gpu() {
    let Some(gpu) = gpu() else { return };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    pool.scope(|scope| {
        for round in 0..200u32 {
            let gpu = &gpu;
            scope.spawn(move |_| {
                // Small uploads, and large ones of several pieces of staging.
                let len = if round % 2 == 0 { 1_000 } else { 5_000_001 };
                let mut values: Vec<u32> = (round..round + len).collect();
                let mut on_gpu = Buffer::from_host(gpu, &values).unwrap();
                add_one(gpu, on_gpu.view_mut()).unwrap();
                values.iter_mut().for_each(|value| *value += 1);
                assert!(on_gpu.to_vec(gpu).unwrap() == values, "round {round}");
            });
        }
    });
}

/// Whether they are parts of larger allocations or not.
#[test]
fn buffers_of_all_lengths_keep_what_is_in_them() {
    let separate = || Gpu::open_with(0, ADD_ONE, Options::default().separate_buffers()).unwrap();
    let Some(gpu) = gpu() else { return };
    for gpu in [gpu, separate()] {
        // Multiplicative congruences: the same lengths every time.
        let mut state = 1u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut buffers: Vec<(Buffer<u32, Gpu>, Vec<u32>)> = Vec::new();
        let mut held = 0u64;
        let mut most = 0;
        gpu.take_peak_memory().unwrap();
        for round in 0..400u32 {
            if buffers.len() < 12 && draw(5) < 3 {
                let longest = if draw(2) == 0 { 1_000 } else { 3_000_000 };
                let len = 1 + draw(longest);
                let values: Vec<u32> = (round..round + len as u32).collect();
                buffers.push((Buffer::from_host(&gpu, &values).unwrap(), values));
                held += 4 * len;
                most = most.max(held);
            } else if !buffers.is_empty() {
                let (mut buffer, mut values) =
                    buffers.swap_remove(draw(buffers.len() as u64) as usize);
                add_one(&gpu, buffer.view_mut()).unwrap();
                values.iter_mut().for_each(|value| *value += 1);
                assert!(buffer.to_vec(&gpu).unwrap() == values, "round {round}");
                held -= 4 * buffer.len();
            }
        }
        // Each begins at a multiple of 512 bytes.
        let peak = gpu.take_peak_memory().unwrap();
        assert!((most..most + 12 * 512).contains(&peak), "{peak} bytes at most, of {most}");
    }
}

#[test]
fn what_nobody_uses_makes_room_for_a_large_buffer() {
    let _turn = turn_with_much_memory();
    let Some(gpu) = gpu() else { return };
    let megabytes = |n: u64| Buffer::<u8, _>::uninitialized(&gpu, n << 20).unwrap();
    // More than 2 GiB together.
    let some: Vec<_> = (1..22).map(|n| megabytes(10 * n)).collect();
    drop(some);
    // Then there is one chunk instead of many.
    drop(megabytes(1));
    let free = gpu.free_memory().unwrap();
    assert!(free <= gpu.info().memory);
    drop(Buffer::<u8, _>::uninitialized(&gpu, free - SMALL_TESTS).unwrap());
}

/// What one user of a GPU had is free for the others once it is closed.
#[test]
fn who_is_closed_leaves_no_memory_behind() {
    let _turn = turn_with_much_memory();
    let Some(stays) = gpu() else { return };
    // The other tests take and give back memory meanwhile.
    let mut left = Vec::new();
    for _ in 0..5 {
        let before = stays.free_memory().unwrap();
        let goes = gpu().expect("there is a GPU");
        // Chunks for large buffers and for small ones.
        let buffers = [3 << 30, 2 << 20, 100];
        drop(buffers.map(|bytes| Buffer::<u8, _>::uninitialized(&goes, bytes).unwrap()));
        drop(goes);
        left.push(before.saturating_sub(stays.free_memory().unwrap()));
    }
    assert!(left.iter().any(|&left| left < 1 << 30), "{left:?} bytes are not given back");
}

#[test]
fn lengths_that_do_not_fit_are_out_of_memory() {
    let Some(gpu) = gpu() else { return };
    let memory = gpu.info().memory;
    for (len, bytes) in [(1 << 61, u64::MAX), (u64::MAX, u64::MAX), (memory, 8 * memory)] {
        match Buffer::<u64, _>::uninitialized(&gpu, len).err() {
            Some(Error::OutOfMemory { needed, free, .. }) => {
                assert_eq!(needed, bytes);
                assert!(free > 0 && free <= memory);
            }
            other => panic!("{len} elements: {other:?}"),
        }
    }
    // The GPU goes on.
    assert_eq!(Buffer::from_host(&gpu, &[7u32]).unwrap().to_vec(&gpu).unwrap(), [7]);
}

#[test]
fn the_default_pool_of_the_process_is_left_as_it_is() {
    let Some(gpu) = gpu() else { return };
    let buffer = Buffer::<u32, _>::zeroed(&gpu, 1 << 20).unwrap();
    gpu.synchronize().unwrap();
    let attribute = |which| {
        let mut value = 0u64;
        let to = std::ptr::from_mut(&mut value).cast();
        // SAFETY: the attributes are 64-bit numbers of the first GPU's pool.
        unsafe {
            let device = result::device::get(0).unwrap();
            let pool = result::device::get_default_mem_pool(device).unwrap();
            result::mem_pool::get_attribute(pool, which, to).unwrap();
        }
        value
    };
    assert_eq!(attribute(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0);
    assert_eq!(attribute(CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0);
    drop(buffer);
}

#[test]
fn the_peak_is_of_this_user_of_the_gpu() {
    let (Some(one), Some(other)) = (gpu(), gpu()) else { return };
    assert_ne!(one.id(), other.id());
    one.take_peak_memory().unwrap();
    other.take_peak_memory().unwrap();
    let bytes = 64 << 20;
    drop(Buffer::<u32, _>::zeroed(&one, bytes / 4).unwrap());
    let peak = one.take_peak_memory().unwrap();
    assert!((bytes..bytes + (2 << 20)).contains(&peak), "{peak}");
    assert_eq!(one.take_peak_memory().unwrap(), 0);
    assert_eq!(other.take_peak_memory().unwrap(), 0);
    // One is closed, and the other goes on.
    drop(one);
    assert_eq!(Buffer::from_host(&other, &[7u32]).unwrap().to_vec(&other).unwrap(), [7]);
}

#[test]
fn page_locked_memory_may_be_reused_after_an_upload() {
    let _turn = turn_with_much_memory();
    let Some(gpu) = gpu() else { return };
    const LEN: usize = 1 << 18;
    // This makes the context of the GPU this thread's, which page-locked memory needs.
    let mut target = Buffer::<u32, _>::zeroed(&gpu, LEN as u64).unwrap();
    let mut busy = Buffer::<u32, _>::uninitialized(&gpu, 1 << 28).unwrap();
    // SAFETY: freed below, and not touched after that.
    let pointer = unsafe { result::malloc_host(4 * LEN, 0).unwrap() };
    // SAFETY: it was allocated for as many numbers, and is written before it is read.
    let page_locked = unsafe {
        pointer.cast::<u32>().write_bytes(0, LEN);
        std::slice::from_raw_parts_mut(pointer.cast::<u32>(), LEN)
    };
    for round in 1..=20 {
        page_locked.fill(round);
        // The copy has to wait for this, and would read what is written over it below.
        for _ in 0..20 {
            busy.fill_bytes(&gpu, 1).unwrap();
        }
        target.upload(&gpu, 0, page_locked).unwrap();
        page_locked.fill(u32::MAX);
        assert!(target.to_vec(&gpu).unwrap().iter().all(|&value| value == round), "{round}");
    }
    // SAFETY: allocated above, and no copy of it is under way.
    unsafe { result::free_host(pointer).unwrap() };
}

#[test]
fn threads_that_come_and_go_use_one_gpu() {
    let Some(gpu) = gpu() else { return };
    for round in 0..10u32 {
        thread::scope(|scope| {
            scope.spawn(|| {
                let values = vec![round; 3_000_000];
                let mut buffer = Buffer::from_host(&gpu, &values).unwrap();
                add_one(&gpu, buffer.view_mut()).unwrap();
                assert!(buffer.to_vec(&gpu).unwrap().iter().all(|&value| value == round + 1));
            });
        });
    }
}

#[test]
fn ptx_that_does_not_compile_is_an_error_with_the_compilers_words() {
    if gpu().is_none() {
        return;
    }
    let broken = ADD_ONE.replace("add.u32", "add.u33");
    match Gpu::open(0, &broken).err() {
        Some(Error::Kernels { log, .. }) => assert!(log.contains("u33"), "{log}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn machine_code_that_the_driver_does_not_take_leaves_the_ptx() {
    let Some(gpu) = gpu() else { return };
    assert!(!gpu.runs_machine_code());
    let chip = gpu.info().compute_capability;
    let cubins = [([chip.major, chip.minor], &b"no machine code"[..])];
    let gpu = Gpu::open(0, Kernels::from(ADD_ONE).with_machine_code(&cubins)).unwrap();
    assert!(!gpu.runs_machine_code());
    let mut buffer = Buffer::from_host(&gpu, &[1, 2]).unwrap();
    add_one(&gpu, buffer.view_mut()).unwrap();
    assert_eq!(buffer.to_vec(&gpu).unwrap(), [2, 3]);
}
