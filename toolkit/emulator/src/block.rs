//! A block under way: its threads, its barrier and its warps.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::panic::Location;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, Yielder};

use crate::bulk::Mbarriers;
use crate::clock::{self, Clock, Fences};
use crate::cluster::Cluster;
use crate::copies::Copies;
use crate::engine::{CarrierThread, FindingPlace};
use crate::report::{Doing, Kind, Other};
use crate::shared::SharedMemory;
use crate::warp_ops::Warp;

pub(crate) const LANES: u32 = 32;

/// The place of a call in the kernel's source.
pub(crate) type SourceLine = &'static Location<'static>;

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThreadState {
    /// The thread can run, or runs.
    Ready,
    /// The thread lets others go first.
    Sleeping,
    /// The thread waits at a barrier of the block.
    AtBarrier(SourceLine),
    /// The thread waits in a warp operation.
    InWarpOperation { mask: u32, location: SourceLine },
    /// The thread is done.
    Returned,
}

/// One emulated thread.
pub(crate) struct Thread {
    /// None before the first run and after the last.
    pub(crate) coroutine: RefCell<Option<Coroutine<(), (), (), DefaultStack>>>,
    /// The lowest address of the coroutine's stack, of its guard page.
    pub(crate) lowest: Cell<usize>,
    /// How the running coroutine suspends itself.
    pub(crate) yielder: Cell<*const Yielder<(), ()>>,
    pub(crate) state: Cell<ThreadState>,
    /// The thread's moment: see [`clock::stamp`].
    pub(crate) time: Cell<u32>,
    /// What the thread brings to a warp operation: its value, and a lane or distance.
    pub(crate) operands: Cell<(u64, u32)>,
    /// What the thread takes from a warp operation.
    pub(crate) result: Cell<u64>,
    pub(crate) fences: RefCell<Fences>,
    pub(crate) copies: RefCell<Copies>,
}

impl Thread {
    fn new() -> Thread {
        Thread {
            coroutine: RefCell::new(None),
            lowest: Cell::new(0),
            yielder: Cell::new(ptr::null()),
            state: Cell::new(ThreadState::Ready),
            time: Cell::new(1),
            operands: Cell::new((0, 0)),
            result: Cell::new(0),
            fences: RefCell::default(),
            copies: RefCell::default(),
        }
    }

    /// What the thread is doing, as the other thread of a finding.
    pub(crate) fn as_other(&self, block: u32, thread: u32) -> Other {
        let (doing, location) = match self.state.get() {
            ThreadState::Returned => (Doing::Returned, None),
            ThreadState::AtBarrier(location) => (Doing::AtBarrier, Some(location)),
            ThreadState::InWarpOperation { mask, location } => {
                (Doing::InWarpOperation { mask }, Some(location))
            }
            ThreadState::Ready | ThreadState::Sleeping => (Doing::Running, None),
        };
        Other { block, thread, doing, location }
    }
}

/// A block under way.
pub(crate) struct RunningBlock {
    pub(crate) index: u32,
    /// The number of the block's first thread in the grid.
    pub(crate) first: u32,
    pub(crate) threads: Box<[Thread]>,
    pub(crate) warps: Box<[Warp]>,
    pub(crate) shared: SharedMemory,
    pub(crate) cluster: Rc<Cluster>,
    /// The number of threads that wait for the cluster.
    pub(crate) at_cluster: Cell<u32>,
    pub(crate) mbarriers: RefCell<Mbarriers>,
    /// Threads that can run, in the order in which they became able to.
    pub(crate) ready: RefCell<VecDeque<u32>>,
    pub(crate) sleeping: RefCell<VecDeque<u32>>,
    /// The number of threads that wait at the barrier.
    waiting: Cell<u32>,
    /// The number of waiting threads that brought a predicate that holds.
    votes: Cell<u32>,
    /// The votes at the last barrier.
    counted: Cell<u32>,
    /// The first thread that waits, and the number of its line.
    barrier: Cell<Option<(u32, u16)>>,
    pub(crate) returned: Cell<u32>,
    first_returned: Cell<Option<u32>>,
    /// Moments before this time are behind a barrier, for all threads.
    pub(crate) barrier_time: Cell<u32>,
    /// The time up to which each thread knows the lanes of its warp. Empty before the first sync.
    lanes_known: RefCell<Vec<[u32; LANES as usize]>>,
    /// Whether any thread used a fence.
    pub(crate) fenced: Cell<bool>,
    /// The clock of other blocks that all threads know.
    pub(crate) known: RefCell<Option<Arc<Clock>>>,
    pub(crate) steps: Cell<u64>,
}

