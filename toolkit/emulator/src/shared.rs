//! A block's shared memory, checked at every access.

use std::cell::{Cell, OnceCell, RefCell};
use std::panic::Location;

use warpwise_launch::{AtomicAccess, Element};

use crate::atomic::{AtomicWord, to_word};
use crate::engine::{self, CarrierThread, FindingPlace};
use crate::race::{self, ShadowCell};
use crate::report::{Access, Array, Kind};

/// The state of a byte of shared memory.
const UNWRITTEN: u8 = 0;
const WRITTEN: u8 = 1;
/// An asynchronous copy may be writing it.
const COPYING: u8 = 2;

/// Shared memory of one block. Kept for the next one, which [`reset`](Self::reset) makes it.
pub(crate) struct SharedMemory {
    data: Box<[Cell<u64>]>,
    /// The state of each byte.
    states: Box<[Cell<u8>]>,
    /// What accesses of 4 bytes and more left, for each 32-bit word.
    words: Box<[ShadowCell]>,
    /// What smaller accesses left, for each byte; made at the first one.
    bytes: OnceCell<Box<[ShadowCell]>>,
    epoch: Cell<u32>,
    /// The arrays of layouts: where each starts and ends, and the number of the line of its layout.
    claims: RefCell<Vec<(u32, u32, u16)>>,
}

impl SharedMemory {
    pub(crate) fn new(bytes: u32) -> SharedMemory {
        let bytes = bytes.next_multiple_of(8) as usize;
        SharedMemory {
            data: vec![Cell::new(0xCDCD_CDCD_CDCD_CDCD); bytes / 8].into(),
            states: vec![Cell::new(UNWRITTEN); bytes].into(),
            words: race::cells(bytes / 4),
            bytes: OnceCell::new(),
            epoch: Cell::new(0),
            claims: RefCell::default(),
        }
    }

    pub(crate) fn reset(&self) {
        self.epoch.set(self.epoch.get() + 1);
        self.states.iter().for_each(|state| state.set(UNWRITTEN));
        self.claims.borrow_mut().clear();
    }

    /// Where a value of type `T` at byte `at` lies.
    #[inline]
    fn place<T: Element>(&self, at: usize) -> *mut T {
        assert!(at + size_of::<T>() <= self.states.len(), "inside the block's memory");
        self.data.as_ptr().cast_mut().cast::<u8>().wrapping_add(at).cast()
    }

    #[inline]
    pub(crate) fn get<T: Element>(&self, at: usize) -> T {
        // SAFETY: it lies inside the memory, every pattern is a value, and cells may change behind a shared
        // reference. One OS thread runs the block.
        unsafe { self.place::<T>(at).read_unaligned() }
    }

    /// Writes and says whether that changed anything.
    #[inline]
    pub(crate) fn set<T: Element>(&self, at: usize, value: T) -> bool {
        let new = warpwise_launch::bytemuck::bytes_of(&value);
        let before: T = self.get(at);
        let changed = warpwise_launch::bytemuck::bytes_of(&before) != new;
        // SAFETY: as in `get`.
        unsafe { self.place::<T>(at).write_unaligned(value) };
        self.mark(at, size_of::<T>(), WRITTEN);
        changed
    }

    #[inline]
    fn mark(&self, at: usize, bytes: usize, state: u8) {
        self.states[at..at + bytes].iter().for_each(|byte| byte.set(state));
    }

    pub(crate) fn mark_copying(&self, at: usize, bytes: usize) {
        self.mark(at, bytes, COPYING);
    }

    #[inline]
    fn is_written(&self, at: usize, bytes: usize) -> bool {
        self.states[at..at + bytes].iter().fold(true, |all, state| all & (state.get() == WRITTEN))
    }

    #[inline]
    fn is_copying(&self, at: usize, bytes: usize) -> bool {
        self.states[at..at + bytes].iter().fold(false, |any, state| any | (state.get() == COPYING))
    }

