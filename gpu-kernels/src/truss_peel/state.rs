use tribin_device::memory::InOut;

/// What the steps write: the number of items pushed, and the complement of the least support above the
/// level (0 where there is none). Three pairs, a cache line each; the barrier's word is before them.
const PUSHED: u64 = 16;

const STATE: u64 = 64;

/// Where the control words say what comes next: a scan, a round or [`DONE`].
pub const STEP: u64 = STATE;
/// Where they have the level.
const LEVEL: u64 = STATE + 1;
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
/// Words of control; all zero before the first launch.
pub const CONTROL_WORDS: u64 = STATE + 8;

/// The edges of the level are looked for.
pub(super) const SCAN: u64 = 0;
/// The items of a round are taken from the queue.
const ROUND: u64 = 1;
/// No edge is left.
pub const DONE: u64 = 2;

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
    pub(super) fn write(self, control: InOut<u64>) {
        control.set(STEP, self.step);
        control.set(LEVEL, u64::from(self.level));
        control.set(ROUNDS, u64::from(self.round));
        control.set(FIRST, self.first);
        control.set(END, self.end);
        control.set(BARRIERS, self.barriers);
        control.set(SCANS, self.scans);
        control.set(LAST_LEVEL, u64::from(self.last_level));
    }

    /// Where this step counts what it pushes; the least support is in the next word.
    #[inline(always)]
    pub(super) fn pushed_at(self) -> u64 {
        PUSHED * (1 + self.barriers % 3)
    }

    /// Makes the next step's words zero. Nobody reads them any more: what they held was read before the
    /// last barrier.
    #[inline(always)]
    pub(super) fn clear_next(self, control: InOut<u64>) {
        let next = PUSHED * (1 + (self.barriers + 1) % 3);
        control.atomic_store(next, 0);
        control.atomic_store(next + 1, 0);
    }

    /// What comes after a step that pushed so many items and met that least support, as a complement.
    #[inline(always)]
    pub(super) fn after(self, pushed: u64, least: u32) -> State {
        let mut next = State { barriers: self.barriers + 1, ..self };
        if pushed > 0 {
            next.step = ROUND;
            next.first = self.end;
            next.end = self.end + pushed;
            next.round = self.round + 1;
            next.last_level = self.level;
        } else if self.step == ROUND {
            // The next level is likely to have edges of its own.
            next.step = SCAN;
            next.level = self.level + 1;
            next.scans = self.scans + 1;
        } else if least > 0 {
            next.level = !least;
            next.scans = self.scans + 1;
        } else {
            next.step = DONE;
        }
        next
    }
}
