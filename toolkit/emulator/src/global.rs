//! Global memory as the emulated kernel sees it: a parameter, checked at every access.

use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use warpwise_launch::{Arg, AtomicAccess, Element, Scope};

use crate::atomic::{AtomicWord, from_word, to_word};
use crate::engine::{self, CarrierThread, FindingPlace};
use crate::memory::{Allocation, Cells};
use crate::report::{Access, Array, Kind};

/// A parameter in global memory, as the launch resolved it.
pub(crate) struct GlobalArray {
    pub(crate) name: &'static str,
    pub(crate) len: u64,
    pub(crate) element_align: u32,
    pub(crate) writable: bool,
    pub(crate) allocation: Arc<Allocation>,
    /// The byte of the allocation where the parameter starts.
    pub(crate) start: u64,
    /// Where accesses are remembered, if anything in this launch may write the allocation.
    pub(crate) cells: Option<Arc<Cells>>,
}

/// A pointer into global memory: the index of the parameter.
#[derive(Clone, Copy)]
pub struct Global<T: Element> {
    parameter: u32,
    element: PhantomData<T>,
}

impl<T: Element> Global<T> {
    /// The argument of this index. Accesses check that it is memory.
    pub fn from_arg(index: usize, _arg: &Arg) -> Self {
        Global { parameter: index as u32, element: PhantomData }
    }

    #[inline]
    #[track_caller]
    pub fn load(self, index: u64) -> T {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::Read);
        array.allocation.read(at)
    }

    #[inline]
    #[track_caller]
    pub fn store(self, index: u64, value: T) {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::Write);
        engine.note_change(array.allocation.write(at, value));
    }

    /// Where in its allocation, which is aligned, the element is.
    pub(crate) fn byte_at(self, engine: &CarrierThread<'_>, index: u64) -> u64 {
        engine.run.array(self.parameter).start + index * size_of::<T>() as u64
    }

    /// Checks an access and returns its parameter and where in the allocation it goes.
    #[inline]
    #[track_caller]
    fn access<'e>(
        self,
        engine: &'e CarrierThread<'e>,
        index: u64,
        access: Access,
    ) -> (&'e GlobalArray, u64) {
        let location = Location::caller();
        engine.step(location);
        let array = engine.run.array(self.parameter);
        let place = || FindingPlace {
            array: Some(Array::Global(array.name)),
            index: Some(index),
            location,
        };
        if index >= array.len {
            engine.fail(Kind::OutOfBounds { access, len: array.len }, place(), None);
        }
        let bytes = size_of::<T>() as u64;
        let at = array.start + index * bytes;
        engine.note_word(at << 8 | self.parameter as u64 & 0xFF);
        if matches!(access, Access::Read | Access::AtomicRead) {
            if engine.run.check_uninitialized && !array.allocation.is_written(at, bytes) {
                engine.fail(Kind::Uninitialized, place(), None);
            }
        } else if !array.writable {
            engine.fail(Kind::ReadOnly, place(), None);
        }
        if let Some(cells) = &array.cells {
            let site = engine.sites.number(location);
            for cell in cells.range(at, bytes) {
                if let Err(conflict) = cell.touch(engine, engine.run.epoch, access, site) {
                    engine.fail_race(access, place(), conflict);
                }
            }
        }
        if access == Access::Write {
            array.allocation.mark_written(at, bytes);
        }
        (array, at)
    }
}

impl<T: AtomicWord> Global<T> {
    /// An access in one piece, which acquires and releases for a scope if there is one.
    #[inline]
    #[track_caller]
    pub fn atomic(self, index: u64, access: AtomicAccess<T>, scope: Option<Scope>) -> T {
        match access {
            AtomicAccess::Load => self.read(index, scope),
            AtomicAccess::Store(value) => {
                self.write(index, value, scope);
                value
            }
            access => self.update(index, scope, |word| word.after(access)),
        }
    }

    /// Reads a word in one piece; acquires for a scope.
    #[track_caller]
    fn read(self, index: u64, acquires: Option<Scope>) -> T {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::AtomicRead);
        let words = &*array.allocation;
        let value = match size_of::<T>() {
            4 => from_word(words.word_32(at).load(SeqCst).into()),
            _ => from_word(words.word_64(at).load(SeqCst)),
        };
        engine.see(array, at, acquires);
        value
    }

    /// Writes a word in one piece; releases for a scope.
    #[track_caller]
    fn write(self, index: u64, value: T, releases: Option<Scope>) {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::AtomicUpdate);
        engine.publish(array, at, releases, true);
        let words = &*array.allocation;
        let new = to_word(value);
        let changed = match size_of::<T>() {
            4 => words.word_32(at).swap(new as u32, SeqCst) != new as u32,
            _ => words.word_64(at).swap(new, SeqCst) != new,
        };
        array.allocation.mark_written(at, size_of::<T>() as u64);
        engine.note_change(changed);
    }

    /// Applies `change` in one piece and returns the word before; acquires and releases for a scope.
    #[inline]
    #[track_caller]
    fn update(self, index: u64, orders: Option<Scope>, change: impl Fn(T) -> T) -> T {
        let location = Location::caller();
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::AtomicUpdate);
        let bytes = size_of::<T>() as u64;
        if engine.run.check_uninitialized && !array.allocation.is_written(at, bytes) {
            let array = Some(Array::Global(array.name));
            engine.fail(
                Kind::Uninitialized,
                FindingPlace { array, index: Some(index), location },
                None,
            );
        }
        engine.publish(array, at, orders, false);
        let words = &*array.allocation;
        let apply = |word: u64| to_word(change(from_word(word)));
        let before = match size_of::<T>() {
            4 => {
                let apply = |word: u32| Some(apply(word.into()) as u32);
                either(words.word_32(at).try_update(SeqCst, SeqCst, apply)).into()
            }
            _ => either(words.word_64(at).try_update(SeqCst, SeqCst, |word| Some(apply(word)))),
        };
        engine.see(array, at, orders);
        engine.note_change(apply(before) != before);
        from_word(before)
    }
}

fn either<V>(result: Result<V, V>) -> V {
    match result {
        Ok(value) | Err(value) => value,
    }
}