    /// Checks an access of `bytes` bytes against those of others, and remembers it.
    #[inline]
    pub(crate) fn touch(
        &self,
        engine: &CarrierThread<'_>,
        at: usize,
        bytes: usize,
        access: Access,
        site: u16,
    ) -> Result<(), race::Conflict> {
        let epoch = self.epoch.get();
        let is_small = !(at | bytes).is_multiple_of(4);
        let words = &self.words[at / 4..(at + bytes).div_ceil(4)];
        if is_small {
            for word in words {
                word.probe(engine, epoch, access)?;
            }
            let all = self.bytes.get_or_init(|| race::cells(self.states.len()));
            let mut touched = all[at..at + bytes].iter();
            return touched.try_for_each(|byte| byte.touch(engine, epoch, access, site));
        }
        if let Some(all) = self.bytes.get() {
            for byte in &all[at..at + bytes] {
                byte.probe(engine, epoch, access)?;
            }
        }
        words.iter().try_for_each(|word| word.touch(engine, epoch, access, site))
    }
}

/// An array in the block's shared memory.
#[derive(Clone, Copy)]
pub struct SharedBase {
    byte_offset: u32,
    bytes: u32,
}

impl SharedBase {
    /// The array of `bytes` bytes from `byte_offset` on.
    #[track_caller]
    pub fn new(byte_offset: u32, bytes: u32) -> SharedBase {
        let engine = engine::current();
        let end = u64::from(byte_offset) + u64::from(bytes);
        let given = engine.run.shape.shared_bytes;
        if end > u64::from(given) {
            let array = Some(Array::Shared { byte_offset });
            let place = FindingPlace { array, index: None, location: Location::caller() };
            engine.fail(Kind::SharedTooSmall { end, given }, place, None);
        }
        SharedBase { byte_offset, bytes }
    }

    /// Says that the array is one of the layout that was made at a line: no array of another layout, and no other
    /// array of this one, may overlap it while the block runs.
    #[track_caller]
    pub fn claim(self, layout: &'static Location<'static>) {
        let location = Location::caller();
        let engine = engine::current();
        let (start, end) = (self.byte_offset, self.byte_offset + self.bytes);
        let site = engine.sites.number(layout);
        let mut claims = engine.block().shared.claims.borrow_mut();
        if start == end || claims.contains(&(start, end, site)) {
            return;
        }
        let other = claims.iter().find(|&&(from, to, _)| from < end && start < to).copied();
        let Some((other_start, other_end, _)) = other else {
            return claims.push((start, end, site));
        };
        drop(claims);
        let array = Some(Array::Shared { byte_offset: start });
        let place = FindingPlace { array, index: None, location };
        engine.fail(Kind::SharedOverlap { other_start, other_end }, place, None);
    }

    /// Checks an access to element `index` and returns where it goes.
    #[inline]
    #[track_caller]
    pub(crate) fn access<T: Element>(
        self,
        index: u32,
        access: Access,
    ) -> (&'static CarrierThread<'static>, usize) {
        let location = Location::caller();
        let engine = engine::current();
        engine.step(location);
        (engine, self.check::<T>((engine, &engine.block().shared), index, access, location))
    }

    /// Checks the running thread's access to element `index` in the memory of a block, and returns where it goes.
    #[inline]
    pub(crate) fn check<T: Element>(
        self,
        (engine, memory): (&CarrierThread<'_>, &SharedMemory),
        index: u32,
        access: Access,
        location: &'static Location<'static>,
    ) -> usize {
        let bytes = size_of::<T>();
        let place = || FindingPlace {
            array: Some(Array::Shared { byte_offset: self.byte_offset }),
            index: Some(u64::from(index)),
            location,
        };
        let len = u64::from(self.bytes) / bytes as u64;
        if u64::from(index) >= len {
            engine.fail(Kind::OutOfBounds { access, len }, place(), None);
        }
        let at = self.byte_offset as usize + index as usize * bytes;
        if !at.is_multiple_of(align_of::<T>()) {
            engine.fail(Kind::Misaligned, place(), None);
        }
        engine.note_word((at as u64) << 8 | 0xFF);
        if !memory.is_written(at, bytes) {
            if memory.is_copying(at, bytes) {
                engine.fail(Kind::CopyNotAwaited { access }, place(), None);
            }
            if access != Access::Write {
                engine.fail(Kind::Uninitialized, place(), None);
            }
        }
        let site = engine.sites.number(location);
        if let Err(conflict) = memory.touch(engine, at, bytes, access, site) {
            engine.fail_race(access, place(), conflict);
        }
        at
    }

    pub(crate) fn byte_offset(self) -> u32 {
        self.byte_offset
    }
}

/// Accesses to an array in shared memory.
pub trait SharedAccess: Copy {
    #[track_caller]
    fn load<T: Element>(self, index: u32) -> T;
    #[track_caller]
    fn store<T: Element>(self, index: u32, value: T);
    #[track_caller]
    fn atomic<T: AtomicWord>(self, index: u32, what: AtomicAccess<T>) -> T;
}

impl SharedAccess for SharedBase {
    #[inline]
    fn load<T: Element>(self, index: u32) -> T {
        let (engine, at) = self.access::<T>(index, Access::Read);
        engine.block().shared.get(at)
    }

