//! Global memory as the emulated kernel sees it: a parameter, checked at every access.

use std::marker::PhantomData;
use std::mem::transmute_copy;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

use tribin_launch::{Arg, Element};

use crate::engine::{self, Engine, Place};
use crate::memory::{Allocation, Cells};
use crate::report::{Access, Array, Kind};

/// A parameter in global memory, as the launch resolved it.
pub(crate) struct GlobalArray {
    pub(crate) name: &'static str,
    pub(crate) len: u64,
    pub(crate) element_bytes: u32,
    pub(crate) writable: bool,
    pub(crate) allocation: Arc<Allocation>,
    /// Where in the allocation it starts, in bytes.
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

/// A word that atomic operations work on.
pub trait AtomicWord: Copy + Eq {
    /// The sum modulo the word's range.
    fn sum(self, other: Self) -> Self;
    /// The larger one.
    fn larger(self, other: Self) -> Self;
    /// The bits of both.
    fn union(self, other: Self) -> Self;
}

macro_rules! atomic_word {
    ($word:ty) => {
        impl AtomicWord for $word {
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn larger(self, other: Self) -> Self {
                self.max(other)
            }
            fn union(self, other: Self) -> Self {
                self | other
            }
        }
    };
}

atomic_word!(u32);
atomic_word!(u64);

impl<T: Element> Global<T> {
    pub unsafe fn from_arg(index: usize, _arg: &Arg) -> Self {
        Global { parameter: index as u32, element: PhantomData }
    }

    #[inline]
    #[track_caller]
    pub unsafe fn load(self, index: u64) -> T {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::Read);
        let words = &*array.allocation;
        match size_of::<T>() {
            2 => transmute_copy(&words.word_16(at).load(Relaxed)),
            4 => transmute_copy(&words.word_32(at).load(Relaxed)),
            8 => transmute_copy(&words.word_64(at).load(Relaxed)),
            _ => {
                let halves = [words.word_64(at), words.word_64(at + 8)];
                transmute_copy(&halves.map(|word| word.load(Relaxed)))
            }
        }
    }

    #[inline]
    #[track_caller]
    pub unsafe fn store(self, index: u64, value: T) {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::Write);
        let words = &*array.allocation;
        let changed = match size_of::<T>() {
            2 => {
                let new: u16 = transmute_copy(&value);
                replace(
                    new,
                    || words.word_16(at).load(Relaxed),
                    |v| words.word_16(at).store(v, Relaxed),
                )
            }
            4 => {
                let new: u32 = transmute_copy(&value);
                replace(
                    new,
                    || words.word_32(at).load(Relaxed),
                    |v| words.word_32(at).store(v, Relaxed),
                )
            }
            8 => {
                let new: u64 = transmute_copy(&value);
                replace(
                    new,
                    || words.word_64(at).load(Relaxed),
                    |v| words.word_64(at).store(v, Relaxed),
                )
            }
            _ => {
                let new: [u64; 2] = transmute_copy(&value);
                let halves = [words.word_64(at), words.word_64(at + 8)];
                replace(
                    new,
                    || halves.map(|word| word.load(Relaxed)),
                    |v| halves.iter().zip(v).for_each(|(word, v)| word.store(v, Relaxed)),
                )
            }
        };
        engine.note_change(changed);
    }

    /// Checks an access and returns its parameter and where in the allocation it goes.
    #[inline]
    #[track_caller]
    fn access<'e>(
        self,
        engine: &'e Engine<'e>,
        index: u64,
        access: Access,
    ) -> (&'e GlobalArray, u64) {
        let location = Location::caller();
        engine.step(location);
        let array = engine.run.array(self.parameter);
        let place =
            || Place { array: Some(Array::Global(array.name)), index: Some(index), location };
        if index >= array.len {
            engine.fail(Kind::OutOfBounds { access, len: array.len }, place(), None);
        }
        let bytes = size_of::<T>() as u64;
        let at = array.start + index * bytes;
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

/// Stores `new` and says whether that changed the word.
#[inline]
fn replace<V: Copy + PartialEq>(new: V, load: impl Fn() -> V, store: impl Fn(V)) -> bool {
    let changed = load() != new;
    store(new);
    changed
}

impl<T: Element + AtomicWord> Global<T> {
    #[track_caller]
    pub unsafe fn atomic_add(self, index: u64, value: T) -> T {
        self.update(index, |word| word.sum(value))
    }

    #[track_caller]
    pub unsafe fn atomic_max(self, index: u64, value: T) -> T {
        self.update(index, |word| word.larger(value))
    }

    #[track_caller]
    pub unsafe fn atomic_or(self, index: u64, value: T) -> T {
        self.update(index, |word| word.union(value))
    }

    #[track_caller]
    pub unsafe fn atomic_load(self, index: u64) -> T {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::AtomicRead);
        let words = &*array.allocation;
        let value = match size_of::<T>() {
            4 => transmute_copy(&words.word_32(at).load(SeqCst)),
            _ => transmute_copy(&words.word_64(at).load(SeqCst)),
        };
        engine.see(array, at);
        value
    }

    #[track_caller]
    pub unsafe fn atomic_store(self, index: u64, value: T) {
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::AtomicUpdate);
        engine.publish(array, at, !engine.parallel);
        let words = &*array.allocation;
        let changed = match size_of::<T>() {
            4 => {
                let new = transmute_copy(&value);
                words.word_32(at).swap(new, SeqCst) != new
            }
            _ => {
                let new = transmute_copy(&value);
                words.word_64(at).swap(new, SeqCst) != new
            }
        };
        array.allocation.mark_written(at, size_of::<T>() as u64);
        engine.note_change(changed);
    }

    /// Applies `change` in one piece and returns the word before.
    #[inline]
    #[track_caller]
    unsafe fn update(self, index: u64, change: impl Fn(T) -> T) -> T {
        let location = Location::caller();
        let engine = engine::current();
        let (array, at) = self.access(engine, index, Access::AtomicUpdate);
        let bytes = size_of::<T>() as u64;
        if engine.run.check_uninitialized && !array.allocation.is_written(at, bytes) {
            let array = Some(Array::Global(array.name));
            engine.fail(Kind::Uninitialized, Place { array, index: Some(index), location }, None);
        }
        engine.publish(array, at, false);
        let words = &*array.allocation;
        let before: T = match size_of::<T>() {
            4 => {
                let apply = |word: u32| Some(transmute_copy(&change(transmute_copy(&word))));
                transmute_copy(&either(words.word_32(at).try_update(SeqCst, SeqCst, apply)))
            }
            _ => {
                let apply = |word: u64| Some(transmute_copy(&change(transmute_copy(&word))));
                transmute_copy(&either(words.word_64(at).try_update(SeqCst, SeqCst, apply)))
            }
        };
        engine.see(array, at);
        engine.note_change(change(before) != before);
        before
    }
}

fn either<V>(result: Result<V, V>) -> V {
    match result {
        Ok(value) | Err(value) => value,
    }
}
