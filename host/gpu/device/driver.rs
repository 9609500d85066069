//! One OS thread that drives a device, and several that drive a team of them.
//!
//! All work of a device is asked for by this one thread, a job at a time. So the times of a job are its own,
//! its memory is what the plan predicted, and no caller holds a lock while others work: a caller hands its job
//! over and waits. Host work of a job that uses rayon runs on a pool of its own. Were it the callers' pool, a job could wait
//! for threads that wait for the job.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::Result;
use crate::processor;
use tribin_base::par::Pool;

type Job<'j, D> = Box<dyn FnOnce(&D, &Pool) + Send + 'j>;

/// A job that is handed over, and how its end is told. One that is never run is dropped before its sender.
struct Handed<D> {
    job: Job<'static, D>,
    done: SyncSender<thread::Result<()>>,
}

/// A device and the thread that drives it.
pub struct Driver<D: 'static> {
    device: Arc<D>,
    jobs: Mutex<Option<Sender<Handed<D>>>>,
    thread: Option<JoinHandle<()>>,
}

impl<D: Send + Sync + 'static> Driver<D> {
    /// Starts the thread; host work of its jobs runs on `threads` threads.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) where the threads cannot be started.
    pub fn start(device: D, threads: usize) -> Result<Driver<D>> {
        let pool = Pool::start(threads, "device-host");
        let pool = pool.map_err(|error| processor::no_threads(threads, error))?;
        let device = Arc::new(device);
        let (jobs, received) = mpsc::channel::<Handed<D>>();
        let driven = Arc::clone(&device);
        let drive = move || {
            for Handed { job, done } in received {
                let end = catch_unwind(AssertUnwindSafe(|| job(&driven, &pool)));
                // Whoever handed it over waits for this, whatever the job did.
                let _ = done.send(end);
            }
        };
        let thread = thread::Builder::new().name("device".into()).spawn(drive);
        let thread = thread.map_err(|error| processor::no_threads(1, error))?;
        Ok(Driver { device, jobs: Mutex::new(Some(jobs)), thread: Some(thread) })
    }

    /// The device. Its thread asks for all work; others may copy from it.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// Runs a job on the device's thread and waits for it. A panic of the job goes on here.
    ///
    /// A hand-over to a thread that sleeps takes some 0.1 ms: what belongs together is one job. The job itself
    /// must not use rayon, whose threads may be waiting for it: see [`run_beside_threads`](Self::run_beside_threads).
    pub fn run<R: Send>(&self, job: impl FnOnce(&D) -> R + Send) -> R {
        self.run_beside_threads(|device, _| job(device))
    }

    /// Runs a job that hands host work to the driver's own pool, and may go on on the device's thread meanwhile.
    pub fn run_beside_threads<R: Send>(&self, job: impl FnOnce(&D, &Pool) -> R + Send) -> R {
        let mut result = None;
        let job: Job<'_, D> = Box::new(|device, pool| result = Some(job(device, pool)));
        run_all(&[self], vec![job]);
        result.expect("the job has run")
    }
}

/// Runs a job on each driver's thread, all at the same time, and waits for all. A panic of any job goes on here.
fn run_all<D>(drivers: &[&Driver<D>], jobs: Vec<Job<'_, D>>) {
    let mut begun = Vec::with_capacity(jobs.len());
    for (driver, job) in drivers.iter().zip(jobs) {
        let (done, received) = mpsc::sync_channel(1);
        // SAFETY: what the job borrows lives until this function ends. It waits below until the job has run or was dropped
        // without running: whoever has the job drops its sender, or sends word, only after that. Nothing between here
        // and there panics or returns.
        let job = unsafe { std::mem::transmute::<Job<'_, D>, Job<'static, D>>(job) };
        if let Some(jobs) = &*driver.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            // A job that is not taken is dropped here, and its sender with it.
            let _ = jobs.send(Handed { job, done });
        }
        begun.push(received);
    }
    let ends: Vec<_> = begun.iter().map(Receiver::recv).collect();
    for end in ends {
        match end.expect("the thread of a device ends with its driver") {
            Ok(()) => {}
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Runs one job on each driver's thread, all at the same time, and waits for all: results in the drivers' order.
/// Each job takes one of the inputs. A panic of any job goes on here.
pub(super) fn run_on_all<D: Send + Sync + 'static, T: Send, R: Send>(
    drivers: &[Arc<Driver<D>>],
    inputs: Vec<T>,
    job: impl Fn(usize, &D, T) -> R + Sync,
) -> Vec<R> {
    assert_eq!(drivers.len(), inputs.len(), "an input for each device");
    // Loops, and no chains of iterators: each step of the work on several devices compiles this anew.
    let mut results = Vec::new();
    results.resize_with(inputs.len(), || None);
    let mut jobs: Vec<Job<'_, D>> = Vec::with_capacity(inputs.len());
    let job = &job;
    for (number, (input, result)) in inputs.into_iter().zip(&mut results).enumerate() {
        jobs.push(Box::new(move |device, _| *result = Some(job(number, device, input))));
    }
    let drivers: Vec<&Driver<D>> = drivers.iter().map(|driver| &**driver).collect();
    run_all(&drivers, jobs);
    let mut found = Vec::with_capacity(results.len());
    for result in results {
        found.push(result.expect("the job has run"));
    }
    found
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
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

    use super::*;
    use tribin_base::par;

    #[test]
    fn jobs_follow_one_another_and_borrow_from_their_callers() {
        let driver = Driver::start(AtomicU32::new(0), 2).unwrap();
        let numbers: Vec<u32> = (1..=100).collect();
        let sums: Vec<u32> = par::map(0..16, |_| {
            driver.run_beside_threads(|under_way, pool| {
                assert_eq!(under_way.fetch_add(1, SeqCst), 0, "two jobs at a time");
                let sums = || par::map(numbers.chunks(7), |numbers| numbers.iter().sum::<u32>());
                let sum = pool.install(sums);
                under_way.fetch_sub(1, SeqCst);
                sum.into_iter().sum()
            })
        });
        assert_eq!(sums, [5_050; 16]);
    }

    /// Every job waits for the others.
    #[test]
    fn jobs_of_several_devices_run_at_the_same_time() {
        let driver = |n| Arc::new(Driver::start(n, 1).unwrap());
        let drivers: Vec<_> = (0..4).map(driver).collect();
        let all_here = Barrier::new(4);
        for round in 0..50 {
            let found = run_on_all(&drivers, vec![round; 4], |number, device, input| {
                all_here.wait();
                assert_eq!(number, *device);
                input + number
            });
            assert_eq!(found, [round, round + 1, round + 2, round + 3]);
        }
        let panics = || run_on_all(&drivers, vec![(); 4], |number, _, ()| assert!(number != 2));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert_eq!(run_on_all(&drivers, vec![(); 4], |_, device, ()| *device), [0, 1, 2, 3]);
    }

    #[test]
    fn a_panic_goes_on_at_the_caller_and_the_driver_lives() {
        let driver = Driver::start((), 1).unwrap();
        let caught = catch_unwind(AssertUnwindSafe(|| driver.run(|()| panic!("a defect"))));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"a defect"));
        assert_eq!(driver.run(|()| 7), 7);
    }
}
