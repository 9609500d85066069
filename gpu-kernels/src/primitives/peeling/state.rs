use warpwise_device::memory::InOut;

/// What the steps write: see [`Seen`]. Three times, a cache line each; the barrier's word is before them.
const SEEN: u64 = 16;

/// Words that a step writes.
pub(crate) const SEEN_WORDS: u64 = 3;

/// The places of the queue that were taken.
pub(crate) const PUSHED: u64 = 0;
/// The complement of the least value above the level, 0 where there is none.
pub(crate) const LEAST: u64 = 1;
/// Items that a scan met with as much left as the level, or more.
pub(crate) const LIVE_ITEMS: u64 = 2;

const STATE: u64 = 64;

/// Where the control words say what comes next: a scan, a round, [`STOPPED`] or [`DONE`].
pub const STEP: u64 = STATE;
/// Where they have the level. The host may set it before the first launch.
pub const LEVEL: u64 = STATE + 1;
/// Where they have the rounds so far: the number of the round that goes, or went last.
pub const ROUNDS: u64 = STATE + 2;
/// Where they have the round's first place in the queue.
const FIRST: u64 = STATE + 3;
/// Where they have one past its last, which is where the queue ends.
const END: u64 = STATE + 4;
/// Where they have the scans so far, without the first.
pub const SCANS: u64 = STATE + 5;
/// Where they have the last level at which items went that others lost something by.
pub const LAST_LEVEL: u64 = STATE + 6;
/// Where they have the barriers so far.
const BARRIERS: u64 = STATE + 7;
/// Where they have the items that were live when the grid stopped.
pub const LIVE_AT_STOP: u64 = STATE + 8;
/// Words of control; all zero before the first launch, except for [`LEVEL`].
pub const CONTROL_WORDS: u64 = STATE + 9;

/// The items of the level are looked for.
pub(crate) const SCAN: u64 = 0;
/// What is queued for a round goes.
const ROUND: u64 = 1;
/// No item is left.
pub const DONE: u64 = 2;
/// Few enough items are left: those that have as much as the level or more.
pub const STOPPED: u64 = 3;

/// What a step wrote.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) pushed: u64,
    pub(crate) least: u32,
    pub(crate) live: u64,
}

/// What every thread knows of the step.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) step: u64,
    pub(crate) level: u32,
    pub(crate) round: u32,
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) barriers: u64,
    scans: u64,
    last_level: u32,
}

impl State {
    #[inline(always)]
    pub(crate) fn read(control: InOut<u64>) -> State {
        State {
            step: control.get(STEP),
            level: control.get(LEVEL) as u32,
            round: control.get(ROUNDS) as u32,
            first: control.get(FIRST),
            end: control.get(END),
            barriers: control.get(BARRIERS),
            scans: control.get(SCANS),
            last_level: control.get(LAST_LEVEL) as u32,
        }
    }

    #[inline(always)]
    pub(crate) fn write(self, control: InOut<u64>, seen: Seen) {
        control.set(STEP, self.step);
        control.set(LEVEL, u64::from(self.level));
        control.set(ROUNDS, u64::from(self.round));
        control.set(FIRST, self.first);
        control.set(END, self.end);
        control.set(BARRIERS, self.barriers);
        control.set(SCANS, self.scans);
        control.set(LAST_LEVEL, u64::from(self.last_level));
        control.set(LIVE_AT_STOP, seen.live);
    }

    /// Whether there is another step.
    #[inline(always)]
    pub(crate) fn goes_on(self) -> bool {
        self.step != DONE && self.step != STOPPED
    }

    /// Where this step writes its words.
    #[inline(always)]
    pub(crate) fn seen_at(self) -> u64 {
        SEEN * (1 + self.barriers % 3)
    }

    /// Makes the next step's words zero. Nobody reads them any more: what they held was read before the
    /// last barrier.
    #[inline(always)]
    pub(crate) fn clear_next(self, control: InOut<u64>) {
        let next = SEEN * (1 + (self.barriers + 1) % 3);
        for word in 0..SEEN_WORDS {
            control.atomic_store(next + word, 0);
        }
    }

    /// What comes after a step that wrote this. The grid stops after the scan of a level that finds fewer items than `stop_live`.
    #[inline(always)]
    pub(crate) fn after(self, seen: Seen, stop_live: u64) -> State {
        let mut next = State { barriers: self.barriers + 1, ..self };
        if self.step == SCAN && seen.live > 0 && seen.live < stop_live {
            // What the scan pushed is live, and comes again.
            next.step = STOPPED;
        } else if seen.pushed > 0 {
            next.step = ROUND;
            next.first = self.end;
            next.end = self.end + seen.pushed;
            next.round = self.round + 1;
            next.last_level = self.level;
        } else if self.step == ROUND {
            // The next level is likely to have edges of its own.
            next.step = SCAN;
            next.level = self.level + 1;
            next.scans = self.scans + 1;
        } else if seen.least > 0 {
            next.level = !seen.least;
            next.scans = self.scans + 1;
        } else {
            next.step = DONE;
        }
        next
    }
}