impl RunningBlock {
    pub(crate) fn new(
        index: u32,
        threads: u32,
        shared: SharedMemory,
        cluster: Rc<Cluster>,
    ) -> RunningBlock {
        shared.reset();
        RunningBlock {
            index,
            first: index * threads,
            threads: (0..threads).map(|_| Thread::new()).collect(),
            warps: (0..threads.div_ceil(LANES)).map(|_| Warp::default()).collect(),
            shared,
            cluster,
            at_cluster: Cell::new(0),
            mbarriers: RefCell::default(),
            ready: RefCell::new((0..threads).collect()),
            sleeping: RefCell::default(),
            waiting: Cell::new(0),
            votes: Cell::new(0),
            counted: Cell::new(0),
            barrier: Cell::new(None),
            returned: Cell::new(0),
            first_returned: Cell::new(None),
            barrier_time: Cell::new(1),
            lanes_known: RefCell::default(),
            fenced: Cell::new(false),
            known: RefCell::default(),
            steps: Cell::new(0),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.returned.get() as usize == self.threads.len()
    }

    /// A thread can run again.
    pub(crate) fn release(&self, thread: u32) {
        self.threads[thread as usize].state.set(ThreadState::Ready);
        self.ready.borrow_mut().push_back(thread);
    }

    /// The first thread that waits at the barrier.
    pub(crate) fn barrier_waiter(&self) -> Option<Other> {
        let (thread, _) = self.barrier.get()?;
        Some(self.threads[thread as usize].as_other(self.index, thread))
    }

    /// Whether all threads wait for the cluster.
    pub(crate) fn waits_for_cluster(&self) -> bool {
        self.at_cluster.get() as usize == self.threads.len()
    }

    pub(crate) fn release_barrier(&self) {
        let latest = self.threads.iter().map(|thread| thread.time.get()).max();
        let time = latest.expect("a block has threads") + 1;
        self.barrier_time.set(time);
        self.barrier.set(None);
        self.waiting.set(0);
        self.counted.set(self.votes.take());
        for (i, thread) in self.threads.iter().enumerate() {
            thread.time.set(time);
            self.release(i as u32);
            if self.fenced.get()
                && let Some(known) = thread.fences.borrow_mut().known.take()
            {
                clock::join(&mut self.known.borrow_mut(), &known);
            }
        }
    }

    /// A thread has returned: nobody may be waiting for it.
    pub(crate) fn on_return(&self, engine: &CarrierThread<'_>, thread: u32) {
        self.threads[thread as usize].state.set(ThreadState::Returned);
        self.returned.set(self.returned.get() + 1);
        self.first_returned.set(self.first_returned.get().or(Some(thread)));
        let other = self.threads[thread as usize].as_other(self.index, thread);
        if let Some((waiter, _)) = self.barrier.get() {
            let ThreadState::AtBarrier(location) = self.threads[waiter as usize].state.get() else {
                unreachable!("the first at a barrier waits there")
            };
            let place = Some(FindingPlace::line(location));
            engine.report(Kind::BarrierDivergence, self.index, waiter, place, Some(other));
        }
        self.cluster.on_return(engine, other);
        let lane = thread % LANES;
        if let Some((waiter, mask, location)) = self.warps[(thread / LANES) as usize].leave(lane) {
            let waiter = thread - lane + waiter;
            let place = Some(FindingPlace::line(location));
            engine.report(Kind::WarpDivergence { mask }, self.index, waiter, place, Some(other));
        }
    }

    /// The lanes of `mask` of a warp know of one another what each has done so far.
    pub(crate) fn order_lanes(&self, warp: u32, mask: u32) {
        let mut known = self.lanes_known.borrow_mut();
        known.resize(self.threads.len(), [0; LANES as usize]);
        let first = (warp * LANES) as usize;
        let lanes = || (0..LANES as usize).filter(|lane| mask >> lane & 1 == 1);
        let mut joint = [0; LANES as usize];
        for lane in lanes() {
            for (joint, &time) in joint.iter_mut().zip(&known[first + lane]) {
                *joint = time.max(*joint);
            }
            joint[lane] = self.threads[first + lane].time.get();
        }
        let mut fences: Option<Arc<Clock>> = None;
        for lane in lanes() {
            known[first + lane] = joint;
            let thread = &self.threads[first + lane];
            thread.time.set(thread.time.get() + 1);
            if self.fenced.get()
                && let Some(known) = &thread.fences.borrow().known
            {
                clock::join(&mut fences, known);
            }
        }
        if let Some(fences) = fences {
            lanes().for_each(|lane| {
                self.threads[first + lane].fences.borrow_mut().known = Some(fences.clone());
            });
        }
    }

    /// Whether syncs of its warp let `thread` know `other` at `time`.
    pub(crate) fn knows_lane(&self, thread: u32, other: u32, time: u32) -> bool {
        thread / LANES == other / LANES
            && self
                .lanes_known
                .borrow()
                .get(thread as usize)
                .is_some_and(|known| time <= known[(other % LANES) as usize])
    }

    /// Calls `each` with the other lanes that syncs of its warp let `thread` know, and up to when.
    pub(crate) fn for_each_known_lane(&self, thread: u32, mut each: impl FnMut(u32, u32)) {
        if let Some(known) = self.lanes_known.borrow().get(thread as usize) {
            let first = thread - thread % LANES;
            for (lane, &time) in known.iter().enumerate().filter(|&(_, &time)| time > 0) {
                each(first + lane as u32, time);
            }
        }
    }
}

impl CarrierThread<'_> {
    /// The running thread waits for all others of its block; returns for how many `predicate` holds.
    pub(crate) fn sync_threads(&self, predicate: bool, location: SourceLine) -> u32 {
        self.step(location);
        let block = self.block();
        let site = self.sites.number(location);
        let diverges = |thread: u32| -> ! {
            let other = block.threads[thread as usize].as_other(block.index, thread);
            self.fail(Kind::BarrierDivergence, FindingPlace::line(location), Some(other))
        };
        if let Some(returned) = block.first_returned.get() {
            diverges(returned);
        }
        if block.at_cluster.get() > 0 {
            let place = FindingPlace::line(location);
            self.fail(Kind::BarrierDivergence, place, block.cluster.waiter());
        }
        match block.barrier.get() {
            Some((first, other_site)) if other_site != site => diverges(first),
            Some(_) => {}
            None => block.barrier.set(Some((self.thread.get(), site))),
        }
        self.running().state.set(ThreadState::AtBarrier(location));
        block.waiting.set(block.waiting.get() + 1);
        block.votes.set(block.votes.get() + u32::from(predicate));
        if block.waiting.get() as usize == block.threads.len() {
            block.release_barrier();
        }
        self.suspend();
        block.counted.get()
    }
}
