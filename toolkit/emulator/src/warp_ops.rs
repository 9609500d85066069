//! Operations that the lanes of a warp make together.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use warpwise_launch::{Shuffle, WarpReduction};

use crate::block::{LANES, RunningBlock, SourceLine, ThreadState};
use crate::engine::{self, FindingPlace};
use crate::report::{Kind, Other};

/// What a shuffle from a lane outside the mask yields.
const UNDEFINED: u64 = 0xDEAD_BEEF_DEAD_BEEF;

/// An operation that the lanes do together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Wait, and order memory.
    Sync,
    /// The mask of lanes with a nonzero value.
    Ballot,
    /// The mask of lanes with this lane's value.
    MatchAny,
    /// Another lane's value.
    Shuffle(Shuffle),
    /// All lanes' values in one.
    Reduce(WarpReduction),
}

/// Combines both values into one. Narrower signed values come extended to 64 bits.
fn combine(reduction: WarpReduction, a: u64, b: u64) -> u64 {
    match reduction {
        WarpReduction::Add => a.wrapping_add(b),
        WarpReduction::Min => a.min(b),
        WarpReduction::Max => a.max(b),
        WarpReduction::And => a & b,
        WarpReduction::Or => a | b,
        WarpReduction::Xor => a ^ b,
        WarpReduction::MinSigned => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
        WarpReduction::MaxSigned => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
    }
}

/// The lane whose value `lane` takes. Of the operand a GPU looks at the lower five bits.
fn source(shuffle: Shuffle, lane: u32, operand: u32) -> u32 {
    let operand = operand % LANES;
    match shuffle {
        Shuffle::Index => operand,
        Shuffle::Up => lane.checked_sub(operand).unwrap_or(lane),
        Shuffle::Down => Some(lane + operand).filter(|&at| at < LANES).unwrap_or(lane),
        Shuffle::Xor => lane ^ operand,
    }
}

/// Lanes that have arrived at one operation, of all that its mask names.
#[derive(Debug, Clone, Copy)]
struct LaneGroup {
    operation: Operation,
    mask: u32,
    site: u16,
    location: SourceLine,
    arrived: u32,
}

/// The state of one warp.
#[derive(Default)]
pub(crate) struct Warp {
    groups: RefCell<Vec<LaneGroup>>,
    returned: Cell<u32>,
}

impl Warp {
    /// A lane has returned. Returns a lane that waits for it, with its mask and line.
    pub(crate) fn leave(&self, lane: u32) -> Option<(u32, u32, SourceLine)> {
        self.returned.set(self.returned.get() | 1 << lane);
        let groups = self.groups.borrow();
        let group = groups.iter().find(|group| group.mask >> lane & 1 == 1)?;
        Some((group.arrived.trailing_zeros(), group.mask, group.location))
    }
}

/// The running thread's part in an operation of the lanes of `mask`: waits for the others and returns
/// this lane's result.
#[track_caller]
pub(crate) fn collective(operation: Operation, mask: u32, value: u64, operand: u32) -> u64 {
    let location = Location::caller();
    let engine = engine::current();
    engine.step(location);
    let block = engine.block();
    let thread = engine.thread.get();
    let (lane, index) = (thread % LANES, thread / LANES);
    if mask >> lane & 1 == 0 {
        engine.fail(Kind::LaneNotInMask { mask }, FindingPlace::line(location), None);
    }
    let warp = &block.warps[index as usize];
    let diverges = |lanes: u32| -> ! {
        let other = other(block, index * LANES + lanes.trailing_zeros());
        engine.fail(Kind::WarpDivergence { mask }, FindingPlace::line(location), Some(other))
    };
    if mask & warp.returned.get() != 0 {
        diverges(mask & warp.returned.get());
    }
    let running = engine.running();
    running.operands.set((value, operand));
    running.state.set(ThreadState::InWarpOperation { mask, location });
    let site = engine.sites.number(location);
    let mut groups = warp.groups.borrow_mut();
    let mut joined = None;
    for (i, group) in groups.iter_mut().enumerate() {
        if (group.operation, group.mask, group.site) == (operation, mask, site) {
            group.arrived |= 1 << lane;
            joined = Some(i);
        } else if group.mask >> lane & 1 == 1 && mask & group.arrived != 0 {
            let lanes = mask & group.arrived;
            drop(groups);
            diverges(lanes);
        }
    }
    let joined = joined.unwrap_or_else(|| {
        groups.push(LaneGroup { operation, mask, site, location, arrived: 1 << lane });
        groups.len() - 1
    });
    let lanes = mask & existing_lanes(block, index);
    if groups[joined].arrived == lanes {
        groups.swap_remove(joined);
        complete(block, index, operation, lanes);
    }
    drop(groups);
    engine.suspend();
    running.result.get()
}

