//! Host memory that several threads write.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::sync::thread::{self, JoinHandle, Thread};
use super::sync::{Arc, AtomicUsize, Condvar, Mutex, MutexGuard, spin_until};

/// Bytes that a thread copies at a time: 16 threads share a piece of staging. (On an H200's host of 16
/// threads, 512 MB: 42 GB/s, against 36 with pieces of eight tasks and three buffers.)
pub(crate) const GRAIN: usize = 512 << 10;

/// Writes the bytes from a place on; called from several threads at a time.
pub(crate) type WriteFrom<'w> = dyn Fn(usize, &mut [u8]) + Sync + 'w;

/// Threads that write memory and do nothing else. Who waits for them is never handed other work, so a
/// caller may hold what it likes.
pub(crate) struct CopyThreads {
    queue: Arc<WriteQueue>,
    /// Bytes that a thread copies at a time.
    grain: usize,
    threads: Vec<JoinHandle<()>>,
}

impl CopyThreads {
    /// `count` threads, of which the caller of [`copy`](Self::copy) and [`write`](Self::write) is one. Where the
    /// system gives fewer, they take longer.
    pub(crate) fn new(count: NonZeroUsize) -> CopyThreads {
        CopyThreads::with_grain(count, GRAIN)
    }

    /// `count` threads that copy `grain` bytes at a time.
    pub(crate) fn with_grain(count: NonZeroUsize, grain: usize) -> CopyThreads {
        let queue = Arc::new(WriteQueue::default());
        let start = |_| {
            let queue = queue.clone();
            thread::Builder::new().name("copy".into()).spawn(move || queue.serve()).ok()
        };
        let threads = (1..count.get()).filter_map(start).collect();
        CopyThreads { queue, grain, threads }
    }

    /// Copies `from` to `to`.
    ///
    /// # Panics
    /// If they differ in length.
    pub(crate) fn copy(&self, to: &mut [u8], from: &[u8]) {
        assert_eq!(to.len(), from.len(), "copy of another length");
        self.write(to, self.grain, &|start, part| {
            part.copy_from_slice(&from[start..start + part.len()]);
        });
    }

    /// Has `write` write `to`, `grain` bytes at a time: it is given the place of the first byte.
    ///
    /// # Panics
    /// If `write` does.
    pub(crate) fn write(&self, to: &mut [u8], grain: usize, write: &WriteFrom<'_>) {
        // SAFETY: what was begun is waited for here.
        unsafe { self.begin(to, grain, write) }.finish();
    }

    /// Begins to have `write` write `to`, as [`write`](Self::write) does. The threads go on to what is begun next once all grains
    /// are taken, so that none waits for the slowest.
    ///
    /// # Safety
    /// What is returned is dropped before `to` or `write` is used or goes.
    pub(crate) unsafe fn begin(
        &self,
        to: &mut [u8],
        grain: usize,
        write: &WriteFrom<'_>,
    ) -> PendingWrite {
        let grains = to.len().div_ceil(grain);
        if self.threads.is_empty() || grains < 2 {
            write(0, to);
            return PendingWrite(None);
        }
        let write = std::ptr::from_ref(write);
        let job = Arc::new(SharedWrite {
            to: to.as_mut_ptr(),
            // SAFETY: only the lifetime changes; the value is called for grains that were taken, and who drops what was begun
            // waits for them.
            write: unsafe {
                std::mem::transmute::<*const WriteFrom<'_>, *const WriteFrom<'static>>(write)
            },
            bytes: to.len(),
            grain,
            next: AtomicUsize::new(0),
            left: AtomicUsize::new(grains),
            panicked: AtomicUsize::new(0),
            caller: thread::current(),
        });
        self.queue.push(job.clone());
        PendingWrite(Some(job))
    }
}

/// Memory that is being written; who drops this waits until it is.
#[must_use]
pub(crate) struct PendingWrite(Option<Arc<SharedWrite>>);

impl PendingWrite {
    /// Writes what no thread has taken, and waits for the rest.
    ///
    /// # Panics
    /// If what writes does.
    pub(crate) fn finish(mut self) {
        if let Some(job) = self.0.take() {
            job.finish();
            assert!(job.panicked.load(Relaxed) == 0, "what writes a part of an upload panicked");
        }
    }
}

impl Drop for PendingWrite {
    fn drop(&mut self) {
        if let Some(job) = self.0.take() {
            job.finish();
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

/// A write to memory that threads share.
struct SharedWrite {
    to: *mut u8,
    write: *const WriteFrom<'static>,
    bytes: usize,
    grain: usize,
    /// The first grain that nobody has taken.
    next: AtomicUsize,
    /// Grains that are not written yet. The memory is the job's until there are none.
    left: AtomicUsize,
    /// Grains whose writing panicked.
    panicked: AtomicUsize,
    caller: Thread,
}

// SAFETY: the memory is touched and the function called for grains that were taken only, each by one thread, and before who
// began it has finished.
unsafe impl Send for SharedWrite {}
// SAFETY: as above.
unsafe impl Sync for SharedWrite {}

impl SharedWrite {
    fn is_taken(&self) -> bool {
        self.next.load(Relaxed) * self.grain >= self.bytes
    }

    /// Writes grains until all are taken, and waits until all are written.
    fn finish(&self) {
        self.work();
        let is_done = || self.left.load(Acquire) == 0;
        if !spin_until(is_done) {
            while !is_done() {
                thread::park();
            }
        }
    }

    /// Writes grains until all are taken.
    fn work(&self) {
        loop {
            let start = self.next.fetch_add(1, Relaxed) * self.grain;
            if start >= self.bytes {
                return;
            }
            let bytes = self.grain.min(self.bytes - start);
            // SAFETY: the range lies in the slice, and this thread alone has taken it. The slice and the function
            // are there until `left` is 0: `begin` was promised that.
            let (part, write) = unsafe {
                (std::slice::from_raw_parts_mut(self.to.add(start), bytes), &*self.write)
            };
            // Who waits for the grain would wait for ever.
            if catch_unwind(AssertUnwindSafe(|| write(start, part))).is_err() {
                self.panicked.fetch_add(1, Relaxed);
            }
            // The caller may be gone as soon as the last grain is written.
            let caller = self.caller.clone();
            if self.left.fetch_sub(1, AcqRel) == 1 {
                caller.unpark();
            }
        }
    }
}

/// Jobs that threads may take part in.
#[derive(Default)]
struct WriteQueue {
    jobs: Mutex<Jobs>,
    /// How often the queue changed, for threads that look without the lock.
    changes: AtomicUsize,
    wake: Condvar,
}

#[derive(Default)]
struct Jobs {
    open: VecDeque<Arc<SharedWrite>>,
    is_closed: bool,
}

impl WriteQueue {
    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, job: Arc<SharedWrite>) {
        self.lock().open.push_back(job);
        self.changed();
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Release);
        self.wake.notify_all();
    }

    /// Writes what there is to write, until the queue is closed.
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
                let mut jobs = self.lock();
                while jobs.open.is_empty() && !jobs.is_closed {
                    jobs = self.wake.wait(jobs).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}