    #[inline]
    fn store<T: Element>(self, index: u32, value: T) {
        let (engine, at) = self.access::<T>(index, Access::Write);
        engine.note_change(engine.block().shared.set(at, value));
    }

    #[inline]
    fn atomic<T: AtomicWord>(self, index: u32, what: AtomicAccess<T>) -> T {
        let (engine, at) = self.access::<T>(index, Access::AtomicUpdate);
        update((engine, &engine.block().shared), at, what)
    }
}

/// Changes a word, and returns what it was before.
#[inline]
pub(crate) fn update<T: AtomicWord>(
    (engine, memory): (&CarrierThread<'_>, &SharedMemory),
    at: usize,
    what: AtomicAccess<T>,
) -> T {
    let before: T = memory.get(at);
    let after = before.after(what);
    // An exchange of equal bits changes nothing, whatever the numbers compare as.
    engine.note_change(to_word(before) != to_word(after));
    memory.set(at, after);
    before
}

#[cfg(test)]
mod tests {
    use super::{SharedAccess, SharedBase};
    use warpwise_launch::{Arg, Device, Launch, Shape};

    use crate::intrinsics::{sync_threads, thread_idx_x};
    use crate::{Access, Array, Config, Emulator, Finding, Kind};

    fn run(seed: u64, body: fn(&[Arg])) -> Result<(), Box<Finding>> {
        let shape = Shape::new(2, 8).shared(32);
        let launch = Launch { kernel: "halves", takes: 0, shape, args: &[], body };
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
                let (array, me) = (SharedBase::new(8, 16), thread_idx_x());
                array.store(me, me as u16 + 1);
                assert_eq!(array.load::<u16>(me), me as u16 + 1);
            });
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn half_words_are_ordered_by_barriers_and_read_as_words() {
        for seed in 0..20 {
            let result = run(seed, |_| {
                let (array, me) = (SharedBase::new(8, 16), thread_idx_x());
                array.store(me, me as u16 + 1);
                sync_threads();
                let word = me / 2 * 2 + 1;
                assert_eq!(array.load::<u32>(me / 2), word | (word + 1) << 16);
            });
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn a_half_word_races_with_itself_and_with_its_word() {
        for seed in 0..20 {
            let bodies: [fn(&[Arg]); 2] = [
                |_| match (SharedBase::new(0, 16), thread_idx_x()) {
                    (array, 0) => array.store(3, 1u16),
                    (array, 1) => array.store(3, 2u16),
                    _ => {}
                },
                |_| match (SharedBase::new(0, 16), thread_idx_x()) {
                    (array, 0) => array.store(3, 1u16),
                    (array, 1) => array.store(1, 2u32),
                    _ => {}
                },
            ];
            for body in bodies {
                let found = run(seed, body).expect_err("two threads write one half word");
                assert_eq!(found.kind, Kind::Race { access: Access::Write }, "{found}");
                assert_eq!(found.array, Some(Array::Shared { byte_offset: 0 }));
            }
        }
    }

    #[test]
    fn a_word_of_which_one_half_was_written_is_unwritten() {
        let found = run(0, |_| {
            let (array, me) = (SharedBase::new(0, 32), thread_idx_x());
            array.store(2 * me, 1u16);
            array.load::<u32>(me);
        });
        assert_eq!(found.map_err(|found| found.kind), Err(Kind::Uninitialized));
    }
}
