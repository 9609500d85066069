//! What the running emulated thread reaches through one pointer.

use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use warpwise_launch::Scope;

use crate::block::{RunningBlock, Thread, ThreadState};
use crate::clock::{self, Clock, Stamp, stamp, thread_of, time_of};
use crate::global::GlobalArray;
use crate::launch::{Reach, RunningLaunch};
use crate::race::Conflict;
use crate::report::{Access, Array, Doing, Finding, Kind, Other};
use crate::sites::{self, SiteCache};
use crate::watchdog::{self, Pulse};

thread_local! {
    static CURRENT: Cell<*const CarrierThread<'static>> = const { Cell::new(ptr::null()) };
}

/// The OS thread of a launch: which emulated thread runs on it, and what that may do.
pub(crate) struct CarrierThread<'l> {
    pub(crate) run: &'l RunningLaunch<'l>,
    /// Index in its block of the thread that runs.
    pub(crate) thread: Cell<u32>,
    block: Cell<*const RunningBlock>,
    /// The running thread's moment.
    pub(crate) now: Cell<Stamp>,
    /// Number in the grid of the block's first thread.
    first: Cell<u32>,
    /// Moments of the block before this time are behind a barrier.
    barrier_time: Cell<u32>,
    /// What the watchdog sees, and the steps until the running thread is interrupted.
    pulse: Arc<Pulse>,
    /// The steps that it was given.
    given: Cell<u32>,
    /// Whether memory changed since the scheduler last looked.
    pub(crate) changed: Cell<bool>,
    /// The words that were accessed last, of all threads.
    last_words: [Cell<u64>; 4],
    /// How many accesses of words the running thread made in its turn.
    accesses: Cell<u64>,
    /// How many of these were of none of the last words.
    new_words: Cell<u32>,
    /// Where the running thread was interrupted.
    pub(crate) interrupted_at: Cell<Option<&'static Location<'static>>>,
    pub(crate) sites: SiteCache,
    pub(crate) rng: RefCell<fastrand::Rng>,
}

/// Where a finding is.
pub(crate) struct FindingPlace {
    pub(crate) array: Option<Array>,
    pub(crate) index: Option<u64>,
    pub(crate) location: &'static Location<'static>,
}

impl FindingPlace {
    pub(crate) fn line(location: &'static Location<'static>) -> FindingPlace {
        FindingPlace { array: None, index: None, location }
    }
}

/// The engine of this OS thread, for the length of one intrinsic.
///
/// # Panics
/// Outside a launch.
#[inline]
pub(crate) fn current() -> &'static CarrierThread<'static> {
    let engine = CURRENT.get();
    assert!(!engine.is_null(), "a device function was called outside a kernel");
    // SAFETY: `Entered` sets the pointer while a coroutine runs, and the engine outlives that. The
    // lifetime is longer than the truth; no intrinsic keeps the reference.
    unsafe { &*engine }
}

/// Whether this OS thread runs a kernel's body.
pub(crate) fn in_kernel() -> bool {
    !CURRENT.get().is_null()
}

/// The kernel whose body this OS thread runs, and the lowest address of the stack of the emulated thread.
pub(crate) fn running_kernel() -> Option<(&'static str, usize)> {
    in_kernel().then(|| (current().run.kernel, current().running().lowest.get()))
}

