//! Kernels whose threads touch the same memory without order, each found, and their neighbours that
//! are right, not flagged.

mod common;

use common::{assert_line, findings, is_marked};
use warpwise_device::emulated::{
    Access, Array, Config, Doing, Emulator, EmulatorError, Finding, Kind,
};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{InOut, Scope};
use warpwise_device::{kernel, shared, thread, warp};

const SOURCE: &str = include_str!("planted_races.rs");

kernel!(
    /// A block's threads exchange words with their mirror image. `sync`: 0 nothing, 1 a vote,
    /// 2 a warp sync, 3 a barrier.
    #[requires(!out.is_empty())]
    pub unsafe fn exchanges(out: InOut<u32>, sync: u32) {
        let me = thread::thread_idx_x();
        let array = shared::array::<u32>(32, thread::block_dim_x());
        array.set(me, 0);
        thread::sync_threads();
        array.set(me, me); // written
        if sync == 1 {
            warp::warp_vote_any(warp::ALL, true);
        } else if sync == 2 {
            warp::sync_warp(warp::ALL);
        } else if sync == 3 {
            thread::sync_threads();
        }
        let other = thread::block_dim_x() - 1 - me;
        out.set(u64::from(me), array.get(other)); // read
    }
);

kernel!(
    /// Lanes exchange words at a distance, each half warp synchronised for itself.
    #[requires(out.len() >= 32)]
    pub unsafe fn exchanges_in_half_warps(out: InOut<u32>, distance: u32) {
        let me = thread::thread_idx_x();
        let array = shared::array::<u32>(0, 32);
        array.set(me, 0);
        thread::sync_threads();
        array.set(me, me); // written
        warp::sync_warp(if me < 16 { 0x0000_FFFF } else { 0xFFFF_0000 });
        out.set(u64::from(me), array.get(me ^ distance)); // read
    }
);

kernel!(
    /// All threads write one shared word.
    #[requires(!out.is_empty())]
    pub unsafe fn all_write_one_word(out: InOut<u32>) {
        let array = shared::array::<u64>(0, 2);
        array.set(1, 5); // written
        thread::sync_threads();
        out.atomic_add(0, array.get(1) as u32);
    }
);

kernel!(
    /// A shared histogram whose result is read without a barrier after the additions.
    #[requires(!out.is_empty())]
    pub unsafe fn reads_a_histogram_early(out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let array = shared::array::<u32>(0, 4);
        if me < 4 {
            array.set(me, 0);
        }
        thread::sync_threads();
        array.atomic_add(me % 4, 1); // added
        if me < 4 {
            out.set(u64::from(me), array.get(me)); // read
        }
    }
);

kernel!(
    /// All blocks write one global word.
    #[requires(out.len() > 3)]
    pub unsafe fn all_blocks_write_one_word(out: InOut<u32>) {
        if thread::thread_idx_x() == 0 {
            out.set(3, 1); // written
        }
    }
);

kernel!(
    /// One thread reads plainly what others add to atomically.
    #[requires(!counter.is_empty())]
    pub unsafe fn reads_a_counter_plainly(counter: InOut<u64>) {
        if thread::index_1d() == 0 {
            counter.get(0); // read
        } else {
            counter.atomic_add(0, 1); // added
        }
    }
);

kernel!(
    /// Thread 0 stores plainly what others load atomically.
    #[requires(flag.len() > 1)]
    pub unsafe fn stores_a_flag_plainly(flag: InOut<u32>) {
        if thread::index_1d() == 0 {
            flag.set(1, 1); // written
        } else {
            flag.atomic_load(1); // loaded
        }
    }
);

kernel!(
    /// Threads of a block pass words on through global memory, with or without a barrier.
    #[requires(out.len() >= scratch.len())]
    pub unsafe fn passes_on(scratch: InOut<u32>, out: InOut<u32>, barrier: u32) {
        let dim = u64::from(thread::block_dim_x());
        let me = u64::from(thread::thread_idx_x());
        let first = u64::from(thread::block_idx_x()) * dim;
        scratch.set(first + me, me as u32); // written
        if barrier == 1 {
            thread::sync_threads();
        }
        out.set(first + me, scratch.get(first + (me + 1) % dim)); // read
    }
);

