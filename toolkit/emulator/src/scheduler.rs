//! Which block and which thread goes next.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::rc::Rc;

use corosensei::stack::Stack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::block::{RunningBlock, ThreadState};
use crate::cluster::Cluster;
use crate::config::{Config, Schedule};
use crate::engine::{self, CarrierThread, Entered, FindingPlace};
use crate::launch::RunningLaunch;
use crate::panics;
use crate::report::{EmulatorError, Kind};
use crate::shared::SharedMemory;
use crate::stacks::Stacks;
use crate::warp_ops;

/// Threads of all resident blocks, beyond the first two blocks.
const RESIDENT_THREADS: u32 = 2048;

/// Steps between two interruptions of a thread in an ordered schedule.
const ORDERED_FUEL: u32 = 4096;

/// Steps for each thread under way that are no reason to give up: many threads may each read much before one of them writes.
const IDLE_STEPS: u64 = 1 << 14;

/// The share of the steps without a change after which threads that do nothing but wait are given up.
const WAITING_SHARE: u64 = 32;

/// What a sleep counts as, in steps.
const SLEEP_STEPS: u64 = 64;

/// Runs the blocks of a launch, on this OS thread.
pub(crate) fn run_blocks(run: &RunningLaunch<'_>, seed: u64) {
    let threads = run.block_threads;
    let fitting = resident_blocks(run.config, threads).max(run.shape.cluster);
    let most = fitting.min(run.blocks) as usize;
    let engine = CarrierThread::new(run, seed);
    Scheduler {
        engine: &engine,
        stacks: Stacks::reserve(most * threads as usize),
        resident: Vec::with_capacity(most),
        idle_shared: Vec::new(),
        idle_steps: 0,
        waiting_steps: 0,
    }
    .run(most);
}

/// How many blocks of `threads` threads are under way at a time, at most.
pub(crate) fn resident_blocks(config: &Config, threads: u32) -> u32 {
    let fitting = (RESIDENT_THREADS / threads).max(2);
    config.resident_blocks.clamp(1, fitting)
}

struct Scheduler<'e> {
    engine: &'e CarrierThread<'e>,
    resident: Vec<Rc<RunningBlock>>,
    /// The stacks, after `resident`, whose coroutines end before their stacks go.
    stacks: Stacks,
    idle_shared: Vec<SharedMemory>,
    /// Steps since memory changed or a thread returned.
    idle_steps: u64,
    /// Steps since then in which every thread that had its turn accessed a few words again and again.
    waiting_steps: u64,
}

