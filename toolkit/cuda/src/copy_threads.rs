//! Copies of host memory by several threads.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

/// Bytes that a thread copies at a time: 16 threads share a piece of staging. (On an H200's host of 16
/// threads, 512 MB: 42 GB/s, against 36 with pieces of eight tasks and three buffers.)
const GRAIN: usize = 512 << 10;

/// For how long a thread looks for work before it sleeps: the pieces of an upload follow one another
/// faster than threads wake.
const SPIN: Duration = Duration::from_micros(100);

/// Threads that copy memory and do nothing else. Who waits for a copy is never handed other work, so a
/// caller may hold what it likes.
pub(crate) struct CopyThreads {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

impl CopyThreads {
    /// `count` threads, of which the caller of [`copy`](Self::copy) is one. Where the system gives
    /// fewer, copies take longer.
    pub(crate) fn new(count: NonZeroUsize) -> CopyThreads {
        let queue = Arc::new(Queue::default());
        let start = |_| {
            let queue = queue.clone();
            thread::Builder::new().name("copy".into()).spawn(move || queue.serve()).ok()
        };
        let threads = (1..count.get()).filter_map(start).collect();
        CopyThreads { queue, threads }
    }

    /// Copies `from` to `to`.
    ///
    /// # Panics
    /// If they differ in length.
    pub(crate) fn copy(&self, to: &mut [u8], from: &[u8]) {
        assert_eq!(to.len(), from.len(), "copy of another length");
        let grains = from.len().div_ceil(GRAIN);
        if self.threads.is_empty() || grains < 2 {
            return to.copy_from_slice(from);
        }
        let job = Arc::new(Job {
            to: to.as_mut_ptr(),
            from: from.as_ptr(),
            bytes: from.len(),
            next: AtomicUsize::new(0),
            left: AtomicUsize::new(grains),
            caller: thread::current(),
        });
        self.queue.push(job.clone());
        job.work();
        let is_done = || job.left.load(Acquire) == 0;
        if !spin_until(is_done) {
            while !is_done() {
                thread::park();
            }
        }
    }
}

impl Drop for CopyThreads {
    fn drop(&mut self) {
        self.queue.lock().is_closed = true;
        self.queue.changed();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Looks for a while whether `is_true`, and gives the core to others in between.
fn spin_until(is_true: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_true() {
        if start.elapsed() > SPIN {
            return false;
        }
        thread::yield_now();
    }
    true
}

/// A copy under way.
struct Job {
    to: *mut u8,
    from: *const u8,
    bytes: usize,
    /// The first grain that nobody has taken.
    next: AtomicUsize,
    /// Grains that are not copied yet. The memory is the job's until there are none.
    left: AtomicUsize,
    caller: Thread,
}

// SAFETY: the memory is touched for grains that were taken only, each by one thread, and while the caller
// of `copy`, which borrows it, waits.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    fn is_taken(&self) -> bool {
        self.next.load(Relaxed) * GRAIN >= self.bytes
    }

    /// Copies grains until all are taken.
    fn work(&self) {
        loop {
            let start = self.next.fetch_add(1, Relaxed) * GRAIN;
            if start >= self.bytes {
                return;
            }
            let bytes = GRAIN.min(self.bytes - start);
            // SAFETY: the range lies in both slices, and this thread alone has taken it. The slices
            // are borrowed by `copy`, which waits for `left`.
            unsafe {
                self.to.add(start).copy_from_nonoverlapping(self.from.add(start), bytes);
            }
            // The caller may be gone as soon as the last grain is copied.
            let caller = self.caller.clone();
            if self.left.fetch_sub(1, AcqRel) == 1 {
                caller.unpark();
            }
        }
    }
}

/// Copies that threads may take part in.
#[derive(Default)]
struct Queue {
    jobs: Mutex<Jobs>,
    /// How often the queue changed, for threads that look without the lock.
    changes: AtomicUsize,
    wake: Condvar,
}

#[derive(Default)]
struct Jobs {
    open: VecDeque<Arc<Job>>,
    is_closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, job: Arc<Job>) {
        self.lock().open.push_back(job);
        self.changed();
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Release);
        self.wake.notify_all();
    }

    /// Copies what there is to copy, until the queue is closed.
    fn serve(&self) {
        loop {
            let seen = self.changes.load(Acquire);
            let mut jobs = self.lock();
            jobs.open.retain(|job| !job.is_taken());
            if jobs.is_closed {
                return;
            }
            if let Some(job) = jobs.open.front().cloned() {
                drop(jobs);
                job.work();
                continue;
            }
            drop(jobs);
            if !spin_until(|| self.changes.load(Relaxed) != seen) {
                let jobs = self.lock();
                let is_idle = |jobs: &mut Jobs| jobs.open.is_empty() && !jobs.is_closed;
                drop(self.wake.wait_while(jobs, is_idle).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::thread;

    use super::{CopyThreads, GRAIN};

    #[test]
    fn every_byte_is_copied_once_whatever_the_threads_and_lengths() {
        for threads in [1, 2, 3, 8] {
            let threads = CopyThreads::new(NonZeroUsize::new(threads).unwrap());
            for bytes in [0, 1, GRAIN - 1, GRAIN, GRAIN + 1, 2 * GRAIN, 7 * GRAIN + 13] {
                let from: Vec<u8> = (0..bytes).map(|i| (i * 31 % 251) as u8).collect();
                let mut to = vec![0xFF; bytes + 2];
                threads.copy(&mut to[1..=bytes], &from);
                assert_eq!((to[0], to[bytes + 1]), (0xFF, 0xFF));
                assert!(to[1..=bytes] == from, "{bytes} bytes");
            }
        }
    }

    #[test]
    fn several_callers_share_the_threads() {
        let threads = CopyThreads::new(NonZeroUsize::new(4).unwrap());
        thread::scope(|scope| {
            for caller in 0..8u8 {
                let threads = &threads;
                scope.spawn(move || {
                    for round in 0..20u8 {
                        let from = vec![caller ^ round; 3 * GRAIN + 5];
                        let mut to = vec![!from[0]; from.len()];
                        threads.copy(&mut to, &from);
                        assert!(to == from, "caller {caller}, round {round}");
                    }
                });
            }
        });
    }

    #[test]
    fn threads_that_sleep_wake_for_the_next_copy() {
        let threads = CopyThreads::new(NonZeroUsize::new(3).unwrap());
        for round in 0..5u8 {
            let from = vec![round; 2 * GRAIN];
            let mut to = vec![0xFF; from.len()];
            threads.copy(&mut to, &from);
            assert!(to == from);
            // Longer than threads look for work before they sleep.
            thread::sleep(2 * super::SPIN);
        }
    }
}
