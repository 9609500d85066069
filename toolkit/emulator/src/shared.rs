//! A block's shared memory, checked at every access.

use std::cell::{Cell, OnceCell};
use std::panic::Location;

use crate::engine::{self, Engine, Place};
use crate::race::{self, ShadowCell};
use crate::report::{Access, Array, Kind};

/// Shared memory of one block. Kept for the next one, which [`reset`](Self::reset) makes it.
pub(crate) struct SharedMemory {
    units: Box<[Cell<u16>]>,
    written: Box<[Cell<bool>]>,
    /// What 32-bit and 64-bit accesses left, for each 32-bit word.
    words: Box<[ShadowCell]>,
    /// What 16-bit accesses left, for each half word; made at the first one.
    halves: OnceCell<Box<[ShadowCell]>>,
    epoch: Cell<u32>,
}

impl SharedMemory {
    pub(crate) fn new(bytes: u32) -> SharedMemory {
        let units = bytes.next_multiple_of(8) as usize / 2;
        SharedMemory {
            units: vec![Cell::new(0xCDCD); units].into(),
            written: vec![Cell::new(false); units].into(),
            words: race::cells(units / 2),
            halves: OnceCell::new(),
            epoch: Cell::new(0),
        }
    }

    pub(crate) fn reset(&self) {
        self.epoch.set(self.epoch.get() + 1);
        self.written.iter().for_each(|unit| unit.set(false));
    }

    fn get<const BYTES: usize>(&self, at: usize) -> u64 {
        let units = &self.units[at / 2..(at + BYTES) / 2];
        units.iter().rev().fold(0, |value, unit| value << 16 | u64::from(unit.get()))
    }

    /// Writes and says whether that changed anything.
    fn set<const BYTES: usize>(&self, at: usize, value: u64) -> bool {
        let range = at / 2..(at + BYTES) / 2;
        self.written[range.clone()].iter().for_each(|unit| unit.set(true));
        let mut changed = false;
        for (i, unit) in self.units[range].iter().enumerate() {
            changed |= unit.replace((value >> (16 * i)) as u16) != (value >> (16 * i)) as u16;
        }
        changed
    }

    fn is_written<const BYTES: usize>(&self, at: usize) -> bool {
        self.written[at / 2..(at + BYTES) / 2].iter().all(Cell::get)
    }

    fn touch<const BYTES: usize>(
        &self,
        engine: &Engine<'_>,
        at: usize,
        access: Access,
        site: u16,
    ) -> Result<(), race::Conflict> {
        let epoch = self.epoch.get();
        if BYTES == 2 {
            self.words[at / 4].probe(engine, epoch, access)?;
            let halves = self.halves.get_or_init(|| race::cells(self.units.len()));
            return halves[at / 2].touch(engine, epoch, access, site);
        }
        if let Some(halves) = self.halves.get() {
            for half in &halves[at / 2..(at + BYTES) / 2] {
                half.probe(engine, epoch, access)?;
            }
        }
        let words = &self.words[at / 4..(at + BYTES) / 4];
        words.iter().try_for_each(|word| word.touch(engine, epoch, access, site))
    }
}

/// An array in the block's shared memory.
#[derive(Clone, Copy)]
pub struct SharedBase {
    byte_offset: u32,
    bytes: u32,
}

#[track_caller]
pub unsafe fn shared_base(byte_offset: u32, bytes: u32) -> SharedBase {
    let engine = engine::current();
    let end = u64::from(byte_offset) + u64::from(bytes);
    let given = engine.run.shape.shared_bytes;
    if end > u64::from(given) {
        let array = Some(Array::Shared { byte_offset });
        let place = Place { array, index: None, location: Location::caller() };
        engine.fail(Kind::SharedTooSmall { end, given }, place, None);
    }
    SharedBase { byte_offset, bytes }
}

impl SharedBase {
    /// Checks an access to element `index` of `BYTES` bytes and returns where it goes.
    #[track_caller]
    fn access<const BYTES: usize>(
        self,
        index: u32,
        access: Access,
    ) -> (&'static Engine<'static>, usize) {
        let location = Location::caller();
        let engine = engine::current();
        engine.step(location);
        let place = || Place {
            array: Some(Array::Shared { byte_offset: self.byte_offset }),
            index: Some(u64::from(index)),
            location,
        };
        let len = u64::from(self.bytes) / BYTES as u64;
        if u64::from(index) >= len {
            engine.fail(Kind::OutOfBounds { access, len }, place(), None);
        }
        let at = self.byte_offset as usize + index as usize * BYTES;
        if !at.is_multiple_of(BYTES) {
            engine.fail(Kind::Misaligned, place(), None);
        }
        let memory = &engine.block().shared;
        if access != Access::Write && !memory.is_written::<BYTES>(at) {
            engine.fail(Kind::Uninitialized, place(), None);
        }
        if let Err(conflict) =
            memory.touch::<BYTES>(engine, at, access, engine.sites.number(location))
        {
            engine.fail_race(access, place(), conflict);
        }
        (engine, at)
    }