impl Scheduler<'_> {
    fn run(&mut self, most: usize) {
        let run = self.engine.run;
        let mut turn = 0;
        loop {
            let together = run.shape.cluster as usize;
            while self.resident.len() + together <= most && self.start_cluster() {}
            if self.resident.is_empty() {
                return;
            }
            if self.is_shuffled() {
                turn = self.engine.rng.borrow_mut().usize(..self.resident.len());
            } else if turn >= self.resident.len() {
                turn = 0;
            }
            let block = self.resident[turn].clone();
            self.slice(&block);
            if run.stop.get() {
                return;
            }
            if block.is_done() {
                self.resident.remove(turn);
                let block = Rc::into_inner(block).expect("nobody else keeps a block");
                self.idle_shared.push(block.shared);
                continue;
            }
            if block.ready.borrow().is_empty() && !block.waits_for_cluster() {
                if block.sleeping.borrow().is_empty() {
                    self.report_stuck(&block);
                    return;
                }
                block.ready.borrow_mut().append(&mut block.sleeping.borrow_mut());
            }
            turn += 1;
        }
    }

    /// Starts the blocks of the next cluster, and says whether there was one.
    fn start_cluster(&mut self) -> bool {
        let run = self.engine.run;
        let cluster = Rc::new(Cluster::default());
        for _ in 0..run.shape.cluster {
            let Some(index) = run.take_block() else { return false };
            let shared = self.idle_shared.pop();
            let shared = shared.unwrap_or_else(|| SharedMemory::new(run.shape.shared_bytes));
            let block = RunningBlock::new(index, run.block_threads, shared, cluster.clone());
            let block = Rc::new(block);
            cluster.join(&block);
            self.resident.push(block);
        }
        true
    }

    fn is_shuffled(&self) -> bool {
        self.engine.run.config.schedule == Schedule::Shuffled
    }

    /// Runs threads of one block for a while, or until none can run.
    fn slice(&mut self, block: &RunningBlock) {
        let threads = block.threads.len();
        let resumes = if self.is_shuffled() {
            self.engine.rng.borrow_mut().usize(1..=4 * threads)
        } else {
            64 * threads
        };
        for _ in 0..resumes {
            let Some(thread) = self.next_thread(block) else { return };
            self.resume(block, thread);
            if self.engine.run.stop.get() {
                return;
            }
        }
    }

    fn next_thread(&self, block: &RunningBlock) -> Option<u32> {
        let mut ready = block.ready.borrow_mut();
        if self.is_shuffled() && ready.len() > 1 {
            let chosen = self.engine.rng.borrow_mut().usize(..ready.len());
            return ready.swap_remove_back(chosen);
        }
        ready.pop_front()
    }

    /// Runs one thread until it waits, is interrupted or returns.
    fn resume(&mut self, block: &RunningBlock, index: u32) {
        let engine = self.engine;
        let thread = &block.threads[index as usize];
        let mut coroutine = thread.coroutine.borrow_mut();
        if coroutine.is_none() {
            match self.stacks.take() {
                Ok(stack) => {
                    thread.lowest.set(stack.limit().get());
                    *coroutine = Some(Coroutine::with_stack(stack, thread_main));
                }
                Err(error) => {
                    let message = error.to_string();
                    return engine.run.fail(EmulatorError::NoStack { message });
                }
            }
        }
        let fuel = if self.is_shuffled() {
            let most = engine.run.config.preempt_every.saturating_mul(2).max(1);
            engine.rng.borrow_mut().u32(1..=most)
        } else {
            ORDERED_FUEL
        };
        engine.give(fuel);
        engine.switch_to(block, index);
        let result = {
            let _entered = Entered::new(engine);
            let coroutine = coroutine.as_mut().expect("it was made above");
            catch_unwind(AssertUnwindSafe(|| coroutine.resume(())))
        };
        let mut steps = engine.taken() + 1;
        let mut progress = engine.changed.replace(false);
        let mut waits = engine.waits_for_words();
        match result {
            Ok(CoroutineResult::Yield(())) => {
                drop(coroutine);
                match thread.state.get() {
                    // A barrier or warp operation that it completed has released it already.
                    ThreadState::Ready if engine.interrupted_at.get().is_some() => {
                        block.ready.borrow_mut().push_back(index);
                    }
                    ThreadState::Sleeping => {
                        thread.state.set(ThreadState::Ready);
                        block.sleeping.borrow_mut().push_back(index);
                        steps += SLEEP_STEPS;
                    }
                    // It came to a barrier or a warp operation, as one does that works.
                    _ => waits = false,
                }
            }
            Ok(CoroutineResult::Return(())) => {
                let coroutine = coroutine.take().expect("it has just run");
                self.stacks.give_back(coroutine.into_stack());
                block.on_return(engine, index);
                progress = true;
            }
            Err(payload) => {
                let kind = Kind::Panic { message: panics::message(&*payload) };
                let place = panics::take_location().map(FindingPlace::line);
                engine.report(kind, block.index, index, place, None);
            }
        }
        self.account(block, index, steps, progress, waits);
        engine.interrupted_at.set(None);
    }

    /// Counts steps and gives up on a block that never ends.
    fn account(
        &mut self,
        block: &RunningBlock,
        thread: u32,
        steps: u64,
        progress: bool,
        waits: bool,
    ) {
        let run = self.engine.run;
        block.steps.set(block.steps.get() + steps);
        self.idle_steps = if progress { 0 } else { self.idle_steps + steps };
        self.waiting_steps = if progress || !waits { 0 } else { self.waiting_steps + steps };
        let threads: usize = self.resident.iter().map(|block| block.threads.len()).sum();
        let most = run.config.idle_limit.saturating_add(IDLE_STEPS * threads as u64);
        if self.idle_steps > most
            || self.waiting_steps > most / WAITING_SHARE
            || block.steps.get() > run.config.step_limit
        {
            let place = self.engine.interrupted_at.get().map(FindingPlace::line);
            let is_waiting = |state: ThreadState| {
                !matches!(state, ThreadState::Ready | ThreadState::Sleeping | ThreadState::Returned)
            };
            let waiting = block.threads.iter().position(|thread| is_waiting(thread.state.get()));
            let other = waiting.map(|waiting| warp_ops::other(block, waiting as u32));
            let kind = Kind::NeverEnds { steps: block.steps.get() };
            self.engine.report(kind, block.index, thread, place, other);
        }
    }

    /// No thread of a block can go on, and none sleeps.
    fn report_stuck(&self, block: &RunningBlock) {
        let (thread, location, other) =
            warp_ops::stuck(block).expect("at a barrier alone all threads would be released");
        let place = Some(FindingPlace::line(location));
        self.engine.report(Kind::Deadlock, block.index, thread, place, Some(other));
    }
}

/// What a coroutine runs: the kernel's body, as the engine's running thread.
fn thread_main(yielder: &Yielder<(), ()>, (): ()) {
    let engine = engine::current();
    engine.running().yielder.set(ptr::from_ref(yielder));
    (engine.run.body)(engine.run.args);
}
