//! What a thread knows of others through fences and atomics.

use std::collections::HashMap;
use std::sync::Arc;

/// A moment of a thread: its number in the grid and its time, which barriers, warp syncs and fences
/// advance. Zero is no moment.
pub(crate) type Stamp = u64;

pub(crate) fn stamp(thread: u32, time: u32) -> Stamp {
    u64::from(thread) << 32 | u64::from(time)
}

#[inline]
pub(crate) fn thread_of(stamp: Stamp) -> u32 {
    (stamp >> 32) as u32
}

#[inline]
pub(crate) fn time_of(stamp: Stamp) -> u32 {
    stamp as u32
}

/// A sparse vector clock.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock {
    /// The time before which all threads of a block are known, by block.
    blocks: HashMap<u32, u32>,
    /// The time up to which a thread is known, by its number in the grid.
    threads: HashMap<u32, u32>,
}

impl Clock {
    pub(crate) fn know_block(&mut self, block: u32, before: u32) {
        let known = self.blocks.entry(block).or_default();
        *known = before.max(*known);
    }

    pub(crate) fn know_thread(&mut self, thread: u32, time: u32) {
        let known = self.threads.entry(thread).or_default();
        *known = time.max(*known);
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        other.blocks.iter().for_each(|(&block, &before)| self.know_block(block, before));
        other.threads.iter().for_each(|(&thread, &time)| self.know_thread(thread, time));
    }

    pub(crate) fn covers(&self, stamp: Stamp, block_threads: u32) -> bool {
        let (thread, time) = (thread_of(stamp), time_of(stamp));
        self.threads.get(&thread).is_some_and(|&known| time <= known)
            || self.blocks.get(&(thread / block_threads)).is_some_and(|&before| time < before)
    }
}

/// `into` joined with `other`, without a copy where one of them is nothing.
pub(crate) fn join(into: &mut Option<Arc<Clock>>, other: &Arc<Clock>) {
    match into {
        None => *into = Some(other.clone()),
        Some(known) if Arc::ptr_eq(known, other) => {}
        Some(known) => Arc::make_mut(known).join(other),
    }
}

/// The clocks that fences and atomics of one thread go by.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    /// The clock of the others, as this thread knows it.
    pub(crate) known: Option<Arc<Clock>>,
    /// The clocks that this thread has seen by atomics and will know after its next fence.
    pub(crate) seen: Vec<Arc<Clock>>,
    /// The clock that this thread knew at its last fence, and that its atomics publish.
    pub(crate) published: Option<Arc<Clock>>,
}

impl Fences {
    pub(crate) fn see(&mut self, clock: Arc<Clock>) {
        if !self.seen.last().is_some_and(|last| Arc::ptr_eq(last, &clock)) {
            self.seen.push(clock);
        }
    }
}