    #[track_caller]
    pub(crate) fn load<const BYTES: usize>(self, index: u32) -> u64 {
        let (engine, at) = self.access::<BYTES>(index, Access::Read);
        engine.block().shared.get::<BYTES>(at)
    }

    #[track_caller]
    pub(crate) fn store<const BYTES: usize>(self, index: u32, value: u64) {
        let (engine, at) = self.access::<BYTES>(index, Access::Write);
        engine.note_change(engine.block().shared.set::<BYTES>(at, value));
    }

    /// Applies `change` in one piece and returns the element before.
    #[track_caller]
    pub(crate) fn update<const BYTES: usize>(self, index: u32, change: impl Fn(u64) -> u64) -> u64 {
        let (engine, at) = self.access::<BYTES>(index, Access::AtomicUpdate);
        let shared = &engine.block().shared;
        let before = shared.get::<BYTES>(at);
        engine.note_change(shared.set::<BYTES>(at, change(before)));
        before
    }
}

#[cfg(test)]
mod tests {
    use super::shared_base;
    use tribin_launch::{Arg, Device, Launch, Shape};

    use crate::intrinsics::{sync_threads, thread_idx_x};
    use crate::{Access, Array, Config, Emulator, Finding, Kind};

    fn run(seed: u64, body: impl Fn(&[Arg]) + Sync) -> Result<(), Box<Finding>> {
        let shape = Shape::new(2, 8).shared(32);
        let launch = Launch { kernel: "halves", shape, args: &[], body: &body };
        let device = Emulator::with(Config::seeded(seed));
        // SAFETY: the kernel has no parameters.
        unsafe { device.launch(launch) }.map_err(|error| {
            let finding = error.finding().unwrap_or_else(|| panic!("{error}"));
            Box::new(finding.clone())
        })
    }

    #[test]
    fn neighbouring_half_words_do_not_race() {
        for seed in 0..20 {
            let result = run(seed, |_| {
                // SAFETY: the emulator checks every access.
                let (array, me) = unsafe { (shared_base(8, 16), thread_idx_x()) };
                array.store::<2>(me, u64::from(me + 1));
                assert_eq!(array.load::<2>(me), u64::from(me + 1));
            });
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn half_words_are_ordered_by_barriers_and_read_as_words() {
        for seed in 0..20 {
            let result = run(seed, |_| {
                // SAFETY: the emulator checks every access.
                let (array, me) = unsafe { (shared_base(8, 16), thread_idx_x()) };
                array.store::<2>(me, u64::from(me + 1));
                // SAFETY: all threads are here.
                unsafe { sync_threads() };
                let word = u64::from(me / 2 * 2 + 1);
                assert_eq!(array.load::<4>(me / 2), word | (word + 1) << 16);
            });
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn a_half_word_races_with_itself_and_with_its_word() {
        for seed in 0..20 {
            for by_word in [false, true] {
                let found = run(seed, |_| {
                    // SAFETY: the emulator checks every access.
                    let (array, me) = unsafe { (shared_base(0, 16), thread_idx_x()) };
                    match (me, by_word) {
                        (0, _) => array.store::<2>(3, 1),
                        (1, true) => array.store::<4>(1, 2),
                        (1, false) => array.store::<2>(3, 2),
                        _ => {}
                    }
                });
                let found = found.expect_err("two threads write one half word");
                assert_eq!(found.kind, Kind::Race { access: Access::Write }, "{found}");
                assert_eq!(found.array, Some(Array::Shared { byte_offset: 0 }));
            }
        }
    }

    #[test]
    fn a_word_of_which_one_half_was_written_is_unwritten() {
        let found = run(0, |_| {
            // SAFETY: the emulator checks every access.
            let (array, me) = unsafe { (shared_base(0, 32), thread_idx_x()) };
            array.store::<2>(2 * me, 1);
            array.load::<4>(me);
        });
        assert_eq!(found.map_err(|found| found.kind), Err(Kind::Uninitialized));
    }
}
