//! One OS thread that drives a device.
//!
//! All work of a device is asked for by this one thread, a job at a time. So the times of a job are its own,
//! its memory is what the plan predicted, and no caller holds a lock while others work: a caller hands its job
//! over and waits. Host work of a job that uses rayon runs on a pool of its own. Were it the callers' pool, a job could wait
//! for threads that wait for the job.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rayon::ThreadPool;

use crate::Result;
use crate::device::cpu;

type Job<'j, D> = Box<dyn FnOnce(&D, &ThreadPool) + Send + 'j>;

/// A device and the thread that drives it.
pub(crate) struct Driver<D: 'static> {
    jobs: Mutex<Option<Sender<Job<'static, D>>>>,
    thread: Option<JoinHandle<()>>,
}

impl<D: Send + Sync + 'static> Driver<D> {
    /// Starts the thread; host work of its jobs runs on `threads` threads.
    ///
    /// # Errors
    /// [`Error::Usage`] where the threads cannot be started.
    pub fn start(device: D, threads: usize) -> Result<Driver<D>> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("device-host-{index}"))
            .build()
            .map_err(|error| cpu::no_threads(threads, error))?;
        let (jobs, received) = mpsc::channel::<Job<'static, D>>();
        let drive = move || {
            for job in received {
                job(&device, &pool);
            }
        };
        let thread = thread::Builder::new().name("device".into()).spawn(drive);
        let thread = thread.map_err(|error| cpu::no_threads(1, error))?;
        Ok(Driver { jobs: Mutex::new(Some(jobs)), thread: Some(thread) })
    }

    /// Runs a job on the device's thread and waits for it. A panic of the job goes on here.
    ///
    /// A hand-over to a thread that sleeps takes some 0.1 ms: what belongs together is one job. The job itself
    /// must not use rayon, whose threads may be waiting for it: see [`run_with_threads`](Self::run_with_threads).
    pub fn run<R: Send>(&self, job: impl FnOnce(&D) -> R + Send) -> R {
        self.hand_over(|device, _| job(device))
    }

    /// The same for a job whose host work uses rayon: it runs on the driver's own pool.
    pub fn run_with_threads<R: Send>(&self, job: impl FnOnce(&D) -> R + Send) -> R {
        self.hand_over(|device, pool| pool.install(|| job(device)))
    }

    fn hand_over<R: Send>(&self, job: impl FnOnce(&D, &ThreadPool) -> R + Send) -> R {
        let (done, result) = mpsc::sync_channel(1);
        let job: Job<'_, D> = Box::new(move |device, pool| {
            // The caller waits for this, whatever the job does.
            let _ = done.send(catch_unwind(AssertUnwindSafe(|| job(device, pool))));
        });
        // SAFETY: this function returns only when the job has sent its result or was dropped without
        // running, in both cases after its last use of what it borrows: `job` was moved into the call
        // whose result is sent. So nothing borrowed outlives its owner.
        let job = unsafe { std::mem::transmute::<Job<'_, D>, Job<'static, D>>(job) };
        let sent = match &*self.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(jobs) => jobs.send(job).is_ok(),
            None => false,
        };
        assert!(sent, "the thread of a device ends with its driver");
        match result.recv().expect("a job sends its result") {
            Ok(result) => result,
            Err(panic) => resume_unwind(panic),
        }
    }
}

impl<D> Drop for Driver<D> {
    fn drop(&mut self) {
        // Without a sender the thread ends, and the device with it.
        self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn jobs_follow_one_another_and_borrow_from_their_callers() {
        let driver = Driver::start(AtomicU32::new(0), 2).unwrap();
        let numbers: Vec<u32> = (1..=100).collect();
        let sums: Vec<u32> = (0..16)
            .into_par_iter()
            .map(|_| {
                driver.run_with_threads(|under_way| {
                    assert_eq!(under_way.fetch_add(1, SeqCst), 0, "two jobs at a time");
                    let sum = numbers.par_iter().sum();
                    under_way.fetch_sub(1, SeqCst);
                    sum
                })
            })
            .collect();
        assert_eq!(sums, [5_050; 16]);
    }

    #[test]
    fn a_panic_goes_on_at_the_caller_and_the_driver_lives() {
        let driver = Driver::start((), 1).unwrap();
        let caught = catch_unwind(AssertUnwindSafe(|| driver.run(|()| panic!("a defect"))));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"a defect"));
        assert_eq!(driver.run(|()| 7), 7);
    }
}