/// The lanes that a warp has: the last warp of a block can have fewer.
fn existing_lanes(block: &RunningBlock, warp: u32) -> u32 {
    match block.threads.len() as u32 - warp * LANES {
        threads @ 0..LANES => (1 << threads) - 1,
        _ => u32::MAX,
    }
}

/// All of `lanes` are here: gives each its result and lets it go on.
fn complete(block: &RunningBlock, warp: u32, operation: Operation, lanes: u32) {
    let first = warp * LANES;
    let each = || (0..LANES).filter(move |lane| lanes >> lane & 1 == 1);
    let operands = |lane: u32| block.threads[(first + lane) as usize].operands.get();
    let mask_of = |holds: &dyn Fn(u64) -> bool| {
        each().filter(|&lane| holds(operands(lane).0)).fold(0, |mask, lane| mask | 1 << lane)
    };
    let give = |lane: u32, result| block.threads[(first + lane) as usize].result.set(result);
    match operation {
        Operation::Sync => block.order_lanes(warp, lanes),
        Operation::Ballot => {
            let mask = mask_of(&|value| value != 0);
            each().for_each(|lane| give(lane, mask));
        }
        Operation::MatchAny => each().for_each(|lane| {
            let own = operands(lane).0;
            give(lane, mask_of(&|value| value == own));
        }),
        Operation::Shuffle(shuffle) => each().for_each(|lane| {
            let from = source(shuffle, lane, operands(lane).1);
            let known = lanes >> from & 1 == 1;
            give(lane, if known { operands(from).0 } else { UNDEFINED });
        }),
        Operation::Reduce(reduction) => {
            let values = each().map(|lane| operands(lane).0);
            let result = values.reduce(|a, b| combine(reduction, a, b)).expect("a lane");
            each().for_each(|lane| give(lane, result));
        }
    }
    each().for_each(|lane| block.release(first + lane));
}

/// A thread of `block` as the other one of a finding.
pub(crate) fn other(block: &RunningBlock, thread: u32) -> Other {
    block.threads[thread as usize].as_other(block.index, thread)
}

/// Threads of a block wait and none can go on: one that waits in a warp operation, with a lane that
/// its mask names and that waits elsewhere.
pub(crate) fn stuck(block: &RunningBlock) -> Option<(u32, SourceLine, Other)> {
    block.threads.iter().enumerate().find_map(|(i, thread)| {
        let ThreadState::InWarpOperation { mask, location } = thread.state.get() else {
            return None;
        };
        let (thread, warp) = (i as u32, i as u32 / LANES);
        let here = |lane: u32| {
            let state = block.threads[(warp * LANES + lane) as usize].state.get();
            matches!(state, ThreadState::InWarpOperation { mask: theirs, location: at }
                if theirs == mask && at == location)
        };
        let lanes = mask & existing_lanes(block, warp);
        let missing = (0..LANES).find(|&lane| lanes >> lane & 1 == 1 && !here(lane))?;
        Some((thread, location, other(block, warp * LANES + missing)))
    })
}