kernel!(
    /// Block 0 hands a value to block 1 through a flag. Bits of `fences`: 1 before the flag is set,
    /// 2 after it is seen.
    #[requires(!value.is_empty(), !flag.is_empty(), !out.is_empty())]
    pub unsafe fn hands_over(value: InOut<u32>, flag: InOut<u32>, out: InOut<u32>, fences: u32) {
        if thread::block_idx_x() == 0 {
            value.set(u64::from(thread::thread_idx_x()), 7); // written
            thread::sync_threads();
            if thread::thread_idx_x() == 0 {
                if fences & 1 != 0 {
                    thread::device_fence();
                }
                flag.atomic_store(0, 1);
            }
        } else {
            if thread::thread_idx_x() == 0 {
                while flag.atomic_load(0) == 0 {
                    thread::nanosleep(10);
                }
                if fences & 2 != 0 {
                    thread::device_fence();
                }
            }
            thread::sync_threads();
            let i = u64::from(thread::thread_idx_x());
            out.set(i, value.get(i ^ 1)); // read
        }
    }
);

kernel!(
    /// Thread 0 hands a value to the last thread through a flag: an ordered one, or for a scope of 3 a flag that orders nothing.
    #[requires(!value.is_empty(), !flag.is_empty(), !out.is_empty())]
    pub unsafe fn hands_over_ordered(
        value: InOut<u32>,
        flag: InOut<u32>,
        out: InOut<u32>,
        store: u32,
        load: u32,
    ) {
        let scope = |number| [Scope::Block, Scope::Device, Scope::System][number as usize];
        if thread::index_1d() == 0 {
            value.set(0, 7); // written
            match store {
                3 => flag.atomic_store(0, 1),
                store => flag.ordered(scope(store)).store(0, 1),
            }
        } else if thread::index_1d() == thread::grid_size() - 1 {
            while match load {
                3 => flag.atomic_load(0),
                load => flag.ordered(scope(load)).load(0),
            } == 0
            {
                thread::nanosleep(10);
            }
            out.set(0, value.get(0)); // read
        }
    }
);

kernel!(
    /// Every thread writes its own 16-bit element, and then reads its neighbour's if asked to.
    #[requires(!out.is_empty())]
    pub unsafe fn writes_neighbours(out: InOut<u16>, reads: u32) {
        let i = thread::index_1d();
        out.set(i, i as u16); // written
        if reads == 1 {
            out.get(i ^ 1); // read
        }
    }
);

/// The two accesses of a race, as (access, marker) in the order of their names.
fn sides(finding: &Finding) -> [(Access, &'static str); 2] {
    let Kind::Race { access } = finding.kind else { panic!("{finding}") };
    let other = finding.other.unwrap_or_else(|| panic!("{finding}: no other thread"));
    let Doing::Accessed(other_access) = other.doing else { panic!("{finding}") };
    assert_ne!((finding.block, finding.thread), (other.block, other.thread), "{finding}");
    let marker = |line: u32| {
        let is_at = |marker: &&str| is_marked(line, SOURCE, marker);
        ["written", "read", "added", "loaded"].into_iter().find(is_at).expect("a marked line")
    };
    let line = |location: Option<&std::panic::Location<'_>>| location.expect("a line").line();
    let mut sides =
        [(access, marker(line(finding.location))), (other_access, marker(line(other.location)))];
    sides.sort_by_key(|side| side.1);
    sides
}

const READ: (Access, &str) = (Access::Read, "read");
const WRITTEN: (Access, &str) = (Access::Write, "written");
const ADDED: (Access, &str) = (Access::AtomicUpdate, "added");

const LOADED: (Access, &str) = (Access::AtomicRead, "loaded");

fn exchange(emulator: &Emulator, threads: u32, sync: u32) -> Result<(), EmulatorError> {
    let mut out = Buffer::zeroed(emulator, u64::from(threads))?;
    let shape = Shape::new(1, threads).shared(32 + threads * 4);
    exchanges(emulator, shape, out.view_mut(), sync)?;
    let expected: Vec<u32> = (0..threads).rev().collect();
    assert_eq!(out.to_vec(emulator)?, expected);
    Ok(())
}

fn assert_exchange_races(found: Vec<Finding>, threads: u32) {
    for finding in found {
        assert_eq!(sides(&finding), [READ, WRITTEN], "{finding}");
        assert_eq!(finding.kernel, "exchanges");
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 32 }));
        let other = finding.other.expect("another thread");
        assert_eq!((finding.block, other.block), (0, 0));
        assert_eq!(finding.thread + other.thread, threads - 1);
        let index = finding.index.expect("an index") as u32;
        assert!(index == finding.thread || index == other.thread, "{finding}");
    }
}