/// A mark: while it lives, this OS thread runs a coroutine of an engine.
pub(crate) struct Entered(*const CarrierThread<'static>);

impl Entered {
    pub(crate) fn new(engine: &CarrierThread<'_>) -> Entered {
        Entered(CURRENT.replace(ptr::from_ref(engine).cast()))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

impl<'l> CarrierThread<'l> {
    pub(crate) fn new(run: &'l RunningLaunch<'l>, seed: u64) -> CarrierThread<'l> {
        CarrierThread {
            run,
            thread: Cell::new(0),
            block: Cell::new(ptr::null()),
            now: Cell::new(0),
            first: Cell::new(0),
            barrier_time: Cell::new(0),
            pulse: watchdog::watch(run.kernel, run.config.compute_limit),
            given: Cell::new(0),
            changed: Cell::new(false),
            last_words: Default::default(),
            accesses: Cell::new(0),
            new_words: Cell::new(0),
            interrupted_at: Cell::new(None),
            sites: SiteCache::new(),
            rng: RefCell::new(fastrand::Rng::with_seed(seed)),
        }
    }

    /// Makes a thread the running one.
    pub(crate) fn switch_to(&self, block: &RunningBlock, thread: u32) {
        self.block.set(block);
        self.thread.set(thread);
        self.pulse.turn_to(block.index, thread);
        self.first.set(block.first);
        self.barrier_time.set(block.barrier_time.get());
        self.now.set(stamp(block.first + thread, block.threads[thread as usize].time.get()));
    }

    #[inline]
    pub(crate) fn block(&self) -> &RunningBlock {
        // SAFETY: `switch_to` set it, and the scheduler keeps the block while its threads run.
        unsafe { &*self.block.get() }
    }

    #[inline]
    pub(crate) fn running(&self) -> &Thread {
        &self.block().threads[self.thread.get() as usize]
    }

    /// Counts an access, before it; now and then another thread goes first.
    #[inline]
    pub(crate) fn step(&self, location: &'static Location<'static>) {
        match self.pulse.fuel.load(Relaxed) {
            0 => self.interrupt(ThreadState::Ready, location),
            fuel => self.pulse.fuel.store(fuel - 1, Relaxed),
        }
    }

    /// Lets the next thread take so many steps.
    pub(crate) fn give(&self, fuel: u32) {
        self.pulse.fuel.store(fuel, Relaxed);
        self.given.set(fuel);
        self.accesses.set(0);
        self.new_words.set(0);
    }

    /// The steps that the thread took since then.
    pub(crate) fn taken(&self) -> u64 {
        (self.given.get() - self.pulse.fuel.load(Relaxed)).into()
    }

    /// Remembers an access of a word, by a number that few other words of the launch have.
    #[inline]
    pub(crate) fn note_word(&self, word: u64) {
        self.accesses.set(self.accesses.get() + 1);
        if !self.last_words.iter().any(|last| last.get() == word) {
            let new = self.new_words.get();
            self.last_words[new as usize % self.last_words.len()].set(word);
            self.new_words.set(new + 1);
        }
    }

    /// Whether the thread did little else in its turn than access a few words again and again, as one does that waits.
    pub(crate) fn waits_for_words(&self) -> bool {
        self.new_words.get() as usize <= 2 * self.last_words.len()
            && 2 * self.accesses.get() >= self.taken()
    }

    /// The steps of the running block so far.
    pub(crate) fn steps(&self) -> u64 {
        self.block().steps.get() + self.taken()
    }

    #[inline]
    pub(crate) fn note_change(&self, changed: bool) {
        if changed {
            self.changed.set(true);
        }
    }

    /// Lets every other thread that can run go first.
    pub(crate) fn sleep(&self, location: &'static Location<'static>) {
        self.interrupt(ThreadState::Sleeping, location);
    }

    #[cold]
    #[inline(never)]
    fn interrupt(&self, state: ThreadState, location: &'static Location<'static>) {
        self.interrupted_at.set(Some(location));
        self.running().state.set(state);
        self.suspend();
    }

    /// Gives the OS thread back to the scheduler until that resumes this thread.
    #[inline(never)]
    pub(crate) fn suspend(&self) {
        let yielder = self.running().yielder.get();
        // SAFETY: set when the coroutine started, and it lives on the stack that runs now.
        unsafe { (*yielder).suspend(()) };
    }

    /// Reports a defect of the running thread. The thread never goes on.
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&self, kind: Kind, place: FindingPlace, other: Option<Other>) -> ! {
        self.report(kind, self.block().index, self.thread.get(), Some(place), other);
        loop {
            self.suspend();
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail_race(&self, access: Access, place: FindingPlace, conflict: Conflict) -> ! {
        let thread = thread_of(conflict.stamp);
        let threads = self.run.block_threads;
        let other = Other {
            block: thread / threads,
            thread: thread % threads,
            doing: Doing::Accessed(conflict.access),
            location: sites::site(conflict.site),
        };
        self.fail(Kind::Race { access }, place, Some(other))
    }

    pub(crate) fn report(
        &self,
        kind: Kind,
        block: u32,
        thread: u32,
        place: Option<FindingPlace>,
        other: Option<Other>,
    ) {
        self.run.report(Finding {
            kind,
            kernel: self.run.kernel,
            block,
            thread,
            array: place.as_ref().and_then(|place| place.array),
            index: place.as_ref().and_then(|place| place.index),
            location: place.map(|place| place.location),
            other,
            seed: self.run.seed,
            launch: self.run.epoch,
        });
    }

    /// Whether the moment is ordered before the running thread's next access.
    #[inline]
    pub(crate) fn is_ordered(&self, stamp: Stamp) -> bool {
        let thread = thread_of(stamp);
        thread == thread_of(self.now.get())
            || (thread.wrapping_sub(self.first.get()) < self.run.block_threads
                && time_of(stamp) < self.barrier_time.get())
            || self.is_known(stamp)
    }

    #[inline(never)]
    fn is_known(&self, stamp: Stamp) -> bool {
        let block = self.block();
        let threads = self.run.block_threads;
        let thread = thread_of(stamp);
        if thread / threads == block.index
            && block.knows_lane(self.thread.get(), thread % threads, time_of(stamp))
        {
            return true;
        }
        let covers = |clock: &Arc<Clock>| clock.covers(stamp, threads);
        block.fenced.get()
            && (block.known.borrow().as_ref().is_some_and(covers)
                || self.running().fences.borrow().known.as_ref().is_some_and(covers))
    }

    /// What the running thread did before becomes visible with its next atomic stores and updates,
    /// and what its atomics saw becomes known.
    pub(crate) fn fence(&self) {
        let fences = &self.running().fences;
        let seen = std::mem::take(&mut fences.borrow_mut().seen);
        seen.iter().for_each(|seen| clock::join(&mut fences.borrow_mut().known, seen));
        let clock = self.release();
        fences.borrow_mut().published = Some(clock);
    }

    /// What the running thread did and knows, for others; what it does from now on is later.
    pub(crate) fn release(&self) -> Arc<Clock> {
        self.run.fenced.set(true);
        let block = self.block();
        block.fenced.set(true);
        let thread = self.running();
        let mut clock = thread.fences.borrow().known.as_deref().cloned().unwrap_or_default();
        if let Some(known) = &*block.known.borrow() {
            clock.join(known);
        }
        clock.know_block(block.index, block.barrier_time.get());
        clock.know_thread(thread_of(self.now.get()), time_of(self.now.get()));
        block.for_each_known_lane(self.thread.get(), |lane, time| {
            clock.know_thread(block.first + lane, time);
        });
        let time = thread.time.get() + 1;
        thread.time.set(time);
        self.now.set(stamp(thread_of(self.now.get()), time));
        Arc::new(clock)
    }

    /// The running thread is about to store to (`replaces`) or update an atomic word, and releases for a scope.
    #[inline]
    pub(crate) fn publish(
        &self,
        array: &GlobalArray,
        at: u64,
        releases: Option<Scope>,
        replaces: bool,
    ) {
        let clock = match releases {
            Some(_) => Some(self.release()),
            None if self.run.fenced.get() => self.running().fences.borrow().published.clone(),
            None => return,
        };
        let is_narrow = releases == Some(Scope::Block);
        let reach = Reach { block: self.block().index, is_narrow };
        self.run.publish(array, at, clock, reach, replaces);
    }

    /// The running thread has read an atomic word, and acquires for a scope.
    #[inline]
    pub(crate) fn see(&self, array: &GlobalArray, at: u64, acquires: Option<Scope>) {
        if !self.run.fenced.get() {
            return;
        }
        let is_narrow = acquires == Some(Scope::Block);
        let reach = Reach { block: self.block().index, is_narrow };
        if let Some(clock) = self.run.published(array, at, reach) {
            let mut fences = self.running().fences.borrow_mut();
            match acquires {
                Some(_) => {
                    self.block().fenced.set(true);
                    clock::join(&mut fences.known, &clock);
                }
                None => fences.see(clock),
            }
        }
    }
}
