use tribin_device::memory::InOut;

/// What the steps write: see [`Seen`]. Three times, a cache line each; the barrier's word is before them.
const SEEN: u64 = 16;

/// Words that a step writes.
pub(super) const SEEN_WORDS: u64 = 4;

/// The number of items pushed.
pub(super) const PUSHED: u64 = 0;
/// The complement of the least support above the level, 0 where there is none.
pub(super) const LEAST: u64 = 1;
/// Edges that a scan met with as many triangles as the level, or more.
pub(super) const LIVE_EDGES: u64 = 2;
/// The triangles on them: each triangle three times.
pub(super) const LIVE_ENTRIES: u64 = 3;

const STATE: u64 = 64;

/// Where the control words say what comes next: a scan, a round, [`STOPPED`] or [`DONE`].
pub const STEP: u64 = STATE;
/// Where they have the level. The host may set it before the first launch.
pub const LEVEL: u64 = STATE + 1;
/// Where they have the rounds so far: the number of the round that goes, or went last.
pub const ROUNDS: u64 = STATE + 2;
/// Where they have the first item of the round.
const FIRST: u64 = STATE + 3;
/// Where they have one past its last, which is where the queue ends.
const END: u64 = STATE + 4;
/// Where they have the scans so far, without the first.
pub const SCANS: u64 = STATE + 5;
/// Where they have the last level at which edges with triangles went.
pub const LAST_LEVEL: u64 = STATE + 6;
/// Where they have the barriers so far.
const BARRIERS: u64 = STATE + 7;
/// Where they have the edges that were live when the grid stopped.
pub const LIVE_AT_STOP: u64 = STATE + 8;
/// Where they have the triangles on them: each triangle three times.
pub const ENTRIES_AT_STOP: u64 = STATE + 9;
/// Words of control; all zero before the first launch, except for [`LEVEL`].
pub const CONTROL_WORDS: u64 = STATE + 10;

/// The edges of the level are looked for.
pub(super) const SCAN: u64 = 0;
/// The items of a round are taken from the queue.
const ROUND: u64 = 1;
/// No edge is left.
pub const DONE: u64 = 2;
/// Few enough edges or triangles are left: those whose support is the level or more.
pub const STOPPED: u64 = 3;

/// Where the grid stops before the end: after the scan of a level that finds fewer edges than `live`, or
/// fewer triangles than a third of `entries`.
#[derive(Clone, Copy)]
pub(super) struct Stops {
    pub(super) live: u64,
    pub(super) entries: u64,
}

impl Stops {
    /// Nowhere: no number is below 0.
    pub(super) const NEVER: Stops = Stops { live: 0, entries: 0 };
}

/// What a step wrote.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) pushed: u64,
    pub(super) least: u32,
    pub(super) live: u64,
    pub(super) entries: u64,
}

/// What every thread knows of the step.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) step: u64,
    pub(super) level: u32,
    pub(super) round: u32,
    pub(super) first: u64,
    pub(super) end: u64,
    pub(super) barriers: u64,
    scans: u64,
    last_level: u32,
}

impl State {
    #[inline(always)]
    pub(super) fn read(control: InOut<u64>) -> State {
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
    pub(super) fn write(self, control: InOut<u64>, seen: Seen) {
        control.set(STEP, self.step);
        control.set(LEVEL, u64::from(self.level));
        control.set(ROUNDS, u64::from(self.round));
        control.set(FIRST, self.first);
        control.set(END, self.end);
        control.set(BARRIERS, self.barriers);
        control.set(SCANS, self.scans);
        control.set(LAST_LEVEL, u64::from(self.last_level));
        control.set(LIVE_AT_STOP, seen.live);
        control.set(ENTRIES_AT_STOP, seen.entries);
    }

    /// Whether there is another step.
    #[inline(always)]
    pub(super) fn goes_on(self) -> bool {
        self.step != DONE && self.step != STOPPED
    }

    /// Where this step writes its words.
    #[inline(always)]
    pub(super) fn seen_at(self) -> u64 {
        SEEN * (1 + self.barriers % 3)
    }

    /// Makes the next step's words zero. Nobody reads them any more: what they held was read before the
    /// last barrier.
    #[inline(always)]
    pub(super) fn clear_next(self, control: InOut<u64>) {
        let next = SEEN * (1 + (self.barriers + 1) % 3);
        let mut word = 0;
        while word < SEEN_WORDS {
            control.atomic_store(next + word, 0);
            word += 1;
        }
    }

    /// What comes after a step that wrote this.
    #[inline(always)]
    pub(super) fn after(self, seen: Seen, stops: Stops) -> State {
        let mut next = State { barriers: self.barriers + 1, ..self };
        let few = seen.live < stops.live || seen.entries < stops.entries;
        if self.step == SCAN && seen.live > 0 && few {
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