#[test]
fn a_missing_barrier() {
    assert_exchange_races(findings(|emulator| exchange(emulator, 64, 0)), 64);
    assert_exchange_races(findings(|emulator| exchange(emulator, 32, 0)), 32);
}

#[test]
fn a_vote_orders_no_memory() {
    assert_exchange_races(findings(|emulator| exchange(emulator, 32, 1)), 32);
}

#[test]
fn a_warp_sync_orders_no_other_warp() {
    assert_exchange_races(findings(|emulator| exchange(emulator, 64, 2)), 64);
}

#[test]
fn a_warp_sync_orders_its_mask_only() -> Result<(), EmulatorError> {
    let launch = |emulator: &Emulator, distance| {
        let mut out = Buffer::zeroed(emulator, 32)?;
        exchanges_in_half_warps(emulator, Shape::new(1, 32).shared(128), out.view_mut(), distance)
    };
    for finding in findings(|emulator| launch(emulator, 16)) {
        assert_eq!(sides(&finding), [READ, WRITTEN], "{finding}");
        assert_eq!(finding.thread ^ 16, finding.other.expect("another thread").thread);
    }
    (0..20).try_for_each(|seed| launch(&Emulator::with(Config::seeded(seed)), 8))
}

#[test]
fn enough_synchronisation_is_not_flagged() -> Result<(), EmulatorError> {
    for seed in 0..20 {
        let emulator = Emulator::with(Config::seeded(seed));
        exchange(&emulator, 32, 2)?;
        exchange(&emulator, 17, 2)?;
        exchange(&emulator, 32, 3)?;
        exchange(&emulator, 96, 3)?;
    }
    Ok(())
}

#[test]
fn two_writes_of_one_shared_word() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 1)?;
        all_write_one_word(emulator, Shape::new(1, 33).shared(16), out.view_mut())
    });
    for finding in found {
        assert_eq!(sides(&finding), [WRITTEN, WRITTEN], "{finding}");
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 0 }));
        assert_eq!(finding.index, Some(1));
    }
}

#[test]
fn a_plain_read_of_a_shared_counter_without_a_barrier() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 4)?;
        reads_a_histogram_early(emulator, Shape::new(1, 64).shared(16), out.view_mut())
    });
    for finding in found {
        assert_eq!(sides(&finding), [ADDED, READ], "{finding}");
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 0 }));
        let other = finding.other.expect("another thread");
        assert_eq!(finding.thread % 4, other.thread % 4);
        assert_eq!(finding.index, Some(u64::from(other.thread % 4)));
    }
}

#[test]
fn two_blocks_write_one_global_word() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 4)?;
        all_blocks_write_one_word(emulator, Shape::new(2, 32), out.view_mut())
    });
    for finding in found {
        assert_eq!(sides(&finding), [WRITTEN, WRITTEN], "{finding}");
        assert!(finding.to_string().contains("; let one thread do it, use an atomic"), "{finding}");
        assert_eq!((finding.array, finding.index), (Some(Array::Global("out")), Some(3)));
        let other = finding.other.expect("another thread");
        assert_eq!((finding.thread, other.thread), (0, 0));
        assert_eq!(finding.block + other.block, 1);
        assert_line(&finding, "all_blocks_write_one_word", SOURCE, "written");
    }
}

#[test]
fn a_plain_read_of_a_global_counter() {
    let found = findings(|emulator| {
        let mut counter = Buffer::zeroed(emulator, 1)?;
        reads_a_counter_plainly(emulator, Shape::new(3, 2), counter.view_mut())
    });
    for finding in found {
        assert_eq!(sides(&finding), [ADDED, READ], "{finding}");
        assert_eq!((finding.array, finding.index), (Some(Array::Global("counter")), Some(0)));
    }
}

#[test]
fn a_plain_store_of_a_flag_that_others_load() {
    let found = findings(|emulator| {
        let mut flag = Buffer::zeroed(emulator, 2)?;
        stores_a_flag_plainly(emulator, Shape::new(2, 2), flag.view_mut())
    });
    for finding in found {
        assert_eq!(sides(&finding), [LOADED, WRITTEN], "{finding}");
        assert_eq!((finding.array, finding.index), (Some(Array::Global("flag")), Some(1)));
    }
}

