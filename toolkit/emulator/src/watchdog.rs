//! Ends a process whose kernel computes for ever. The emulator is not called there, so that nothing else can end it: to unwind what is
//! under way, from outside, is not sound.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// The time between two looks at the launches.
const INTERVAL: Duration = Duration::from_millis(250);

/// What a launch does, for the watchdog.
pub(crate) struct Pulse {
    kernel: &'static str,
    limit: Duration,
    clock: ThreadClock,
    /// The block and the thread that has its turn.
    place: AtomicU64,
    turns: AtomicU32,
    /// Steps until the running thread is interrupted.
    pub(crate) fuel: AtomicU32,
}

impl Pulse {
    /// A thread has its turn.
    pub(crate) fn turn_to(&self, block: u32, thread: u32) {
        self.place.store(u64::from(block) << 32 | u64::from(thread), Relaxed);
        self.turns.store(self.turns.load(Relaxed).wrapping_add(1), Relaxed);
    }

    /// What every turn and every access changes.
    fn beat(&self) -> (u32, u32) {
        (self.turns.load(Relaxed), self.fuel.load(Relaxed))
    }

    fn end(&self) -> ! {
        let (kernel, place, limit) = (self.kernel, self.place.load(Relaxed), self.limit);
        eprintln!(
            "emulator: kernel {kernel}, block {} thread {}: {limit:?} of processor time without an access, a barrier or a warp operation: a \
             loop that only computes does not end, or it needs more time (`compute_limit` of `Config`)",
            place >> 32,
            place as u32
        );
        std::process::abort()
    }
}

struct Watched {
    pulse: Weak<Pulse>,
    beat: (u32, u32),
    /// The processor time of the launch's OS thread when that beat was first seen.
    since: Duration,
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// Watches a launch on this OS thread for as long as the pulse lives.
pub(crate) fn watch(kernel: &'static str, limit: Duration) -> Arc<Pulse> {
    static START: Once = Once::new();
    START.call_once(|| {
        let look = || {
            loop {
                thread::sleep(INTERVAL);
                WATCHED.lock().unwrap_or_else(PoisonError::into_inner).retain_mut(Watched::look);
            }
        };
        // Without it kernels run as well.
        let _ = thread::Builder::new().name("emulator watchdog".to_owned()).spawn(look);
    });
    let clock = ThreadClock::of_this_thread();
    let (place, turns, fuel) = Default::default();
    let pulse = Arc::new(Pulse { kernel, limit, clock, place, turns, fuel });
    let watched = Watched { pulse: Arc::downgrade(&pulse), beat: (0, 0), since: Duration::MAX };
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
    pulse
}

impl Watched {
    /// Ends the process if the launch takes too long, and says whether it goes on.
    fn look(&mut self) -> bool {
        let Some(pulse) = self.pulse.upgrade() else { return false };
        let (beat, now) = (pulse.beat(), pulse.clock.now());
        if beat != self.beat {
            (self.beat, self.since) = (beat, now);
        } else if now.saturating_sub(self.since) >= pulse.limit {
            pulse.end();
        }
        true
    }
}

/// The clock of an OS thread's processor time.
#[derive(Default)]
struct ThreadClock(i32);

#[cfg(target_os = "linux")]
impl ThreadClock {
    fn of_this_thread() -> ThreadClock {
        let mut clock = 0;
        // SAFETY: this thread lives, and one number is written.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        ThreadClock(clock)
    }

    fn now(&self) -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: a time is written, or none where the thread has ended.
        unsafe { libc::clock_gettime(self.0, &mut time) };
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
}

/// Other systems have no clock of another thread: it stands still.
#[cfg(not(target_os = "linux"))]
impl ThreadClock {
    fn of_this_thread() -> ThreadClock {
        ThreadClock::default()
    }

    fn now(&self) -> Duration {
        Duration::from_secs(self.0 as u64)
    }
}