#[test]
fn a_missing_barrier_between_global_accesses() -> Result<(), EmulatorError> {
    let launch = |emulator: &Emulator, barrier| {
        let mut scratch = Buffer::uninitialized(emulator, 96)?;
        // Zero where a schedule reads before the write: else that would be the finding.
        scratch.fill_bytes(emulator, 0)?;
        let mut out = Buffer::zeroed(emulator, 96)?;
        passes_on(emulator, Shape::new(2, 48), scratch.view_mut(), out.view_mut(), barrier)
    };
    for finding in findings(|emulator| launch(emulator, 0)) {
        assert_eq!(sides(&finding), [READ, WRITTEN], "{finding}");
        assert_eq!(finding.array, Some(Array::Global("scratch")));
        let other = finding.other.expect("another thread");
        assert_eq!(finding.block, other.block);
        assert!(
            (finding.thread + 1) % 48 == other.thread || (other.thread + 1) % 48 == finding.thread
        );
    }
    (0..20).try_for_each(|seed| launch(&Emulator::with(Config::seeded(seed)), 1))
}

#[test]
fn a_hand_over_between_blocks_needs_both_fences() -> Result<(), EmulatorError> {
    let launch = |emulator: &Emulator, fences| {
        let mut value = Buffer::zeroed(emulator, 32)?;
        let mut flag = Buffer::zeroed(emulator, 1)?;
        let mut out = Buffer::zeroed(emulator, 32)?;
        let (value, flag) = (value.view_mut(), flag.view_mut());
        hands_over(emulator, Shape::new(2, 32), value, flag, out.view_mut(), fences)?;
        assert_eq!(out.to_vec(emulator)?, [7; 32]);
        Ok(())
    };
    for fences in [0, 1, 2] {
        for finding in findings(|emulator| launch(emulator, fences)) {
            assert_eq!(sides(&finding), [READ, WRITTEN], "{finding}");
            assert_eq!(finding.array, Some(Array::Global("value")));
            assert_eq!((finding.block, finding.other.map(|other| other.block)), (1, Some(0)));
        }
    }
    (0..20).try_for_each(|seed| launch(&Emulator::with(Config::seeded(seed)), 3))
}

#[test]
fn an_ordered_hand_over_needs_both_sides_and_a_scope_that_has_both() -> Result<(), EmulatorError> {
    let launch = |emulator: &Emulator, blocks: u32, [store, load]: [u32; 2]| {
        let mut value = Buffer::zeroed(emulator, 1)?;
        let mut flag = Buffer::zeroed(emulator, 1)?;
        let mut out = Buffer::zeroed(emulator, 1)?;
        let (value, flag) = (value.view_mut(), flag.view_mut());
        let shape = Shape::new(blocks, 64 / blocks);
        hands_over_ordered(emulator, shape, value, flag, out.view_mut(), store, load)?;
        assert_eq!(out.to_vec(emulator)?, [7]);
        Ok(())
    };
    for (store, load) in (0..4).flat_map(|store| (0..4).map(move |load| (store, load))) {
        for blocks in [1, 2] {
            let orders = store < 3 && load < 3 && (blocks == 1 || store > 0 && load > 0);
            if orders {
                (0..8).try_for_each(|seed| {
                    launch(&Emulator::with(Config::seeded(seed)), blocks, [store, load])
                })?;
                continue;
            }
            for finding in findings(|emulator| launch(emulator, blocks, [store, load])) {
                assert_eq!(sides(&finding), [READ, WRITTEN], "{finding}, {store} {load}");
                assert_eq!(finding.array, Some(Array::Global("value")));
            }
        }
    }
    Ok(())
}

#[test]
fn neighbouring_16_bit_elements_do_not_race() -> Result<(), EmulatorError> {
    let launch = |emulator: &Emulator, reads| {
        let mut out = Buffer::zeroed(emulator, 64)?;
        writes_neighbours(emulator, Shape::new(2, 32), out.view_mut(), reads)?;
        assert_eq!(out.to_vec(emulator)?, std::array::from_fn::<u16, 64, _>(|i| i as u16));
        Ok(())
    };
    for finding in findings(|emulator| launch(emulator, 1)) {
        assert_eq!(sides(&finding), [READ, WRITTEN], "{finding}");
    }
    (0..20).try_for_each(|seed| launch(&Emulator::with(Config::seeded(seed)), 0))
}
